"""Standing orders and preferences, those that fit the question best first: they bind every answer."""

from __future__ import annotations

from dataclasses import dataclass

from memfold.context.page import Page
from memfold.context.sections.section import Probed, Shared
from memfold.context.types import Piece


@dataclass(frozen=True)
class StandingOrders(Shared):
    share: float = 0.15

    @property
    def label(self) -> str:
        return "Standing orders and preferences"

    def fill(self, probed: Probed, page: Page) -> None:
        episodes, standing = probed.view.episodes, probed.view.standing
        for order, _ in standing.fit(probed.asked.vectors[0], episodes):
            exchange = int(standing.exchange_id[order])
            ids = episodes.message_ids[episodes.position(exchange)]
            page.add(Piece(exchange, ids, standing.kind[order], standing.text[order]))
