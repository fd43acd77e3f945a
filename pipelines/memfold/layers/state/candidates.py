"""The rows of a state's leaves: what may belong to it, as a segment says it. Knows no model, and nothing that was said
elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa

from memfold.extract.filed import MADE_BY, filed
from memfold.layers.layer import Span, apart, extractions, messages, notes_by_exchange, said_by_user, tabled
from memfold.layers.orders import frame, heard, orders
from memfold.layers.replaced import mark
from memfold.layers.scratchpad.subjects import entity, known
from memfold.layers.state.choosing import ASIDE, KINDS, RIGHT, Pick, entry, settles, told, topic
from memfold.schema import MEMORY, NOTES, StoredMessage, required
from memfold.text.terms import plain

# To be raised when rows of the same messages, extractions and notes come out otherwise.
VERSION = "state-18"
# What they are made from.
READS = ("messages", "extractions", "notes")

# The most entries that one exchange gives: more are a pasted list, or an engine that could not choose.
ENTRIES = 8

# The columns that an entry shares with a note, from which most entries are made.
_OF_NOTES = [
    "segment",
    "exchange_id",
    "n",
    "conversation_id",
    "kind",
    "text",
    "about",
    "reason",
    "time",
    "utc_offset",
]
TABLE = pa.schema(
    [
        *map(NOTES.field, _OF_NOTES),
        # What it is about, as keys: of two entries that share one, the later takes the place of the earlier.
        required("keys", pa.list_(pa.string())),
        # Its words, with values by their class ("asnumber"): what corrects, gives up or answers it shares most of them.
        required("words", pa.list_(pa.string())),
    ]
)


def candidates(spans: Sequence[Span]) -> Sequence[pa.Table]:
    """The candidates of each segment, in order of exchanges and of their place in them."""
    return tabled([list(_rows(span)) for span in spans], TABLE)


def _rows(span: Span) -> Iterator[dict[str, Any]]:
    by_exchange = span.once(notes_by_exchange)
    ordered = {(row["exchange_id"], row["n"]) for row in span.once(orders)}
    said, instead = span.once(said_by_user), _instead(span.once(messages))
    for row in span.once(extractions):
        exchange = row["exchange_id"]
        of = {
            "segment": span.name, "exchange_id": exchange, "conversation_id": row["conversation_id"],
            "time": row["time"], "utc_offset": row["utc_offset"],
        }  # fmt: skip
        if row["made_by"] == MADE_BY:
            yield from _told(of, by_exchange.get(exchange, ()), instead.get(exchange))
            continue
        texts = [each.content for each in said.get(exchange, ())]
        chosen = [*topic(row["summary"], row["made_by"]), *settles(texts, span.once(apart))]
        for note in by_exchange.get(exchange, ()):
            if note["kind"] in KINDS:
                chosen += entry(note, span.once(heard)(exchange), order=(exchange, note["n"]) in ordered)
        for n, pick in enumerate(dict.fromkeys(chosen[: ENTRIES + 2])):
            words = [] if pick.kind in ("topic", ASIDE) else list(frame(pick.text))
            yield {**of, "n": n, **pick._asdict(), "keys": _keys(pick, "\n".join(texts)), "words": words}


def _told(
    of: Mapping[str, Any], notes: Sequence[Mapping[str, Any]], instead: str | None
) -> Iterator[dict[str, Any]]:
    """The entry of a memory that a program filed; `instead` is the mark, or the text, of the entry that it puts
    right."""
    for note in notes:
        for n, pick in enumerate(told(note)):
            keys = _keys(pick, pick.text)
            if instead is not None and keys:
                keys = [RIGHT + mark(instead), *keys]
            yield {**of, "n": n, **pick._asdict(), "keys": keys, "words": list(frame(pick.text))}


def _instead(said: Iterable[StoredMessage]) -> dict[int, str]:
    """The texts of entries that memories put right, by the memories' exchanges."""
    memories = ((each.exchange_id, filed(each.attachments)) for each in said if each.role == MEMORY)
    return {exchange: text for exchange, memory in memories if (text := memory.get("instead_of"))}


# As which kind of note an entry finds what is about the same.
_FAMILY = {"conclusion": "decision", "fact": "fact", "correction": "correction"}


def _keys(pick: Pick, said: str) -> list[str]:
    """The keys of an entry: its words but for values, and of a value what it is the value of."""
    kind, text, about, _ = pick
    if kind in ("topic", ASIDE, "settled"):
        return []
    about_what = known(_FAMILY.get(kind, kind), about, entity(about, text, said) if about else None, text)
    return ["|".join(key) for key in (("frame", kind, plain(about or ""), *frame(text)), *about_what)]
