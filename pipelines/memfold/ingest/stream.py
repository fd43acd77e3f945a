"""The bytes of a source: a file or a member of a zip, packed or not, and what can stand in the way of them.

Knows nothing of what the bytes say.
"""

from __future__ import annotations

import gzip
import io
import os
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

# How a zip begins: with a member, or if it has none with its end.
ZIP = (b"PK\x03\x04", b"PK\x05\x06")
GZIP = b"\x1f\x8b"
ZSTD = b"\x28\xb5\x2f\xfd"
PACKED = (".gz", ".gzip", ".zst", ".zstd")
BOM = b"\xef\xbb\xbf"
# The longest record that is read, and what any file may unpack to, in bytes.
LIMIT = 64 << 20
# How much of a stream, or of a record over the limit, is looked at to tell what it is.
HEAD = 4096
PIECE = 1 << 14
# Deflate reaches 1032:1 on zeros; conversations stay below 20:1.
INFLATION = 200

UNREADABLE = (OSError, EOFError, zlib.error, zipfile.BadZipFile, NotImplementedError, RuntimeError)
# How a reason begins that says that one of these was met.
UNREAD = "cannot be read"


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


def not_unzipped(part: Stream) -> str:
    """Why nothing is read of a part that begins as a zip does, and what to do."""
    if part.member is not None:
        return "a zip in a zip: unpack it"
    try:
        with zipfile.ZipFile(part.path) as archive:
            names = archive.namelist()
    except UNREADABLE:
        return "a zip that is cut short or damaged: fetch it again"
    if any(name.lower().endswith(".zip") for name in names):
        return "a zip that holds another zip: unpack it"
    return "a zip that holds no conversations.json: unpack it if it holds files of another name"


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
