"""What bears on the question in order of time, one short line each, so that many more exchanges are shown than by
whole texts: for questions that ask for an order, a summary, a count, a span or a period of time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memfold.context.outline import outline
from memfold.context.page import Page, Patience
from memfold.context.sections.exchanges import brief
from memfold.context.sections.section import Probed, Shared, at_least
from memfold.context.types import Piece
from memfold.errors import UserError
from memfold.retrieve.spread import spread
from memfold.retrieve.steps.dates import said_outside

# A piece and its day.
Line = tuple[Piece, str]
# Exchanges whose answers are read at once; a context of 5,000 tokens shows about 45.
_BATCH = 16


@dataclass(frozen=True)
class TimeLine(Shared):
    """Off except for kinds of questions whose settings give it a share (`context.kinds`).

    An exchange shows the line that a model wrote of it, if `written` and there is one. Else it shows up to `characters`
    letters of what the user said, and below that up to `told` letters of the points of each answer
    (`memfold.context.outline`; 0 is none). `crowding`, `opening` and `reach` spread the lines over the days
    (`memfold.retrieve.spread`). A range of dates counts if at least `minimum` exchanges were said inside it.
    """

    share: float = 0.0
    written: bool = True
    characters: int = 250
    told: int = 0
    crowding: float = 0.5
    opening: float = 2.0
    reach: float = 10.0
    minimum: int = 5

    def __post_init__(self) -> None:
        super().__post_init__()
        at_least("timeline", self, told=0)
        if self.characters < 40 or self.reach <= 0:
            raise UserError("context.sections.timeline: give 40 characters or more, and a reach above 0")

    @property
    def label(self) -> str:
        """See `Section.label`."""
        return "In order of time"

    def fill(self, probed: Probed, page: Page) -> None:
        """Offer one line per exchange, spread over the days."""
        if not self.share:
            return
        patience = Patience()
        for line, answers in self._lines(probed):
            taken = page.add(*line)
            if not patience.after(taken):
                return
            for answer in answers if taken else ():
                page.add(*answer)

    def _lines(self, probed: Probed) -> Iterator[tuple[Line, list[Line]]]:
        """The line of each exchange and, where no model wrote it, the points of the answers; each with its day."""
        episodes, order = probed.view.episodes, self._order(probed)
        written = probed.view.written if self.written else {}
        for batch in (order[at : at + _BATCH].tolist() for at in range(0, len(order), _BATCH)):
            exchanges = episodes.exchange_id[batch].tolist()
            untold = [exchange for exchange in exchanges if exchange not in written]
            messages = probed.view.said(untold) if self.told and untold else {}
            for position, exchange in zip(batch, exchanges, strict=True):
                day = episodes.day(position)
                answers = [
                    (Piece(exchange, (m.message_id,), "assistant", outline(m.text, self.told)), day)
                    for m in messages.get(exchange, ())
                    if m.role == "assistant" and m.current
                ]
                yield (brief(episodes, position, written, self.characters), day), answers

    def _order(self, probed: Probed) -> NDArray[np.int64]:
        episodes, dates = probed.view.episodes, probed.asked.query.dates
        outside = said_outside(episodes, dates, self.minimum) if dates else None
        window = np.ones(len(episodes), np.bool_) if outside is None else ~outside
        return spread(
            probed.ranking.scores, episodes.days, window,
            crowding=self.crowding, opening=self.opening, reach=self.reach,
        )  # fmt: skip
