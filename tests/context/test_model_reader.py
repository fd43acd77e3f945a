"""The reader that asks a model: what it is asked, what it makes of what was written, and what it does without it."""

from __future__ import annotations

import asyncio
import json
import pickle
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memfold.context.readers.by_model.asking import Asking
from memfold.context.readers.by_model.filtering import ModelFilter
from memfold.context.readers.by_model.telling import ModelTeller
from memfold.context.readers.by_model.translating import ModelTranslator
from memfold.context.readers.extractive import Extractive
from memfold.context.readers.model import (
    ANSWER,
    INSTRUCTIONS,
    SHORTER,
    UNSUPPORTED,
    ByModel,
    ModelReader,
    Reply,
    prompted,
    reply,
)
from memfold.context.readers.quoting.frames import FRAMES
from memfold.context.types import Context, Equipped, Filled, Piece
from memfold.errors import UserError
from memfold.evaluate.simulated.endpoint import Endpoint, Pace
from memfold.extract.engines.rules import Rules
from memfold.llm.answers import Invalid
from memfold.llm.budget import BudgetSpent
from memfold.llm.generator import Generation, Prompt, Usage
from memfold.retrieve.ranking import Hit
from support.asked import openai
from support.readers_asked import INJECTIONS, Answering, answering, refusing, taken_apart, written
from support.retrieve_samples import encode

SAID = [
    (3, "user", "The sourdough starter lives in the cellar."),
    (5, "assistant", "A sourdough starter needs feeding."),
    (7, "user", "My budget for the garden is 400 euros."),
]
QUESTION = "What is my garden budget?"
TEXT = "".join(f"[{exchange}] {said}\n" for exchange, _, said in SAID)
PIECES = tuple(Piece(exchange, (f"m{exchange}",), role, said) for exchange, role, said in SAID)
HITS = tuple(Hit(exchange, (f"m{exchange}",), 1.0, said, {}) for exchange, _, said in SAID)
CONTEXT = Context(
    TEXT, 40, (Filled("Closest exchanges", TEXT, (3, 5, 7), 40, PIECES),), HITS, {"requests": 1.0}
)
EMPTY = Context("", 0, (), ())


def reader(*texts: str, **settings: object) -> tuple[ModelReader, list[Prompt]]:
    generator, seen = answering(*texts, **settings)
    return ModelReader(Asking(generator, 10.0), 800), seen


def made(text: str, reason: str = "stop") -> Generation:
    return Generation(text, reason, Usage(1, 1))


# ---------------------------------------------------------------------------- what is answered


def test_an_answer_has_its_lines_behind_it_and_what_it_cost() -> None:
    model, seen = reader(written(" It is 400 euros. ", 7))
    answer = model.read(QUESTION, CONTEXT, encode)
    assert answer.text == "It is 400 euros. [7]"
    assert [(c.exchange_id, c.message_ids, c.quote) for c in answer.citations] == [(7, ("m7",), "")]
    # One request of the notes' filter, one of the answer.
    assert answer.usage == {
        "context_tokens": 40.0,
        "requests": 2.0,
        "prompt_tokens": 100,
        "cached_tokens": 40,
        "completion_tokens": 10,
    }
    assert answer.context is CONTEXT
    assert [prompt.task.max_tokens for prompt in seen] == [800]


def test_citations_that_are_not_in_the_context_are_dropped() -> None:
    model, seen = reader(written("In the cellar.", 99, 7, 3, -1, 3))
    answer = model.read(QUESTION, CONTEXT, encode)
    assert (answer.text, [c.exchange_id for c in answer.citations]) == ("In the cellar. [3][7]", [3, 7])
    assert len(seen) == 1


def test_an_answer_without_a_citation_that_is_there_is_asked_for_again_and_then_not_given() -> None:
    model, seen = reader(written("It is 9 euros.", 99))
    answer = model.read(QUESTION, CONTEXT, encode)
    assert (answer.text, answer.citations) == (FRAMES["en"].nothing, ())
    assert (answer.usage["unsupported"], answer.problem) == (1, UNSUPPORTED)
    assert len(seen) == 2
    assert UNSUPPORTED in seen[1].messages[1][1].splitlines()[-1]
    mended, _ = reader(written("It is 9 euros.", 99), written("It is 400 euros.", 7))
    assert mended.read(QUESTION, CONTEXT, encode).text == "It is 400 euros. [7]"


@pytest.mark.parametrize(("question", "language"), [(QUESTION, "en"), ("我的花园预算是多少?", "zh")])
def test_it_says_so_when_the_context_does_not_hold_the_answer(question: str, language: str) -> None:
    model, _ = reader(written("", found=False))
    answer = model.read(question, CONTEXT, encode)
    assert (answer.text, answer.citations) == (FRAMES[language].nothing, ())
    assert "fallback" not in answer.usage
    assert "unsupported" not in answer.usage
    assert answer.problem == ""


def test_of_an_empty_context_nobody_is_asked() -> None:
    model, seen = reader(written("It is 400 euros.", 7))
    answer = model.read(QUESTION, EMPTY, encode)
    assert (answer.text, answer.citations, seen) == (FRAMES["en"].nothing, (), [])


def test_of_a_contradiction_both_sides_are_stated_and_cited() -> None:
    sides = ((7, "The budget is\n400 euros."), (3, "There is no budget."))
    model, _ = reader(written("That is contradictory; which one holds?", 5, sides=sides))
    answer = model.read(QUESTION, CONTEXT, encode)
    assert answer.text == (
        "That is contradictory; which one holds? [5]\n- The budget is 400 euros. [7]\n- There is no budget. [3]"
    )
    assert [c.exchange_id for c in answer.citations] == [3, 5, 7]
    silent, _ = reader(written("", found=False, sides=sides))
    assert silent.read(QUESTION, CONTEXT, encode).text.startswith("- The budget is 400 euros. [7]\n")


@pytest.mark.parametrize(
    "sides", [((7, "400 euros"),), ((7, "400 euros"), (99, "9 euros")), ((7, "a"), (7, "a"))]
)
def test_a_contradiction_of_one_side_is_none(sides: tuple[tuple[int, str], ...]) -> None:
    model, _ = reader(written("It is 400 euros.", 7, sides=sides))
    assert model.read(QUESTION, CONTEXT, encode).text == "It is 400 euros. [7]"


# ---------------------------------------------------------------------------- what is wrong


@pytest.mark.parametrize(
    ("text", "reason", "why"),
    [
        (written("x", 7), "length", "cut off"),
        ("It is 400 euros. [7]", "stop", "not JSON"),
        (written("x", 7)[:-1], "stop", "not JSON"),
        (written("x", 7) + "}", "stop", "not JSON"),
        (json.dumps({"answer": "x"}), "stop", "schema"),
        (json.dumps({**json.loads(written("x", 7)), "tool": "rm"}), "stop", "schema"),
        (json.dumps({**json.loads(written("x")), "lines": ["7"]}), "stop", "schema"),
        (json.dumps({**json.loads(written("x")), "lines": [7] * 41}), "stop", "schema"),
        (written(" ", 7), "stop", "nothing"),
        (written("and so on " * 60, 7), "stop", "repeated"),
        (written("".join(chr(0x4E00 + i) for i in range(19_000)), 7), "stop", "too long"),
    ],
)
def test_what_is_no_answer_is_said_in_our_words(text: str, reason: str, why: str) -> None:
    with pytest.raises(Invalid, match=why):
        reply(made(text, reason), {3, 5, 7})


@given(st.text() | st.sampled_from(INJECTIONS), st.lists(st.integers(), max_size=40), st.booleans())
def test_any_text_is_a_reply_of_known_lines_or_invalid(text: str, lines: list[int], found: bool) -> None:
    for said in (text, written(text, *lines, found=found)):
        try:
            carried = reply(made(said), {3, 5, 7}).lines
        except Invalid:
            continue
        assert list(carried) == sorted({3, 5, 7}.intersection(lines if found else ()))


def test_an_answer_that_is_not_valid_is_asked_for_once_more() -> None:
    model, seen = reader("Sure!", written("It is 400 euros.", 7))
    answer = model.read(QUESTION, CONTEXT, encode)
    assert answer.text == "It is 400 euros. [7]"
    assert answer.usage["requests"] == 3
    assert answer.usage["prompt_tokens"] == 200
    first, second = (prompt.messages[1][1] for prompt in seen)
    assert second.startswith(first)
    assert "it was not JSON" in second[len(first) :]


def test_without_a_valid_answer_the_extractive_reader_answers() -> None:
    model, seen = reader("Sure!")
    answer, plain = model.read(QUESTION, CONTEXT, encode), Extractive().read(QUESTION, CONTEXT, encode)
    assert (answer.text, answer.citations) == (plain.text, plain.citations)
    assert (answer.usage["fallback"], answer.problem) == (1, "it was not JSON")
    assert answer.usage["support"] == plain.usage["support"]
    assert len(seen) == 2


# ---------------------------------------------------------------------------- what its text may hold


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("It is 1000 euros [99999] and also [12, 2023-11-14].", "It is 1000 euros and also."),
        ("It is 400 euros.[99999]", "It is 400 euros."),
        ("[12] Tiles\n- [13] Paint", "Tiles\n- Paint"),
        ("It is 400 euros [7, 99999].", "It is 400 euros [7]."),
        ("It is 400 euros [7][99999] [5].", "It is 400 euros [7]."),
        ("It is 400 euros [7, 2023-11-14].", "It is 400 euros [7]."),
        ("预算是400欧元【99999】，还有［12］。", "预算是400欧元，还有。"),
        ("“400 euros” [12; 13]", "“400 euros”"),
        # A line that is there and is none of the answer's.
        ("It is 400 euros [5].", "It is 400 euros."),
    ],
)
def test_numbers_that_are_none_of_its_lines_are_taken_out(text: str, shown: str) -> None:
    assert reply(made(written(text, 7)), {3, 5, 7}).text == shown
    with pytest.raises(Invalid, match="nothing"):
        reply(made(written("[99999] ", 7)), {3, 5, 7})


@pytest.mark.parametrize(
    "text",
    [
        "It is 400 euros [7].",
        "Use items[12] or matrix[1][2].",
        "Use array([1, 2]) or f(x)[3].",
        "Use `rows[12]`:\n```\nx, y = [4, 5], [6]\n```",
        "x = [8, 9]",
        "on Monday [2024-03-04], last month [2024-02], [2024-02-26 – 2024-03-03]",
        "- [ ] tiles\n- [x] paint [second]",
        "from [-3, 4] to [0.5, 1.5], [12–14]",
        # As it stands in the record.
        "You moved last year [2023].",
        "I scored [3, 5, 9] in the rounds.",
    ],
)
def test_numbers_that_cite_nothing_stay(text: str) -> None:
    record = "[5] We moved last year [2023].\n[7] I scored [3, 5, 9] in the rounds.\n"
    assert reply(made(written(text, 7)), {3, 5, 7}, record).text == text


def test_what_nobody_sees_is_dropped() -> None:
    sides = ((7, "400\x1b euros"), (3, "none\x07 [99]"))
    found = reply(made(written("\x07It is \u202e400\x9b.\n\nYes.\x00", 7, sides=sides)), {3, 7})
    assert found == Reply("It is 400.\n\nYes.", (3, 7), ((7, "400 euros"), (3, "none")))
    with pytest.raises(Invalid, match="nothing"):
        reply(made(written("\x07\u200b", 7)), {7})


SPRING = {
    "en": "You decided to renovate the kitchen in spring and to choose the colour of the tiles yourself.",
    "de": "Du willst die Küche im Frühjahr renovieren und die Farbe der Fliesen selbst aussuchen.",
    "zh": "用户决定在春天重新装修厨房，并且打算自己选择瓷砖的颜色和样式，因为他们喜欢明亮的空间。",
    "ja": "春に台所を改装することに決めて、タイルの色も自分で選ぶつもりだと言っていました。",
    "ru": "Вы решили отремонтировать кухню весной и сами выбрать цвет плитки.",
}
DECIDED = {
    "en": "What did I decide about the kitchen?",
    "de": "Was habe ich für die Küche entschieden?",
    "zh": "我对厨房做了什么决定？",
}
POEM = "床前明月光，疑是地上霜。举头望明月，低头思故乡。"
EDITORS = "Visual Studio Code and the other one with the long name"


def among(*more: tuple[str, str]) -> Context:
    said = [("user", f"My folder has the poem {POEM} on it, and I use {EDITORS}."), *more]
    pieces = tuple(Piece(7, ("m7",), role, text) for role, text in said)
    text = "".join(f"[7] {text}\n" for _, text in said)
    return Context(text, 40, (Filled("Closest exchanges", text, (7,), 40, pieces),), HITS)


@pytest.mark.parametrize(
    ("asked", "wrote", "more"),
    [
        ("en", "zh", ()),
        ("en", "ru", ()),
        ("en", "ja", ()),
        ("de", "zh", ()),
        ("zh", "en", ()),
        ("zh", "de", ()),
        ("en", "zh", (("user", "我打算春天装修厨房。"),)),
        ("en", "zh", (("instruction", "Always use bullet points."),)),
        ("en", "zh", (("user", "Please answer in Chinese."),)),
        ("zh", "ru", (("profile", "answer language: English"),)),
        ("zh", "en", (("instruction", "回答请简短。"),)),
    ],
)
def test_an_answer_in_another_language_is_asked_for_again(
    asked: str, wrote: str, more: tuple[tuple[str, str], ...]
) -> None:
    model, seen = reader(written(SPRING[wrote], 7), written(SPRING[asked], 7))
    answer = model.read(DECIDED[asked], among(*more), encode)
    assert (answer.text, len(seen)) == (f"{SPRING[asked]} [7]", 2)
    assert "An earlier answer was of no use: it was not in" in seen[1].messages[1][1]
    stubborn, _ = reader(written(SPRING[wrote], 7))
    answer = stubborn.read(DECIDED[asked], among(*more), encode)
    assert (answer.usage["fallback"], answer.problem[:14]) == (1, "it was not in ")


@pytest.mark.parametrize(
    ("question", "wrote", "more"),
    [
        *((DECIDED[code], SPRING[code], ()) for code in DECIDED),
        # Latin letters do not tell languages apart for certain.
        (DECIDED["en"], SPRING["de"], ()),
        # It is asked for.
        (DECIDED["en"], SPRING["zh"], (("profile", "answer language: Chinese"),)),
        (DECIDED["en"], SPRING["zh"], (("instruction", "Antworte bitte immer auf Chinesisch."),)),
        (DECIDED["en"], SPRING["zh"], (("preference", "从现在起请用中文回答。"),)),
        (DECIDED["zh"], SPRING["en"], (("instruction", "以后都用英语回答我。"),)),
        (DECIDED["en"], SPRING["zh"], (("instruction", "Add a translation to every answer."),)),
        ("Answer in Chinese: what did I decide?", SPRING["zh"], ()),
        ("What was the Japanese sentence I learned?", SPRING["ja"], ()),
        ("请用英文告诉我厨房的决定", SPRING["en"], ()),
        # It is quoted, or in no language.
        ("Which poem is on my folder?", POEM, ()),
        ("我用什么编辑器？", EDITORS, ()),
        ("我的仓库地址？", "https://example.org/someone/a-repository-with-a-long-name/and/more.git", ()),
        (
            "我用什么命令启动？",
            "`compose up -d --build && compose logs -f web api worker and the rest of it`",
            (),
        ),
        (DECIDED["zh"], "PostgreSQL 16.2, Redis 7.2.4, RabbitMQ 3.13.1, Elasticsearch 8.12.2, MinIO", ()),
        # Too little to tell, or a word of another among it.
        (DECIDED["en"], "四百欧元", ()),
        (DECIDED["zh"], "400 euros", ()),
        (DECIDED["en"], f"{SPRING['en']} (装修厨房)", ()),
        ("42?", SPRING["zh"], (("user", "我的预算是四百欧元。"),)),
    ],
)
def test_an_answer_in_a_language_that_it_may_be_in_is_given(
    question: str, wrote: str, more: tuple[tuple[str, str], ...]
) -> None:
    model, seen = reader(written(wrote, 7))
    assert model.read(question, among(*more), encode).text == f"{wrote} [7]"
    assert len(seen) == 1


# ---------------------------------------------------------------------------- what is refused

# What servers and services say, as they say it.
TOO_LONG = (
    "This model's maximum context length is 4096 tokens. However, you requested 5333 tokens (4533 in the messages, "
    "800 in the completion). Please reduce the length of the messages or completion.",
    "maximum context length is 4096 tokens, however you requested 5333",
    "The decoder prompt (length 5333) is longer than the maximum model length of 4096.",
    "'max_tokens' or 'max_completion_tokens' is too large: 800. This model's maximum context length is 4096 tokens and "
    "your request has 3500 input tokens (800 > 4096 - 3500).",
    "the request exceeds the available context size. try increasing the context size or enable context shift",
    "request (5333 tokens) exceeds the available context size (4096 tokens), try increasing it",
    "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4533 `inputs` tokens",
    "prompt is too long: 208310 tokens > 200000 maximum",
    "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
    "The input (5333 tokens) is longer than the model's context length (4096 tokens).",
    "Your input exceeds the context window of this model. Please adjust your input and try again.",
    "error code: context_length_exceeded",
    "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
    "too many tokens: total number of tokens in the prompt cannot exceed 4081",
    "Range of input length should be [1, 30720]",
    "Trying to keep the first 5333 tokens. However, the model is loaded with a context length of only 4096 tokens",
    "输入长度超过模型的最大上下文",
    "Prompt 超长",
)
NOT_TOO_LONG = (
    "simulated",
    "",
    "max_tokens is too large: 800. This model supports at most 400 completion tokens.",
    "Invalid schema for response_format 'answer': 'additionalProperties' is required to be supplied",
    "'temperature' does not support 0.0 with this model. Only the default (1) value is supported.",
    "The response was filtered due to the prompt triggering the content management policy.",
    "Unsupported parameter: 'frequency_penalty'",
    "Unrecognized request argument supplied: response_format",
    "messages: text content blocks must be non-empty",
    "The model `m` does not exist",
    "response_format.type must be 'text' or 'json_object'",
    "System role not supported",
    "Conversation roles must alternate user/assistant/user/assistant/...",
    "Invalid value for 'max_tokens': integer below minimum value.",
    "The tokens field is deprecated",
    "Your account does not have a long context add-on",
    "JSON schema too long",
    "拒绝处理该请求",
    "输入内容包含敏感信息",
)


@pytest.mark.parametrize(
    ("said", "hinted"), [*((said, True) for said in TOO_LONG), *((said, False) for said in NOT_TOO_LONG)]
)
def test_a_refusal_is_told_in_the_endpoint_s_words_and_of_a_long_request_how_to_shorten_it(
    said: str, hinted: bool, caplog: pytest.LogCaptureFixture
) -> None:
    answer = ModelReader(Asking(refusing(said), 10.0), 800).read(QUESTION, CONTEXT, encode)
    told = f"HTTP 400, {said!r}"
    assert answer.problem == (f"{told}: {SHORTER}" if hinted else told)
    assert answer.usage["fallback"] == 1
    assert answer.problem in caplog.text


# ---------------------------------------------------------------------------- over HTTP

Messages = Sequence[Mapping[str, str]]


def at(endpoint: Endpoint, timeout_s: float = 10.0, **settings: object) -> ModelReader:
    return ModelReader(Asking(openai(endpoint.base_url, retries=1, **settings), timeout_s), 800)


def says(*lines: int) -> Mapping[str, Callable[[Messages], str]]:
    return {INSTRUCTIONS: lambda _: written("It is 400 euros.", *lines)}


def test_an_endpoint_answers_and_counts() -> None:
    with Endpoint(answers=says(7)) as endpoint:
        answer = at(endpoint).read(QUESTION, CONTEXT, encode)
        assert answer.text == "It is 400 euros. [7]"
        assert answer.usage["prompt_tokens"] == endpoint.seen.prompt_tokens
        assert answer.usage["completion_tokens"] == endpoint.seen.completion_tokens


def test_an_endpoint_that_is_away_is_found_again_when_it_is_back() -> None:
    with Endpoint(answers=says(7)) as endpoint:
        model = at(endpoint)
        endpoint.up = False
        # More than an index job puts up with.
        away = [model.read(f"{QUESTION} {i}", CONTEXT, encode) for i in range(10)]
        assert [answer.usage.get("fallback") for answer in away] == [1.0] * 10
        endpoint.up = True
        assert model.read(QUESTION, CONTEXT, encode).text == "It is 400 euros. [7]"


def test_an_endpoint_that_is_away_ends_no_probe_of_many_at_once() -> None:
    from concurrent.futures import ThreadPoolExecutor

    with Endpoint(answers=says(7)) as endpoint, ThreadPoolExecutor(16) as threads:
        endpoint.up = False
        model = at(endpoint)
        answers = list(threads.map(lambda i: model.read(f"{QUESTION} {i}", CONTEXT, encode), range(16)))
    assert [answer.usage.get("fallback") for answer in answers] == [1.0] * 16


def test_a_model_is_waited_for_no_longer_than_was_said() -> None:
    slow = Pace(prefill=1e6, decode=0.1, speed=1.0)
    with Endpoint(slow, answers=says(7)) as endpoint:
        answer = at(endpoint, timeout_s=0.3).read(QUESTION, CONTEXT, encode)
        # Given up, not tried again.
        assert endpoint.seen.requests == 1
    assert (answer.usage["fallback"], answer.problem) == (1, "no answer within 0.3 s")
    assert answer.text == Extractive().read(QUESTION, CONTEXT, encode).text


@pytest.mark.parametrize("status", [401, 404])
def test_what_the_user_must_mend_is_an_error(status: int) -> None:
    with (
        Endpoint(answers=says(7), faults=1.0, kinds=(f"status_{status}",)) as endpoint,
        pytest.raises(UserError, match=f"answers (HTTP )?{status}"),
    ):
        at(endpoint).read(QUESTION, CONTEXT, encode)


def test_a_refused_request_is_answered_without_the_model() -> None:
    with Endpoint(answers=says(7), faults=1.0, kinds=("status_400",)) as endpoint:
        answer = at(endpoint).read(QUESTION, CONTEXT, encode)
    assert (answer.usage["fallback"], answer.problem) == (1, "HTTP 400, 'simulated'")


def test_a_budget_is_not_overrun() -> None:
    with Endpoint(answers=says(7)) as endpoint:
        model = at(endpoint, budget_tokens=2500)
        with pytest.raises(BudgetSpent, match="2,500 tokens is spent"):
            [model.read(f"{QUESTION} {i}", CONTEXT, encode) for i in range(9)]
        assert endpoint.seen.answered > 0
        assert endpoint.seen.prompt_tokens + endpoint.seen.completion_tokens <= 2500


# ---------------------------------------------------------------------------- the request


def test_instructions_are_first_and_the_same_and_the_context_is_sent_as_it_is() -> None:
    prompt = prompted(QUESTION, TEXT, "")
    read = taken_apart(prompt)
    assert read.instructions == INSTRUCTIONS
    assert list(read.sections) == ["record", "question", "end"]
    assert "\n".join(read.sections["record"]) == TEXT
    assert read.sections["question"] == [QUESTION]
    assert prompted(QUESTION, TEXT, "") == prompt
    assert prompt.task.version == ANSWER.version


@pytest.mark.parametrize("said", INJECTIONS)
def test_what_was_said_changes_nothing_but_its_own_text(said: str) -> None:
    forged = TEXT + f"[9] {said}\n"
    read = taken_apart(prompted(QUESTION, forged, ""))
    plain = taken_apart(prompted(QUESTION, TEXT + "[9] hello\n", ""))
    assert (read.instructions, list(read.sections)) == (plain.instructions, list(plain.sections))
    assert read.sections["question"] == plain.sections["question"]
    assert "\n".join(read.sections["record"]).replace("< ", "<").replace("[ ", "[") == forged
    content = prompted(QUESTION, forged, "").messages[1][1]
    assert not any(
        token in content for token in ("<|", "[INST]", "[/INST]", "</s>", "<s>", "<<SYS", "<think>")
    )


@given(st.lists(st.sampled_from(INJECTIONS) | st.text(max_size=9), max_size=6).map("\n".join), st.text())
def test_the_structure_is_read_back_whatever_is_said_and_asked(record: str, question: str) -> None:
    prompt = prompted(question, record, "")
    sections = list(taken_apart(prompt).sections)
    assert sections[:2] == ["record", "question"]
    assert sections[2].split(",")[0] == "end"


# ---------------------------------------------------------------------------- the choice of a reader


def test_what_asks_goes_to_another_process_without_its_connection() -> None:
    with Endpoint(answers=says(7)) as endpoint:
        model, kept, *_, seconds = ByModel(timeout_s=5).equip(openai(endpoint.base_url))
        assert isinstance(model, ModelReader)
        assert isinstance(kept, ModelFilter)
        assert seconds == 10
        model.read(QUESTION, CONTEXT, encode)
        there, filter_there = pickle.loads(pickle.dumps((model, kept)))
        assert there == model
        assert there.asking is filter_there.asking
        assert there.read(QUESTION, CONTEXT, encode).text == "It is 400 euros. [7]"


def test_a_model_that_is_let_go_of_is_asked_again() -> None:
    with Endpoint(answers=says(7)) as endpoint:
        model = at(endpoint)
        for _ in range(2):
            assert model.read(QUESTION, CONTEXT, encode).citations
            model.close()


def test_a_reader_and_an_engine_that_do_not_go_together_are_refused() -> None:
    generator, _ = answering("")
    with pytest.raises(UserError, match=r"reader=model needs a model: add engine=openai"):
        ByModel().equip(Rules().generator)
    with pytest.raises(UserError, match=r"simulated, and this reader asks no model: add reader=model"):
        Extractive().equip(generator)
    assert Extractive().equip(Rules().generator) == Equipped(Extractive())
    asking = Asking(generator, 7.0)
    chosen = ByModel(filter=False, timeout_s=7).equip(generator)
    assert chosen == Equipped(ModelReader(asking, 800), seconds=7)
    all_of_it = ByModel(translate=True, kinds=True, timeout_s=7).equip(generator)
    assert all_of_it[2:] == (ModelTranslator(asking), ModelTeller(asking), 28)


@pytest.mark.parametrize(
    "fields", [{"max_tokens": 0}, {"timeout_s": 0.0}, {"timeout_s": 1e9}, {"shown": 0}, {"shown": 101}]
)
def test_impossible_settings_are_refused(fields: dict[str, float]) -> None:
    with pytest.raises(UserError, match=f"ByModel.{next(iter(fields))}"):
        ByModel(**fields)  # type: ignore[arg-type]


def test_several_threads_wait_at_the_same_time() -> None:
    from concurrent.futures import ThreadPoolExecutor

    together = asyncio.Barrier(4)

    async def complete(prompt: Prompt) -> str:
        await together.wait()
        return written("It is 400 euros.", 7)

    model = ModelReader(Asking(Answering(model="simulated", complete=complete), 20.0), 800)
    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(lambda _: model.read(QUESTION, CONTEXT, encode), range(4)))
    assert {answer.text for answer in answers} == {"It is 400 euros. [7]"}


def test_a_reply_of_nothing_is_no_reply_of_something() -> None:
    assert reply(made(written("No.", 3, found=False)), {3}) == Reply("", (), ())
    assert replace(reply(made(written("Yes.", 3)), {3}), text="") == Reply("", (3,), ())
