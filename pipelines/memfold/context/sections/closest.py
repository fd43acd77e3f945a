"""The exchanges that the search found best: all that the user said, and how the assistant answered."""

from __future__ import annotations

from dataclasses import dataclass

from memfold.context.page import Page
from memfold.context.sections.exchanges import add_answers, add_users, focus
from memfold.context.sections.section import Probed, Shared
from memfold.given import check_least


@dataclass(frozen=True)
class Closest(Shared):
    """The first `exchanges` of the ranking bring what the user said, up to `limit` characters of it or where that does
    not fit `opening`, and `answer` characters of each assistant message: those that bear on the question. Where it is
    asked what the assistant said, the first `deep` have `depth` characters instead: what was answered there is the
    answer, and of 15 steps a cut left 2. With `points` the others are cut to their headings and items (`Focus.steps`).
    On a page of another size than the reference, `exchanges` and `limit` are larger or smaller in proportion."""

    exchanges: int = 14
    limit: int = 4_000
    opening: int = 240
    answer: int = 600
    deep: int = 2
    depth: int = 2_400
    points: bool = False

    label = "Closest exchanges"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_least(self, exchanges=0, limit=1, opening=1, answer=1, deep=0, depth=1)

    def fill(self, probed: Probed, page: Page) -> None:
        """Offer the user's texts of the best exchanges, then the answers to them."""
        page.reached = round(self.exchanges * page.scale)
        limit = max(round(self.limit * page.scale), self.opening)
        ranks = list(enumerate(map(int, probed.ranking.order[: page.reached])))
        by = focus(probed)
        add_users(page, probed.view.episodes, ranks, by, limit, self.opening)
        if probed.asked.query.typed.told:
            add_answers(page, probed, ranks[: self.deep], self.depth, by.cut)
        add_answers(page, probed, ranks, self.answer, by.steps if self.points else by.cut)
