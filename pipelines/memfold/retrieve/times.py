"""The time that a question names for what it asks about: "what did Ann do in July 2023?", "the meeting on 3 May".

A day or month without a year is that of every year in which the conversation went on: who asks has one of them in mind,
and the rest of the question tells which. Knows no conversation.
"""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date
from functools import lru_cache

from memfold.text.dates import ranges

Time = tuple[date, date]

# What is asked about was not then: "until April 9", "two weeks before May 3", "from April to June".
_APART = re.compile(
    r"\b(?:before|until|till|by|after|since|from|to|through|than|starting|between|and|as\s+of)\s+(?:the\s+|on\s+|in\s+|early\s+)*\Z"
    r"|(?:从|自|到|至)\s*\Z",
    re.IGNORECASE,
)
_APART_BEHIND = re.compile(r"\s*(?:之前|以前|之后|以后|以来|起|到|至)")
_YEAR = re.compile(r"\d{4}")
# A conversation of more years than these has a wrong time in it.
_YEARS = 60


# "In July 2023" and "last week" say when; "the May 3 launch" and "ready for May 3" say what.
_WITHIN = re.compile(
    r"(?:\A|\b(?:in|on|during|within|throughout|over|of)\s+(?:the\s+month\s+of\s+)?|在)\Z", re.IGNORECASE
)


# Steps and sections of one question all ask.
@lru_cache(maxsize=64)
def times(question: str, said: Time, today: date | None, *, within: bool = False) -> tuple[Time, ...]:
    """The first and last day, both included, of the time that a question names, one for each year that it may be of;
    none where it names none, or several. `said` are the conversation's first and last day, and `today`, where it is
    known, the day on which it is asked: "last week" is told from it. `within`: only a time in which all that is asked
    for was."""
    first, last = said
    found = ranges(question, today or last)
    if len(found) != 1:
        return ()
    (when,) = found
    if _APART.search(question[: when.start]) or _APART_BEHIND.match(question, when.end):
        return ()
    if within and not (when.relative or _WITHIN.search(question[: when.start])):
        return ()
    if when.first is None or when.last is None or (when.relative and today is None):
        return ()
    if when.relative or _YEAR.search(when.literal):
        return ((when.first, when.last),)
    lasts = when.last - when.first
    years = range(first.year, min(last.year + 1, first.year + _YEARS) + 1)
    begins = [in_year(when.first, year) for year in years]
    return tuple((each, each + lasts) for each in begins)


def in_year(day: date, year: int) -> date:
    """The same day of another year, or the one before February 29 where that has none."""
    return day.replace(year=year, day=min(day.day, monthrange(year, day.month)[1]))
