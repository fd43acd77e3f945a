"""Messages grouped by conversation, in bounded memory, however the source mixes them.

Messages wait in memory until together they reach `limit` bytes and then go to one temporary file, which the operating
system removes with the process, however that ends.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import fields
from datetime import datetime
from typing import IO

import orjson

from memfold.digest import BYTES
from memfold.errors import aside
from memfold.schema import Message

_FIELDS = [field.name for field in fields(Message) if field.name != "conversation_id"]


class Spool:
    """Add messages in any order; then read each conversation's in the order they were added. `titles` are those of
    conversations that have one."""

    def __init__(self, limit: int = 32 << 20) -> None:
        self.titles: dict[str, str] = {}
        self._limit = limit
        self._waiting: dict[str, list[bytes]] = {}
        self._weight = 0
        self._runs: dict[str, list[tuple[int, int]]] = {}
        self._sizes: dict[str, tuple[int, int]] = {}
        self._branching: set[str] = set()
        with aside():
            self._file: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the spool

    def add(self, message: Message) -> None:
        """Add a message."""
        line = orjson.dumps([getattr(message, name) for name in _FIELDS])
        count, size = self._sizes.get(message.conversation_id, (0, 0))
        self._sizes[message.conversation_id] = count + 1, size + len(line)
        self._waiting.setdefault(message.conversation_id, []).append(line)
        if not message.current:
            self._branching.add(message.conversation_id)
        self._weight += len(line)
        if self._weight > self._limit:
            self._flush()

    def drop(self, conversation_id: str) -> None:
        """Take a conversation's messages out. What lies in the file stays there, unread."""
        for kept in (self._waiting, self._runs, self._sizes):
            kept.pop(conversation_id, None)
        self._branching.discard(conversation_id)

    def conversations(self) -> list[str]:
        """The ids of all conversations, sorted."""
        return sorted(self._sizes)

    def count(self, conversation_id: str) -> int:
        """How many messages of the conversation were added."""
        return self._sizes[conversation_id][0]

    def branches(self, conversation_id: str) -> bool:
        """Whether a message of the conversation is of a branch that was given up."""
        return conversation_id in self._branching

    def size(self, conversation_id: str) -> int:
        """Roughly how many bytes the conversation's messages are."""
        return self._sizes[conversation_id][1]

    def digest(self, conversation_id: str) -> str:
        """The hash of the conversation's messages, as they were added and in that order."""
        found = hashlib.blake2b(digest_size=BYTES)
        for line in self._lines(conversation_id):
            found.update(line)
            found.update(b"\n")
        return found.hexdigest()

    def read(self, conversation_id: str) -> Iterator[Message]:
        """The conversation's messages, in the order they were added."""
        for line in self._lines(conversation_id):
            yield _message(conversation_id, line)

    def _lines(self, conversation_id: str) -> Iterator[bytes]:
        for start, length in self._runs.get(conversation_id, []):
            self._file.seek(start)
            yield from self._file.read(length).splitlines()
        yield from self._waiting.get(conversation_id, [])

    def close(self) -> None:
        """Close the temporary file."""
        with suppress(OSError):  # what could not be written when it was added cannot be now
            self._file.close()

    def _flush(self) -> None:
        with aside():
            place = self._file.seek(0, 2)
            for conversation_id, lines in self._waiting.items():
                run = b"\n".join(lines) + b"\n"
                self._file.write(run)
                self._runs.setdefault(conversation_id, []).append((place, len(run)))
                place += len(run)
            self._file.flush()
        self._waiting.clear()
        self._weight = 0


def _message(conversation_id: str, line: bytes) -> Message:
    values = dict(zip(_FIELDS, orjson.loads(line), strict=True))
    values["attachments"] = tuple(values["attachments"])
    if values["time"] is not None:
        values["time"] = datetime.fromisoformat(values["time"])
    return Message(conversation_id=conversation_id, **values)
