"""Bytes to JSON records, in bounded memory: the elements of one big array, the values of a stream, or lines.

Knows JSON's brackets, strings and lines, and nothing of conversations. A record keeps its own bytes, so what
is rejected later can be shown as it was. A record longer than `LIMIT` is passed over with its first bytes
kept; one that is cut off or broken inside is closed after its last whole element (`mend`), so that the good
part is not lost.

Why not an event parser: ijson on yajl reads 32 MB in 0.11 s where this takes 0.33 s, but it turns a lone
surrogate into "?" without a word, and one invalid byte ends its document.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from textwrap import shorten
from typing import Any

import pyarrow as pa

from memfold.given import storable
from memfold.schema import DeadLetter

# How a zip begins: with a member, or if it has none with its end.
ZIP = (b"PK\x03\x04", b"PK\x05\x06")
GZIP = b"\x1f\x8b"
ZSTD = b"\x28\xb5\x2f\xfd"
PACKED = (".gz", ".gzip", ".zst", ".zstd")
LIMIT = 64 << 20
RAW = 4096
# Characters of a reason; the longest of memfold's own has 104.
REASON = 120
_NOT_KEPT = (
    "its words are not kept, since messages of this conversation were erased (erased=skip leaves those out)"
)
CHUNK = 1 << 20
PIECE = 1 << 14
# Deflate reaches 1032:1 on zeros; conversations stay below 20:1.
INFLATION = 200

UNREADABLE = (OSError, EOFError, zlib.error, zipfile.BadZipFile, NotImplementedError, RuntimeError)

# Where a dead letter stands of which nothing is read.
FILE, FOLDER = "file", "folder"
# Kinds of reasons for which nothing behind a place is read.
UNREAD = "cannot be read"
IN_THE_MIDDLE, TOO_EARLY = "the file ends in the middle of it", "the file ends before its JSON does"
ENDED = frozenset((UNREAD, IN_THE_MIDDLE, TOO_EARLY))

# Whose a record is, as far as its outermost fields and its number tell; number 0 is the file as a whole.
Whose = Callable[[dict[str, Any], int], object]

_STRUCTURE = re.compile(rb'"(?:[^"\\]++|\\.)*+"|["\[\]{},]', re.DOTALL)
_STRING = re.compile(rb'(?:[^"\\]++|\\.)*+', re.DOTALL)
# Everything up to the next bracket, and that: whole strings, and what stands between them.
_BRACKET = re.compile(rb'(?:[^"\[\]{}]++|"(?:[^"\\]++|\\.)*+")*+[\[\]{}]', re.DOTALL)
_TOKEN = re.compile(rb'"(?:[^"\\]++|\\.)*+"(\s*:)?|["\[\]{},]', re.DOTALL)
_SCALAR = rb'\s*("(?:[^"\\]++|\\.)*+"|-?\d++(?=\s*[,}]))'
_VALUE = re.compile(_SCALAR, re.DOTALL)
# Keys that can mean nothing else, wherever in a broken record they stand.
_NAMED = re.compile(rb'("(?:conversation|question)_id")\s*:' + _SCALAR, re.DOTALL)
# The same in quotes that are not JSON's, or in none.
_LOOSE = re.compile(
    rb"""(?<![\w"'\\])['"]?((?:conversation|question)_id)['"]?\s*[:=]\s*(?:'([^'"\\]+)'|([\w.:/-]+))(?=\s*[,;}])"""
)
# What a reason quotes, cut off or not.
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*+"?')
BOM = b"\xef\xbb\xbf"
_BACKSLASH = ord("\\")


@dataclass(frozen=True, slots=True)
class Stream:
    """One stream of a source: a file, or a member of a zip. `name` is how dead letters call it."""

    path: Path
    name: str
    member: str | None = None

    @contextmanager
    def open(self) -> Iterator[io.BufferedReader]:
        """The bytes, unpacked, from the start. Raises one of `UNREADABLE`, here or while reading."""
        if self.member is None:
            with self.path.open("rb") as file:
                most = max(os.fstat(file.fileno()).st_size * INFLATION, LIMIT)
                head = file.peek(4)
                if head.startswith(GZIP):
                    with gzip.GzipFile(fileobj=file) as stream:
                        yield io.BufferedReader(_Inflated(stream, most))
                elif head.startswith(ZSTD):
                    with pa.CompressedInputStream(file, "zstd") as stream:
                        yield io.BufferedReader(_Inflated(stream, most))
                else:
                    yield file
            return
        with zipfile.ZipFile(self.path) as archive:
            size = archive.getinfo(self.member).compress_size
            with archive.open(self.member) as stream:
                yield io.BufferedReader(_Inflated(stream, max(size * INFLATION, LIMIT)))


class _Inflated(io.RawIOBase):
    """A packed file, or a zip's member, that refuses to unpack to more than `most` bytes."""

    def __init__(self, stream: Any, most: int) -> None:
        self._stream, self._most, self._left = stream, most, most

    def readable(self) -> bool:
        """Always, as `io.RawIOBase` asks."""
        return True

    def readinto(self, into: Any) -> int:
        """Fill `into` as far as one small read goes; returns the bytes read. OSError above `most` bytes."""
        # Little at a time: what comes before a fault is handed on before the fault is met.
        data = self._stream.read1(min(len(into), PIECE))
        self._left -= len(data)
        if self._left < 0:
            raise OSError(f"unpacks to more than {self._most} bytes, which no conversation does")
        into[: len(data)] = data
        return len(data)


@dataclass(frozen=True, slots=True)
class Record:
    """The bytes of one JSON value and where it stood; `fault` says why it is not whole."""

    place: str
    raw: bytes
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class Value:
    """A parsed record. `number` counts from 1 inside its part."""

    part: Stream
    place: str
    number: int
    data: Any
    raw: bytes
    whose: Whose

    def letter(
        self, place: str, reason: str, about: object = None, conversation_id: object = None
    ) -> DeadLetter:
        """A dead letter for `about`, a piece of this record, or for all of it."""
        raw = self.raw if about is None else encode(about)
        return letter(
            self.part, place, reason, raw, self.named() if conversation_id is None else conversation_id
        )

    def refused(self, reason: str, place: str = "", conversation_id: object = None) -> DeadLetter:
        """A dead letter for a whole conversation or session. It holds no bytes: an id that a reader makes up for it may
        never be stored, so that no erasure would find them."""
        named = self.named() if conversation_id is None else conversation_id
        return letter(self.part, place or self.place, reason, b"", named)

    def named(self) -> object:
        """The conversation that the record's own fields name."""
        return self.whose(self.data if isinstance(self.data, dict) else {}, self.number)


def letter(part: Stream, place: str, reason: str, raw: bytes, conversation_id: object = None) -> DeadLetter:
    """A dead letter that can be stored: bounded, and without lone surrogates in its words.

    It holds no words if nobody knows its conversation, if an id cannot be stored, or if `raw` names another
    conversation: no erasure would find them. `raw` is of what was parsed: bytes that cannot be parsed may be of any
    conversation, whatever ids stand in them.
    """
    named = id_of(conversation_id)
    if named is not None and not storable(named):
        named = None
    if named is None or _names_another(raw, named):
        raw, reason = b"", _QUOTED.sub('"…"', reason)
    file, place, reason = (
        text.encode("utf-8", "backslashreplace").decode() for text in (part.name, place, reason)
    )
    return DeadLetter(file, place, reason, raw[:RAW], named)


def _names_another(raw: bytes, named: str) -> bool:
    """Whether some JSON holds the id of another conversation."""
    for id_ in _NAMED.finditer(raw):
        found: dict[str, Any] = {}
        _put(found, *id_.groups())
        if given(found, *found) != named:
            return True
    return False


def kind_of(reason: str) -> str:
    """A dead letter's reason without what differs from one letter to the next: the part up to the first colon."""
    return shorten(reason.partition(":")[0], REASON, placeholder=" …")


def unquoting(reason: str) -> str:
    """A dead letter's reason without what it quotes, where messages of its conversation were erased."""
    return f"{kind_of(reason.removesuffix(f'; {_NOT_KEPT}'))}; {_NOT_KEPT}"


def id_of(data: object) -> str | None:
    """What may be an id, as text: text that is not empty, or an integer. None for all else."""
    if isinstance(data, str):
        return data or None
    return str(data) if isinstance(data, int) and not isinstance(data, bool) else None


def given(fields: dict[str, Any], *keys: str) -> str | None:
    """The id under the first of `keys` that holds one."""
    return next((found for key in keys if (found := id_of(fields.get(key))) is not None), None)


def unpacked(name: str) -> str:
    """The name of what is in a packed file: `m.jsonl` of `m.jsonl.gz`."""
    return next((name[: -len(suffix)] for suffix in PACKED if name.lower().endswith(suffix)), name)


def by_line(name: str) -> bool:
    """Whether a file's name says that it holds a value a line."""
    return unpacked(name).lower().endswith((".jsonl", ".ndjson"))


def why(error: BaseException) -> str:
    """What an error says, in one line, without the path that stands beside it."""
    said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return " ".join(said.split())[:300] or type(error).__name__


def head_of(part: Stream, size: int) -> tuple[bytes, str | None]:
    """The first bytes of a part, as many as can be read, and why there are no more if that is a fault."""
    head = b""
    try:
        with part.open() as stream:
            while len(head) < size and (more := stream.read1(size - len(head))):
                head += more
    except UNREADABLE as error:
        return head, f"{UNREAD}: {why(error)}"
    return head, None


def encode(data: object) -> bytes:
    """A piece of a record as JSON; empty where it is nested too deep."""
    try:
        return json.dumps(data, default=str).encode()
    except (RecursionError, ValueError):
        return b""


def values(part: Stream, containers: re.Pattern[bytes], whose: Whose) -> Iterator[Value | DeadLetter]:
    """The records of a part, parsed.

    `containers` matches the keys whose elements are messages (or groups of them): a broken record is closed
    after the last whole element of the innermost such container. `whose` says which conversation a dead letter
    belongs to.
    """
    number = 0
    try:
        with part.open() as stream:
            if stream.peek(4).startswith(ZIP):
                reason = "a zip that is cut short (fetch it again) or holds no conversations.json"
                yield letter(part, FILE, reason, b"", whose({}, 0))
                return
            for number, record in enumerate(records(stream, by_line(part.name)), 1):
                yield from _parsed(part, number, record, containers, whose)
    except UNREADABLE as error:
        place = f"after record {number}"
        yield letter(part, place, f"{UNREAD}: {why(error)}", b"", whose({}, 0))


def _parsed(
    part: Stream, number: int, record: Record, containers: re.Pattern[bytes], whose: Whose
) -> Iterator[Value | DeadLetter]:
    raw, reason, at = record.raw, record.fault, len(record.raw)
    found: tuple[bytes, Any, bool] | None = None
    fields = None
    if reason is None:
        try:
            yield Value(part, record.place, number, loads(raw), raw, whose)
            return
        except json.JSONDecodeError as error:
            reason = f"not JSON: {error.msg.removesuffix(' at')} at character {error.pos}"
            at = _reached(error)
            if error.msg == "Extra data" and raw.startswith(b"{"):  # two lines that became one
                fields = loads(raw[:at])
                found = raw[:at], fields, True
        except RecursionError:
            reason = "nested too deep"
        except ValueError as error:
            reason = f"not JSON: {error}"
    named = fields_of(raw)
    if found := found or _mended(raw[:at], containers):
        mended, data, beside = found
        value = Value(part, record.place, number, data, mended, whose)
        if _readable(value, fields or named, beside):
            yield value
    yield letter(part, record.place, reason, b"", whose(named, number))


def _readable(value: Value, fields: dict[str, Any], beside: bool) -> bool:
    """Whether the undamaged part of a broken record can be read. It needs an id, which may stand behind the damage. If
    its messages are whole `beside` the damage, the id must be that of the record's `fields`. It must not be one that a
    reader makes up: such an id changes with the record's number."""
    named = value.named()
    if not beside:
        return named is not None
    told, other = (value.whose(fields, number) for number in (value.number, value.number + 1))
    return named is not None and named == told == other


def _mended(raw: bytes, containers: re.Pattern[bytes]) -> tuple[bytes, Any, bool] | None:
    """Broken JSON as `mend` closes it, parsed, and whether the damage stands beside a container; None if it is still
    broken."""
    # If a record ends too early, nobody knows where its damage is. The first try may close the record behind the
    # damage, and the error then shows the place.
    for _ in range(2):
        mended, beside = mend(raw, containers)
        try:
            return (mended, loads(mended), beside) if mended else None
        except json.JSONDecodeError as error:
            raw = mended[: _reached(error)]
        except (ValueError, RecursionError):
            break
    return None


def _reached(error: json.JSONDecodeError) -> int:
    """How many bytes stand before an error."""
    return len(error.doc[: error.pos].encode("utf-8", "surrogateescape"))


def loads(raw: bytes) -> Any:
    """JSON, where an invalid byte becomes a lone surrogate in the one string it stands in.

    Raises ValueError or RecursionError.
    """
    return json.loads(raw.decode("utf-8", "surrogateescape"))


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


def records(stream: io.BufferedReader, lines: bool = False) -> Iterator[Record]:
    """The JSON values of a stream: the elements where it is one array, else one a line, else each value.

    `lines` says that it is lines, else the first line says it.
    """
    head = stream.peek(RAW)[:RAW]
    if head.startswith(BOM):
        stream.read(len(BOM))
        head = head[len(BOM) :]
    array = head.lstrip().startswith(b"[")
    return _lines(stream) if not array and (lines or _is_lines(head)) else _elements(stream)


def _is_lines(head: bytes) -> bool:
    """Whether the first line is a value, or a broken one: not the mere beginning of an indented document."""
    line, newline, _ = head.lstrip().partition(b"\n")
    try:
        loads(line.rstrip())
    except json.JSONDecodeError as error:
        return not newline or error.pos < len(error.doc)
    except (ValueError, RecursionError):
        pass
    return True


def _lines(stream: io.BufferedReader) -> Iterator[Record]:
    number = 0
    while line := stream.readline(LIMIT + 1):
        number += 1
        if len(line) > LIMIT and not line.endswith(b"\n"):
            head = line[:RAW]
            del line
            while (rest := stream.readline(CHUNK)) and not rest.endswith(b"\n"):
                pass
            yield Record(f"line {number}", head, f"longer than {LIMIT} bytes")
        elif said := line.strip():
            cut = not line.endswith(b"\n") and _is_cut(said)
            yield Record(f"line {number}", said, IN_THE_MIDDLE if cut else None)


# The beginning of what is neither a string nor brackets, or nothing; and of an escape that ends a string too early.
_BEGUN = re.compile(r"-?|tru?|t|fals?|fa?|nul?|n")
_ESCAPE = re.compile(r"\\u[0-9a-fA-F]{0,3}\Z")


def _is_cut(raw: bytes) -> bool:
    """Whether JSON ends before it is whole."""
    try:
        loads(raw)
    except json.JSONDecodeError as error:
        begun = _BEGUN.fullmatch(error.doc[error.pos :]) or _ESCAPE.search(error.doc)
        return begun is not None or error.msg.startswith("Unterminated string")
    except (ValueError, RecursionError):
        pass
    return False


def _elements(stream: io.BufferedReader) -> Iterator[Record]:
    """Cut by brackets. `depth` counts open ones, `base` is 1 inside a top-level array and 0 outside one."""
    window = _Window(stream)
    depth = base = 0
    comma = False
    fault: str | None = None
    try:
        for mark, begin, end in window.marks():
            if mark in b"[{":
                if depth == 0:
                    yield from window.cut(begin, begin)
                    if mark == b"[" and window.number == 0:
                        base, window.start = 1, end
                depth += 1
            elif mark in b"]}":
                depth -= 1
                if depth < base:
                    yield from window.cut(begin if base else end, end, even_empty=comma)
                    depth, base, comma = 0, 0, False
            elif depth == base == 1:
                comma = True
                yield from window.cut(begin, end, even_empty=True)
            window.inside = depth > base
    except UNREADABLE as error:
        fault = f"{UNREAD}: {why(error)}"
    end = len(window.buffer)
    if depth > base or window.quoted:
        yield from window.cut(end, end, fault=fault or IN_THE_MIDDLE)
        return
    yield from window.cut(end, end)
    if fault or depth:
        yield Record("end of file", b"", fault or TOO_EARLY)


class _Window:
    """A stream's bytes, from the start of the record being read to as far as has been read."""

    def __init__(self, stream: io.BufferedReader) -> None:
        self.buffer = bytearray()
        self.start = self.number = 0
        self.quoted = False
        # Inside a record commas separate nothing, so only brackets are looked for: 33 MB of messages take 0.38 s
        # instead of 0.49.
        self.inside = False
        self._stream = stream
        self._head = b""  # of a record over the limit, whose bytes are dropped as they come

    def marks(self) -> Iterator[tuple[bytes, int, int]]:
        """Brackets and commas outside strings, with where they stand in `buffer`."""
        position = 0
        while chunk := self._stream.read1(CHUNK):
            position -= self._drop(position)
            self.buffer += chunk
            brackets = True
            while position < len(self.buffer):
                if self.quoted:
                    inside = _STRING.match(self.buffer, position)
                    position = inside.end() if inside else position
                    if position == len(self.buffer) or self.buffer[position] == _BACKSLASH:
                        break
                    position, self.quoted = position + 1, False
                if self.inside and brackets:
                    if token := _BRACKET.match(self.buffer, position):
                        position = token.end()
                        yield bytes(self.buffer[position - 1 : position]), position - 1, position
                        continue
                    # This chunk has no other bracket, or ends in a string: look at each token instead.
                    brackets = False
                token = _STRUCTURE.search(self.buffer, position)
                if token is None:
                    position = len(self.buffer)
                    break
                position, mark = token.end(), token.group()
                if mark == b'"':
                    self.quoted = True
                elif len(mark) == 1:
                    yield mark, token.start(), position

    def _drop(self, position: int) -> int:
        """Lets go of what is done with; how many bytes that was."""
        if not self._head and len(self.buffer) - self.start > LIMIT:
            self._head = bytes(self.buffer[self.start : self.start + 2 * RAW])
        done = position if self._head else self.start
        del self.buffer[:done]
        self.start = 0
        return done

    def cut(
        self, end: int, following: int, *, even_empty: bool = False, fault: str | None = None
    ) -> list[Record]:
        """The record up to `end`, if there is one; the next starts at `following`."""
        raw = (self._head or bytes(self.buffer[self.start : end])).strip()
        if self._head:
            fault = f"longer than {LIMIT} bytes"
        self._head, self.start = b"", following
        if not raw and not even_empty:
            return []
        self.number += 1
        return [Record(f"record {self.number}", raw, fault)]


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
