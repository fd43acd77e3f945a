"""Memories: single facts that a program files into a conversation, and what is written down about them.

A memory is a message of its own role, and an exchange by itself (`memfold.extract.windows`). What it says is its
content, verbatim; what kind it is, what it is about and which program filed it stand in its one attachment, as JSON. So
it is stored, indexed, cut, seen as of a moment and erased as every message is. No engine is asked about it: its
extraction is what was filed, read from the message, so it is the same whoever makes it and whenever.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby
from typing import Any

from memfold.digest import digest
from memfold.errors import UserError
from memfold.extract.contract import MAX_ABOUT, MAX_ASPECT, MAX_REASON, MAX_TEXT, bounded
from memfold.given import composed, storable
from memfold.moment import time_of
from memfold.schema import JUDGING, MEMORY, NOTE_KINDS, Extraction, Message, Note, StoredMessage

# Who wrote the extraction of a memory. To be raised when the same memory gives other notes.
MADE_BY = "filed-1"
# What a memory's id begins with: no id that a source gave is one by chance.
ID = "memory:"
# Of the program that files and of the person it is filed for.
MAX_NAME = 80
# What a memory may have besides its text.
FIELDS = ("kind", "about", "reason", "date", "polarity", "aspect", "who", "time", "memory_id")
# A day as it may be given; a memory's own `date` is text.
Day = str | date
Moment = datetime | date | str


@dataclass(frozen=True, slots=True)
class Memory:
    """One fact to be filed: `text` says it, `by` names the program (or person) that files it.

    `kind` is a note's; `about`, `reason`, `date` (when it happens), `polarity` and `aspect` are as in a note
    (`memfold.schema.Note`). `who` is whose it is, one of several users of the conversation. `time` is when it is filed
    (None: now, by whoever files it). `memory_id` is the program's own name for it: filed again under that name it
    changes nothing.

    `attribute` and `value` put right what the profile says ("home", "Paris"; no value takes it back), of the thing
    `key` names; `instead_of` is what is put right, where that is one of several things or an entry of the state.

    UserError says which is wrong.
    """

    text: str
    kind: str = "fact"
    by: str = ""
    about: str | None = None
    reason: str | None = None
    date: Day | None = None
    polarity: float | None = None
    aspect: str | None = None
    who: str | None = None
    time: Moment | None = None
    memory_id: str | None = None
    attribute: str | None = None
    key: str | None = None
    value: str | None = None
    instead_of: str | None = None

    def __post_init__(self) -> None:
        _text("text", self.text, MAX_TEXT, needed=True)
        _text("by", self.by, MAX_NAME, needed=True)
        for name, most in (
            ("about", MAX_ABOUT),
            ("reason", MAX_REASON),
            ("aspect", MAX_ASPECT),
            ("who", MAX_NAME),
            ("memory_id", MAX_NAME * 2),
            ("value", MAX_TEXT),
            ("instead_of", MAX_TEXT),
        ):
            _text(name, getattr(self, name), most)
        for name in ("who", "memory_id"):
            if value := getattr(self, name):
                object.__setattr__(self, name, composed(value))
        if self.kind not in NOTE_KINDS:
            raise UserError(f"kind={self.kind!r} is no kind of memory: give one of {', '.join(NOTE_KINDS)}")
        object.__setattr__(self, "date", _day(self.date))
        if self.time is not None:
            object.__setattr__(self, "time", time_of(self.time, "time"))
        self._check_polarity()

    def _check_polarity(self) -> None:
        polarity = self.polarity
        if polarity is None:
            if self.kind == "sentiment":
                raise UserError(
                    "a sentiment needs polarity=… from -1 (bad) to 1 (good), and about=… for what it judges"
                )
            return
        number = isinstance(polarity, int | float) and not isinstance(polarity, bool)
        if not number or not -1 <= polarity <= 1:
            raise UserError(f"polarity is {polarity!r}: give a number from -1 (bad) to 1 (good)")
        if self.kind not in JUDGING or not self.about:
            raise UserError(
                f"polarity is for kind={' or '.join(JUDGING)} with about=…: leave it out of a {self.kind}"
            )

    @property
    def body(self) -> tuple[object, ...]:
        """What makes it another memory: all it says, and who files it."""
        return self.text, self.who, _filed(self)

    def message(
        self, conversation_id: str, message_id: str, time: datetime | None, session: str | None
    ) -> Message:
        """The message it is filed as."""
        return Message(
            conversation_id, MEMORY, self.text, message_id, time, session, self.who, (_filed(self),)
        )


# What stands in a memory's attachment; what is None or empty is left out.
_FILED = (
    "kind", "by", "about", "reason", "date", "polarity", "aspect", "attribute", "key", "value", "instead_of",
)  # fmt: skip


def _filed(memory: Memory) -> str:
    said = {name: value for name in _FILED if (value := getattr(memory, name)) not in (None, "")}
    return json.dumps(said, ensure_ascii=False, sort_keys=True)


def filed(attachments: Sequence[str]) -> Mapping[str, Any]:
    """What a memory's attachment says of it; empty where there is none, as of an erased one."""
    try:
        said = json.loads(attachments[0]) if len(attachments) == 1 else {}
    except ValueError:
        said = {}
    sound = isinstance(said, dict) and all(
        isinstance(value, int | float if name == "polarity" else str) and name in _FILED
        for name, value in said.items()
    )
    return said if sound else {}


def extractions(messages: Iterable[StoredMessage]) -> dict[int, Extraction]:
    """What is written down about the memories among some messages, by their exchanges."""
    found = {}
    for exchange, those in groupby(messages, key=lambda message: message.exchange_id):
        memory = next((each for each in those if each.role == MEMORY and each.current), None)
        if memory is not None:
            found[exchange] = _extraction(memory)
    return found


def _extraction(memory: StoredMessage) -> Extraction:
    said = filed(memory.attachments)
    polarity = said.get("polarity")
    note = Note(
        kind=said.get("kind", "fact"),
        text=memory.content,
        about=said.get("about"),
        reason=said.get("reason"),
        date=said.get("date"),
        polarity=None if polarity is None else float(polarity),
        aspect=said.get("aspect"),
        strength=None if polarity is None else 1.0,
    )
    # Nobody said it: whose words it was taken from stays open, and it counts as the user's (`memfold.schema.USERS`).
    return bounded(Extraction("", (), (note,), made_by=MADE_BY), ())


def named(memory: Memory, before: str) -> str:
    """The id that a memory is filed under: the one it brings, or, without one, of what it says and what was said
    `before` it (a message's id, or where it stands in a file)."""
    if memory.memory_id is not None:
        return ID + memory.memory_id.removeprefix(ID)
    return f"{ID}{digest('memory-1', *memory.body, memory.time, before)[:16]}"


def given(fields: Mapping[str, Any], place: str) -> Memory:
    """A memory from a mapping of its fields; UserError with the `place` says what is wrong."""
    known = [name for name in Memory.__slots__ if name not in ("attribute", "key", "value")]
    for name in fields:
        if name not in known:
            raise UserError(f"{place}: {name} is unknown; a memory has {', '.join(known)}")
    if "text" not in fields:
        raise UserError(f"{place}: text is missing: give what is to be remembered")
    try:
        return Memory(**fields)
    except UserError as error:
        raise UserError(f"{place}: {error}") from None


def conversation(name: Any) -> str:
    """The name of a conversation that memories are filed into; UserError where it can be none."""
    _text("conversation_id", name, sys.maxsize, needed=True)
    return composed(str(name))


def _text(name: str, value: Any, most: int, *, needed: bool = False) -> None:
    if value is None and not needed:
        return
    if not isinstance(value, str):
        raise UserError(f"{name} is {value!r}: give text")
    if not value.strip():
        raise UserError(f"{name} is empty: {_CURE.get(name, f'leave {name} out, or say something')}")
    if len(value) > most:
        cure = (
            "a memory is one fact: file several, or index longer texts as messages"
            if name == "text"
            else "shorten it"
        )
        raise UserError(f"{name} has {len(value):,} characters, and may have {most}: {cure}")
    if name in ("by", "who", "memory_id", "value") and value.splitlines() != [value]:
        raise UserError(f"{name} has a line end in it: give it in one line")
    if not storable(value):
        raise UserError(f"{name} is no Unicode text: it holds an invalid byte or half a character")


_CURE = {
    "text": "say what is to be remembered",
    "conversation_id": "name the conversation",
    "by": "name the program that files the memory, by=…",
}


def _day(value: Any) -> str | None:
    if value is None or (isinstance(value, str) and not value):
        return None
    try:
        if isinstance(value, datetime):
            return value.date().isoformat()
        return (value if isinstance(value, date) else date.fromisoformat(value)).isoformat()
    except (TypeError, ValueError):
        raise UserError(f"date={value!r} is no day: give when it happens as 2026-01-31") from None
