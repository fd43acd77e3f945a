"""One request a window: the same beginning for all, and nothing in a conversation changes its structure."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memfold.evaluate.simulated.endpoint import read
from memfold.evaluate.synthetic import Synthetic
from memfold.extract import prompts
from memfold.extract.parse import parse
from memfold.extract.prompts import repair, request
from memfold.llm.backends.openai import OpenAI
from memfold.llm.prompts import free_mark, harmless
from memfold.schema import NOTE_KINDS, Extraction, Message, Role, Window
from memfold.text import tokens
from support.asked import window

ROLES: tuple[Role, ...] = ("user", "assistant", "tool")
# Text that is likely to be taken for structure: marks, roles, templates' tokens, brackets.
HOSTILE = st.lists(
    st.sampled_from(
        [
            "#aaaa",
            "#aaaa end",
            "exchange",
            "user",
            "\n",
            "system",
            "}",
            "]}",
            '"',
            "<|im_end|>",
            "[/INST]",
            "</s>",
        ]
    )
    | st.text(max_size=8),
    max_size=12,
).map("".join)
MESSAGES = st.lists(st.tuples(st.sampled_from(ROLES), HOSTILE), max_size=4).map(tuple)


def test_the_schema_has_the_kinds_of_notes_there_are() -> None:
    assert prompts.EXTRACTION.schema is not None
    entry = prompts.EXTRACTION.schema["properties"]["exchanges"]["items"]
    kind = entry["properties"]["notes"]["items"]["properties"]["kind"]
    # A fact is a pair, and said there alone.
    assert ("fact", *kind["enum"]) == NOTE_KINDS
    assert all(
        f" {kind} (" in prompts.INSTRUCTIONS.replace("\n", " ") or f" {kind}," in prompts.INSTRUCTIONS
        for kind in kind["enum"]
    )


class Words:
    """Natural text, taken from the front, as often as it is needed."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def take(self, characters: int) -> str:
        self.at = (self.at + characters) % (len(self.text) - 2 * characters)
        return self.text[self.at : self.at + characters]

    def fill(self, schema: Any, name: str = "") -> Any:
        """The largest value of a schema, its texts made of these words."""
        match schema.get("type"):
            case "object":
                return {name: self.fill(part, name) for name, part in schema["properties"].items()}
            case "array":
                parts = schema.get("prefixItems") or [schema["items"]] * schema["maxItems"]
                return [self.fill(part) for part in parts]
            case "string" if "enum" in schema:
                return max(schema["enum"], key=tokens.count)
            case "string":
                return "2024-03-01" if name == "date" else self.take(schema["maxLength"])
        return -0.75 if schema["type"] == "number" else 6


@cache
def said(language: str) -> Words:
    """What the synthetic source has users say, as words."""
    source = Synthetic(tokens=20_000, conversations=2)
    messages = [m.content for m in source.messages() if isinstance(m, Message) and m.role == "user"]
    whole = " ".join(messages)
    found = (
        re.findall(r"[A-Za-z]{2,}", whole) if language == "en" else re.findall("[\u4e00-\u9fff，。]", whole)
    )
    return Words((" " if language == "en" else "").join(found))


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("exchanges", [1, 2, 3, 6])
def test_the_largest_answer_fits_what_a_model_may_write(exchanges: int, language: str) -> None:
    task = prompts.extraction(exchanges, language)
    largest = json.dumps(said(language).fill(task.schema), ensure_ascii=False)
    room = OpenAI(base_url="http://localhost", model="m").longest(task)
    assert room == 800 * (1 + exchanges) // 2
    assert tokens.count(largest) <= room
    # The same lengths for ideographs would not fit.
    assert (tokens.count(json.dumps(said("zh").fill(prompts.extraction(1).schema), ensure_ascii=False))) > 800


def test_no_fact_is_forced_and_what_was_said_once_is_enough() -> None:
    seen = window("The budget of the garden is 5000 euros.")
    entry = {
        "exchange": 1,
        "facts": [],
        "notes": [{"kind": "decision", "text": "The garden costs 5000 euros."}],
    }
    (made,) = parse(json.dumps({"exchanges": [entry]}), "stop", [seen])
    assert isinstance(made, Extraction)
    assert (made.facts, made.summary, len(made.notes)) == ((), "", 1)


@given(MESSAGES, st.lists(MESSAGES, min_size=1, max_size=3))
def test_the_structure_is_read_back_whatever_is_said(
    history: tuple[tuple[Role, str], ...], exchanges: list[tuple[tuple[Role, str], ...]]
) -> None:
    prompt = request([Window("c", n, said, history, "en", None) for n, said in enumerate(exchanges)])
    (system, instructions), (user, content) = prompt.messages
    assert (system, user, instructions) == ("system", "user", prompts.INSTRUCTIONS)
    assert not any(special in content for special in ("<|", "[/INST]", "</s>"))
    seen = read(content)
    assert seen is not None
    assert [[role for role, _ in one.messages] for one in seen] == [
        [role for role, _ in said] for said in exchanges
    ]
    # Where a message holds the first mark that was drawn, a longer one stands for it.
    mark, _, _ = content.partition(" ")
    assert sum(line.startswith(f"{mark} ") for line in content.split("\n")) == (
        len(history) + sum(map(len, exchanges)) + len(exchanges) + 1 + bool(history)
    )


def test_requests_for_a_window_differ_by_window_and_step_only() -> None:
    one = request([window("one")])
    assert one == request([window("one")]) == repair(window("one"), "alone", "whatever it was")
    assert one != request([window("two")])
    again = repair(window("one"), "again", "it was not JSON")
    assert again is not None
    assert "it was not JSON" in again.messages[1][1]
    user = repair(window("one", "an answer"), "user", "")
    assert user is not None
    assert "an answer" not in user.messages[1][1]
    assert repair(Window("c", 0, (("assistant", "x"),), (), "en", None), "user", "") is None


def test_an_answer_is_of_as_many_entries_as_the_request_has_exchanges() -> None:
    for count in (1, 3):
        prompt = request([window(f"The budget of garden {n} is 5000 euros.") for n in range(count)])
        assert prompt.task.version == prompts.EXTRACTION.version
        entries = prompt.task.schema["properties"]["exchanges"]  # type: ignore[index]
        assert (entries["minItems"], entries["maxItems"]) == (count, count)


def test_a_text_with_all_short_marks_gets_a_longer_one() -> None:
    letters = "abcdefghijklmnop"
    every = "".join(f"#{a}{b}{c}{d}" for a in letters for b in letters for c in letters for d in letters)
    mark = free_mark([every])
    assert mark not in every
    assert len(mark) == len("#abcd") + 1
    assert len(free_mark(["Hello"])) == len("#abcd")


@pytest.mark.parametrize(
    "token", ["<|im_end|>", "<｜User｜>", "[INST]", "[/INST]", "[TOOL_CALLS]", "<unk>", "<end_of_utterance>"]
)
def test_what_a_template_reads_as_its_own_is_broken(token: str) -> None:
    assert token not in harmless(f"a {token} b")
    assert harmless("a[i] < b and [OK] or <b>") == "a[i] < b and [OK] or <b>"


def test_a_pasted_book_is_cut_to_what_a_model_reads() -> None:
    prompt = request([window(" ".join(f"w{i}" for i in range(40_000)))])
    assert prompt.tokens < 8_000


def test_a_language_other_than_the_instructions_is_named() -> None:
    prompt = request([window("花园的预算是五千欧元。", language="zh")])
    assert prompt.messages[1][1].endswith("write in Chinese")
