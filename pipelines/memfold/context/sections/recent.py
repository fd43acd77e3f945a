"""Working memory, as in the paper: the newest exchanges, where the question is about now."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memfold.context.page import Page
from memfold.context.sections.exchanges import add_answers, add_users, cutter
from memfold.context.sections.section import Probed, Shared, at_least

# "just" alone is most often "only".
_NOW = re.compile(
    r"\b(?:now|right now|currently|at the moment|at present|these days|latest|newest|most recent(?:ly)?|last time"
    r"|did\s+(?:I|we|you)\s+just|just\s+(?:now|said|told|asked|mentioned|talked|discussed|decided|finished)"
    r"|(?:our|my|your|the)\s+last\s+(?:message|question|answer|conversation|chat|exchange)s?)\b"
    r"|刚才|刚刚|现在|目前|当前|眼下|最近一次|最新",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Recent(Shared):
    """Shows the last `exchanges`, the newest first, while there is room: up to `limit` characters of the user's text,
    or `opening` where that does not fit, and `answer` characters of each answer, cut to what bears on the question.
    Speaks only when the question is about now."""

    share: float = 0.05
    exchanges: int = 4
    limit: int = 600
    opening: int = 240
    answer: int = 240

    def __post_init__(self) -> None:
        super().__post_init__()
        at_least("recent", self, exchanges=0, limit=1, opening=1, answer=1)

    @property
    def label(self) -> str:
        return "Most recent exchanges"

    def fill(self, probed: Probed, page: Page) -> None:
        """Offer the newest exchanges, then the answers to them."""
        episodes = probed.view.episodes
        if not about_now(probed.asked.query.text):
            return
        newest = range(len(episodes) - 1, max(len(episodes) - self.exchanges, 0) - 1, -1)
        ranks = [(n, i) for n, i in enumerate(newest) if int(episodes.exchange_id[i]) not in page.said]

        by = cutter(probed, focused=True)

        def texts(rank: int, said: str) -> list[str]:
            return [by.cut(said, self.limit), by.line(said, self.opening)]

        add_users(page, episodes, ranks, texts)
        add_answers(page, probed, ranks, self.answer, by)


def about_now(question: str) -> bool:
    """Whether a question is about now, read from its words."""
    return bool(_NOW.search(question))
