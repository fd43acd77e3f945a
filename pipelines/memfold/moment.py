"""What `as_of` names: a snapshot, a time or a message; and how long some hours are. Knows no store."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta

from memfold.errors import UserError
from memfold.given import check_text

MESSAGE = "message:"
_FOR_A_MESSAGE = "for a message's id write"
# An ISO date, and what may follow it.
_DATED = re.compile(r"(\d{4}-\d{2}-\d{2})([T ].+)?", re.IGNORECASE)


def as_of(text: str | int | datetime | date | None) -> int | str | datetime | None:
    """What is named: a snapshot's number (int), a time (aware datetime) or a message's id (str); None is the newest.

    Digits are a snapshot's number, an ISO date (2026-01-31, its end in UTC) or time (2026-01-31T12:00:00Z) is a time,
    and all other text a message's id. `message:7` is the message with the id `7`, whatever the id looks like. Raises
    UserError where a time has no zone, a number is no snapshot's, or nothing is named.
    """
    if text is None:
        return None
    if isinstance(text, bool) or not isinstance(text, str | int | date):
        raise UserError(
            f"as_of={text!r} is {_kind(text)}: give a snapshot's number, a time or a message's id"
        )
    if isinstance(text, str):
        return _read(text)
    if isinstance(text, datetime):
        return _zoned(text, text.isoformat())
    if isinstance(text, date):
        return _end(text)
    return _snapshot(text, str(text))


def hours(count: float) -> timedelta:
    """So many hours; a million (114 years) for more, which `timedelta` may not hold."""
    return timedelta(hours=min(count, 1e6))


def time_of(given: str | datetime | date, name: str) -> datetime:
    """The time that a setting `name` gives, as `as_of` reads times; UserError where it is none."""
    plain = given.strip() if isinstance(given, str) else given
    found = None
    if isinstance(plain, date) or (isinstance(plain, str) and _DATED.fullmatch(plain)):
        try:
            found = as_of(plain)
        except UserError as error:
            said, _, _ = str(error).partition(f"; {_FOR_A_MESSAGE}")
            raise UserError(said.replace("as_of", name)) from None
    if not isinstance(found, datetime):
        raise UserError(f"{name}={given} is no time: write 2026-01-31 or 2026-01-31T12:00:00Z")
    return found


def _read(text: str) -> int | str | datetime:
    check_text("as_of", text)
    if text.startswith(MESSAGE):
        text = text.removeprefix(MESSAGE)
        if not text:
            raise UserError("as_of=message: names no message: give its id, as_of=message:7")
        return text
    plain = text.strip()
    if not plain:
        raise UserError("as_of is empty: give a snapshot's number, a time or a message's id, or leave it out")
    if plain.isascii() and plain.isdigit():
        return _snapshot(int(plain), plain)
    if dated := _DATED.fullmatch(plain):
        try:
            moment = datetime.fromisoformat(plain.upper())
        except ValueError as error:
            raise UserError(
                f"as_of={plain} is no time ({error}): write 2026-01-31 or 2026-01-31T12:00:00Z; "
                f"{_FOR_A_MESSAGE} {MESSAGE}{plain}"
            ) from None
        return _zoned(moment, plain) if dated[2] else _end(moment.date())
    return text


def _snapshot(number: int, said: str) -> int:
    if number < 1:
        raise UserError(f"as_of={said}: snapshots are numbered from 1; {_FOR_A_MESSAGE} {MESSAGE}{said}")
    return number


def _zoned(moment: datetime, said: str) -> datetime:
    if moment.tzinfo is None:
        raise UserError(f"as_of={said} has no time zone: give one, {said}Z for UTC or {said}+02:00")
    try:
        moment.astimezone(UTC)
    except OverflowError:
        raise UserError(f"as_of={said} is no time: in UTC it lies outside the years 1 to 9999") from None
    return moment


def _end(day: date) -> datetime:
    return datetime.combine(day, time.max, UTC)


def _kind(value: object) -> str:
    name = type(value).__name__
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"
