"""Histories of agents: few words of the user's, and many calls of tools under each."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa
import pytest

from memfold.context.assemble import Packing
from memfold.context.found import Means, probe
from memfold.context.readers.extractive import Extractive
from memfold.context.types import Context
from memfold.layers.layer import Span
from memfold.layers.passages import Passages
from memfold.retrieve.fuse import Retrieval
from memfold.retrieve.recent import TOOLS, Recent
from memfold.retrieve.view import View
from memfold.schema import Role, StoredMessage
from support.retrieve_samples import message, stored, view

CALLS = 40


def said(*, tools: bool = True) -> list[StoredMessage]:
    """Six tasks of an agent: each with 40 calls of which one fails, and a last word."""
    out: list[StoredMessage] = []

    def add(exchange: int, role: Role, text: str) -> None:
        out.append(message(len(out), exchange, role, text))

    for task in range(6):
        add(task, "user", f"Please build package {task} and publish it.")
        for call in range(CALLS):
            add(task, "assistant", f"Step {call}: compiling the next module.")
            if tools:
                fails = f"FATAL exit status {500 + task} in linker of package {task}"
                add(task, "tool", fails if call == 17 else f"ok module {call} " + "done " * 60)
        add(task, "assistant", f"Package {task} is published; module {task}7 was patched by hand.")
    return out


def seen(messages: list[StoredMessage]) -> View:
    plain = view(messages)

    def leaves(layer: str, selection: object = None) -> pa.Table | None:
        if layer == "passages":
            return Passages().leaves([Span("s", {"messages": stored(messages)})])[0]
        return plain.leaves(layer)

    return replace(plain, leaves=leaves)


def packed(seen: View, question: str, budget: int) -> Context:
    return probe(seen, question, Means(Retrieval(), Packing(), Extractive())).context(budget)


def part(context: Context, label: str) -> str:
    return next((each.text for each in context.parts if each.label == label), "")


@pytest.mark.parametrize("budget", [2_000, 5_000])
def test_what_a_tool_returned_is_found_by_its_words_among_hundreds_of_outputs(budget: int) -> None:
    context = packed(seen(said()), "With which exit status did the linker of package 4 fail?", budget)
    shown = part(context, "From tools")
    assert "Tool: FATAL exit status 504 in linker of package 4" in shown
    assert context.tokens <= budget


def test_a_history_without_tools_has_no_such_section() -> None:
    question = "With which exit status did the linker of package 4 fail?"
    assert part(packed(seen(said(tools=False)), question, 5_000), "From tools") == ""


def test_of_a_long_exchange_the_last_word_is_shown_and_what_bears_on_the_question() -> None:
    context = packed(seen(said(tools=False)), "Which module of package 3 was patched by hand?", 1_000)
    assert "Assistant: Package 3 is published; module 37 was patched by hand." in context.text
    assert context.text.count("[3] Assistant: Step") <= 3


def test_what_room_is_left_shows_what_tools_returned_without_a_word_of_the_question() -> None:
    short = [
        message(0, 0, "user", "How warm is it in Oslo?"),
        message(1, 0, "assistant", "Let me look."),
        message(2, 0, "tool", "-7 degrees"),
        message(3, 0, "assistant", "Cold."),
    ]
    assert "[0] Tool: -7 degrees" in packed(seen(short), "What did I want to know of Oslo?", 2_000).text


@pytest.mark.parametrize(("role", "mark"), [("tool", "Tool: "), ("system", "System: ")])
def test_nobodys_words_stand_as_the_users(role: Role, mark: str) -> None:
    messages = [
        message(0, 0, "user", "Which discount may we give?"),
        message(1, 0, role, "Discounts over 15 percent need the approval of Nora. " * 20),
        message(2, 0, "assistant", "Some."),
    ]
    lines = packed(seen(messages), "Whose approval do discounts need?", 2_000).text.splitlines()
    assert [line for line in lines if "Nora" in line and f"[0] {mark}" not in line] == []
    assert any(line.startswith(f"[0] {mark}") for line in lines)


def test_what_is_recent_shows_the_beginning_of_long_outputs() -> None:
    long = "x" * 5_000
    call = replace(message(1, 0, "assistant", "Reading."), attachments=(f"function read {long}",))

    def texts(each: StoredMessage) -> str:
        return str(Recent("c", None, (), (each,)).json["exchanges"][0]["text"])

    assert len(texts(message(0, 0, "tool", long))) == TOOLS + 2
    assert texts(call).startswith("Reading. [attached: function read xxx")
    assert len(texts(call)) < TOOLS + 50
    assert texts(message(2, 0, "user", long)) == long
