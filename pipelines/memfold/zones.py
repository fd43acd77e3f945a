"""The clock by which a thing was said: its zone, kept beside the instant as minutes ahead of UTC.

An instant orders what was said; the day on which it was said, and so what "today" and "tomorrow" mean, is told by the
clock of who said it. In UTC an evening in California is the next day, and a morning in Shanghai the day before.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

from memfold.errors import UserError

# The zone of a time whose source names none: UTC as far as instants go. It is told apart by being this object.
UNNAMED = timezone(timedelta(0), "none named")
_MINUTE = timedelta(minutes=1)


def zone(name: str | None) -> tzinfo | None:
    """A zone by its name in the IANA's database, "Asia/Shanghai"; None for None. UserError where there is none such."""
    if name is None:
        return None
    try:
        return ZoneInfo(name)
    except (TypeError, ValueError, OSError, LookupError):
        raise UserError(
            f"source.zone={name}: no such time zone: give a name as Europe/Berlin, America/New_York or UTC"
        ) from None


def by(time: datetime, clock: tzinfo | None) -> datetime:
    """The same time by another `clock`; by the one that it names where that is None. What names no zone is taken to
    have been read off the clock, and off one in UTC where that is None too. The clock's offset is in whole minutes."""
    read = time.replace(tzinfo=clock or UTC) if time.tzinfo is None or time.tzinfo is UNNAMED else time
    try:
        return ahead(read, minutes(read.astimezone(clock) if clock else read))
    except OverflowError:  # within a day of the year 1 or 9999 there is no other clock
        return time.replace(tzinfo=UTC) if read is not time else time.astimezone(UTC)


def local(time: datetime, clock: int) -> datetime:
    """The same time by its own clock; where that says UTC, as programs do, by one so many minutes ahead of UTC, and by
    that one too where it names none: the end of a day is its end there."""
    try:
        if time.tzinfo is UNNAMED:
            time = time.replace(tzinfo=timezone(timedelta(minutes=clock)))
            time.astimezone(UTC)
            return time
        return time if minutes(time) else ahead(time, clock)
    except OverflowError:
        return time.replace(tzinfo=UTC)


def minutes(time: datetime) -> int:
    """How many minutes the clock of a time is ahead of UTC."""
    return round((time.utcoffset() or timedelta(0)) / _MINUTE)


def ahead(time: datetime, minutes: int | None) -> datetime:
    """The same time by a clock so many minutes ahead of UTC; by UTC where that is not known."""
    return time.astimezone(timezone(timedelta(minutes=minutes)) if minutes else UTC)
