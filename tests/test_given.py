"""What a program hands in that cannot be: one line, whatever would have come of it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import memfold
from memfold.api import Store
from memfold.context.readers.model import ByModel
from memfold.context.types import Equipped
from memfold.given import composed, forms, held_as
from support.given import chat, indexed
from support.readers_asked import answering

ASK = "When is it?"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    root: Path = tmp_path_factory.mktemp("given")
    indexed(root, chat(3))
    return memfold.open(root)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda s: s.ask("c", 5), "question=5 is of type int: give text"),
        (lambda s: s.search("c", None), "question=None is of type NoneType"),
        (lambda s: s.ask("c", "half \ud800"), "question='half \\ud800' is no Unicode text"),
        (lambda s: s.ask(5, ASK), "conversation_id=5 is of type int"),
        (lambda s: s.ask(["c"], ASK), "conversation_id=['c'] is of type list"),
        (lambda s: s.profile("\udcff"), "conversation_id='\\udcff' is no Unicode text"),
        (lambda s: s.state(None), "conversation_id=None is of type NoneType"),
        (lambda s: list(s.messages(b"c")), "conversation_id=b'c' is of type bytes"),
        (lambda s: s.ask("c", ASK, speaker=3), "speaker=3 is of type int"),
        (lambda s: s.ask("c", ASK, typo=1), "typo=… is unknown here; use some of now, speaker, forgotten"),
        (
            lambda s: s.ask("c", ASK, as_of=1),
            "as_of=… is unknown here; use some of now, speaker, forgotten; memfold.open(…, as_of",
        ),
        (lambda s: s.search("c", ASK, k="a"), "k is 'a': give 1 or more"),
        (lambda s: s.search("c", ASK, k=-1), "k is -1: give 1 or more"),
        (lambda s: s.search("c", ASK, k=True), "k is True: give 1 or more"),
        (lambda s: s.context("c", ASK, budget="many"), "budget is 'many': give 0 or more tokens"),
        (lambda s: s.context("c", ASK, budget=1.5), "budget is 1.5: give 0 or more tokens"),
        (lambda s: s.ask("c", ASK, budget=-5), "budget is -5: give 0 or more tokens"),
        (lambda s: s.sessions("c", 5), "gap=5: give a datetime.timedelta above zero"),
        (lambda s: s.sessions("c", timedelta(0)), "gap=datetime.timedelta(0): give"),
        (lambda s: s.recent("c", exchanges="a"), "exchanges is 'a': give 0 or more"),
        (lambda s: s.working("c", None), "tokens is None: give 0 or more"),
        (
            lambda s: memfold.open(s.location.root, retrieval="fuzzy"),
            "retrieval='fuzzy' is of type str: give a memfold.retrieve.fuse.Retrieval",
        ),
        (lambda s: memfold.open(s.location.root, packing={}), "packing={} is of type dict: give a memfold"),
        (
            lambda s: memfold.open(s.location.root, reader="model"),
            "reader='model' is of type str, which has no",
        ),
        (
            lambda s: memfold.open(s.location.root, reader=ByModel(shown=9)),
            "reader=ByModel(max_tokens=800, timeout_s=60.0, filter=True, shown=9, translate=False, kinds=False) has no "
            "model yet: give reader=ByModel(…).equip(model)",
        ),
        (
            lambda s: memfold.open(s.location.root, filter=5),
            "filter=5 is of type int, which has no method choose",
        ),
        (
            lambda s: memfold.open(s.location.root, translator=7),
            "translator=7 is of type int, which has no",
        ),
        (
            lambda s: memfold.open(s.location.root, teller=1),
            "teller=1 is of type int, which has no method tell",
        ),
        (lambda s: memfold.open(s.location.root, as_of="\ud800"), "as_of='\\ud800' is no Unicode text"),
        (lambda s: s.search_memory("c", kinds=None), "kinds=None: give a list of kinds, or none for all"),
        (lambda s: s.search_memory("c", kinds="fact"), "kinds='fact': give a list of kinds"),
        (lambda s: s.search_memory("c", by=5), "by=5 is of type int: give text"),
        (lambda s: s.ask("c", ASK, now=""), "now= is no time: write 2026-01-31"),
        (
            lambda s: s.ask("c", ASK, now="2024-13-01"),
            "now=2024-13-01 is no time (month must be in 1..12): write",
        ),
        (lambda s: s.ask("c", ASK, now=0), "now=0 is no time: write 2026-01-31"),
    ],
)
def test_what_cannot_be_is_one_line(call: Callable[[Any], object], said: str, store: Store) -> None:
    with pytest.raises(memfold.UserError) as caught:
        call(store)
    assert str(caught.value).startswith(said)
    assert "\n" not in str(caught.value)


def test_what_can_be_is_taken(store: Store) -> None:
    assert len(store.search("c", ASK, k=2)) == 2
    assert store.context("c", ASK, budget=0).text == ""
    assert len(store.sessions("c", timedelta(hours=1))) >= 1
    assert store.recent("c", exchanges=1).messages
    assert store.working("c", 0)


def test_a_reader_may_come_with_the_parts_that_ask_its_model(store: Store) -> None:
    generator, _ = answering("")
    equipped = ByModel(kinds=True).equip(generator)
    means = memfold.open(store.location.root, reader=equipped).means
    assert (means.reader, means.filter, means.translator, means.teller) == equipped[:4]
    other = ByModel().equip(generator).filter
    assert memfold.open(store.location.root, reader=equipped, filter=other).means.filter is other
    assert memfold.open(store.location.root, reader=equipped.reader).means.filter is None
    with pytest.raises(memfold.UserError, match="has no method read"):
        memfold.open(store.location.root, reader=Equipped("model"))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["Zoë", "Zoe\u0308", "がぎ", "plain", "\ud800"])
def test_a_name_is_held_in_one_form_and_found_in_each(name: str) -> None:
    assert composed(composed(name)) == composed(name) in forms(name)
    for held in forms(name):
        assert held_as(name, [held]) == held
    assert forms(name)[0] == name
    assert held_as(name, ["other"]) is None
