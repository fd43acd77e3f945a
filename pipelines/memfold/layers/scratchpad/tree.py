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
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, NamedTuple, Protocol

import pyarrow as pa

from memfold.digest import digest
from memfold.errors import UserError
from memfold.schema import ITEM, SCRATCHPAD, SPAN, key, required
from memfold.text import tokens

FAN = 4

LIFTED = pa.schema(
    [
        key("segment", pa.string()),
        key("exchange_id", pa.int64()),
        required("conversation_id", pa.string()),
        required("items", pa.list_(ITEM)),
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

# The columns that say where in a conversation's tree a node stands.
PLACE = ("segment", "level", "first_exchange", "last_exchange")

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


@dataclass(frozen=True)
class Tree:
    """The layer (`memfold.layers.layer.MemoryLayer`): the tree of the given settings over segments of `span`
    exchanges, whose overfull complete nodes `condenser` condenses."""

    settings: Scratchpad = field(default_factory=Scratchpad)
    condenser: Condenser = field(default_factory=ByRules)
    span: int = SPAN

    @property
    def name(self) -> str:
        return "scratchpad"

    @property
    def signature(self) -> str:
        budgets = f"{self.settings.tokens}:{self.settings.full}"
        return f"scratchpad:{RULES}:{budgets}:{self.condenser.signature}"

    def lift(self, rows: pa.Table) -> pa.Table:
        """The items of some extraction rows, a row an exchange."""
        lifted = [
            {
                "segment": row["segment"],
                "exchange_id": row["exchange_id"],
                "conversation_id": row["conversation_id"],
                "items": [asdict(item) for item in _items(row)],
            }
            for row in rows.select(
                ["segment", "exchange_id", "conversation_id", "facts", "notes"]
            ).to_pylist()
        ]
        return pa.Table.from_pylist(lifted, schema=LIFTED)

    def seal(self, lifted: pa.Table) -> pa.Table:
        """Every node of the tree over a conversation's lifted rows, leaves first, the root last."""
        level = self._sealed(self._leaves(lifted))
        made = level
        while len(level) > 1:
            level = self._sealed([self._over(level[i : i + FAN]) for i in range(0, len(level), FAN)])
            made = made + level
        return table(made)

    def grow(
        self,
        segments: Sequence[str],
        have: set[str],
        extractions: Callable[[Sequence[str]], pa.Table],
        nodes: Callable[[Sequence[str]], pa.Table],
    ) -> tuple[list[str], Iterator[pa.Table]]:
        """The names of all nodes over a conversation's extraction segments, and the rows of those not in `have`, a
        table a level of the tree.

        `extractions` and `nodes` read stored rows by segment: only what the missing nodes are made of is read.
        """
        leaves = [self.leaf_name(segment) for segment in segments]
        levels = self.plan(leaves)

        def missing() -> Iterator[pa.Table]:
            wanted = [segment for leaf, segment in zip(leaves, segments, strict=True) if leaf not in have]
            below = self._sealed(self._leaves(self.lift(extractions(wanted)))) if wanted else []
            if below:
                yield table(below)
            for level in levels:
                made = {node.segment: node for node in below}
                new = [children for name, children in level if name not in have]
                stored = [name for children in new for name in children if name not in made]
                if stored:
                    made |= {node.segment: node for node in parse(nodes(stored))}
                below = self._sealed([self._over([made[name] for name in children]) for children in new])
                if below:
                    yield table(below)

        return [*leaves, *(name for level in levels for name, _ in level)], missing()

    def root(
        self, places: pa.Table, exchanges: int, nodes: Callable[[Sequence[str]], pa.Table], rest: pa.Table
    ) -> Node:
        """The root over a conversation's first `exchanges` (1 or more), from the nodes over the whole of it.

        `places` are the columns `PLACE` of those; `nodes` reads them by segment; `rest` are the extractions behind
        the last complete segment. Complete nodes are what they were when the
        conversation ended there, whoever made them; the right edge is made by rules, as it was then.
        """
        there = {
            (row["level"], row["first_exchange"]): row["segment"]
            for row in places.to_pylist()
            if row["last_exchange"] < exchanges
            and row["last_exchange"] - row["first_exchange"] + 1 == self._width(row["level"])
        }
        # Not those under another complete one: what is over them says all that is needed of them.
        tops = [name for (level, first), name in there.items() if self._above(level, first) not in there]
        stored = sorted(parse(nodes(tops)), key=lambda node: node.first_exchange)
        edge = self._sealed(self._leaves(self.lift(rest))) if rest.num_rows else []
        if not stored and not edge:
            raise ValueError(f"there is neither a node nor an extraction of {exchanges} exchanges")
        highest = max((node.level for node in stored), default=0)
        level = 0
        while True:
            edge = [node for node in stored if node.level == level] + edge
            if level >= highest and len(edge) == 1:
                return edge[0]
            edge = self._sealed([self._over(edge)]) if edge else []
            level += 1

    def leaf_name(self, segment: str) -> str:
        """The name of the leaf over one segment of extractions."""
        return digest(self.signature, segment)

    def plan(self, leaves: Sequence[str]) -> list[list[tuple[str, tuple[str, ...]]]]:
        """The levels of inner nodes over some leaves, as (name, names of the children); the root is last."""
        levels: list[list[tuple[str, tuple[str, ...]]]] = []
        names = list(leaves)
        while len(names) > 1:
            groups = [tuple(names[i : i + FAN]) for i in range(0, len(names), FAN)]
            names = [digest(self.signature, *group) for group in groups]
            levels.append(list(zip(names, groups, strict=True)))
        return levels

    def complete(self, node: Node) -> bool:
        """Whether the node covers all the exchanges of its place, so that nothing said later belongs to it."""
        return node.last_exchange - node.first_exchange + 1 == self._width(node.level)

    def _width(self, level: int) -> int:
        """How many exchanges a complete node covers."""
        return self.span * int(FAN**level)

    def _above(self, level: int, first: int) -> tuple[int, int]:
        return level + 1, first - first % self._width(level + 1)

    def _leaves(self, lifted: pa.Table) -> list[Node]:
        """A leaf a segment of some lifted rows, with all that was written down about it."""
        spans: dict[str, list[dict[str, Any]]] = {}
        for row in lifted.sort_by("exchange_id").to_pylist():
            spans.setdefault(row["segment"], []).append(row)
        return [
            Node(
                segment=self.leaf_name(segment),
                conversation_id=rows[0]["conversation_id"],
                level=0,
                first_exchange=rows[0]["exchange_id"],
                last_exchange=rows[-1]["exchange_id"],
                children=(),
                items=tuple(Item(**item) for row in rows for item in row["items"]),
            )
            for segment, rows in spans.items()
        ]

    def _over(self, children: Sequence[Node]) -> Node:
        """The node over some nodes, with all that they hold."""
        names = tuple(child.segment for child in children)
        return Node(
            segment=digest(self.signature, *names),
            conversation_id=children[0].conversation_id,
            level=children[0].level + 1,
            first_exchange=children[0].first_exchange,
            last_exchange=children[-1].last_exchange,
            children=names,
            items=tuple(item for child in children for item in child.items),
        )

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


def _items(row: dict[str, Any]) -> Iterator[Item]:
    for fact in row["facts"]:
        text = f"{fact['key']} = {fact['value']}"
        yield Item(row["exchange_id"], "fact", text, fact["key"], None, None, None, tokens.count(text))
    for note in row["notes"]:
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
