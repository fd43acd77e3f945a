"""What of a message bears on a question, where it does not fit whole: its units that hold the question's rare words and
the kind of thing it asks for, word for word and in order, with "…" where something is left out.

Text is left out by whole units (`memfold.text.units`), so that nothing ends before the number it was about to say.
Knows no ranking and no page.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memfold.once import kept
from memfold.retrieve.episodes import Episodes
from memfold.retrieve.query import Asked
from memfold.retrieve.sought import asks_for_figure, asks_for_name, holds_figure, holds_name, requests
from memfold.text.scripts import IDEOGRAPH
from memfold.text.terms import RUN, hashes, lowered, run_hashes, runs, terms
from memfold.text.units import CODE, Place, units

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


@dataclass(frozen=True, eq=False)
class Focus:
    """What a question looks for: its terms' hashes with their weights, which add up to 1, `words` by which they are
    found, and whether it asks for a figure or for somebody."""

    weights: Mapping[int, float]
    words: tuple[str, ...] = ()
    figure: bool = False
    name: bool = False

    @staticmethod
    def of(asked: Asked, episodes: Episodes) -> Focus:
        """A term weighs what it is worth to BM25 among what the user said in this conversation: the rare ones most."""
        text, ids = asked.query.text, asked.bags[0]
        rarity = episodes.bm25.rarity(ids)
        weights = dict(zip(ids.tolist(), (rarity / (rarity.sum() or 1.0)).tolist(), strict=True))
        words = {*terms(text), *(run for run in runs(text) if run_hashes(run))}
        return Focus(weights, tuple(words), asks_for_figure(text), asks_for_name(text))

    @kept
    def _words(self) -> re.Pattern[str]:
        """Where a word may begin that has one of the terms: a stem is where its words begin, but for an "i" that was a
        "y". Looking for these is three times as quick as reading every word."""
        beginnings = sorted({re.escape(word.rstrip("i") or word) for word in self.words})
        return re.compile(rf"(?<![^\W_])(?:{'|'.join(beginnings)})")

    def cut(self, text: str, room: int) -> str:
        """At most `room` characters of `text`: all of it, or the units that bear on the question."""
        text = text.strip()
        return text if len(text) <= room else self._shown(text, room)

    def line(self, text: str, room: int) -> str:
        """The same on one line, without blocks of code unless there is nothing else."""
        if "```" in text:
            text = CODE.sub(" ", text).strip() or text
        flat = " ".join(text.split())
        return flat if len(flat) <= room else " ".join(self._shown(text, room).split())

    def _shown(self, text: str, room: int) -> str:
        """The units that are worth most and fit, with marks."""
        places = units(text, max(min(max(UNIT, room // 4), room - _MARKED - 1), 1))
        worth = self._worth(text, places)
        chosen: list[int] = []
        left = room - 1
        for unit in sorted(range(len(places)), key=lambda unit: -worth[unit]):
            start, end = places[unit]
            if end - start + _MARKED <= left:
                chosen.append(unit)
                left -= end - start + _MARKED
        return marked(text, places, sorted(chosen))

    def _worth(self, text: str, places: Sequence[Place]) -> list[float]:
        """How much each unit bears on the question."""
        found = self._found(text, places)
        held = [0.0] * (len(places) + 2)
        for unit, (start, end) in enumerate(places, 1):
            if found[unit - 1] or self.figure or self.name:
                held[unit] = self._held(text[start:end], found[unit - 1])
        worth = [held[i] + BESIDE * max(held[i - 1], held[i + 1]) for i in range(1, len(places) + 1)]
        worth[0] += FIRST
        return worth

    def _held(self, unit: str, found: set[int]) -> float:
        held = sum(self.weights[term] for term in found)
        held += KIND * (self.figure and holds_figure(unit)) + KIND * (self.name and holds_name(unit))
        return held * REQUEST if held and requests(unit) else held

    def _found(self, text: str, places: Sequence[Place]) -> list[set[int]]:
        """The question's terms in each unit."""
        found: list[set[int]] = [set() for _ in places]
        if not self.weights:
            return found
        plain = lowered(text)
        if len(plain) != len(text) or IDEOGRAPH.search(plain):
            return [self.weights.keys() & hashes(text[start:end]).tolist() for start, end in places]
        starts = [start for start, _ in places]
        for word in self._words.finditer(plain):
            if run := RUN.match(plain, word.start()):
                found[max(bisect_right(starts, run.start()) - 1, 0)] |= self.weights.keys() & run_hashes(
                    run[0]
                )
        return found


# A unit, the mark after it and the blanks around that.
_MARKED = len(MARK) + 2


def marked(text: str, places: Sequence[Place], chosen: Sequence[int]) -> str:
    """Some units in order, with a mark wherever something stands between them in `text`, before or behind."""
    shown, last = "", 0
    for start, end in [*(places[unit] for unit in chosen), (len(text), len(text))]:
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
