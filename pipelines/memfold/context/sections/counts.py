"""The numbers that a question asks to count or to add up: every sentence that names one, and what they come to."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice

from memfold.context.page import Page, Patience
from memfold.context.sections.section import Probed, Shared, at_least
from memfold.context.types import Piece
from memfold.retrieve.reckon import Amount, amounts, asked_unit, tallies
from memfold.retrieve.steps.dates import said_outside
from memfold.text.terms import terms

# What is reckoned stands under a label of its own, which no message can forge.
RECKONED = "Added up from the numbers above, whether or not they belong together"


@dataclass(frozen=True)
class Counts(Shared):
    """Reads down the ranking to the first `considered` sentences that name a number of the thing asked for, and shows
    up to `most` that hold at least a `bearing` share of the question's words. When the question names a range of dates
    with at least `minimum` exchanges, only those exchanges are read."""

    share: float = 0.2
    considered: int = 60
    bearing: float = 0.2
    most: int = 14
    minimum: int = 5

    def __post_init__(self) -> None:
        super().__post_init__()
        at_least("counts", self, considered=0, most=1, minimum=0)

    @property
    def label(self) -> str:
        """See `Section.label`."""
        return "Numbers of what is asked about"

    def fill(self, probed: Probed, page: Page) -> None:
        """Offer the sentences that name a number, then what the numbers come to."""
        query, episodes, patience = probed.asked.query, probed.view.episodes, Patience()
        unit = asked_unit(query.text)
        if unit is None or query.typed.kind != "count":
            return
        shown: list[Amount] = []
        for _, position, each in self._found(probed, unit)[: self.most]:
            piece = Piece(each.exchange_id, episodes.message_ids[position], "user", each.text)
            taken = page.add(piece, episodes.day(position))
            shown += [each] if taken else []
            if not patience.after(taken):
                break
        page.begin(RECKONED, self.share)
        for tally in tallies(shown):
            last = max(exchange for _, ids in tally.mentions for exchange in ids)
            ids = episodes.message_ids[episodes.position(last)]
            page.add(Piece(last, ids, "reckoned", str(tally)))

    def _found(self, probed: Probed, unit: str) -> list[tuple[float, int, Amount]]:
        """Sentences with amounts, those first that hold most of the question's words: (-share, position, amount)."""
        episodes, dates = probed.view.episodes, probed.asked.query.dates
        outside = said_outside(episodes, dates, self.minimum) if dates else None
        wanted = set(terms(probed.asked.query.topic)) - set(terms(unit))
        named = [name for groups in _WHO.findall(probed.asked.query.text) for name in groups if name]
        found: list[tuple[float, int, Amount]] = []
        places = (i for i in map(int, probed.ranking.order) if outside is None or not outside[i])
        named_numbers = (
            (position, each)
            for position in places
            for each in amounts(episodes.user_text[position], int(episodes.exchange_id[position]), unit)
        )
        for position, each in islice(named_numbers, self.considered):
            bearing = len(wanted.intersection(terms(each.text))) / max(len(wanted), 1)
            # Who did it with the user is named in what is counted.
            if bearing >= self.bearing and all(name in each.text for name in named):
                found.append((-bearing, position, each))
        return sorted(found, key=lambda row: row[0])


_WHO = re.compile(r"\b([A-Z][a-z]+) and I\b|\bI and ([A-Z][a-z]+)\b|\bwith ([A-Z][a-z]+)\b")
