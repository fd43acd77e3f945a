"""The step that prefers what somebody said whom the question names: who asks what Ann did means her own words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from memfold.errors import UserError
from memfold.retrieve.query import Asked, called
from memfold.retrieve.ranking import Ranking
from memfold.retrieve.view import View


@dataclass(frozen=True)
class NamedSpeaker:
    """Where several people speak and the question names one of them, the exchanges in which that one speaks gain
    `weight`, in deviations of the scores."""

    weight: float = 0.8

    def __post_init__(self) -> None:
        if self.weight < 0:
            raise UserError(f"retrieval.steps: weight of the named speaker is {self.weight}: give 0 or more")

    def apply(self, view: View, asked: Asked, ranking: Ranking) -> Ranking:
        """See `Step.apply`."""
        names = called(asked.question, view.speakers) if self.weight and view.speaks else frozenset()
        if len(names) != 1:
            return ranking
        spoke = np.array([view.speaks.get(each) in names for each in view.episodes.exchange_id.tolist()])
        return ranking.plus("speaker", self.weight * spoke)
