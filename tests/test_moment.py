"""What `as_of` names: a snapshot's number, a time, or a message's id."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from memfold import UserError
from memfold.moment import as_of

END = datetime(2026, 1, 31, 23, 59, 59, 999999, UTC)
NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("given", "named"),
    [
        (None, None),
        (3, 3),
        ("3", 3),
        ("20260131", 20260131),
        ("2026-01-31", END),
        (date(2026, 1, 31), END),
        ("2026-01-31T12:00:00Z", NOON),
        ("2026-01-31 12:00Z", NOON),
        ("2026-01-31t12:00z", NOON),
        ("2026-01-31T14:00:00+02:00", NOON),
        (NOON, NOON),
        (datetime(2026, 1, 31, 14, tzinfo=timezone(timedelta(hours=2))), NOON),
        ("u1", "u1"),
        ("对话-7", "对话-7"),
        ("3.5", "3.5"),
        ("١٢", "١٢"),
        ("message:7", "7"),
        ("message:2026-01-31", "2026-01-31"),
        ("message:message:7", "message:7"),
    ],
)
def test_each_form_names_one_thing(given: str | int | date | None, named: object) -> None:
    got = as_of(given)
    assert got == named
    assert type(got) is type(named)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("2026-01-31T12:00:00", ["has no time zone", "2026-01-31T12:00:00Z"]),
        (datetime(2026, 1, 31, 12), ["has no time zone", "2026-01-31T12:00:00Z"]),
        ("2026-13-01", ["no time", "message:2026-13-01"]),
        ("2026-01-31T25:00Z", ["no time", "message:2026-01-31T25:00Z"]),
        ("0", ["numbered from 1", "message:0"]),
        (-1, ["numbered from 1"]),
        ("", ["as_of is empty"]),
        (" ", ["as_of is empty"]),
        ("message:", ["names no message"]),
        (True, ["a bool"]),
        (1.5, ["a float", "snapshot's number, a time or a message's id"]),
        ([], ["a list"]),
    ],
)
def test_what_names_nothing_is_one_line_with_the_cure(given: object, said: list[str]) -> None:
    with pytest.raises(UserError) as caught:
        as_of(given)  # type: ignore[arg-type]
    line = str(caught.value)
    assert "\n" not in line
    for part in said:
        assert part in line
