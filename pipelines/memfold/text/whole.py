"""Whether words stand in a text by themselves, and not as a part of a longer word."""

from __future__ import annotations

import re

from memfold.text.scripts import CJK

# Chinese has no blanks between its words: one of its characters bounds a word of another script.
_LETTER = rf"[^\W{CJK}]"


def whole(words: str, text: str) -> re.Match[str] | None:
    """The first place where `words`, in any case, stand between what belongs to no word; words that are not of ASCII
    alone stand anywhere. None where they stand nowhere, or are empty."""
    if not words:
        return None
    bound = (rf"(?<!{_LETTER})", rf"(?!{_LETTER})") if words.isascii() else ("", "")
    return re.search(bound[0] + re.escape(words) + bound[1], text, re.IGNORECASE)
