"""What a section is, and what it sees of a probe."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from memfold.context.page import Page
from memfold.given import check_shares
from memfold.retrieve.notes import Notes
from memfold.retrieve.query import Asked
from memfold.retrieve.ranking import Ranking
from memfold.retrieve.view import View


class Probed(Protocol):
    """What a section is written from."""

    @property
    def view(self) -> View:
        """The open conversation."""
        ...

    @property
    def asked(self) -> Asked:
        """The question, analysed and embedded."""
        ...

    @property
    def ranking(self) -> Ranking:
        """All exchanges of the conversation, best first."""
        ...

    @property
    def notes(self) -> Notes:
        """The notes chosen for this question, the nearest first."""
        ...

    @property
    def forgotten(self) -> frozenset[int]:
        """The numbers of the exchanges that are archived: no section may show them."""
        ...

    @property
    def outside(self) -> frozenset[int]:
        """The numbers of the exchanges that the question is not about: only their orders and profile are shown."""
        ...


@dataclass(frozen=True)
class Shared:
    """`share` is how much of the budget the section may take at most, of what those before it have left."""

    share: float = 1.0

    def __post_init__(self) -> None:
        check_shares(self, "share")


class Section(Protocol):
    """Keeps nothing between questions: it is asked from any thread."""

    @property
    def label(self) -> str:
        """What stands above the section; its own among the sections."""
        ...

    @property
    def share(self) -> float:
        """The largest part of the budget that the section may take, 0 to 1."""
        ...

    def fill(self, probed: Probed, page: Page) -> None:
        """Offer the page pieces, those first that matter most. The page says of each whether it was taken, so that a
        section can offer a shorter one, or stop."""
        ...
