"""Where the conversation stands, as far as it bears on the question: what was required, forbidden, settled, given up
and why, and what is open; all of it, the newest first, where the question asks for that."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memfold.context.page import Page
from memfold.context.sections.section import Probed, Shared
from memfold.context.types import Piece
from memfold.given import check_least
from memfold.layers.state.shown import labelled
from memfold.layers.state.stated import Stated
from memfold.once import derived
from memfold.retrieve.state import state_of
from memfold.retrieve.view import View
from memfold.text.terms import terms

# Requirements are standing orders, which have a section of their own.
KINDS = ("excluded", "constraint", "conclusion", "question", "fact")
_ASKS: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = (
    (
        re.compile(
            r"\bwhere (?:do|are) (?:we|I|things)\b|\b(?:current|overall) (?:state|status)\b|\bso far\b"
            r"|\bwhat (?:have|did) (?:we|I) (?:decide|settle|agree)|目前(?:进展|情况|状态)|进展如何|到目前为止|聊到哪",
            re.IGNORECASE,
        ),
        KINDS,
    ),
    (
        re.compile(
            r"\brul(?:e[ds]?|ing) out\b|\breject(?:ed|ing)?\b|\bexclud(?:ed|ing)\b|\bdecided against\b"
            r"|\bgave up on\b"
            r"|排除|否决|放弃|不考虑",
            re.IGNORECASE,
        ),
        ("excluded",),
    ),
    (
        re.compile(
            r"\b(?:still|left) (?:open|undecided|unresolved|to (?:decide|clarify))\b"
            r"|\bopen (?:questions?|points?|issues?)\b"
            r"|待(?:确认|定)|还没(?:定|决定|确认|解决)|悬而未决",
            re.IGNORECASE,
        ),
        ("question",),
    ),
    (
        re.compile(r"\bconstraints?\b|\blimits?\b|\blimitations?\b|约束|限制|要求", re.IGNORECASE),
        ("constraint",),
    ),
)


@dataclass(frozen=True)
class StateOfThings(Shared):
    """The entries that bear on the question: at least `bearing` of its words are among theirs, or they are of what was
    given up in one of the `closest` exchanges. At most `most`."""

    share: float = 0.04
    most: int = 8
    bearing: float = 0.3
    closest: int = 6

    label = "Where the conversation stands"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_least(self, most=0, closest=0)

    def fill(self, probed: Probed, page: Page) -> None:
        """Offer the entries, those first that bear most."""
        episodes = probed.view.episodes
        if not self.share or not self.most:
            return
        for entry in page.patiently(self._chosen(probed)):
            ids, day = episodes.ids_of(entry.exchange_id), episodes.day_of(entry.exchange_id)
            page.add(Piece(entry.exchange_id, ids, entry.kind, labelled(entry), day))

    def _chosen(self, probed: Probed) -> list[Stated]:
        asked = frozenset(terms(probed.asked.query.topic))
        wanted = {
            kind for pattern, kinds in _ASKS if pattern.search(probed.asked.query.text) for kind in kinds
        }
        episodes, order = probed.view.episodes, probed.ranking.order
        near = set(episodes.exchange_id[order[: self.closest]].tolist())
        chosen = []
        for entry, words in _holding(probed.view):
            share = 0.0 if words.isdisjoint(asked) else len(asked & words) / len(asked)
            given_up = entry.kind == "excluded" and entry.exchange_id in near
            if share >= self.bearing or entry.kind in wanted or given_up:
                chosen.append((share + (entry.kind in wanted), entry))
        chosen.sort(key=lambda each: (-each[0], -each[1].exchange_id, KINDS.index(each[1].kind)))
        return [entry for _, entry in chosen if entry.exchange_id in episodes][: self.most]


@derived
def _holding(view: View) -> list[tuple[Stated, frozenset[str]]]:
    """What holds of these kinds, with its words; nothing where the conversation was indexed without the layer."""
    state = state_of(view)
    if state is None:
        return []
    said = zip(state.entries, state.words, strict=True)
    return [(entry, words) for entry, words in said if entry.state == "holds" and entry.kind in KINDS]
