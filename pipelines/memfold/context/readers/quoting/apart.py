"""The time between two happenings, reckoned from days that the conversation names.

A day is known by the clause that names it, so one sentence may date several things. Knows no frame and no wording of
a question but the two ends it is given.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray

from memfold.context.readers.quoting import days, worth
from memfold.context.readers.quoting.candidates import Candidate
from memfold.context.types import Piece
from memfold.embed.likeness import cosines
from memfold.text.terms import terms

# Characters on both sides of a date that say what happens then.
AROUND = 110
# Days that one sentence may name.
MENTIONED = 4


@dataclass(frozen=True, slots=True)
class Dating:
    """`around` is what is said beside `day`, `place` where of it stands in the row's text. `named` is whether its words
    name the day; else it is the day on which they were said."""

    row: Candidate
    day: date
    around: str
    place: tuple[int, int]
    named: bool


def datings(rows: Sequence[Candidate], ends: Sequence[str], limit: int) -> list[Dating]:
    """The `limit` mentions of a day that share the rarest words with one of the ends."""
    found = []
    for row in rows:
        noted = row.piece.role == "dated" and not row.text.startswith("(said on ")
        if not row.spoken and not noted:
            continue
        named = days.named(row.text, row.day)
        if noted:  # its day stands before the sentence that names it
            said = row.text[: 2 * AROUND]
            found += [Dating(row, one.day, said, (0, len(row.text)), True) for one in named[:1]]
            continue
        stops = [0, *(one.end for one in named)]
        for before, one in zip(stops, named, strict=False):
            after = next((other.start for other in named if other.start >= one.end), len(row.text))
            start, stop = max(before, one.start - AROUND), min(after, one.end + AROUND)
            around = row.text[start:stop]
            found.append(Dating(row, one.day, around.strip(), (start, stop), True))
        if row.day and not named and row.piece.role == "user":
            found.append(Dating(row, row.day, row.text[: 3 * AROUND], (0, len(row.text)), False))
    weighed = [worth.weights(end, rows) for end in ends]

    def score(one: Dating) -> float:
        said = set(terms(one.around))
        return max(worth.carried(said, weight) for weight in weighed) + 0.15 * one.named

    ranked = sorted(range(len(found)), key=lambda i: -score(found[i]))[:limit]
    return [found[i] for i in sorted(ranked)]


def ends_of(
    found: Sequence[Dating],
    vectors: NDArray[np.float32],
    ends: Sequence[str],
    asked: NDArray[np.float32],
    rows: Sequence[Candidate],
    least: float,
) -> tuple[Dating, Dating] | None:
    """The dating of each end: the nearest by meaning and rare words, of two different days; None below `least`.

    `vectors` are those of what stands around the days, `asked` those of the ends.
    """
    if len(found) < 2:
        return None
    scores = []
    for end, vector in zip(ends, asked, strict=True):
        weight = worth.weights(end, rows)
        carried = np.array([worth.carried(set(terms(one.around)), weight) for one in found])
        # The day of saying is meant where the question is about saying, and else only where no day is named.
        day_said = bool(_SAYING.search(end))
        known = np.array(
            [0.2 * (one.named != day_said) + 0.06 * (one.row.piece.role == "user") for one in found]
        )
        scores.append(0.6 * cosines(vectors, vector) + 0.4 * carried + known)
    day = np.array([one.day.toordinal() for one in found])
    both = scores[0][:, None] + scores[1][None, :]
    both = np.where(day[:, None] == day[None, :], -np.inf, both)
    first, last = np.unravel_index(int(both.argmax()), both.shape)
    if min(scores[0][first], scores[1][last]) < least:
        return None
    return found[int(first)], found[int(last)]


def reckoned(
    pieces: Sequence[Piece], rows: Sequence[Candidate], ends: Sequence[str]
) -> tuple[Dating, Dating] | None:
    """The two ends of the time that the context reckons first, each with a sentence that gives its day: one that names
    it before one that was said on it, the user's before the assistant's. None where it reckons none, or no such
    sentence of its exchange is there."""
    first = next((match for piece in pieces if (match := _RECKONED.match(piece.text))), None)
    if first is None:
        return None
    found = []
    for day, exchange in ((first[1], first[2]), (first[3], first[4])):
        there = [row for row in rows if row.exchange == int(exchange)]
        given = [one for one in datings(there, ends, MENTIONED * len(there)) if one.day.isoformat() == day]
        if not given:
            return None
        found.append(max(given, key=lambda one: (one.named, one.row.piece.role == "user")))
    return found[0], found[1]


_RECKONED = re.compile(r"(\d{4}-\d\d-\d\d) \[(\d+)\] .*? to (\d{4}-\d\d-\d\d) \[(\d+)\] ", re.DOTALL)
_SAYING = re.compile(
    r"\b(?:asked|mentioned|told you|said|brought up|confirm(?:ed)?)\b|问|提到|说", re.IGNORECASE
)
