"""What a message is made of: its headings and the beginnings of its list's items, word for word and in order.

An answer's headings and items are its steps and points; what stands between them says how. Knows no question.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import chain, islice, tee

from memfold.context.focus import UNIT, marked
from memfold.text.fences import unfenced
from memfold.text.scripts import characters
from memfold.text.units import KEPT, Place, heads, units


# The answers that summaries show are mostly the same. To cut them anew was half of making a summary's context.
@lru_cache(maxsize=KEPT)
def outline(text: str, room: int) -> str:
    """At most `room` letters of `text` (`characters`) on one line: all of it, or its headings and items as far as they
    fit; of a message that has none, its first sentences. Blocks of code count as left out, unless there is nothing
    else."""
    text = unfenced(text)
    room = characters(text, room)
    if len(text) <= room:
        return " ".join(text.split())
    cut, told = tee(units(text, characters(text, UNIT)))
    points = (place for place in told if heads(text, place))
    two = list(islice(points, 2))
    places: list[Place] = []
    left = room - 1
    # Stops where the room ends: of a message of 5 kB only the beginning is cut into units.
    for place in chain(two, points) if len(two) > 1 else cut:
        left -= place[1] - place[0] + 3
        if left < 0:
            break
        places.append(place)
    return " ".join(marked(text, places).split())
