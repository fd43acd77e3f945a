"""What bears on the question in order of time, one short line each, so that many more exchanges are shown than by
whole texts: for questions that ask for an order, a summary, a count, a span or a period of time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memfold.context.page import Page
from memfold.context.sections.exchanges import add_briefs
from memfold.context.sections.section import Probed, Shared
from memfold.errors import SettingError
from memfold.given import check_least
from memfold.retrieve.spread import spread
from memfold.retrieve.steps.dates import of_other_times
from memfold.retrieve.written import written_of


@dataclass(frozen=True)
class TimeLine(Shared):
    """Off except for kinds of questions whose settings give it a share (`context.kinds`).

    An exchange shows the line that a model wrote of it, if `written` and there is one. Else it shows up to `characters`
    letters of what the user said, and below that up to `told` letters of the points of each answer
    (`memfold.context.outline`; 0 is none). `crowding`, `opening` and `reach` spread the lines over the days
    (`memfold.retrieve.spread`). When the question names a time to which exchanges belong (`of_other_times`), only those
    are shown.
    """

    share: float = 0.0
    written: bool = True
    characters: int = 250
    told: int = 0
    crowding: float = 0.5
    opening: float = 2.0
    reach: float = 10.0

    label = "In order of time"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_least(self, told=0, characters=40)
        if self.reach <= 0:
            raise SettingError(self, f"reach is {self.reach}: give more than 0")

    def fill(self, probed: Probed, page: Page) -> None:
        """Offer one line per exchange, spread over the days."""
        if not self.share:
            return
        written = written_of(probed.view) if self.written else {}
        add_briefs(page, probed, self._order(probed).tolist(), written, self.characters, self.told)

    def _order(self, probed: Probed) -> NDArray[np.int64]:
        episodes, query = probed.view.episodes, probed.asked.query
        window = np.ones(len(episodes), np.bool_)
        if query.stretch:
            window = np.isin(np.arange(len(episodes)), probed.ranking.order)
        elif (outside := of_other_times(probed.view, probed.asked)) is not None:
            window = ~outside
        return spread(
            probed.ranking.scores, episodes.days, window,
            crowding=self.crowding, opening=self.opening, reach=self.reach,
        )  # fmt: skip
