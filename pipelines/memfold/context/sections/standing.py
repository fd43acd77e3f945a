"""Standing orders and preferences, which bind every answer: those that fit the question best first, the rest while
there is room."""

from __future__ import annotations

from dataclasses import dataclass

from memfold.context.page import Page, Patience
from memfold.context.sections.section import Probed, Shared
from memfold.context.types import Piece


@dataclass(frozen=True)
class StandingOrders(Shared):
    """Every order that holds, with no limit but the share of the budget."""

    share: float = 0.15

    @property
    def label(self) -> str:
        """See `Section.label`."""
        return "Standing orders and preferences"

    def fill(self, probed: Probed, page: Page) -> None:
        """Offer the orders that hold, the best fit first."""
        episodes, patience = probed.view.episodes, Patience()
        for order, _ in probed.view.standing.fit(probed.asked.vectors[0]):
            ids = episodes.message_ids[episodes.position(order.exchange_id)]
            text = f"{order.text} (before: {order.replaced})" if order.replaced else order.text
            if not patience.after(page.add(Piece(order.exchange_id, ids, order.kind, text))):
                return
