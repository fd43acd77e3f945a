"""The passages of one conversation's long messages as arrays, ready to be searched by words.

Knows nothing of files; their text lies in the messages.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from memfold.once import kept
from memfold.retrieve.lexical import BM25, Bags, Scores
from memfold.retrieve.query import Asked


class Passage(NamedTuple):
    """Where a passage stands: the characters from `start` to `end` of a message's text."""

    exchange_id: int
    message_id: str
    role: str
    start: int
    end: int


@dataclass(frozen=True, eq=False)
class Passages:
    """Passage i is row i of `rows`, which is of exchange `exchange_id[i]`; `bags` holds its terms."""

    rows: pa.Table
    exchange_id: NDArray[np.int64]
    bags: Bags

    @staticmethod
    def from_table(table: pa.Table) -> Passages:
        """From rows of the layer `passages`, in any order."""
        bags = Bags.from_columns(table["terms"], table["counts"])
        rows = table.select(list(Passage._fields)).combine_chunks()
        return Passages(rows, rows["exchange_id"].to_numpy(), bags)

    def __len__(self) -> int:
        return len(self.exchange_id)

    def __getitem__(self, place: int) -> Passage:
        return Passage(**self.rows.slice(place, 1).to_pylist()[0])

    @kept
    def bm25(self) -> BM25:
        """BM25 over the passages."""
        return BM25(self.bags)

    def scores(self, asked: Asked) -> Scores:
        """How well each passage answers by its words, (m,)."""
        return self.bm25.scores(asked.bags)
