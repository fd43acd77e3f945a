"""Which of the scratchpad's items stand in a context: the paper's filter f(S, x) (arXiv 2510.27246, section 3).

An item is as near to a question as the search found the exchange it came from, so nothing is embedded here. On
BEAM, 700 tokens of the items nearest in that way held 79 / 82 / 82 % (100K / 500K / 1M) of the evidence exchanges
that have items; nearest by vectors of their own, which would take 2.6 ms an item, 70 / 57 / 55 %; whole chunks by
vectors 57 / 41 / 44 %. Chunks are what a model chooses among, where there is one: an item alone says too little to
be judged. Knows no model and no store; standing orders are no notes, they have a place of their own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from memfold.layers.scratchpad.tree import STANDING, Item
from memfold.retrieve.episodes import Episodes
from memfold.retrieve.ranking import Ranking

# Neighbours that are less alike than nine in ten of them never share a chunk, and no chunk holds more tokens than
# these unless it is one item. The 24 chunks with the nearest items then hold 96 / 94 / 91 / 91 % of BEAM's evidence
# exchanges that have items (100K to 10M), in 4,000 tokens; 24 of at most 150 tokens 91 / 89 / 87 / 82 %.
WEAKEST = 0.1
CHUNK_TOKENS = 300
# Likenesses that differ by less are the same: a vector's product with itself is not 1 to the last bit.
SAME = 1e-5


@dataclass(frozen=True, slots=True)
class Notes:
    """Items chosen for a question, the nearest first, and what choosing them cost."""

    items: tuple[Item, ...] = ()
    usage: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Near:
    """A conversation's notes as seen from a question: `items`, the nearest first, and `chunks`, those with the
    nearest items first, each the places of its items in `items`, in the order they were said."""

    conversation_id: str
    question: str
    items: tuple[Item, ...]
    chunks: tuple[tuple[int, ...], ...]

    def all(self) -> Notes:
        return Notes(self.items)

    def only(self, chunks: Collection[int]) -> tuple[Item, ...]:
        """The items of some chunks, the nearest first."""
        return tuple(self.items[place] for place in sorted(p for chunk in chunks for p in self.chunks[chunk]))


class Filter(Protocol):
    """Chooses among notes that are near a question; from any thread, and it may wait for a model."""

    def choose(self, near: Near) -> Notes: ...


@dataclass(frozen=True)
class Pad:
    """The notes of an open conversation: items in the order they were said, the position of each one's exchange in
    the episodes, and the bounds of the chunks, (first item, one after the last)."""

    items: tuple[Item, ...]
    positions: NDArray[np.int64]
    chunks: tuple[tuple[int, int], ...]

    @staticmethod
    def of(items: Iterable[Item], episodes: Episodes) -> Pad:
        """From a scratchpad's items. What is of no exchange among the episodes is left out."""
        known = set(episodes.exchange_id.tolist())
        noted = [item for item in items if item.kind not in STANDING and item.exchange_id in known]
        noted.sort(key=lambda item: item.exchange_id)
        positions = np.array([episodes.position(item.exchange_id) for item in noted], np.int64)
        alike = (episodes.vectors[positions[:-1]] * episodes.vectors[positions[1:]]).sum(1)
        return Pad(tuple(noted), positions, tuple(chunked(alike, [item.tokens for item in noted])))

    def near(self, conversation_id: str, question: str, ranking: Ranking) -> Near:
        """The notes by the nearness that `ranking` gives their exchanges."""
        scores = ranking.scores[self.positions] if self.items else np.empty(0)
        order = np.argsort(-scores, kind="stable")
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        chunks = [tuple(map(int, place[first:end])) for first, end in self.chunks]
        return Near(
            conversation_id, question, tuple(self.items[i] for i in order), tuple(sorted(chunks, key=min))
        )


def chunked(alike: NDArray[np.floating], tokens: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Cuts a row of items where neighbours are least alike: gives (first, one after the last) of each chunk, in order.

    `alike` is the likeness of each item and its successor, one fewer than `tokens`, the items' sizes.
    """
    if not tokens:
        return
    weak = (
        np.flatnonzero(alike < np.quantile(alike, WEAKEST) - SAME) + 1
        if len(alike)
        else np.empty(0, np.int64)
    )
    bounds = [0, *map(int, weak), len(tokens)]
    left = list(pairwise(bounds))[::-1]
    while left:
        first, end = left.pop()
        if end - first == 1 or sum(tokens[first:end]) <= CHUNK_TOKENS:
            yield first, end
        else:
            inner = alike[first : end - 1]
            # Items of one exchange are all alike: of equally weak places the one nearest the middle.
            weakest = np.flatnonzero(inner <= inner.min() + SAME)
            cut = first + 1 + int(weakest[np.abs(2 * weakest - len(inner) + 1).argmin()])
            left += [(cut, end), (first, cut)]
