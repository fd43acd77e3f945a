"""What a memory layer is: a fold over a conversation into one kind of memory, as rows of one table.

A layer's parts are a leaf for each segment of 64 exchanges, made from that segment's rows alone, and, where it has a
`fan`, a tree over them: an inner node for each `fan` nodes below it, made from those alone, up to one root. A part is
named by the digest of what it is made from, so all names are known before anything is made; what is stored already is
found by name, and whoever makes the rest makes the same rows, wherever the conversation was cut and in whatever order
(law 3). A part over a whole span never changes; those on the right edge are made anew when the conversation grows.

Everything here is the same for all layers. A layer itself says what its leaves and nodes are, and no more. It may not
depend on anything but what it is given: no clock, no count, no state. No model runs in a leaf or a node but one that
was handed in (`equip`), over spans that never change.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar, overload

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from memfold.build import NoClass, build
from memfold.digest import digest
from memfold.embed.contract import Embedder, Vectors
from memfold.errors import UserError
from memfold.schema import EXTRACTIONS, MESSAGES, NOTES, SPAN, USERS, StoredMessage, unit
from memfold.store.location import Location
from memfold.store.tables import Placed
from memfold.text.pasted import own_words

if TYPE_CHECKING:
    # Its imports (an event loop, sockets) take 0.1 s, and reading asks no model.
    from memfold.llm.asker import Asker

# What layers are made from: tables that are no layers, a part of each for every segment.
INPUTS: Mapping[str, pa.Schema] = {"messages": MESSAGES, "extractions": EXTRACTIONS, "notes": NOTES}

T = TypeVar("T")


@dataclass(frozen=True)
class Tools:
    """What a layer may be given besides rows. `asker` asks the engine's model; None if the engine has no model.
    `here`: this process will make rows; who only reads, or has others make them, needs no GPU."""

    embedder: Embedder
    asker: Asker | None = None
    here: bool = False


@dataclass(frozen=True)
class Span:
    """One segment: the name of the leaf to make of it, and its rows of each table that the layer reads.

    `told` keeps what layers have derived from the rows, so that the other layers need not do it again.
    """

    name: str
    rows: Mapping[str, pa.Table]
    told: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)

    def once(self, tell: Callable[[Span], T]) -> T:
        """`tell(self)`, computed once for all layers. It may depend only on the rows of `INPUTS`."""
        if tell not in self.told:
            self.told[tell] = tell(self)
        found: T = self.told[tell]
        return found


def messages(span: Span) -> list[StoredMessage]:
    """A segment's messages, in order."""
    return sorted(map(StoredMessage.of, span.rows["messages"].to_pylist()), key=attrgetter("seq"))


def said_by_user(span: Span) -> dict[int, list[StoredMessage]]:
    """The messages of a segment that count as the user's own words, by exchange, without those of branches that were
    given up. Layers share them, so nobody may change them."""
    found: dict[int, list[StoredMessage]] = {}
    for each in span.once(messages):
        if each.role in USERS and each.current:
            found.setdefault(each.exchange_id, []).append(each)
    return found


def notes(span: Span) -> list[dict[str, Any]]:
    """A segment's notes as dicts, in the order they were noted. Layers share them, so nobody may change them."""
    found: list[dict[str, Any]] = span.rows["notes"].to_pylist()
    return found


def notes_by_exchange(span: Span) -> dict[int, list[dict[str, Any]]]:
    """A segment's notes by exchange, in the order they were noted. Layers share them, so nobody may change them."""
    found: dict[int, list[dict[str, Any]]] = {}
    for note in span.once(notes):
        found.setdefault(note["exchange_id"], []).append(note)
    return found


def extractions(span: Span) -> list[dict[str, Any]]:
    """A segment's extractions as dicts, in order. Layers share them, so nobody may change them."""
    return sorted(span.rows["extractions"].to_pylist(), key=itemgetter("exchange_id"))


def apart(span: Span) -> Callable[[str], tuple[str, str]]:
    """`memfold.text.pasted.own_words`, which remembers the texts of one segment."""
    return cache(own_words)


class Group(NamedTuple):
    """The name of the node to be made, and the rows of the nodes below it, in order."""

    name: str
    children: Sequence[pa.Table]


class Layer(Protocol):
    """One kind of memory, with what it needs to make rows.

    Every row carries its part's name in the column `segment`, and its conversation in `conversation_id`.
    """

    @property
    def name(self) -> str:
        """The name of the layer, its yaml and its table."""
        ...

    @property
    def version(self) -> str:
        """Everything its rows depend on besides what they are made from: code and settings."""
        ...

    @property
    def table(self) -> pa.Schema:
        """The columns of its rows."""
        ...

    @property
    def reads(self) -> tuple[str, ...]:
        """The tables that a leaf is made from: "messages", "extractions", "notes", or other layers."""
        ...

    @property
    def fan(self) -> int:
        """How many nodes an inner node covers; 0 if there are leaves only."""
        ...

    @property
    def by_exchange(self) -> bool:
        """Whether each row depends only on what was extracted from the exchange of its `exchange_id`. If so, reading
        as of an earlier end takes the stored leaves up to there: it makes no row and asks no model. If in doubt,
        False; also for a layer that reads messages, because an end may lie inside an exchange."""
        ...

    def leaves(self, spans: Sequence[Span]) -> Sequence[pa.Table]:
        """The rows of some leaves, in the order given. A pure function of each span by itself."""
        ...

    def nodes(self, groups: Sequence[Group]) -> Sequence[pa.Table]:
        """The rows of some inner nodes of one level, in the order given. A pure function of each group by itself."""
        ...


class Leaves:
    """The base of layers without inner nodes."""

    fan = 0
    by_exchange = False

    def nodes(self, groups: Sequence[Group]) -> Sequence[pa.Table]:
        """Never called: there are none."""
        raise AssertionError("a layer without a fan has no inner nodes")


def encoded(embedder: Embedder, texts: Iterable[str]) -> Vectors:
    """The vectors of texts, of shape (texts, d), from one call of the embedder, which encodes each different text
    once."""
    place: dict[str, int] = {}
    places = [place.setdefault(text, len(place)) for text in texts]
    made = embedder.encode(list(place))
    if len(made) != len(place):
        raise UserError(f"the embedder {embedder.signature} gave {len(made)} vectors for {len(place)} texts")
    # One such vector would turn every score of its conversation into NaN.
    if not np.isfinite(made).all():
        raise UserError(
            f"the embedder {embedder.signature} gave a value that is no number (NaN or infinite): compute with "
            "more digits (embedder.dtype=float32), or choose another embedder"
        )
    if not unit(made):
        raise UserError(
            f"the embedder {embedder.signature} gave vectors whose length is not 1, which cosines need: have it divide "
            "each by its length"
        )
    vectors: Vectors = made[places]
    return vectors


class Parts(Sequence[pa.Table]):
    """Rows of several parts in one table, one part after the other. A part is cut from it only when it is asked for.
    Most never are: to cut all, and join them again to be written, took 8 % of a worker's time besides embedding."""

    def __init__(self, rows: pa.Table, sizes: Iterable[int]) -> None:
        self.rows, self.sizes = rows, list(map(int, sizes))
        self._firsts = list(itertools.accumulate(self.sizes, initial=0))

    @classmethod
    def of(cls, parts: Sequence[pa.Table]) -> Parts:
        """The same parts in one table; there must be at least one."""
        if isinstance(parts, cls):
            return parts
        return cls(pa.concat_tables(parts).combine_chunks(), [part.num_rows for part in parts])

    def __len__(self) -> int:
        return len(self.sizes)

    @overload
    def __getitem__(self, at: int) -> pa.Table: ...

    @overload
    def __getitem__(self, at: slice) -> list[pa.Table]: ...

    def __getitem__(self, at: int | slice) -> pa.Table | list[pa.Table]:
        if isinstance(at, slice):
            return [self[place] for place in range(*at.indices(len(self)))]
        return self.rows.slice(self._firsts[range(len(self))[at]], self.sizes[at])


def tabled(rows: Sequence[Sequence[Mapping[str, Any]]], schema: pa.Schema) -> Parts:
    """The tables of several leaves, each from its rows. They are built as one table: a column takes as long to build
    for one row as for a hundred, and a job over small conversations builds 70 of them for each."""
    return Parts(pa.Table.from_pylist([row for each in rows for row in each], schema=schema), map(len, rows))


def column(vectors: Vectors) -> pa.FixedSizeListArray:
    """Vectors of shape (n, d) as a column of a table."""
    flat = pa.array(np.ascontiguousarray(vectors, np.float32).reshape(-1))
    return pa.FixedSizeListArray.from_arrays(flat, vectors.shape[1])


def leaves_of(
    spans: Sequence[Span], found: Sequence[Sequence[object]], columns: Mapping[str, Any], schema: pa.Schema
) -> Parts:
    """The tables of several leaves, each with a row for each thing that was `found` in its span, from values or arrays
    by column, in any order. The column `segment` is filled here."""
    named = [span.name for span, each in zip(spans, found, strict=True) for _ in each]
    given = {**columns, "segment": named}
    rows = pa.table([pa.array(given[field.name], field.type) for field in schema], schema=schema)
    return Parts(rows, map(len, found))


# The columns by which the store finds and erases a layer's rows.
_OF_ROWS = ("segment", "conversation_id")
# The members of `Layer`.
_OF_LAYERS = ("name", "version", "table", "reads", "fan", "by_exchange", "leaves", "nodes")


class Configured(Protocol):
    """A layer as its yaml in `conf/layers/` builds it: settings, to be equipped before it makes anything."""

    def equip(self, tools: Tools) -> Layer:
        """The layer with what it needs to make rows."""
        ...


def equipped(layers: Mapping[str, Configured], tools: Tools) -> dict[str, Layer]:
    """The layers, each after those that it reads; UserError if there is no such order."""
    ready: dict[str, Layer] = {}
    for name, made in layers.items():
        if not callable(getattr(made, "equip", None)):
            raise UserError(
                f"layers.{name}: {type(made).__name__} has no method equip(tools) that returns the layer"
            )
    left = {name: layer.equip(tools) for name, layer in layers.items()}
    for name, layer in left.items():
        if absent := [each for each in _OF_LAYERS if not hasattr(layer, each)]:
            raise UserError(
                f"layers.{name}: what equip returns, {type(layer).__name__}, lacks {', '.join(absent)} of "
                "memfold.layers.layer.Layer"
            )
        if layer.name != name:
            raise UserError(f"layers.{name} builds the layer {layer.name!r}: give both the same name")
        if absent := [each for each in _OF_ROWS if each not in layer.table.names]:
            raise UserError(
                f"layers.{name}: its table lacks {' and '.join(absent)}, by which rows are found and erased: add "
                "columns of text"
            )
    while left:
        can = [name for name, layer in left.items() if set(layer.reads) <= INPUTS.keys() | ready.keys()]
        if not can:
            lacking = "; ".join(
                f"{name} reads {', '.join(sorted(set(layer.reads) - INPUTS.keys() - ready.keys()))}"
                for name, layer in left.items()
            )
            raise UserError(
                f"layers=[…] lacks layers that others read ({lacking}): add them, or leave the others out"
            )
        ready |= {name: left.pop(name) for name in can}
    return ready


def layers_of(config: str, *, to_read: bool = False) -> dict[str, Configured]:
    """The layers of a configuration that was recorded with a snapshot.

    A layer whose class this program does not have is left out, and the others can still be read. UserError if a class
    refuses the settings; `to_read`, such a layer is left out too.
    """
    layers = {}
    for name, node in json.loads(config)["layers"].items():
        with suppress(UserError if to_read else NoClass):
            layers[name] = build(node, f"layers.{name}")
    return layers


def embedder_of(config: str) -> Embedder:
    """The embedder of such a configuration."""
    embedder: Embedder = build(json.loads(config)["embedder"], "embedder")
    return embedder


def tables(location: Location, layers: Mapping[str, Layer]) -> dict[str, Placed]:
    """The tables of messages, extractions, notes and layers, by name."""
    schemas = {**INPUTS, **{name: layer.table for name, layer in layers.items()}}
    return {name: Placed(location, name, schema) for name, schema in schemas.items()}


# ---------------------------------------------------------------------------------------- names


def leaf_name(layer: Layer, read: Sequence[str]) -> str:
    """The name of the leaf over a segment; `read` are the names of its parts in the tables that the layer reads."""
    return digest("leaf-1", layer.name, layer.version, *read)


# Inner nodes level by level, the lowest first: each one's name, and the names of its children.
Levels = list[list[tuple[str, tuple[str, ...]]]]


def inner(layer: Layer, leaves: Sequence[str]) -> Levels:
    """The inner nodes over all leaves of a conversation; the root is the last of the last. None where the layer has no
    tree, or one leaf."""
    levels: Levels = []
    names = list(leaves)
    while layer.fan and len(names) > 1:
        groups = [tuple(names[i : i + layer.fan]) for i in range(0, len(names), layer.fan)]
        names = [digest("node-1", layer.name, layer.version, *group) for group in groups]
        levels.append(list(zip(names, groups, strict=True)))
    return levels


def sizes(leaves: int, fan: int) -> list[int]:
    """How many parts each level has over so many leaves, the leaves first."""
    found = [leaves]
    while fan and found[-1] > 1:
        found.append(-(-found[-1] // fan))
    return found


# ---------------------------------------------------------------------------------------- as of

Read = Callable[[Sequence[int]], Sequence[pa.Table]]


def leaves_as_of(layer: Layer, read: Read, exchanges: int, edge: Mapping[str, pa.Table]) -> list[pa.Table]:
    """The leaves as of an earlier end, when the conversation had `exchanges` whole exchanges. `edge` is what it then
    had of the segment it ended in, by table; empty if it ended with a segment. `read` gives stored parts by their
    place in the record."""
    if layer.by_exchange:
        upto = pc.field("exchange_id") < exchanges
        return [part.filter(upto) for part in read(range(-(-exchanges // SPAN)))]
    whole = list(read(range(exchanges // SPAN)))
    return [*whole, *layer.leaves([Span("", edge)])] if edge else whole


def edges_as_of(
    layer: Layer, read: Read, leaves: int, exchanges: int, edge: Mapping[str, pa.Table]
) -> list[pa.Table | None]:
    """The last part of each level as of that end (see `leaves_as_of`), made anew, the leaf first and the root last.
    None stands for a part over whole spans: the stored one is what it was then. `leaves` is how many segments there
    are now."""
    whole = exchanges // SPAN
    now, then = sizes(leaves, layer.fan), sizes(whole + bool(edge), layer.fan)
    made: list[pa.Table | None] = [layer.leaves([Span("", edge)])[0] if edge else None]
    for level, parts in enumerate(then[1:], start=1):
        below = made[-1]
        if whole // layer.fan**level == parts:
            made.append(None)
            continue
        first = (parts - 1) * layer.fan
        complete = min(whole // layer.fan ** (level - 1), then[level - 1])
        children = list(read([sum(now[: level - 1]) + i for i in range(first, complete)]))
        made.append(layer.nodes([Group("", [*children, *([] if below is None else [below])])])[0])
    return made


def root_as_of(
    layer: Layer, read: Read, leaves: int, exchanges: int, edge: Mapping[str, pa.Table]
) -> pa.Table | None:
    """The root as of that end (see `edges_as_of`); None if nothing had been said."""
    if not exchanges // SPAN and not edge:
        return None
    made = edges_as_of(layer, read, leaves, exchanges, edge)
    return made[-1] if made[-1] is not None else read([sum(sizes(leaves, layer.fan)[: len(made) - 1])])[0]
