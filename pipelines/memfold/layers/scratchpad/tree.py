"""The scratchpad: what was worth writing down, condensed by a tree of fixed shape.

A leaf covers one segment of 64 exchanges, an inner node four nodes below it. A node depends on its children alone
and is named by the hash of their names. One that covers all the exchanges of its place is complete: nothing that
is said later changes it. The others are the tree's right edge, which the next append makes anew. So what is
condensed with much effort is condensed once: a complete node that holds too much is handed to a condenser, which
makes room, and the right edge is made to fit by rules (decision 11). Nothing is condensed that fits.

Rules drop exact repetitions, let the newer of two items about one subject replace the older and say what it
replaced, and give up the least salient items where room is short. They cannot rephrase, so they do not see that
two differently worded items say the same. Knows no model: a condenser is a function over nodes.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, NamedTuple, Protocol

import pyarrow as pa

from memfold.errors import UserError
from memfold.layers.layer import Group, Span, Tools
from memfold.schema import SPAN, required
from memfold.text import tokens

FAN = 4

# An item of the scratchpad: a note with the exchange it came from and what it replaced.
ITEM = pa.struct(
    [
        required("exchange_id", pa.int64()),
        required("kind", pa.string()),
        required("text", pa.string()),
        pa.field("about", pa.string()),
        pa.field("reason", pa.string()),
        pa.field("date", pa.string()),
        pa.field("replaced", pa.string()),
        required("tokens", pa.int32()),
    ]
)

SCRATCHPAD = pa.schema(
    [
        required("segment", pa.string()),
        required("conversation_id", pa.string()),
        required("level", pa.int32()),
        required("first_exchange", pa.int64()),
        required("last_exchange", pa.int64()),
        required("children", pa.list_(pa.string())),
        required("items", pa.list_(ITEM)),
        required("made_by", pa.string()),
    ]
)

# What survives longest when room is short: what binds every later answer first, moods last. Any order that
# puts the standing kinds above plain facts keeps them whole; the finer steps are a judgement, not measured.
SALIENCE = {
    "instruction": 9,
    "preference": 7,
    "constraint": 6,
    "correction": 6,
    "decision": 6,
    "excluded": 5,
    "event": 4,
    "fact": 3,
    "question": 2,
    "sentiment": 1,
}

# Kinds of which there is one current item a subject. Two events or two constraints about one thing both hold; so do
# two instructions: "always give dates" and "always give sources" may both be about answers.
REPLACED = frozenset({"fact", "preference", "decision", "correction"})

# Kinds that bind every later answer.
STANDING = ("instruction", "preference")

# What `made_by` says of a node that rules condensed, or that fitted as it was.
RULES = "rules-4"


@dataclass(frozen=True, slots=True)
class Item:
    """A note with the exchange it came from. `replaced` is the text of the older item it took the place of."""

    exchange_id: int
    kind: str
    text: str
    about: str | None
    reason: str | None
    date: str | None
    replaced: str | None
    tokens: int


@dataclass(frozen=True, slots=True)
class Node:
    """One node of the tree. `segment` is its name: the hash of what it was made from; `made_by` the signature of
    what condensed it."""

    segment: str
    conversation_id: str
    level: int
    first_exchange: int
    last_exchange: int
    children: tuple[str, ...]
    items: tuple[Item, ...]
    made_by: str = RULES


class Overfull(NamedTuple):
    """A complete node that holds more than a node may: its items as they were said, repetitions dropped, and what they
    are to be condensed to."""

    conversation_id: str
    first_exchange: int
    items: tuple[Item, ...]
    budget: int


class Condenser(Protocol):
    """Condenses overfull nodes, all that are given at once; `signature` names all that the result depends on besides
    the nodes. Gives for each its items, which fit the budget, and what is said to have made them."""

    @property
    def signature(self) -> str: ...

    def __call__(self, nodes: Sequence[Overfull]) -> Sequence[tuple[tuple[Item, ...], str]]: ...


@dataclass(frozen=True)
class ByRules:
    """The condenser that asks nobody."""

    @property
    def signature(self) -> str:
        return RULES

    def __call__(self, nodes: Sequence[Overfull]) -> list[tuple[tuple[Item, ...], str]]:
        return [(condense(node.items, node.budget), RULES) for node in nodes]


@dataclass(frozen=True)
class Scratchpad:
    """The layer's settings, in Qwen2.5 tokens of items' texts: a node holds up to `full`, and a complete one that would
    hold more is condensed to `tokens`: the paper's 30,000 and 15,000 (arXiv 2510.27246, section 3).

    `sealed_by` says who condenses complete nodes: "engine" (the model that extracts, where there is one) or "rules".
    """

    tokens: int = 15000
    full: int = 30000
    sealed_by: str = "engine"

    def __post_init__(self) -> None:
        if not 100 <= self.tokens <= self.full:
            raise UserError(
                f"layers.scratchpad: tokens={self.tokens}, full={self.full}: "
                "tokens must be at least 100 and at most full"
            )
        if self.sealed_by not in ("engine", "rules"):
            raise UserError(f"layers.scratchpad.sealed_by={self.sealed_by!r} must be engine or rules")

    def equip(self, tools: Tools) -> Tree:
        """The layer with its condenser: the engine's model where there is one and it is to seal."""
        if self.sealed_by == "engine" and tools.asker is not None:
            from memfold.layers.scratchpad.sealing import Sealing  # which reads this module

            return Tree(self, Sealing(tools.asker, self.full))
        return Tree(self)


@dataclass(frozen=True)
class Tree:
    """The layer (`memfold.layers.layer.Layer`): a tree of notes over segments of `span` exchanges, whose overfull
    complete nodes `condenser` condenses."""

    settings: Scratchpad = field(default_factory=Scratchpad)
    condenser: Condenser = field(default_factory=ByRules)
    span: int = SPAN

    name = "scratchpad"
    table = SCRATCHPAD
    reads = ("extractions", "notes")
    fan = FAN

    @property
    def version(self) -> str:
        budgets = f"{self.settings.tokens}:{self.settings.full}"
        return f"{RULES}:{budgets}:{self.condenser.signature}"

    def leaves(self, spans: Sequence[Span]) -> list[pa.Table]:
        """A node for each segment, with all that was written down about it; no rows where nothing was."""
        there = [span.rows["extractions"].num_rows > 0 for span in spans]
        leaves = [
            _leaf(span.name, span.rows["extractions"], span.rows["notes"])
            for span, has in zip(spans, there, strict=True)
            if has
        ]
        sealed = iter(self._sealed(leaves))
        return [table([next(sealed)] if has else []) for has in there]

    def nodes(self, groups: Sequence[Group]) -> list[pa.Table]:
        """The node over each group of nodes; no rows where there are none."""
        below = [[node for child in group.children for node in parse(child)] for group in groups]
        over = [_over(group.name, nodes) for group, nodes in zip(groups, below, strict=True) if nodes]
        sealed = iter(self._sealed(over))
        return [table([next(sealed)] if nodes else []) for nodes in below]

    def complete(self, node: Node) -> bool:
        """Whether the node covers all the exchanges of its place, so that nothing said later belongs to it."""
        return node.last_exchange - node.first_exchange + 1 == self._width(node.level)

    def _width(self, level: int) -> int:
        """How many exchanges a complete node covers."""
        return self.span * int(FAN**level)

    def _sealed(self, nodes: Sequence[Node]) -> list[Node]:
        """The nodes of one level, none with more than a node may hold."""
        made: list[Node] = []
        overfull: dict[int, Overfull] = {}
        for place, node in enumerate(nodes):
            items = united(node.items)
            if self.complete(node) and size(items) > self.settings.full:
                budget = self.settings.tokens
                overfull[place] = Overfull(node.conversation_id, node.first_exchange, items, budget)
            else:
                items = fitting(items, self.settings.full)
            made.append(replace(node, items=items))
        if overfull:
            condensed = self.condenser(list(overfull.values()))
            for place, (items, made_by) in zip(overfull, condensed, strict=True):
                made[place] = replace(made[place], items=items, made_by=made_by)
        return made


def _leaf(name: str, extractions: pa.Table, notes: pa.Table) -> Node:
    rows = extractions.to_pylist()
    noted: dict[int, list[dict[str, Any]]] = {}
    for note in notes.to_pylist():
        noted.setdefault(note["exchange_id"], []).append(note)
    items = [item for row in rows for item in _items(row, noted.get(row["exchange_id"], ()))]
    first, last = rows[0]["exchange_id"], rows[-1]["exchange_id"]
    return Node(name, rows[0]["conversation_id"], 0, first, last, (), tuple(items))


def _over(name: str, children: Sequence[Node]) -> Node:
    """The node over some nodes, with all that they hold."""
    return Node(
        segment=name,
        conversation_id=children[0].conversation_id,
        level=children[0].level + 1,
        first_exchange=children[0].first_exchange,
        last_exchange=children[-1].last_exchange,
        children=tuple(child.segment for child in children),
        items=tuple(item for child in children for item in child.items),
    )


def size(items: Sequence[Item]) -> int:
    """The tokens of the items' texts."""
    return sum(item.tokens for item in items)


def united(items: Sequence[Item]) -> tuple[Item, ...]:
    """`items` (given in the order they were said) without repetitions; of a subject that has one current item, the
    newest, which says what it replaced. In the order they were said, the most salient of an exchange first."""
    current: dict[tuple[str, ...], Item] = {}
    for item in items:
        subject = _subject(item)
        older = current.get(subject)
        if older is None:
            current[subject] = item
        elif _plain(older.text) != _plain(item.text):
            current[subject] = replace(item, replaced=item.replaced or older.text)
    return tuple(sorted(current.values(), key=_said))


def condense(items: Sequence[Item], budget: int) -> tuple[Item, ...]:
    """The most salient of `items` (given in the order they were said) whose tokens fit `budget`, in that order."""
    return fitting(united(items), budget)


def fitting(items: Sequence[Item], budget: int) -> tuple[Item, ...]:
    """What `condense` keeps of items that are united already: all of them where they fit."""
    if size(items) <= budget:
        return tuple(items)
    ranked = sorted(items, key=lambda item: (-SALIENCE[item.kind], -item.exchange_id, item.text))
    kept: list[Item] = []
    for item in ranked:
        if item.tokens <= budget:
            budget -= item.tokens
            kept.append(item)
    return tuple(sorted(kept, key=_said))


def parse(rows: pa.Table) -> list[Node]:
    """Stored rows as nodes."""
    return [
        Node(**{**row, "children": tuple(row["children"]), "items": tuple(Item(**i) for i in row["items"])})
        for row in rows.to_pylist()
    ]


def table(nodes: Sequence[Node]) -> pa.Table:
    """Nodes as rows to store."""
    return pa.Table.from_pylist([asdict(node) for node in nodes], schema=SCRATCHPAD)


def render(item: Item) -> str:
    """One item as a line of text."""
    line = f"{item.kind}: {item.text}"
    if item.date:
        line += f" [{item.date}]"
    if item.reason:
        line += f" (because {item.reason})"
    if item.replaced:
        line += f" (before: {item.replaced})"
    return line


def _items(row: dict[str, Any], notes: Sequence[dict[str, Any]]) -> Iterator[Item]:
    for fact in row["facts"]:
        text = f"{fact['key']} = {fact['value']}"
        yield Item(row["exchange_id"], "fact", text, fact["key"], None, None, None, tokens.count(text))
    for note in notes:
        yield Item(
            row["exchange_id"],
            note["kind"],
            note["text"],
            note["about"],
            note["reason"],
            note["date"],
            None,
            tokens.count(note["text"]),
        )


def _said(item: Item) -> tuple[int, int, str]:
    return item.exchange_id, -SALIENCE[item.kind], item.text


def _subject(item: Item) -> tuple[str, ...]:
    if item.kind in REPLACED and item.about:
        return (item.kind, _plain(item.about))
    return (item.kind, "", _plain(item.text))


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split()).strip(" .,;:!?。，；：！？")
