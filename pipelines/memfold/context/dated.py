"""The days of what an answer rests on: beside each citation, and behind "yesterday" and its like in what is quoted.

A day that is put behind a word stands in brackets, "yesterday [2024-03-04]": it is memfold's, and the citation's quote
is without it, verbatim. Words that name several days, or none for certain ("on Friday"), stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date, timedelta

from memfold.context.types import Answer
from memfold.text.dates import mentions

# Days from the one on which it was said, in languages whose relative days `mentions` does not read.
_AWAY = {"vorgestern": -2, "gestern": -1, "heute": 0, "übermorgen": 2}
_AWAY |= {"أمس": -1, "امس": -1, "البارحة": -1, "غدا": 1, "غدًا": 1, "غداً": 1}
# "On Saturday" is the one that comes, most often: a guess, and wrong in "on Saturday the 23rd".
_GUESSED = re.compile(
    r"(?:(?:on|by|this|coming) )*(?:mon|tues|wednes|thurs|fri|satur|sun)day|[这本]?(?:周|星期|礼拜)[一二三四五六日天]",
    re.IGNORECASE,
)
_WORD = re.compile(rf"(?<!\w)(?:{'|'.join(_AWAY)})(?!\w)", re.IGNORECASE)


def dated(answer: Answer, day: Callable[[int], str]) -> Answer:
    """`answer` with its citations' days; `day` gives an exchange's as "2024-03-01", empty where it is not known."""
    text, start = answer.text, 0
    citations = tuple(replace(each, day=day(each.exchange_id)) for each in answer.citations)
    for each in citations:
        at = text.find(each.quote, start) if each.quote and each.day else -1
        if at < 0:
            continue
        marked = with_days(each.quote, date.fromisoformat(each.day))
        text, start = text[:at] + marked + text[at + len(each.quote) :], at + len(marked)
    return replace(answer, text=text, citations=citations)


def with_days(text: str, said: date) -> str:
    """`text`, which was `said` on a day, with the day in brackets behind each word that means one relative to it."""
    for end, meant in sorted(set(_relative(text, said)), reverse=True):
        text = f"{text[:end]} [{meant.isoformat()}]{text[end:]}"
    return text


def _relative(text: str, said: date) -> Iterator[tuple[int, date]]:
    """Where such a word ends, and the day it means."""
    for mention in mentions(text, said):
        if mention.relative and mention.day and not _GUESSED.fullmatch(mention.literal):
            yield mention.end, mention.day
    for match in _WORD.finditer(text):
        # Ignoring case also takes "geſtern", which the table does not hold.
        if (days := _AWAY.get(match[0].lower())) is not None:
            yield match.end(), said + timedelta(days=days)
