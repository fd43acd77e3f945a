from __future__ import annotations

from datetime import date
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memfold.retrieve.query import analyse, called, named_alone, pose, unnamed
from support.retrieve_samples import encode


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("Can you remind me what I said about the budget tracker?", "the budget tracker"),
        ("Could you please summarize our conversations about sourdough bread?", "about sourdough bread"),
        ("请总结一下我们之前对话中提到的数据库迁移方案", "提到的数据库迁移方案"),
        ("你还记得我提到过的签证材料吗?", "签证材料吗"),
        ("我们前面讨论的那个处理器，哪个更省电？", "处理器， 更省电"),
        ("我养的宠物叫什么来着？", "我养的宠物"),
        ("我的猫叫什么名字？", "我的猫"),
        ("What's my cat called?", "What's my cat"),
        ("What is the API endpoint?", "What is the API endpoint"),
    ],
)
def test_the_asking_is_stripped(question: str, topic: str) -> None:
    assert analyse(question).topic == topic


@pytest.mark.parametrize(
    "question", ["", "?", "Can you tell me?", "请总结一下我们的对话", "Summarize our chat."]
)
def test_a_question_that_is_nothing_but_asking_stays_as_it_is(question: str) -> None:
    query = analyse(question)
    assert query.topic == query.text == question


@pytest.mark.parametrize(
    ("question", "dates"),
    [
        ("What did I do from 2024-08-01 to 2024-10-22?", (date(2024, 8, 1), date(2024, 10, 22))),
        ("Minutes spent from 2024-07-01 till 2024-07-31", (date(2024, 7, 1), date(2024, 7, 31))),
        ("What came up between March 3, 2024 and 5 April 2024?", (date(2024, 3, 3), date(2024, 4, 5))),
        ("What came up between March 3 and April 5th, 2024?", (date(2024, 3, 3), date(2024, 4, 5))),
        ("topics from January 2024 through February 2024", (date(2024, 1, 1), date(2024, 2, 29))),
        ("从2024年3月1日到2024年3月20日我们聊了什么?", (date(2024, 3, 1), date(2024, 3, 20))),
        ("2024年3月至2024年4月之间的进展", (date(2024, 3, 1), date(2024, 4, 30))),
        # The dates are the topic, not the time of talking.
        ("How many days are there between March 3, 2024 and April 5, 2024?", None),
        ("从2024年3月1日到2024年3月20日有多少天?", None),
        # One day says when something happens, not when it was said.
        ("What happens on March 3, 2024?", None),
        ("from 2024-13-45 to 2024-14-02", None),
        ("from 2024-05-02 to 2024-05-01", None),
        ("from May to June", None),
        ("version 1.2 to 1.4", None),
    ],
)
def test_a_named_range(question: str, dates: tuple[date, date] | None) -> None:
    assert analyse(question).dates == dates


def test_a_range_is_no_part_of_the_topic() -> None:
    assert analyse("linear operators from 2024-11-01 to 2025-01-21").topic == "linear operators"


@pytest.mark.parametrize(
    ("question", "broad", "language"),
    [
        ("Can you give me a comprehensive summary of my garden?", True, "en"),
        ("In which order did I bring up the plants?", True, "en"),
        ("How has my thesis evolved?", True, "en"),
        ("按顺序列出我的旅行计划", True, "zh"),
        ("What is my budget?", False, "en"),
        ("我的预算是多少?", False, "zh"),
        ("我的 React 版本是什么", False, "zh"),
        ("高橋先生との面談はいつですか？", False, "en"),
        ("「スラムダンク」是什么时候看的？", False, "zh"),
        ("我学的日语「ありがとう」是什么意思？", False, "zh"),
        ("《君の名は。》我看了几次？", False, "zh"),
        ("你の名字？", False, "zh"),
    ],
)
def test_breadth_and_language(question: str, broad: bool, language: str) -> None:
    query = analyse(question)
    assert (query.broad, query.language) == (broad, language)


@given(st.text())
def test_any_text_is_a_question(question: str) -> None:
    query = analyse(question)
    assert query.topic.strip() or not query.text


@pytest.mark.parametrize(
    ("question", "speakers", "rest"),
    [
        ("When did Caroline's brother visit Mel?", {"Caroline", "Mel"}, "When did brother visit ?"),
        ("What did Ann-Marie bake for Ann?", {"Ann"}, "What did Ann-Marie bake for ?"),
        ("Where does Maria live now?", {"Maria Lopez", "Jo"}, "Where does live now?"),
        ("What does Ann think of Annapolis?", {"Ann"}, "What does think of Annapolis?"),
        ("小明在哪里工作？", {"小明"}, "在哪里工作？"),
        ("Ann?", {"Ann"}, "Ann?"),
        ("What is the name of The dog?", {"The Boss"}, "What is the name of The dog?"),
        ("Did I take plan B, Dr. Jones?", {"B", "I", "Dr. Smith"}, "Did I take plan B, Dr. Jones?"),
        ("What did O’Brien’s dog and James' cat eat?", {"O'Brien", "James"}, "What did dog and cat eat?"),
        ("Which user asked mark@x.com?", {"user", "mark"}, "Which user asked mark@x.com?"),
        ("さくらは何が好き？", {"さくら"}, "は何が好き？"),
        ("大王的国王在哪里", {"王"}, "大王的国王在哪里"),
        ("What did C++ (v2) need?", {"C++ (v2)", " "}, "What did need?"),
        ("What did Ann say?", set(), "What did Ann say?"),
    ],
)
def test_the_names_of_who_speaks_are_left_out(question: str, speakers: set[str], rest: str) -> None:
    assert unnamed(question, speakers) == rest


def test_the_speakers_whom_a_question_names() -> None:
    speakers = ["Maria Lopez", "Ann", "小明", "user"]
    assert called("Where does Maria live, and Annapolis?", speakers) == {"Maria Lopez"}
    assert called("小明 和 Ann 在哪里工作？", speakers) == {"小明", "Ann"}
    assert called("What did the user say?", speakers) == set()


@pytest.mark.parametrize(
    ("question", "speakers", "name"),
    [
        ("What did राजेश buy?", ["राज", "मीना"], ""),
        ("What did राज buy?", ["राज", "मीना"], "राज"),
        (normalize("NFD", "What did José buy?"), ["Jose", "Ann"], ""),
        (normalize("NFD", "What did José buy?"), ["José", "Ann"], "José"),
        ("What did José buy?", [normalize("NFD", "José"), "Ann"], normalize("NFD", "José")),
    ],
)
def test_a_name_ends_behind_its_marks(question: str, speakers: list[str], name: str) -> None:
    assert named_alone(question, speakers) == name
    assert (unnamed(question, speakers) == "What did buy?") == bool(name)


def test_a_question_is_embedded_without_the_speakers_names_and_searched_by_words_with_them() -> None:
    named, bare = (
        pose("Which kayak did Ann buy?", encode, speakers={"Ann"}),
        pose("Which kayak did buy?", encode),
    )
    assert (named.vectors == bare.vectors).all()
    assert len(named.bags[0]) == len(bare.bags[0]) + 1
