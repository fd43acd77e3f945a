"""Law 3: a layer gives the same sealed rows for any way of cutting a conversation and any order of merging."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from memfold.run.fold import stored

from memfold.embed.contract import Vectors
from memfold.layers import episodic
from memfold.layers.layer import merge
from memfold.layers.scratchpad.tree import Scratchpad, Tree
from memfold.run.plan import identify, place
from memfold.schema import EXTRACTIONS, NOTE_KINDS
from support.given import chat

# A segment of three exchanges instead of 64: the tree is high while the examples stay small.
SPAN = 3
Merge = Callable[[Sequence[pa.Table]], pa.Table]


@dataclass(frozen=True)
class Layer:
    """A layer under test: lifts some exchanges of a made conversation, seals what was merged."""

    lift: Callable[[Sequence[Any]], pa.Table]
    seal: Callable[[pa.Table], pa.Table]
    exchanges: Callable[[int], list[Any]]


def encode(texts: Sequence[str]) -> Vectors:
    """A vector a text, whatever stands beside it."""
    draws = [np.random.default_rng(list(text.encode())).normal(size=4) for text in texts]
    return np.array(draws, np.float32).reshape(len(texts), 4)


def episodes_of(exchanges: Sequence[Any]) -> pa.Table:
    parts = [
        episodic.rows(messages, f"s{messages[0].exchange_id // SPAN:04}", encode) for messages in exchanges
    ]
    return pa.concat_tables(parts)


def exchanges_said(n: int) -> list[Any]:
    items = [stored(placed) for placed in place(identify(chat(n), lambda _: None))]
    return [[m for m in items if m.exchange_id == exchange] for exchange in range(n)]


def note(kind: str, text: str, about: str | None) -> dict[str, Any]:
    return {"kind": kind, "text": text, "about": about, "reason": None, "date": None, "polarity": None}


def extracted(
    exchange: int, facts: Sequence[tuple[str, str]], notes: Sequence[dict[str, Any]]
) -> dict[str, Any]:
    """One row of extractions."""
    return {
        "segment": f"s{exchange // SPAN:04}",
        "exchange_id": exchange,
        "conversation_id": "c",
        "time": None,
        "summary": "",
        "facts": [{"key": key, "value": value} for key, value in facts],
        "notes": list(notes),
    }


def extractions_of(rows: Sequence[dict[str, Any]]) -> pa.Table:
    return pa.Table.from_pylist(list(rows), schema=EXTRACTIONS)


def exchanges_extracted(n: int) -> list[Any]:
    draw = random.Random(n)
    made = []
    for exchange in range(n):
        facts = [(draw.choice("abc"), str(draw.randrange(4))) for _ in range(draw.randrange(3))]
        kinds = [draw.choice(NOTE_KINDS) for _ in range(draw.randrange(3))]
        notes = [note(kind, f"say {draw.randrange(6)}", draw.choice([None, "x", "y"])) for kind in kinds]
        made.append(extracted(exchange, facts, notes))
    return made


SMALL = Tree(Scratchpad(tokens=100, full=200), span=SPAN)
LAYERS = {
    "episodic": Layer(episodes_of, lambda lifted: lifted, exchanges_said),
    "scratchpad": Layer(lambda rows: SMALL.lift(extractions_of(rows)), SMALL.seal, exchanges_extracted),
}


def sealed_in_parts(
    layer: Layer, exchanges: list[Any], cuts: Sequence[int], order: random.Random, union: Merge
) -> pa.Table:
    """Lift each part, one of them twice; merge two at a time, any two, until one is left; seal it."""
    edges = [0, *sorted({cut % len(exchanges) for cut in cuts} - {0}), len(exchanges)]
    parts = [layer.lift(exchanges[a:b]) for a, b in pairwise(edges)]
    parts.append(order.choice(parts))
    while len(parts) > 1:
        order.shuffle(parts)
        parts.append(union([parts.pop(), parts.pop()]))
    return layer.seal(parts[0])


def assert_merges(layer: Layer, exchanges: list[Any], cuts: Sequence[int], seed: int, union: Merge) -> None:
    whole = layer.seal(merge([layer.lift(exchanges)]))
    assert sealed_in_parts(layer, exchanges, cuts, random.Random(seed), union).equals(whole)


@pytest.mark.parametrize("name", LAYERS)
@settings(max_examples=40, deadline=None)
@given(n=st.integers(1, 40), cuts=st.lists(st.integers(0, 100), max_size=8), seed=st.integers(0, 2**32))
def test_any_cutting_and_any_order_seal_the_same_rows(name: str, n: int, cuts: list[int], seed: int) -> None:
    layer = LAYERS[name]
    assert_merges(layer, layer.exchanges(n), cuts, seed, merge)


def later_wins(parts: Sequence[pa.Table]) -> pa.Table:
    """A merge that is wrong: of a segment that two parts have rows of, those of the later part remain."""
    kept = parts[-1]
    theirs = set(kept.column("segment").to_pylist())
    mask = pa.array([name not in theirs for name in parts[0].column("segment").to_pylist()], pa.bool_())
    return pa.concat_tables([parts[0].filter(mask), kept])


def appended(parts: Sequence[pa.Table]) -> pa.Table:
    """A merge that is wrong: neither in order nor each key once."""
    return pa.concat_tables(parts)


@pytest.mark.parametrize(
    ("name", "wrong"), [("episodic", later_wins), ("episodic", appended), ("scratchpad", later_wins)]
)
def test_control_a_merge_that_depends_on_the_order_is_caught(name: str, wrong: Merge) -> None:
    layer = LAYERS[name]
    exchanges = layer.exchanges(20)
    caught = 0
    for seed in range(10):
        try:
            assert_merges(layer, exchanges, [4, 8, 13], seed, wrong)
        except AssertionError:
            caught += 1
    assert caught == 10


def test_control_a_seal_in_order_of_arrival_is_caught() -> None:
    def by_arrival(lifted: pa.Table) -> pa.Table:
        numbered = lifted.set_column(1, lifted.schema.field(1), pa.array(range(lifted.num_rows), pa.int64()))
        return SMALL.seal(numbered)

    exchanges = exchanges_extracted(20)
    whole, reverse = SMALL.lift(extractions_of(exchanges)), SMALL.lift(extractions_of(exchanges[::-1]))
    assert SMALL.seal(whole).equals(SMALL.seal(reverse))
    assert not by_arrival(whole).equals(by_arrival(reverse))


def test_a_layer_that_is_given_no_rows_of_a_kind_still_merges() -> None:
    empty = extracted(0, [], [])
    assert SMALL.seal(merge([SMALL.lift(extractions_of([empty]))])).column("items").to_pylist() == [[]]
    nothing = SMALL.lift(extractions_of([]))
    assert merge([nothing, nothing]).num_rows == 0
    assert SMALL.seal(nothing).num_rows == 0
