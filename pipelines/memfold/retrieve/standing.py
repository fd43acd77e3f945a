"""Standing orders and preferences of one conversation, and which of them fit a question. Knows no ranking."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memfold.retrieve.episodes import Episodes
from memfold.retrieve.query import Encode


@dataclass(frozen=True)
class Standing:
    """Parallel, one an order, newest last. `about` is what each applies to (its own text where it does not say);
    `vectors` are theirs, (m, d)."""

    exchange_id: NDArray[np.int64]
    text: tuple[str, ...]
    about: tuple[str, ...]
    kind: tuple[str, ...]
    vectors: NDArray[np.float32]

    @staticmethod
    def of(orders: Iterable[tuple[int, str, str, str | None]], encode: Encode) -> Standing:
        """From (exchange id, kind, text, about); made once for an open conversation, not once a search."""
        rows = sorted(orders, key=lambda row: row[0])
        about = tuple(row[3] or row[2] for row in rows)
        vectors = encode(about) if rows else np.empty((0, 0), np.float32)
        return Standing(
            np.array([row[0] for row in rows], np.int64),
            tuple(r[2] for r in rows),
            about,
            tuple(r[1] for r in rows),
            vectors,
        )

    def __len__(self) -> int:
        return len(self.text)

    def fit(self, question: NDArray[np.float32], episodes: Episodes) -> list[tuple[int, float]]:
        """The orders given in these episodes, the one that fits best first, with their similarity to the question's
        vector, (d,)."""
        if not len(self):
            return []
        similarity = self.vectors @ question
        given = np.isin(self.exchange_id, episodes.exchange_id)
        return [(int(i), float(similarity[i])) for i in np.argsort(-similarity, kind="stable") if given[i]]
