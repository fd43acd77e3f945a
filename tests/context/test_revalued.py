"""The thing that a sentence gives another value, and whose and which of a kind it is."""

from __future__ import annotations

import pytest

from memfold.context.readers.quoting.revalued import heads, owners, qualified, revalued
from memfold.retrieve.moved import noun
from memfold.text.terms import terms


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("The budget is now 15,000 euros because the bank agreed.", "budget"),
        ("The opening moved to 21 June.", "opening"),
        ("My landlord says the rent goes up to 900 euros from July.", "rent"),
        ("My dose went up from 5 mg to 10 mg.", "dose"),
        ("The contact is now Bob.", "contact"),
        ("Update: the response time is down to 3.5 hours.", "response time"),
        ("Ticket volume jumped to 1,300 a week.", "ticket"),
        ("The number of tickets rose to 800.", "ticket"),
        ("Migration slipped, it's now the week of 2 September.", "migration"),
        ("The launch was delayed, it's now 3 May.", "launch"),
        ("The kitchen budget was cut to 5,000 euros.", "kitchen budget"),
    ],
)
def test_the_thing_that_is_given_another_value_is_told(text: str, what: str) -> None:
    new = revalued(text)
    assert new is not None
    assert new.what == noun(what)


@pytest.mark.parametrize(
    "text",
    [
        "The budget is now tight.",
        "The budget is not now 15,000 euros.",
        "If the rent goes up to 900 euros I leave.",
        "It is now 900 euros.",
        "Her flight was moved to Friday.",
        "We moved to London.",
        "Is the budget now 15,000 euros?",
        "The team moved to Slack for chatting.",
    ],
)
def test_a_sentence_that_gives_nothing_another_value_is_none(text: str) -> None:
    assert revalued(text) is None


def test_auxiliaries_without_end_are_read_only_near_the_value() -> None:
    # A pattern that tried them from each of their places would take minutes.
    assert revalued(f"The budget {'is ' * 50_000}now 5 euros.") is None
    new = revalued(f"{'is ' * 50_000}fine. The budget is just now 5 euros.")
    assert new is not None
    assert (new.what, new.value) == (noun("budget"), "5 euros.")


@pytest.mark.parametrize(
    ("text", "head", "whose", "which"),
    [
        ("My sister's rent went up.", "rent", "sister", ""),
        ("It's our rent now.", "rent", "", ""),
        ("Her monthly rent is low, Tom's is not.", "rent", "her", ""),
        ("The sales team has 12 people.", "team", "", "sales"),
        ("The current team has 12 people.", "team", "", ""),
        ("The sales team has 12 people, the team of Ann 3.", "team", "", ""),
    ],
)
def test_whose_and_which_of_a_kind_a_thing_is(text: str, head: str, whose: str, which: str) -> None:
    assert owners(text, head) == frozenset(terms(whose))
    assert qualified(text, head) == frozenset(terms(which))


def test_what_a_word_is_of_stands_right_behind_it() -> None:
    assert heads("My weight goal is 70 kg.", "weight") == frozenset(terms("goal"))
    assert heads("My weight, the goal aside, is 70 kg.", "weight") == frozenset()
