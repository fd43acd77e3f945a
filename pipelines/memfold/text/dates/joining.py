"""Dates of a text that are one range: their ends in the years that are meant, and both as one. Knows no day of saying,
and of dates no more than their days and how they are written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date

from memfold.text.dates.days import day_of
from memfold.text.dates.mention import AROUND, Mention
from memfold.text.dates.vocabulary import TO, YEAR

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
    r"(\d{1,2})(?:st|nd|rd|th|日|号|號)?"
    rf"(?![\d:/%]|[.-]\d|\s?(?:[ap]\.?m|hours?|days?|weeks?|months?)\b)(?:,? ({YEAR})\b)?",
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
_DASHES = ("-", "–", "—", "/")
_COUNTED = re.compile(
    r"\b(?:phase|part|step|stage|round|level|session|sprint|chapter|page|lesson|module|unit|section|question|item|task"
    r"|milestone|week|day|version|room|table|team|group|grade|season|episode|volume|number|no\.?|kapitel|teil|seite|woche)s?"
    r"\ \Z",
    re.IGNORECASE,
)
_DAY_FIRST = re.compile(r"\d{1,2}(?:st|nd|rd|th|\.|er|º)?[ -](?:of |de |d')?[^\W\d]", re.IGNORECASE)
_YEAR_END = re.compile(rf"{YEAR}(?:$|[-/年])")


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
    are one, as is a day with another of its month that stands beside it ("5-9 May").

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
            out.append(_with_other_day(text, each, before.end if before else 0, after))
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


def _with_other_day(text: str, each: Mention, floor: int, ceiling: int) -> Mention:
    """A day with the number beside it in "March 5-10" or "5-10 March", between two places of its text."""
    if each.day is None or each.relative:
        return each
    if _DAY_FIRST.match(each.literal):
        before = _DAY_BEFORE.search(text, max(floor, each.start - AROUND), each.start)
        return each if before is None else _from_day(text, each, before)
    after = None if _YEAR_END.search(each.literal) else _DAY_AFTER.match(text, each.end)
    if after is None or after.end() > ceiling:
        return each
    year = after[2] or each.day.year
    first, last = (day_of(year, each.day.month, day) for day in (each.day.day, after[1]))
    if first is None or last is None or last <= first:
        return each
    return replace(each, end=after.end(), literal=text[each.start : after.end()], first=first, last=last)


def _from_day(text: str, each: Mention, before: re.Match[str]) -> Mention:
    """A day from the number before it on."""
    assert each.first
    first = day_of(each.first.year, each.first.month, before["day"])
    at = before.start("day")
    counted = _COUNTED.search(text, max(at - AROUND, 0), at) or _MOVED.search(text, max(at - AROUND, 0), at)
    sure = before["led"] or before["nth"] or before["gap"] in _DASHES or (before["to"] and not counted)
    # "The 5th and 20th of May" are two days, of which the second stays.
    apart = before["and"] and not (before["led"] or "").lower().startswith(("between", "zwischen"))
    if not sure or first is None or first >= each.first or (apart and (each.first - first).days > 1):
        return each
    return replace(each, start=at, literal=text[at : each.end], first=first)
