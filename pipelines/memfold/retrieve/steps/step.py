"""What a step is."""

from __future__ import annotations

from typing import Protocol

from memfold.retrieve.query import Asked
from memfold.retrieve.ranking import Ranking
from memfold.retrieve.view import View


class Step(Protocol):
    """Keeps nothing between questions: it is asked from any thread."""

    def apply(self, view: View, asked: Asked, ranking: Ranking) -> Ranking:
        """The ranking after the step, of the same exchanges. A step that adds to the scores orders them anew, so one
        that only moves places comes after all of those."""
        ...
