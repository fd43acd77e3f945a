"""The numbers that a question asks to count or to add up: every sentence that names one, and what they come to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain, islice

from memfold.context.focus import MARK
from memfold.context.page import Page
from memfold.context.sections.exchanges import piece_of
from memfold.context.sections.section import Probed, Shared
from memfold.context.types import Piece
from memfold.given import check_least
from memfold.retrieve.named import named
from memfold.retrieve.reckon import (
    HOURS,
    MONEY,
    Amount,
    amounts,
    asked_unit,
    asks_sum,
    asks_total,
    further,
    is_level,
    tallies,
)
from memfold.retrieve.sought import untrue
from memfold.retrieve.steps.dates import of_other_times
from memfold.text.sentences import around
from memfold.text.terms import terms

# What is reckoned stands under a label of its own, which no message can forge.
RECKONED = "Added up from the numbers above, whether or not they belong together"


@dataclass(frozen=True)
class Counts(Shared):
    """Reads down the ranking to the first `considered` sentences that name a number of the thing asked for, and shows
    up to `most` that hold at least a `bearing` share of the question's words. Where the question names one thing of
    several of a kind, a sentence must be about that; then, where a total is asked for, sentences that add a number to
    what was counted before count too ("another 21 of them"). When the question names a time to which
    exchanges belong (`of_other_times`), only those are read."""

    share: float = 0.2
    considered: int = 60
    bearing: float = 0.2
    most: int = 14

    label = "Numbers of what is asked about"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_least(self, considered=0, most=1)

    def fill(self, probed: Probed, page: Page) -> None:
        """Offer the sentences that name a number, then what the numbers come to if they add up."""
        query, episodes = probed.asked.query, probed.view.episodes
        unit = asked_unit(query.text)
        if unit is None or query.typed.kind != "count":
            return
        shown: list[Amount] = []
        for _, position, each in page.patiently(self._found(probed, unit)[: self.most]):
            if page.add(piece_of(episodes, position, each.text)):
                shown.append(each)
        if not asks_sum(query.text):
            return
        page.begin(RECKONED, self.share)
        found = tallies(shown, query.text)
        if sum(len(ids) for tally in found for _, ids in tally.mentions) < 2:
            return  # the sentence itself says as much
        for tally in found:
            last = max(exchange for _, ids in tally.mentions for exchange in ids)
            ids = episodes.ids_of(last)
            page.add(Piece(last, ids, "reckoned", str(tally)))

    def _found(self, probed: Probed, unit: str) -> list[tuple[float, int, Amount]]:
        """Sentences with amounts, those first that hold most of the question's words: (-share, position, amount)."""
        episodes = probed.view.episodes
        outside = of_other_times(probed.view, probed.asked)
        wanted = set(terms(probed.asked.query.topic)) - set(terms(unit))
        who = [name for groups in _WHO.findall(probed.asked.query.text) for name in groups if name]
        texts, ids = episodes.user_text, episodes.exchange_id
        order = probed.ranking.order
        order = order if outside is None else order[~outside[order]]
        thing = named(probed.asked.query.text, [texts[i] for i in order[: self.considered].tolist()])
        summed = thing is not None and asks_total(probed.asked.query.text)
        adds = summed and unit not in (MONEY, HOURS, "hours")
        found: dict[tuple[int, str, Decimal, str], tuple[float, int, Amount]] = {}
        named_numbers = (
            (position, each)
            for position in map(int, order)
            for each in chain(
                amounts(texts[position], int(ids[position]), unit),
                further(texts[position], int(ids[position]), unit) if adds else (),
            )
        )
        for position, each in islice(named_numbers, self.considered):
            bearing = len(wanted.intersection(terms(each.text))) / max(len(wanted), 1)
            about = bearing >= self.bearing if thing is None else thing.about(each.text, texts[position])
            if summed and (untrue(each.text) or is_level(each.text, probed.asked.query.text)):
                continue
            # Who did it with the user is named in what is counted.
            if about and _names(who, each.text, texts[position]):
                found.setdefault(
                    (each.exchange_id, each.text, each.value, each.unit), (-bearing, position, each)
                )
        return sorted(found.values(), key=lambda row: row[0])


def _names(who: Sequence[str], cut: str, message: str) -> bool:
    """Whether the sentence that `cut` is of names everybody, be it where the cut left it out."""
    if all(name in cut for name in who):
        return True
    if not all(name in message for name in who):
        return False
    shown, flat = cut.strip(f" {MARK}"), " ".join(message.split())
    at = max(flat.find(shown), 0)
    sentence = around(flat, at, at + len(shown), LONGEST)
    return all(name in sentence for name in who)


# Sentences are looked at up to so many characters for who is named in them: people do not always end theirs.
LONGEST = 1_200
_WHO = re.compile(r"\b([A-Z][a-z]+) and I\b|\bI and ([A-Z][a-z]+)\b|\bwith ([A-Z][a-z]+)\b")
