"""The kind of a question by a model: asked for once, for whatever is no small talk; it chooses how is searched, packed
and answered; without a valid answer the rules tell it, and that is said."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memfold.context.assemble import Packing
from memfold.context.found import Found, Means, probe
from memfold.context.readers.by_model.asking import Asking
from memfold.context.readers.by_model.telling import INSTRUCTIONS, KIND, ModelTeller, prompted, told
from memfold.context.readers.extractive import Extractive
from memfold.errors import UserError
from memfold.evaluate.simulated.endpoint import Endpoint
from memfold.llm.answers import Invalid
from memfold.llm.generator import Generation, Usage
from memfold.retrieve.fuse import Retrieval
from memfold.retrieve.kinds import KINDS, Told, Typed, typed
from memfold.retrieve.translated import Translation
from memfold.text import tokens
from support.asked import openai
from support.readers_asked import INJECTIONS, answering, taken_apart
from support.retrieve_samples import conversation, view

SAID = ["My harbour permit costs 400 euros.", "The bakery opens at seven.", "I planted two apple trees."]
# German, which the rules do not read: to them it is recall.
ASKED = "Was kam zuerst, die Bäckerei oder die Bäume?"


def written(kind: str, *, answered: bool = False, advice: bool = False) -> str:
    return json.dumps({"kind": kind, "answered": answered, "advice": advice})


@dataclass
class Says:
    """A teller that says one thing, and keeps what it was asked."""

    typed: Typed | None
    asked: list[str] = field(default_factory=list)

    def tell(self, conversation_id: str, question: str) -> Told:
        self.asked.append(question)
        return Told(self.typed, {"requests": 1.0})


@dataclass(frozen=True)
class English:
    """A translator that says one thing."""

    text: str

    def translate(self, conversation_id: str, question: str, into: str) -> Translation:
        return Translation(self.text, {"requests": 1.0})


def found(question: str, teller: Says | None, said: Sequence[str] = SAID, into: str | None = None) -> Found:
    translator = None if into is None else English(into)
    means = Means(Retrieval(), Packing(), Extractive(), None, translator, teller)
    return probe(view(conversation(said, answer="")), question, means)


def test_what_is_searched_packed_and_answered_is_by_the_kind_that_was_told() -> None:
    seen = found(ASKED, Says(Typed("order", by_model=True)))
    assert seen.asked.query.typed.kind == "order"
    assert seen.context().query(ASKED).typed.kind == "order"
    # An order is a numbered list of what was said; the rules call it recall, which is answered by a quote.
    assert seen.answer().text != found(ASKED, None).answer().text
    assert seen.context().usage == {"requests": 1}


def test_what_a_model_calls_small_talk_searches_nothing() -> None:
    seen = found("Guten Morgen zusammen!", Says(Typed("smalltalk", by_model=True)))
    assert seen.hits(3) == []
    assert seen.answer().citations == ()
    assert found("Guten Morgen zusammen!", None).hits(3)


def test_nobody_is_asked_about_small_talk() -> None:
    teller = Says(Typed("recall", by_model=True))
    assert found("Hello there!", teller).hits(3) == []
    assert teller.asked == []


def test_without_a_kind_the_rules_tell_it() -> None:
    with_none, without = found("How many trees?", Says(None)), found("How many trees?", None)
    assert with_none.asked.query == without.asked.query
    assert with_none.context().typed is None
    assert with_none.context().usage == {"requests": 1}


def test_a_translated_question_keeps_the_kind_and_both_costs_are_told() -> None:
    teller = Says(Typed("order", by_model=True))
    seen = found(ASKED, teller, into="Summarize the bakery and the trees")
    assert seen.asked.query.typed.kind == "order"
    assert teller.asked == [ASKED]
    assert seen.context().usage == {"requests": 2}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_can_be_told(kind: str) -> None:
    generator, seen = answering(written(kind))
    made = ModelTeller(Asking(generator, 10.0)).tell("c", ASKED)
    assert made.typed == Typed(kind, kind == "said", by_model=True)  # type: ignore[arg-type]
    assert (made.usage["requests"], len(seen)) == (1, 1)


def test_what_a_kind_rules_out_is_not_taken() -> None:
    def of(text: str) -> Typed:
        return told(Generation(text, "stop", Usage(1, 1)))

    assert of(written("summary", answered=True, advice=True)) == Typed("summary", told=True, by_model=True)
    assert of(written("preference", advice=True)) == Typed("preference", advice=True, by_model=True)
    assert of(written("smalltalk", answered=True, advice=True)) == Typed("smalltalk", by_model=True)
    assert of(written("when", advice=True)) == Typed("when", by_model=True)


@pytest.mark.parametrize(
    "text",
    ["", "recall", written("poem"), written(""), '{"kind":"recall"}', '{"kind":"recall","answered":1}'],
)
def test_an_answer_that_is_no_kind_is_none_and_said(text: str) -> None:
    generator, seen = answering(text)
    made = ModelTeller(Asking(generator, 10.0)).tell("c", ASKED)
    assert (made.typed, made.usage["untyped"], len(seen)) == (None, 1, 1)


@given(st.text() | st.text().map(written))
def test_any_text_is_a_kind_or_invalid(text: str) -> None:
    with suppress(Invalid):
        assert told(Generation(text, "stop", Usage(1, 1))).kind in KINDS


@pytest.mark.parametrize("asked", INJECTIONS)
def test_what_is_asked_changes_nothing_of_the_request(asked: str) -> None:
    read = taken_apart(prompted("c", asked))
    assert read.instructions == INSTRUCTIONS
    assert list(read.sections) == ["question", "end"]


def test_the_kinds_of_the_rules_and_of_the_schema_are_the_same_and_fit_the_answer() -> None:
    assert KIND.schema is not None
    assert tuple(KIND.schema["properties"]["kind"]["enum"]) == KINDS
    assert all(f"\n{kind}: " in INSTRUCTIONS for kind in KINDS)
    longest = max(tokens.count(json.dumps(json.loads(written(kind)), indent=4)) for kind in KINDS)
    assert KIND.max_tokens is not None
    assert longest < KIND.max_tokens


def test_of_a_long_question_the_model_is_shown_what_the_rules_look_at() -> None:
    long = "x" * 5_000 + " How many?"
    (_, text) = prompted("c", long).messages[1]
    assert len(text) < 900
    assert "How many?" in text
    assert typed(long, dated=False).kind == "count"


def test_an_endpoint_is_asked_once_and_its_failure_or_a_spent_budget_is_said() -> None:
    with Endpoint(answers={INSTRUCTIONS: lambda _: written("order")}) as endpoint:
        teller = ModelTeller(Asking(openai(endpoint.base_url, retries=0), 10.0))
        made = teller.tell("c", ASKED)
        assert (made.typed, made.usage["requests"]) == (Typed("order", by_model=True), 1)
        endpoint.up = False
        assert teller.tell("c", ASKED).usage["untyped"] == 1
        endpoint.up = True
        poor = ModelTeller(Asking(openai(endpoint.base_url, retries=0, budget_tokens=10), 10.0))
        with pytest.raises(UserError, match="budget"):
            poor.tell("c", ASKED)
