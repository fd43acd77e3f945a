"""Dates of a text that are one range: their ends in the years that are meant, and both as one. Knows no day of saying,
and of dates no more than their days and how they are written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from itertools import pairwise

from memfold.text.dates.days import day_of
from memfold.text.dates.mention import AROUND, Mention
from memfold.text.dates.vocabulary import NAMES_OF_DAYS, OLDER_YEAR, TO, YEAR

_BETWEEN = re.compile(r"(?:between\s|zwischen\s|在)$", re.IGNORECASE)
# "Moved from 20 June to 5 June" looks back.
_MOVED = re.compile(
    r"\b(?:moved|changed|switched|rescheduled|shifted|pushed|brought|pulled|verlegt|verschoben)\b",
    re.IGNORECASE,
)
_AND = re.compile(r"\s?(?:and|und|和|与)\s?", re.IGNORECASE)
# A day that shares the month of the one it stands behind ("March 5-10") or before ("vom 19. bis 31. August").
_DAY_AFTER = re.compile(
    r"\s?(?:-|–|—|~|(?:to|through|thru)(?:\ the(?=\ \d\d?(?:st|nd|rd|th)))?|至|到)\s?"
    r"(?P<days>\d{1,2})(?:st|nd|rd|th|\s?[日号號])?"
    rf"(?![\d/%]|[.:-]\d|\s?(?:[ap]\.?m|hours?|days?|weeks?|months?)\b)(?:,? (?P<year>{YEAR}\b|{OLDER_YEAR}))?",
    re.IGNORECASE,
)
# A bare number is a day only behind one of these words or marks, right before a dash or a stroke, or before a word as
# "to" if nothing was moved or is counted: neither "phase 2 to 14 September", nor "Session 2 - 14 June", nor the number
# of a line.
_DAY_BEFORE = re.compile(
    r"(?:(?P<led>\b(?:from|between|on|to|the|closed|open|away|off|vom|zwischen|am|du|del?|dal)\s|[(:;,]\s?)|\b)"
    r"(?<![\w.,:/$€£¥-])(?P<day>\d{1,2})(?P<nth>st|nd|rd|th|\.|er|º)?"
    r"(?P<gap>\s?(?:(?P<and>and|und|et|y|e)|[-–—~/]|(?P<to>to|until|till|through|thru|bis|au)|al?)\s?(?:the |zum )?)\Z",
    re.IGNORECASE,
)
_NTH = r"(?:st|nd|rd|th)?"
# Further days of a month: "April 6 and 9", "March 5, 12 or 19". What is counted ("April 6 and 9 people came") is none,
# so the clause ends behind them, or goes on with a word that opens no noun.
_FURTHER = re.compile(
    rf"(?P<days>(?:,\ \d{{1,2}}{_NTH}\b){{0,9}},?\ (?P<by>and|or|&)\ "
    rf"(?:the\ (?=\d\d?(?:st|nd|rd|th)))?\d{{1,2}}{_NTH}\b"
    r"|(?:\s?[、和与與及]\s?\d{1,2}\s?[日号號]){1,9})"
    rf"(?:,?\ (?P<year>{YEAR}\b|{OLDER_YEAR}))?(?:(?<=[日号號])|(?=\s*(?:[;!?)*|\]\n\"”]|[.,:](?!\d)|\Z)"
    rf"|\ (?:at|in(?!\ (?:{NAMES_OF_DAYS})\b)|for|from|with|between|to|because|so|but|and|if|when|while|where|which|as"
    r"|i|we|he|she|they|it|are|were|will)\b))",
    re.IGNORECASE,
)
_DASHES = ("-", "–", "—", "/")
_COUNTED = re.compile(
    r"\b(?:phase|part|step|stage|round|level|session|sprint|chapter|page|lesson|module|unit|section|question|item|task"
    r"|milestone|week|day|version|room|table|team|group|grade|season|episode|volume|number|no\.?|kapitel|teil|seite|woche)s?"
    r"\ \Z",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+")
_DAY_FIRST = re.compile(r"\d{1,2}(?:st|nd|rd|th|\.|er|º)?[ -](?:of |de |d')?(?!月)[^\W\d]", re.IGNORECASE)
_YEAR_END = re.compile(r"(?:\d{4}|['’]\d\d)$|\d{4}[-/]|年")


def in_order(text: str, read: Iterable[Mention]) -> list[Mention]:
    """The dates of a text, each read by itself, in the order in which they stand; those that are the ends of a range in
    the years that are meant."""
    found = sorted(read, key=lambda each: each.start)
    for n in range(len(found) - 1):
        if _one_range(text, *found[n : n + 2]):
            found[n : n + 2] = _ends(text, *found[n : n + 2])
    return found


def joined(text: str, found: Sequence[Mention]) -> list[Mention]:
    """The dates of a text `in_order`, of which two that are the ends of one range ("from 5 May to 9 May", 3月5日至9日)
    are one, as is a day with another of its month that stands beside it ("5-9 May"). Days of one month that are told
    together ("April 6 and 9") stand where they all do.

    Its first day is the first end's, and its last day the second's."""
    out: list[Mention] = []
    for n, each in enumerate(found):
        before = out[-1] if out else None
        if before is not None and before.start <= each.start < before.end:
            continue
        if before is not None and _one_range(text, before, each) and _first(before) <= _last(each):
            relative = before.relative or each.relative
            whole = text[before.start : each.end]
            out[-1] = Mention(before.start, each.end, whole, before.first, each.last, relative)
        else:
            after = found[n + 1].start if n + 1 < len(found) else len(text)
            out += _with_other_days(text, each, before.end if before else 0, after)
    return out


def _first(each: Mention) -> date:
    return each.first or date.max


def _last(each: Mention) -> date:
    return each.last or date.min


def _one_range(text: str, one: Mention, other: Mention) -> bool:
    """Whether two dates, both resolved, stand as the ends of one range."""
    gap = text[one.end : other.start]
    if not (one.first and other.last) or len(gap) > 16:
        return False
    return bool(
        TO.fullmatch(gap)
        or (_AND.fullmatch(gap) and _BETWEEN.search(text[max(one.start - 9, 0) : one.start]))
    )


def _ends(text: str, one: Mention, other: Mention) -> tuple[Mention, Mention]:
    """The ends of a range, read one by one, in the years that are meant: a second end without a year is the first such
    day behind the first end ("December 20 to January 5"), and a year said at the second alone is the first's too."""
    if not other.relative and not _YEAR_END.search(other.literal):
        after = _in_year(other, _first(one).year)
        if _first(one) <= _last(after):
            return one, after
        if _MOVED.search(text, max(one.start - AROUND, 0), one.start):
            return one, other
        return one, _in_year(other, _first(one).year + 1)
    if not one.relative and not _YEAR_END.search(one.literal):
        before = _in_year(one, _last(other).year)
        return before if _first(before) <= _last(other) else _in_year(one, _last(other).year - 1), other
    return one, other


def _in_year(each: Mention, year: int) -> Mention:
    """A date in another year, if that has it."""
    first, last = (day and day_of(year, day.month, day.day) for day in (each.first, each.last))
    return replace(each, first=first, last=last) if first and last else each


def _with_other_days(text: str, each: Mention, floor: int, ceiling: int) -> Sequence[Mention]:
    """A day with the numbers beside it in "March 5-10", "5-10 March" or "March 5 and 10", between two places of its
    text."""
    if each.day is None or each.relative:
        return (each,)
    if _DAY_FIRST.match(each.literal):
        before = _DAY_BEFORE.search(text, max(floor, each.start - AROUND), each.start)
        return (each,) if before is None else _from_day(text, each, before)
    beside = None if _YEAR_END.search(each.literal) else _DAY_AFTER.match(text, each.end)
    further = None if beside or _YEAR_END.search(each.literal) else _FURTHER.match(text, each.end)
    found = beside or further
    if found is None or found.end() > ceiling:
        return (each,)
    year, numbers = found["year"] or each.day.year, _NUMBER.findall(found["days"])
    days = [day_of(year, each.day.month, number) for number in (each.day.day, *numbers)]
    whole = beside is not None or _one_time(text, each, found["by"], days)
    return _together(text, each, each.start, found.end(), days, whole=whole)


def _one_time(text: str, each: Mention, by: str | None, days: Sequence[date | None]) -> bool:
    """Whether two days that are told together are one time: "April 5 and 6", "between April 5 and 9"."""
    if len(days) > 2 or (by or "").lower() == "or":
        return False
    between = _BETWEEN.search(text, max(each.start - AROUND, 0), each.start)
    return between is not None or _follow(days[0], days[1])


def _follow(one: date | None, other: date | None) -> bool:
    return one is not None and other is not None and (other - one).days == 1


def _together(
    text: str, each: Mention, start: int, end: int, days: Sequence[date | None], *, whole: bool
) -> Sequence[Mention]:
    """The days of a month that stand together, as a `whole` from the first to the last or one by one; the one that
    names the month alone where they are not in order."""
    known = [day for day in days if day]
    if len(known) < len(days) or any(one >= other for one, other in pairwise(known)):
        return (each,)
    pairs = [(known[0], known[-1])] if whole else [(day, day) for day in known]
    literal = text[start:end]
    return [
        replace(each, start=start, end=end, literal=literal, first=first, last=last) for first, last in pairs
    ]


def _from_day(text: str, each: Mention, before: re.Match[str]) -> Sequence[Mention]:
    """A day from the number before it on, or both: "the 5th and 20th of May"."""
    assert each.first
    first = day_of(each.first.year, each.first.month, before["day"])
    at = before.start("day")
    counted = _COUNTED.search(text, max(at - AROUND, 0), at) or _MOVED.search(text, max(at - AROUND, 0), at)
    sure = before["led"] or before["nth"] or before["gap"] in _DASHES or (before["to"] and not counted)
    if not sure:
        return (each,)
    between = (before["led"] or "").lower().startswith(("between", "zwischen"))
    whole = not before["and"] or between or _follow(first, each.first)
    return _together(text, each, at, each.end, [first, each.first], whole=whole)
