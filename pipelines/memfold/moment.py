"""What `as_of` names: a snapshot, a time or a message; and how long some hours are. Knows no store."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta

from memfold.errors import UserError
from memfold.given import check_text
from memfold.zones import UNNAMED

MESSAGE = "message:"
_FOR_A_MESSAGE = "for a message's id write"
TIMES = "2026-01-31 or 2026-01-31T12:00:00Z"
_WRITE = f"write {TIMES}"
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
        return _zoned(text, text.isoformat(), "as_of")
    if isinstance(text, date):
        return _end(text)
    return _snapshot(text, str(text))


def hours(count: float) -> timedelta:
    """So many hours; a million (114 years) for more, which `timedelta` may not hold."""
    return timedelta(hours=min(count, 1e6))


def time_of(given: str | datetime | date, name: str) -> datetime:
    """The time that a setting `name` gives, as `as_of` reads times; UserError where it is none."""
    if isinstance(given, datetime):
        return _zoned(given, given.isoformat(), name)
    if isinstance(given, date):
        return _end(given)
    found = _dated(given.strip(), name) if isinstance(given, str) else None
    if found is None:
        raise UserError(f"{name}={given} is no time: {_WRITE}")
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
    return _dated(plain, "as_of", f"; {_FOR_A_MESSAGE} {MESSAGE}{plain}") or text


def _dated(text: str, name: str, also: str = "") -> datetime | None:
    """The time that a text gives for a setting `name`, None where it does not begin like one. `also` is what else the
    error says for one that begins so and is none."""
    dated = _DATED.fullmatch(text)
    if dated is None:
        return None
    try:
        moment = datetime.fromisoformat(text.upper())
    except ValueError as error:
        raise UserError(f"{name}={text} is no time ({error}): {_WRITE}{also}") from None
    return _zoned(moment, text, name) if dated[2] else _end(moment.date())


def _snapshot(number: int, said: str) -> int:
    if number < 1:
        raise UserError(f"as_of={said}: snapshots are numbered from 1; {_FOR_A_MESSAGE} {MESSAGE}{said}")
    return number


def _zoned(moment: datetime, said: str, name: str) -> datetime:
    if moment.tzinfo is None:
        raise UserError(f"{name}={said} has no time zone: give one, {said}Z for UTC or {said}+02:00")
    try:
        moment.astimezone(UTC)
    except OverflowError:
        raise UserError(f"{name}={said} is no time: in UTC it lies outside the years 1 to 9999") from None
    return moment


def _end(day: date) -> datetime:
    return datetime.combine(day, time.max, UNNAMED)


def _kind(value: object) -> str:
    name = type(value).__name__
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"
