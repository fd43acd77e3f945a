"""Working memory, as in the paper: the newest exchanges of the session that is going on, and its points, where the
question is about now or is asked in the course of the conversation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from memfold.context.page import Page
from memfold.context.sections.exchanges import add_answers, add_users, focus
from memfold.context.sections.section import Probed, Shared
from memfold.context.types import Piece
from memfold.given import check_least
from memfold.layers.state.shown import labelled
from memfold.moment import hours
from memfold.retrieve.recent import newest, points
from memfold.retrieve.state import state_at

# "just" alone is most often "only".
_NOW = re.compile(
    r"\b(?:now|right now|currently|at the moment|at present|these days|latest|newest|most recent(?:ly)?"
    r"|last time"
    r"|did\s+(?:I|we|you)\s+just|just\s+(?:now|said|told|asked|mentioned|talked|discussed|decided|finished)"
    r"|(?:our|my|your|the)\s+last\s+(?:message|question|answer|conversation|chat|exchange)s?)\b"
    r"|刚才|刚刚|现在|目前|当前|眼下|最近一次|最新",
    re.IGNORECASE,
)

_TURN = re.compile(
    r"\W*(?:(?:ok(?:ay)?|anyway|well|thanks?|thank you|alright)\b[\s,.!]*)*(?:(?:on|about) (?:another"
    r"|a different) (?:note|topic|subject|matter)"
    r"|(?:let's|let us|can we|I(?:'d| would) like to) (?:switch|change|move on|talk about something else)"
    r"|(?:new|different|another|next|separate) (?:topic|subject|question|task|matter)\b"
    r"|something (?:else|different)\b|moving on\b"
    r"|forget (?:about )?(?:that|it)\b|by the way\b|before I forget\b|(?:a )?(?:quick|separate) question\b)"
    r"|\W*(?:好的?[，,。]?|谢谢[，,。]?|先不说这个[，,]?)*(?:换个(?:话题|问题)|另(?:外|一个)?(?:问|有)|说(?:个|点)别的|再问(?:一)?个(?:别的)?"
    r"|先不(?:说|管|聊|订|办)|顺便(?:问|说)|对了)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Recent(Shared):
    """Shows the last `exchanges` of the session, the newest first, while there is room: up to `limit` characters of the
    user's text, or `opening` where that does not fit, and `answer` characters of each answer, cut to what bears on the
    question; then up to `points` entries of the state that were confirmed in it. Silent where the session is idle for
    `idle` hours, and where the question is neither about now nor asked in the conversation's course; what the user
    turned away from in so many words is not shown."""

    share: float = 0.05
    exchanges: int = 8
    points: int = 5
    idle: float = 24.0
    limit: int = 600
    opening: int = 240
    answer: int = 240

    label = "Most recent exchanges"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_least(self, exchanges=0, points=0, idle=0, limit=1, opening=1, answer=1)

    def fill(self, probed: Probed, page: Page) -> None:
        """Offer the newest exchanges, then the answers to them, then the points."""
        view, episodes, now = probed.view, probed.view.episodes, probed.asked.now
        session, later = view.active(now, hours(self.idle)), view.later(now)
        if session is None or not (now or about_now(probed.asked.query.text)):
            return
        last = [
            episodes.position(each) for each in newest(session, episodes.exchange_id.tolist(), self.exchanges)
        ]
        if now:
            last = since_turn(last, episodes.user_text)
        ranks = [
            (n, i) for n, i in enumerate(reversed(last)) if int(episodes.exchange_id[i]) not in page.said
        ]
        by = focus(probed)
        add_users(page, episodes, ranks, by, self.limit, self.opening)
        # The answer to what was said last may come after the question that is asked now.
        whole = [(n, i) for n, i in ranks if later is None or int(episodes.exchange_id[i]) < later[1]]
        add_answers(page, probed, whole, self.answer, by.cut)
        first = int(episodes.exchange_id[last[0]]) if last else 0
        for entry in points(state_at(view, now), session, self.points):
            if entry.exchange_id >= first and entry.exchange_id in episodes:
                ids = episodes.ids_of(entry.exchange_id)
                page.add(Piece(entry.exchange_id, ids, entry.kind, labelled(entry)))


def since_turn(positions: Sequence[int], said: Sequence[str]) -> list[int]:
    """Of some exchanges, in order, those since the user last turned to something else in so many words."""
    turns = [place for place, position in enumerate(positions) if _TURN.match(said[position])]
    return list(positions[turns[-1] if turns else 0 :])


def about_now(question: str) -> bool:
    """Whether a question is about now, read from its words."""
    return bool(_NOW.search(question))
