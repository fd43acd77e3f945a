"""A made-up conversation folded by layers, part by part, by the contract alone: no job, no engine and no disk.

What a job would make of it in one go and what other makers make of it in pieces is compared by the parts' names.
Segments are of three exchanges instead of 64: trees are high while conversations stay short (`short_segments`).
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields, is_dataclass, replace
from functools import cache
from typing import Any
from unittest.mock import patch

import numpy as np
import pyarrow as pa

from memfold.build import build
from memfold.config import load
from memfold.embed.contract import Vectors
from memfold.extract.filed import extractions as extractions_of
from memfold.layers.layer import INPUTS, Configured, Group, Layer, Span, Tools, equipped, inner, sizes
from memfold.layers.orders import STANDING
from memfold.layers.shown import Cut, Shown
from memfold.run.plan import Naming, cut, place
from memfold.run.reconcile import identify
from memfold.run.work import message_rows, stored
from memfold.schema import EXTRACTIONS, JUDGING, NOTE_KINDS, NOTES
from memfold.store.part import Part
from memfold.store.record import NOTHING, Record
from support.given import chat

SPAN = 3


@contextmanager
def short_segments() -> Iterator[None]:
    """Segments of `SPAN` exchanges wherever the number is looked up."""
    with (
        patch("memfold.layers.layer.SPAN", SPAN),
        patch("memfold.layers.shown.SPAN", SPAN),
        patch("memfold.run.plan.SPAN", SPAN),
    ):
        yield


@dataclass(frozen=True)
class Random:
    """An embedder: a vector a text, whatever stands beside it."""

    signature = "random"
    dimension = 4

    def encode(self, texts: Sequence[str]) -> Vectors:
        draws = [np.random.default_rng(list(text.encode())).normal(size=4) for text in texts]
        vectors = np.array(draws).reshape(len(texts), 4)
        return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def settings(overrides: Sequence[str]) -> dict[str, Configured]:
    """The layers' settings as a job with these overrides has them."""
    return dict(_settings(*overrides))


@cache  # a property asks for them with every example, and Hydra takes a fifth of a second
def _settings(*overrides: str) -> Mapping[str, Configured]:
    config = load("index", ["source=synthetic", *overrides])
    return {name: build(node, f"layers.{name}") for name, node in config.layers.items()}


def fresh(of: Mapping[str, Configured]) -> dict[str, Layer]:
    """The layers as a worker that has just started has them."""
    layers = equipped(of, Tools(Random()))
    return {name: _short(layer) for name, layer in layers.items()}


def _short(layer: Any) -> Layer:
    takes = is_dataclass(layer) and "span" in {each.name for each in fields(layer)}
    made: Layer = replace(layer, span=SPAN) if takes and not isinstance(layer, type) else layer
    return made


@dataclass(frozen=True)
class Segment:
    """One segment of a conversation: the names of its parts, and its rows of what layers are made from."""

    names: Mapping[str, str]
    rows: Mapping[str, pa.Table]


def conversation(exchanges: int, layers: Mapping[str, Layer]) -> list[Segment]:
    """A conversation of so many exchanges, planned as a job plans it; what was extracted is drawn by lot."""
    works = cut(place(identify(chat(exchanges), lambda _: None)), Naming("an engine", layers))
    made = []
    for work in works:
        numbers = sorted({item.exchange_id for item in work.messages})
        filed = extractions_of(map(stored, work.messages))
        extractions, notes = [], []
        for number in numbers:
            of = {
                "segment": work.names["extractions"],
                "exchange_id": number,
                "conversation_id": work.conversation_id,
                "time": None,
            }
            if number in filed:
                extractions.append({**of, "summary": "", "facts": [], "made_by": filed[number].made_by})
                notes += [{**of, "n": n, **asdict(note)} for n, note in enumerate(filed[number].notes)]
                continue
            draw = random.Random(number)
            facts = [
                {"key": draw.choice("abc"), "value": str(draw.randrange(4))} for _ in range(draw.randrange(3))
            ]
            extractions.append({**of, "summary": "", "facts": facts, "made_by": "lot"})
            for n in range(draw.randrange(3)):
                kind, text = draw.choice(NOTE_KINDS), f"say {draw.randrange(6)}"
                if kind in (*STANDING, "sentiment"):  # the user's own words
                    text = f"question {number}"
                note = {**of, "n": n, "kind": kind, "text": text, "about": draw.choice([None, "x", "y"])}
                notes.append(note | (_judged(number, n) if kind in JUDGING else {}))
        rows = {
            "messages": message_rows([[stored(item) for item in work.messages]], [work.names["messages"]])[0],
            "extractions": pa.Table.from_pylist(extractions, schema=EXTRACTIONS),
            "notes": pa.Table.from_pylist(notes, schema=NOTES),
        }
        made.append(Segment(work.names, rows))
    return made


def _judged(number: int, n: int) -> dict[str, Any]:
    """What a note that judges something says besides, drawn by lot of its own."""
    draw = random.Random(f"{number}/{n}")
    polarity = draw.choice([None, draw.randint(-100, 100) / 100])
    return {
        "polarity": polarity,
        "strength": draw.choice([None, 0.1, 1.0]),
        "aspect": draw.choice([None, "taste", "price"]),
    }


# A part: its layer and its name.
Key = tuple[str, str]


@dataclass
class Kept:
    """The parts that were made, as a store keeps them: found by name, each made once but for what `twice` draws."""

    parts: dict[Key, pa.Table] = field(default_factory=dict)

    def keep(self, layer: Layer, names: Sequence[str], made: Sequence[pa.Table]) -> None:
        """Take parts in. Whoever made one before made the same rows, and rows say whose they are."""
        assert len(made) == len(names)
        for name, rows in zip(names, made, strict=True):
            assert rows.schema.equals(layer.table)
            assert set(rows["segment"].to_pylist()) <= {name}
            assert set(rows["conversation_id"].to_pylist()) <= {"c"}
            before = self.parts.setdefault((layer.name, name), rows)
            assert before.equals(rows), f"{layer.name}: one name, and other rows"


def in_one_go(of: Mapping[str, Configured], exchanges: int) -> Kept:
    """All parts, in order, by one worker, each level at once."""
    layers, kept = fresh(of), Kept()
    segments = conversation(exchanges, layers)
    for layer in layers.values():
        spans = [Span(s.names[layer.name], _read(layer, s, kept)) for s in segments]
        kept.keep(layer, [span.name for span in spans], layer.leaves(spans))
        for level in inner(layer, [span.name for span in spans]):
            _grow(layer, level, kept)
    return kept


def in_pieces(of: Mapping[str, Configured], ends: Sequence[int], draw: random.Random, kept: Kept) -> None:
    """The conversation as it grew: at each end all parts that are not there, and some that are, in batches drawn by
    lot, in any order in which what a part is made from comes before it, each batch by any of three workers."""
    workers = [fresh(of) for _ in range(3)]
    for end in ends:
        segments = conversation(end, workers[0])
        todo: dict[Key, Any] = {}
        for name, layer in workers[0].items():
            leaves = {(name, s.names[name]): s for s in segments}
            above = {
                (name, node): children
                for level in inner(layer, [s.names[name] for s in segments])
                for node, children in level
            }
            todo |= {
                k: v for k, v in {**leaves, **above}.items() if k not in kept.parts or draw.random() < 0.2
            }
        while todo:
            layer = draw.choice(workers)[draw.choice(sorted({name for name, _ in todo}))]
            can = [key for key in todo if key[0] == layer.name and _ready(layer, todo[key], kept)]
            leaves_first = [key for key in can if isinstance(todo[key], Segment)]
            can = (
                leaves_first
                if leaves_first and draw.random() < 0.5
                else [k for k in can if k not in leaves_first]
            )
            if not can:
                continue
            batch = draw.sample(can, draw.randint(1, len(can)))
            if isinstance(todo[batch[0]], Segment):
                made = layer.leaves([Span(key[1], _read(layer, todo[key], kept)) for key in batch])
                kept.keep(layer, [name for _, name in batch], made)
            else:
                _grow(layer, [(name, todo[layer.name, name]) for _, name in batch], kept)
            for key in batch:
                if draw.random() < 0.9:  # else it is made again
                    del todo[key]


def _ready(layer: Layer, of: Any, kept: Kept) -> bool:
    if isinstance(of, Segment):
        return all(name in INPUTS or (name, of.names[name]) in kept.parts for name in layer.reads)
    return all((layer.name, child) in kept.parts for child in of)


def _read(layer: Layer, of: Segment, kept: Kept) -> dict[str, pa.Table]:
    return {
        name: of.rows[name] if name in INPUTS else kept.parts[name, of.names[name]] for name in layer.reads
    }


def _grow(layer: Layer, level: Sequence[tuple[str, Sequence[str]]], kept: Kept) -> None:
    groups = [Group(name, [kept.parts[layer.name, child] for child in children]) for name, children in level]
    kept.keep(layer, [name for name, _ in level], layer.nodes(groups))


def assert_merges(overrides: Sequence[str], exchanges: int, ends: Sequence[int], seed: int) -> None:
    """Law 3: the parts of a conversation are the same rows, by name, however it was made."""
    of = settings(overrides)
    with short_segments():
        whole, kept = in_one_go(of, exchanges), Kept()
        grown = sorted({1 + end % exchanges for end in ends} | {exchanges})
        in_pieces(of, grown, random.Random(seed), kept)
        assert whole.parts.keys() <= kept.parts.keys()
        for key, rows in whole.parts.items():
            assert rows.equals(kept.parts[key]), f"{key}: one name, and other rows"


# ------------------------------------------------------------------------------------------- as of


class Memory:
    """A table of parts in memory (`memfold.store.tables.Placed`, as far as it is read)."""

    def __init__(self, schema: pa.Schema, parts: Sequence[pa.Table]) -> None:
        self.schema, self._parts = schema, parts

    def take(self, places: Sequence[Part], columns: Sequence[str] | None = None) -> pa.Table:
        assert columns is None
        return pa.concat_tables([self.schema.empty_table(), *(self._parts[place.first] for place in places)])


def shown(of: Mapping[str, Configured], exchanges: int, cut: Cut | None = None) -> Shown:
    """A conversation of so many exchanges as a store would show it, whole or cut."""
    layers, kept = fresh(of), in_one_go(of, exchanges)
    segments = conversation(exchanges, layers)
    tables = {name: Memory(schema, [s.rows[name] for s in segments]) for name, schema in INPUTS.items()}
    names = {name: [s.names[name] for s in segments] for name in INPUTS}
    for name, layer in layers.items():
        leaves = [s.names[name] for s in segments]
        names[name] = [*leaves, *(node for level in inner(layer, leaves) for node, _ in level)]
        tables[name] = Memory(layer.table, [kept.parts[name, each] for each in names[name]])
    parts = {
        kind: tuple(Part(name, place, 1, NOTHING) for place, name in enumerate(each))
        for kind, each in names.items()
    }
    record = Record("c", None, 0, exchanges, 0, None, None, 0, NOTHING, NOTHING, parts, NOTHING)
    return Shown(record, lambda name: tables[name], lambda: fresh(of), cut)  # type: ignore[arg-type,return-value]


def unnamed(rows: pa.Table | None) -> list[dict[str, Any]]:
    """Rows without the names of parts: those of a part that was made for one look have none."""
    return (
        []
        if rows is None
        else rows.drop_columns(
            [name for name in ("segment", "children") if name in rows.column_names]
        ).to_pylist()
    )


def assert_as_of(overrides: Sequence[str], exchanges: int, end: int) -> None:
    """Law 5: as of an exchange, each layer shows what it would had the conversation ended there."""
    of = settings(overrides)
    with short_segments():
        end = 1 + end % exchanges
        then, seen = shown(of, end), shown(of, exchanges, Cut(len(chat(end)) - 1, end, False))
        for name, layer in fresh(of).items():
            assert unnamed(seen.leaves(name)) == unnamed(then.leaves(name)), f"{name} as of {end}"
            if layer.fan:
                assert unnamed(seen.root(name)) == unnamed(then.root(name)), f"{name} as of {end}"
                for level, parts in enumerate(sizes(-(-end // SPAN), layer.fan)):
                    places = range(parts)
                    both = zip(seen.nodes(name, level, places), then.nodes(name, level, places), strict=True)
                    assert all(unnamed(one) == unnamed(other) for one, other in both), f"{name} as of {end}"
