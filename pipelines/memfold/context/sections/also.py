"""The rest of the ranking, wide and shallow: a line of each exchange, until the page is full."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from memfold.context.page import Page
from memfold.context.sections.exchanges import (
    add_answers,
    add_briefs,
    add_first,
    add_returned,
    brief,
    cut,
    focus,
    piece_of,
)
from memfold.context.sections.section import Probed, Shared
from memfold.context.types import Piece
from memfold.given import check_least
from memfold.retrieve.written import written_of

# How many further answers are read for what is left, in multiples of those before.
_EXTRA = 6


@dataclass(frozen=True)
class AlsoSaid(Shared):
    """Begins in the ranking where the closest exchanges ended.

    Exchanges before place `whole` show up to `limit` letters of the user's text. All others show the line that a model
    wrote of them, if `written` and there is one, and else `opening` letters of the user's text. What room is left at
    the end of the ranking goes to `answer` letters of each assistant message, then of what each tool returned. `whole`
    and `limit` are for a page of the reference's size. With `told`, each exchange shows its line instead and, if no
    model wrote it, so many letters of the headings and items of each answer (`Focus.steps`).
    """

    whole: int = 30
    limit: int = 4_000
    opening: int = 240
    written: bool = True
    answer: int = 600
    told: int = 0

    label = "Also said"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_least(self, whole=0, limit=1, opening=1, answer=1, told=0)

    def fill(self, probed: Probed, page: Page) -> None:
        """Offer a text of each exchange of the rest of the ranking, then the answers to those on the page."""
        whole = round(self.whole * page.scale)
        limit = max(round(self.limit * page.scale), self.opening)
        episodes, reached = probed.view.episodes, page.reached
        said = {episodes.position(exchange) for exchange in page.said}

        def rest(ranks: int) -> Iterator[tuple[int, int]]:
            return enumerate(map(int, probed.ranking.order[reached : reached + ranks]), reached)

        written = written_of(probed.view) if self.written else {}
        unsaid = ((rank, position) for rank, position in rest(len(episodes)) if position not in said)

        def offered(rank: int, position: int) -> Iterator[Piece]:
            """The texts of one exchange, the longest first."""
            if rank < whole:
                yield piece_of(episodes, position, cut(episodes.user_text[position], limit))
            yield brief(episodes, position, written, self.opening)

        if self.told:
            positions = [position for _, position in unsaid]
            steps = focus(probed).steps
            tried = add_briefs(page, probed, positions, written, self.opening, self.told, steps)
        else:
            tried = add_first(page, unsaid, offered)
        if tried:
            add_answers(page, probed, rest(_EXTRA * max(reached, 1)), self.answer, cut)
            add_returned(page, probed, self.answer, cut)
