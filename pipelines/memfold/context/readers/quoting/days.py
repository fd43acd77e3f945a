"""Dates as a context gives them: the day of each piece, and those named in its words.

This is the one place where the reader turns words into dates and dates into distances: what dates more ("yesterday",
"the week after") is put in here. Knows no question.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from memfold.context.types import Context
from memfold.text.dates import iso, mentions


@dataclass(frozen=True, slots=True)
class Dated:
    """A day that a text names, and where its words stand in it."""

    day: date
    start: int
    end: int


def said(context: Context) -> dict[int, date]:
    """The day on which an exchange was said, for those of which a piece stands under one."""
    found: dict[int, date] = {}
    for piece in context.pieces:
        if piece.day and (day := iso(piece.day)):
            found.setdefault(piece.exchange_id, day)
    return found


def named(text: str, day: date | None) -> list[Dated]:
    """The days that `text` names, in its order; `day` is the one on which it was said. What is not certain is none."""
    return [Dated(each.day, each.start, each.end) for each in mentions(text, day) if each.day is not None]


def between(one: date, other: date) -> int:
    """Whole days from the earlier of two days to the later."""
    return abs((other - one).days)


def months(one: date, other: date) -> int:
    """Whole calendar months from the earlier of two days to the later."""
    first, last = sorted((one, other))
    return (last.year - first.year) * 12 + last.month - first.month - (last.day < first.day)
