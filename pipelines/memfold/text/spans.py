"""Spans of a text: its lines, where they begin, and the text without some of it. Knows nothing of what is in them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate

Span = tuple[int, int]

# So much of a line tells what it is.
HEAD = 400


def heads(text: str) -> list[str]:
    """The beginning of each line, without the blanks around it: what tells what the line is."""
    return [line[:HEAD].strip() for line in text.split("\n")]


def begins(text: str) -> list[int]:
    """Where each line begins, and behind the last one where another would."""
    return [0, *accumulate(len(line) + 1 for line in text.split("\n"))]


def cut(text: str, spans: Iterable[Span], taken: list[str]) -> str:
    """The text without these spans, which are in order and are added to `taken`. A line break stays in the place of
    each, but of one that takes the last line's, which need not be there."""
    left: list[str] = []
    at = 0
    for start, end in spans:
        taken.append(text[start:end])
        left += text[at:start], "\n"
        at = end
    if not left:
        return text
    if at > len(text):
        left.pop()
    return "".join((*left, text[at:]))
