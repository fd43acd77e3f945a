from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memfold.layers.scratchpad.tree import STANDING, Item
from memfold.retrieve.notes import CHUNK_TOKENS, SAME, WEAKEST, Near, chunked
from support.retrieve_samples import conversation, ranked, view

SAID = [f"I want to talk about {topic} number {i}." for i, topic in enumerate(["bread", "cars", "tax"] * 8)]
ROWS = st.lists(st.tuples(st.floats(-1, 1, width=16), st.integers(1, 500)), max_size=40)


def item(exchange: int, text: str = "noted", kind: str = "fact", tokens: int = 20) -> Item:
    return Item(exchange, kind, text, None, None, None, None, tokens)


def near(items: list[Item], question: str = "What about cars?", said: list[str] = SAID) -> Near:
    found = view(conversation(said), items)
    return found.pad.near("c", question, ranked(found, question))


@given(ROWS)
def test_chunks_are_the_items_in_order_and_none_is_too_long(rows: list[tuple[float, int]]) -> None:
    tokens = [size for _, size in rows]
    alike = np.array([likeness for likeness, _ in rows[1:]])
    bounds = list(chunked(alike, tokens))
    assert [place for first, end in bounds for place in range(first, end)] == list(range(len(rows)))
    assert all(end - first == 1 or sum(tokens[first:end]) <= CHUNK_TOKENS for first, end in bounds)
    inside = {place for first, end in bounds for place in range(first, end - 1)}
    weak = np.flatnonzero(alike < np.quantile(alike, WEAKEST) - SAME) if len(alike) else []
    assert not inside.intersection(map(int, weak))


def test_a_chunk_that_is_too_long_is_cut_where_neighbours_are_least_alike() -> None:
    alike = np.array([0.9, 0.9, 0.2, 0.9, 0.9, 0.9])
    assert list(chunked(alike, [50] * 7)) == [(0, 3), (3, 7)]
    assert list(chunked(alike, [100] * 7)) == [(0, 3), (3, 5), (5, 7)]


def test_items_that_are_all_alike_are_not_cut_off_one_by_one() -> None:
    alike = 1 + np.random.default_rng(0).normal(0, 1e-7, 63)
    assert [end - first for first, end in chunked(alike, [20] * 64)] == [8] * 8


def test_the_notes_of_what_the_search_finds_are_nearest() -> None:
    found = near([item(e, f"about {text}") for e, text in enumerate(SAID)])
    assert all("cars" in noted.text for noted in found.items[:8])
    assert not any("cars" in noted.text for noted in found.items[8:])


def test_every_note_is_in_one_chunk_in_the_order_said_and_the_nearest_chunk_is_first() -> None:
    found = near([item(e, f"{e} {text}", tokens=60) for e, text in enumerate(SAID) for _ in range(2)])
    assert sorted(place for chunk in found.chunks for place in chunk) == list(range(len(found.items)))
    for chunk in found.chunks:
        exchanges = [found.items[place].exchange_id for place in chunk]
        assert exchanges == sorted(exchanges)
    assert [min(chunk) for chunk in found.chunks] == sorted(min(chunk) for chunk in found.chunks)


def test_what_is_kept_keeps_the_order_of_nearness() -> None:
    found = near([item(e, text) for e, text in enumerate(SAID)])
    kept = found.only([1, 0])
    assert list(kept) == [found.items[p] for p in sorted((*found.chunks[0], *found.chunks[1]))]
    assert found.only([]) == ()
    assert found.only(range(len(found.chunks))) == found.all().items == found.items


@pytest.mark.parametrize("kind", STANDING)
def test_standing_orders_are_no_notes(kind: str) -> None:
    assert near([item(0), replace(item(1), kind=kind)]).items == (item(0),)


def test_notes_of_exchanges_that_are_not_seen_are_left_out() -> None:
    assert near([item(0), item(len(SAID))]).items == (item(0),)
    assert near([]) == Near("c", "What about cars?", (), ())
    assert near([item(0)], said=[]).items == ()
