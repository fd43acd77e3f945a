"""What an arm is, and what every arm weighs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from memfold.retrieve.lexical import Scores
from memfold.retrieve.query import Asked
from memfold.retrieve.view import View


@dataclass(frozen=True)
class Weighed:
    """`weight` is an arm's share of the score, `chinese` that for a question in Chinese where it is another. Where the
    arm has something to say it takes its weight from the arms `instead_of` in equal parts."""

    weight: float = 0.5
    chinese: float | None = None
    instead_of: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        # A config has no tuples.
        object.__setattr__(self, "instead_of", tuple(self.instead_of))

    def share(self, language: str) -> float:
        """The weight for a question in a language, "zh" or another."""
        return self.chinese if language == "zh" and self.chinese is not None else self.weight


class Arm(Protocol):
    """See `Weighed` for the fields. An arm keeps nothing between questions: it is asked from any thread."""

    @property
    def weight(self) -> float:
        """The arm's share of the score, 0 to 1."""
        ...

    @property
    def instead_of(self) -> tuple[str, ...]:
        """The arms that give up weight where this one scores."""
        ...

    def share(self, language: str) -> float:
        """The weight for a question in a language, "zh" or another."""
        ...

    def score(self, view: View, asked: Asked) -> Scores | None:
        """How well each exchange of `view.episodes` answers, (n,) float64 on any scale, higher is better; None where
        the arm has nothing to say. It is not asked of a conversation without exchanges."""
        ...
