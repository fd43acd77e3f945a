"""The clock by which a thing was said."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memfold.errors import UserError
from memfold.zones import UNNAMED, ahead, by, local, minutes, zone

SHANGHAI = timezone(timedelta(hours=8))


@pytest.mark.parametrize(
    ("time", "clock", "expected"),
    [
        # Its own clock, where no other is named.
        (datetime(2025, 5, 18, 6, 40, tzinfo=SHANGHAI), None, "2025-05-18T06:40:00+08:00"),
        (datetime(2025, 5, 17, 22, 40, tzinfo=UTC), None, "2025-05-17T22:40:00+00:00"),
        (datetime(2025, 5, 18, 6, 40), None, "2025-05-18T06:40:00+00:00"),
        (datetime(2025, 5, 18, 6, 40, tzinfo=UNNAMED), None, "2025-05-18T06:40:00+00:00"),
        # The same instant by the clock that is named; what names no zone was read off that clock.
        (datetime(2025, 5, 17, 22, 40, tzinfo=UTC), "Asia/Shanghai", "2025-05-18T06:40:00+08:00"),
        (datetime(2025, 5, 18, 6, 40, tzinfo=UNNAMED), "Asia/Shanghai", "2025-05-18T06:40:00+08:00"),
        (datetime(2025, 5, 18, 6, 40), "Asia/Shanghai", "2025-05-18T06:40:00+08:00"),
        # Summer time comes and goes.
        (datetime(2025, 7, 1, 3, tzinfo=UTC), "America/Los_Angeles", "2025-06-30T20:00:00-07:00"),
        (datetime(2025, 1, 1, 3, tzinfo=UTC), "America/Los_Angeles", "2024-12-31T19:00:00-08:00"),
        # A table holds whole minutes: what is said at +08:05:43 was said at +08:06, at the same instant.
        (
            datetime(1900, 1, 1, 12, tzinfo=timezone(timedelta(hours=8, minutes=5, seconds=43))),
            None,
            "1900-01-01T12:00:17+08:06",
        ),
        # A day from the end of time there is no other clock.
        (datetime(9999, 12, 31, 23, tzinfo=UTC), "Asia/Shanghai", "9999-12-31T23:00:00+00:00"),
        (datetime(9999, 12, 31, 23, tzinfo=UNNAMED), "America/New_York", "9999-12-31T23:00:00+00:00"),
        (datetime(1, 1, 1, tzinfo=UNNAMED), "Asia/Shanghai", "0001-01-01T00:00:00+00:00"),
    ],
)
def test_a_time_is_told_by_a_clock(time: datetime, clock: str | None, expected: str) -> None:
    assert by(time, zone(clock)).isoformat() == expected


@pytest.mark.parametrize(
    ("time", "clock", "expected"),
    [
        (datetime(2025, 5, 18, 6, 40, tzinfo=SHANGHAI), 0, "2025-05-18T06:40:00+08:00"),
        (datetime(2025, 5, 17, 22, 40, tzinfo=UTC), 480, "2025-05-18T06:40:00+08:00"),
        (datetime(2025, 5, 19, 23, 59, tzinfo=UNNAMED), 480, "2025-05-19T23:59:00+08:00"),
        (datetime(2025, 5, 19, 23, 59, tzinfo=UNNAMED), -420, "2025-05-19T23:59:00-07:00"),
        (datetime(9999, 12, 31, 23, 59, tzinfo=UNNAMED), -420, "9999-12-31T23:59:00+00:00"),
        (datetime(9999, 12, 31, 23, 59, tzinfo=UTC), 480, "9999-12-31T23:59:00+00:00"),
    ],
)
def test_a_time_in_utc_is_told_by_the_clock_at_hand(time: datetime, clock: int, expected: str) -> None:
    assert local(time, clock).isoformat() == expected


@given(st.datetimes(timezones=st.timezones(), min_value=datetime(2, 1, 1), max_value=datetime(9998, 1, 1)))
def test_a_table_gives_back_the_clock(time: datetime) -> None:
    told = by(time, None)
    back = ahead(told.astimezone(UTC), minutes(told))
    # In UTC: Python says that a time in the hour which summer time leaves out equals none of another zone.
    assert back.astimezone(UTC) == time.astimezone(UTC)
    assert (back.date(), back.utcoffset()) == (told.date(), told.utcoffset())


@pytest.mark.parametrize("name", ["Asia/Shangai", "", "../etc/passwd", "+08:00", 8])
def test_a_zone_nobody_knows_is_said(name: str) -> None:
    with pytest.raises(UserError, match="no such time zone"):
        zone(name)
