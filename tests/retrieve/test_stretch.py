"""Questions for all of a stretch of time, which have nothing else to search by."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from memfold.context.assemble import Packing
from memfold.context.found import Found, Means, probe
from memfold.context.readers.extractive import Extractive
from memfold.retrieve.fuse import Retrieval
from memfold.retrieve.query import pose
from memfold.retrieve.stretch import Stretch, stretch
from support.retrieve_samples import conversation, encode, order, view

TODAY = date(2024, 3, 13)  # a Wednesday


def said(first: tuple[int, int], last: tuple[int, int] | None = None, year: int = 2024) -> Stretch:
    return Stretch(date(year, *first), date(year, *(last or first)), said=True)


def done(first: tuple[int, int], last: tuple[int, int] | None = None, year: int = 2024) -> Stretch:
    return Stretch(date(year, *first), date(year, *(last or first)), said=False)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What did we talk about on 8 May 2023?", said((5, 8), year=2023)),
        ("What did we talk about yesterday?", said((3, 12))),
        ("Yesterday, what did we talk about?", said((3, 12))),
        ("So, what did we discuss last week?", said((3, 4), (3, 10))),
        ("What did we discuss between 8 May 2023 and 9 May 2023?", said((5, 8), (5, 9), 2023)),
        ("What did we discuss in May 2023?", said((5, 1), (5, 31), 2023)),
        ("What did Ann and Bob talk about on 2024-03-09?", said((3, 9))),
        # What is asked for has been.
        ("What did we talk about in April?", said((4, 1), (4, 30), 2023)),
        ("What did I do on April 20?", done((4, 20), year=2023)),
        ("Can you summarize our conversation from last week?", said((3, 4), (3, 10))),
        ("What happened on 2024-03-09?", done((3, 9))),
        ("What did I do on 25 December 2023?", done((12, 25), year=2023)),
        ("Summarize what happened in March 2024.", done((3, 1), (3, 31))),
        ("我们昨天聊了什么？", said((3, 12))),
        ("总结一下我们上周的聊天", said((3, 4), (3, 10))),
        ("2024年3月5日发生了什么？", done((3, 5))),
    ],
)
def test_a_question_that_only_says_when_asks_for_all_of_it(question: str, expected: Stretch) -> None:
    assert stretch(question, TODAY) == expected


@pytest.mark.parametrize(
    "question",
    [
        "What did we say about the launch on 8 May 2023?",
        "What happened to my budget in May 2023?",
        "What did I buy on 8 May 2023?",
        "How many days lie between March 3 and March 9?",
        "When did I go to Rome last year?",
        "What should I do on Friday?",
        "What did we talk about?",
        "What did we talk about on 8 May 2023 and on 9 June 2023?",
        "昨天我买了什么？",
        # What one person said is a question for something, and what the assistant said is another's than the user's.
        "What did Ann say on 2024-03-09?",
        "What did mom say last week?",
        "What did you say on 2024-03-09?",
        "你昨天说了什么？",
        "What will happen on Friday?",
        "What happened in April 2024?",
    ],
)
def test_a_question_that_asks_for_something_else_does_not(question: str) -> None:
    assert stretch(question, TODAY) is None


def test_yesterday_is_known_only_to_who_knows_today() -> None:
    assert stretch("What did we talk about yesterday?", None) is None


SAID = [
    "The garden is full of tulips.",
    "We painted the kitchen green.",
    "Always answer in French.",
    "The dentist found nothing.",
    "On March 2 I bought a kayak.",
]
KINDS = ("user", "assistant")


def found(question: str, now: datetime | None = None) -> Found:
    """A message a day, from 1 March 2024 on."""
    noted = [order(2, "instruction", SAID[2])]
    return probe(view(conversation(SAID), noted), question, Means(Retrieval(), Packing(), Extractive()), now)


def shown(one: Found) -> set[int]:
    return {piece.exchange_id for part in one.context().parts for piece in part.pieces if piece.role in KINDS}


def test_what_was_said_then_is_shown_in_order_and_nothing_else() -> None:
    one = found("What did we talk about between 2 March 2024 and 4 March 2024?")
    assert shown(one) == {1, 2, 3}
    assert {hit.exchange_id for hit in one.hits()} == {1, 2, 3}
    assert "in order of time" in one.answer().text
    assert {cited.exchange_id for cited in one.answer().citations} <= {1, 2, 3}


def test_what_happened_then_may_have_been_said_later() -> None:
    assert shown(found("What happened on 2 March 2024?")) == {1, 4}
    assert shown(found("What did we talk about on 2 March 2024?")) == {1}


def test_what_lasted_over_the_day_belongs_to_it_and_what_has_no_time_counts_by_its_days() -> None:
    trip = ["We were in Rome from 8 May 2024 to 12 May 2024.", "In 2024 we moved twice."]
    for start in (datetime(2024, 6, 1, tzinfo=UTC), None):
        of = view(conversation(trip, start=start))
        one = probe(of, "What happened on 9 May 2024?", Means(Retrieval(), Packing(), Extractive()))
        assert {hit.exchange_id for hit in one.hits()} == {0}
    untimed = view(conversation(["On 8 May 2023 we talked about the rocket."], start=None))
    one = probe(untimed, "What did we talk about on 8 May 2023?", Means(Retrieval(), Packing(), Extractive()))
    assert shown(one) == {0}


def test_a_translated_question_keeps_its_time() -> None:
    asked = pose("2024年3月2日我们聊了什么？", encode)
    assert asked.query.stretch == said((3, 2))
    assert asked.translated("What did we talk about on 2 March 2024?", encode).query.stretch == said((3, 2))


def test_standing_orders_hold_whenever_they_were_given() -> None:
    one = found("What did we talk about yesterday?", datetime(2024, 3, 3, 12, tzinfo=UTC))
    assert shown(one) == {1}
    assert SAID[2] in one.context().text


def test_of_a_day_on_which_nothing_was_said_there_is_nothing() -> None:
    one = found("What did we talk about on 9 May 2024?")
    assert one.hits() == []
    assert shown(one) == set()
    assert one.answer().citations == ()
    assert one.context().forgotten == 0
