"""Patterns that are looked for only where one of their words stands. To look for some twenty words takes 1 us, and a
pattern without case that is tried at every place of a sentence 15 to 50.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cued:
    """A pattern that ignores case, with its cues: one of them stands, in lower case, in every ASCII text that it
    matches. `tests/text/test_cued.py` reads that from the pattern. In other text it is always looked for."""

    pattern: re.Pattern[str]
    cues: tuple[str, ...]

    def search(self, text: str) -> re.Match[str] | None:
        """As `re.Pattern.search`."""
        if text.isascii():
            low = text.lower()
            if not any(map(low.__contains__, self.cues)):
                return None
        return self.pattern.search(text)


def cued(pattern: re.Pattern[str], cues: str) -> Cued:
    """The pattern with its cues, which stand between bars."""
    return Cued(pattern, tuple(cues.split("|")))
