"""When an answer in quotes to a made-up probe is right."""

from __future__ import annotations

import pytest

from memfold.context.types import Answer, Citation, Context
from memfold.evaluate.probe import Probe
from memfold.evaluate.right import is_right, planted


def answer(text: str, *cited: str, quote: str = "") -> Answer:
    citations = tuple(Citation(n, (message,), quote) for n, message in enumerate(cited))
    return Answer(text, citations, Context("", 0, (), ()))


def test_values_are_what_was_said_in_so_many_words_and_numbers_that_follow() -> None:
    probe = Probe("c", "recall", "How much?", "…", ("400 euros", "12", "asks back"), ("0", "2"), "en")
    assert planted(probe, ["It costs 400 euros.", "And twelve more."]) == ["400 euros", "12"]


@pytest.mark.parametrize(
    ("given", "right"),
    [
        (answer("It is 400 euros.", "9"), True),
        (answer("That.", "9", quote="It costs 400 euros"), True),
        (answer("It is 300 euros.", "0"), False),
        (answer("It is 1400 euros.", "0"), False),
    ],
)
def test_an_answer_holds_every_planted_value(given: Answer, right: bool) -> None:
    assert is_right(given, ["0"], ["400 euros"]) is right


@pytest.mark.parametrize(
    ("text", "value", "right"),
    [
        ("- 2024-03-05: “I planted 12 trees.” [7]", "12", True),
        ("- 2024-03-05: “I planted trees.” [12]", "12", False),
        ("- 2024-03-12: “I planted trees.” [7]", "12", False),
        ("12. 2024-03-05: “I planted trees.” [7]", "12", False),
        ("- 2024-03-05: “I planted trees on 2024-03-12.” [7]", "12", False),
        ("- 2024-03-05: “It cost 12.50 euros.” [7]", "12", False),
        ("- 2024-03-12: “I planted trees.” [7]", "2024-03-12", False),
        ("42 days, from 2024-01-30 to 2024-03-12, reckoned from these quotes:", "2024-03-12", True),
        ("- “今年种了12棵树。” [7]", "12", True),
        ("- “红茶很好。” [7]", "红茶", True),
    ],
)
def test_a_value_is_held_as_a_whole_and_not_by_what_stands_around_a_quote(
    text: str, value: str, right: bool
) -> None:
    assert is_right(answer(text, "0"), ["0"], [value]) is right


def test_where_no_value_was_planted_every_message_is_cited() -> None:
    assert is_right(answer("First this, then that.", "0", "2", "7"), ["0", "2"], [])
    assert not is_right(answer("First this.", "0"), ["0", "2"], [])


def test_without_evidence_nothing_is_cited() -> None:
    assert is_right(answer("Nothing says so."), [], [])
    assert not is_right(answer("400 euros", "0"), [], ["400 euros"])
