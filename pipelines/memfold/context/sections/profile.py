"""Who the user is: name, age, home, work, languages and how they want to be answered, one short line each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from memfold.context.page import Page
from memfold.context.sections.section import Probed, Shared
from memfold.context.types import Piece
from memfold.given import check_least
from memfold.layers.profile.asked import asked_for
from memfold.layers.profile.history import Entry
from memfold.retrieve.standing import standing_of
from memfold.retrieve.state import profile_of
from memfold.text.terms import terms
from memfold.text.whole import whole

LANGUAGE = "answer language"


@dataclass(frozen=True)
class WhoTheUserIs(Shared):
    """Up to `most` entries, what the question asks for first. Tastes are shown where they share a word with the
    question, and what stands among the standing orders already is not shown again. Of several speakers, those whom the
    question names. In a context of fewer than `small` tokens there is only what the question asks for, and the language
    to answer in: at 2,000 the rest cost a message of evidence."""

    share: float = 0.03
    most: int = 16
    small: int = 3_000

    label = "[profile] What the user says of themselves"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_least(self, most=0, small=0)

    def fill(self, probed: Probed, page: Page) -> None:
        """Offer the entries, who the user is before what they like."""
        episodes = probed.view.episodes
        several = len({entry.who for entry in profile_of(probed.view).entries}) > 1
        for entry in page.patiently(islice(_bearing(probed, page.budget < self.small), self.most)):
            last = entry.said[-1].exchange_id
            ids = episodes.ids_of(last)
            who = f"{entry.who}, " if several and entry.who else ""
            page.add(Piece(last, ids, "profile", who + _text(entry, episodes.day_of(last))))


def _bearing(probed: Probed, only: bool) -> Iterator[Entry]:
    question = probed.asked.query.text
    words = set(terms(question))
    asked = {*asked_for(question).values()}
    entries = sorted(profile_of(probed.view).entries, key=lambda entry: entry.attribute not in asked)
    named = {who for who in {entry.who for entry in entries} if who and whole(who, question)}
    ordered = {order.exchange_id for order in standing_of(probed.view).orders}
    later = []
    for entry in entries:
        if (named and entry.who not in named) or (only and entry.attribute not in (*asked, LANGUAGE)):
            continue
        if entry.attribute in ("taste", "answers") and entry.said[-1].exchange_id in ordered:
            continue
        if entry.attribute == "writes" and entry.value == (probed.asked.put or probed.asked).query.language:
            continue
        if entry.attribute != "taste":
            yield entry
        elif words & set(terms(f"{entry.name} {entry.value}")):
            later.append(entry)
    yield from later


def _text(entry: Entry, day: str) -> str:
    when = f" (said on {day})" if entry.attribute == "age" and day else ""
    before = f" (before: {entry.before[-1].value})" if entry.before else ""
    return f"{entry.name}: {entry.value}{when}{before}"
