"""The scratchpad: what was worth writing down, condensed by a tree of fixed shape.

A leaf covers one segment of 64 exchanges, an inner node four nodes below it. A node holds the most salient
items of what it covers within a budget of tokens that doubles with each level up to a limit; it depends on
its children alone and is named by the hash of their names. So appending redoes the right edge of the tree,
and nothing is condensed more often than the tree is high (log₄ of the number of segments, plus one).

Condensing here needs no model: exact repetitions are dropped, the newer of two items about one subject
replaces the older and says what it replaced, and the least salient items give way. It cannot rephrase, so
it does not see that two differently worded items say the same.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import pyarrow as pa

from memfold import tokens
from memfold.digest import digest
from memfold.errors import UserError
from memfold.schema import ITEM, SCRATCHPAD, key, required

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

# Kinds of which there is one current item a subject. Two events or two constraints about one thing both hold.
REPLACED = frozenset({"fact", "preference", "decision", "instruction", "correction"})


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
    """One node of the tree. `segment` is its name: the hash of what it was made from."""

    segment: str
    conversation_id: str
    level: int
    first_exchange: int
    last_exchange: int
    children: tuple[str, ...]
    items: tuple[Item, ...]


@dataclass(frozen=True)
class Scratchpad:
    """The layer. `leaf_tokens` is a leaf's budget, `tokens` that of any node, in Qwen2.5 tokens.

    The paper condenses at 30,000 tokens down to 15,000 (arXiv 2510.27246, section 3); the tree never lets a
    node grow past `tokens`, so the first number has no counterpart.
    """

    leaf_tokens: int = 2000
    tokens: int = 15000

    def __post_init__(self) -> None:
        if not 100 <= self.leaf_tokens <= self.tokens:
            raise UserError("layers.scratchpad: leaf_tokens must be at least 100 and at most tokens")

    @property
    def name(self) -> str:
        return "scratchpad"

    @property
    def signature(self) -> str:
        return f"scratchpad-1:{self.leaf_tokens}:{self.tokens}"

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
        """Every node of the tree over a conversation's lifted rows."""
        spans: dict[str, list[dict[str, Any]]] = {}
        for row in sorted(lifted.to_pylist(), key=lambda row: row["exchange_id"]):
            spans.setdefault(row["segment"], []).append(row)
        return table(self.tree([self.leaf(rows) for rows in spans.values()]))

    def tree(self, leaves: Sequence[Node]) -> list[Node]:
        """The leaves and all nodes over them, the root last."""
        made = {leaf.segment: leaf for leaf in leaves}
        for name, children in self.plan([leaf.segment for leaf in leaves]):
            made[name] = self._parent(name, [made[child] for child in children])
        return list(made.values())

    def leaf_name(self, segment: str) -> str:
        """The name of the leaf over one segment of extractions."""
        return digest(self.signature, segment)

    def plan(self, leaves: Sequence[str]) -> list[tuple[str, tuple[str, ...]]]:
        """The inner nodes over some leaves, by level, as (name, names of the children); the root is last."""
        inner: list[tuple[str, tuple[str, ...]]] = []
        level = list(leaves)
        while len(level) > 1:
            groups = [tuple(level[i : i + FAN]) for i in range(0, len(level), FAN)]
            level = [digest(self.signature, *group) for group in groups]
            inner.extend(zip(level, groups, strict=True))
        return inner

    def grow(
        self,
        segments: Sequence[str],
        have: set[str],
        extractions: Callable[[Sequence[str]], pa.Table],
        nodes: Callable[[Sequence[str]], pa.Table],
    ) -> tuple[list[str], Iterator[pa.Table]]:
        """The names of all nodes over a conversation's extraction segments, and the rows of those not in `have`.

        `extractions` and `nodes` read stored rows by segment: only what the missing nodes are made of is read.
        """
        leaves = [self.leaf_name(segment) for segment in segments]
        inner = self.plan(leaves)

        def missing() -> Iterator[pa.Table]:
            made: dict[str, Node] = {}
            for name, segment in zip(leaves, segments, strict=True):
                if name not in have:
                    rows = self.lift(extractions([segment])).sort_by("exchange_id").to_pylist()
                    made[name] = self.leaf(rows)
            for name, children in inner:
                if name not in have:
                    stored = nodes([child for child in children if child not in made])
                    known = {node.segment: node for node in parse(stored)} | made
                    made[name] = self._parent(name, [known[child] for child in children])
            if made:
                yield table(list(made.values()))

        return [*leaves, *(name for name, _ in inner)], missing()

    def leaf(self, rows: Sequence[dict[str, Any]]) -> Node:
        """The leaf over the lifted rows of one segment, in order."""
        return Node(
            segment=self.leaf_name(rows[0]["segment"]),
            conversation_id=rows[0]["conversation_id"],
            level=0,
            first_exchange=rows[0]["exchange_id"],
            last_exchange=rows[-1]["exchange_id"],
            children=(),
            items=condense([Item(**item) for row in rows for item in row["items"]], self.leaf_tokens),
        )

    def _parent(self, name: str, children: Sequence[Node]) -> Node:
        level = children[0].level + 1
        return Node(
            segment=name,
            conversation_id=children[0].conversation_id,
            level=level,
            first_exchange=children[0].first_exchange,
            last_exchange=children[-1].last_exchange,
            children=tuple(child.segment for child in children),
            items=condense(
                [item for child in children for item in child.items],
                min(self.leaf_tokens * 2**level, self.tokens),
            ),
        )


def condense(items: Sequence[Item], budget: int) -> tuple[Item, ...]:
    """The most salient of `items` (given in the order they were said) whose tokens fit `budget`, in that order."""
    current: dict[tuple[str, ...], Item] = {}
    for item in items:
        subject = _subject(item)
        older = current.get(subject)
        if older is None:
            current[subject] = item
        elif _plain(older.text) != _plain(item.text):
            current[subject] = replace(item, replaced=item.replaced or older.text)
    ranked = sorted(current.values(), key=lambda item: (-SALIENCE[item.kind], -item.exchange_id, item.text))
    kept: list[Item] = []
    for item in ranked:
        if item.tokens <= budget:
            budget -= item.tokens
            kept.append(item)
    return tuple(sorted(kept, key=lambda item: (item.exchange_id, -SALIENCE[item.kind], item.text)))


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


def _subject(item: Item) -> tuple[str, ...]:
    if item.kind in REPLACED and item.about:
        return (item.kind, _plain(item.about))
    return (item.kind, "", _plain(item.text))


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split()).strip(" .,;:!?。，；：！？")
