"""What the user thinks of what the question is about: the beliefs that it names, the nearest first."""

from __future__ import annotations

from dataclasses import dataclass

from memfold.context.page import Page
from memfold.context.sections.section import Probed, Shared
from memfold.context.types import Piece
from memfold.given import check_least
from memfold.retrieve.beliefs import beliefs_of


@dataclass(frozen=True)
class HeldBeliefs(Shared):
    """The first `most` beliefs. Speaks where the layer `beliefs` is there and the question asks for a feeling, a liking
    or advice."""

    share: float = 0.05
    most: int = 6

    label = "What the user thinks"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_least(self, most=1)

    def fill(self, probed: Probed, page: Page) -> None:
        """Offer the beliefs by their summaries, each with its newest statement's exchange."""
        episodes = probed.view.episodes
        fitting = beliefs_of(probed.view).fit(probed.asked.query.text, probed.asked.vectors[0])[: self.most]
        for unit in page.patiently(fitting):
            exchange = unit.evidence[-1].exchange_id
            ids = episodes.ids_of(exchange)
            text = unit.summary + (f" ({unit.reason})" if unit.reason else "")
            page.add(Piece(exchange, ids, "belief", text))
