"""Where the conversation stands, as far as it bears on the question: what was required, forbidden, settled, given up
and why, and what is open; all of it, the newest first, where the question asks for that."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from memfold.context.page import Page, Patience
from memfold.context.sections.section import Probed, Shared, at_least
from memfold.context.types import Piece
from memfold.layers.state.history import Stated
from memfold.layers.state.shown import labelled
from memfold.text.terms import terms
from memfold.text.units import KEPT

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

    def __post_init__(self) -> None:
        super().__post_init__()
        at_least("state", self, most=0, closest=0)

    @property
    def label(self) -> str:
        """See `Section.label`."""
        return "Where the conversation stands"

    def fill(self, probed: Probed, page: Page) -> None:
        """Offer the entries, those first that bear most."""
        episodes, patience = probed.view.episodes, Patience()
        if not self.share or not self.most:
            return
        for entry in self._chosen(probed):
            ids = episodes.message_ids[episodes.position(entry.exchange_id)]
            piece = Piece(entry.exchange_id, ids, entry.kind, labelled(entry))
            if not patience.after(page.add(piece, episodes.day_of(entry.exchange_id))):
                return

    def _chosen(self, probed: Probed) -> list[Stated]:
        state = probed.view.state
        if state is None:
            return []
        episodes = probed.view.episodes
        held = [e for kind in KINDS for e in state.holding(kind) if e.exchange_id in episodes]
        asked = frozenset(terms(probed.asked.query.topic))
        wanted = {
            kind for pattern, kinds in _ASKS if pattern.search(probed.asked.query.text) for kind in kinds
        }
        near = set(episodes.exchange_id[probed.ranking.order[: self.closest]].tolist())
        chosen = []
        for entry in held:
            share = self._bears(entry, asked)
            given_up = entry.kind == "excluded" and entry.exchange_id in near
            if share >= self.bearing or entry.kind in wanted or given_up:
                chosen.append((share + (entry.kind in wanted), entry))
        chosen.sort(key=lambda each: (-each[0], -each[1].exchange_id))
        return [entry for _, entry in chosen[: self.most]]

    def _bears(self, entry: Stated, asked: frozenset[str]) -> float:
        """The share of the question's words that an entry has."""
        return len(asked & _words(f"{entry.about or ''} {entry.text}")) / max(len(asked), 1)


# The same entries are held against every question.
@lru_cache(maxsize=KEPT)
def _words(text: str) -> frozenset[str]:
    return frozenset(terms(text))
