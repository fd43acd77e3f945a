"""The time that a question names for what it asks about: "what did Ann do in July 2023?", "the meeting on 3 May".

A day or month without a year is that of every year in which the conversation went on: who asks has one of them in mind,
and the rest of the question tells which. Knows no conversation.
"""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date
from functools import lru_cache

from memfold.text.dates import Mention, ranges

Time = tuple[date, date]

# What is asked about was not then: "until April 9", "two weeks before the end of May", "the one besides that in June".
_APART = re.compile(
    r"\b(?:before|until|till|by|after|since|from|to|through|than|starting|between|and|or|as\s+of|ahead\s+of|past|around"
    r"|following|besides|except|not|week)\s+(?:(?:the|on|in|of|early|mid|late|end|middle|beginning|start|one)[\s-]+)*\Z"
    r"|(?:从|自|到|至)\s*\Z",
    re.IGNORECASE,
)
_APART_BEHIND = re.compile(r"\s*(?:之?前|以前|之?后|以后|以来|为止|左右|起|到|至)")
_APART_IN = re.compile(r"(?:since|before|by|until|till|after|from|due)\b", re.IGNORECASE)
YEAR = re.compile(r"\d{4}")
# A conversation of more years than these has a wrong time in it.
_YEARS = 60

# "In July 2023" says when; "the May 3 launch", "ready for May 3" and "the wedding on June 3" say what.
_WITHIN = re.compile(
    r"(?:\A|\b(?:in|during|within|throughout|over|of)\s+(?:the\s+month\s+of\s+)?|(?<!\w)on\s+|在)\Z",
    re.IGNORECASE,
)
_OF_A_THING = re.compile(
    r"\b(?:for\s+(?:the|my|our|an?)|before|ahead|towards?|prepar\w+|ready|leading|upcoming)\b"
    r"|\b(?:the|my|our)\s+[\w-]+(?:\s+[\w-]+)?\s+on\s+\Z",
    re.IGNORECASE,
)


# Steps and sections of one question all ask.
@lru_cache(maxsize=64)
def times(question: str, said: Time, today: date | None, *, within: bool = False) -> tuple[Time, ...]:
    """The first and last day, both included, of the time that a question names, one for each year that it may be of;
    none where it names none, or several. `said` are the conversation's first and last day, and `today`, where it is
    known, the day on which it is asked: "last week" is told from it, and "today" says when it is asked. `within`: only
    a time in which all that is asked for was."""
    first, last = said
    found = ranges(question, today or last)
    if len(found) != 1 or not _asks_of(question, found[0], today, within=within):
        return ()
    begin, end = found[0].first, found[0].last
    if begin is None or end is None:
        return ()
    if found[0].relative or YEAR.search(found[0].literal):
        return ((begin, end),)
    years = range(first.year, min(last.year + 1, first.year + _YEARS) + 1)
    lasts = end - begin
    whole = begin < end and end.day == monthrange(end.year, end.month)[1]
    begins = [in_year(begin, year) for year in years]
    return tuple((each, _month_end(each + lasts) if whole else each + lasts) for each in begins)


def _asks_of(question: str, when: Mention, today: date | None, *, within: bool) -> bool:
    """Whether what a question asks about was at the time that it names, and all of it where `within`."""
    before, behind = question[: when.start], question[when.end :]
    if _APART.search(before) or _APART_BEHIND.match(behind) or _APART_IN.match(when.literal):
        return False
    if when.relative:
        # "Which car do I drive today?" asks what is so now.
        past = today is not None and when.last is not None and when.last < today
        return past and not (within and before.strip() and behind.strip(" ?.!？。"))
    return not within or (_WITHIN.search(before) is not None and not _OF_A_THING.search(before))


def in_year(day: date, year: int) -> date:
    """The same day of another year, or the one before February 29 where that has none."""
    return day.replace(year=year, day=min(day.day, monthrange(year, day.month)[1]))


def _month_end(day: date) -> date:
    """The last day of the month that a whole month or part of one ends in, which in February may be a day off."""
    if day.day <= 1:  # February of a leap year, in another
        day = day.replace(day=1, month=2)
    return day.replace(day=monthrange(day.year, day.month)[1])
