"""Vectors of parts of one conversation's exchanges, any number per exchange. Knows nothing of files or models."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from memfold.schema import vectors_of


@dataclass(frozen=True)
class Owned:
    """`vectors`, (k, d) unit vectors, and the positions of the exchanges they belong to among `exchanges` of them."""

    vectors: NDArray[np.float32]
    owners: NDArray[np.int64]
    exchanges: int

    def __len__(self) -> int:
        return len(self.owners)

    @classmethod
    def of(cls, table: pa.Table, exchange_id: NDArray[np.int64]) -> Self:
        """From rows of a layer that have a `vector`: those of exchanges among `exchange_id`, which ascends."""
        of = table["exchange_id"].to_numpy()
        there = np.isin(of, exchange_id)
        owners = np.searchsorted(exchange_id, of[there]).astype(np.int64)
        return cls(vectors_of(table)[there], owners, len(exchange_id))
