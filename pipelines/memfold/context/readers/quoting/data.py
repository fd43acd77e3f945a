"""What a tool gave back, in stretches that may be quoted: lines of logs, tables and settings, records of JSON.

A stretch is short, and as it stands but for white space. What stands away from it and says what it is (the heads of a
table, the keys above it, the first member of the object that it is in) counts among its `about`. Knows no question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from memfold.text.terms import terms

# Characters of a record that stays whole, and of settings that stay together.
RECORD, BLOCK = 240, 160
# Records are looked for in so many brackets.
DEEPEST = 16

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Unit:
    """One stretch. `keys` are the terms of its keys, and its keys with a hyphen as they are; `about` are those
    that stand away from it and say what it is."""

    text: str
    keys: frozenset[str]
    about: frozenset[str] = frozenset()


# The output of one call stands in many contexts.
@lru_cache(maxsize=1024)
def units(text: str, call: str = "") -> tuple[Unit, ...]:
    """The stretches of what a tool gave back to a `call`."""
    found, called = list[Unit](), frozenset(terms(call))
    for part in _parts(text):
        if _OPENS.match(part):
            found += _records(" ".join(part.split()), called)
        elif len(part) > RECORD and "\n" not in part and _CUT.search(part):
            for piece in _unopened(" ".join(part.split())):
                found += _records(piece, called, bare=True)
        elif _MARKUP.match(part):
            found += _packed(" ".join(part.split()), called)
        else:
            found += _lines(part.split("\n"), called)
    return tuple(unit for unit in found if _told(unit.text))


def _parts(text: str) -> Iterator[str]:
    """What stands in brackets over one line or more, and the lines between."""
    rest = list[str]()
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        stop = at + 1
        if _OPENS.match(lines[at]):
            depth = _depth(lines[at])
            while depth > 0 and stop < len(lines):
                depth += _depth(lines[stop])
                stop += 1
        if stop > at + 1 or _OPENS.match(lines[at]) or _MARKUP.match(lines[at]):
            yield from filter(None, ["\n".join(rest)])
            rest.clear()
            yield "\n".join(lines[at:stop])
        else:
            rest.append(lines[at])
        at = stop
    yield from filter(None, ["\n".join(rest)])


def _depth(line: str) -> int:
    """How many more brackets a line opens than it closes."""
    bare = _STRING.sub("", line)
    return sum(bare.count(each) for each in "[{") - sum(bare.count(each) for each in "]}")


# ------------------------------------------------------------------------------------------------------------- records
def _unopened(text: str) -> Iterator[str]:
    """What stands between the brackets of a text that close nothing in it, since it begins within a value."""
    depth, start = 0, 0
    for match in _TOKEN.finditer(text):
        depth += (match[0] in "[{") - (match[0] in "]}")
        if depth < 0:
            yield text[start : match.start()].strip(" ,")
            depth, start = 0, match.end()
    yield text[start:].strip(" ,")


def _records(text: str, about: frozenset[str], *, bare: bool = False, deep: int = 0) -> Iterator[Unit]:
    """A value in brackets; of a long one its records, or runs of its members. `bare` is whether the brackets are cut
    off."""
    members = _members(text, bare)
    if not bare and members and text[members[-1][0]] == ",":  # more values follow: it begins within a list
        yield from _records(text, about, bare=True, deep=deep)
        return
    if len(text) <= RECORD and not (len(members) > 1 and all(text[a] == "{" for a, _ in members)):
        yield _unit(text, about)
        return
    inner = about | (
        _names(text[slice(*members[0])]) if members and text.startswith("{") and not bare else frozenset()
    )
    run: Span | None = None
    for start, stop in members:
        # A long member, or a record of a list, is by itself.
        alone = stop - start > RECORD or text[start] == "{"
        if run and (alone or stop - run[0] > RECORD):
            yield _unit(text[slice(*run)], inner)
            run = None
        if not alone:
            run = (run[0] if run else start, stop)
            continue
        value = _VALUE.match(text, start, stop)
        at = value.end() - 1 if value else start
        if text[at] in "[{" and text[start:stop] != text and deep < DEEPEST:
            yield from _records(text[at:stop], inner | frozenset(terms(text[start:at])), deep=deep + 1)
        else:
            yield _unit(text[start:stop], inner)
    if run:
        yield _unit(text[slice(*run)], inner)


def _names(member: str) -> frozenset[str]:
    """The terms of a member that may say which object it is of: a short one."""
    return frozenset(terms(member)) if len(member) <= BLOCK // 2 else frozenset()


def _members(text: str, bare: bool = False) -> list[Span]:
    """Where the members of a value stand, also of one that is cut off, and what stands behind it."""
    found, (depth, start) = list[Span](), (1, 0) if bare else (0, 1)
    for match in _TOKEN.finditer(text):
        mark = match[0]
        depth += (mark in "[{") - (mark in "]}")
        if (mark == "," and depth == 1) or (mark in "]}" and depth == 0):
            found.append((start, match.start()))
            start = match.end()
        if depth <= 0:
            break
    found.append((start, len(text)))
    trimmed = ((stop - len(text[start:stop].lstrip()), stop) for start, stop in found)
    return [(start, stop) for start, stop in trimmed if start < stop]


def _packed(text: str, about: frozenset[str]) -> Iterator[Unit]:
    """Markup on one line, of a long one runs of its elements."""
    start, last = 0, 0
    for cut in [*(match.start() for match in _ELEMENT.finditer(text)), len(text)]:
        if cut - start > RECORD and last > start:
            yield _unit(text[start:last], about)
            start = last
        last = cut
    yield _unit(text[start:], about)


# --------------------------------------------------------------------------------------------------------------- lines
def _lines(lines: Sequence[str], called: frozenset[str]) -> Iterator[Unit]:
    """Lines, each with what stands above it: the heads of its table, its section, or the keys that it is set in."""
    above: list[tuple[int, frozenset[str]]] = []
    section, heads, columns = frozenset[str](), frozenset[str](), ""
    stop = 0
    for n, line in enumerate(lines):
        if n < stop:
            continue
        bare, indent = line.strip(), len(line) - len(line.lstrip())
        if match := _SECTION.fullmatch(bare) or _FILE.match(bare):
            section, above, heads = frozenset(terms(match[1] or match[2])), [], frozenset()
            continue
        if not bare or bare.startswith("@@"):
            above, heads, columns = [], frozenset(), ""
            continue
        item = _SETTING.match(line)
        if not (item or _told(bare)):
            continue
        between = _column(bare)
        if between and between != columns and _is_head(lines, n, between):
            heads, columns = frozenset(terms(bare)), between
            continue
        if between != columns:
            heads, columns = frozenset(), ""
        while above and above[-1][0] >= indent:
            above.pop()
        over = frozenset[str]().union(section, heads, *(each for _, each in above))
        stop = _block(lines, n) if item else n + 1
        if stop > n + 1:
            yield _unit(" ".join(" ".join(lines[n:stop]).split()), called | over)
            continue
        if item:
            above.append((indent, frozenset(terms(bare))))
            if not item["value"]:
                continue
        yield _unit(bare, called | over, heads)


def _block(lines: Sequence[str], first: int) -> int:
    """Where the settings end that begin at a line, with all below it and beside it, if they are short; else the next
    line."""
    start, stop = lines[first], first + 1
    indent = len(start) - len(start.lstrip(" -"))
    size = len(start)
    while stop < len(lines) and size <= BLOCK and (item := _SETTING.match(lines[stop])):
        line = lines[stop]
        if len(line) - len(line.lstrip()) < indent or (
            item["mark"] and len(line) - len(line.lstrip(" -")) <= indent
        ):
            break
        size += len(line)
        stop += 1
    return stop if size <= BLOCK else first + 1


def _is_head(lines: Sequence[str], n: int, between: str) -> bool:
    """Whether a line heads the columns of the next ones."""
    rows = [line for line in lines[n + 1 : n + 4] if _told(line)]
    return not re.search(r"\d", lines[n]) and bool(rows) and _column(rows[0].strip()) == between


def _column(line: str) -> str:
    """What stands between the columns of a line; empty where it has none."""
    for mark in ("|", "\t", ";", ","):
        if mark in line and not (mark in ",;" and f"{mark} " in line):
            return mark
    return "  " if len(_GAP.findall(line)) > 1 else ""


# --------------------------------------------------------------------------------------------------------------- units
def _unit(text: str, about: frozenset[str], heads: frozenset[str] = frozenset()) -> Unit:
    """A stretch with its keys: those of its values, and the `heads` of its columns."""
    text = text.strip().rstrip(",")
    return Unit(text, heads | keys(text), about)


def keys(text: str) -> frozenset[str]:
    """The terms of what stands before ":" or "=" in a text, of the names of elements, of what these are short for, and
    of what some values are."""
    names = [(match[1] or match[2]).lower() for match in _KEY.finditer(text)]
    names += [_SHORT[part] for name in names for part in re.split(r"[._]", name) if part in _SHORT]
    # "psycopg-pool" is no psycopg.
    found = [term for name in names for term in ([name] if "-" in name else terms(name))]
    kinds = [term for kind, value in _KINDS if value.search(text) for term in terms(kind)]
    return frozenset((*found, *kinds))


def _told(text: str) -> bool:
    return len(_WORD.findall(text)) > 1 and not _RULE.match(text)


_OPENS = re.compile(r"\s*[\[{]\s*(?:[\[{\"'\]}]|-?[\d.]+\s*[,\]]|[^\W\d]\w*\s*:(?!\S)|$)")
_CUT = re.compile(r"[\"']\s*:\s*[\"'\d\[{]|\}\s*,\s*\{")
_MARKUP = re.compile(r"\s*<[\w?!]")
_STRING = re.compile(r"\"(?:[^\"\\]|\\.)*\"|(?<!\w)'(?:[^'\\]|\\.)*'")
_TOKEN = re.compile(rf"{_STRING.pattern}|[\[\]{{}},]")
_VALUE = re.compile(r"(?:\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|[\w.-]+)\s*:\s*[\[{]")
_ELEMENT = re.compile(r"(?<=>)\s*(?=<)")
_SECTION = re.compile(r"\[([^\[\]\d,\"']+)\]|(?:#+|={3,}|-{3,}) ?([^\W\d][^:=|]*?)(?: ?[=-]+)?")
_FILE = re.compile(r"(?:---|\+\+\+) (\S+)|diff --git (\S+)", re.ASCII)
_SETTING = re.compile(r"\s*(?P<mark>- )?[\"']?[\w./-]+[\"']?:(?:\s+(?P<value>[^\s{\[].*))?\s*$")
# "22:31" and "cache miss for gateway:83146" have no key.
_KEY = re.compile(
    r"(?<![\w.:-])([^\W\d][\w.-]*+)(?:[\"']\s*[:=]|\s*=|\s*:(?=\s|[\"'\[{]|$))(?!//)|<(\w+)[^>]*>(?=[^<])"
)
# What people call what programs shorten.
_SHORT = {
    "addr": "address",
    "amt": "amount",
    "arr": "arrival",
    "cmd": "command",
    "cur": "currency",
    "dep": "departure",
    "desc": "description",
    "dest": "destination",
    "env": "environment",
    "err": "error",
    "lang": "language",
    "loc": "location",
    "msg": "message",
    "num": "number",
    "pwd": "password",
    "qty": "quantity",
    "ref": "reference",
    "tel": "telephone phone",
    "temp": "temperature",
    "ver": "version",
}
# What some values are, whatever their key.
_KINDS = (
    ("url link", re.compile(r"https?://")),
    ("mail email address", re.compile(r"(?<![\w.+-])[\w.+-]++@[\w-]+\.\w")),
)
_GAP = re.compile(r"\S\s{2,}(?=\S)")
_WORD = re.compile(r"[^\W_]+")
_RULE = re.compile(r"[=\-_*#+|\s]*$|={5,}|-{5,}|@@")
