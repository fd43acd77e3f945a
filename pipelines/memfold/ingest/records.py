"""Bytes to JSON records, in bounded memory: the elements of one big array, the values of a stream, or lines.

Knows JSON's brackets, strings and lines, and nothing of conversations. A record keeps its own bytes, so what
is rejected later can be shown as it was. A record longer than `LIMIT` is passed over with its first bytes
kept; one that is cut off or broken inside is closed after its last whole element (`mend`), so that the good
part is not lost.

Why not an event parser: ijson on yajl reads 32 MB in 0.11 s where this takes 0.33 s, but it turns a lone
surrogate into "?" without a word, and one invalid byte ends its document.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memfold.schema import DeadLetter

ZIP = b"PK\x03\x04"
LIMIT = 64 << 20
RAW = 4096
CHUNK = 1 << 20
# Deflate reaches 1032:1 on zeros; conversations stay below 20:1.
INFLATION = 200

UNREADABLE = (OSError, EOFError, zlib.error, zipfile.BadZipFile, NotImplementedError, RuntimeError)

_STRUCTURE = re.compile(rb'"(?:[^"\\]++|\\.)*+"|["\[\]{},]', re.DOTALL)
_STRING = re.compile(rb'(?:[^"\\]++|\\.)*+', re.DOTALL)
_TOKEN = re.compile(rb'"(?:[^"\\]++|\\.)*+"(\s*:)?|["\[\]{},]', re.DOTALL)
_BOM = b"\xef\xbb\xbf"
_BACKSLASH = ord("\\")


@dataclass(frozen=True, slots=True)
class Part:
    """One stream of a source: a file, or a member of a zip. `name` is how dead letters call it."""

    path: Path
    name: str
    member: str | None = None

    @contextmanager
    def open(self) -> Iterator[io.BufferedReader]:
        """The bytes, from the start. Raises one of `UNREADABLE`, here or while reading."""
        if self.member is None:
            with self.path.open("rb") as stream:
                yield stream
            return
        with zipfile.ZipFile(self.path) as archive:
            size = archive.getinfo(self.member).compress_size
            with archive.open(self.member) as stream:
                yield io.BufferedReader(_Inflated(stream, max(size * INFLATION, LIMIT)))


class _Inflated(io.RawIOBase):
    """A zip member that refuses to unpack to more than `most` bytes."""

    def __init__(self, stream: Any, most: int) -> None:
        self._stream, self._most, self._left = stream, most, most

    def readable(self) -> bool:
        return True

    def readinto(self, into: Any) -> int:
        data = self._stream.read(len(into))
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

    part: Part
    place: str
    number: int
    data: Any
    raw: bytes

    def letter(
        self, place: str, reason: str, about: object = None, conversation_id: object = None
    ) -> DeadLetter:
        """A dead letter for `about`, a piece of this record, or for all of it."""
        raw = self.raw if about is None else encode(about)
        return letter(self.part, place, reason, raw, conversation_id)


def letter(part: Part, place: str, reason: str, raw: bytes, conversation_id: object = None) -> DeadLetter:
    """A dead letter that can be stored: bounded, and without lone surrogates in its words."""
    named = conversation_id if isinstance(conversation_id, str) and storable(conversation_id) else None
    file, place, reason = (
        text.encode("utf-8", "backslashreplace").decode() for text in (part.name, place, reason)
    )
    return DeadLetter(file, place, reason, raw[:RAW], named or None)


def storable(text: str) -> bool:
    """Whether the text is Unicode: a lone surrogate is not."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def encode(data: object) -> bytes:
    """A piece of a record as the first bytes of its JSON."""
    try:
        return json.dumps(data, default=str)[:RAW].encode()
    except (RecursionError, ValueError):
        return b""


def values(part: Part, containers: re.Pattern[bytes]) -> Iterator[Value | DeadLetter]:
    """The records of a part, parsed.

    `containers` matches the keys whose elements are messages (or groups of them): a broken record is closed
    after the last whole element of the innermost such container.
    """
    number = 0
    try:
        with part.open() as stream:
            if stream.peek(4).startswith(ZIP):
                reason = "a zip that is cut short (fetch it again) or holds no conversations.json"
                yield letter(part, "file", reason, stream.read(RAW))
                return
            for number, record in enumerate(records(stream, part.name.endswith((".jsonl", ".ndjson"))), 1):
                yield from _parsed(part, number, record, containers)
    except UNREADABLE as error:
        yield letter(part, f"after record {number}", f"cannot be read: {error}", b"")


def _parsed(
    part: Part, number: int, record: Record, containers: re.Pattern[bytes]
) -> Iterator[Value | DeadLetter]:
    raw, reason, at = record.raw, record.fault, len(record.raw)
    if reason is None:
        try:
            yield Value(part, record.place, number, loads(raw), raw)
            return
        except json.JSONDecodeError as error:
            reason = f"not JSON: {error.msg} at character {error.pos}"
            at = len(error.doc[: error.pos].encode("utf-8", "surrogateescape"))
        except RecursionError:
            reason = "nested too deep"
        except ValueError as error:
            reason = f"not JSON: {error}"
    mended, end = mend(raw[:at], containers)
    if mended:
        try:
            yield Value(part, record.place, number, loads(mended), mended)
        except (ValueError, RecursionError):
            end = 0
    yield letter(part, record.place, reason, raw[end:])


def loads(raw: bytes) -> Any:
    """JSON, where an invalid byte becomes a lone surrogate in the one string it stands in.

    Raises ValueError or RecursionError.
    """
    return json.loads(raw.decode("utf-8", "surrogateescape"))


def records(stream: io.BufferedReader, by_line: bool = False) -> Iterator[Record]:
    """The JSON values of a stream: the elements where it is one array, else one a line, else each value.

    `by_line` says that it is lines, else the first line says it.
    """
    head = stream.peek(RAW)[:RAW]
    if head.startswith(_BOM):
        stream.read(len(_BOM))
        head = head[len(_BOM) :]
    array = head.lstrip().startswith(b"[")
    return _lines(stream) if not array and (by_line or _is_lines(head)) else _elements(stream)


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
        elif line := line.strip():
            yield Record(f"line {number}", line)


def _elements(stream: io.BufferedReader) -> Iterator[Record]:
    """Cut by brackets. `depth` counts open ones, `base` is 1 inside a top-level array and 0 outside one."""
    window = _Window(stream)
    depth = base = 0
    comma = False
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
    end = len(window.buffer)
    if depth > base or window.quoted:
        yield from window.cut(end, end, fault="the file ends in the middle of it")
        return
    yield from window.cut(end, end)
    if depth:
        yield Record("end of file", b"", "the file ends before its JSON does")


class _Window:
    """A stream's bytes, from the start of the record being read to as far as has been read."""

    def __init__(self, stream: io.BufferedReader) -> None:
        self.buffer = bytearray()
        self.start = self.number = 0
        self.quoted = False
        self._stream = stream
        self._head = b""  # of a record over the limit, whose bytes are dropped as they come

    def marks(self) -> Iterator[tuple[bytes, int, int]]:
        """Brackets and commas outside strings, with where they stand in `buffer`."""
        position = 0
        while chunk := self._stream.read(CHUNK):
            position -= self._drop(position)
            self.buffer += chunk
            while position < len(self.buffer):
                if self.quoted:
                    inside = _STRING.match(self.buffer, position)
                    position = inside.end() if inside else position
                    if position == len(self.buffer) or self.buffer[position] == _BACKSLASH:
                        break
                    position, self.quoted = position + 1, False
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


def mend(raw: bytes, containers: re.Pattern[bytes]) -> tuple[bytes, int]:
    """Broken JSON closed after the last whole element of its innermost open container, and where that was.

    `containers` matches a container's key; "$" is the outermost value. (b"", 0) where no container is open or
    nothing in it is whole.
    """
    stack: list[tuple[bytes, bytes, int]] = []  # closing bracket, key, end of the last whole element
    key = b""
    for token in _TOKEN.finditer(raw):
        mark = token.group()
        if mark == b'"':
            break
        if mark in (b"[", b"{"):
            stack.append((b"]" if mark == b"[" else b"}", key if stack else b"$", 0))
            key = b""
        elif mark in (b"]", b"}"):
            if not stack or stack.pop()[0] != mark:
                break
            if stack:
                stack[-1] = (*stack[-1][:2], token.end())
        elif token.group(1):
            key = mark[1 : mark.index(b'"', 1)]
        elif mark == b",":
            key = b""
    while stack:
        _, name, end = stack[-1]
        if end and containers.fullmatch(name):
            return raw[:end] + b"".join(closing for closing, _, _ in reversed(stack)), end
        stack.pop()
    return b"", 0
