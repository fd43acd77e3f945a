"""Exchanges for an answer that lies in many places: the best of the ranking, spread evenly over the days.

What is asked about in order, or summed up, was said a little every day; the top of a ranking is the two or three days
that used the question's own words. Knows no text.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from memfold.retrieve.best import best_first
from memfold.retrieve.lexical import Scores


def spread(
    scores: Scores,
    days: NDArray[np.int64],
    window: NDArray[np.bool_],
    *,
    crowding: float,
    opening: float,
    reach: float,
) -> NDArray[np.int64]:
    """Positions inside `window`, best first. `scores` and `days` are parallel, one an exchange, in order of time.

    A score counts in deviations from the window's mean. It gains up to `opening` where a day begins, a third of that
    `reach` exchanges later, and half as much where it is below the mean: who takes up a thing says there what it is. It
    loses `crowding` times ln(1 + r) where r others of the same day are better.
    """
    inside = np.flatnonzero(window)
    if not len(inside):
        return inside
    score, day = scores[inside], days[inside]
    score = (score - score.mean()) / (score.std() + 1e-9)
    score = score + opening * np.exp(-_places(day) / reach) * np.where(score > 0, 1.0, 0.5)
    order = np.lexsort((-score, day))
    better = np.empty(len(order))
    better[order] = _places(day[order])
    return np.asarray(inside[best_first(score - crowding * np.log1p(better))], np.int64)


def _places(day: NDArray[np.int64]) -> NDArray[np.int64]:
    """The place of each in its run of equal days, counted from 0."""
    at = np.arange(len(day))
    begins = np.r_[True, day[1:] != day[:-1]]
    return np.asarray(at - np.maximum.accumulate(np.where(begins, at, 0)), np.int64)
