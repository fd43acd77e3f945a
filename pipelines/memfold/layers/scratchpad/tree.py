"""The scratchpad: what was worth writing down, condensed by a tree of fixed shape.

A leaf covers one segment of 64 exchanges, an inner node four nodes below it. A node depends on its children alone
and is named by the hash of their names. One that covers all the exchanges of its place is complete: nothing that
is said later changes it. The others are the tree's right edge, which the next append makes anew. So what is
condensed with much effort is condensed once: a complete node that holds too much is handed to a condenser, which
makes room, and the right edge is made to fit by rules (decision 11). Nothing is condensed that fits.

Rules drop exact repetitions, let the newer of two items about one subject replace the older and say what it
replaced, mark both of two that deny one another, and where room is short give each kind its share of it, spread evenly
over the span. They cannot rephrase, so they do not see that two differently worded items say the same. A node says how
much gave way below it (`dropped`), so that a reader knows where the tree holds more, and has a chronicle, a dated
account of its span in few lines. Instructions and preferences are no items: they have a layer of their own, with room
for all (`memfold.layers.orders`). Knows no model: a condenser is a function over nodes.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import pyarrow as pa

from memfold.embed.contract import Embedder
from memfold.errors import UserError
from memfold.layers.layer import Group, Parts, Span, Tools, extractions, notes
from memfold.layers.orders import STANDING
from memfold.layers.scratchpad.subjects import denies, entity, known, subjects
from memfold.schema import SPAN, required
from memfold.text import tokens
from memfold.text.terms import plain
from memfold_kernels.threshold_join import BY

FAN = 4

# An item of the scratchpad: a note with the exchange it came from, what it is about (`entity`: of what `about` is an
# attribute, empty where `about` says so itself), what it replaced and what it contradicts.
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
        pa.field("entity", pa.string()),
        pa.field("against", pa.string()),
    ]
)

# The same where twins are folded: `also` are the exchanges of the items it stands for.
FOLDED_ITEM = pa.struct([*ITEM, required("also", pa.list_(pa.int64()))])

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

# What says most: what was settled before what was told, moods last. The finer steps are a judgement, not measured.
SALIENCE = {
    "constraint": 6,
    "correction": 6,
    "decision": 6,
    "excluded": 5,
    "event": 4,
    "fact": 3,
    "question": 2,
    "sentiment": 1,
}

# What of a node's room each kind has for itself, where it needs it; what a kind leaves goes to the others by
# salience. Without shares, instructions alone were the root of 8,301 exchanges, and without them constraints and
# decisions would be.
SHARES: Mapping[str, float] = {
    "fact": 0.25,
    "event": 0.2,
    "decision": 0.15,
    "constraint": 0.1,
    "correction": 0.1,
    "excluded": 0.1,
    "question": 0.06,
    "sentiment": 0.04,
}

# A chronicle has a line for each eighth of its node's span, of at most this many characters.
LINES, LINE_CHARACTERS = 8, 240

# What `made_by` says of a node that rules condensed, or that fitted as it was.
RULES = "rules-11"

# To be raised when other items are folded. Below the least cosine words alone would decide.
TWINS = "twins-1"
LEAST_ALIKE = 0.8
# Unit vectors in float32 are only nearly of length 1: at 1 half of all equal rows were found.
MOST_ALIKE = 0.999


@dataclass(frozen=True, slots=True)
class Item:
    """A note with the exchange it came from. `replaced` is the text of the older item it took the place of, `against`
    that of one that says the contrary; `entity` is of what `about` is an attribute, empty where `about` says so
    itself; `also` are the exchanges of its twins, where those are folded."""

    exchange_id: int
    kind: str
    text: str
    about: str | None
    reason: str | None
    date: str | None
    replaced: str | None
    tokens: int
    entity: str | None = None
    against: str | None = None
    also: tuple[int, ...] = ()

    @staticmethod
    def of(row: Mapping[str, Any]) -> Item:
        """From a stored row."""
        return Item(**{**row, "also": tuple(row.get("also") or ())})


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


class Overfull(NamedTuple):
    """A complete node that holds more than a node may: its items as they were said, repetitions dropped, what they
    are to be condensed to, and what share of it each kind has for itself."""

    conversation_id: str
    first_exchange: int
    items: tuple[Item, ...]
    budget: int
    shares: Mapping[str, float] = SHARES


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
            from memfold.layers.scratchpad.sealing import Sealing  # which reads this module

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
            _leaf(span.name, span.once(extractions), span.once(notes))
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
        from memfold.layers.scratchpad.twins import folded  # which takes apart the items of this module

        try:
            return folded(nodes, self.settings.twins, self.embedder, self.settings.join)
        except RuntimeError as error:
            raise UserError(
                f"layers.scratchpad.join={self.settings.join}: {error}; set it to auto or reference"
            ) from error


def _leaf(name: str, rows: Sequence[Mapping[str, Any]], notes: Sequence[Mapping[str, Any]]) -> Node:
    noted: dict[int, list[Mapping[str, Any]]] = {}
    for note in notes:
        noted.setdefault(note["exchange_id"], []).append(note)
    items = [item for row in rows for item in _items(row, noted.get(row["exchange_id"], ()))]
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
            lines.append(
                Line(
                    row["exchange_id"], row["time"].date().isoformat() if row["time"] else None, text, weight
                )
            )
    return lines


def account(lines: Sequence[Line], first: int, last: int) -> tuple[Line, ...]:
    """Of some lines, in order, the weightiest of each eighth of the exchanges from `first` to `last`."""
    best: dict[int, Line] = {}
    for line in lines:
        part = (line.exchange_id - first) * LINES // max(last - first + 1, 1)
        if part not in best or line.weight > best[part].weight:
            best[part] = line
    return tuple(best[part] for part in sorted(best))


def size(items: Sequence[Item]) -> int:
    """The tokens of the items' texts."""
    return sum(item.tokens for item in items)


def united(items: Sequence[Item]) -> tuple[Item, ...]:
    """`items` (given in the order they were said) without repetitions; of a subject that has one current item, the
    newest, which says what it replaced; where two deny one another both stay and say so. Two of one exchange are two
    things, and replace nothing. In the order they were said, the most salient of an exchange first."""
    current: dict[int, Item] = {}
    places: dict[tuple[str, ...], int] = {}
    keys = [subjects(item.kind, item.about, item.entity, item.text) for item in items]
    stated = {
        (item.exchange_id, item.kind, key, plain(item.text))
        for item, about in zip(items, keys, strict=True)
        for key in about
    }
    twice = {subject for subject, values in Counter(one[:3] for one in stated).items() if values > 1}
    for place, item in enumerate(items):
        # "contact = Rosa" of one project and of another are no repetition.
        said = ("said", item.kind, plain(item.text), item.entity or "")
        again = places.get(said)
        if again in current:
            first = current[again]
            current[again] = replace(
                first,
                replaced=first.replaced or item.replaced,
                against=first.against or item.against,
                also=tuple(sorted({*first.also, *item.also} - {first.exchange_id})),
            )
            continue
        # "From 29 March to 27 October" has two dates of one key: which is the newer, nobody says.
        unsure = any((item.exchange_id, item.kind, key) in twice for key in keys[place])
        earlier = (places[key] for key in keys[place] if not unsure and places.get(key) in current)
        older = next((at for at in earlier if current[at].exchange_id != item.exchange_id), None)
        if older is not None and denies(current[older].text) != denies(item.text):
            current[older] = replace(current[older], against=item.text)
            item = replace(item, against=item.against or current[older].text)
        elif older is not None:
            before = current.pop(older)
            was = before.text if plain(before.text) != plain(item.text) else before.replaced
            item = replace(item, replaced=item.replaced or was, against=item.against or before.against)
        current[place] = item
        places |= dict.fromkeys((said, *known(item.kind, item.about, item.entity, item.text)), place)
    return tuple(sorted(current.values(), key=_said))


def condense(items: Sequence[Item], budget: int, shares: Mapping[str, float] = SHARES) -> tuple[Item, ...]:
    """`items` (given in the order they were said) united, and what of them fits `budget` tokens, in that order."""
    return fitting(united(items), budget, shares)


def fitting(items: Sequence[Item], budget: int, shares: Mapping[str, float] = SHARES) -> tuple[Item, ...]:
    """What `condense` keeps of items that are united already: all of them where they fit. Else each kind fills its
    share of `budget`, and the most salient kinds what the others leave; of a kind, what replaced or contradicts
    something comes first, and the rest is spread evenly over what was said."""
    if size(items) <= budget:
        return tuple(items)
    kinds: dict[str, list[Item]] = {
        kind: _evenly([item for item in items if item.kind == kind])
        for kind in sorted(SALIENCE, key=lambda kind: -SALIENCE[kind])
    }
    kept: list[Item] = []
    for share in (True, False):
        for kind, waiting in kinds.items():
            room = int(budget * shares.get(kind, 0)) if share else budget - size(kept)
            left = []
            for item in waiting:
                if item.tokens <= room:
                    room -= item.tokens
                    kept.append(item)
                else:
                    left.append(item)
            kinds[kind] = left
    return tuple(sorted(kept, key=_said))


def _evenly(items: Sequence[Item]) -> list[Item]:
    """`items` so that any number of the first of them are spread over all: by their places' digits read backwards in
    base 2 (van der Corput's sequence). What replaced or contradicts something comes first."""
    width = len(items).bit_length()
    turns = [int(f"{place:0{width}b}"[::-1], 2) for place in range(len(items))]
    order = sorted(
        range(len(items)),
        key=lambda place: (not (items[place].replaced or items[place].against), turns[place]),
    )
    return [items[place] for place in order]


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


def render(item: Item) -> str:
    """One item as a line of text."""
    line = f"{item.kind}: {item.text}"
    if item.entity and item.entity not in item.text.lower():
        line += f" (of {item.entity})"
    if item.date:
        line += f" [{item.date}]"
    if item.reason:
        line += f" (because {item.reason})"
    if item.replaced:
        line += f" (before: {item.replaced})"
    if item.against:
        line += f" (but also said: {item.against})"
    return line


def _items(row: Mapping[str, Any], notes: Sequence[Mapping[str, Any]]) -> Iterator[Item]:
    number = row["exchange_id"]
    for fact in row["facts"]:
        text = f"{fact['key']} = {fact['value']}"
        of = entity(fact["key"], text, row["summary"])
        yield Item(number, "fact", text, fact["key"], None, None, None, tokens.count(text), of)
    for note in notes:
        kind, text, about = note["kind"], note["text"], note["about"]
        if kind not in STANDING:
            of = entity(about, text) if about else None
            yield Item(
                number, kind, text, about, note["reason"], note["date"] or None, None, tokens.count(text), of
            )


def _said(item: Item) -> tuple[int, int, str]:
    return item.exchange_id, -SALIENCE[item.kind], item.text
