"""One request a window: the same beginning for all, and nothing in a conversation changes its structure."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memfold.evaluate.simulated.endpoint import read
from memfold.extract import prompts
from memfold.extract.prompts import repair, request
from memfold.llm.prompts import free_mark, harmless
from memfold.schema import NOTE_KINDS, Role, Window
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
    assert tuple(kind["enum"]) == NOTE_KINDS
    assert all(
        f" {kind} (" in prompts.INSTRUCTIONS.replace("\n", " ") or f" {kind}," in prompts.INSTRUCTIONS
        for kind in NOTE_KINDS
    )


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
    assert sum(line.startswith(content[:5] + " ") for line in content.split("\n")) == (
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
