"""What tools gave back, quoted in short stretches."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace

import pytest
from context.test_extractive import by_words, context
from hypothesis import given
from hypothesis import strategies as st

from memfold.context.readers.extractive import Extractive
from memfold.context.readers.quoting import abstain
from memfold.context.readers.quoting.candidates import call_of, candidates
from memfold.context.readers.quoting.data import RECORD, units
from memfold.context.readers.quoting.meant import identifiers

DESK = {
    "order_id": "LO-88213",
    "customer": "Priya Raman",
    "items": [{"sku": "DSK-140", "name": "Oak desk 140cm", "qty": 1, "price_eur": 489.0}],
    "status": "held_at_customs",
    "carrier": "DHL Freight",
    "tracking": "JJD0139920021",
    "eta": None,
    "depot": "Hamburg-Billbrook",
}
BED = '{"order_id": "LO-70111", "status": "in_transit", "tracking": "TRK304745829"}'
ASKED = [(0, "user", "My oak desk has not come. Where is it?")]


# Without a model no word is near to another.
READER = Extractive(noun_threshold=0, strange_threshold=0)


def told(question: str, *given: str, role: str = "tool") -> str:
    said = [*ASKED, *((0, role, text) for text in given)]
    return READER.read(question, context(said=said), by_words).text


@pytest.mark.parametrize(
    ("given", "quoted"),
    [
        (BED, BED),
        (f"[{BED}]", f"[{BED}]"),
        ("order_id=LO-70111 tracking=TRK304745829", "order_id=LO-70111 tracking=TRK304745829"),
        ("{'tracking': 'TRK304745829'}", "{'tracking': 'TRK304745829'}"),
        ("<order><tracking>TRK304745829</tracking></order>",) * 2,
        ('"tracking": "TRK304745829"',) * 2,
        ("order_id: LO-70111\ntracking: TRK304745829", "order_id: LO-70111 tracking: TRK304745829"),
        (json.dumps(json.loads(BED), indent=2), "{ " + BED[1:-1] + " }"),
        ("order | tracking\nLO-70111 | TRK304745829", "LO-70111 | TRK304745829"),
        ("order,tracking\nLO-70111,TRK304745829", "LO-70111,TRK304745829"),
    ],
)
def test_data_of_any_shape_answers(given: str, quoted: str) -> None:
    assert f"tool: “{quoted}” [0]" in told("What is the tracking number?", given)


def test_code_and_data_that_a_user_pastes_are_no_answer() -> None:
    assert "TRK304745829" not in told("What is the tracking number?", BED, role="user")


def test_a_long_object_is_quoted_by_the_members_that_answer() -> None:
    given = json.dumps({**DESK, "terms": [f"Clause {i} holds for all of the goods." for i in range(60)]})
    text = told("In which depot does the desk lie?", given)
    assert "Hamburg-Billbrook" in text
    assert "Clause 9 " not in text
    assert all(len(unit.text) <= RECORD for unit in units(given))


def test_of_several_records_the_one_that_is_asked_about_is_quoted() -> None:
    rooms = [{"id": f"ev{i}", "title": title, "room": f"B{i}"} for i, title in enumerate(["Huddle", "Club"])]
    text = told("In which room is the huddle?", json.dumps(rooms))
    assert '{"id": "ev0", "title": "Huddle", "room": "B0"}' in text
    assert '"room": "B0"' not in told("In which room is the club?", json.dumps(rooms))


def test_a_stretch_from_the_middle_of_a_list_is_its_records() -> None:
    orders = [{"id": f"ORD-{n}", "city": "Oslo", "total": 3 * n} for n in range(300, 320)]
    middle = json.dumps(orders)[1:-1]
    assert [unit.text for unit in units(middle)] == [json.dumps(order) for order in orders]
    assert "“" + json.dumps(orders[7]) + "”" in told("What is the total of ORD-307?", middle)


def test_a_record_with_another_identifier_answers_nothing() -> None:
    assert "TRK304745829" in told("What is the tracking number of order LO-70111?", BED)
    assert "TRK304745829" not in told("What is the tracking number of order LO-99999?", BED)
    assert identifiers("order LO-70111, case 4711, in May 2024, 3 desks, p95") == {"lo-70111", "4711", "p95"}


def test_a_record_is_of_what_its_call_names() -> None:
    given = (
        'get_order {"id": 70111}: {"total": 12990, "status": "shipped", "address": "Hauptplatz 1, 8010 Graz"}'
    )
    assert "shipped" in told("What is the status of order 70111?", given)
    assert "shipped" not in told("What is the status of order 70999?", given)


@pytest.mark.parametrize(
    "question",
    [
        "Hey Claude, what is the status of the server?",
        "Please tell me in English: what is the status of the server?",
        "What is the status of the server? Thanks, Bea",
        "What was the status of the server on Monday?",
    ],
)
def test_who_is_greeted_and_weekdays_are_no_names_that_the_context_lacks(question: str) -> None:
    assert "degraded" in told(question, '{"server": "db-1", "status": "degraded"}')


def test_what_stands_behind_a_colon_without_a_blank_is_no_value() -> None:
    (line,) = units("2026-05-12T05:46:28Z WARN cache miss for gateway:83146")
    assert line.keys == frozenset()
    (pair,) = units('"gateway":83146, owner=ops')
    assert pair.keys == {"gateway", "owner"}


@pytest.mark.parametrize(
    ("given", "call"),
    [
        ('book {"f": "a]}: b"}: booked ZZ99', 'book {"f": "a]}: b"}'),
        ('book {"f": "SK…: booked ZZ99', 'book {"f": "SK…'),
        ("book: booked ZZ99", ""),
        ("grid " + "[" * 1_500, ""),
    ],
)
def test_a_call_ends_where_its_arguments_do(given: str, call: str) -> None:
    said, found = call_of(given)
    assert found == call
    assert said == (given.removeprefix(f"{call}: ") if call else given)


def test_a_short_output_is_quoted_with_its_call_and_cited_without() -> None:
    given = 'book {"flight": "SK4711"}: booked ref ZZ99'
    answer = READER.read(
        "What is the booked ref of flight SK4711?", context(said=[(0, "tool", given)]), by_words
    )
    assert f"“{given}”" in answer.text
    assert [each.quote for each in answer.citations] == ["booked ref ZZ99"]


def test_a_record_answers_nothing_about_a_name_that_the_context_lacks() -> None:
    assert "6432" in told("Which port does the database use?", "database: pg-3\nport: 6432")
    assert "6432" not in told("Which port does Grafana use?", "database: pg-3\nport: 6432")


def test_the_number_of_a_case_need_not_be_called_a_number() -> None:
    rows = candidates(context(said=[(0, "tool", '{"case": "CS-7893", "team": "logistics"}')]))
    assert abstain.valued(["number"], rows, "What is the case number?") == []
    assert abstain.valued(["number"], rows, "What is the number of the case?") == []
    assert abstain.valued(["number"], rows, "What is the phone number of the team?") == ["number"]


@pytest.mark.parametrize(
    ("question", "given", "quoted"),
    [
        (
            "Which version of psycopg was installed?",
            "Python 3.11.7\npsycopg-pool==3.2.1\npsycopg==3.1.18",
            "psycopg==3.1.18",
        ),
        (
            "What did you change in store.py?",
            "--- a/src/store.py\n+++ b/src/store.py\n@@ -27 +27 @@\n-    return now()\n+    return now(UTC)",
            "-    return now()” [0]\n- 2024-03-01, tool: “+    return now(UTC)",
        ),
        ("What is the host of the database?", '[database]\nhost = "pg-3"\nport = 6432', 'host = "pg-3"'),
        (
            "What is the URL of the pull?",
            "Created.\n\nhttps://example.org/pull/48",
            "https://example.org/pull/48",
        ),
    ],
)
def test_of_lines_the_one_that_gives_the_value_is_quoted(question: str, given: str, quoted: str) -> None:
    text = told(question, given)
    assert f":\n- 2024-03-01, tool: “{quoted}” [0]" in text
    assert "--- a/" not in text


def test_what_is_cut_off_before_its_brackets_is_quoted_by_its_members() -> None:
    rest = ", ".join(f'{{"hour": {hour}, "wind": {hour + 3}}}' for hour in range(9, 16))
    given = f'3.8}}, {rest}], "warnings": [{{"kind": "storm", "until": "15:15"}}], "source": {{"model": "ICON"}}}}'
    assert 'tool: “"warnings": [{"kind": "storm", "until": "15:15"}], "source"' in told(
        "Until when is the storm?", given
    )
    assert all(len(unit.text) <= RECORD for unit in units(given))


def test_what_stands_behind_a_bracket_is_no_less_quoted() -> None:
    lines = f"[1, 2] {'and so on ' * 30}\n[2026-05-03 02:07] ERROR disk full {'x' * RECORD}"
    assert [unit.text[:30] for unit in units(lines)][-1] == "[2026-05-03 02:07] ERROR disk "
    assert any("and so on" in unit.text for unit in units(lines))


def test_the_heads_of_a_table_and_the_keys_above_a_setting_say_what_it_is() -> None:
    rows = "shop | price\nNordhost | 18.90\nQuickbox | 11.50"
    assert told("What is the price of Quickbox?", rows).count("tool: “") == 1
    assert [unit.keys for unit in units(rows)] == [{"shop", "price"}] * 2
    deep = "spec:\n  replicas: 5\n  limits:\n    memory: 384Mi\n" + "".join(
        f"  key{i}: {'v' * 30}\n" for i in range(9)
    )
    (memory,) = (unit for unit in units(deep) if "384Mi" in unit.text)
    assert memory.text == "limits: memory: 384Mi" or {"spec", "limit"} <= memory.about


def test_two_records_are_not_the_newest_and_the_older_value() -> None:
    answer = told(
        "What is the price of the bed now?", '{"bed": "pine", "price": 559}', '{"bed": "oak", "price": 600}'
    )
    assert "newest" not in answer.lower()


def test_of_data_in_the_same_exchange_what_was_said_is_still_quoted() -> None:
    text = told("Where is my oak desk?", json.dumps({"desk": "oak", "depot": "Hamburg"}))
    assert "“My oak desk has not come.” [0]" in text
    assert "Hamburg" in text


def test_a_short_answer_is_quoted_to_its_end() -> None:
    said = [
        (3, "user", "Tell me a joke."),
        (3, "assistant", "What do you call a sleeping bull? A bulldozer."),
    ]
    text = READER.read("What joke did you tell me?", context(said=said), by_words).text
    assert "“What do you call a sleeping bull? A bulldozer.” [3]" in text


def test_a_standing_order_says_in_which_unit_something_is_wanted() -> None:
    said = [
        (2, "instruction", "always tell me temperatures in Celsius"),
        (4, "user", "It was cold on the hill."),
    ]
    text = Extractive().read("In which unit do I want temperatures?", context(said=said), by_words).text
    assert "“always tell me temperatures in Celsius” [2]" in text


def test_prose_of_a_tool_is_quoted_by_the_sentence() -> None:
    text = told(
        "What did the page say of the desk?",
        "The shop is old. The desk is made of oak from Styria. It rains.",
    )
    assert "tool: “The desk is made of oak from Styria.” [0]" in text


@pytest.mark.parametrize(
    ("question", "role", "name"),
    [
        ("What is the tracking number of the desk?", "tool", "tool"),
        ("Was ist die tracking Nummer, und wo liegt der Tisch jetzt?", "tool", "Werkzeug"),
        ("Which policy for the tracking is there?", "system", "system"),
    ],
)
def test_what_a_tool_or_the_system_says_is_no_words_of_the_user(question: str, role: str, name: str) -> None:
    given = '{"tracking": "TRK304745829"}' if role == "tool" else "The policy is that tracking is free."
    said = [(0, "user", "Where is my desk?"), (1, role, given)]
    answer = READER.read(question, context(said=said), by_words)
    assert re.search(rf", {name}: [“„]", answer.text)
    assert given in [citation.quote for citation in answer.citations]


@given(st.text(alphabet="ab1 :,.=|-+<>/{}[]\"'\n\t", max_size=120), st.text(alphabet="ab: ", max_size=3))
def test_stretches_are_verbatim_but_for_white_space(text: str, name: str) -> None:
    whole = "".join(text.split())
    for unit in units(text, name):
        assert "".join(unit.text.split()) in whole
        assert "\n" not in unit.text


@pytest.mark.parametrize(
    "text", ["{" * 4000, "[1," * 1500, '{"a": ' * 900, "'" * 4000, "a-" * 5000, " 'a" * 4000]
)
def test_no_text_is_too_deep(text: str) -> None:
    assert len(units(text)) <= len(text)


@pytest.mark.parametrize("kind", ["function", "tool_use", "server_tool_use", "custom_tool_call"])
def test_a_call_of_any_kind_is_no_sentence_of_the_assistant(kind: str) -> None:
    called = f"The depot is in Hamburg. [attached: {kind} find_depot {{}}]"
    quoted = candidates(
        context(said=[*ASKED, (0, "assistant", called), (0, "tool", "find_depot: B 3 is free")])
    )
    assert [(row.piece.role, row.text) for row in quoted if row.piece.role != "user"] == [
        ("assistant", "The depot is in Hamburg."),
        ("tool", "B 3 is free"),
    ]


@pytest.mark.parametrize("before", ["", "The depot is in Hamburg. "])
def test_a_thought_is_no_sentence_of_the_assistant(before: str) -> None:
    thought = f"{before}[attached: thinking The depot may be in Oslo. It may be in Bonn.]"
    quoted = candidates(context(said=[*ASKED, (0, "assistant", thought)]))
    assert [row.text for row in quoted if row.piece.role != "user"] == [before.strip()] * bool(before)


LINES = "\n".join(f"2026-05-24T22:{m}:44Z INFO pricing request {m}{m} took {m} ms" for m in range(30, 40))


@pytest.mark.parametrize("when", ["22:31:44", "22:31", "2026-05-24T22:31:44Z"])
def test_of_a_log_the_line_of_the_time_that_is_asked_for_is_quoted(when: str) -> None:
    text = told(f"What did pricing log at {when}?", f"read_log {{}}: {LINES}")
    assert "request 3131 took" in text
    assert "request 3232" not in text


def test_of_two_times_neither_hides_the_other() -> None:
    text = told("Were there requests at 22:31:44 or at 22:38:44?", f"read_log {{}}: {LINES}")
    assert "request 3131 took" in text
    assert "request 3838 took" in text


@pytest.mark.parametrize(
    ("question", "call"),
    [
        ("Which command did you use for the stock?", '{"cmd": "stockctl fix"}'),
        ("With which SQL did you end it?", '{"sql": "select stop(7)"}'),
        ("Which URL did you fetch?", '{"url": "https://desks.example/7"}'),
    ],
)
@pytest.mark.parametrize("output", ["OK", "The page tells of desks and of many other things. " * 9])
def test_what_an_agent_did_is_answered_by_its_call(question: str, call: str, output: str) -> None:
    assert f"run {call}" in told(question, f"run {call}: {output}")


def test_a_call_alone_answers_no_question_for_what_came_back() -> None:
    given = (
        'run {"cmd": "ls depot"}: ' + "The depot lies in Hamburg and holds many desks of oak and pine. " * 9
    )
    assert 'run {"cmd"' not in told("Where does the depot lie?", given)
    assert "Hamburg" in told("Where does the depot lie?", given)


def test_what_is_shortened_in_a_key_is_found_by_its_word() -> None:
    given = '{"status": "confirmed", "ref": "PG-30317", "qty": 3}'
    assert "PG-30317" in told("What is the reference of the desk?", given)


TROUBLE = [
    (3, "user", "The stock of oak desks is negative in the shop."),
    (3, "assistant", "Checking further."),
    (3, "tool", "stock: ok"),
    (4, "user", "Stop it and fix it tonight."),
    (4, "assistant", "Root cause: an import was replayed. It was stopped at 13:39."),
    (5, "user", "Write a long letter to our suppliers about the new prices of pine and birch boards in May."),
    (5, "assistant", "The letter to the suppliers is written."),
]


def in_trouble(question: str, said: Sequence[tuple[int, str, str]] = TROUBLE) -> str:
    """The answer from a context of what was said, all on one day."""
    found = context(3, said=said)
    page = re.sub(r"2024-03-\d\d", "2024-03-04", found.parts[0].text)
    pieces = tuple(piece._replace(day="2024-03-04") for piece in found.parts[0].pieces)
    one_day = replace(found, parts=(replace(found.parts[0], text=page, pieces=pieces),))
    return READER.read(question, one_day, by_words).text


def test_what_came_of_a_request_is_quoted_beside_it() -> None:
    text = in_trouble("Why was the stock of oak desks negative?")
    assert "“The stock of oak desks is negative in the shop.” [3]" in text
    assert "“Root cause: an import was replayed. It was stopped at 13:39.” [4]" in text
    assert "[5]" not in text


def test_what_the_user_said_next_is_quoted_if_that_is_asked_for() -> None:
    text = in_trouble("What did I say about the negative stock of oak desks?")
    assert "“Stop it and fix it tonight.” [4]" in text


def test_without_tools_nothing_is_quoted_for_what_came_of_it() -> None:
    said = [each for each in TROUBLE if each[1] != "tool"]
    assert "Root cause" not in in_trouble("Why was the stock of oak desks negative?", said)


def test_what_a_tool_returned_besides_its_words_is_in_no_quote() -> None:
    given = "run {}: Error: no depot in Oslo [attached: is_error]"
    (row,) = (row for row in candidates(context(said=[*ASKED, (0, "tool", given)])) if row.data and row.quote)
    assert row.quote == "Error: no depot in Oslo"


@pytest.mark.parametrize(
    ("question", "answered"),
    [
        ("Which Kafka version does the depot use?", False),
        ("Which version does the depot use?", True),
        ("Which SKU does the depot use?", True),
    ],
)
def test_in_an_agents_history_what_has_an_unknown_name_is_not_answered(question: str, answered: bool) -> None:
    text = told(question, "The depot uses version 7 of the scanner.")
    assert ("version 7" in text) == answered


def test_a_reason_that_only_seems_to_be_one_hides_no_outcome() -> None:
    said = [(3, "user", "The stock of oak desks is negative since Friday."), *TROUBLE[1:]]
    assert "Root cause" in in_trouble("Why was the stock of oak desks negative?", said)


def test_a_time_that_is_a_value_hides_no_record() -> None:
    given = 'book_table {}: {"restaurant": "Oslo", "table": 7, "time": "19:30"}'
    other = 'list_slots {}: {"slot": "19:00", "seats": 2}'
    assert "19:30" in told("Which table did you get in Oslo at 19:00?", given, other)


EVERYDAY = [
    (3, "user", "I bought a blue Canyon bike from my cousin Tom."),
    (3, "assistant", "That is a nice bike for long tours."),
    (4, "user", "What's the capital of Peru?"),
    (4, "assistant", "The capital of Peru is Lima, on the coast."),
    (5, "user", "Convert 20 USD to EUR."),
    (5, "tool", "convert: 18.4"),
    (5, "assistant", "20 dollars are 18.40 euros today."),
]


@pytest.mark.parametrize("following", [EVERYDAY[3:5], []], ids=["without tools", "with tools"])
def test_in_everyday_talk_nothing_came_of_what_was_said(following: list[tuple[int, str, str]]) -> None:
    kept = [each for each in EVERYDAY if following or each[0] != 4]
    said = [(4, *each[1:]) if each[0] == 5 and not following else each for each in kept]
    text = in_trouble("What colour is my bike?", said)
    assert "blue Canyon" in text
    assert not any(word in text for word in ("Peru", "nice bike", "dollars", "USD"))


def test_a_key_of_a_call_answers_no_everyday_question_first() -> None:
    said = [
        (3, "user", "Our flat is at Elm Street 4 now."),
        (4, "tool", 'edit {"old": "a", "new": "b"}: ok'),
    ]
    text = in_trouble("What is my new flat?", said)
    assert text.splitlines()[1].endswith("“Our flat is at Elm Street 4 now.” [3]")


FENCE = [
    (2, "user", "The total cost of the garden project may be up to 900 euros."),
    (4, "user", "Add a fence to the garden project, and sum up its total cost again."),
    (4, "tool", "sum: 745"),
    (4, "assistant", "Now that is 745 euros."),
    (6, "user", "Add a gate to the garden project, and tell me its total cost."),
    (6, "assistant", "That would be 60 euros more, I guess."),
]


@pytest.mark.parametrize("behind", ["", " with the fence"])
def test_behind_each_request_stands_what_the_agent_reported(behind: str) -> None:
    lines = in_trouble(f"What is the total cost of the garden project{behind}?", FENCE).splitlines()
    fence = lines.index(f"- 2024-03-04: “{FENCE[1][2]}” [4]")
    assert lines[fence + 1] == "- 2024-03-04, assistant: “Now that is 745 euros.” [4]"
    assert not any("60 euros" in line for line in lines)


def test_a_user_who_goes_on_may_say_a_dozen_words_of_weight() -> None:
    longer = "Stop it tonight, warn the shop, mail our partner in Bergen, then write down the cause of that import."
    said = [*TROUBLE[:3], (4, "user", longer), *TROUBLE[4:]]
    assert "Root cause" in in_trouble("Why was the stock of oak desks negative?", said)


def test_a_value_that_the_agent_reports_later_in_words_of_the_question_is_the_newest() -> None:
    said = [
        (2, "user", "The call for proposals closes on 27 February."),
        (4, "user", "They moved the deadline, check the costs once more."),
        (4, "tool", "sum: 745"),
        (4, "assistant", "The call for proposals closes on 13 February."),
    ]
    lines = in_trouble("When does the call for proposals close?", said).splitlines()
    assert "closes on 13 February.” [4]" in lines[1]
    assert "closes on 27 February.” [2]" in lines[3]
    without = [each for each in said if each[1] != "tool"]
    assert "27 February" in in_trouble("When does the call for proposals close?", without).splitlines()[1]


@pytest.mark.parametrize(
    ("asked", "reported"),
    [
        ("Look it up.", "The call for proposals closes on 27 February, so there is time."),
        ("Look it up.", "I doubt that the call for proposals closes on 20 May."),
        ("Look it up.", "If the call for proposals closes on 20 May, we have time."),
        ("Look it up.", "Another call for proposals, of Norway, closes on 20 May."),
        ("Look it up.", "Last year the call for proposals closed on 20 May."),
        ("Look it up.", "The call for proposals was closed on 20 May."),
    ],
)
def test_what_is_repeated_supposed_past_or_of_another_thing_is_no_new_value(
    asked: str, reported: str
) -> None:
    said = [
        (2, "user", "The call for proposals closes on 27 February."),
        (4, "user", asked),
        (4, "tool", "ok"),
        (4, "assistant", reported),
    ]
    text = in_trouble("When does the call for proposals close?", said)
    assert "newest" not in text
    assert "closes on 27 February.” [2]" in text


@pytest.mark.parametrize(
    ("before", "reported"),
    [
        ("27 February", "The call for proposals closes on 13 March now, so you have more time."),
        ("27 February", "They moved it: the call for proposals closes on 13 March, later than last time."),
        ("Friday", "The call for proposals closes on Monday."),
    ],
)
def test_a_reported_value_is_new_whatever_else_the_sentence_says(before: str, reported: str) -> None:
    said = [
        (2, "user", f"The call for proposals closes on {before}."),
        (4, "user", "Look it up."),
        (4, "tool", "ok"),
        (4, "assistant", reported),
    ]
    lines = in_trouble("When does the call for proposals close?", said).splitlines()
    assert lines[0] == "The newest statement:"
    assert "[4]" in lines[1]


def test_a_question_says_of_nothing_that_it_is_new() -> None:
    said = [
        (2, "user", "The call for proposals closes on 27 February."),
        (4, "user", "I have a new question: how do we win?"),
        (4, "assistant", "The call for proposals closes, so many say, on 20 May."),
    ]
    assert "newest" not in in_trouble("When does the call for proposals close?", said)


def test_what_the_user_says_after_the_report_is_not_older_than_it() -> None:
    said = [
        (2, "user", "The budget of the garden project is 900 euros."),
        (4, "user", "Sum up the costs."),
        (4, "tool", "sum: 745"),
        (4, "assistant", "The costs are 745 euros, the budget of the garden project is 880 euros."),
        (6, "user", "The budget of the garden project is 1,200 euros from today."),
    ]
    text = in_trouble("What is the budget of the garden project?", said)
    assert "newest" not in text.split("880")[0]
    assert "1,200 euros" in text


@pytest.mark.parametrize(
    ("said", "goes_on"),
    [("That is bad. Stop now.", True), ("It is urgent. Stop now.", True), ("Is it raining in Rome?", False)],
)
def test_what_points_back_goes_on(said: str, goes_on: bool) -> None:
    history = [
        (3, "user", "The stock of oak desks is negative in the shop."),
        (3, "assistant", "The stock of the oak desks was set by an import of May."),
        (3, "tool", "stock: ok"),
        (4, "user", said),
        (4, "tool", "x"),
        (4, "assistant", "Root cause: an import was replayed. It was stopped at 13:39."),
    ]
    text = in_trouble("Why was the stock of oak desks negative?", history)
    assert ("Root cause" in text) == goes_on


@pytest.mark.parametrize(
    ("question", "refused"),
    [("Did you unlock the back door for the visitor?", True), ("Which door has the visitor come to?", False)],
)
def test_what_the_agent_did_not_do_is_told_too(question: str, refused: bool) -> None:
    said = [
        (1, "user", "Look at the lamps."),
        (1, "tool", "lamps: off"),
        (3, "user", "Unlock the back door for the visitor."),
        (3, "assistant", "I won't unlock the door for someone I can't verify."),
    ]
    text = in_trouble(question, said)
    assert "Unlock the back door" in text
    assert ("I won't unlock the door" in text) == refused


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("How many credits did the load use in March?", "951"),
        ("How many credits did the load use in February?", "688"),
        ("How many credits did the load use on 3 April?", "34"),
    ],
)
def test_a_record_is_told_by_the_day_or_month_that_the_question_names_in_words(
    question: str, value: str
) -> None:
    said = [
        (1, "user", "How many credits does the load use?"),
        (1, "tool", "2024-02  load  688\n2024-03  load  951\n2024-04-03  load  34"),
        (1, "assistant", "See the table."),
    ]
    quotes = [line for line in in_trouble(question, said).splitlines() if "tool: “" in line]
    assert f"load  {value}”" in quotes[0]


def test_of_many_reported_values_the_last_is_the_newest() -> None:
    said = [(2, "user", "Watch the price of the flight to Rome."), (2, "tool", "price: 99")]
    for n in range(3, 63):
        said += [(n, "tool", "ok"), (n, "assistant", f"The price of the flight to Rome is {130 - n} EUR.")]
    said.append(
        (63, "assistant", "The price of the flight to Rome would be 50 EUR if it were night, I guess.")
    )
    lines = in_trouble("What is the price of the flight to Rome now?", said).splitlines()
    assert lines[1].endswith("is 68 EUR.” [62]")


@pytest.mark.parametrize(
    ("reply", "quoted"),
    [
        ("Mostly yes, but not xitongsys. Use arrow-go.", True),
        ("Thanks, but no meeting today.", False),
        ("Please do not under any circumstances use xitongsys.", True),
        ("Not that old and slow xitongsys, use arrow-go.", True),
        ("Could you not use xitongsys? Use arrow-go.", True),
        ("I have no idea how Parquet works, explain it.", False),
        ("Drop me a line when the Parquet export is done.", False),
        ("Why not put the Parquet export on the library's list?", False),
    ],
)
def test_behind_a_proposal_stands_what_the_user_refused_of_it(reply: str, quoted: bool) -> None:
    said = [
        (3, "assistant", "The export writes Parquet with the library xitongsys."),
        (4, "user", reply),
        (4, "assistant", "Fine."),
    ]
    text = in_trouble("Which library do we write Parquet with?", said)
    assert "xitongsys.” [3]" in text
    assert (reply in text) == quoted
