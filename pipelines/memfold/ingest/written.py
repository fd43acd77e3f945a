"""Times as people and programs write them out, where ISO 8601 does not read them.

It looks for a date, a clock and a zone one by one, so their order does not matter. It never guesses between day and
month: the month is a name, or the year stands first. A zone is UTC, GMT or an offset from them in numbers: letters such
as CST name several zones.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo

from memfold.text.dates import MONTHS, month
from memfold.zones import UNNAMED

# "10:00:00.5 UTC", "4:04 pm", "10 AM", "10:00 GMT+0200", "10:00 +02:00", and as Go writes it "10:00 +0000 UTC".
_CLOCK = re.compile(
    r"(?<!\d)(?P<hour>\d\d?)(?=:| ?[ap]\.?m\b)"
    r"(?::(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,](?P<fraction>\d{1,9}))?)?)?(?!\d)"
    r"(?: ?(?P<half>[ap])\.?m\b\.?)?"
    r"(?P<utc> ?(?:Z|UTC|GMT|UT)\b)?"
    # "10:00-11:00" is a span.
    r"(?:(?!(?<=\d)-\d\d?:) ?(?P<sign>[+-])(?P<hours>\d\d?)(?::?(?P<minutes>[0-5]\d))?\b(?: UTC\b)?)?",
    re.ASCII | re.IGNORECASE,
)
# "Sat", "(Saturday)" and words between date and clock.
_BESIDE = re.compile(
    r"\(?\b(?:mon|tues?|wed(?:nes)?|thu(?:r?s)?|fri|sat(?:ur)?|sun)(?:day)?\b\.?\)?|\b(?:at|on)\b|,|(?<=\d)T(?= )",
    re.ASCII | re.IGNORECASE,
)
# "(Coordinated Universal Time)" behind a zone says it again; without one it may be the zone.
_AGAIN = re.compile(r"\([^()]*\)")
_DATES = tuple(
    re.compile(form, re.ASCII)
    for form in (
        r"(?P<year>\d{4})(?P<between>[-/.])(?P<month>\d\d?)(?P=between)(?P<day>\d\d?)",
        r"(?P<year>\d{4})年(?P<month>\d\d?)月(?P<day>\d\d?)日",
        r"(?P<day>\d\d?)(?:st|nd|rd|th|\.)?[- /]?(?P<month>[A-Za-z]{3,})\.?[- /]?(?P<year>\d{4})",
        r"(?P<month>[A-Za-z]{3,})\.?[- ](?P<day>\d\d?)(?:st|nd|rd|th)?[- ](?P<year>\d{4})",
    )
)


def written(text: str) -> datetime:
    """The time that a text says, in the zone it names, else in `memfold.zones.UNNAMED`. ValueError if it says none, or
    could mean two."""
    plain = " ".join(text.split())
    clock = _CLOCK.search(plain)
    rest = f"{plain[: clock.start()]} {plain[clock.end() :]}" if clock else plain
    if clock and (clock["utc"] or clock["sign"]):
        rest = _AGAIN.sub(" ", rest)
    date = " ".join(_BESIDE.sub(" ", rest).split())
    found = next((found for form in _DATES if (found := form.fullmatch(date))), None)
    # Three letters tell a month, but "marraskuuta" is none of March.
    if found is None or not ((named := found["month"]).isdigit() or named.lower() in MONTHS):
        raise ValueError(f"no time: {text!r}")
    day = int(found["year"]), int(named) if named.isdigit() else month(named), int(found["day"])
    return datetime(*day, *_clock(clock), tzinfo=_zone(clock)) if clock else datetime(*day, tzinfo=UNNAMED)


def _clock(found: re.Match[str]) -> tuple[int, int, int, int]:
    hour, half = int(found["hour"]), (found["half"] or "").lower()
    if half:
        if hour > 12:
            raise ValueError(f"no hour of half a day: {hour}")
        hour = hour % 12 + (12 if half == "p" else 0)
    fraction = int((found["fraction"] or "0")[:6].ljust(6, "0"))
    return hour, int(found["minute"] or 0), int(found["second"] or 0), fraction


def _zone(found: re.Match[str]) -> tzinfo:
    if found["sign"]:
        ahead = timedelta(hours=int(found["hours"]), minutes=int(found["minutes"] or 0))
        return timezone(-ahead if found["sign"] == "-" else ahead)
    return UTC if found["utc"] else UNNAMED
