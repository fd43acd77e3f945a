"""Where in a text dates in Latin script may stand: around words and figures of which each date holds one."""

from __future__ import annotations

import re

from memfold.text.chunks import by_chunk
from memfold.text.dates.mention import AROUND
from memfold.text.dates.vocabulary import ABROAD, MONTHS, SEASONS, SHORT_WEEKDAYS, WEEKDAY_NUMBERS

# Most text holds no such word or figure, so the pattern of dates (`latin`), which costs 1 µs a character, is run around
# them only: over what a user says in 10M tokens of BEAM that is a quarter of the time.
_TOKEN = re.compile(
    r"[^\W\d_]{3,10}|\d{1,4}[-/]\d{1,2}(?!\d)|\d\.\d\d?\.(?=\d{4})|q[1-4]|(?<=the )\d\d?(?:st|nd|rd|th)"
)
# What stands in each figure of a date.
_FIGURES = re.compile(r"\d[-/.]\d|\d(?:st|nd|rd|th)\b")
_CUES = frozenset(
    MONTHS.keys()
    | ABROAD.keys()
    | WEEKDAY_NUMBERS.keys()
    | SHORT_WEEKDAYS.keys()
    | SEASONS.keys()
    | {"today", "tonight", "tomorrow", "yesterday", "morning", "afternoon", "evening", "night", "weekend"}
    | {unit + s for unit in ("day", "week", "fortnight", "month", "year") for s in ("", "s")}
    | {"q1", "q2", "q3", "q4"}
)


def stretches(text: str) -> list[list[int]]:
    """Where in a text, from and to, dates in Latin script may stand."""
    lowered = text.lower()
    if len(lowered) != len(text):  # a letter of two in lower case: places are not those of the text
        return [[0, len(text)]]
    found: list[list[int]] = []
    if not any(_dated(lowered)):
        return found
    for m in _TOKEN.finditer(lowered):
        if m[0] in _CUES or m[0][0].isdecimal():
            start, end = max(m.start() - AROUND, 0), m.end() + AROUND
            # What is covered is not looked through again: text without blanks has one stretch and many cues.
            if found and end <= found[-1][1]:
                continue
            while end < len(text) and not text[end].isspace():
                end += 1
            if found and start <= found[-1][1]:
                found[-1][1] = end
            else:
                found.append([start, end])
    return found


@by_chunk
def _dated(text: str) -> bool:
    """Whether a lower-cased text holds a word or a figure of a date. None of them holds a blank."""
    return not _CUES.isdisjoint(_TOKEN.findall(text)) or _FIGURES.search(text) is not None
