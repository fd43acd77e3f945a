"""The local clock of a speaker: how many minutes it is ahead of UTC, kept beside each instant.

Instants put messages in order. The speaker's clock decides the day of a message, and so the meaning of "today" and
"tomorrow": in UTC an evening in California is already the next day, and a morning in Shanghai still the day before.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

from memfold.errors import UserError

# The zone of a time without a zone in its source. It equals UTC; code recognises it by identity.
UNNAMED = timezone(timedelta(0), "none named")
_MINUTE = timedelta(minutes=1)


def zone(name: str | None) -> tzinfo | None:
    """The zone with this name in the IANA database, e.g. "Asia/Shanghai"; None for None. UserError for an unknown
    name."""
    if name is None:
        return None
    try:
        return ZoneInfo(name)
    except (TypeError, ValueError, OSError, LookupError):
        raise UserError(
            f"source.zone={name}: no such time zone: give a name such as Europe/Berlin, America/New_York or UTC"
        ) from None


def by(time: datetime, clock: tzinfo | None) -> datetime:
    """The time in the zone `clock`, or in its own zone if `clock` is None. A time without a zone was read from that
    clock; without one it counts as UTC. The result has a fixed offset in whole minutes."""
    read = time.replace(tzinfo=clock or UTC) if time.tzinfo is None or time.tzinfo is UNNAMED else time
    try:
        return ahead(read, minutes(read.astimezone(clock) if clock else read))
    except OverflowError:  # within a day of the year 1 or 9999 a time stays in UTC
        return time.replace(tzinfo=UTC) if read is not time else time.astimezone(UTC)


def local(time: datetime, clock: int) -> datetime:
    """The time on a clock `clock` minutes ahead of UTC, unless its own zone is another than UTC: programs write UTC
    wherever they run. A time without a zone was read from that clock."""
    if time.tzinfo is UNNAMED:
        return by(time, timezone(timedelta(minutes=clock)))
    try:
        return time if minutes(time) else ahead(time, clock)
    except OverflowError:
        return time.replace(tzinfo=UTC)


def minutes(time: datetime) -> int:
    """How many minutes the zone of a time is ahead of UTC."""
    return round((time.utcoffset() or timedelta(0)) / _MINUTE)


def ahead(time: datetime, minutes: int | None) -> datetime:
    """The time in a zone `minutes` ahead of UTC; in UTC if that is None."""
    return time.astimezone(timezone(timedelta(minutes=minutes)) if minutes else UTC)
