"""The exchanges of one conversation as arrays, ready to be searched. Knows nothing of files or models."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from memfold.layers.times import in_order, times_of
from memfold.once import kept, once
from memfold.retrieve.lexical import BM25, Bags, widened
from memfold.schema import vectors_of


@dataclass(frozen=True)
class Episodes:
    """`n` exchanges in order of their number. Arrays are parallel: position i is one exchange.

    `time` is datetime64[us] in UTC, NaT where unknown; `utc_offset` is how many minutes the speaker's clock is ahead of
    UTC, 0 where unknown; `characters` is the length of the assistant's side; `vectors` are (n, d)
    unit vectors of the user texts, `bags` their hashed terms.
    """

    exchange_id: NDArray[np.int64]
    message_ids: list[tuple[str, ...]]
    user_text: list[str]
    characters: NDArray[np.int64]
    time: NDArray[np.datetime64]
    utc_offset: NDArray[np.int16]
    vectors: NDArray[np.float32]
    bags: Bags

    def __len__(self) -> int:
        return len(self.exchange_id)

    @staticmethod
    def from_table(table: pa.Table) -> Episodes:
        """From rows of `memfold.layers.episodic.schema`, in any order."""
        table = table.sort_by("exchange_id").combine_chunks()
        return Episodes(
            exchange_id=table["exchange_id"].to_numpy(),
            message_ids=[tuple(ids) for ids in table["message_ids"].to_pylist()],
            user_text=table["user_text"].to_pylist(),
            characters=table["characters"].to_numpy(),
            time=times_of(table["time"]),
            utc_offset=table["utc_offset"].fill_null(0).to_numpy(),
            vectors=vectors_of(table),
            bags=Bags.from_columns(table["terms"], table["counts"]),
        )

    @kept
    def bm25(self) -> BM25:
        """BM25 over what the user said in each exchange."""
        return BM25(self.bags)

    def terse(self, characters: int) -> bool:
        """Whether an exchange has fewer than so many `characters` on average, both sides counted: it means little
        alone. False where there is none."""
        return len(self) > 0 and float((self.user_characters + self.characters).mean()) < characters

    @kept
    def user_characters(self) -> NDArray[np.int64]:
        """The length of what the user said in each exchange, (n,)."""
        return np.array([len(text) for text in self.user_text], np.int64)

    @kept
    def said(self) -> NDArray[np.datetime64]:
        """When each exchange was said, `in_order`. One conversation of BEAM opens with an anchor nine months late."""
        return in_order(self.time)

    @kept
    def dates(self) -> NDArray[np.datetime64]:
        """The day of each exchange on the speaker's clock, (n,) datetime64[D]; NaT where unknown."""
        return np.asarray((self.said + self.utc_offset.astype("timedelta64[m]")).astype("datetime64[D]"))

    def said_from(self, first: date, last: date) -> NDArray[np.bool_]:
        """Which exchanges were said on the days from `first` to `last`, both included, (n,)."""
        return np.asarray((self.dates >= np.datetime64(first)) & (self.dates <= np.datetime64(last)))

    @kept
    def days(self) -> NDArray[np.int64]:
        """`dates` counted from 1970; one for all whose time is unknown."""
        return np.asarray(self.dates.astype(np.int64))

    def day(self, position: int) -> str:
        """The date on which an exchange was said, e.g. "2024-03-01"; empty where unknown."""
        return self._written[position]

    @kept
    def _written(self) -> list[str]:
        return ["" if day == "NaT" else day for day in np.datetime_as_string(self.dates).tolist()]

    def day_of(self, exchange_id: int) -> str:
        """The same of an exchange by its number."""
        return self.day(self.position(exchange_id))

    def ids_of(self, exchange_id: int) -> tuple[str, ...]:
        """The ids of the messages that stand for an exchange in citations."""
        return self.message_ids[self.position(exchange_id)]

    def wide(self, characters: int, reach: int) -> BM25:
        """BM25 over each exchange together with its nearest neighbours, see `neighbourhoods`; built once."""
        return self._wide(characters, reach)

    @kept
    def _wide(self) -> Callable[[int, int], BM25]:
        @once
        def wide(characters: int, reach: int) -> BM25:
            return BM25(widened(self.bags, neighbourhoods(self.user_characters, characters, reach)))

        return wide

    def __contains__(self, exchange_id: int) -> bool:
        return exchange_id in self._positions

    def position(self, exchange_id: int) -> int:
        """Where an exchange stands in the arrays."""
        found = self._positions.get(exchange_id)
        if found is None:
            raise KeyError(f"no exchange {exchange_id}")
        return found

    @kept
    def _positions(self) -> dict[int, int]:
        return {exchange_id: i for i, exchange_id in enumerate(self.exchange_id.tolist())}


def neighbourhoods(sizes: NDArray[np.int64], enough: int, reach: int) -> NDArray[np.int64]:
    """First and last member, inclusive, of a window around each item: the item, then the one before, the one
    after, the second before … until the window's `sizes` add up to `enough` or `reach` is spent. Shape (n, 2)."""
    n = len(sizes)
    first, last = np.arange(n), np.arange(n)
    total = sizes.copy()
    for step in range(1, reach + 1):
        for edge, other in ((first, -step), (last, step)):
            neighbour = np.arange(n) + other
            grows = (total < enough) & (neighbour >= 0) & (neighbour < n)
            edge[grows] = neighbour[grows]
            total[grows] += sizes[neighbour[grows]]
    return np.stack([first, last], axis=1)
