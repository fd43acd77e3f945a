"""A memory layer that is made of another: of the toy's leaves, whether much was said in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from memfold.layers.layer import Group, Span, Tools
from memfold.schema import required

TABLE = pa.schema(
    [
        required("segment", pa.string()),
        required("conversation_id", pa.string()),
        required("words", pa.int64()),
        required("much", pa.bool_()),
    ]
)


@dataclass(frozen=True)
class Above:
    """The layer and its one setting: how many words of a segment are many."""

    many: int = 500

    name, reads, fan, by_exchange, table = "above", ("toy",), 2, False, TABLE
    version = property(lambda self: f"above-1:{self.many}")

    def equip(self, tools: Tools) -> Above:
        return self

    def leaves(self, spans: Sequence[Span]) -> list[pa.Table]:
        return [self._row(span.name, span.rows["toy"]) for span in spans]

    def nodes(self, groups: Sequence[Group]) -> list[pa.Table]:
        return [self._row(group.name, pa.concat_tables(group.children)) for group in groups]

    def _row(self, name: str, below: pa.Table) -> pa.Table:
        words = sum(below["words"].to_pylist())
        row = {"segment": name, "conversation_id": below["conversation_id"][0].as_py(), "words": words}
        return pa.Table.from_pylist([{**row, "much": words >= self.many}], schema=TABLE)
