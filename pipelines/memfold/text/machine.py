"""What programs write (JSON, logs), so that words which people use are found in it. Knows nothing of who asks."""

from __future__ import annotations

import json
import re

# Python's JSON writes "Hôtel" as "H\\u00f4tel".
_ESCAPED = re.compile(r"(?:\\u[0-9a-fA-F]{4})+")
# Who asks for 22:31 or 22:31:44 means the line of 2026-05-24T22:31:44.012Z.
_STAMP = re.compile(r"(?<!\d)(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?(?!\d)")


def readable(text: str) -> str:
    """`text` with its escaped letters as such, and of each time stamp the day, the time, and hour and minute alone."""
    if "\\u" in text:
        text = _ESCAPED.sub(_letters, text)
    return _STAMP.sub(_times, text)


def _letters(match: re.Match[str]) -> str:
    written: str = json.loads(f'"{match[0]}"')
    # Half of a pair is no letter.
    return written.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _times(match: re.Match[str]) -> str:
    day, minute, second = match[1], match[2], match[3] or ""
    return f"{day} {minute}{second} {minute}" if second else f"{day} {minute}"
