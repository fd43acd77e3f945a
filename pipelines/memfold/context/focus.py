"""What of a message bears on a question, where it does not fit whole: its units that hold the question's rare words and
the kind of thing it asks for, word for word and in order, with "…" where something is left out.

Text is left out by whole units (`memfold.text.units`), so that nothing ends before the number it was about to say.
Knows no ranking and no page.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np

from memfold.once import kept
from memfold.retrieve.episodes import Episodes
from memfold.retrieve.query import Asked
from memfold.retrieve.sought import (
    asks_for_figure,
    asks_who,
    holds_figure,
    holds_name,
    requests,
    wants_figure,
)
from memfold.text.fences import unfenced, without_code
from memfold.text.scripts import IDEOGRAPH, MARKS, characters
from memfold.text.terms import RUN, Ids, hashes, lowered, run_hashes, runs, terms
from memfold.text.units import KEPT, Place, heads, units

MARK = "…"
# Two or three of these fill the line that an exchange far down the ranking has; where there is more room a unit has up
# to a quarter of it, so that sentences stay whole.
UNIT = 100
# Shares of a unit that holds all of the question's words: what the kind of thing asked for is worth, what a unit has of
# the better one beside it, and what is said first, which tells what the rest is about.
KIND = 0.15
BESIDE = 0.25
FIRST = 0.2
# What is left of the worth of a unit that only asks for something.
REQUEST = 0.5
# The total weight of the words that only the standing orders which bind the answer hold: "always give the versions when
# I ask about libraries" wants lines that share no word with "Which libraries are used?".
ORDERED = 0.5
# The share of the room that units have which bear on the question, where a text is cut to its headings and items. With
# headings and items alone 13 probes scored .757, not .770, and a fact in the prose between them was never shown.
BEARING = 0.35
# "2." of an item, "#### 3." of a heading, "**Step 1:".
_NUMBER = re.compile(r"^[^\S\n]*(?:[#>*-]+[^\S\n]*)*(?:Step )?\d{1,3}[.):、]", re.MULTILINE)


@dataclass(frozen=True, eq=False)
class Cut:
    """A text's units by their places, and what each holds whatever is asked: a figure, a name, a mere request."""

    text: str
    places: tuple[Place, ...]

    @kept
    def figures(self) -> tuple[bool, ...]:
        """Whether each holds a number; the number of an item or a heading does not count."""
        return tuple(holds_figure(_NUMBER.sub("", self.text[start:end])) for start, end in self.places)

    @kept
    def names(self) -> tuple[bool, ...]:
        """Whether each holds a name."""
        return tuple(holds_name(self.text[start:end]) for start, end in self.places)

    def requests(self, unit: int) -> bool:
        """Whether one of them only asks for something."""
        start, end = self.places[unit]
        return requests(self.text[start:end])

    def choose(self, chosen: set[int], units: Iterable[int], room: int) -> int:
        """Add to `chosen` each of `units` that still fits into `room` letters with what follows it, which is a mark, or
        the white space before the next unit; returns the room left."""
        for unit in units:
            start, end = self.places[unit]
            follows = (self.starts[unit + 1] if unit + 1 < len(self.starts) else end) - end
            size = end - start + max(follows, _MARKED)
            if unit not in chosen and size <= room:
                chosen.add(unit)
                room -= size
        return room

    def shown(self, chosen: Iterable[int]) -> str:
        """The chosen units in order, with marks."""
        return marked(self.text, [self.places[unit] for unit in sorted(chosen)])

    @kept
    def starts(self) -> list[int]:
        """Where the units begin."""
        return [start for start, _ in self.places]

    @kept
    def plain(self) -> str | None:
        """The text as words are looked for in it; None where they stand at other places there, or have no beginning."""
        plain = lowered(self.text)
        spaced = plain.isascii() or not IDEOGRAPH.search(plain)
        return plain if spaced and len(plain) == len(self.text) else None

    @kept
    def terms(self) -> tuple[Ids, ...]:
        """The hashed terms of each unit. Few texts need them, those with code among them: each block of it has become a
        mark, which is three characters where words are looked for."""
        return tuple(hashes(self.text[start:end]) for start, end in self.places)


# The same texts are cut for most questions of a conversation.
@lru_cache(maxsize=KEPT)
def cut_up(text: str, longest: int) -> Cut:
    """`text` in units of at most `longest` characters."""
    return Cut(text, tuple(units(text, longest)))


@dataclass(frozen=True, eq=False)
class Focus:
    """What a question looks for: hashed terms with their weights, which add up to 1 for the question's own and to
    `ORDERED` for those of standing orders, `words` by which they are found, and whether a figure or somebody is asked
    for."""

    weights: Mapping[int, float]
    words: tuple[str, ...] = ()
    figure: bool = False
    name: bool = False

    @staticmethod
    def of(asked: Asked, episodes: Episodes, orders: Iterable[str] = ()) -> Focus:
        """A term weighs what it is worth to BM25 among what the user said in this conversation: the rare ones most. The
        standing `orders` that bind the answer say what else it must hold ("always give the versions")."""
        text, ordered, ids = asked.query.text, " ".join(orders), asked.bags[0]
        weighed = weights(ids, episodes, 1.0)
        further = sorted(set(hashes(ordered).tolist()) - weighed.keys())
        weighed = weights(np.array(further, np.uint32), episodes, ORDERED) | weighed
        said = f"{text} {ordered}"
        words = {*terms(said), *(run for run in runs(said) if run_hashes(run))}
        figure = asks_for_figure(text) or wants_figure(ordered)
        return Focus(weighed, tuple(words), figure, asks_who(text))

    @kept
    def _beginnings(self) -> tuple[str, ...]:
        """How a word may begin that has one of the terms: a stem is where its words begin, but for an "i" that was a
        "y". Looking for these is much quicker than reading every word. Of a longer word the first 40 letters: to look
        for 20,000 times one letter in 200,000 of it took 100 s. Of two beginnings, one of which begins with the
        other, the shorter one finds whatever the longer one would."""
        found: list[str] = []
        for beginning in sorted((word.rstrip("i") or word)[:40] for word in self.words):
            if not found or not beginning.startswith(found[-1]):
                found.append(beginning)
        return tuple(found)

    def cut(self, text: str, room: int) -> str:
        """At most `room` letters of `text` (`characters`): all of it, or the units that bear on the question."""
        text = text.strip()
        return text if len(text) <= characters(text, room) else self._shown(text, room)

    def steps(self, text: str, room: int) -> str:
        """At most `room` letters of `text` on one line, without blocks of code unless there is nothing else: all of it,
        or the units that bear on the question in `BEARING` of the room, then headings and items in their order, then
        the other units, the best first."""
        text = unfenced(text)
        if len(text) <= characters(text, room):
            return " ".join(text.split())
        cut = cut_up(text, characters(text, UNIT))
        worth = self._worth(cut)
        worth[0] -= FIRST  # an answer begins by repeating what was asked
        best = sorted(range(len(cut.places)), key=lambda unit: -worth[unit])
        chosen: set[int] = set()
        left = characters(text, room) - 1
        bearing = int(left * BEARING)
        left += cut.choose(chosen, (unit for unit in best if worth[unit] > 0), bearing) - bearing
        left = cut.choose(chosen, (unit for unit, place in enumerate(cut.places) if heads(text, place)), left)
        cut.choose(chosen, best, left)
        return " ".join(cut.shown(chosen).split())

    def line(self, text: str, room: int) -> str:
        """The same on one line, without blocks of code unless there is nothing else."""
        text = without_code(text, " ").strip() or text
        flat = " ".join(text.split())
        return flat if len(flat) <= characters(flat, room) else " ".join(self._shown(text, room).split())

    def _shown(self, text: str, room: int) -> str:
        """The units that are worth most and fit, with marks."""
        unit, room = characters(text, max(UNIT, room // 4)), characters(text, room)
        cut = cut_up(text, max(min(unit, room - _MARKED - 1), 1))
        worth = self._worth(cut)
        chosen: set[int] = set()
        cut.choose(chosen, sorted(range(len(cut.places)), key=lambda unit: -worth[unit]), room - 1)
        return cut.shown(chosen)

    def _worth(self, cut: Cut) -> list[float]:
        """How much each unit bears on the question."""
        found = self._found(cut)
        held = [0.0] * (len(cut.places) + 2)
        for unit in range(len(cut.places)) if self.figure or self.name else found:
            worth = sum(self.weights[term] for term in found.get(unit, ()))
            worth += KIND * (self.figure and cut.figures[unit]) + KIND * (self.name and cut.names[unit])
            held[unit + 1] = worth * REQUEST if worth and cut.requests(unit) else worth
        worths = [held[i] + BESIDE * max(held[i - 1], held[i + 1]) for i in range(1, len(cut.places) + 1)]
        worths[0] += FIRST
        return worths

    def _found(self, cut: Cut) -> Mapping[int, set[int]]:
        """The question's terms in each unit that has any."""
        if not self.weights:
            return {}
        plain = cut.plain
        if plain is None:
            terms_of = (self.weights.keys() & ids.tolist() for ids in cut.terms)
            return {unit: found for unit, found in enumerate(terms_of) if found}
        found: dict[int, set[int]] = {}
        for at in _where(plain, self._beginnings):
            if (run := RUN.match(plain, at)) and (held := self._held(run[0])):
                found.setdefault(max(bisect_right(cut.starts, at) - 1, 0), set()).update(held)
        return found

    @kept
    def _held(self) -> Callable[[str], set[int]]:
        """Which of the question's terms a run has: kept, since the same few runs stand in all texts of a context."""
        return cache(lambda run: self.weights.keys() & run_hashes(run))


def weights(ids: Ids, episodes: Episodes, total: float) -> dict[int, float]:
    """The weights of terms, which add up to `total`, in proportion to their rarity."""
    rarity = episodes.bm25.rarity(ids)
    return dict(zip(ids.tolist(), (total * rarity / (rarity.sum() or 1.0)).tolist(), strict=True))


def _where(text: str, beginnings: Iterable[str]) -> Iterator[int]:
    """Where, in order, one of `beginnings` stands at a word's beginning, and not within the one found before it."""
    found: list[tuple[int, int]] = []
    for beginning in beginnings:
        at = text.find(beginning)
        while at >= 0:
            if not at or not (text[at - 1].isalnum() or text[at - 1] in MARKS):
                found.append((at, at + len(beginning)))
            at = text.find(beginning, at + 1)
    last = 0
    for at, end in sorted(found):
        if at >= last:
            yield at
            last = end


# A unit, the mark after it and the blanks around that.
_MARKED = len(MARK) + 2


def marked(text: str, places: Iterable[Place]) -> str:
    """Some units in order, with a mark wherever something stands between them in `text`, before or behind."""
    shown, last = "", 0
    for start, end in [*places, (len(text), len(text))]:
        between = text[last:start]
        if not between.strip():
            shown += between
        else:
            shown += (
                (" " if shown else "")
                + MARK
                + ("" if start == len(text) else "\n" if "\n" in between else " ")
            )
        shown += text[start:end]
        last = end
    return shown
