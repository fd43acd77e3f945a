"""The keys of one conversation's exchanges as arrays, ready to be compared. Knows nothing of files or models."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from memfold.retrieve.lexical import Scores


@dataclass(frozen=True)
class Keys:
    """`vectors`, (k, d) unit vectors, and the positions of the exchanges they belong to among `exchanges` of them."""

    vectors: NDArray[np.float32]
    owners: NDArray[np.int64]
    exchanges: int

    def __len__(self) -> int:
        return len(self.owners)

    @staticmethod
    def of(table: pa.Table, exchange_id: NDArray[np.int64]) -> Keys:
        """From rows of the layer `keys`, those of exchanges that are among `exchange_id`, which ascends."""
        rows = table.combine_chunks()
        of = rows["exchange_id"].to_numpy()
        owners = np.searchsorted(exchange_id, of)
        there = np.isin(of, exchange_id)
        size = rows.schema.field("vector").type.list_size
        flat = [chunk.flatten().to_numpy(zero_copy_only=False) for chunk in rows["vector"].chunks]
        vectors = np.concatenate([np.empty(0, np.float32), *flat]).reshape(-1, size)
        return Keys(vectors[there], owners[there].astype(np.int64), len(exchange_id))

    def nearest(self, vector: NDArray[np.float32]) -> Scores:
        """The cosine of each exchange's nearest key with a unit vector, (n,), and 0 where it has none that is near."""
        found = np.zeros(self.exchanges)
        np.maximum.at(found, self.owners, self.vectors @ vector)
        return found
