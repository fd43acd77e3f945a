from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memfold.errors import UserError
from memfold.layers.layer import Group
from memfold.layers.orders import STANDING
from memfold.layers.scratchpad.items import Item
from memfold.layers.scratchpad.tree import FAN, Node, Scratchpad, Tree, table
from memfold.retrieve import scratchpad
from memfold.retrieve.fuse import Retrieval
from memfold.retrieve.notes import CHUNK_TOKENS, SAME, WEAKEST, Near, besides, chunked
from memfold.retrieve.scratchpad import nearest, pad_of, root_of
from memfold.retrieve.view import View
from memfold.schema import SPAN
from support.retrieve_samples import conversation, ranked, view

SAID = [f"I want to talk about {topic} number {i}." for i, topic in enumerate(["bread", "cars", "tax"] * 8)]
ROWS = st.lists(st.tuples(st.floats(-1, 1, width=16), st.integers(1, 500)), max_size=40)


def item(exchange: int, text: str = "noted", kind: str = "fact", tokens: int = 20) -> Item:
    return Item(exchange, kind, text, None, None, None, None, tokens)


def near(items: list[Item], question: str = "What about cars?", said: list[str] = SAID) -> Near:
    found = view(conversation(said), items)
    return pad_of(found).near("c", question, ranked(found, question))


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


@pytest.mark.parametrize(
    ("exchange", "entity", "left"),
    [
        (3, "atlas", False),
        (3, "boreas", True),  # of another project
        (12, "atlas", True),  # they went back to it
        (3, None, False),
    ],
)
def test_what_was_replaced_is_the_older_of_the_same_entity(
    exchange: int, entity: str | None, left: bool
) -> None:
    new = replace(item(9, "contact = Mia"), replaced="contact = Rosa", entity="atlas")
    assert besides([new])(replace(item(exchange, "contact = Rosa"), entity=entity)) is left


def test_what_a_correction_without_an_entity_replaced_is_not_shown() -> None:
    new = replace(item(9, "contact = Mia", "correction"), replaced="contact = Rosa")
    assert not besides([new])(replace(item(3, "contact = Rosa"), entity="atlas"))


@pytest.mark.parametrize("kind", STANDING)
def test_standing_orders_are_no_notes(kind: str) -> None:
    assert near([item(0), replace(item(1), kind=kind)]).items == (item(0),)


def test_notes_of_exchanges_that_are_not_seen_are_left_out() -> None:
    assert near([item(0), item(len(SAID))]).items == (item(0),)
    assert near([]) == Near("c", "What about cars?", (), ())
    assert near([item(0)], said=[]).items == ()


# ------------------------------------------------------------------------------------ below the root

TOPICS = ["bread", "cars", "tax", "birds", "boats", "tea", "snow", "ink"]
MANY = [f"I want to talk about {TOPICS[n % 8]} in town {n // 8}." for n in range(4 * SPAN)]


def tree(items: Sequence[Item], room: int) -> tuple[View, list[tuple[int, list[int]]]]:
    """A view of four segments whose root holds `room` tokens, and what is read below the root."""
    layer, read = Tree(Scratchpad(tokens=room, full=room)), list[tuple[int, list[int]]]()
    leaves = []
    for place in range(FAN):
        first, last = place * SPAN, place * SPAN + SPAN - 1
        held = tuple(one for one in items if first <= one.exchange_id <= last)
        leaves.append(table([Node(f"leaf {place}", "c", 0, first, last, (), held)]))
    (root,) = layer.nodes([Group("root", leaves)])

    def nodes(_: str, level: int, places: Sequence[int]) -> list[pa.Table]:
        read.append((level, list(places)))
        return [leaves[place] for place in places]

    return replace(view(conversation(MANY)), root={"scratchpad": root}.get, nodes=nodes), read


def test_notes_that_the_root_has_no_room_for_are_read_where_the_question_leads() -> None:
    items = [item(n, f"{text} It was nice {n}.", tokens=20) for n, text in enumerate(MANY)]
    seen, read = tree(items, 400)
    question = f"What about {TOPICS[3]} in town 20?"
    wanted = items[20 * 8 + 3]
    ranking = ranked(seen, question)
    assert len(pad_of(seen).items) == 20
    assert wanted not in pad_of(seen).items
    assert wanted in scratchpad.near(seen, question, ranking, 8).items[:3]
    assert read == [(0, sorted({int(n) // SPAN for n in ranking.order[:8]}))]
    # The paper's way, the root alone; what was read once is not read again.
    assert (
        scratchpad.near(seen, question, ranking, 0).items == pad_of(seen).near("c", question, ranking).items
    )
    scratchpad.near(seen, question, ranking, 8)
    assert len(read) == 1
    found = scratchpad.near(seen, question, ranking, 8)
    assert sorted(n for chunk in found.chunks for n in chunk) == list(range(len(found.items)))
    assert len({(one.exchange_id, one.text) for one in found.items}) == len(found.items)


def test_a_root_in_which_nothing_gave_way_is_all_that_is_read() -> None:
    seen, read = tree([item(n, text) for n, text in enumerate(MANY)], 100_000)
    assert len(scratchpad.near(seen, "What about tea?", ranked(seen, "What about tea?"), 8).items) == len(
        MANY
    )
    assert read == []


def test_of_a_value_that_changed_the_newest_is_read_with_what_it_replaced() -> None:
    """Though the root has neither, and they lie in two leaves."""
    items = [item(n, f"{text} It was nice {n}.", "decision") for n, text in enumerate(MANY)]
    for exchange, value in ((3, "80 euros"), (3 * SPAN + 3, "95 euros")):
        items[exchange] = replace(items[exchange], kind="fact", text=f"price of the old boat = {value}",
                                  about="price of the old boat", entity="")  # fmt: skip
    whole, _ = tree(items, 400)
    question = "What is the price of the old boat?"
    there = root_of(whole)
    assert there is not None
    bare = table([replace(there, items=())])
    seen = replace(whole, root={"scratchpad": bare}.get)
    ranking = ranked(seen, question).raised(3, 0).raised(3 * SPAN + 3, 0)
    first = scratchpad.near(seen, question, ranking, 8).items[0]
    assert (first.text, first.replaced) == (
        "price of the old boat = 95 euros",
        "price of the old boat = 80 euros",
    )


def test_a_reach_below_nothing_is_refused() -> None:
    with pytest.raises(UserError, match=r"Retrieval\.reach is -1"):
        Retrieval(reach=-1)


@pytest.mark.parametrize("reach", [0, 8])
@pytest.mark.parametrize("room", [400, 100_000])
def test_what_a_filter_is_shown_is_what_is_read_without_one(reach: int, room: int) -> None:
    seen, _ = tree([item(n, f"{text} It was nice {n}.") for n, text in enumerate(MANY)], room)
    question = f"What about {TOPICS[3]} in town 20?"
    ranking = ranked(seen, question)
    assert (
        tuple(nearest(seen, question, ranking, reach))
        == scratchpad.near(seen, question, ranking, reach).items
        != ()
    )
