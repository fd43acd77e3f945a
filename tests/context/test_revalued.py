"""The thing that a sentence gives another value, and whose and which of a kind it is."""

from __future__ import annotations

import pytest

from memfold.context.readers.quoting.revalued import (
    CHANGED,
    heads,
    of_another_owner,
    owners,
    qualified,
    revalued,
)
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


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("婚礼推到 6 月 3 日", True),
        ("考试往后推两周", True),
        ("开业再提前三天，5月8日", True),
        ("搬家的时间要改了", True),
        ("交稿日期改一下", True),
        ("票要提前两天订", False),
        ("提前说一声就行", False),
        ("推荐的那家店很好", False),
        ("上班时间我都在改稿子", False),
        ("推着车走了两天", False),
    ],
)
def test_chinese_says_by_how_much_or_to_when_something_has_changed(text: str, changes: bool) -> None:
    assert (CHANGED.search(text) is not None) is changes


@pytest.mark.parametrize(
    ("question", "text", "another"),
    [
        ("开业的时间是哪天？", "装修时间改到4月8日", True),
        ("开业的时间是哪天？", "开业时间改到5月2日", False),
        ("开业的时间是哪天？", "再提前两天，4月30日", False),
        ("开业是哪天？", "装修时间改到4月8日", False),
        ("什么时间开业？", "装修时间改到4月8日", False),
        ("开业的时间是哪天？", "这段时间太忙了，5月2日再说", False),
    ],
)
def test_of_a_value_that_many_things_have_the_one_that_is_asked_for_is_meant(
    question: str, text: str, another: bool
) -> None:
    assert of_another_owner(question, text) is another
