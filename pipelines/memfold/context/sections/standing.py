"""Standing orders, which bind every answer, and the preferences that fit the question: the best fit first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from memfold.context.page import Page
from memfold.context.sections.section import Probed, Shared
from memfold.context.types import BEFORE, Piece
from memfold.errors import SettingError
from memfold.given import check_least
from memfold.layers.orders import Order
from memfold.retrieve.named import EXCHANGES, named
from memfold.retrieve.standing import standing_of


@dataclass(frozen=True)
class StandingOrders(Shared):
    """Every order that holds, with no limit but the share of the budget, and at most `preferences` preferences, those
    that fit best. One that may contradict another says since when it holds. If the question names one thing of several
    of a kind, orders about it come first and orders about another of that kind last.

    People who talk to each other do not talk to the reader: where several speak and no assistant does, there are no
    orders, and of preferences those whose cosine to the question is at least `bearing`."""

    share: float = 0.15
    preferences: int = 8
    bearing: float = 0.3

    label = "Standing orders and preferences"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_least(self, preferences=0)
        if not -1 <= self.bearing <= 1:
            raise SettingError(self, f"bearing is {self.bearing}: give a cosine from -1 to 1")

    def fill(self, probed: Probed, page: Page) -> None:
        """Offer the orders that hold, the best fit first."""
        episodes = probed.view.episodes
        fitting = list(self._fitting(probed))
        said = {order.exchange_id: episodes.position(order.exchange_id) for order in fitting}
        texts = episodes.user_text
        near = map(int, probed.ranking.order[:EXCHANGES])
        if thing := named(probed.asked.query.text, [texts[i] for i in (*near, *said.values())]):
            # An order may name only the kind ("… at the café, by train"): its message then says which one.
            about = {
                order: thing.another(order.text) - thing.about(order.text, texts[said[order.exchange_id]])
                for order in fitting
            }
            fitting.sort(key=about.__getitem__)
        preferences = self.preferences
        for order in page.patiently(fitting):
            if order.kind == "preference":
                if not preferences:
                    continue
                preferences -= 1
            ids = episodes.message_ids[said[order.exchange_id]]
            # A date takes 12 tokens of a line's 29, and tells something only where two orders may be at odds.
            day = episodes.day_of(order.exchange_id) if order in standing_of(probed.view).rivals else ""
            told = [f"since {day}"] * bool(day) + [f"{BEFORE}{order.replaced}"] * bool(order.replaced)
            note = f" ({'; '.join(told)})" if told else ""
            page.add(Piece(order.exchange_id, ids, order.kind, order.text, note=note))

    def _fitting(self, probed: Probed) -> Iterator[Order]:
        view = probed.view
        for order, cosine in standing_of(view).fit(probed.asked.vectors[0]):
            if not view.among_people or (order.kind == "preference" and cosine >= self.bearing):
                yield order
