"""Times that are told roughly, as the honest range they may lie in: "last summer", "a few weeks ago". Knows no text."""

from __future__ import annotations

from datetime import date

from memfold.text.dates.days import UNKNOWN, Days, plus, shifted_months, unit_away, whole_month
from memfold.text.dates.vocabulary import SEASONS
from memfold.text.tense import Tense

# A few are from two to five.
_LEAST, _MOST = 2, 5
# Said so many days before it begins, "next summer" may be the one behind it.
_FAR = 183


def few_ago(said: date, unit: str) -> Days:
    """A few days, weeks, months or years before a day."""
    if unit in ("day", "week", "fortnight"):
        days = {"day": 1, "week": 7, "fortnight": 14}[unit]
        return plus(said, -_MOST * days), plus(said, -_LEAST * days)
    return unit_away(said, unit, -_MOST)[0], unit_away(said, unit, -_LEAST)[1]


def third(of: date, which: int) -> Days:
    """The first, the second or the last third (0 to 2) of the month of a day."""
    if which == 2:
        return of.replace(day=21), whole_month(of.year, of.month)[1]
    return of.replace(day=10 * which + 1), of.replace(day=10 * which + 10)


def season(said: date, which: str, name: str, told: Tense | None) -> Days:
    """The last, this or the next season of a name. "Last" is the latest that is over; "this" the nearest, one
    that is over in the past tense alone."""
    known = [each for away in (-2, -1, 0, 1) if None not in (each := _of_year(said, SEASONS[name], away))]
    past = [each for each in known if each[1] and each[1] < said]
    ahead = [each for each in known if each[0] and each[0] > said]
    if which == "last":
        return past[-1] if past else UNKNOWN
    if which == "next":
        return ahead[0] if ahead and ahead[0][0] and (ahead[0][0] - said).days > _FAR else UNKNOWN
    if len(past) + len(ahead) < len(known):
        return next(each for each in known if each not in past and each not in ahead)
    before, after = past[-1:], ahead[:1]
    if not (before and after and before[0][1] and after[0][0]):
        return UNKNOWN
    if told is Tense.PAST:
        return before[0] if said - before[0][1] < after[0][0] - said else UNKNOWN
    return after[0] if said - before[0][1] > after[0][0] - said else UNKNOWN


def _of_year(said: date, month: int, away: int) -> Days:
    """The season that begins in a month, so many years away."""
    first = shifted_months(said, 12 * away + month - said.month)
    last = shifted_months(first, 2) if first else None
    return (first, whole_month(last.year, last.month)[1]) if first and last else UNKNOWN
