"""State: where a conversation stands, not a digest of what was said. A row is something that may belong to it.

The idea is the mid-term memory of a support assistant ("会话状态摘要", decision 23): the topic, what is required and
forbidden, options that were given up and why, what is settled, what is open. A leaf holds the candidates of its
segment, each with the keys and words by which a later one replaces, corrects, gives up or answers it; `stand` in
`history.py` reads all of them in order and tells what holds. So no leaf depends on another, and the state is right as
of any message. No model is asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import pyarrow as pa

from memfold.extract.filed import MADE_BY, filed
from memfold.layers.layer import Leaves, Span, Tools
from memfold.layers.orders import Heard, frame, orders
from memfold.layers.scratchpad.subjects import entity, known
from memfold.layers.state.choosing import KINDS, RIGHT, entry, settles, told, topic
from memfold.schema import MEMORY, USERS, UTC, required
from memfold.text.terms import plain

# To be raised when rows of the same messages, extractions and notes come out otherwise.
VERSION = "state-2"

# An exchange gives so many entries at most: more are a pasted list, or an engine that could not choose.
ENTRIES = 8

TABLE = pa.schema(
    [
        required("segment", pa.string()),
        required("exchange_id", pa.int64()),
        required("n", pa.int32()),
        required("conversation_id", pa.string()),
        required("kind", pa.string()),
        required("text", pa.string()),
        pa.field("about", pa.string()),
        pa.field("reason", pa.string()),
        pa.field("time", UTC),
        # What it is about, as keys: of two entries that share one, the later takes the place of the earlier.
        required("keys", pa.list_(pa.string())),
        # Its words, with values by their class ("asnumber"): what corrects, gives up or answers it shares most of them.
        required("words", pa.list_(pa.string())),
    ]
)


@dataclass(frozen=True)
class State(Leaves):
    """The layer (`memfold.layers.layer.Layer`): leaves only. It has no settings."""

    name = "state"
    table = TABLE
    reads = ("messages", "extractions", "notes")
    version = VERSION

    def equip(self, tools: Tools) -> State:
        """The layer itself: it needs nothing."""
        return self

    def leaves(self, spans: Sequence[Span]) -> list[pa.Table]:
        """The candidates of each segment, in order of exchanges and of their place in them."""
        return [pa.Table.from_pylist(list(_rows(span)), schema=TABLE) for span in spans]


def _rows(span: Span) -> Iterator[dict[str, Any]]:
    notes: dict[int, list[Mapping[str, Any]]] = {}
    for note in span.rows["notes"].to_pylist():
        notes.setdefault(note["exchange_id"], []).append(note)
    ordered = {(row["exchange_id"], row["n"]) for row in orders(span.rows["notes"], span.rows["messages"])}
    said, instead = _user(span.rows["messages"]), _instead(span.rows["messages"])
    for row in span.rows["extractions"].sort_by("exchange_id").to_pylist():
        exchange = row["exchange_id"]
        of = {"segment": span.name, "exchange_id": exchange, "conversation_id": row["conversation_id"]}
        if row["made_by"] == MADE_BY:
            yield from _told(of, row["time"], notes.get(exchange, ()), instead.get(exchange))
            continue
        texts = said.get(exchange, [])
        chosen = [*topic(row["summary"], row["made_by"]), *settles(texts)]
        noted = [note for note in notes.get(exchange, ()) if note["kind"] in KINDS]
        # Telling a user's own words takes longer than all else, and four exchanges of five noted nothing of these.
        heard = Heard.of(("user", text) for text in texts if noted)
        for note in noted:
            chosen += entry(note, heard, order=(exchange, note["n"]) in ordered)
        for n, (kind, text, about, reason) in enumerate(dict.fromkeys(chosen[: ENTRIES + 2])):
            yield {
                **of,
                "n": n,
                "kind": kind,
                "text": text,
                "about": about,
                "reason": reason,
                "time": row["time"],
                "keys": _keys(kind, about, text, "\n".join(texts)),
                "words": [] if kind == "topic" else list(frame(text)),
            }


def _told(
    of: Mapping[str, Any], time: datetime | None, notes: Sequence[Mapping[str, Any]], instead: str | None
) -> Iterator[dict[str, Any]]:
    """The entry of a memory that a program filed; `instead` is the text of the entry that it puts right."""
    for note in notes:
        for n, (kind, text, about, reason) in enumerate(told(note)):
            keys = _keys(kind, about, text, text)
            if instead is not None and keys:
                keys = [RIGHT + _keys(kind, about, instead, instead)[0], *keys]
            words = list(frame(text))
            yield {
                **of, "n": n, "kind": kind, "text": text, "about": about, "reason": reason, "time": time, "keys": keys,
                "words": words,
            }  # fmt: skip


def _instead(messages: pa.Table) -> dict[int, str]:
    """The texts of entries that memories put right, by the memories' exchanges."""
    found = {}
    if MEMORY in messages["role"].unique().to_pylist():
        for row in messages.select(["exchange_id", "role", "attachments"]).to_pylist():
            if row["role"] == MEMORY and (text := filed(row["attachments"]).get("instead_of")):
                found[row["exchange_id"]] = text
    return found


def _user(messages: pa.Table) -> dict[int, list[str]]:
    """What the user said in each exchange, as it is shown."""
    found: dict[int, list[str]] = {}
    for row in (
        messages.select(["seq", "exchange_id", "role", "content", "current"]).sort_by("seq").to_pylist()
    ):
        if row["role"] in USERS and row["current"]:
            found.setdefault(row["exchange_id"], []).append(row["content"])
    return found


# As which kind of note an entry finds what is about the same.
_FAMILY = {"conclusion": "decision", "fact": "fact", "correction": "correction"}


def _keys(kind: str, about: str | None, text: str, said: str) -> list[str]:
    """The keys of an entry: its words but for values, and of a value what it is the value of."""
    if kind in ("topic", "settled"):
        return []
    about_what = known(_FAMILY.get(kind, kind), about, entity(about, text, said) if about else None, text)
    return ["|".join(key) for key in (("frame", kind, plain(about or ""), *frame(text)), *about_what)]
