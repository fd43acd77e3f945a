"""The time that a question names for what it asks about: "what did Ann do in July 2023?", "the meeting on 3 May".

A day or month without a year stands for that day in each year of the conversation: the rest of the question decides
between them. Knows no conversation.
"""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date
from functools import lru_cache

from memfold.text.dates import Mention, ranges

Time = tuple[date, date]

# Words before a time that does not say when: "until April 9", "before the end of May", "besides the one in June".
_APART = re.compile(
    r"\b(?:before|until|till|by|after|since|from|to|through|than|starting|between|and|or|as\s+of|ahead\s+of|past|around"
    r"|following|besides|except|not|week)\s+(?:(?:the|on|in|of|early|mid|late|end|middle|beginning|start|one)[\s-]+)*\Z"
    r"|(?:从|自|到|至)\s*\Z",
    re.IGNORECASE,
)
_APART_BEHIND = re.compile(r"\s*(?:之?前|以前|之?后|以后|以来|为止|左右|起|到|至)")
_APART_IN = re.compile(r"(?:since|before|by|until|till|after|from|due)\b", re.IGNORECASE)
YEAR = re.compile(r"\d{4}")
# A conversation that lasts more years than this holds a wrong time.
_YEARS = 60

# "In July 2023" says when. "The May 3 launch", "ready for May 3" and "the wedding on June 3" name a thing.
_WITHIN = re.compile(
    r"(?:\A|\b(?:in|during|within|throughout|over|of)\s+(?:the\s+month\s+of\s+)?|(?<!\w)on\s+|在)\Z",
    re.IGNORECASE,
)
_OF_A_THING = re.compile(
    r"\b(?:for\s+(?:the|my|our|an?)|before|ahead|towards?|prepar\w+|ready|leading|upcoming)\b"
    r"|\b(?:the|my|our)\s+[\w-]+(?:\s+[\w-]+)?\s+on\s+\Z",
    re.IGNORECASE,
)


# The steps and sections of one question all call this.
@lru_cache(maxsize=64)
def times(question: str, said: Time, today: date | None, *, within: bool = False) -> tuple[Time, ...]:
    """The time that a question names, as its first and last day, both included: one time for each year that it may
    mean. Empty if the question names no time, or several. `said` holds the conversation's first and last day. `today`
    is the day of the question, if known: "last week" depends on it, and "today" names no time. `within` leaves out a
    time that is only the day of one of the things asked for."""
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
    """Whether the time in a question is when the things it asks about happened; with `within`, all of them."""
    before, behind = question[: when.start], question[when.end :]
    if _APART.search(before) or _APART_BEHIND.match(behind) or _APART_IN.match(when.literal):
        return False
    if when.relative:
        # "Which car do I drive today?" asks for the present.
        past = today is not None and when.last is not None and when.last < today
        return past and not (within and before.strip() and behind.strip(" ?.!？。"))
    return not within or (_WITHIN.search(before) is not None and not _OF_A_THING.search(before))


def in_year(day: date, year: int) -> date:
    """The same day in another year; February 28 if that year has no 29."""
    return day.replace(year=year, day=min(day.day, monthrange(year, day.month)[1]))


def _month_end(day: date) -> date:
    """The last day of the month that a period ends in. A February moved to another year may be a day off."""
    if day.day <= 1:  # February of a leap year, in another
        day = day.replace(day=1, month=2)
    return day.replace(day=monthrange(day.year, day.month)[1])
