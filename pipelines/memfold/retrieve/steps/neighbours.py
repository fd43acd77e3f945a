"""The step by which an exchange gains from those beside it: evidence comes in runs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from memfold.given import check_least, check_shares
from memfold.retrieve.lexical import Scores
from memfold.retrieve.query import Asked
from memfold.retrieve.ranking import Ranking
from memfold.retrieve.view import View


@dataclass(frozen=True)
class Neighbours:
    """`weight` weighs the better neighbour's score; `terse` takes its place where an exchange has fewer than `below`
    characters on average. For a broad question each of the neighbours within two steps adds `broad` of what it has
    above average instead (half of it at two steps)."""

    weight: float = 0.22
    broad: float = 0.24
    terse: float = 0.4
    below: int = 400

    def __post_init__(self) -> None:
        check_shares(self, "weight", "broad", "terse")
        check_least(self, below=0)

    def apply(self, view: View, asked: Asked, ranking: Ranking) -> Ranking:
        """See `Step.apply`."""
        if asked.query.broad:
            part = self.broad * _near(ranking.scores)
        else:
            weight = self.terse if view.episodes.terse(self.below) else self.weight
            part = weight * _better_neighbour(ranking.scores)
        return ranking.plus("neighbour", part)


def _better_neighbour(scores: Scores) -> Scores:
    """The better of the scores before and behind each; 0 for one that is alone."""
    if len(scores) < 2:
        return np.zeros(len(scores))
    padded = np.concatenate([[-np.inf], scores, [-np.inf]])
    return np.asarray(np.maximum(padded[:-2], padded[2:]), np.float64)


def _near(scores: Scores) -> Scores:
    """What stands above average within two steps, the second step at half weight."""
    above = np.pad(np.maximum(scores, 0.0), 2)
    return np.asarray(above[1:-3] + above[3:-1] + (above[:-4] + above[4:]) / 2, np.float64)
