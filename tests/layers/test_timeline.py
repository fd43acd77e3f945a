"""The timeline's rows: what is a dated thing, and whose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import pytest

from memfold.extract.contract import bounded
from memfold.layers.layer import Span
from memfold.layers.timeline import ROWS, SENTENCE, Timeline
from memfold.schema import NOTES, Extraction, Note, StoredMessage
from support.retrieve_samples import message, stored

WITH_ASSISTANT = Timeline()
SAID = datetime(2026, 3, 11, 9, tzinfo=UTC)


def rows(
    said: Sequence[StoredMessage], notes: Sequence[dict[str, Any]] = (), layer: Timeline = WITH_ASSISTANT
) -> list[dict[str, Any]]:
    noted = pa.Table.from_pylist(
        [{"segment": "s", "n": 0, "conversation_id": "c", "time": SAID, **note} for note in notes],
        schema=NOTES,
    )
    (made,) = layer.leaves([Span("s", {"messages": stored(said), "notes": noted})])
    assert made.schema.equals(layer.table)
    return [dict(row) for row in made.to_pylist()]


def brief(found: Sequence[dict[str, Any]]) -> list[tuple[str, str, str, str]]:
    return [(str(row["first"]), str(row["last"]), row["source"], row["said_by"]) for row in found]


def test_the_user_s_dates_are_resolved_and_the_assistant_s_only_taken_where_written_out() -> None:
    said = [
        message(0, 0, "user", "Hello. The exam is next Friday, after the trip of May 2-4.", SAID),
        message(1, 0, "assistant", "Rest tomorrow. The exam of March 20, 2026 is near.", SAID),
    ]
    found = rows(said)
    assert brief(found) == [
        ("2026-03-20", "2026-03-20", "resolved", "user"),
        ("2026-05-02", "2026-05-04", "said", "user"),
    ]
    assert found[0]["text"] == "The exam is next Friday, after the trip of May 2-4."
    assert brief(rows(said[1:])) == [("2026-03-20", "2026-03-20", "said", "assistant")]
    assert rows(said[1:], layer=Timeline(assistant=False)) == []


@pytest.mark.parametrize(
    "line",
    [
        "#### Day 2: April 21",
        "**Date: April 21, 2026**",
        "- Deadline: April 21",
        "| April 21 | 20 | 2 |",
        "### Week 3 (April 21 - April 27)",
        "4月21日",
        # The 21st is a Tuesday.
        "- **Monday, April 21**: Study for the course",
        "- **Friday (April 21)**: Rest",
        "| April 21 | Sat | Rest |",
    ],
)
def test_an_assistant_s_date_without_a_word_or_beside_a_wrong_weekday_has_no_row(line: str) -> None:
    assert rows([message(0, 0, "assistant", line, SAID)]) == []
    assert len(rows([message(0, 0, "user", line, SAID)])) == 1


@pytest.mark.parametrize(
    "line",
    [
        "- **April 21**: Study for the course",
        "- **Tuesday, April 21**: Rest",
        "| April 21 | Tue | Rest |",
        "The fair is on April 21.",
        "- April 20 - Tuesday: away",
        "4月21日开会",
    ],
)
def test_an_assistant_s_line_of_a_plan_has_a_row(line: str) -> None:
    assert [row["said_by"] for row in rows([message(0, 0, "assistant", line, SAID)])] == ["assistant"]


@pytest.mark.parametrize(
    "text",
    [
        "What did you do yesterday?",
        "Any plans for this weekend?",
        "Guess what I did last week!",
        "See you tomorrow!",
        "Alright, talk to you next week then.",
        "It feels like just yesterday that we met.",
        "It's still the same old house today.",
        "What did you do on 5 May?",
        "June?",
    ],
)
def test_what_says_nothing_of_its_day_has_no_row(text: str) -> None:
    events = [{"exchange_id": 0, "kind": "event", "text": text, "date": "2026-03-12"}]
    assert rows([message(0, 0, "user", text, SAID)]) == []
    assert rows([message(0, 0, "user", "See you tomorrow!", SAID)], events) == []


@pytest.mark.parametrize(
    "text",
    [
        "Yes, we did it yesterday!",
        "It was last week.",
        "How was your trip last month?",
        "Will you see the dentist tomorrow?",
        "I'm still waiting for it today.",
        "It feels like yesterday's call went badly.",
        "I have something on Friday.",
        "See you at the station tomorrow.",
        "18 to 22 june?",
        "then saturday 5 sept?",
    ],
)
def test_what_says_something_of_its_day_has_a_row(text: str) -> None:
    assert len(rows([message(0, 0, "user", text, SAID)])) == 1


def test_a_relative_date_has_a_further_row_only_if_more_is_said_of_it() -> None:
    said = [
        "Our bakery starts tomorrow.",
        "Can't wait for tomorrow's opening of our bakery!",
        "Tomorrow will be fun!",
        "The mayor comes to the opening tomorrow.",
        "Tomorrow will be so great!",
    ]
    found = rows([message(n, n, "user", text, SAID) for n, text in enumerate(said)])
    assert [row["exchange_id"] for row in found] == [0, 1, 3]
    later = SAID.replace(day=12)
    other = rows([message(0, 0, "user", said[0], SAID), message(1, 1, "user", said[4], later)])
    assert [str(row["first"]) for row in other] == ["2026-03-12", "2026-03-13"]


def test_code_and_what_is_no_longer_current_have_no_dates() -> None:
    code = message(0, 0, "user", "Look:\n```\nstart = '2024-05-01'\n```\nand\n```\nunclosed 2024-05-02", SAID)
    gone = replace(message(1, 0, "user", "It is due on May 3, 2024.", SAID), current=False)
    assert rows([code, gone]) == []


def test_an_event_of_an_engine_fills_in_what_the_text_does_not_say() -> None:
    said = [message(0, 0, "user", "We met on May 3, 2024.", SAID)]
    events = [
        {"exchange_id": 0, "kind": "event", "text": "met Ann", "date": "2024-05-03"},
        {"exchange_id": 0, "kind": "event", "text": "moved in", "date": "2024-06-01", "said_by": "assistant"},
        {"exchange_id": 0, "kind": "event", "text": "bought a piano"},
        {"exchange_id": 0, "kind": "event", "text": "soon", "date": "some day"},
        {"exchange_id": 0, "kind": "fact", "text": "a fact", "date": "2024-06-09"},
    ]
    assert brief(rows(said, events)) == [
        ("2024-05-03", "2024-05-03", "said", "user"),
        ("2024-06-01", "2024-06-01", "resolved", "assistant"),
        ("2026-03-11", "2026-03-11", "day", "user"),
    ]


def test_an_event_on_the_first_day_of_what_the_text_says_is_there_already() -> None:
    said = [message(0, 0, "user", "The pool is shut from 1 June to 30 September.", SAID)]
    events = [{"exchange_id": 0, "kind": "event", "text": "pool shut", "date": "2026-06-01"}]
    assert brief(rows(said, events)) == [("2026-06-01", "2026-09-30", "said", "user")]


@pytest.mark.parametrize(
    ("named", "days"),
    [
        ("2026-06", ("2026-06-01", "2026-06-30")),
        ("2024-02", ("2024-02-01", "2024-02-29")),
        ("2026-12", ("2026-12-01", "2026-12-31")),
        ("2025", ("2025-01-01", "2025-12-31")),
        ("2026-01-31T10:00:00Z", ("2026-01-31", "2026-01-31")),
    ],
)
def test_an_event_lies_in_the_day_the_month_or_the_year_it_names(named: str, days: tuple[str, str]) -> None:
    assert brief(rows([], [event(named)])) == [(*days, "resolved", "user")]


@pytest.mark.parametrize(
    "named", ["next Friday", "31/01/2026", "2026-02-30", "spring 2026", "下周五", "unknown", "2026-13"]
)
def test_an_event_whose_date_cannot_be_read_is_not_of_the_day_it_was_said(named: str) -> None:
    assert rows([], [event(named)]) == []
    assert brief(rows([], [event(None)])) == [("2026-03-11", "2026-03-11", "day", "user")]


@pytest.mark.parametrize(
    "text", ["Das Fest ist am 20. Dezember", "La boda es el 20 de diciembre", "signed on 05/06/2026"]
)
def test_an_event_that_names_a_day_nobody_can_tell_is_not_of_the_day_it_was_said(text: str) -> None:
    event = {"exchange_id": 0, "kind": "event", "text": text}
    assert rows([message(0, 0, "user", text, SAID)], [event]) == []
    assert len(rows([message(0, 0, "user", text, SAID)], [{**event, "text": "bought a piano"}])) == 1


def event(named: str | None) -> dict[str, Any]:
    """A note of an event, as it is stored of what an engine wrote."""
    (note,) = bounded(Extraction("", (), (Note("event", "The fair.", date=named),)), ()).notes
    return {"exchange_id": 0, "kind": "event", "text": note.text, "date": note.date}


def test_a_long_sentence_is_cut_around_its_date_and_a_table_to_its_first_rows() -> None:
    long = "and so on " * 60 + "until May 3, 2024 at noon " + "or later " * 60
    (found,) = rows([message(0, 0, "user", long, SAID)])
    assert len(found["text"]) <= SENTENCE + 4
    assert "until May 3, 2024 at noon" in found["text"]
    assert found["text"].startswith("… ")
    assert found["text"].endswith(" …")
    table = "\n".join(f"2024-{month:02}-{day:02} | rain" for month in (1, 2) for day in range(1, 29))
    assert len(rows([message(0, 0, "user", table, SAID)])) == ROWS


def test_without_a_time_of_saying_only_whole_dates_have_rows() -> None:
    said = message(0, 0, "user", "The party is tomorrow, the exam on 2026-05-20.", None)
    assert brief(rows([said])) == [("2026-05-20", "2026-05-20", "said", "user")]
