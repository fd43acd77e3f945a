"""What an agent's tools were asked and returned, and what the agent wrote beside them: the passages that answer best.

An agent's history has few words of the user's, by which exchanges are found, and a hundred messages under each of them.
So what stands here is chosen by its own words and by how near its exchange is. Silent where no tool was used.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial

import numpy as np

from memfold.context.page import PATIENCE, Page
from memfold.context.sections.exchanges import focus, only_calls
from memfold.context.sections.passages import message_of, offer
from memfold.context.sections.section import Probed, Shared
from memfold.given import check_least, check_shares
from memfold.retrieve.best import best_first
from memfold.retrieve.passages import exchanges_at, of_tools, passages_of
from memfold.text.machine import days_named, readable
from memfold.text.terms import Ids, hashed

# How many passages are looked at for one that is shown: a message found may hold several.
_READ = 3


@dataclass(frozen=True)
class FromTools(Shared):
    """Shows passages of tools' messages, and of the assistant's in an exchange that used tools, up to `passages` on a
    page of the reference's size, at most `each` of one message. Each has words of the question, and is worth at least
    the share `least` of the best one: the share of the best one's score by words, and `near` for the exchange that the
    search found best. A message of up to `whole` characters is shown whole, fewer on a smaller page. `opening` is how
    many characters of the user's text stand above it."""

    share: float = 0.3
    passages: int = 24
    each: int = 3
    whole: int = 2_400
    least: float = 0.4
    near: float = 0.5
    opening: int = 120

    label = "From tools"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_least(self, passages=0, each=1, whole=0, near=0, opening=1)
        check_shares(self, "least")

    def fill(self, probed: Probed, page: Page) -> None:
        """Offer the best passages, each below its exchange's opening."""
        view = probed.view
        passages = passages_of(view) if view.tools and self.passages else None
        if passages is None or not len(passages):
            return
        words = passages.bm25.scores(probed.asked.bags) + passages.bm25.score(_written(probed))
        words[~of_tools(view)] = 0.0
        words[np.isin(passages.exchange_id, [*probed.forgotten, *probed.outside])] = 0.0
        if not words.any():
            return
        of_exchange = probed.ranking.scores[exchanges_at(view)]
        low, high = probed.ranking.scores.min(), probed.ranking.scores.max()
        worth = words / words.max() + self.near * (of_exchange - low) / max(high - low, 1e-9)
        worth[words == 0] = 0.0
        left = max(round(self.passages * page.scale), 1)
        good = np.flatnonzero(worth >= self.least * float(worth.max()))
        good = good[best_first(worth[good])][: _READ * left]
        show = partial(offer, probed, page, looked_for=focus(probed), opening=self.opening)
        missed = 0
        shown = Counter(dict.fromkeys(page.told, self.each))
        whole = round(self.whole * min(page.scale, 1))
        for passage in map(passages.__getitem__, good.tolist()):
            message = message_of(probed, passage)
            if shown[passage.message_id] >= self.each or only_calls(message):
                continue
            first = not shown[passage.message_id]
            entire = passage._replace(start=0, end=len(message.text))
            all_of_it = first and len(message.text) <= whole and show(entire)
            shown[passage.message_id] += self.each if all_of_it else 1
            taken = all_of_it or show(passage)
            left -= taken
            missed += not taken
            if not left or missed > PATIENCE:
                return


def _written(probed: Probed) -> Ids:
    """The times and days that the question names, as programs write them, unless the question does so itself."""
    asked = probed.asked
    said = probed.view.episodes.dates
    known = said[~np.isnat(said)][-1:].tolist()
    today = asked.now.date() if asked.now else next(iter(known), None)
    text = " ".join((readable(asked.question), *days_named(asked.question, today)))
    return np.setdiff1d(hashed(text)[0], asked.bags[0])
