"""What bears on the question in order of time, one short line each, so that many more exchanges are shown than by
whole texts: for questions that ask for an order, a summary, a count, a span or a period of time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memfold.context.page import Page, Patience
from memfold.context.sections.exchanges import opening
from memfold.context.sections.section import Probed, Shared
from memfold.context.types import Piece
from memfold.errors import UserError
from memfold.retrieve.spread import spread
from memfold.retrieve.steps.dates import said_outside


@dataclass(frozen=True)
class TimeLine(Shared):
    """Off but for kinds of questions whose settings give it a share (`context.kinds`). A line has up to `characters`.
    `crowding`, `opening` and `reach` spread the lines over the days (`memfold.retrieve.spread`). A range of dates
    counts if at least `minimum` exchanges were said inside it."""

    share: float = 0.0
    characters: int = 250
    crowding: float = 0.5
    opening: float = 2.0
    reach: float = 10.0
    minimum: int = 5

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.characters < 40 or self.reach <= 0:
            raise UserError("context.sections.timeline: give 40 characters or more, and a reach above 0")

    @property
    def label(self) -> str:
        return "In order of time"

    def fill(self, probed: Probed, page: Page) -> None:
        """Offer one line per exchange, spread over the days."""
        if not self.share:
            return
        patience = Patience()
        for piece, day in self._lines(probed):
            if not patience.after(page.add(piece, day)):
                return

    def _lines(self, probed: Probed) -> Iterator[tuple[Piece, str]]:
        episodes = probed.view.episodes
        for position in map(int, self._order(probed)):
            text = opening(episodes.user_text[position], self.characters)
            exchange = int(episodes.exchange_id[position])
            yield Piece(exchange, episodes.message_ids[position], "user", text), episodes.day(position)

    def _order(self, probed: Probed) -> NDArray[np.int64]:
        episodes, dates = probed.view.episodes, probed.asked.query.dates
        outside = said_outside(episodes, dates, self.minimum) if dates else None
        window = np.ones(len(episodes), np.bool_) if outside is None else ~outside
        return spread(
            probed.ranking.scores, episodes.days, window,
            crowding=self.crowding, opening=self.opening, reach=self.reach,
        )  # fmt: skip
