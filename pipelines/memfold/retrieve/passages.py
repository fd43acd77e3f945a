"""The passages of one conversation's long messages as arrays, ready to be searched by words.

Knows nothing of files; the passages' text lies in the messages.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from memfold.once import derived, kept
from memfold.retrieve.lexical import BM25, Bags
from memfold.retrieve.view import View


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


@derived
def passages_of(view: View) -> Passages | None:
    """The passages of long messages; None where there is no such layer. Read when a question first needs them: those of
    10M tokens are about 60 MB with their index."""
    rows = view.leaves("passages")
    return None if rows is None else Passages.from_table(rows)


@derived
def exchanges_at(view: View) -> NDArray[np.int64]:
    """The position of each passage's exchange among the episodes."""
    passages = passages_of(view)
    told = np.empty(0, np.int64) if passages is None else passages.exchange_id
    return np.searchsorted(view.episodes.exchange_id, told).astype(np.int64)


@derived
def of_tools(view: View) -> NDArray[np.bool_]:
    """Which passages are of a tool, or of the assistant or the system in an exchange that used tools."""
    passages = passages_of(view)
    if passages is None:
        return np.empty(0, np.bool_)
    told = pc.is_in(passages.rows["role"], value_set=pa.array(["assistant", "system", "tool"])).to_numpy()
    return np.asarray(told & np.isin(passages.exchange_id, list(view.tools)), np.bool_)
