"""Notes read by what they are about, wherever the tree holds them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pyarrow as pa
import pytest

from memfold.errors import UserError
from memfold.layers.layer import Group, Span
from memfold.layers.scratchpad.items import Item
from memfold.layers.scratchpad.tree import FAN, Node, Scratchpad, Tree, table
from memfold.layers.subjects import Subjects as Layer
from memfold.retrieve.fuse import Retrieval
from memfold.retrieve.notes import FEW_TOKENS
from memfold.retrieve.scratchpad import near, nearest, pad_of, root_of
from memfold.retrieve.subjects import OF_SUBJECT
from memfold.retrieve.view import View
from memfold.schema import EXTRACTIONS, SPAN
from support.retrieve_samples import conversation, ranked, view

TOWNS = ["Aral", "Brno", "Cadiz", "Delft", "Evora", "Fano", "Gent", "Hilo"]
SAID = [f"I went to {TOWNS[n % 8]} and it was nice {n}." for n in range(FAN * SPAN)]


def noted(
    exchange: int, text: str, about: str | None = None, of: str | None = "", kind: str = "fact"
) -> Item:
    return Item(exchange, kind, text, about, None, None, None, 20, of if about else None)


TALK = [noted(n, text, kind="decision") for n, text in enumerate(SAID)]


def seen(items: Sequence[Item], summaries: dict[int, str] | None = None, room: int = 100) -> View:
    """A view of four segments of which the root holds `room` tokens, with the layer's rows."""
    told, leaves, spans = summaries or {}, [], []
    for place in range(FAN):
        first, last = place * SPAN, place * SPAN + SPAN - 1
        held = tuple(
            sorted((i for i in items if first <= i.exchange_id <= last), key=lambda i: i.exchange_id)
        )
        leaves.append(table([Node(f"leaf {place}", "c", 0, first, last, (), held)]))
        rows = [
            {"segment": "", "exchange_id": n, "conversation_id": "c", "time": None, "summary": told.get(n, ""),
             "facts": [], "made_by": ""}
            for n in range(first, last + 1)
        ]  # fmt: skip
        extractions = pa.Table.from_pylist(rows, schema=EXTRACTIONS)
        spans.append(Span(f"s{place}", {"scratchpad": leaves[-1], "extractions": extractions}))
    (root,) = Tree(Scratchpad(tokens=room, full=room)).nodes([Group("root", leaves)])
    bare = view(conversation(SAID))
    subjects = pa.concat_tables(reversed(Layer().leaves(spans)))
    return replace(
        bare,
        root={"scratchpad": root}.get,
        leaves=lambda layer, *of: subjects if layer == "subjects" else bare.leaves(layer, *of),
    )


def topped(items: Sequence[Item], top: Sequence[Item]) -> View:
    """The same with a root that holds other items."""
    whole = seen(items)
    there = root_of(whole)
    assert there is not None
    root = table([replace(there, items=tuple(top))])
    return replace(whole, root={"scratchpad": root}.get)


def read(of: View, question: str, named: int = 8) -> tuple[Item, ...]:
    return tuple(nearest(of, question, ranked(of, question), 0, named))


def price(exchange: int, value: str, of: str = "boat") -> Item:
    about = f"price of the {of}"
    return noted(exchange, f"{about} = {value}", about)


@pytest.mark.parametrize("between", [0, 3])
def test_the_newest_value_is_found_with_what_it_replaced(between: int) -> None:
    """Though the root has neither, they lie in two leaves, and no exchange says a word of it."""
    old = [price(3 + n, f"{80 + n} euros") for n in range(between + 1)]
    found = topped([*TALK, *old, price(3 * SPAN, "95 euros")], [])
    first = read(found, "What is the price of the boat?")[0]
    assert first.text == "price of the boat = 95 euros"
    assert first.replaced == f"price of the boat = {80 + between} euros"
    assert read(found, "What is the price of the boat?", 0) == tuple(
        pad_of(found).nearest(ranked(found, "What is the price of the boat?"))
    )


def test_a_subject_said_of_often_is_read_from_its_newest_items() -> None:
    values = [price(n, f"{80 + n} euros") for n in range(3 * OF_SUBJECT)]
    (first, second, *_) = read(seen([*TALK, *values]), "What is the price of the boat?")
    assert (first.text, first.replaced) == (values[-1].text, values[-2].text)
    assert not second.text.startswith("price")


def test_both_sides_of_a_contradiction_are_found_and_say_so() -> None:
    sides = [
        noted(n, text, "staying in the mill")
        for n, text in ((2, "I slept in the mill."), (200, "I never slept in the mill."))
    ]
    found = read(seen([*TALK, *sides]), "Have I stayed in the mill?")[:2]
    assert {(one.text, one.against) for one in found} == {
        (sides[0].text, sides[1].text),
        (sides[1].text, sides[0].text),
    }


def test_equal_keys_of_two_entities_are_told_apart_by_the_words_around_the_value() -> None:
    """Of one value each: a value that is equal too is no repetition."""
    summaries = {5: "The fee at the Oak Lane library is $5.", 150: "The fee at the Oak Lane bakery is $5."}
    items = [
        noted(n, "fee = $5", "fee", of)
        for n, of in ((5, "oak lane library"), (150, "oak lane bakery"))
    ]  # fmt: skip
    found = seen([*TALK, *items], summaries)
    for place, what in ((0, "library"), (1, "bakery")):
        one, *others = read(found, f"How much does the Oak Lane {what} ask at the door?")
        assert (one.exchange_id, one.replaced) == (items[place].exchange_id, None)
        assert items[1 - place] in others


def test_a_correction_is_read_with_what_it_corrects_and_nothing_later() -> None:
    items = [
        noted(4, "The lead is Ann", "lead", None),
        noted(130, "The lead is Bob now", "lead", None, "correction"),
        noted(240, "The lead time is 3 weeks", "lead", None),
    ]
    found = read(seen([*TALK, *items]), "Who is the lead, Bob?")
    corrected = next(one for one in found if one.kind == "correction")
    assert corrected.replaced == "The lead is Ann"
    assert any(one.text == items[2].text and one.replaced is None for one in found)


def test_a_note_of_the_root_that_was_replaced_since_is_not_shown() -> None:
    """What replaced it gave way in its own half of the tree, before the two met."""
    old, new = price(3, "80 euros"), price(3 * SPAN, "95 euros")
    found = read(topped([*TALK, old, new], [old, *TALK]), "What is the price of the boat?")
    assert [one.text for one in found if one.text.startswith("price")] == [new.text]


@pytest.mark.parametrize("order", [(3, 2, 1, 0), (1, 3, 0, 2)])
def test_what_is_read_does_not_depend_on_the_order_of_the_rows(order: Sequence[int]) -> None:
    items = [price(3 + 40 * n, f"{80 + n} euros", of) for n, of in enumerate(["boat", "car", "boat", "bike"])]
    found = seen([*TALK, *items])
    rows = found.leaves("subjects")
    assert rows is not None
    shuffled = pa.concat_tables([rows.slice(SPAN * place, SPAN) for place in order] + [rows.slice(4 * SPAN)])
    other = replace(
        found, leaves=lambda name, *of: shuffled if name == "subjects" else found.leaves(name, *of)
    )
    question = "What is the price of the boat?"
    assert read(other, question, 40) == read(found, question, 40)


@pytest.mark.parametrize("named", [0, 8, 1000])
def test_what_a_filter_is_shown_is_what_is_read_without_one(named: int) -> None:
    found = seen([*TALK, *(price(n, f"{n} euros", f"boat {n}") for n in range(0, 200, 9))])
    question = "What is the price of boat 18?"
    ranking = ranked(found, question)
    notes = near(found, question, ranking, 0, named)
    assert notes.items == tuple(nearest(found, question, ranking, 0, named)) != ()
    assert sorted(place for chunk in notes.chunks for place in chunk) == list(range(len(notes.items)))
    assert [min(chunk) for chunk in notes.chunks] == sorted(min(chunk) for chunk in notes.chunks)
    if named == 8:
        assert len(notes.chunks[0]) * 20 <= FEW_TOKENS
    assert len({(one.exchange_id, one.text) for one in notes.items}) == len(notes.items)


def test_without_the_layer_or_a_scratchpad_the_root_is_read() -> None:
    found = seen(TALK)
    without = replace(found, leaves=lambda name, *of: None if name == "subjects" else found.leaves(name, *of))
    question = "What of Brno?"
    assert read(without, question) == tuple(pad_of(found).nearest(ranked(found, question)))
    assert read(replace(found, root=lambda name: None), question) == ()
    assert read(seen([]), question) == ()


def test_fewer_than_no_notes_are_refused() -> None:
    with pytest.raises(UserError, match=r"Retrieval\.subjects is -1"):
        Retrieval(subjects=-1)
