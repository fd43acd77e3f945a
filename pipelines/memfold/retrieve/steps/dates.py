"""The step that demotes exchanges outside the time that a question names."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray

from memfold.retrieve.dated import of_times, times_of
from memfold.retrieve.episodes import Episodes
from memfold.retrieve.kinds import BROAD
from memfold.retrieve.query import Asked
from memfold.retrieve.ranking import Ranking
from memfold.retrieve.view import View

# A question for a span names its ends ("how long was it from May 3 to the launch"), not when it happened.
_NAMES_ENDS = "span"
# They ask for many things. A day in the question may belong to only one of them.
_MANY = (*BROAD, "count")
# A range of dates counts if at least so many exchanges were said inside it.
MINIMUM = 5


@dataclass(frozen=True)
class Dates:
    """For a range of dates the exchanges said inside it come first, if there are at least `MINIMUM`. For a day, week,
    month or season those said then and those that name a day within it do, if there are any."""

    def apply(self, view: View, asked: Asked, ranking: Ranking) -> Ranking:
        """See `Step.apply`."""
        outside = of_other_times(view, asked)
        if outside is None:
            return ranking
        # Below everything inside the range, in their own order.
        return ranking.plus("outside_dates", np.where(outside, -(np.ptp(ranking.scores) + 1.0), 0.0))


def of_other_times(view: View, asked: Asked) -> NDArray[np.bool_] | None:
    """The exchanges outside the time that a question names, as `Dates` tells them; None if it names no time, or no
    exchange belongs to it."""
    if asked.query.dates:
        return said_outside(view.episodes, asked.query.dates)
    kind = asked.query.typed.kind
    times = () if kind == _NAMES_ENDS else times_of(view, asked.question, asked.now, within=kind in _MANY)
    if not times:
        return None
    inside = of_times(view, times)
    return ~inside if inside.any() else None


def said_outside(episodes: Episodes, dates: tuple[date, date]) -> NDArray[np.bool_] | None:
    """Which exchanges were not said within `dates`; None where fewer than `MINIMUM` were said inside."""
    inside = episodes.said_from(*dates)
    return ~inside if inside.sum() >= MINIMUM else None
