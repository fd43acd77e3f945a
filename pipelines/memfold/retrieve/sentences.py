"""The sentences of one conversation as vectors, ready to be compared. Knows nothing of files or models.

A sentence that is near to many others is near to most questions too. So it is compared by what it is nearer to the
question than to its own neighbours: cross-domain similarity local scaling (Conneau et al., arXiv 1710.04087).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memfold.embed.likeness import cosines
from memfold.once import derived, kept
from memfold.retrieve.lexical import Scores
from memfold.retrieve.owned import Owned
from memfold.retrieve.view import View

# The neighbours that a sentence is compared with, and among how many sentences they are looked for: all of them up to
# 800 exchanges or so. Those of 10M tokens, some 50,000, take 4 s, once.
NEIGHBOURS = 4
AMONG = 4_096
_BLOCK = 1_024


@dataclass(frozen=True)
class Sentences(Owned):
    """The user's sentences, from rows of the layer `sentences`."""

    def nearest(self, vector: NDArray[np.float32]) -> Scores:
        """How near each exchange's nearest sentence is to a unit vector, (n,): twice its cosine less its crowding. The
        least of all where an exchange has none."""
        scores = 2 * cosines(self.vectors, vector) - self.crowding
        found = np.full(self.exchanges, scores.min())
        np.maximum.at(found, self.owners, scores)
        return found

    @kept
    def crowding(self) -> NDArray[np.float32]:
        """The mean cosine of each sentence with its `NEIGHBOURS` nearest others, (s,)."""
        count = len(self)
        among = np.unique(np.linspace(0, count - 1, min(count, AMONG)).astype(np.int64))
        near = min(NEIGHBOURS, max(len(among) - 1, 1))
        found = np.empty(count, np.float32)
        for start in range(0, count, _BLOCK):
            cosines = self.vectors[start : start + _BLOCK] @ self.vectors[among].T
            itself = np.flatnonzero((among >= start) & (among < start + _BLOCK))
            cosines[among[itself] - start, itself] = -1.0
            found[start : start + _BLOCK] = np.partition(cosines, -near, axis=1)[:, -near:].mean(1)
        return found


@derived
def sentences_of(view: View) -> Sentences | None:
    """The user's sentences as vectors; None where the layer is not there."""
    rows = view.leaves("sentences")
    return None if rows is None else Sentences.of(rows, view.episodes.exchange_id)
