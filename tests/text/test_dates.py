"""Dates in text against the day it was said: 11 March 2026, a Wednesday."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memfold.text.dates import mentions, ranges

SAID = date(2026, 3, 11)


def read(text: str, said: date | None = SAID) -> list[tuple[str, str, str]]:
    return [(each.literal, str(each.first), str(each.last)) for each in ranges(text, said)]


@pytest.mark.parametrize(
    ("text", "literal", "first", "last"),
    [
        ("It ends on 15 March.", "15 March", "2026-03-15", "2026-03-15"),
        ("It ends on March 15th, 2024!", "March 15th, 2024", "2024-03-15", "2024-03-15"),
        ("due 3/15, they said", "3/15", "2026-03-15", "2026-03-15"),
        ("at 2024-01-15T10:00", "2024-01-15", "2024-01-15", "2024-01-15"),
        ("Call me tomorrow at 5 PM.", "tomorrow", "2026-03-12", "2026-03-12"),
        ("We left last night.", "last night", "2026-03-10", "2026-03-10"),
        ("See you next Friday.", "next Friday", "2026-03-20", "2026-03-20"),
        ("I have been ill since Monday.", "since Monday", "2026-03-09", "2026-03-09"),
        ("A couple of weeks ago", "A couple of weeks ago", "2026-02-25", "2026-02-25"),
        ("The fair is this weekend.", "this weekend", "2026-03-14", "2026-03-15"),
        ("We moved three months ago.", "three months ago", "2025-12-01", "2025-12-31"),
        ("It ships in May or so", "May", "2026-05-01", "2026-05-31"),
        ("Built in March 2024.", "March 2024", "2024-03-01", "2024-03-31"),
        ("Revenue of Q3 2024", "Q3 2024", "2024-07-01", "2024-09-30"),
        ("March 5-10 in Rome", "March 5-10", "2026-03-05", "2026-03-10"),
        ("from March 29 to April 12", "March 29 to April 12", "2026-03-29", "2026-04-12"),
        ("December 20 to January 5", "December 20 to January 5", "2025-12-20", "2026-01-05"),
        ("between 5 May and 9 May 2024", "5 May and 9 May 2024", "2024-05-05", "2024-05-09"),
        ("Dec 20 to Jan 5, 2024", "Dec 20 to Jan 5, 2024", "2023-12-20", "2024-01-05"),
        ("上周五见过他", "上周五", "2026-03-06", "2026-03-06"),
        ("三天后出发", "三天后", "2026-03-14", "2026-03-14"),
        ("三月十五日开会", "三月十五日", "2026-03-15", "2026-03-15"),
        ("兩週後考試", "兩週後", "2026-03-25", "2026-03-25"),
        ("去年5月搬的家", "去年5月", "2025-05-01", "2025-05-31"),
        ("上个月辞职了", "上个月", "2026-02-01", "2026-02-28"),
        ("3月5日至9日在北京", "3月5日至9日", "2026-03-05", "2026-03-09"),
        ("Treffen am 15. Mai um acht", "15. Mai", "2026-05-15", "2026-05-15"),
        ("le 1er août 2024", "1er août 2024", "2024-08-01", "2024-08-01"),
        ("el 5 de enero de 2025", "5 de enero de 2025", "2025-01-05", "2025-01-05"),
    ],
)
def test_a_date_is_resolved_against_the_day_it_was_said(
    text: str, literal: str, first: str, last: str
) -> None:
    assert read(text) == [(literal, first, last)]


@pytest.mark.parametrize("text", ["We met on 03/04/2024.", "due 3/4", "The fair is on February 30, 2026."])
def test_what_can_be_read_in_two_ways_or_in_none_stays_unresolved(text: str) -> None:
    assert [(first, last) for _, first, last in read(text)] == [("None", "None")]


@pytest.mark.parametrize(
    "text",
    [
        "I scored 12/20, then 17/20.",
        "open 24/7",
        "version 2.3.15 of 10.0.0.1",
        "You may do 5 of them, or march 40%.",
        "每个月3个版本，第1周的计划",
        "see pages 5-10/2",
    ],
)
def test_figures_that_look_like_dates_are_none(text: str) -> None:
    assert read(text) == []


def test_without_a_day_of_saying_a_relative_date_is_found_and_not_resolved() -> None:
    assert read("The party is tomorrow, the exam on 2026-05-20, the trip on May 3.", None) == [
        ("tomorrow", "None", "None"),
        ("2026-05-20", "2026-05-20", "2026-05-20"),
        ("May 3", "None", "None"),
    ]
    assert [each.relative for each in mentions("tomorrow and May 3", None)] == [True, False]


def test_the_ends_of_a_range_are_also_found_one_by_one() -> None:
    assert [each.literal for each in mentions("from March 29 to April 12", SAID)] == ["March 29", "April 12"]


@pytest.mark.parametrize("end", ["March 5 - 3 PM", "March 5 - 12 weeks", "March 5-10%"])
def test_a_number_after_a_day_is_not_always_a_second_day(end: str) -> None:
    assert read(end)[0][1:] == ("2026-03-05", "2026-03-05")


def test_a_date_far_into_a_long_text_stands_where_it_says() -> None:
    text = "İ" + "nothing of the kind. " * 500 + "It ends on April 2, 2027 at the latest."
    (each,) = mentions(text, SAID)
    assert text[each.start : each.end] == each.literal == "April 2, 2027"
    (plain,) = mentions(text[1:], SAID)
    assert (plain.first, plain.literal) == (each.first, each.literal)


@given(
    st.text(alphabet="0123456789/-. 年月日周上下个天後前 marchmyjundextQ1", max_size=60),
    st.none() | st.dates(),
)
def test_any_text_is_read_without_harm_and_in_order(text: str, said: date | None) -> None:
    for found in (mentions(text, said), ranges(text, said)):
        assert all(text[each.start : each.end] == each.literal for each in found)
        assert [each.start for each in found] == sorted(each.start for each in found)
        assert all(each.first <= each.last for each in found if each.first and each.last)
