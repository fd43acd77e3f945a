"""The days of what an answer rests on: beside each citation, and behind "yesterday" and its like in what is quoted.

A day that is put behind a word stands in brackets, "yesterday [2024-03-04]": it is memfold's, and the citation's quote
is without it, verbatim. So do a month ("last month [2024-02]"), a year, other spans ("last week [2024-02-26 –
2024-03-03]", "last summer [2023-06 – 2023-08]"), and behind a memory's quote the date it was filed with. Words that
name no day for certain ("on Friday") stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import date, timedelta
from types import MappingProxyType

from memfold.context.types import Answer
from memfold.text.calendar import WEEKDAY
from memfold.text.dates import mentions

# Days from the one on which it was said, in languages whose relative days `mentions` does not read.
_AWAY = {"vorgestern": -2, "gestern": -1, "heute": 0, "übermorgen": 2}
_AWAY |= {"أمس": -1, "امس": -1, "البارحة": -1, "غدا": 1, "غدًا": 1, "غداً": 1}
# "On Saturday" is the one that comes, most often: a guess, and wrong in "on Saturday the 23rd".
_GUESSED = re.compile(
    rf"(?:(?:on|by|this|coming) )*{WEEKDAY}|[这本]?(?:周|星期|礼拜)[一二三四五六日天]",
    re.IGNORECASE,
)
_CITED = re.compile(r"\[(\d+)\]")
_WORD = re.compile(rf"(?<!\w)(?:{'|'.join(_AWAY)})(?!\w)", re.IGNORECASE)


def dated(
    answer: Answer, day: Callable[[int], str], happens: Mapping[int, str] = MappingProxyType({})
) -> Answer:
    """`answer` with its citations' days; `day` gives an exchange's as "2024-03-01", empty where it is not known.
    `happens` are the dates with which memories were filed, by exchange: each stands behind the memory's quote."""
    citations = tuple(replace(each, day=day(each.exchange_id)) for each in answer.citations)
    text, marked = answer.text, dict[int, tuple[int, str]]()
    for each in citations:
        if not (each.quote and each.day):
            continue
        ends = {at: at + len(each.quote) for at in _places(text, each.quote)}
        free = [at for at, end in ends.items() if not any(at < b and a < end for a, (b, _) in marked.items())]
        # The same words may stand there twice: the number behind a quote says whose it is.
        own = [at for at in free if _number(text, ends[at]) == each.exchange_id]
        for at in (own or free)[:1]:
            shown = with_days(each.quote, date.fromisoformat(each.day))
            when = happens.get(each.exchange_id, "")
            marked[at] = ends[at], f"{shown} [{when}]" if when and when not in shown else shown
    for at, (end, quote) in sorted(marked.items(), reverse=True):
        text = text[:at] + quote + text[end:]
    return replace(answer, text=text, citations=citations)


def _places(text: str, quote: str) -> list[int]:
    found = list[int]()
    at = text.find(quote)
    while at >= 0:
        found.append(at)
        at = text.find(quote, at + len(quote))
    return found


def _number(text: str, end: int) -> int | None:
    """The first number in brackets between `end` and the end of its line."""
    found = _CITED.search(text, end)
    return int(found[1]) if found and "\n" not in text[end : found.start()] else None


def with_days(text: str, said: date) -> str:
    """`text`, which was `said` on a day, with the day in brackets behind each word that means one relative to it."""
    for end, meant in sorted(set(_relative(text, said)), reverse=True):
        text = f"{text[:end]} [{meant}]{text[end:]}"
    return text


def _relative(text: str, said: date) -> Iterator[tuple[int, str]]:
    """Where such a word ends, and the days it means."""
    for mention in mentions(text, said):
        if mention.relative and mention.first and mention.last and not _GUESSED.fullmatch(mention.literal):
            yield mention.end, _span(mention.first, mention.last)
    for match in _WORD.finditer(text):
        # Ignoring case also takes "geſtern", which the table does not hold.
        if (days := _AWAY.get(match[0].lower())) is not None:
            yield match.end(), (said + timedelta(days=days)).isoformat()


def _span(first: date, last: date) -> str:
    """A day, a month or a year, or the first and the last of some."""
    # The calendar ends with 9999.
    if last == date.max or (first.day, (last + timedelta(days=1)).day) != (1, 1):
        size = 10
    else:
        size = 4 if (first.month, last.month) == (1, 12) else 7
    return " – ".join(dict.fromkeys((first.isoformat()[:size], last.isoformat()[:size])))
