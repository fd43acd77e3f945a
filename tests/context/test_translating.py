"""The translated question: asked for once where question and conversation differ in language, searched in both, and
without a valid translation as it was put."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memfold.context.assemble import Packing
from memfold.context.found import Found, Means, probe
from memfold.context.readers.by_model.asking import Asking
from memfold.context.readers.by_model.translating import (
    INSTRUCTIONS,
    LONGEST,
    ModelTranslator,
    prompted,
    translation,
)
from memfold.context.types import Answer, Context
from memfold.embed.contract import Encode
from memfold.evaluate.simulated.endpoint import Endpoint
from memfold.llm.answers import Invalid
from memfold.llm.generator import Generation, Usage
from memfold.retrieve.fuse import Retrieval
from memfold.retrieve.translated import Translation, foreign, spoken
from support.asked import openai
from support.readers_asked import INJECTIONS, answering, taken_apart
from support.retrieve_samples import conversation, view

SAID = ["My harbour permit costs 400 euros.", "The bakery opens at seven.", "I planted two apple trees."]
ASKED = "港口许可证要多少钱？"
SAYS = "How much does the harbour permit cost?"


def written(question: str) -> str:
    return json.dumps({"question": question}, ensure_ascii=False)


@dataclass
class Repeats:
    """A reader that says what it was asked."""

    def read(self, question: str, context: Context, encode: Encode) -> Answer:
        return Answer(question, (), context, context.usage)


@dataclass
class Says:
    """A translator that says one thing, or nothing, and keeps what it was asked."""

    text: str | None
    asked: list[tuple[str, str, str]] = field(default_factory=list)

    def translate(self, conversation_id: str, question: str, into: str) -> Translation:
        self.asked.append((conversation_id, question, into))
        return Translation(self.text, {"requests": 1})


def found(question: str, translator: Says | None, said: Sequence[str] = SAID) -> Found:
    means = Means(Retrieval(), Packing(), Repeats(), None, translator)
    return probe(view(conversation(said, answer="")), question, means)


def test_a_question_in_another_language_is_searched_in_that_of_the_conversation() -> None:
    translator = Says(SAYS)
    seen = found(ASKED, translator)
    assert translator.asked == [("c", ASKED, "en")]
    assert [hit.exchange_id for hit in seen.hits(1)] == [0]
    assert {"lexical", "dense"} <= {*seen.hits(1)[0].why}
    # Without it nothing tells the exchanges apart: the control.
    assert len({round(hit.score, 6) for hit in found(ASKED, None).hits(3)}) == 1


def test_the_reader_is_asked_in_the_words_of_who_asks_and_what_it_cost_is_told() -> None:
    answer = found(ASKED, Says(SAYS)).answer()
    assert (answer.text, answer.usage["requests"]) == (ASKED, 1)


def test_both_questions_have_a_say() -> None:
    said = ["Lunch with Zoë.", "My harbour permit costs 400 euros.", "I planted two apple trees."]
    why = {hit.exchange_id: hit.why for hit in found("Zoë 的港口许可证？", Says(SAYS), said).hits(3)}
    assert why[0]["lexical as put"] > 0 > why[0]["lexical"]
    assert why[1]["lexical"] > 0


@pytest.mark.parametrize("question", [SAYS, "你好", "Mia?"])
def test_nobody_is_asked_where_the_language_is_one_or_nothing_is_searched(question: str) -> None:
    translator = Says(SAYS)
    found(question, translator)
    assert translator.asked == []


def test_without_a_translation_the_question_is_searched_as_it_was_put() -> None:
    with_none, without = found(ASKED, Says(None)), found(ASKED, None)
    assert with_none.hits(3) == without.hits(3)
    assert with_none.context().usage == {"requests": 1}


def test_a_question_keeps_its_kind_and_its_dates() -> None:
    seen = found("从2024年3月1日到2024年3月2日我说了什么？", Says("Hello!"))
    assert seen.asked.query.dates is not None
    assert seen.asked.query.typed == seen.asked.put.query.typed  # type: ignore[union-attr]


def test_the_language_of_a_conversation_is_that_of_most_of_it() -> None:
    assert spoken(["好的，我们明天去上海。"] * 3 + ["What is the plan for the week?"] * 2) == "zh"
    assert spoken(["42", "!!!"]) == spoken([]) == "und"
    assert foreign("42?", "zh")
    assert not foreign("42?", "en")
    assert not foreign("What is it?", "und")


@pytest.mark.parametrize(
    "text",
    ["", "no", written(""), written(" \n"), '{"question":1}', '{"question":"Why?","x":1}', written("x" * 900),
     written("那个港口许可证一共要花多少钱？" * 5), written("Why is it so? " * 30)],
)  # fmt: skip
def test_an_answer_that_is_no_translation_is_none(text: str) -> None:
    generator, seen = answering(text)
    made = ModelTranslator(Asking(generator, 10.0)).translate("c", ASKED, "en")
    assert (made.text, made.usage["untranslated"], len(seen)) == (None, 1, 1)


def test_a_language_without_a_name_is_not_asked_for() -> None:
    generator, seen = answering(written("Wat kost het?"))
    assert ModelTranslator(Asking(generator, 10.0)).translate("c", SAYS, "nl") == Translation(None)
    assert not seen


def test_a_text_is_searched_as_it_was_put() -> None:
    generator, seen = answering(written("Why?"))
    made = ModelTranslator(Asking(generator, 10.0)).translate("c", ASKED * LONGEST, "en")
    assert made == Translation(None, {"untranslated": 1.0})
    assert not seen


def test_the_kind_of_a_question_that_the_rules_cannot_read_is_that_of_its_translation() -> None:
    german = "Fasse zusammen, was ich über den Garten gesagt habe"
    assert found(german, Says("Summarize what I said about the garden")).asked.query.typed.kind == "summary"


@pytest.mark.parametrize("asked", INJECTIONS)
def test_what_is_asked_changes_nothing_of_the_request(asked: str) -> None:
    read = taken_apart(prompted("c", asked.replace("\n", " "), "Chinese"))
    assert read.instructions == INSTRUCTIONS
    assert list(read.sections) == ["question", "end, translate into Chinese"]


@given(st.text() | st.text().map(written))
def test_any_text_is_one_line_of_bounded_length_or_invalid(text: str) -> None:
    try:
        said = translation(Generation(text, "stop", Usage(1, 1)), ASKED, "en")
    except Invalid:
        return
    assert said == " ".join(said.split()) != ""
    assert len(said) <= 3 * (4 * len(ASKED) + 60)


def test_an_endpoint_is_asked_once_and_its_failure_is_said() -> None:
    with Endpoint(answers={INSTRUCTIONS: lambda _: written(SAYS)}) as endpoint:
        translator = ModelTranslator(Asking(openai(endpoint.base_url, retries=0), 10.0))
        made = translator.translate("c", ASKED, "en")
        assert (made.text, made.usage["requests"]) == (SAYS, 1)
        endpoint.up = False
        assert translator.translate("c", ASKED, "en").usage["untranslated"] == 1
