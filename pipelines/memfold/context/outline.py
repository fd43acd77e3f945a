"""What a message is made of: its headings and the beginnings of its list's items, word for word and in order.

An answer's headings and items are its steps and points; what stands between them says how. Knows no question.
"""

from __future__ import annotations

import re

from memfold.context.focus import UNIT, marked
from memfold.text.scripts import characters
from memfold.text.units import CODE, units


def outline(text: str, room: int) -> str:
    """At most `room` letters of `text` (`characters`) on one line: all of it, or its headings and items as far as they
    fit; of a message that has none, its first sentences. Blocks of code count as left out, unless there is nothing
    else."""
    text = CODE.sub("\n\n", text).strip() or text.strip()
    room = characters(text, room)
    if len(text) <= room:
        return " ".join(text.split())
    places = units(text, characters(text, UNIT))
    points = [unit for unit, (start, _) in enumerate(places) if _POINT.match(text, start)]
    chosen: list[int] = []
    left = room - 1
    for unit in points if len(points) > 1 else range(len(places)):
        size = places[unit][1] - places[unit][0] + 3
        if size > left:
            break
        chosen.append(unit)
        left -= size
    return " ".join(marked(text, places, chosen).split())


# The line begins with a mark of a heading or an item.
_POINT = re.compile(r"(?<![^\n])[^\S\n]*(?:#{1,6}[^\S\n]|(?:[-*•]|\d{1,3}[.)、])[^\S\n]|\*\*)")
