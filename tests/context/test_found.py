"""One probe, one reading: embedded, ranked and packed once, whoever asks and from whichever thread."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from numpy.typing import NDArray

from memfold.context.assemble import Packing
from memfold.context.found import Means, ahead, probe
from memfold.context.readers.extractive import Extractive
from memfold.context.readers.quoting.frames import FRAMES
from memfold.context.sections.notes import ScratchpadNotes
from memfold.context.types import Answer, Citation, Context
from memfold.embed.contract import Encode
from memfold.layers.shown import Selection
from memfold.retrieve.fuse import Retrieval
from memfold.retrieve.notes import Near, Notes
from memfold.retrieve.remember import Remembered, Vectors
from memfold.retrieve.view import View
from support.retrieve_samples import conversation, encode, order, view

SAID = [f"My note {i} is about {what}." for i, what in enumerate(["bread", "cars", "tax", "birds"] * 5)]
MEANS = Means(Retrieval(), Packing(), Extractive())


def counted(make: Encode, calls: list[str]) -> Encode:
    def counting(texts: Sequence[str]) -> NDArray[np.float32]:
        calls.extend(texts)
        return make(texts)

    return counting


def test_a_probe_is_embedded_once_for_hits_context_and_answer() -> None:
    calls: list[str] = []
    seen = view(conversation(SAID))
    seen = replace(seen, encode=counted(encode, calls))
    found = probe(seen, "Which note is about birds?", MEANS)
    assert calls.count("Which note is about birds?") == 1
    found.hits(3), found.context(), found.answer(), found.context(500)
    assert calls.count("Which note is about birds?") == 1
    assert found.answer().context is found.context()
    assert found.context(500) is found.context(500)


def test_a_conversation_s_sentences_are_embedded_once() -> None:
    calls: list[str] = []
    seen = replace(view(conversation(SAID)), encode=counted(encode, calls))
    first = probe(seen, "bread and tax", MEANS).answer()
    some = len(calls)
    assert probe(seen, "bread and tax", MEANS).answer() == first
    assert len(calls) == some


@pytest.mark.parametrize(
    "question", ["bread and tax", "Which note is about birds?", "How many notes are there?"]
)
def test_what_is_embedded_ahead_is_what_an_answer_compares(question: str) -> None:
    calls: list[str] = []
    seen = replace(view(conversation(SAID)), encode=counted(encode, calls))
    embedded = list(ahead(seen, Extractive()))
    assert set(calls) == set(embedded) >= set(SAID)
    calls.clear()
    answer = probe(seen, question, MEANS).answer()
    assert not set(SAID) & set(calls)
    assert answer == probe(view(conversation(SAID)), question, MEANS).answer()


def test_a_reader_that_compares_nothing_is_done_nothing_for() -> None:
    class Silent:
        def read(self, question: str, context: Context, encode: Encode) -> Answer:
            return Answer("", (), context)

        def compared(self, said: Iterable[str], speakers: Collection[str] = ()) -> Iterator[str]:
            return iter(())

        def close(self) -> None:
            pass

    assert not list(ahead(view(conversation(SAID)), Silent()))


def test_what_is_not_asked_for_is_not_read() -> None:
    def refuse(layer: str) -> pa.Table:
        raise AssertionError(layer)

    bare = replace(view(conversation(SAID)), root=refuse)
    sections = {name: Packing().sections[name] for name in ("closest", "also")}
    means = Means(Retrieval(steps={}), Packing(sections=sections), Extractive())
    assert probe(bare, "birds", means).answer().citations


def test_without_their_layers_there_are_neither_orders_nor_notes() -> None:
    whole = view(conversation(SAID), [order(3, "instruction", "Always be brief"), order(4, "fact", "a fact")])
    without = replace(
        whole,
        root=lambda _: None,
        leaves=lambda layer, *of: None if layer == "orders" else whole.leaves(layer, *of),
    )
    labels = [[part.label for part in probe(v, "birds", MEANS).context().parts] for v in (whole, without)]
    assert labels[0][2:] == labels[1]
    assert len(labels[0]) == 4


def test_fifty_threads_open_a_conversation_once_and_read_the_same() -> None:
    reads: list[str] = []
    start = threading.Barrier(16)
    plain = view(conversation(SAID), [order(3, "instruction", "Always be brief")])

    def leaves(layer: str, *of: Selection) -> pa.Table | None:
        reads.append(layer)
        return plain.leaves(layer, *of)

    def root(layer: str) -> pa.Table | None:
        reads.append(layer)
        return plain.root(layer)

    shared = replace(plain, leaves=leaves, root=root)
    alone = {what: probe(plain, what, MEANS).answer() for what in ("bread", "cars", "tax", "birds")}

    def ask(place: int) -> tuple[str, Answer]:
        what = list(alone)[place % 4]
        if place < 16:
            start.wait()
        return what, probe(shared, what, MEANS).answer()

    with ThreadPoolExecutor(16) as threads:
        answers = list(threads.map(ask, range(50)))
    assert sorted(reads) == [
        "beliefs",
        "episodic",
        "keys",
        "orders",
        "passages",
        "profile",
        "scratchpad",
        "sentences",
        "state",
        "subjects",
    ]
    assert all(answer == alone[what] for what, answer in answers)


def test_the_model_that_chooses_notes_is_asked_once_with_the_first_context() -> None:
    asked: list[Near] = []

    class Chooses:
        def choose(self, near: Near) -> Notes:
            asked.append(near)
            return Notes(near.items[:1], {"requests": 1})

    seen = view(conversation(SAID), [order(4, "fact", "bread is dear"), order(5, "fact", "cars are fast")])
    found = probe(seen, " cars ", replace(MEANS, filter=Chooses()))
    assert (len(found.hits(2)), asked) == (2, [])
    with ThreadPoolExecutor(4) as threads:
        contexts = list(threads.map(found.context, [2_000, 2_000, 4_000, 4_000]))
    assert [near.question for near in asked] == ["cars"]
    assert [context.usage for context in contexts] == [{"requests": 1}] * 4


def test_each_context_reads_the_notes_anew() -> None:
    seen = view(conversation(SAID), [order(4, "fact", "bread is dear"), order(5, "fact", "cars are fast")])
    found = probe(seen, "cars", MEANS)
    read = [item.text for item in found.notes.items]
    assert read == [item.text for item in found.notes.items] == ["cars are fast", "bread is dear"]
    shown = [
        [
            piece.text
            for part in found.context(budget).parts
            if part.label == ScratchpadNotes().label
            for piece in part.pieces
        ]
        for budget in (8_000, 9_000)
    ]
    assert shown[0] == shown[1] != []


def test_what_is_remembered_is_the_last_that_was_asked_for() -> None:
    made: list[int] = []

    def double(keys: Sequence[int]) -> list[int]:
        made.extend(keys)
        return [2 * key for key in keys]

    kept = Remembered(double, 2)
    assert dict(kept.get([1, 2, 1])) == {1: 2, 2: 4}
    assert dict(kept.get([1])) == {1: 2}
    assert dict(kept.get([3, 1])) == {3: 6, 1: 2}
    assert dict(kept.get([2])) == {2: 4}
    assert made == [1, 2, 3, 2]
    # More at once than are kept are all given.
    assert list(kept.get(range(9)).values()) == [2 * key for key in range(9)]


def test_remembered_vectors_are_those_of_the_embedder() -> None:
    vectors = Vectors(encode, 3)
    for texts in (["a", "b", "a"], ["b", "c", "d", "e"], []):
        assert np.array_equal(vectors(texts), encode(texts))


def test_an_answer_and_a_context_print_what_a_person_reads() -> None:
    context = Context("[0] bread\n", 5, (), ())
    cited = (
        Citation(0, ("m0", "m1"), "bread"),
        Citation(3, ("m6",), "tax"),
        Citation(0, ("m0", "m1"), "more"),
    )
    assert str(context) == "[0] bread\n"
    assert str(Answer("Bread. [0]", cited, context)) == "Bread. [0]\n\n[0] messages m0, m1\n[3] messages m6"
    assert str(Answer(FRAMES["en"].nothing, (), context)) == FRAMES["en"].nothing
    assert "[0] bread" not in repr(Answer("Bread. [0]", cited, context))


def test_a_view_of_nothing_has_nothing() -> None:
    empty: View = view([])
    found = probe(empty, "birds", MEANS)
    assert (found.hits(), found.context().text, found.answer().text) == ([], "", FRAMES["en"].nothing)
