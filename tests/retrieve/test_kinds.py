"""What kind of question it is, by its words."""

from __future__ import annotations

import pytest

from memfold.retrieve.kinds import Kind, kind


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("In what order did I bring up the parts of my garden?", "order"),
        ("Can you reconstruct the timeline of when I mentioned each pet?", "order"),
        ("我按什么顺序提到这些城市？", "order"),
        ("Can you summarise how the move went?", "summary"),
        ("Give me a summary of the order in which things happened.", "summary"),
        ("请总结一下装修的过程", "summary"),
        ("How many days were there between the offer and the move?", "span"),
        ("How long did it take from the first draft to the last?", "span"),
        ("搬家和装修之间隔了多少天？", "span"),
        ("How many chairs did I buy?", "count"),
        ("How many minutes did I spend on the violin in total?", "count"),
        ("我一共买了多少把椅子？", "count"),
        ("What colour is my bicycle?", None),
        ("Can you walk me through proving that the sum of odd numbers is a square?", None),
        ("我的自行车是什么颜色？", None),
    ],
)
def test_a_question_is_of_a_kind(question: str, found: Kind | None) -> None:
    assert kind(question, dated=False) == found


def test_a_question_of_no_other_kind_that_names_dates_is_about_their_time() -> None:
    assert kind("What did I cook from 1 May to 9 May 2024?", dated=True) == "period"
    assert kind("How many cakes did I bake from 1 May to 9 May 2024?", dated=True) == "count"
