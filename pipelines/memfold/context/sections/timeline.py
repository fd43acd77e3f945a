"""What bears on the question in order of time, one short line each, so that many more exchanges are shown than by
whole texts: for questions that ask for an order, a summary, a count, a span or a period of time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memfold.context.outline import outline
from memfold.context.page import Page, Patience
from memfold.context.sections.exchanges import opening
from memfold.context.sections.section import Probed, Shared, at_least
from memfold.context.types import Piece
from memfold.errors import UserError
from memfold.retrieve.kinds import KINDS, kind
from memfold.retrieve.spread import spread
from memfold.retrieve.steps.dates import said_outside

# A piece and its day.
Line = tuple[Piece, str]
# Answers are read for so many exchanges at once; a context of 5,000 tokens shows about 45.
_BATCH = 16


@dataclass(frozen=True)
class TimeLine(Shared):
    """The share of the budget that the section may take for a question of each kind (`memfold.retrieve.kinds`); 0 is
    none. A line has up to `characters`; for a summary up to `summed`, and below it up to `told` of the points of the
    answer (`memfold.context.outline`). `crowding`, `opening` and `reach` spread the lines over the days
    (`memfold.retrieve.spread`). A range of dates counts if at least `minimum` exchanges were said inside it."""

    order: float = 0.9
    summary: float = 0.9
    span: float = 0.0
    count: float = 0.0
    period: float = 0.0
    characters: int = 250
    summed: int = 200
    told: int = 260
    crowding: float = 0.5
    opening: float = 2.0
    reach: float = 10.0
    minimum: int = 5

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in KINDS:
            share = getattr(self, name)
            if not 0 <= share <= 1:
                raise UserError(f"context.sections.timeline.{name} is {share}: give a share from 0 to 1")
        at_least("timeline", self, summed=1, told=0)
        if self.characters < 40 or self.reach <= 0:
            raise UserError("context.sections.timeline: give 40 characters or more, and a reach above 0")

    @property
    def label(self) -> str:
        return "In order of time"

    def fill(self, probed: Probed, page: Page) -> None:
        """Offer one line per exchange, spread over the days."""
        asked = kind(probed.asked.query.text, dated=probed.asked.query.dates is not None)
        share = getattr(self, asked) if asked else 0.0
        if not share:
            return
        page.begin(self.label, min(share, self.share))
        patience = Patience()
        for line, answers in self._lines(probed, asked == "summary"):
            taken = page.add(*line)
            if not patience.after(taken):
                return
            for answer in answers if taken else ():
                page.add(*answer)

    def _lines(self, probed: Probed, summary: bool) -> Iterator[tuple[Line, list[Line]]]:
        """What the user said in one exchange, and for a summary the points of each answer, with their day."""
        episodes, order = probed.view.episodes, self._order(probed)
        characters = self.summed if summary else self.characters
        for batch in (order[at : at + _BATCH].tolist() for at in range(0, len(order), _BATCH)):
            exchanges = episodes.exchange_id[batch].tolist()
            messages = probed.view.said(exchanges) if summary and self.told else {}
            for position, exchange in zip(batch, exchanges, strict=True):
                day, ids = episodes.day(position), episodes.message_ids[position]
                said = Piece(exchange, ids, "user", opening(episodes.user_text[position], characters))
                answers = [
                    (Piece(exchange, (m.message_id,), "assistant", outline(m.text, self.told)), day)
                    for m in messages.get(exchange, ())
                    if m.role == "assistant" and m.current
                ]
                yield (said, day), answers

    def _order(self, probed: Probed) -> NDArray[np.int64]:
        episodes, dates = probed.view.episodes, probed.asked.query.dates
        outside = said_outside(episodes, dates, self.minimum) if dates else None
        window = np.ones(len(episodes), np.bool_) if outside is None else ~outside
        return spread(
            probed.ranking.scores, episodes.days, window,
            crowding=self.crowding, opening=self.opening, reach=self.reach,
        )  # fmt: skip
