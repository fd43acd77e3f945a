"""The timeline of an open conversation: its dated rows, ready to be searched. Knows nothing of files or models."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from memfold.once import kept
from memfold.retrieve.episodes import Episodes
from memfold.retrieve.lexical import BM25, Bags
from memfold.text.terms import hashed


@dataclass(frozen=True, slots=True)
class Dated:
    """One dated thing: its first and last day, the sentence it was said in, how the date was written there (empty where
    it is the day on which it was said), by whom, and in which exchange; `score` compares within one search."""

    first: date
    last: date
    text: str
    literal: str
    said_by: str
    exchange_id: int
    message_ids: tuple[str, ...]
    score: float = 0.0

    @property
    def written(self) -> str:
        """Its date in ISO 8601, or both where it has two."""
        return str(self.first) if self.first == self.last else f"{self.first}/{self.last}"


@dataclass(frozen=True)
class DatedRows:
    """`rows` of a timeline in the order they were said, each with the position of its exchange in the episodes."""

    rows: tuple[Dated, ...]
    positions: NDArray[np.int64]

    @staticmethod
    def of(table: pa.Table | None, episodes: Episodes) -> DatedRows:
        """From rows of `memfold.layers.timeline`. What is of no exchange among the episodes is left out."""
        kept_rows: list[dict[str, Any]] = [] if table is None else table.sort_by(
            [("exchange_id", "ascending"), ("n", "ascending")]
        ).to_pylist()  # fmt: skip
        kept_rows = [row for row in kept_rows if row["exchange_id"] in episodes]
        positions = [episodes.position(row["exchange_id"]) for row in kept_rows]
        return DatedRows(
            tuple(
                Dated(
                    row["first"], row["last"], row["text"], row["literal"], row["said_by"], row["exchange_id"],
                    (row["message_id"],) if row["message_id"] is not None else episodes.message_ids[position],
                )
                for row, position in zip(kept_rows, positions, strict=True)
            ),
            np.array(positions, np.int64),
        )  # fmt: skip

    @kept
    def proposed(self) -> NDArray[np.bool_]:
        """Whether the assistant said each row, (n,)."""
        return np.array([row.said_by == "assistant" for row in self.rows], np.bool_)

    @kept
    def by_user(self) -> frozenset[int]:
        """The exchanges in which somebody other than the assistant named a day."""
        return frozenset(row.exchange_id for row in self.rows if row.said_by != "assistant")

    @kept
    def bm25(self) -> BM25:
        """Over the rows' sentences."""
        return BM25(Bags.of([hashed(row.text) for row in self.rows]))
