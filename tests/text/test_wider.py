from __future__ import annotations

import pytest

from memfold.text.terms import terms
from memfold.text.wider import across, of_another, respelt, widened


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("colour", "color"),
        ("neighbours", "neighbor"),
        ("favourite", "favorite"),
        ("behaviour", "behavior"),
        ("harbours", "harbor"),
        ("organise", "organize"),
        ("organisation", "organization"),
        ("apologised", "apologize"),
        ("analysed", "analyze"),
        ("centre", "center"),
        ("kilometres", "kilometer"),
        ("theatres", "theater"),
        ("grey", "gray"),
        ("licence", "license"),
        ("programme", "program"),
        ("jewellery", "jewelry"),
        ("tyres", "tires"),
    ],
)
def test_words_are_spelt_in_two_ways(one: str, other: str) -> None:
    assert set(terms(other)) <= respelt(one)
    assert set(terms(one)) <= respelt(other)


@pytest.mark.parametrize(
    "word",
    ["four", "hour", "sour", "motor", "doctor", "rise", "wise", "water", "size", "check", "our", "颜色"],
)
def test_words_that_are_spelt_in_one_way(word: str) -> None:
    assert respelt(word) == frozenset()


@pytest.mark.parametrize(
    ("told", "asked", "meant"),
    [
        ("a tortoise", "pet", True),
        ("a pet", "tortoise", False),
        ("my dad", "father", True),
        ("my dad", "mother", False),
        ("我爸", "父亲", True),
        ("我爸", "母亲", False),
        ("一只乌龟", "宠物", True),
        ("I saw her", "seen", True),
        ("I lend it", "lent", True),
        ("I saw her", "send", False),
    ],
)
def test_what_words_are_too(told: str, asked: str, meant: bool) -> None:
    assert (max(terms(asked), key=len) in widened(set(terms(told)))) == meant


@pytest.mark.parametrize(
    ("told", "asked", "meant"),
    [
        ("The report is due in May", "截止", True),
        ("I go running at six", "跑步", True),
        ("报告的截止日期是五月", "deadline", True),
        ("她周末来不了了", "visit", True),
        ("我把健身房的卡退了", "quit", True),
        ("下班后去跑步", "run", True),
        ("下班后去跑腿", "run", False),
        ("The rent went up", "工资", False),
    ],
)
def test_what_words_are_in_the_other_language(told: str, asked: str, meant: bool) -> None:
    word, said = max(terms(asked), key=len), set(terms(told))
    assert (word in across(said)) == meant
    assert word not in widened(said)


@pytest.mark.parametrize(
    ("asked", "told", "another"),
    [
        ("my mother", "her dad", True),
        ("my mother", "my parents", False),
        ("my brother's wife", "her husband's wife", False),
        ("my mother", "the weather", False),
        ("我妈", "我爸", True),
        ("我妈妈", "我爸妈", False),
    ],
)
def test_which_relative_is_meant(asked: str, told: str, another: bool) -> None:
    assert of_another(set(terms(asked)), set(terms(told))) == another
