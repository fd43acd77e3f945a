"""Forgetting: what fades out of contexts, by age, use and importance. Nothing is destroyed: erasure is a right, this is
a policy. A pure function of what a view shows, so that it is right as of any moment, and undone by asking without it.

Each exchange keeps 2^(−t/S) of itself: t is the days since it was said or last came back, S the half-life times one and
what it is worth (the curve of Ebbinghaus as MemoryBank has it, arXiv 2305.10250: S grows with each recall). An exchange
came back on each later day on which something near it was said: reading leaves no trace in a store, talking does.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date, datetime

import numpy as np
from numpy.typing import NDArray

from memfold.errors import SettingError
from memfold.given import check_least
from memfold.once import derived
from memfold.retrieve.beliefs import beliefs_of
from memfold.retrieve.episodes import Episodes
from memfold.retrieve.remember import Remembered
from memfold.retrieve.standing import standing_of
from memfold.retrieve.state import profile_of, state_of
from memfold.retrieve.view import View
from memfold.schema import MEMORY

# Exchanges that are compared with all others at once: 8,300 of 384 dimensions take 17 MB a block.
BLOCK = 512
# What is archived on a day, which a request names, is 66 kB where all 8,300 exchanges of 10M tokens are.
DAYS = 64
EPOCH = date(1970, 1, 1).toordinal()


@dataclass(frozen=True)
class Forgetting:
    """With `half_life` 0 days nothing is forgotten. `use` is what each later day on which an exchange came back adds to
    its worth, `importance` what each dated thing in it does; `near` is the cosine from which something is near. What
    has kept less than `least` of itself is archived: out of hits and contexts, unless it is asked for.

    Never archived is what something that holds rests on (a standing order, an entry of the profile or the state, the
    evidence of a belief), what is to come by its date, what a program filed, and what has no time.
    """

    half_life: float = 0.0
    use: float = 1.0
    importance: float = 1.0
    near: float = 0.6
    least: float = 0.25

    def __post_init__(self) -> None:
        check_least(self, half_life=0, use=0, importance=0)
        for name in ("near", "least"):
            if not 0 < getattr(self, name) <= 1:
                raise SettingError(self, f"{name} is {getattr(self, name)}: give more than 0, and 1 at most")

    def archived(self, view: View, now: datetime | None = None) -> NDArray[np.int64]:
        """The positions of the exchanges that are forgotten at `now` (None: when the conversation ended: a memory that
        is filed later does not go on with it)."""
        episodes = view.episodes
        if not self.half_life:
            return np.empty(0, np.int64)
        if now is not None:
            return self._faded(view, now.toordinal() - EPOCH)
        talked = ~np.isnat(episodes.said) & ~np.isin(episodes.exchange_id, view.spoke.by(MEMORY))
        return self._faded(view, int(episodes.days[talked].max())) if talked.any() else np.empty(0, np.int64)

    def _faded(self, view: View, day: int) -> NDArray[np.int64]:
        """`faded`, of which the view keeps the last days."""
        return _kept(view).get([(self, day)])[self, day]

    def faded(self, view: View, day: int) -> NDArray[np.int64]:
        """`archived` on a day, counted from 1970. Over 8,300 exchanges it takes a second; a view keeps it."""
        episodes = view.episodes
        known = ~np.isnat(episodes.said)
        # What is worth least fades to `least` in so many days; what is younger is kept without another look.
        old = np.flatnonzero(known & (day - episodes.days > self.half_life * -np.log2(self.least)))
        old = old[~np.isin(episodes.exchange_id[old], list(_resting(view, day)))]
        if not len(old):
            return old
        last, uses = came_back(episodes, old, self.near, day)
        noted = Counter([] if (rows := view.leaves("timeline")) is None else rows["exchange_id"].to_pylist())
        importance = np.array([noted[exchange] for exchange in episodes.exchange_id[old].tolist()])
        worth = 1 + self.use * uses + self.importance * importance
        return np.asarray(old[np.exp2(-(day - last) / (self.half_life * worth)) < self.least], np.int64)


def came_back(
    episodes: Episodes, of: NDArray[np.int64], near: float, until: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Of some positions: the last day, `until` at most, on which something near was said (its own where nothing was),
    and on how many later days. Days count from 1970."""
    last, uses = episodes.days[of].copy(), np.zeros(len(of), np.int64)
    for first in range(0, len(of), BLOCK):
        block = of[first : first + BLOCK]
        close = episodes.vectors[block] @ episodes.vectors.T >= near
        close &= (episodes.days > episodes.days[block, None]) & (episodes.days <= until)
        for place in np.flatnonzero(close.any(axis=1)):
            days = np.unique(episodes.days[close[place]])
            last[first + place], uses[first + place] = days[-1], len(days)
    return last, uses


@derived
def _kept(view: View) -> Remembered[tuple[Forgetting, int], NDArray[np.int64]]:
    return Remembered(lambda keys: [policy.faded(view, day) for policy, day in keys], DAYS)


def _resting(view: View, day: int) -> set[int]:
    """The exchanges that something rests on which holds, or is still to come on a day."""
    found = {order.exchange_id for order in standing_of(view).orders}
    found |= {source.exchange_id for entry in profile_of(view).entries for source in entry.said}
    if (state := state_of(view)) is not None:
        found |= {entry.exchange_id for entry in state.entries if entry.state == "holds"}
    found |= {said.exchange_id for belief in beliefs_of(view).held.units for said in belief.evidence}
    rows = view.leaves("timeline")
    if rows is not None:
        coming = zip(rows["exchange_id"].to_pylist(), rows["last"].to_pylist(), strict=True)
        found |= {exchange for exchange, last in coming if last.toordinal() - EPOCH >= day}
    return found | set(view.spoke.by(MEMORY).tolist())
