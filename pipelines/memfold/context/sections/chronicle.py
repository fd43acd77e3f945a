"""The chronicle: for a summary, what happened on the question's subject, by date, spread over all that was said.

Its lines are those of the scratchpad's nodes, an account of each node's span in few lines: on the finest level that has
no more of them than can be chosen among."""

from __future__ import annotations

from dataclasses import dataclass

from memfold.context.page import Page
from memfold.context.sections.section import Probed, Shared
from memfold.context.types import Piece
from memfold.given import check_least
from memfold.retrieve.best import best_first
from memfold.retrieve.scratchpad import chronicle_of


@dataclass(frozen=True)
class Chronicle(Shared):
    """Divides the conversation into `parts` equal parts and takes lines from each in turn, those nearest to the
    question first, until the share is full. Speaks only when the question is broad.
    Off by default: the rules' lines repeat what the exchanges say themselves."""

    share: float = 0.0
    parts: int = 12

    label = "What happened when"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_least(self, parts=1)

    def fill(self, probed: Probed, page: Page) -> None:
        """Offer dated lines, one of each part of the conversation in turn."""
        episodes = probed.view.episodes
        if not probed.asked.query.broad or not self.share or not len(episodes):
            return
        lines = [line for line in chronicle_of(probed.view) if line.exchange_id in episodes]
        positions = [episodes.position(line.exchange_id) for line in lines]
        turns: dict[int, int] = {}
        order: list[tuple[int, int, int]] = []
        for n in map(int, best_first(probed.ranking.scores[positions])):
            part = positions[n] * self.parts // len(episodes)
            turns[part] = turns.get(part, 0) + 1
            order.append((turns[part], len(order), n))
        for _, _, n in page.patiently(sorted(order)):
            line, ids = lines[n], episodes.message_ids[positions[n]]
            text = f"{line.day}: {line.text}" if line.day else line.text
            page.add(Piece(line.exchange_id, ids, "chronicle", text))
