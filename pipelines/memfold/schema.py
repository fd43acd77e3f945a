"""The words of memfold, as values and as tables.

A value (a frozen dataclass) is what functions pass to each other; a table (an Arrow schema) is what is
stored. This module knows nothing of Lance, files, models or Ray.

Ids: `conversation_id` and `message_id` are strings as the source gave them, in Unicode's form NFC. `seq` and
`exchange_id` are integers counted from 0 inside a conversation and are the only things anything is ever sorted by.
Times carry the zone of the speaker's clock (`memfold.zones`); None if the source gives no time. A table holds the
instant in UTC, and in `utc_offset` how many minutes the clock is ahead of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import Any, Literal, get_args

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from memfold.zones import ahead, minutes

Role = Literal["user", "assistant", "system", "tool", "memory"]
ROLES: tuple[Role, ...] = get_args(Role)
# A fact that a program filed (`memfold.extract.filed`); no source has messages of this role.
MEMORY: Role = "memory"
# Whose words count as the user's own: theirs, and what was filed in their name.
USERS: tuple[Role, ...] = ("user", MEMORY)

NoteKind = Literal[
    "fact",
    "event",
    "preference",
    "instruction",
    "decision",
    "constraint",
    "excluded",
    "question",
    "correction",
    "sentiment",
]
NOTE_KINDS: tuple[NoteKind, ...] = get_args(NoteKind)
# Those that say how good or bad something is.
JUDGING: tuple[NoteKind, ...] = ("sentiment", "preference")

# Consecutive exchanges of a segment (decision 1).
SPAN = 64
# A dead letter shows at most this many bytes of what it stands for, from the first on.
RAW_BYTES = 4096


@dataclass(frozen=True, slots=True)
class Message:
    """One utterance, as a reader of a source hands it on.

    `message_id` is None where the source gives none: a position is then its id.
    `current` is False for a branch of an edited conversation that is no longer shown.
    `attachments` describe what was not said (an image's caption, a file's name, a call, a thought); a memory's one says
    what kind it is.
    """

    conversation_id: str
    role: Role
    content: str
    message_id: str | None = None
    time: datetime | None = None
    session: str | None = None
    speaker: str | None = None
    attachments: tuple[str, ...] = ()
    current: bool = True

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Message:
        """The message that a row of a table holds, under the names of its fields."""
        values = {name: row[name] for name in _OF_MESSAGE}
        return cls(**values | {"time": said_at(row), "attachments": tuple(values["attachments"])})


_OF_MESSAGE = tuple(field.name for field in fields(Message))
# What an erased message holds instead: its place, its id and its role stay, so that nothing after it is renumbered.
BLANK: Mapping[str, Any] = {"content": "", "speaker": None, "attachments": ()}


def blank(message: Message) -> Message:
    """What is left of an erased message."""
    return replace(message, **BLANK)


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """Something that was read and rejected. `raw` holds its first bytes, `place` says where it stood."""

    file: str
    place: str
    reason: str
    raw: bytes
    conversation_id: str | None = None


@dataclass(frozen=True, slots=True)
class Title:
    """What the source calls a conversation. It comes once, before the conversation's first message."""

    conversation_id: str
    text: str


@dataclass(frozen=True, slots=True)
class Notice:
    """One line that the user should be told of a source, though nothing in it was rejected."""

    text: str


# What a source is read as.
Item = Message | DeadLetter | Title | Notice


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """A message with its place in the conversation, as the store holds it."""

    conversation_id: str
    seq: int
    message_id: str
    exchange_id: int
    role: Role
    content: str
    time: datetime | None
    session: str | None
    speaker: str | None
    attachments: tuple[str, ...]
    current: bool
    language: str
    tokens: int

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> StoredMessage:
        """The message that a row of `MESSAGES` holds."""
        values = {name: row[name] for name in MESSAGES.names if name not in ("segment", UTC_OFFSET.name)}
        return cls(**values | {"time": said_at(row), "attachments": tuple(values["attachments"])})

    @property
    def utc_offset(self) -> int | None:
        """How many minutes the speaker's clock is ahead of UTC; None without a time."""
        return None if self.time is None else minutes(self.time)

    @property
    def text(self) -> str:
        """What is searched and packed: who spoke (where the source names them), the words, what was attached."""
        return spoken(self.speaker, self.content, () if self.role == MEMORY else self.attachments)


# How a message's text shows what was attached to it.
ATTACHED = "[attached: "
# The kind of a call (`ingest.parts`). An attached call begins with it, then the tool's name and the arguments.
CALL = r"(?:function|custom|(?:\w+_)?tool_use|\w+_call)"
# The kind of a model's thought. An attached one begins with it, then the words.
THOUGHT = r"(?:thinking|reasoning)"


def spoken(speaker: str | None, content: str, attachments: tuple[str, ...]) -> str:
    """The one rendering of a message as text: `Ann: hello [attached: a photo of a dog]`."""
    head = f"{speaker}: {content}" if speaker else content
    return head + "".join(f" {ATTACHED}{a}]" for a in attachments)


@dataclass(frozen=True, slots=True)
class Fact:
    """A key and its value, e.g. key "api response time", value "250 ms"."""

    key: str
    value: str


@dataclass(frozen=True, slots=True)
class Note:
    """A short typed statement.

    `reason` is why an option was excluded or a decision taken; `about` is what an instruction or a preference applies
    to, or the subject whose newest note replaces older ones; `date` is when an event happens, not when it was said (a
    day, month or year of ISO 8601, or empty where what an engine wrote is none); `said_by` is the role whose words it
    was taken from, as an engine names it and the exchange bears out; None where that is open. Of a sentiment (and a
    preference) `about` is the object, `aspect` what of it is judged, `polarity` from -1.0 (bad) to 1.0 (good), and
    `strength`, above 0.0 and up to 1.0, how much the statement counts as evidence.
    """

    kind: NoteKind
    text: str
    about: str | None = None
    reason: str | None = None
    date: str | None = None
    polarity: float | None = None
    said_by: Role | None = None
    aspect: str | None = None
    strength: float | None = None


@dataclass(frozen=True, slots=True)
class Window:
    """What an extractor sees of one exchange: the exchange, and as much of what came before as fits.

    `messages` are (role, text); assistant text is cut to a bound here and only here: the store keeps it whole.
    `speakers` are those whom the source names, of the exchange and of the few before it. `turn` is the exchange's
    number in the source, which holds no memories; None if a memory parts the source's exchange in two. `hollow` says
    whether any stored message of the exchange is empty, as an erased one is, even one that `messages` leaves out.
    """

    conversation_id: str
    exchange_id: int
    messages: tuple[tuple[Role, str], ...]
    history: tuple[tuple[Role, str], ...]
    language: str
    time: datetime | None
    speakers: frozenset[str] = frozenset()
    turn: int | None = None
    hollow: bool = False


@dataclass(frozen=True, slots=True)
class Extraction:
    """What was written down about one exchange. `made_by` is the signature of the engine that wrote it, or says
    that another stood in for it; empty where the engine at hand did."""

    summary: str
    facts: tuple[Fact, ...]
    notes: tuple[Note, ...]
    made_by: str = ""


# --------------------------------------------------------------------------------------- tables
# A row belongs to a segment: 64 consecutive exchanges, named by the hash of what they were made from
# (decision 1). Rows are immutable; a conversation is the list of its segments.

# Lance resolves concurrent merge_inserts by this metadata. Without it six writers of the same 200 keys
# left 580 rows (decision 2).
PRIMARY_KEY = {b"lance-schema:unenforced-primary-key": b"true"}


def key(name: str, kind: pa.DataType) -> pa.Field:
    """A column that belongs to its table's primary key; never null."""
    return pa.field(name, kind, nullable=False, metadata=PRIMARY_KEY)


def required(name: str, kind: pa.DataType) -> pa.Field:
    """A column that is never null."""
    return pa.field(name, kind, nullable=False)


INSTANT = pa.timestamp("us", tz="UTC")
# How many minutes the speaker's clock is ahead of UTC; null without a time.
UTC_OFFSET = pa.field("utc_offset", pa.int16())
FACT = pa.struct([required("key", pa.string()), required("value", pa.string())])
MESSAGES = pa.schema(
    [
        required("segment", pa.string()),
        required("seq", pa.int64()),
        required("conversation_id", pa.string()),
        required("message_id", pa.string()),
        required("exchange_id", pa.int64()),
        required("role", pa.string()),
        required("content", pa.string()),
        pa.field("time", INSTANT),
        UTC_OFFSET,
        pa.field("session", pa.string()),
        pa.field("speaker", pa.string()),
        required("attachments", pa.list_(pa.string())),
        required("current", pa.bool_()),
        required("language", pa.string()),
        required("tokens", pa.int32()),
    ]
)

EXTRACTIONS = pa.schema(
    [
        required("segment", pa.string()),
        required("exchange_id", pa.int64()),
        required("conversation_id", pa.string()),
        pa.field("time", INSTANT),
        UTC_OFFSET,
        required("summary", pa.string()),
        required("facts", pa.list_(FACT)),
        required("made_by", pa.string()),
    ]
)

# One note: (segment, exchange_id, n) is its key. `time` is when it was said, `date` what it is about, `said_by` whose
# words it was taken from (`memfold.extract.speaker`).
NOTES = pa.schema(
    [
        required("segment", pa.string()),
        required("exchange_id", pa.int64()),
        required("n", pa.int32()),
        required("conversation_id", pa.string()),
        required("kind", pa.string()),
        required("text", pa.string()),
        pa.field("about", pa.string()),
        pa.field("reason", pa.string()),
        pa.field("date", pa.string()),
        pa.field("polarity", pa.float32()),
        pa.field("time", INSTANT),
        UTC_OFFSET,
        pa.field("said_by", pa.string()),
        pa.field("aspect", pa.string()),
        pa.field("strength", pa.float32()),
    ]
)

# What models wrote, as they wrote it, filed under the hash of what they were asked. Where rivals asked the same, the
# first row counts (decision 10).
GENERATIONS = pa.schema(
    [
        required("request", pa.string()),
        required("conversation_id", pa.string()),
        required("exchange_id", pa.int64()),
        required("model", pa.string()),
        required("text", pa.string()),
        required("finish_reason", pa.string()),
        required("prompt_tokens", pa.int64()),
        required("completion_tokens", pa.int64()),
        required("cached_tokens", pa.int64()),
        required("written_at", INSTANT),
    ]
)


# `seen_at`: when the job that met the letter last began; null where no job has met it since this is kept.
DEAD_LETTERS = pa.schema(
    [
        key("letter", pa.string()),
        pa.field("conversation_id", pa.string()),
        required("file", pa.string()),
        required("place", pa.string()),
        required("reason", pa.string()),
        required("raw", pa.binary()),
        pa.field("seen_at", INSTANT),
    ]
)


def said_at(row: Mapping[str, Any]) -> datetime | None:
    """The time of a row on the speaker's clock."""
    return row["time"] and ahead(row["time"], row[UTC_OFFSET.name])


# How far the square of a stored vector's length may be from 1: 1.2e-6 in 8,301 vectors of MiniLM, .001 if they are
# rounded to bfloat16.
LENGTH = 1e-2


def vectors_of(rows: pa.Table) -> NDArray[np.float32]:
    """The column `vector` of some rows as an array of shape (rows, d)."""
    vectors = rows["vector"].combine_chunks()
    flat: NDArray[np.float32] = vectors.flatten().to_numpy(zero_copy_only=False)
    return flat.reshape(rows.num_rows, vectors.type.list_size)


def unit(vectors: NDArray[np.float32]) -> bool:
    """Whether all of some vectors, (n, d), have Euclidean length 1, as those of every table do."""
    return bool((np.abs(np.vecdot(vectors, vectors) - 1) <= LENGTH).all())
