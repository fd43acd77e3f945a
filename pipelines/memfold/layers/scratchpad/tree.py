"""The scratchpad: what was worth writing down, condensed by a tree of fixed shape.

A leaf covers one segment of 64 exchanges, an inner node four nodes below it. A node depends on its children alone
and is named by the hash of their names. One that covers all the exchanges of its place is complete: nothing that
is said later changes it. The others are the tree's right edge, which the next append makes anew. So what is
condensed with much effort is condensed once: a complete node that holds too much is handed to a condenser, which
makes room, and the right edge is made to fit by rules (decision 11). Nothing is condensed that fits.

What rules do with items is told in `memfold.layers.scratchpad.items`. A node says how much gave way below it
(`dropped`), so that a reader knows where the tree holds more, and has a chronicle, a dated account of its span in few
lines. Knows no model: a condenser is a function over nodes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, Protocol

import pyarrow as pa

from memfold.embed.contract import Embedder
from memfold.errors import UserError
from memfold.layers.layer import Group, Parts, Span, Tools, extractions, notes_by_exchange
from memfold.layers.scratchpad.items import (
    FOLDED_ITEM,
    ITEM,
    SALIENCE,
    SHARES,
    Item,
    Overfull,
    condense,
    fitting,
    items_of,
    size,
    united,
)
from memfold.layers.scratchpad.twins import LEAST_ALIKE, MOST_ALIKE, TWINS, folded
from memfold.schema import SPAN, required, said_at
from memfold_kernels.threshold_join import BY

FAN = 4

# A line of a chronicle: what an exchange was about, on which day (ISO 8601) it was said, and how much it says.
LINE = pa.struct(
    [
        required("exchange_id", pa.int64()),
        pa.field("day", pa.string()),
        required("text", pa.string()),
        required("weight", pa.int32()),
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
        required("dropped", pa.int32()),
        required("chronicle", pa.list_(LINE)),
        required("made_by", pa.string()),
    ]
)
FOLDED_SCRATCHPAD = SCRATCHPAD.set(
    SCRATCHPAD.get_field_index("items"), required("items", pa.list_(FOLDED_ITEM))
)

# A chronicle has a line for each eighth of its node's span, of at most this many characters.
LINES, LINE_CHARACTERS = 8, 240

# What `made_by` says of a node that rules condensed, or that fitted as it was.
RULES = "rules-14"


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a chronicle. `day` is when it was said, ISO 8601; `weight` compares lines of one node."""

    exchange_id: int
    day: str | None
    text: str
    weight: int


@dataclass(frozen=True, slots=True)
class Node:
    """One node of the tree. `segment` is its name: the hash of what it was made from; `made_by` the signature of
    what condensed it; `dropped` how many items gave way for want of room, here and below."""

    segment: str
    conversation_id: str
    level: int
    first_exchange: int
    last_exchange: int
    children: tuple[str, ...]
    items: tuple[Item, ...]
    made_by: str = RULES
    dropped: int = 0
    chronicle: tuple[Line, ...] = ()


class Condenser(Protocol):
    """Condenses overfull nodes, all that are given at once; `signature` names all that the result depends on besides
    the nodes. Gives for each its items, which fit the budget, and what is said to have made them."""

    @property
    def signature(self) -> str:
        """Everything that a condensed node depends on besides the nodes given."""
        ...

    def __call__(self, nodes: Sequence[Overfull]) -> Sequence[tuple[tuple[Item, ...], str]]: ...


@dataclass(frozen=True)
class ByRules:
    """The condenser that asks nobody."""

    @property
    def signature(self) -> str:
        """The rules' version."""
        return RULES

    def __call__(self, nodes: Sequence[Overfull]) -> list[tuple[tuple[Item, ...], str]]:
        return [(condense(node.items, node.budget, node.shares), RULES) for node in nodes]


@dataclass(frozen=True)
class Scratchpad:
    """The layer's settings, in Qwen2.5 tokens of items' texts: a node holds up to `full`, and a complete one that would
    hold more is condensed to `tokens`: the paper's 30,000 and 15,000 (arXiv 2510.27246, section 3).

    `sealed_by` says who condenses complete nodes: "engine" (the model that extracts, where there is one) or "rules".
    `shares` are of a node's room, by kind: what it has for itself where room is short; none for none. `twins` is the
    cosine from which items with the same words are folded into one (`memfold.layers.scratchpad.twins`), 0 for never,
    and `join` who finds them: auto, kernel (a GPU) or reference. Both find the same.
    """

    tokens: int = 15000
    full: int = 30000
    sealed_by: str = "engine"
    shares: dict[str, float] = field(default_factory=lambda: dict(SHARES))
    twins: float = 0.0
    join: str = "auto"

    def __post_init__(self) -> None:
        unknown = sorted(self.shares.keys() - SALIENCE.keys())
        if unknown or min(self.shares.values(), default=0) < 0 or sum(self.shares.values()) > 1 + 1e-9:
            raise UserError(
                f"layers.scratchpad.shares={dict(self.shares)}: give shares of 0 or more that add up to at most 1, "
                f"of the kinds {', '.join(SALIENCE)}"
            )
        if not 100 <= self.tokens <= self.full:
            raise UserError(
                f"layers.scratchpad: tokens={self.tokens}, full={self.full}: "
                "tokens must be at least 100 and at most full"
            )
        if self.sealed_by not in ("engine", "rules"):
            raise UserError(f"layers.scratchpad.sealed_by={self.sealed_by!r} must be engine or rules")
        if self.twins and not LEAST_ALIKE <= self.twins <= MOST_ALIKE:
            raise UserError(
                f"layers.scratchpad.twins={self.twins} must be 0 (fold none) or a cosine from "
                f"{LEAST_ALIKE} to {MOST_ALIKE}"
            )
        if self.join not in BY:
            raise UserError(f"layers.scratchpad.join={self.join!r} must be one of {', '.join(BY)}")

    def equip(self, tools: Tools) -> Tree:
        """The layer with its condenser: the engine's model where there is one and it is to seal. UserError where
        it is to fold here by a kernel that cannot run here."""
        if tools.here and self.join == "kernel":
            Tree(self, embedder=tools.embedder)._without_twins([()])
        if self.sealed_by == "engine" and tools.asker is not None:
            # What asks models takes 30 ms to import, and those who only read a scratchpad ask none.
            from memfold.layers.scratchpad.sealing import Sealing

            return Tree(self, Sealing(tools.asker, self.full), embedder=tools.embedder)
        return Tree(self, embedder=tools.embedder)


@dataclass(frozen=True)
class Tree:
    """The layer (`memfold.layers.layer.Layer`): a tree of notes over segments of `span` exchanges, whose overfull
    complete nodes `condenser` condenses."""

    settings: Scratchpad = field(default_factory=Scratchpad)
    condenser: Condenser = field(default_factory=ByRules)
    span: int = SPAN
    embedder: Embedder | None = None

    name = "scratchpad"
    reads = ("extractions", "notes")
    fan = FAN
    by_exchange = False

    @cached_property
    def version(self) -> str:
        """What decides a node's rows: the rules' version, the settings, who condenses and, for twins, who embeds."""
        budgets = f"{self.settings.tokens}:{self.settings.full}"
        shares = ",".join(f"{kind}={share}" for kind, share in sorted(self.settings.shares.items()))
        made = f"{RULES}:{budgets}:{shares}:{self.condenser.signature}"
        if self.embedder is None or not self.settings.twins:
            return made
        return f"{made}:{TWINS}:{self.settings.twins}:{self.embedder.signature}"

    @property
    def table(self) -> pa.Schema:
        """See `Layer`. Only folded twins need the column of those they stand for."""
        return FOLDED_SCRATCHPAD if self.settings.twins else SCRATCHPAD

    def leaves(self, spans: Sequence[Span]) -> Sequence[pa.Table]:
        """A node for each segment, with all that was written down about it; no rows where nothing was."""
        there = [span.rows["extractions"].num_rows > 0 for span in spans]
        leaves = [
            _leaf(span.name, span.once(extractions), span.once(notes_by_exchange))
            for span, has in zip(spans, there, strict=True)
            if has
        ]
        return Parts(table(self._sealed(leaves), self.table), there)

    def nodes(self, groups: Sequence[Group]) -> Sequence[pa.Table]:
        """The node over each group of nodes; no rows where there are none."""
        below = [[node for child in group.children for node in parse(child)] for group in groups]
        over = [_over(group.name, nodes) for group, nodes in zip(groups, below, strict=True) if nodes]
        return Parts(table(self._sealed(over), self.table), map(bool, below))

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
        whole = self._without_twins([united(node.items) for node in nodes])
        for place, (node, items) in enumerate(zip(nodes, whole, strict=True)):
            if self.complete(node) and size(items) > self.settings.full:
                budget = self.settings.tokens
                overfull[place] = Overfull(
                    node.conversation_id, node.first_exchange, items, budget, self.settings.shares
                )
                made.append(replace(node, items=items))
            else:
                fits = fitting(items, self.settings.full, self.settings.shares)
                made.append(replace(node, items=fits, dropped=node.dropped + len(items) - len(fits)))
        if overfull:
            condensed = self.condenser(list(overfull.values()))
            for place, (items, made_by) in zip(overfull, condensed, strict=True):
                gone = made[place].dropped + max(len(made[place].items) - len(items), 0)
                made[place] = replace(made[place], items=items, made_by=made_by, dropped=gone)
        return made

    def _without_twins(self, nodes: Sequence[tuple[Item, ...]]) -> Sequence[tuple[Item, ...]]:
        """The items of some nodes with their twins folded, where the settings say so."""
        if self.embedder is None or not self.settings.twins:
            return nodes
        try:
            return folded(nodes, self.settings.twins, self.embedder, self.settings.join)
        except RuntimeError as error:
            raise UserError(
                f"layers.scratchpad.join={self.settings.join}: {error}; set it to auto or reference"
            ) from error


def _leaf(
    name: str, rows: Sequence[Mapping[str, Any]], noted: Mapping[int, Sequence[Mapping[str, Any]]]
) -> Node:
    items = [item for row in rows for item in items_of(row, noted.get(row["exchange_id"], ()))]
    first, last = rows[0]["exchange_id"], rows[-1]["exchange_id"]
    of = Node(name, rows[0]["conversation_id"], 0, first, last, (), tuple(items))
    return replace(of, chronicle=account(_lines(rows, items), first, last))


def _over(name: str, children: Sequence[Node]) -> Node:
    """The node over some nodes, with all that they hold."""
    first, last = children[0].first_exchange, children[-1].last_exchange
    return Node(
        segment=name,
        conversation_id=children[0].conversation_id,
        level=children[0].level + 1,
        first_exchange=first,
        last_exchange=last,
        children=tuple(child.segment for child in children),
        items=tuple(item for child in children for item in child.items),
        dropped=sum(child.dropped for child in children),
        chronicle=account([line for child in children for line in child.chronicle], first, last),
    )


def _lines(rows: Sequence[Mapping[str, Any]], items: Sequence[Item]) -> list[Line]:
    """What could be told of each exchange: its summary, or where it has none what says most in it. It weighs what was
    noted of it; a dated event counts twice."""
    noted: dict[int, list[Item]] = defaultdict(list)
    for item in items:
        noted[item.exchange_id].append(item)
    lines = []
    for row in rows:
        of = noted[row["exchange_id"]]
        best = max(of, key=lambda item: SALIENCE[item.kind], default=None)
        text = row["summary"] or (best.text if best else "")
        if text:
            if len(text) > LINE_CHARACTERS:
                text = text[: LINE_CHARACTERS - 1].rsplit(" ", 1)[0] + "…"
            weight = sum(
                SALIENCE[item.kind] * (1 + (item.kind == "event" and item.date is not None)) for item in of
            )
            time = said_at(row)
            lines.append(Line(row["exchange_id"], time.date().isoformat() if time else None, text, weight))
    return lines


def account(lines: Sequence[Line], first: int, last: int) -> tuple[Line, ...]:
    """Of some lines, in order, the weightiest of each eighth of the exchanges from `first` to `last`."""
    best: dict[int, Line] = {}
    for line in lines:
        part = (line.exchange_id - first) * LINES // max(last - first + 1, 1)
        if part not in best or line.weight > best[part].weight:
            best[part] = line
    return tuple(best[part] for part in sorted(best))


def parse(rows: pa.Table) -> list[Node]:
    """Stored rows as nodes."""
    return [
        Node(
            **{
                **row,
                "children": tuple(row["children"]),
                "items": tuple(map(Item.of, row["items"])),
                "chronicle": tuple(Line(**line) for line in row["chronicle"]),
            }
        )
        for row in rows.to_pylist()
    ]


def table(nodes: Sequence[Node], schema: pa.Schema = SCRATCHPAD) -> pa.Table:
    """Nodes as rows to store; without the schema of folded twins, items lose what they stand for."""
    rows = [
        _values(node, _NODE)
        | {
            "items": [_values(item, _ITEM) for item in node.items],
            "chronicle": [_values(line, _LINE) for line in node.chronicle],
        }
        for node in nodes
    ]
    return pa.Table.from_pylist(rows, schema=schema)


# What `dataclasses.asdict` copies value by value takes ten times as long.
_NODE, _ITEM, _LINE = ([each.name for each in fields(of)] for of in (Node, Item, Line))


def _values(of: Node | Item | Line, names: Sequence[str]) -> dict[str, Any]:
    return {name: getattr(of, name) for name in names}
