"""Dates in text, resolved against the day it was said: `mentions` one by one, `ranges` with from and to joined.

Reads English and Chinese (in either script) with their relative dates, and the days of months in German, French,
Spanish, Italian and Portuguese. A date that could be read in two ways stays unresolved. A date without a year is of
the year that brings it nearest to the day it was said, unless a tense, a weekday or a year beside it ("last year",
去年的) or what was moved to it tells otherwise; far behind, one in another language is certain only if its sentence
tells of the past. "Early May" is its first third, "until the end of May" its last day. "Next Friday" and 下周五 are the
Friday of the following week, weeks beginning on Monday; "on Friday" is the one that comes, or after a verb in the past
tense the last one. "Last summer" and "a few weeks ago" are the whole range in which they may lie. Knows no
conversation.

From the ground up: `vocabulary`, `mention` and `days`, then `vague`, `years`, `cues` and `joining`, then `latin`,
`chinese_bare` and `chinese`, then `reading`. `idle` is of sentences, and knows no more than the words.
"""

from __future__ import annotations

from memfold.text.dates.days import iso
from memfold.text.dates.joining import joined
from memfold.text.dates.mention import Mention
from memfold.text.dates.reading import mentions, ranges, untold
from memfold.text.dates.vocabulary import BESIDE, MONTHS, NAMES_OF_DAYS, month
from memfold.text.dates.years import contradicted

__all__ = [
    "BESIDE",
    "MONTHS",
    "NAMES_OF_DAYS",
    "Mention",
    "contradicted",
    "iso",
    "joined",
    "mentions",
    "month",
    "ranges",
    "untold",
]
