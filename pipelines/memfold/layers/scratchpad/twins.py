"""Twins: items that say the same in other words. One stands for both and names the exchanges of the others.

Meaning alone does not tell. Of the 567 pairs of one kind with a cosine of at least 0.9 among what a strong model wrote
of two conversations of BEAM, nine in ten differ in a word that may matter: 400ms and 220ms, `api` and `paper-api`, the
paper and the live endpoint, INFO and DEBUG, planned and done. So the words decide first, literally: two items can be
twins only if they have the same words but for grammar and a few that say nothing, the same numbers, names and capitals
in the same order, and the same kind, date and reason, and are of no two entities. That makes groups, of which nothing
is in two, and most items are alone in theirs. Vectors are needed of the others only, and a cosine keeps apart what has
the same words in another sense.

Folding is a pure function of a node's items, so the tree's rows stay the same for any cut and order (law 3).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from memfold.embed.contract import Embedder
from memfold.layers.scratchpad.items import Item
from memfold.text.terms import runs, terms
from memfold_kernels.threshold_join import join

# To be raised when other items are folded. Below the least cosine words alone would decide.
TWINS = "twins-1"
LEAST_ALIKE = 0.8
# Unit vectors in float32 are only nearly of length 1: at 1 half of all equal rows were found.
MOST_ALIKE = 0.999

# What carries grammar and nothing else. Not "to", "was" or "will" (to cache, cached), not "or", "no", "before", "off",
# "without", "my": they tell two statements apart.
_GRAMMAR = "a an the is are be been of in on at for with and by that this it its as has have s"
GRAMMAR = frozenset(_GRAMMAR.split())
# What a key is called beside what it is of: "database version = PostgreSQL 14", "database = PostgreSQL 14".
NOTHING = frozenset(("version", "name", "method", "tool", "option"))
_EXACT = re.compile(r"\d+(?:[.,:/-]\d+)*|\b\w*[^\W\d_a-z]\w*")


def words(text: str) -> tuple[str, ...]:
    """The words by which twins are told, in order: stems, but past and progressive forms as they stand ("implemented",
    "implementing"), and single letters. "The user" at the beginning says nothing."""
    found: list[str] = []
    for place, run in enumerate(runs(text)):
        if run in GRAMMAR or run in NOTHING or (run == "user" and place < 2):
            continue
        stems = () if run.endswith(("ed", "ing")) else tuple(terms(run))
        found += stems or (run,)
    return tuple(found)


def exact(text: str) -> tuple[str, ...]:
    """Numbers, and what has a capital and does not begin the text, in order."""
    return tuple(
        match.group() for match in _EXACT.finditer(text) if match.start() or match.group()[0].isdigit()
    )


def literally(item: Item) -> tuple[object, ...]:
    """What two items must share to be twins, besides an entity where both have one."""
    return item.kind, item.date, item.reason, words(item.text), exact(item.text)


def folded(
    nodes: Sequence[Sequence[Item]], cosine: float, embedder: Embedder, by: str
) -> list[tuple[Item, ...]]:
    """The items of each node, given in the order they were said, without those whose twin comes later. `by` is who
    joins (`memfold_kernels.threshold_join`). Two that deny one another are nobody's twins. All nodes share one call of
    the embedder and one join, in which every group of a node is a conversation of its own."""
    groups: list[tuple[int, list[int]]] = []
    for number, items in enumerate(nodes):
        alike: dict[tuple[object, ...], list[int]] = defaultdict(list)
        for place, item in enumerate(items):
            if item.against is None:
                alike[literally(item)].append(place)
        groups += [(number, places) for places in alike.values() if len(places) > 1]
    kept: list[dict[int, Item]] = [dict(enumerate(items)) for items in nodes]
    # A kernel that is asked for and not there is said with the first notes, not hours later with the first twins.
    if groups or by == "kernel":
        rows = [(number, place) for number, places in groups for place in places]
        ends = np.cumsum([0, *(len(places) for _, places in groups)]).astype(np.int64)
        vectors = embedder.encode([nodes[number][place].text for number, place in rows])
        pairs = join(vectors, ends, cosine, by=by)
        for later, earlier in zip(pairs.later.tolist(), pairs.earlier.tolist(), strict=True):
            number, place = rows[later]
            older, newer = kept[number].get(rows[earlier][1]), kept[number][place]
            # Where there is no older one left, a twin between them stands for it.
            if older is not None and (older.entity == newer.entity or not (older.entity and newer.entity)):
                del kept[number][rows[earlier][1]]
                kept[number][place] = _both(older, newer)
    return [tuple(of[place] for place in sorted(of)) for of in kept]


def _both(older: Item, newer: Item) -> Item:
    """The newer of two twins, which stands for both."""
    also = {*older.also, *newer.also, older.exchange_id} - {newer.exchange_id}
    return replace(
        newer,
        also=tuple(sorted(also)),
        replaced=newer.replaced or older.replaced,
        entity=newer.entity or older.entity or newer.entity,
    )
