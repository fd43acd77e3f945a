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
    ],
)
def test_an_answer_holds_every_planted_value(given: Answer, right: bool) -> None:
    assert is_right(given, ["0"], ["400 euros"]) is right


def test_where_no_value_was_planted_every_message_is_cited() -> None:
    assert is_right(answer("First this, then that.", "0", "2", "7"), ["0", "2"], [])
    assert not is_right(answer("First this.", "0"), ["0", "2"], [])


def test_without_evidence_nothing_is_cited() -> None:
    assert is_right(answer("Nothing says so."), [], [])
    assert not is_right(answer("400 euros", "0"), [], ["400 euros"])
