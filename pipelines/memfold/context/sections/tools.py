"""What an agent's tools were asked and returned, and what the agent wrote beside them: the passages that answer best.

An agent's history has few words of the user's, by which exchanges are found, and a hundred messages under each of them.
So what stands here is chosen by its own words and by how near its exchange is. Silent where no tool was used.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from memfold.context.page import PATIENCE, Page
from memfold.context.sections.exchanges import focus, only_calls
from memfold.context.sections.passages import message_of, offer
from memfold.context.sections.section import Probed, Shared, at_least
from memfold.errors import UserError
from memfold.retrieve.best import best_first

# How many passages are looked at for one that is shown: a message found may hold several.
_READ = 3


@dataclass(frozen=True)
class FromTools(Shared):
    """Shows one passage per message of a tool, or of the assistant in an exchange that used tools, up to `passages` on
    a page of the reference's size. Each has words of the question, and is worth at least the share `least` of the best
    one: the share of the best one's score by words, and `near` for the exchange that the search found best. `opening`
    is how many characters of the user's text stand above it."""

    share: float = 0.3
    passages: int = 24
    least: float = 0.4
    near: float = 0.5
    opening: int = 120

    label = "From tools"

    def __post_init__(self) -> None:
        super().__post_init__()
        at_least("tools", self, passages=0, near=0, opening=1)
        if not 0 <= self.least <= 1:
            raise UserError(f"context.sections.tools.least is {self.least}: give a share from 0 to 1")

    def fill(self, probed: Probed, page: Page) -> None:
        """Offer the best passages, each below its exchange's opening."""
        view = probed.view
        passages = view.passages if view.tools and self.passages else None
        if passages is None or not len(passages):
            return
        words = passages.scores(probed.asked)
        words[~view.of_tools] = 0.0
        if not words.any():
            return
        of_exchange = probed.ranking.scores[view.passages_at]
        low, high = probed.ranking.scores.min(), probed.ranking.scores.max()
        worth = words / words.max() + self.near * (of_exchange - low) / max(high - low, 1e-9)
        worth[words == 0] = 0.0
        left = max(round(self.passages * page.scale), 1)
        good = np.flatnonzero(worth >= self.least * float(worth.max()))
        good = good[best_first(worth[good])][: _READ * left]
        looked_for, seen, missed = focus(probed), set(page.told), 0
        for passage in map(passages.__getitem__, good.tolist()):
            if passage.message_id in seen or only_calls(message_of(probed, passage)):
                continue
            seen.add(passage.message_id)
            taken = offer(probed, page, passage, looked_for, self.opening)
            left -= taken
            missed += not taken
            if not left or missed > PATIENCE:
                return
