"""What a search gives: all exchanges of a conversation, best first, and why each stands where it does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from memfold.once import kept
from memfold.retrieve.best import best_first
from memfold.retrieve.episodes import Episodes
from memfold.retrieve.lexical import Scores


@dataclass(frozen=True, slots=True)
class Hit:
    """One exchange found: `score` compares within one search only, `text` is what the user said."""

    exchange_id: int
    message_ids: tuple[str, ...]
    score: float
    text: str
    why: dict[str, float]


@dataclass(frozen=True, eq=False)
class Ranking:
    """`scores` belongs to positions in the episodes. `parts` are what the scores, or the places, are made of, by arm
    and step, also by position. `placed` is the order where that is not the scores' own."""

    scores: Scores
    parts: Mapping[str, Scores]
    placed: NDArray[np.int64] | None = None

    @staticmethod
    def of(parts: Mapping[str, Scores], exchanges: int) -> Ranking:
        """By the sum of some parts, each of shape (exchanges,)."""
        scores = np.zeros(exchanges)
        for part in parts.values():
            scores += part
        return Ranking(scores, parts)

    @kept
    def order(self) -> NDArray[np.int64]:
        """Positions, best first. Sorted when it is asked for: a step that adds to the scores has no use for the order
        before it."""
        return best_first(self.scores) if self.placed is None else self.placed

    def plus(self, name: str, part: Scores) -> Ranking:
        """The ranking anew, with `part` added to the scores."""
        return Ranking(self.scores + part, {**self.parts, name: part})

    def raised(self, position: int, place: int) -> Ranking:
        """With `position` at `place` of the order, counted from 0, unless it stands higher already."""
        now = int(np.flatnonzero(self.order == position)[0])
        if now <= place:
            return self
        above, between, below = self.order[:place], self.order[place:now], self.order[now + 1 :]
        return replace(self, placed=np.concatenate([above, [position], between, below]))

    def why(self, position: int) -> dict[str, float]:
        """What moved one exchange to its place: each part's share of its score."""
        return {name: round(float(part[position]), 4) for name, part in self.parts.items() if part[position]}


def hits(episodes: Episodes, ranking: Ranking, k: int) -> list[Hit]:
    """The first `k` exchanges of a ranking."""
    return [
        Hit(
            int(episodes.exchange_id[i]),
            episodes.message_ids[i],
            float(ranking.scores[i]),
            episodes.user_text[i],
            ranking.why(i),
        )
        for i in map(int, ranking.order[:k])
    ]
