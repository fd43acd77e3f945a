"""Whether words stand in a text by themselves, and not as a part of a longer word."""

from __future__ import annotations

import re

from memfold.text.scripts import CJK

# Chinese has no blanks between its words: one of its characters bounds a word of another script.
_LETTER = rf"[^\W{CJK}]"


def whole(words: str, text: str) -> re.Match[str] | None:
    """The first place where `words`, in any case, stand between what belongs to no word; words that are not of ASCII
    alone stand anywhere. None where they stand nowhere, or are empty."""
    # A pattern takes 5 ms to make, and a group has thousands of names, of which a text holds few.
    if not words or _folded(words) not in _folded(text):
        return None
    bound = (rf"(?<!{_LETTER})", rf"(?!{_LETTER})") if words.isascii() else ("", "")
    return re.search(bound[0] + re.escape(words) + bound[1], text, re.IGNORECASE)


def _folded(text: str) -> str:
    """`text` in one case. To a pattern that ignores case, a Turkish i with a dot or without is an i."""
    return text.casefold().replace("\u0307", "").replace("ı", "i")
