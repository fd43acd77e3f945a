"""What a message is made of: the words of its headings and of its list's items, word for word and in order.

An answer's headings and items are its steps and points; what stands between them says how. Their marks ("####", "**",
"1.") take tokens and say nothing. Knows no question.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from memfold.context.focus import MARK, UNIT, marked
from memfold.text.scripts import characters
from memfold.text.units import CODE, KEPT, units

HEADING, ITEM, INNER, NAMED, REST = range(5)


class Point(NamedTuple):
    """The words of a heading, an item, an item of an item, or of what is said behind one on its line, which is `NAMED`
    if it holds a name or a figure and else `REST`; and the same without what differs between two that say the same."""

    text: str
    depth: int
    name: str


# The answers of a conversation are mostly the same for each of its questions.
@lru_cache(maxsize=KEPT)
def outline(text: str, room: int) -> str:
    """At most `room` letters of `text` (`characters`) on one line: all of it, or its headings as far as they fit, then
    its items, then what stands behind them, all in the order of the message; of a message that has none, its first
    sentences. Blocks of code count as left out, unless there is nothing else."""
    text = CODE.sub("\n\n", text).strip() or text.strip()
    room = characters(text, room)
    if len(text) <= room:
        return " ".join(text.split())
    found = _points(text)
    if len(found) < 2:
        return _beginning(text, room)
    chosen: list[int] = []
    said: set[str] = set()
    left = room - len(MARK) - 1
    # In the order of the text the items of the first heading displaced the other headings.
    for place in sorted(range(len(found)), key=lambda place: found[place].depth):
        point = found[place]
        size = len(point.text) + len(MARK) + 2
        if size <= left and point.name not in said:
            chosen.append(place)
            said.add(point.name)
            left -= size
    shown = f" {MARK} ".join(found[place].text for place in sorted(chosen))
    return f"{MARK} {shown} {MARK}" if shown else ""


def _points(text: str) -> list[Point]:
    """The points of a message without blocks of code, in order."""
    found: list[Point] = []
    for line in _POINT.finditer(text):
        said, depth = line["said"], HEADING if line["heading"] else INNER if line["inner"] else ITEM
        title = _BOLD.match(said) or (_COLON.match(said) if depth != HEADING else None)
        if title:
            rest = _clause(said[title.end() :])
            parts = [(title[1], depth), (rest, NAMED if _NAME.search(rest) else REST)]
        else:
            parts = [(said if depth == HEADING else _clause(said), depth)]
        for part, deep in parts:
            words = " ".join(part.strip(_EDGE).split())
            if name := _NO_LETTER.sub(" ", words).strip().casefold():
                found.append(Point(words, deep, name))
    return found


def _clause(said: str) -> str:
    """The first sentence, or of a long one the first clauses."""
    said = said.strip(_EDGE)
    longest = characters(said, UNIT)
    places = () if len(said) <= longest else units(said, longest)
    return said[: places[0][1]].rstrip(",，;；") if places else said


def _beginning(text: str, room: int) -> str:
    """The first sentences that fit."""
    places, left = units(text, characters(text, UNIT)), room - 1
    chosen: list[int] = []
    for unit, (start, end) in enumerate(places):
        left -= end - start + 3
        if left < 0:
            break
        chosen.append(unit)
    return " ".join(marked(text, places, chosen).split())


_POINT = re.compile(
    r"(?<![^\n])(?P<inner>[^\S\n]{2,}(?=\S))?[^\S\n]?"
    r"(?:(?P<heading>#{1,6}[^\S\n]+)|(?:[-*•]|\d{1,3}[.)、])[^\S\n]+|(?=\*\*))(?:\d{1,3}[.)][^\S\n]+)?(?P<said>\S[^\n]*)"
)
_BOLD = re.compile(r"\*\*([^*\n]{1,120})\*\*:?")
_COLON = re.compile(r"([^\n:：]{2,70})[:：](?=\s|\Z)")
_NAME = re.compile(r"[`\d]|(?<=\w )[A-Z]")
_NO_LETTER = re.compile(r"[\W\d_]+")
_EDGE = " \t*:：#"
