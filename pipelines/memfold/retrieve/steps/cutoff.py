"""The step of fuzzy recall (decision 24) that finds nothing rather than something unlike: a least
score, and at most so many results."""

from __future__ import annotations

from dataclasses import dataclass, replace

from memfold.given import check_least
from memfold.retrieve.query import Asked
from memfold.retrieve.ranking import Ranking
from memfold.retrieve.view import View


@dataclass(frozen=True)
class Cutoff:
    """Leaves the first `most` exchanges that score at least `least`. With `adapts` above 0 the least score is that many
    deviations over the conversation's mean, where that is more: in a long talk on one subject everything is alike. The
    exchanges left out are in no hit and no context. Comes last."""

    least: float = 0.3
    most: int = 5
    adapts: float = 0.0

    def __post_init__(self) -> None:
        check_least(self, most=0, adapts=0)

    def apply(self, view: View, asked: Asked, ranking: Ranking) -> Ranking:
        """See `Step.apply`. The exchanges left out have no place in the order."""
        least = self.least
        if self.adapts and len(ranking.scores):
            least = max(least, float(ranking.scores.mean() + self.adapts * ranking.scores.std()))
        kept = ranking.order[ranking.scores[ranking.order] >= least]
        return replace(ranking, placed=kept[: self.most])
