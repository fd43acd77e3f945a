"""The step that gives the standing orders that fit the question best a place near the top: an order such as "always
answer in euros" shares no words with the questions it is about."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from memfold.given import check_least
from memfold.retrieve.query import Asked
from memfold.retrieve.ranking import Ranking
from memfold.retrieve.standing import standing_of
from memfold.retrieve.view import View


@dataclass(frozen=True)
class Orders:
    """The `slots` instructions that fit best, with a cosine of at least `minimum`, are moved up to place `rank` or
    just above it if they rank lower; `rank` 0 turns the step off."""

    rank: int = 15
    slots: int = 2
    minimum: float = 0.4

    def __post_init__(self) -> None:
        check_least(self, rank=0, slots=0)

    def apply(self, view: View, asked: Asked, ranking: Ranking) -> Ranking:
        """See `Step.apply`."""
        if not self.rank:
            return ranking
        placed = self._placed(view, asked)
        if not placed:
            return ranking
        part = np.zeros(len(ranking.scores))
        for place, (position, similarity) in enumerate(placed, max(self.rank - len(placed), 0)):
            part[position] = similarity
            ranking = ranking.raised(position, place)
        return replace(ranking, parts={**ranking.parts, "standing": part})

    def _placed(self, view: View, asked: Asked) -> list[tuple[int, float]]:
        """Positions of the exchanges whose instructions fit, best first, with their similarity."""
        found: dict[int, float] = {}
        for order, similarity in standing_of(view).fit(asked.vectors[0]):
            if similarity < self.minimum or len(found) == self.slots:
                break
            if order.kind == "instruction":
                found.setdefault(view.episodes.position(order.exchange_id), similarity)
        return list(found.items())
