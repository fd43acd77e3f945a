"""The step that prefers the session that is going on, where the question is asked in its course: who asks "where do I
want to fly" means the booking at hand, not last month's."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from memfold.given import check_least
from memfold.moment import hours
from memfold.retrieve.query import Asked
from memfold.retrieve.ranking import Ranking
from memfold.retrieve.view import View


@dataclass(frozen=True)
class ActiveSession:
    """Exchanges of the session gain `weight`, in deviations of the scores, unless it is idle for `idle` hours. Without
    a time of asking (`now`) the step does nothing."""

    weight: float = 1.0
    idle: float = 24.0

    def __post_init__(self) -> None:
        check_least(self, weight=0, idle=0)

    def apply(self, view: View, asked: Asked, ranking: Ranking) -> Ranking:
        """See `Step.apply`."""
        session = view.active(asked.now, hours(self.idle)) if asked.now and self.weight else None
        if session is None:
            return ranking
        exchanges = view.episodes.exchange_id
        return ranking.plus(
            "session",
            self.weight * ((exchanges >= session.first) & (exchanges <= session.last)).astype(np.float64),
        )
