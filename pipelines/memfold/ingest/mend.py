"""JSON that may be broken: its outermost fields, the ids that it holds, and as much of it as is whole.

Knows neither where it stood nor what is said of it.
"""

from __future__ import annotations

import json
import re
from typing import Any

from memfold.given import composed

_TOKEN = re.compile(rb'"(?:[^"\\]++|\\.)*+"(\s*:)?|["\[\]{},]', re.DOTALL)
_SCALAR = rb'\s*("(?:[^"\\]++|\\.)*+"|-?\d++(?=\s*[,}]))'
_VALUE = re.compile(_SCALAR, re.DOTALL)
# Keys that can mean nothing else, wherever in a broken record they stand.
_NAMED = re.compile(rb'("(?:conversation|question)_id")\s*:' + _SCALAR, re.DOTALL)
# The same in quotes that are not JSON's, or in none.
_LOOSE = re.compile(
    rb"""(?<![\w"'\\])['"]?((?:conversation|question)_id)['"]?\s*[:=]\s*(?:'([^'"\\]+)'|([\w.:/-]+))(?=\s*[,;}])"""
)


def loads(raw: bytes) -> Any:
    """JSON, where an invalid byte becomes a lone surrogate in the one string it stands in.

    Raises ValueError or RecursionError.
    """
    return json.loads(raw.decode("utf-8", "surrogateescape"))


def encode(data: object) -> bytes:
    """A piece of a record as JSON; empty where it is nested too deep."""
    try:
        return json.dumps(data, default=str).encode()
    except (RecursionError, ValueError):
        return b""


def id_of(data: object) -> str | None:
    """What may be an id or a name, as text: text that is not empty, or an integer. None for all else."""
    if isinstance(data, str):
        return composed(data) or None
    return str(data) if isinstance(data, int) and not isinstance(data, bool) else None


def given(fields: dict[str, Any], *keys: str) -> str | None:
    """The id under the first of `keys` that holds one."""
    return next((found for key in keys if (found := id_of(fields.get(key))) is not None), None)


def fields_of(raw: bytes) -> dict[str, Any]:
    """The outermost fields of an object that may be broken: values that are text or integers, None for others."""
    found: dict[str, Any] = {}
    depth = 0
    for token in _TOKEN.finditer(raw):
        mark = token.group()
        if mark == b'"':
            break
        if mark in (b"[", b"{"):
            depth += 1
        elif mark in (b"]", b"}"):
            depth -= 1
        elif token.group(1) and depth <= 1:
            value = _VALUE.match(raw, token.end())
            _put(found, mark[: token.start(1) - token.start()], value.group(1) if value else b"null")
    for named in _NAMED.finditer(raw):
        if json.loads(named[1]) not in found:
            _put(found, named[1], named[2])
    for loose in _LOOSE.finditer(raw):
        found.setdefault(loose[1].decode(), (loose[2] or loose[3]).decode("utf-8", "surrogateescape"))
    return found


def value_of(raw: bytes, key: str) -> bytes:
    """The bytes of an object from the value of its outermost field `key` on; empty without that field. The object may
    be broken."""
    depth = 0
    for token in _TOKEN.finditer(raw):
        mark = token.group()
        if mark in (b"[", b"{"):
            depth += 1
        elif mark in (b"]", b"}"):
            depth -= 1
        elif token.group(1) and depth == 1 and mark.startswith(b'"%s"' % key.encode()):
            return raw[token.end() :]
    return b""


def _put(fields: dict[str, Any], key: bytes, value: bytes) -> None:
    try:
        fields[loads(key)] = loads(value)
    except ValueError:
        return


def names_another(raw: bytes, named: str) -> bool:
    """Whether some JSON holds the id of another conversation."""
    for id_ in _NAMED.finditer(raw):
        found: dict[str, Any] = {}
        _put(found, *id_.groups())
        if given(found, *found) != named:
            return True
    return False


def mended(raw: bytes, containers: re.Pattern[bytes]) -> tuple[bytes, Any, bool] | None:
    """Broken JSON as `mend` closes it, parsed, and whether the damage stands beside a container; None if it is still
    broken."""
    # If a record ends too early, nobody knows where its damage is. The first try may close the record behind the
    # damage, and the error then shows the place.
    for _ in range(2):
        closed, beside = mend(raw, containers)
        try:
            return (closed, loads(closed), beside) if closed else None
        except json.JSONDecodeError as error:
            raw = closed[: reached(error)]
        except (ValueError, RecursionError):
            break
    return None


def reached(error: json.JSONDecodeError) -> int:
    """How many bytes stand before an error."""
    return len(error.doc[: error.pos].encode("utf-8", "surrogateescape"))


def mend(raw: bytes, containers: re.Pattern[bytes]) -> tuple[bytes, bool]:
    """Broken JSON closed after the last whole element of its innermost open container, or after the last whole member
    beside a container that is whole, and whether no container was open.

    `containers` matches a container's key; "$" is the outermost value. Nothing where no container is open or whole, or
    nothing in it is whole.
    """
    # Closing bracket, key, end of the last whole element, key of the last container among its members.
    stack: list[tuple[bytes, bytes, int, bytes]] = []
    key = b""
    for token in _TOKEN.finditer(raw):
        mark = token.group()
        if mark == b'"':
            break
        if mark in (b"[", b"{"):
            stack.append((b"]" if mark == b"[" else b"}", key if stack else b"$", 0, b""))
            key = b""
        elif mark in (b"]", b"}"):
            if not stack or stack[-1][0] != mark:
                break
            _, name, *_ = stack.pop()
            if stack:
                held = name if containers.fullmatch(name) else stack[-1][3]
                stack[-1] = (*stack[-1][:2], token.end(), held)
        elif token.group(1):
            key = mark[1 : mark.index(b'"', 1)]
        elif mark == b",":
            key = b""
            if stack and stack[-1][3]:
                stack[-1] = (*stack[-1][:2], token.start(), stack[-1][3])
    within = [b""]  # at each depth the key of the innermost open container
    for _, name, *_ in stack:
        within.append(name if containers.fullmatch(name) else within[-1])
    while stack:
        _, name, end, held = stack[-1]
        inside = within.pop()
        # A message may have a member that is called as its container is ("messages"), and is no container for that.
        if end and (containers.fullmatch(name) or (held and held != inside)):
            return raw[:end] + b"".join(closing for closing, *_ in reversed(stack)), not inside
        stack.pop()
    return b"", False
