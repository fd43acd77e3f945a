"""Arithmetic on days. A day that no calendar has, as 30 February, is None. Knows no language."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta

# The first and the last day of what a date names, which are one where it names a day.
Days = tuple[date | None, date | None]
UNKNOWN: Days = None, None


def iso(text: str | None) -> date | None:
    """The day that `text` is as YYYY-MM-DD; None where it is none."""
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        return None


def one_day(day: date | None) -> Days:
    """A day as the first and the last of its own."""
    return day, day


def counted(said: date, unit: str, number: int) -> Days:
    """So many units from a day: days and weeks lead to a day, months and years only to the month or the year."""
    if unit == "day":
        return one_day(plus(said, number))
    if unit in ("week", "fortnight"):
        return one_day(plus(said, (7 if unit == "week" else 14) * number))
    return unit_away(said, unit, number)


def unit_away(said: date, unit: str, away: int) -> Days:
    """The week, weekend, month or year that lies so many of them away from a day."""
    if unit in ("week", "weekend"):
        monday = 7 * away - said.weekday()
        return plus(said, monday + 5 * (unit == "weekend")), plus(said, monday + 6)
    if unit == "month":
        first = shifted_months(said, away)
        return whole_month(first.year, first.month) if first else UNKNOWN
    return day_of(said.year + away, 1, 1), day_of(said.year + away, 12, 31)


def plus(day: date, days: int) -> date | None:
    """The day so many days later, or earlier where they are fewer than 0."""
    try:
        return day + timedelta(days=days)
    except OverflowError:
        return None


def shifted_months(day: date, months: int) -> date | None:
    """The first day of the month that lies so many months away."""
    count = day.year * 12 + day.month - 1 + months
    return day_of(count // 12, count % 12 + 1, 1)


def whole_month(year: int, number: int) -> Days:
    """The first and the last day of a month."""
    first = day_of(year, number, 1)
    return (first, first.replace(day=monthrange(year, number)[1])) if first else UNKNOWN


def day_of(year: str | int, month: str | int, day: str | int) -> date | None:
    """The day with these numbers."""
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None
