"""Which of the scratchpad's items stand in a context: the paper's filter f(S, x) (arXiv 2510.27246, section 3), over
the whole tree.

An item is as near to a question as the search found the exchange it came from, so nothing is embedded here. On
BEAM, 700 tokens of the items nearest in that way held 79 / 82 / 82 % (100K / 500K / 1M) of the evidence exchanges
that have items; nearest by vectors of their own, which would take 2.6 ms an item, 70 / 57 / 55 %; whole chunks by
vectors 57 / 41 / 44 %. Chunks are what a model chooses among, where there is one: an item alone says too little to
be judged.

The root holds what there was room for: 30,000 tokens, of 8,301 exchanges 3.6 each. Where something gave way, the tree
is read from the root downwards to the exchanges that the search found best, as far as a node that holds all of its
span (`Descent`). Knows no model and no store; standing orders are no notes, they have a place of their own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Protocol

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from memfold.layers.scratchpad.items import ITEM, Item, united
from memfold.layers.scratchpad.subjects import known
from memfold.layers.scratchpad.tree import FAN, Node
from memfold.retrieve.best import best_first
from memfold.retrieve.episodes import Episodes
from memfold.retrieve.ranking import Ranking
from memfold.retrieve.remember import Remembered
from memfold.schema import SPAN
from memfold.text.terms import terms

# Neighbours that are less alike than nine in ten of them never share a chunk, and no chunk holds more tokens than
# these unless it is one item. The 24 chunks with the nearest items then hold 96 / 94 / 91 / 91 % of BEAM's evidence
# exchanges that have items (100K to 10M), in 4,000 tokens; 24 of at most 150 tokens 91 / 89 / 87 / 82 %.
WEAKEST = 0.1
CHUNK_TOKENS = 300
# What is found by its subject says what it is about, so that fewer tokens of it can be judged together; 24 items then
# leave room for chunks of exchanges among the 24 that a model is shown.
FEW_TOKENS = 100
# Likenesses that differ by less are the same: a vector's product with itself is not 1 to the last bit.
SAME = 1e-5
# Nodes of an open conversation that are kept. One of 30,000 tokens is some 300 kB.
NODES = 96
# What an item gains that has all the question's words, in deviations of the search's scores: an exchange says more than
# one thing, and of ten notes of it one answers.
WORDS = 4.0


@dataclass(frozen=True, slots=True)
class Notes:
    """Items chosen for a question, the nearest first, and what choosing them cost."""

    items: Iterable[Item] = ()
    usage: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AsRead:
    """Items that are found as they are read; each reader finds them anew. A page of 5,000 tokens has room for some ten
    of 2,700 items, and listing all of them took 0.9 ms of the page's 17."""

    find: Callable[[], Iterator[Item]]

    def __iter__(self) -> Iterator[Item]:
        return self.find()


@dataclass(frozen=True, slots=True)
class Near:
    """A conversation's notes as seen from a question: `items`, the nearest first, and `chunks`, those with the
    nearest items first, each the places of its items in `items`, in the order they were said; `scores` are the
    items'."""

    conversation_id: str
    question: str
    items: tuple[Item, ...]
    chunks: tuple[tuple[int, ...], ...]
    scores: tuple[float, ...] = ()

    def all(self) -> Notes:
        """All of them, the nearest first."""
        return Notes(self.items)

    def only(self, chunks: Collection[int]) -> tuple[Item, ...]:
        """The items of some chunks, the nearest first."""
        return tuple(self.items[place] for place in sorted(p for chunk in chunks for p in self.chunks[chunk]))

    def after(self, first: Sequence[Item]) -> Near:
        """These notes behind some others, which they do not repeat (`besides`)."""
        keep = besides(first)
        left = [place for place, item in enumerate(self.items) if keep(item)]
        now = {place: len(first) + n for n, place in enumerate(left)}
        chunks = [tuple(now[place] for place in chunk if place in now) for chunk in self.chunks]
        return replace(
            self,
            items=(*first, *(self.items[place] for place in left)),
            chunks=(*_together(first), *sorted(filter(None, chunks), key=min)),
            scores=(),
        )

    def beside(self, other: Near, but: Collection[int]) -> Near:
        """These notes and those of `other` that are not of some exchanges, the nearest first."""
        kept = [place for place, item in enumerate(other.items) if item.exchange_id not in but]
        items = self.items + tuple(other.items[place] for place in kept)
        scores = self.scores + tuple(other.scores[place] for place in kept)
        order = sorted(range(len(items)), key=lambda place: -scores[place])
        now = {place: n for n, place in enumerate(order)}
        to = {place: now[len(self.items) + n] for n, place in enumerate(kept)}
        chunks = [
            *(tuple(now[place] for place in chunk) for chunk in self.chunks),
            *(tuple(to[place] for place in chunk if place in to) for chunk in other.chunks),
        ]
        return replace(
            self,
            items=tuple(items[place] for place in order),
            chunks=tuple(sorted(filter(None, chunks), key=min)),
            scores=tuple(scores[place] for place in order),
        )


def besides(first: Sequence[Item]) -> Callable[[Item], bool]:
    """A test for items: whether one is neither among `first` nor replaced by one of them. The same words still hold for
    another entity, or if they were said again later."""
    there = {(item.exchange_id, item.text) for item in first}
    newer: dict[str, list[Item]] = defaultdict(list)
    for item in first:
        if item.replaced is not None:
            newer[item.replaced].append(item)

    def stale(item: Item) -> bool:
        """Whether one of `first` replaced the item."""
        # A correction, which may have no entity, replaces what it corrects whosever that is.
        return any(
            item.exchange_id <= one.exchange_id
            and (not one.entity or not item.entity or one.entity == item.entity)
            for one in newer.get(item.text, ())
        )

    # Of thousands of items few have words that one of `first` has or replaced.
    touched = newer.keys() | {item.text for item in first}
    return lambda item: (
        item.text not in touched or ((item.exchange_id, item.text) not in there and not stale(item))
    )


def _together(items: Sequence[Item]) -> Iterator[tuple[int, ...]]:
    """The places of some items, in order, so many together as a model judges at once."""
    chunk: list[int] = []
    held = 0
    for place, item in enumerate(items):
        if chunk and held + item.tokens > FEW_TOKENS:
            yield tuple(chunk)
            chunk, held = [], 0
        chunk.append(place)
        held += item.tokens
    if chunk:
        yield tuple(chunk)


class Filter(Protocol):
    """Chooses among notes that are near a question; from any thread, and it may wait for a model."""

    def choose(self, near: Near) -> Notes:
        """The notes to show, the nearest first."""
        ...


@dataclass(frozen=True)
class Pad:
    """The notes of an open conversation: items in the order they were said, the position of each one's exchange in
    the episodes, the bounds of the chunks, (first item, one after the last), and each item's terms. `twins` are those
    items that stand for others, with the positions of those."""

    items: tuple[Item, ...]
    positions: NDArray[np.int64]
    chunks: tuple[tuple[int, int], ...]
    words: tuple[frozenset[str], ...]
    twins: Mapping[int, NDArray[np.int64]]

    @staticmethod
    def of(items: Iterable[Item], episodes: Episodes) -> Pad:
        """From a scratchpad's items. What is of no exchange among the episodes is left out."""
        noted = sorted(
            (item for item in items if item.exchange_id in episodes), key=lambda item: item.exchange_id
        )
        positions = np.array([episodes.position(item.exchange_id) for item in noted], np.int64)
        alike = (episodes.vectors[positions[:-1]] * episodes.vectors[positions[1:]]).sum(1)
        chunks = tuple(chunked(alike, [item.tokens for item in noted]))
        words = tuple(
            frozenset(terms(f"{item.about or ''} {item.entity or ''} {item.text}")) for item in noted
        )
        twins = {
            place: np.array([episodes.position(exchange) for exchange in item.also], np.int64)
            for place, item in enumerate(noted)
            if item.also
        }
        return Pad(tuple(noted), positions, chunks, words, twins)

    def nearest(self, ranking: Ranking) -> Iterator[Item]:
        """The notes by the nearness that `ranking` gives their exchanges."""
        return (self.items[i] for i in best_first(self._scores(ranking)))

    def _scores(self, ranking: Ranking) -> NDArray[np.float64]:
        """What the ranking gives each note's exchange, or the best of those that said the same."""
        scores: NDArray[np.float64] = np.array(
            ranking.scores[self.positions] if self.items else (), np.float64
        )
        for one, others in self.twins.items():
            scores[one] = max(scores[one], ranking.scores[others].max())
        return scores

    def near(self, conversation_id: str, question: str, ranking: Ranking, words: float = 0.0) -> Near:
        """The notes by the nearness that `ranking` gives their exchanges, and by what each gains that has
        all the question's words."""
        scores = self._scores(ranking)
        if words and self.items:
            asked = frozenset(terms(question))
            shared = np.array([len(asked & words) for words in self.words], np.float64) / max(len(asked), 1)
            scores = scores + words * shared
        order = best_first(scores)
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        chunks = [tuple(map(int, place[first:end])) for first, end in self.chunks]
        return Near(
            conversation_id,
            question,
            tuple(self.items[i] for i in order),
            tuple(sorted(chunks, key=min)),
            tuple(scores[order].tolist()),
        )


@dataclass(frozen=True)
class Opened:
    """A node below the root: its items as rows, the exchange of each, and how many gave way in it and below."""

    items: pa.StructArray
    exchange: NDArray[np.int64]
    dropped: int

    @staticmethod
    def of(rows: pa.Table) -> Opened:
        """From a node's row; where there is none, nothing was noted."""
        flat = pa.concat_arrays([chunk.flatten() for chunk in rows["items"].chunks] or [_NO_ITEMS])
        exchange = flat.field("exchange_id").to_numpy(zero_copy_only=False)
        return Opened(flat, np.asarray(exchange, np.int64), sum(rows["dropped"].to_pylist()))

    def said_in(self, exchanges: Sequence[int]) -> list[Item]:
        """The items of some exchanges, and those that stand for twins of them."""
        said = np.isin(self.exchange, exchanges)
        if self.items.type.get_field_index("also") >= 0:
            also = self.items.field("also")
            of = np.repeat(np.arange(len(said)), also.value_lengths().to_numpy(zero_copy_only=False))
            said[of[np.isin(also.flatten().to_numpy(zero_copy_only=False), exchanges)]] = True
        places = np.flatnonzero(said)
        return [Item.of(row) for row in self.items.take(pa.array(places)).to_pylist()]


# Of the tree: the rows of each of some nodes of a level, by their places in it.
Nodes = Callable[[int, Sequence[int]], Sequence[pa.Table]]
_NO_ITEMS = pa.array([], ITEM)


class Descent:
    """Reading the tree below its root, for one open conversation; from any number of threads."""

    def __init__(self, root: Node, nodes: Nodes) -> None:
        def opened(keys: Sequence[tuple[int, int]]) -> list[Opened]:
            (level,) = {level for level, _ in keys}
            return [Opened.of(rows) for rows in nodes(level, [place for _, place in keys])]

        self._root = root
        self._nodes = Remembered[tuple[int, int], Opened](opened, NODES)
        self._about: dict[tuple[str, ...], list[Item]] = defaultdict(list)
        for item in root.items:
            for key in known(item.kind, item.about, item.entity, item.text):
                self._about[key].append(item)

    def items(self, exchanges: Collection[int]) -> list[Item]:
        """The items of some exchanges, from the highest nodes below the root in which nothing gave way, or from
        leaves; united with one another and with what the root holds of the same subjects, so that a newer value of
        one stands in the place of an older. In the order they were said."""
        found: list[Item] = []
        left, level = sorted(exchanges), self._root.level
        while left and level:
            level -= 1
            under: dict[tuple[int, int], list[int]] = defaultdict(list)
            for exchange in left:
                under[level, exchange // (SPAN * FAN**level)].append(exchange)
            left = []
            for key, node in self._nodes.get(under).items():
                if node.dropped and level:
                    left += under[key]
                else:
                    found += node.said_in(under[key])
        keys = {key for item in found for key in known(item.kind, item.about, item.entity, item.text)}
        related = [item for key in sorted(keys) for item in self._about.get(key, ())]
        # Of an item that is there twice, the one counts that says what it replaced.
        distinct: dict[tuple[int, str, str], Item] = {}
        for item in (*found, *related):
            said = (item.exchange_id, item.kind, item.text)
            if said not in distinct or (item.replaced and not distinct[said].replaced):
                distinct[said] = item
        return list(united(sorted(distinct.values(), key=lambda item: item.exchange_id)))


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
