"""What a correction puts right, as a mark: by it the entry is known again, and its words stand in no second place,
where erasing the message that said them would leave them (law 9)."""

from __future__ import annotations

import re

from memfold.digest import digest
from memfold.text.terms import plain

_MARK = re.compile(r"digest:[0-9a-f]{32}")


def mark(text: str) -> str:
    """The mark of a text; a mark is its own."""
    return text if is_mark(text) else f"digest:{digest('replaced-1', plain(text))}"


def is_mark(text: str) -> bool:
    """Whether a text is a mark."""
    return _MARK.fullmatch(text) is not None
