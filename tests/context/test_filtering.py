"""The filter that asks a model: only notes that it was shown and keeps, and all of them where it gave no answer."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memfold.context.readers.by_model.asking import Asking
from memfold.context.readers.by_model.filtering import (
    FILTER,
    INSTRUCTIONS,
    ModelFilter,
    choice,
    kept,
    prompted,
)
from memfold.evaluate.simulated.endpoint import Endpoint
from memfold.layers.scratchpad.items import Item, render
from memfold.llm.answers import Invalid
from memfold.llm.generator import Generation, Prompt, Usage
from memfold.retrieve.notes import Near, Notes
from memfold.text import tokens
from support.asked import openai
from support.readers_asked import INJECTIONS, answering, refusing, taken_apart


def item(exchange: int, text: str) -> Item:
    return Item(exchange, "fact", text, None, None, "2024-03-01", "older", 5)


ITEMS = tuple(item(10 - place, f"note {place}") for place in range(6))
NEAR = Near("c", "What about note 3?", ITEMS, ((3, 0), (1,), (5, 4, 2)))


def chosen(text: str, near: Near = NEAR, shown: int = 24) -> tuple[Notes, list[Prompt]]:
    generator, seen = answering(text)
    return ModelFilter(Asking(generator, 10.0), shown).choose(near), seen


def test_the_notes_of_the_chunks_it_keeps_are_kept_the_nearest_first() -> None:
    notes, (prompt,) = chosen('{"keep":[3,1,3]}')
    assert notes.items == (ITEMS[0], ITEMS[2], ITEMS[3], ITEMS[4], ITEMS[5])
    assert notes.usage == {"requests": 1, "prompt_tokens": 100, "cached_tokens": 40, "completion_tokens": 10}
    assert prompt.conversation_id == "c"
    assert prompt.task.version == FILTER.version
    assert chosen('{"keep":[]}')[0].items == ()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1",
        "keep 1",
        '{"keep":[0]}',
        '{"keep":[4]}',
        '{"keep":["1"]}',
        '{"keep":[1],"x":1}',
        '{"keep":[-1,9]}',
    ],
)
def test_without_a_valid_answer_nothing_is_left_out(text: str) -> None:
    notes, seen = chosen(text)
    assert notes.items == ITEMS
    assert notes.usage["unfiltered"] == 1
    assert len(seen) == 1


@pytest.mark.parametrize("groups", [1, 3, 24, 100])
def test_an_answer_has_room_for_every_group_and_little_more(groups: int) -> None:
    task = choice(groups)
    assert task.version == FILTER.version
    assert task.schema is not None
    assert task.schema["properties"]["keep"]["maxItems"] == groups
    assert task.max_tokens is not None
    every = json.dumps({"keep": list(range(1, groups + 1))})
    assert tokens.count(every) < task.max_tokens <= tokens.count(every) + 8


def test_it_is_shown_the_nearest_chunks_and_keeps_none_it_was_not_shown() -> None:
    notes, (prompt,) = chosen('{"keep":[1,2]}', shown=2)
    assert list(taken_apart(prompt).sections) == ["1", "2", "question", "end"]
    assert notes.items == (ITEMS[0], ITEMS[1], ITEMS[3])
    assert chosen('{"keep":[3]}', shown=2)[0].items == ITEMS


def test_of_no_notes_nobody_is_asked() -> None:
    notes, seen = chosen('{"keep":[1]}', Near("c", "What?", (), ()))
    assert (notes, seen) == (Notes(), [])


def test_the_request_holds_the_groups_as_they_are_and_the_question() -> None:
    groups = [[ITEMS[3], ITEMS[0]], [ITEMS[1]]]
    read = taken_apart(prompted("c", "What about\nnote 3?", groups))
    assert read.instructions == INSTRUCTIONS
    assert read.sections == {
        "1": [render(ITEMS[3]), render(ITEMS[0])],
        "2": [render(ITEMS[1])],
        "question": ["What about", "note 3?"],
        "end": [],
    }


@pytest.mark.parametrize("said", INJECTIONS)
def test_what_was_noted_changes_nothing_but_its_own_line(said: str) -> None:
    forged = taken_apart(prompted("c", "Why?", [[item(1, "a")], [item(2, said)], [item(3, "b")]]))
    plain = taken_apart(prompted("c", "Why?", [[item(1, "a")], [item(2, "hello")], [item(3, "b")]]))
    assert forged.instructions == plain.instructions
    assert {**forged.sections, "2": None} == {**plain.sections, "2": None}
    assert len(forged.sections["2"]) == 1


TEXTS = st.lists(st.lists(st.sampled_from(INJECTIONS) | st.text(), max_size=3), max_size=5)


@given(TEXTS, st.text())
def test_the_structure_is_read_back_whatever_is_noted_and_asked(
    texts: Sequence[Sequence[str]], question: str
) -> None:
    groups = [[item(1, text) for text in group] for group in texts]
    sections = taken_apart(prompted("c", question, groups)).sections
    assert list(sections) == [*(str(n + 1) for n in range(len(groups))), "question", "end"]
    assert [len(lines) for lines in list(sections.values())[:-2]] == [len(group) for group in groups]


@given(
    st.text() | st.lists(st.integers(-2, 9)).map(lambda keep: json.dumps({"keep": keep})), st.integers(0, 9)
)
def test_any_text_keeps_groups_that_there_are_or_is_invalid(text: str, groups: int) -> None:
    try:
        numbers = kept(Generation(text, "stop", Usage(1, 1)), groups)
    except Invalid:
        return
    assert numbers == sorted(set(numbers))
    assert set(numbers) <= set(range(groups))


def test_an_endpoint_is_asked_once_and_its_failure_is_said() -> None:
    with Endpoint(answers={INSTRUCTIONS: lambda _: '{"keep":[2]}'}) as endpoint:
        filter = ModelFilter(Asking(openai(endpoint.base_url, retries=0), 10.0), 24)
        assert filter.choose(NEAR).items == (ITEMS[1],)
        endpoint.up = False
        assert filter.choose(NEAR) == Notes(ITEMS, {"requests": 1, "unfiltered": 1})


def test_a_request_that_is_too_long_says_how_to_shorten_it(caplog: pytest.LogCaptureFixture) -> None:
    for said, hinted in (("maximum context length is 4096 tokens", True), ("no schema is taken", False)):
        caplog.clear()
        assert ModelFilter(Asking(refusing(said), 10.0), 24).choose(NEAR).usage["unfiltered"] == 1
        assert said in caplog.text
        assert ("reader.shown" in caplog.text) == hinted
