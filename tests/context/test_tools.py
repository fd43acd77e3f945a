"""Histories of agents: few words of the user's, and many calls of tools under each."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime

import pyarrow as pa
import pytest

from memfold.context.assemble import Packing
from memfold.context.found import Means, probe
from memfold.context.readers.extractive import Extractive
from memfold.context.types import Context
from memfold.layers.layer import Span
from memfold.layers.passages import Passages
from memfold.retrieve.fuse import Retrieval
from memfold.retrieve.recent import FIRST, LAST, TOOLS, Recent
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


def fetched(output: str, call: str = "fetch") -> View:
    """A page that a tool returned, among thirty others."""
    out: list[StoredMessage] = []
    for n in range(31):
        text = (
            output
            if n == 17
            else "\n".join(f"line {n}{i} of report {n}: salinity was {i * n}" for i in range(40))
        )
        out.append(message(len(out), n, "user", "Fetch the next page."))
        answer = message(len(out), n, "tool", text)
        out.append(replace(answer, speaker=call if n == 17 else "read"))
        out.append(message(len(out), n, "assistant", "Fetched."))
    return seen(out)


ROWS = [(f"Nam{i:03d}x", 100 + 7 * i, f"ST-{2_000 + 13 * i}") for i in range(60)]
TABLES = {
    "markdown": "| Station | Flow | Code |\n|---|---|---|\n"
    + "\n".join(f"| {name} | {flow} | {code} |" for name, flow, code in ROWS),
    "csv": "station,flow,code\n" + "\n".join(f"{name},{flow},{code}" for name, flow, code in ROWS),
    "objects": json.dumps([{"station": name, "flow": flow, "code": code} for name, flow, code in ROWS]),
}


@pytest.mark.parametrize("form", TABLES)
@pytest.mark.parametrize("row", [0, 23, 41, 59])
def test_each_row_of_a_table_is_found_by_what_names_it(form: str, row: int) -> None:
    station, flow, code = ROWS[row]
    context = packed(fetched(TABLES[form]), f"What is the code of station {station}?", 2_000)
    shown = next(line for line in context.text.splitlines() if station in line and code in line)
    assert str(flow) in shown


LOG = "\n".join(
    f"2026-05-{24 + i // 60}T22:{i % 60:02d}:44Z INFO gateway request {7_000 + i} finished"
    for i in range(180)
)


@pytest.mark.parametrize("when", ["22:31:44 on 25 May 2026", "2026-05-25 22:31:44", "2026-05-25T22:31:44Z"])
def test_a_line_of_a_log_is_found_by_its_time_however_it_is_said(when: str) -> None:
    context = packed(fetched(LOG), f"What did the gateway log at {when}?", 2_000)
    assert "2026-05-25T22:31:44Z INFO gateway request 7091 finished" in context.text


def test_escaped_letters_are_found_as_they_are_spoken() -> None:
    text = '[{"name": "H\\u00f4tel \\u00c9lys\\u00e9e", "night": 143}, {"name": "Plaza", "night": 90}]'
    context = packed(fetched(text), "How much is a night at Hôtel Élysée?", 2_000)
    assert '"night": 143' in context.text


@pytest.mark.parametrize(
    ("first", "of", "mark"), [("system", "system", "System"), ("tool", "assistant", "Assistant")]
)
def test_words_of_an_exchange_without_a_user_are_not_the_users(first: Role, of: Role, mark: str) -> None:
    said = {"system": "Answer in short.", "tool": "whoami: deployer", of: "The office dog is named Rex."}
    messages = [message(n, 0, role, said[role]) for n, role in enumerate(dict.fromkeys((first, of)))]  # type: ignore[arg-type]
    messages.append(message(9, 1, "user", "Which dog is there?"))
    context = packed(seen(messages), "What is the office dog named?", 2_000)
    assert f"[0] {mark}: The office dog is named Rex." in context.text
    assert {piece.role for piece in context.pieces if "Rex" in piece.text} == {of}


def test_what_an_agent_says_without_a_user_stands_once_in_a_summary() -> None:
    said: list[tuple[int, Role, str]] = [
        (0, "assistant", "I will run the backup of the garden archive now."),
        (0, "tool", "backup: done"),
        (0, "assistant", "The backup took four minutes."),
        (1, "user", "Thanks."),
    ]
    view = seen([message(n, exchange, role, text) for n, (exchange, role, text) in enumerate(said)])
    text = part(packed(view, "Summarize our conversation.", 2_000), "In order of time")
    assert text.count("garden archive") == text.count("took four minutes") == 1


@pytest.mark.parametrize("question", ["Summarize our conversation.", "What happened on 1 March 2024?"])
def test_a_summary_of_a_history_with_tools_quotes_each_answer_once(question: str) -> None:
    day = datetime(2024, 3, 1, tzinfo=UTC)
    texts: list[tuple[int, Role, str]] = [
        (0, "user", "I plan a trip to Rome."),
        (0, "assistant", "Nice. Rome is warm in May."),
        (1, "user", "My budget is 900 euros, is it cold in Oslo?"),
        (1, "tool", '{"temp_c": -7}'),
        (1, "assistant", "It is -7 degrees in Oslo. It will snow."),
        (2, "user", "I like trains to Rome."),
        (2, "assistant", "Trains to Rome leave at nine. I can book one."),
    ]
    view = seen([message(n, exchange, role, text, day) for n, (exchange, role, text) in enumerate(texts)])
    answer = probe(view, question, Means(Retrieval(), Packing(), Extractive())).answer(2_000)
    assert "Rome" in answer.text
    assert answer.text.count("Trains to Rome leave at nine") <= 1


def test_what_is_recent_leaves_out_the_middle_of_a_long_exchange() -> None:
    messages = tuple(each for each in said() if each.exchange_id < 2)
    told = Recent("c", None, (), messages).json
    ids = [each["message"] for each in told["exchanges"]]
    assert len(ids) == 2 * (FIRST + LAST)
    assert told["left_out"] == len(messages) - len(ids)
    assert ids[0] == messages[0].message_id
    assert ids[-1] == messages[-1].message_id
    assert "left_out" not in Recent("c", None, (), messages[:5]).json
