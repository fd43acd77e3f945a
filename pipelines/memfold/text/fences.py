"""Blocks of code in Markdown: where they begin and end. Whoever leaves code out, or keeps it whole, asks here.

As in CommonMark a fence is three or more backticks or tildes, as many of the same or more close the block, and a block
of backticks that is never closed goes on to the end. Three things differ. Backticks open a block anywhere in a line
("my code: ```python"), and close it where a blank, a sentence's mark or the line's end follows ("``` why does it
fail?", "```, but"), or on the line they opened it. Tildes are more often an ornament than a fence: three to five stand
at the beginning of a line, alone or before one word ("~~~python"), and as many stand alone below them. A block of
Markdown may hold blocks of the same marks: 10 of 13,894 messages of BEAM have one, each by a model.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

# Possessive throughout: 29 MB of BEAM take 70 ms; a lazy `.*?` took 150.
_CLOSES = r"(?P=ticks)`*+(?:[ \t\r\n.,;:!?()\[\]*…–—\u3000-\u303f\u3400-\u9fff\uff00-\uffef]|\Z)"
_REST = rf"[^`]*+(?:(?!{_CLOSES})`++[^`]*+)*+(?:(?P=ticks)`*+|\Z)"
# Within Markdown that is shown, models fence code by the same marks, so that none but the last closes it.
_WITHIN = rf"(?P=ticks)\w[^`\n]*+\n{_REST}"
_BACKTICKS = (
    r"(?P<ticks>````*+)(?:[^`\n]*+(?P=ticks)`*+"
    rf"|(?:markdown|md)[ \t\r]*+\n[^`]*+(?:(?:{_WITHIN}|(?!{_CLOSES})`++)[^`]*+)*+(?:(?P=ticks)`*+|\Z)"
    rf"|{_REST})"
)
# So many lines at most: where none closes, each of 11,000 lines "~~~~~ py" would look through all that follow.
_TILDES = (
    r"(?m:^)[ \t]*+(?P<tildes>~{3,5}+)(?:[ \t]*+[\w{.][^~\s]*+(?:[ \t]++[^~\s=]+=[^~\s]*+)*+)?+[ \t\r]*+"
    r"(?:\n(?![ \t]*+(?P=tildes)~*+[ \t\r]*+(?:\n|\Z))[^\n]*+){0,300}+"
    r"\n[ \t]*+(?P=tildes)~*+(?=[ \t\r]*+(?:\n|\Z))"
)
# The pattern of a block, to be part of another; its groups are `ticks` and `tildes`.
BLOCK = f"{_BACKTICKS}|{_TILDES}"
# What begins with backticks alone is looked for ten times as fast as what may begin a line.
_PATTERNS = {False: re.compile(_BACKTICKS), True: re.compile(BLOCK)}


def _pattern(text: str) -> re.Pattern[str]:
    return _PATTERNS["~~~" in text]


def blocks(text: str) -> Iterator[re.Match[str]]:
    """The blocks of code of a text, in order, each with its fences."""
    return _pattern(text).finditer(text)


def fenced(text: str) -> bool:
    """Whether there is a block of code in a text."""
    return _pattern(text).search(text) is not None


def without_code(text: str, instead: str | Callable[[re.Match[str]], str]) -> str:
    """A text with `instead` (as `re.sub` takes it) in the place of each block of code."""
    return _pattern(text).sub(instead, text)


def unfenced(text: str) -> str:
    """A text without its blocks of code, unless it holds nothing else."""
    return without_code(text, "\n\n").strip() or text.strip()


def fence(text: str) -> str:
    """The fence that a text begins with, which has to close it; empty where it begins with none."""
    block = _pattern(text).match(text)
    return next(filter(None, (block.groupdict().values())), "") if block else ""


def unclosed(block: str) -> str:
    """A block of code without the fence that closes it."""
    opening, said = fence(block), block.rstrip()
    rest = said.rstrip(opening[:1] or None)
    return rest.rstrip() if len(said) - len(rest) >= len(opening) else said
