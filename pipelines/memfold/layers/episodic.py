"""The episodic layer: one row per exchange, keyed by what the user said.

The assistant's text is over nine tenths of the tokens and cost BM25 ten points of recall when indexed, so it
counts here by its length only and is read from `messages` when a context is packed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, takewhile

import pyarrow as pa

from memfold.embed.contract import Embedder
from memfold.layers.layer import Leaves, Span, Tools, column, encoded, leaves_of, messages
from memfold.schema import INSTANT, USERS, UTC_OFFSET, StoredMessage, required
from memfold.text.terms import hashed
from memfold.zones import minutes

Exchange = list[StoredMessage]

# To be raised when rows of the same messages and vectors come out otherwise.
VERSION = "episodic-4"


@dataclass(frozen=True)
class Episodic:
    """The layer's settings: it has none."""

    def equip(self, tools: Tools) -> EpisodeRows:
        """The layer with its embedder."""
        return EpisodeRows(tools.embedder)


@dataclass(frozen=True)
class EpisodeRows(Leaves):
    """The layer (`memfold.layers.layer.Layer`): leaves only, since each exchange stands for itself."""

    embedder: Embedder

    name = "episodic"
    reads = ("messages",)

    @property
    def version(self) -> str:
        """See `Layer`."""
        return f"{VERSION}:{self.embedder.signature}"

    @property
    def table(self) -> pa.Schema:
        """See `Layer`."""
        return schema(self.embedder.dimension)

    def leaves(self, spans: Sequence[Span]) -> Sequence[pa.Table]:
        """Rows of some segments; all their texts go to the embedder together."""
        found = [_exchanges(span.once(messages)) for span in spans]
        exchanges = [exchange for each in found for exchange in each]
        texts = list(map(user_text, exchanges))
        times = [next((m.time for m in exchange if m.time), None) for exchange in exchanges]
        bags = list(map(hashed, texts))
        columns = {
            "exchange_id": [exchange[0].exchange_id for exchange in exchanges],
            "conversation_id": [exchange[0].conversation_id for exchange in exchanges],
            "message_ids": list(map(_cited, exchanges)),
            "time": times,
            "utc_offset": [time and minutes(time) for time in times],
            "user_text": texts,
            "characters": list(map(_unsaid, exchanges)),
            "terms": [ids for ids, _ in bags],
            "counts": [counts for _, counts in bags],
            "vector": column(encoded(self.embedder, texts)),
        }
        return leaves_of(spans, found, columns, self.table)


def schema(dimension: int) -> pa.Schema:
    """The episodic layer: one row per exchange. `terms` are hashed stems with their counts (decision 3).

    `user_text` is what the user said, the key to the exchange; what the assistant said stays in `messages`.
    `characters` counts the assistant's side, so that packing can plan without reading it.
    """
    return pa.schema(
        [
            required("segment", pa.string()),
            required("exchange_id", pa.int64()),
            required("conversation_id", pa.string()),
            required("message_ids", pa.list_(pa.string())),
            pa.field("time", INSTANT),
            UTC_OFFSET,
            required("user_text", pa.string()),
            required("characters", pa.int64()),
            # Signed, though no value is negative: Lance's filters cannot read tables with unsigned columns.
            required("terms", pa.list_(pa.int64())),
            required("counts", pa.list_(pa.int32())),
            required("vector", pa.list_(pa.float32(), dimension)),
        ]
    )


def _exchanges(messages: Sequence[StoredMessage]) -> list[Exchange]:
    """The messages of each exchange but those that are not current; an exchange without any other is left out."""
    current = (m for m in messages if m.current)
    return [list(group) for _, group in groupby(current, key=lambda m: m.exchange_id)]


def _cited(exchange: Exchange) -> list[str]:
    """The messages that stand for an exchange where it is cited as a whole: all, or where tools were called, which may
    be hundreds of times, those of its key and the last answer."""
    if all(m.role != "tool" for m in exchange):
        return [m.message_id for m in exchange]
    last = next((m for m in reversed(exchange) if m.role == "assistant"), exchange[0])
    cited = {m.seq for m in (*key(exchange), last)}
    return [m.message_id for m in exchange if m.seq in cited]


def user_text(exchange: Exchange) -> str:
    """What is indexed of an exchange: the words of its key."""
    return "\n".join(m.text for m in key(exchange))


def key(exchange: Exchange) -> Exchange:
    """The current messages that stand for an exchange: the user's. Without a user these are the first messages of the
    assistant or the system, up to where another role speaks; where only tools speak, the first message."""
    if said := [m for m in exchange if m.role in USERS]:
        return said
    first = next((n for n, m in enumerate(exchange) if m.role != "tool"), None)
    if first is None:
        return exchange[:1]
    return list(takewhile(lambda m: m.role == exchange[first].role, exchange[first:]))


def _unsaid(exchange: Exchange) -> int:
    """The length of all that is no part of the key."""
    return sum(len(m.text) for m in exchange) - sum(len(m.text) for m in key(exchange))
