"""The step by which a range of dates in the question demotes what was said outside it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray

from memfold.errors import UserError
from memfold.retrieve.episodes import Episodes
from memfold.retrieve.query import Asked
from memfold.retrieve.ranking import Ranking
from memfold.retrieve.view import View


@dataclass(frozen=True)
class Dates:
    """A range counts if at least `minimum` exchanges were said inside it."""

    minimum: int = 5

    def __post_init__(self) -> None:
        if self.minimum < 0:
            raise UserError(f"retrieval.steps: minimum of the dates is {self.minimum}: give 0 or more")

    def apply(self, view: View, asked: Asked, ranking: Ranking) -> Ranking:
        """See `Step.apply`."""
        dates = asked.query.dates
        outside = said_outside(view.episodes, dates, self.minimum) if dates else None
        if outside is None:
            return ranking
        # Below everything inside the range, in their own order.
        return ranking.plus("outside_dates", np.where(outside, -(np.ptp(ranking.scores) + 1.0), 0.0))


def said_outside(episodes: Episodes, dates: tuple[date, date], minimum: int) -> NDArray[np.bool_] | None:
    """Which exchanges were not said within `dates`; None where fewer than `minimum` were said inside."""
    start, end = np.datetime64(dates[0], "us"), np.datetime64(dates[1], "us") + np.timedelta64(1, "D")
    inside = (episodes.said >= start) & (episodes.said < end)
    return ~inside if inside.sum() >= minimum else None
