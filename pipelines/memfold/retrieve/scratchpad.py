"""The scratchpad of an open conversation: its root, its notes as seen from a question, and its chronicle."""

from __future__ import annotations

from collections.abc import Iterator

from memfold.layers.scratchpad.items import Item
from memfold.layers.scratchpad.tree import FAN, Line, Node, parse
from memfold.once import derived
from memfold.retrieve.notes import WORDS, Descent, Near, Pad, besides
from memfold.retrieve.ranking import Ranking
from memfold.retrieve.subjects import Subjects
from memfold.retrieve.view import View
from memfold.schema import SPAN

# Nodes of one level whose chronicles are read together: 256 lines, over 10M tokens one for some 32 exchanges.
CHRONICLED = 36


@derived
def root_of(view: View) -> Node | None:
    """The scratchpad's root; None where there is none."""
    rows = view.root("scratchpad")
    return parse(rows)[0] if rows is not None and rows.num_rows else None


@derived
def pad_of(view: View) -> Pad:
    """The root's notes, in chunks; none where there is no scratchpad."""
    root = root_of(view)
    return Pad.of(root.items if root is not None else (), view.episodes)


@derived
def descent_of(view: View) -> Descent | None:
    """What reads the scratchpad below its root; None where the root holds all there is."""
    root = root_of(view)
    if root is None or not root.dropped:
        return None
    return Descent(root, lambda level, places: view.nodes("scratchpad", level, places))


@derived
def subjects_of(view: View) -> Subjects | None:
    """The scratchpad's items by what they are about; None where that layer or the scratchpad is not shown."""
    rows = view.leaves("subjects")
    return None if rows is None or root_of(view) is None else Subjects.of(rows, view.episodes)


@derived
def chronicle_of(view: View) -> tuple[Line, ...]:
    """The dated account of the conversation, in order: the lines of the nodes of the finest level that has at most
    `CHRONICLED` nodes."""
    root = root_of(view)
    if root is None:
        return ()
    end, level = root.last_exchange + 1, root.level
    while level and -(-end // (SPAN * FAN ** (level - 1))) <= CHRONICLED:
        level -= 1
    if level == root.level:
        return root.chronicle
    nodes = view.nodes("scratchpad", level, range(-(-end // (SPAN * FAN**level))))
    lines = (Line(**line) for rows in nodes for each in rows["chronicle"].to_pylist() for line in each)
    return tuple(sorted(lines, key=lambda line: line.exchange_id))


def near(view: View, question: str, ranking: Ranking, reach: int, named: int = 0) -> Near:
    """The notes as seen from a question: the `named` that it names most, from wherever the tree holds them, then those
    of the `reach` best exchanges, likewise, and the rest from its root."""
    return _read(view, question, ranking, reach).after(_named(view, question, ranking, named))


def nearest(view: View, question: str, ranking: Ranking, reach: int, named: int = 0) -> Iterator[Item]:
    """The items of `near` alone: cutting them into chunks, which only a filter reads, takes most of its time."""
    first = _named(view, question, ranking, named)
    yield from first
    below = reach and descent_of(view) is not None
    yield from filter(
        besides(first),
        _read(view, question, ranking, reach).items if below else pad_of(view).nearest(ranking),
    )


def _named(view: View, question: str, ranking: Ranking, most: int) -> tuple[Item, ...]:
    subjects = subjects_of(view) if most else None
    if subjects is None:
        return ()
    return tuple(item for item, _ in subjects.nearest(question, ranking, most))


def _read(view: View, question: str, ranking: Ranking, reach: int) -> Near:
    """The notes by where they were said: as the search found their exchanges."""
    descent = descent_of(view) if reach else None
    if descent is None:
        return pad_of(view).near(view.conversation_id, question, ranking)
    wanted = set(view.episodes.exchange_id[ranking.order[:reach]].tolist())
    below = Pad.of(descent.items(wanted), view.episodes)
    found, root = (pad.near(view.conversation_id, question, ranking, WORDS) for pad in (below, pad_of(view)))
    return found.beside(root, wanted)
