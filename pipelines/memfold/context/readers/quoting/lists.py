"""Answers that are lists: an order, a summary, all of a stretch of time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from memfold.context.readers.quoting import compose, worth
from memfold.context.readers.quoting.candidates import Candidate, of_roles
from memfold.context.readers.quoting.compared import Compared
from memfold.context.readers.quoting.compose import Shown
from memfold.context.readers.quoting.frames import Frame
from memfold.context.readers.quoting.quotes import item
from memfold.context.readers.quoting.reading import Reading
from memfold.context.types import Context
from memfold.retrieve.best import best_first
from memfold.schema import ATTACHED

# If the question gives no number of items, a list leaves out what is worth so much less than the best: in a
# conversation of 26 sentences "what happened with the pots" named 11 other things. In BEAM's 79 such questions every
# item up to the limit is at most .48 worse.
OFF = 0.5

# A row in Chinese is on the topic if its exchange holds this share of the question's weight, or if it is among the best
# few.
SHARED, BEST = 0.05, 6

# A sentence of fewer terms is no point of an answer: "How exciting!", "I'm so sorry."
TELLING = 3


def listed(one: Compared) -> tuple[str, list[Shown]]:
    """What answers best, spread over subjects and time, in order of time."""
    reading = one.reading
    items = reading.want.items
    limit, worse = (items, np.inf) if items else (reading.how.listed, OFF)
    ranked = one.ranked
    # A summary keeps them: of a mixed history "Canva offer 来了" shares nothing with 求职.
    if reading.query.language == "zh" and reading.want.kind == "order" and not items:
        ranked = replace(ranked, worth=np.where(_on_topic(one), ranked.worth, -np.inf))
    return _in_time(reading, [one.few[i] for i in ranked.listed(limit, 0.5, 0.1, worse)])


def _on_topic(one: Compared) -> NDArray[np.bool_]:
    """Which rows in Chinese are on the topic of the question. To the embedder all Chinese is alike: without this, half
    of the lines had nothing to do with the question."""
    reading = one.reading
    of = {row.exchange for row in reading.rows if worth.carried(row.terms, reading.weight) >= SHARED}
    best = set(map(int, best_first(one.ranked.worth)[:BEST]))
    return np.array([row.exchange in of or i in best for i, row in enumerate(one.few)], bool)


def throughout(reading: Reading) -> tuple[str, list[Shown]]:
    """What was said in a stretch of time, in order: one sentence of the user's per exchange. The question has no words
    to choose by, so those with most terms are taken. Empty where nothing was said."""
    said = dict[int, Candidate]()
    for row in sorted(reading.rows, key=lambda row: len(row.terms)):
        attached = row.text.startswith(ATTACHED)
        if row.piece.role == "user" and not attached and not worth.states_nothing(row.text):
            said[row.exchange] = row
    most = sorted(said.values(), key=lambda row: -len(row.terms))[: reading.how.listed]
    return _in_time(reading, sorted(most, key=lambda row: row.exchange))


def orders(words: Frame, context: Context) -> tuple[str, list[Shown]]:
    """All standing orders, of whatever thing, in order of time."""
    in_time = sorted(of_roles(context, ("instruction",)), key=lambda row: row.exchange)
    return _numbered(words, [((row, row.text), ()) for row in in_time])


def _numbered(words: Frame, items: Sequence[tuple[Shown, Sequence[Shown]]]) -> tuple[str, list[Shown]]:
    """A numbered list, each item with its points below it, and what it quotes; empty where there are none."""
    lines, shown = [words.listed.format(n=len(items))] if items else [], list[Shown]()
    for n, (said, points) in enumerate(items, start=1):
        lines += [compose.line(words, *said, n), *(f"   {compose.line(words, *each)}" for each in points)]
        shown += [said, *points]
    return "\n".join(lines), shown


def _in_time(reading: Reading, chosen: Sequence[Candidate]) -> tuple[str, list[Shown]]:
    shown = partial(item, reading)
    return _numbered(
        reading.words, [(shown(row), compose.once(map(shown, _points(reading, row)))) for row in chosen]
    )


def _points(reading: Reading, row: Candidate) -> list[Candidate]:
    """The first points of what was answered in an exchange: half of what a summary rests on."""
    if reading.want.kind != "summary":
        return []
    said = (each for each in reading.answers if each.exchange == row.exchange and len(each.terms) >= TELLING)
    return [*islice(said, reading.how.points)]
