"""A layer with a mistake, which workers on Ray can import."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from memfold.errors import UserError
from memfold.layers.layer import Group, Layer, Leaves, Span, Tools

TABLE = pa.schema({"segment": pa.string(), "conversation_id": pa.string()})


@dataclass(frozen=True)
class Mistaken(Leaves):
    """The layer `mistaken`, whose mistake is in its leaves, in how many they are (fewer), in the nodes above them, or
    no mistake but something to be said to the user."""

    where: str = "leaves"
    name: str = "mistaken"
    reads: tuple[str, ...] = ("messages",)
    fan: int = 2
    version: str = "1"
    table: Any = TABLE

    def equip(self, tools: Tools) -> Layer:
        return self  # type: ignore[return-value]

    def leaves(self, spans: Sequence[Span]) -> Sequence[pa.Table]:
        if self.where == "leaves":
            raise NameError("name 'spam' is not defined")
        if self.where == "user":
            raise UserError("layers.mistaken.path is missing")
        made = [
            pa.table(
                [[span.name], span.rows["messages"]["conversation_id"][:1].combine_chunks()],
                schema=self.table,
            )
            for span in spans
        ]
        return made if self.where == "nodes" else made[1:]

    def nodes(self, groups: Sequence[Group]) -> Sequence[pa.Table]:
        raise KeyError("spam")
