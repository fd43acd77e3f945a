"""The layer of keys: what an engine wrote about an exchange, as further vectors by which the exchange is found.

What the user said is an exchange's first key (`episodic`). A note says the same in other words, shorter and with its
names; so does a summary, and a fact. What the rules wrote repeats the user's words, and is no key unless asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from memfold.embed.contract import Embedder
from memfold.errors import UserError
from memfold.extract.contract import by_rules
from memfold.layers.layer import Leaves, Span, Tools, column, encoded
from memfold.schema import required

# To be raised when rows of the same extractions and vectors come out otherwise.
VERSION = "keys-1"
KINDS = ("note", "summary", "fact")

# A key: its exchange's row, its kind and its text.
Key = tuple[dict[str, Any], str, str]


@dataclass(frozen=True)
class Keys:
    """The layer's settings: `kinds` are those of what was written that become keys, of note, summary and fact; with
    `rules` also of what the rules wrote."""

    kinds: tuple[str, ...] = ("note",)
    rules: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "kinds", tuple(self.kinds))  # a config has no tuples
        if unknown := [kind for kind in self.kinds if kind not in KINDS]:
            raise UserError(f"layers.keys.kinds: no key is a {unknown[0]!r}: give some of {', '.join(KINDS)}")

    def equip(self, tools: Tools) -> KeyRows:
        """The layer with its embedder."""
        return KeyRows(tools.embedder, self.kinds, self.rules)


@dataclass(frozen=True)
class KeyRows(Leaves):
    """The layer (`memfold.layers.layer.Layer`): leaves only, since keys belong to their exchange."""

    embedder: Embedder
    kinds: tuple[str, ...]
    rules: bool

    name = "keys"
    reads = ("extractions", "notes")

    @property
    def version(self) -> str:
        """See `Layer`."""
        return f"{VERSION}:{','.join(self.kinds)}:{self.rules}:{self.embedder.signature}"

    @property
    def table(self) -> pa.Schema:
        """A row per key: what it says and its vector of `dimension` float32."""
        return pa.schema(
            [
                required("segment", pa.string()),
                required("exchange_id", pa.int64()),
                required("conversation_id", pa.string()),
                required("kind", pa.string()),
                required("text", pa.string()),
                required("vector", pa.list_(pa.float32(), self.embedder.dimension)),
            ]
        )

    def leaves(self, spans: Sequence[Span]) -> list[pa.Table]:
        """Rows of some segments; all their texts go to the embedder together."""
        keys = [list(self._keys(span)) for span in spans]
        vectors = encoded(self.embedder, [[text for _, _, text in each] for each in keys])
        return [
            self._rows(span.name, each, those) for span, each, those in zip(spans, keys, vectors, strict=True)
        ]

    def _keys(self, span: Span) -> Iterator[Key]:
        """The keys of a segment, by exchange and in the order of `kinds`."""
        notes: dict[int, list[str]] = {}
        for note in (
            span.rows["notes"].sort_by([("exchange_id", "ascending"), ("n", "ascending")]).to_pylist()
        ):
            notes.setdefault(note["exchange_id"], []).append(note["text"])
        for row in span.rows["extractions"].sort_by("exchange_id").to_pylist():
            if by_rules(row["made_by"]) and not self.rules:
                continue
            texts = {
                "note": notes.get(row["exchange_id"], []),
                "summary": [row["summary"]],
                "fact": [f"{fact['key']}: {fact['value']}" for fact in row["facts"]],
            }
            for kind in self.kinds:
                yield from ((row, kind, text) for text in dict.fromkeys(texts[kind]) if text)

    def _rows(self, segment: str, keys: Sequence[Key], vectors: np.ndarray[Any, Any]) -> pa.Table:
        columns = {
            "segment": [segment] * len(keys),
            "exchange_id": [row["exchange_id"] for row, _, _ in keys],
            "conversation_id": [row["conversation_id"] for row, _, _ in keys],
            "kind": [kind for _, kind, _ in keys],
            "text": [text for _, _, text in keys],
            "vector": column(vectors),
        }
        return pa.table([pa.array(columns[f.name], f.type) for f in self.table], schema=self.table)
