"""The time that a question names, and what belongs to it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from memfold.context.assemble import Packing
from memfold.context.found import Found, Means, probe
from memfold.context.readers.extractive import Extractive
from memfold.retrieve.fuse import Retrieval
from memfold.retrieve.times import Time, times
from support.retrieve_samples import conversation, message, view

# The first and last day of a conversation.
SAID = date(2023, 5, 3), date(2024, 2, 20)


def day(year: int, month: int, number: int) -> Time:
    return date(year, month, number), date(year, month, number)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What did Ann do in July 2023?", ((date(2023, 7, 1), date(2023, 7, 31)),)),
        ("Who came to dinner on 3 June, 2023?", (day(2023, 6, 3),)),
        ("What did we eat on the 2023-06-03 trip?", (day(2023, 6, 3),)),
        # Of whatever year.
        ("When is the May 4 meeting?", (day(2023, 5, 4), day(2024, 5, 4), day(2025, 5, 4))),
        (
            "What did I plan in September?",
            tuple((date(year, 9, 1), date(year, 9, 30)) for year in (2023, 2024, 2025)),
        ),
        ("What happened on February 29?", (day(2023, 2, 28), day(2024, 2, 29), day(2025, 2, 28))),
        ("2023年7月5日我去了哪里？", (day(2023, 7, 5),)),
        # Its end or its distance is named, and not the time itself.
        ("How much had I saved by May 4?", ()),
        ("How far had I come until May 4?", ()),
        ("What did Ann do two weeks before May 4, 2023?", ()),
        ("How did it go from April to June?", ()),
        ("What was the rent as of May 4?", ()),
        ("2023年7月5日之前我住在哪里？", ()),
        ("What did we do on May 4 and on June 5?", ()),
        ("What did I do after the end of May 2024?", ()),
        ("What did I buy besides the one in May 2023?", ()),
        ("What did we eat last week?", ()),
        ("Where do I live?", ()),
    ],
)
def test_a_question_names_a_time(question: str, expected: tuple[Time, ...]) -> None:
    assert tuple(found for found in times(question, SAID, None) if found[0].day) == expected


@pytest.mark.parametrize(
    "question",
    [
        "Which car do I drive today?",
        "What am I allergic to? I am going out for dinner tonight.",
        "Which tasks did I finish since Monday?",
        "Summarize the wedding for the meeting this week.",
    ],
)
def test_when_a_question_is_asked_is_no_time_of_what_it_asks(question: str) -> None:
    assert times(question, SAID, date(2024, 3, 13)) == ()


def test_a_month_ends_with_itself_in_each_year() -> None:
    leap = times("What did I do in February?", (date(2023, 1, 1), date(2024, 2, 20)), None)
    assert [last for _, last in leap] == [date(2023, 2, 28), date(2024, 2, 29), date(2025, 2, 28)]


def test_last_week_is_known_to_who_knows_today() -> None:
    found = times("What did we eat last week?", SAID, date(2024, 3, 13))
    assert found == ((date(2024, 3, 4), date(2024, 3, 10)),)


@pytest.mark.parametrize(
    ("question", "within"),
    [
        ("In which order did I see the cities in May 2023?", True),
        ("May 2023: which cities did I see, in order?", True),
        ("Summarize what I did on 4 May 2023.", True),
        ("In which order did I plan the wedding on May 4, 2023?", False),
        ("Summarize my preparation for the deadline in May 2023.", False),
        ("In which order did I prepare the May 4, 2023 launch?", False),
        ("Summarize how I prepared for May 4, 2023.", False),
    ],
)
def test_a_time_in_which_all_was_is_told_from_the_day_of_a_thing(question: str, *, within: bool) -> None:
    assert bool(times(question, SAID, None, within=True)) is within
    assert times(question, SAID, None)


# One a day, from 1 March 2024 on.
TALK = [
    "I painted a fence green.",
    "I painted a door blue.",
    "I painted a wall red.",
    "The trip to Rome is on March 2, and I need a suitcase.",
    "I painted a gate white.",
    "I painted a roof black.",
    "I painted a shed brown.",
]


def found(question: str, now: datetime | None = None) -> Found:
    return probe(view(conversation(TALK)), question, Means(Retrieval(), Packing(), Extractive()), now)


def order(one: Found) -> list[int]:
    return [hit.exchange_id for hit in one.hits()]


def demoted(one: Found) -> set[int]:
    return {hit.exchange_id for hit in one.hits() if "outside_dates" in hit.why}


def test_what_was_said_then_or_names_the_day_comes_first() -> None:
    assert set(order(found("What did I paint on March 2?"))[:2]) == {1, 3}
    assert len(order(found("What did I paint on March 2?"))) == len(TALK)
    # Of that day there is nothing.
    assert not demoted(found("What did I paint on March 20?"))


def test_a_span_reckons_with_a_day_and_does_not_ask_about_it() -> None:
    question = "How many days are between March 2 and the day when I painted the roof?"
    assert not demoted(found(question))


def test_an_order_of_what_was_in_a_time_holds_nothing_else() -> None:
    days = [f"I painted the fence number {n}." for n in range(40)]
    of = view(conversation(days))
    means = Means(Retrieval(), Packing(), Extractive())
    april = probe(of, "In which order did I paint the fences in April 2024?", means)
    assert {hit.exchange_id for hit in april.hits(40)} == set(range(31, 40))
    # Of fewer than five there is no list, and a launch in April is not all that was prepared.
    for question in ("In which order did I paint fences on 2 April 2024?", "Summarize my April 2024 fences."):
        assert len(probe(of, question, means).hits(40)) == 40


def test_a_speaker_who_is_named_is_preferred() -> None:
    said = [
        replace(message(n, n, "user", f"{who}: {text}", datetime(2024, 3, 1, n, tzinfo=UTC)), speaker=who)
        for n, (who, text) in enumerate(
            [
                ("Ann", "What a nice boat trip that must have been, Bob!"),
                ("Bob", "The boat trip was nice."),
                ("Ann", "My car broke down."),
                ("Bob", "I sold my car."),
            ]
        )
    ]
    people = view(said)
    may = probe(people, "What did Bob do on 1 March 2024?", Means(Retrieval(), Packing(), Extractive()))
    assert {hit.exchange_id for hit in may.hits()} == {1, 3}
    means = Means(Retrieval(), Packing(), Extractive())
    for who, first in (("Bob", 3), ("Ann", 2)):
        hits = probe(people, f"What happened to {who}'s car?", means).hits()
        assert hits[0].exchange_id == first
        assert hits[0].why["speaker"] > 0
    assert not any(
        "speaker" in hit.why for hit in probe(people, "Will Bob's and Ann's cars run?", means).hits()
    )
    both = probe(people, "Which car do Ann and Bob have?", means).hits()
    assert not any("speaker" in hit.why for hit in both)
