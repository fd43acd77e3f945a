"""The step that prefers what a speaker said if the question names that speaker: "What did Ann buy?"."""

from __future__ import annotations

from dataclasses import dataclass

from memfold.given import check_least
from memfold.retrieve.query import Asked, named_alone
from memfold.retrieve.ranking import Ranking
from memfold.retrieve.view import View


@dataclass(frozen=True)
class NamedSpeaker:
    """If several people speak and the question names one of them, the exchanges in which that person speaks gain
    `weight`. Its unit is one standard deviation of the scores."""

    weight: float = 0.8

    def __post_init__(self) -> None:
        check_least(self, weight=0)

    def apply(self, view: View, asked: Asked, ranking: Ranking) -> Ranking:
        """See `Step.apply`."""
        name = named_alone(asked.question, view.speakers) if self.weight else ""
        return ranking.plus("speaker", self.weight * (view.said_by == name)) if name else ranking
