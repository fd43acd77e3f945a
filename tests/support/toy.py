"""A toy memory layer: how many words were said in each segment and the longest of them, summed up three by three."""

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from memfold.layers.layer import Group, Span, Tools

TEXT = pa.string()
TABLE = pa.schema({"segment": TEXT, "conversation_id": TEXT, "words": pa.int64(), "longest": TEXT})


@dataclass(frozen=True)
class Toy:
    """The layer and its one setting: words of fewer letters than `least` are not counted."""

    least: int = 1

    name, table, reads, fan, by_exchange = "toy", TABLE, ("messages",), 3, False
    version = property(lambda self: f"toy-1:{self.least}")

    def equip(self, tools: Tools) -> "Toy":
        return self

    def leaves(self, spans: Sequence[Span]) -> list[pa.Table]:
        return [self.leaf(span.name, span.rows["messages"].to_pylist()) for span in spans]

    def leaf(self, name: str, said: list[dict[str, str]]) -> pa.Table:
        words = [word for row in said for word in row["content"].split() if len(word) >= self.least]
        return self.row(name, said[0]["conversation_id"], len(words), words)

    def nodes(self, groups: Sequence[Group]) -> list[pa.Table]:
        below = [pa.concat_tables(group.children).to_pydict() for group in groups]
        summed = [(rows["conversation_id"][0], sum(rows["words"]), rows["longest"]) for rows in below]
        return [self.row(group.name, *each) for group, each in zip(groups, summed, strict=True)]

    def row(self, name: str, of: str, count: int, words: Sequence[str]) -> pa.Table:
        values = [name, of, count, max(words, key=lambda word: (len(word), word), default="")]
        return pa.table([[value] for value in values], schema=self.table)
