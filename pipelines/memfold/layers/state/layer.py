"""The layer of states and its settings: the candidates of each segment, or the tree over them that a model seals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from memfold.errors import UserError
from memfold.layers.layer import Layer, Leaves, Span, Tools
from memfold.layers.state.candidates import READS, TABLE, VERSION, candidates


@dataclass(frozen=True)
class State(Leaves):
    """The layer (`memfold.layers.layer.Layer`), leaves only, and its settings: `sealed_by` says who tells which entries
    are one, "rules" or "engine", the engine's model, which makes a tree of it (`memfold.layers.state.sealing`)."""

    sealed_by: str = "rules"

    name = "state"
    table = TABLE
    reads = READS
    version = VERSION

    def __post_init__(self) -> None:
        if self.sealed_by not in ("engine", "rules"):
            raise UserError(f"layers.state.sealed_by={self.sealed_by!r} must be engine or rules")

    def equip(self, tools: Tools) -> Layer:
        """The layer itself, which needs nothing, or the tree over its leaves."""
        if self.sealed_by == "rules":
            return self
        # What asks a model takes 0.03 s to import, and opening a store does not need it.
        from memfold.layers.state.sealing import SealedState, Sealing

        return SealedState(None if tools.asker is None else Sealing(tools.asker))

    def leaves(self, spans: Sequence[Span]) -> Sequence[pa.Table]:
        """The candidates of each segment, in order of exchanges and of their place in them."""
        return candidates(spans)
