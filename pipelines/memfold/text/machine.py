"""What programs write (JSON, logs, dates), so that people's words are found in it. Knows nothing of who asks."""

from __future__ import annotations

import json
import re
from datetime import date

from memfold.text.dates import mentions

# Python's JSON writes "Hôtel" as "H\\u00f4tel".
_ESCAPED = re.compile(r"(?:\\u[0-9a-fA-F]{4})+")
# Who asks for 22:31 or 22:31:44 means the line of 2026-05-24T22:31:44.012Z.
_STAMP = re.compile(r"(?<!\d)(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?(?!\d)")


def readable(text: str) -> str:
    """`text` with its escaped letters as such, and of each time stamp the day, the time, and hour and minute alone."""
    if "\\u" in text:
        text = _ESCAPED.sub(_letters, text)
    return _STAMP.sub(_times, text)


def days_named(text: str, today: date | None, *, months: bool = False) -> list[str]:
    """The days that a text names, as programs write them (2026-03-14), and its `months` (2026-03), in its order."""
    found = [(each.first, each.last) for each in mentions(text, today)]
    return [
        first.isoformat() if first == last else f"{first:%Y-%m}"
        for first, last in found
        if first
        and last
        and (first == last or (months and (first.year, first.month) == (last.year, last.month)))
    ]


def _letters(match: re.Match[str]) -> str:
    written: str = json.loads(f'"{match[0]}"')
    # Half of a pair is no letter.
    return written.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _times(match: re.Match[str]) -> str:
    day, minute, second = match[1], match[2], match[3] or ""
    return f"{day} {minute}{second} {minute}" if second else f"{day} {minute}"
