"""Exchanges that hold nothing cost nothing, and nothing that holds something is taken for one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memfold.extract.nothing import courtesy, holds_nothing
from memfold.schema import Window
from support.asked import window


@pytest.mark.parametrize(
    "text",
    [
        *(
            "Thanks!",
            "Got it",
            "ok",
            "OK, thanks a lot!",
            "Great, thank you so much 🙏",
            "Hi there",
            "👍",
            "Thx :)",
        ),
        *(
            "I see, that makes sense.",
            "Thanks for your help!",
            "That’s helpful, thanks",
            "Good morning!",
            "bye",
        ),
        *(
            "好的",
            "好的，谢谢！",
            "谢谢你",
            "嗯嗯",
            "收到 👍",
            "明白了，谢谢您的帮助。",
            "你好",
            "哈哈哈",
            "太好了！",
            "OK谢谢",
        ),
    ],
)
def test_a_courtesy_holds_nothing(text: str) -> None:
    assert holds_nothing(window(text))


@pytest.mark.parametrize(
    "text",
    [
        *(
            "yes",
            "no",
            "no thanks",
            "ok?",
            "Sure, do it",
            "Thanks, but use Redis",
            "Great, 5 pm then",
            "Got it: 42",
        ),
        *("👎", "✅", "🇫🇷", "②", "It's great!"),
        *("hiking", "thankless", "Thanks Anna", "ok let's go with B", "I see a problem", "?", "7"),
        *(
            "是的",
            "不用",
            "好的，用Redis",
            "谢谢，预算是五千",
            "好的吗？",
            "你好，我叫王伟",
            "不好",
            "明白了吗",
        ),
    ],
)
def test_what_may_be_an_answer_or_a_fact_is_asked_about(text: str) -> None:
    assert not holds_nothing(window(text))


MEL_AND_JON = frozenset(("Melanie", "Jon Ray"))


@pytest.mark.parametrize(
    "text",
    [
        "Jon Ray: Thanks!",
        "Melanie: Bye, Jon! Take care.",
        "Jon Ray: No worries, Melanie! You've got this.",
        "Melanie: Thanks for the support, it really means a lot!",
        "Jon Ray: Glad I could help. Have a great day!",
    ],
)
def test_who_says_it_and_to_whom_makes_a_courtesy_no_fact(text: str) -> None:
    said = Window("c", 0, (("user", text),), (), "en", None, MEL_AND_JON)
    assert holds_nothing(said)
    # Unless they are known to be people of the conversation, they are words like others.
    assert not holds_nothing(replace(said, speakers=frozenset()))


@pytest.mark.parametrize(
    "text",
    [
        "Melanie: Alright, see you tomorrow!",
        "Jon Ray: It was great!",
        "Melanie: Sounds great, Jon!",
        "Jon Ray: Agreed!",
        "Melanie: Thanks, Caroline!",
        "Jon Ray: I met Mel",
        "Melanie: Thanks for the tickets!",
        "Melanie: Jon",
        "Melanie: Jon, Ray!",
        "Jon Ray: Sure thing!",
        "Jon Ray: I got it!",
        "Melanie: Can't wait!",
    ],
)
def test_what_says_when_how_yes_or_who_is_asked_about(text: str) -> None:
    assert not holds_nothing(Window("c", 0, (("user", text),), (), "en", None, MEL_AND_JON))


@pytest.mark.parametrize(
    ("speaker", "text"),
    [
        ("May", "See you May"),
        ("April", "April"),
        ("Speaker 2", "2"),
        ("Monica", "See you Mon!"),
        ("Notley", "Not great"),
    ],
)
def test_a_name_that_is_also_a_word_or_begins_like_one_takes_nothing_away(speaker: str, text: str) -> None:
    for said in (text, f"Jane: {text}"):
        names = frozenset(("Jane", speaker))
        assert not holds_nothing(Window("c", 0, (("user", said),), (), "en", None, names))


@pytest.mark.parametrize(
    "answer",
    [
        "You're welcome. Your flight leaves at 9:40 from gate B7.",
        "Jon Ray: Sure. My surgery is at the clinic by the river.",
        "不客气。" + "您的航班从登机口出发，请提前到达。" * 6,
        "航班在②号门",
    ],
)
def test_a_short_answer_may_say_something(answer: str) -> None:
    asked = Window("c", 0, (("user", "Thanks!"), ("assistant", answer)), (), "en", None, MEL_AND_JON)
    assert not holds_nothing(asked)
    assert holds_nothing(replace(asked, messages=(asked.messages[0], ("assistant", "You're welcome!"))))


def test_a_courtesy_with_a_long_answer_is_asked_about() -> None:
    assert not holds_nothing(window("Thanks!", "You are welcome. " + "The plan has four steps. " * 12))


def test_an_exchange_that_shows_nothing_holds_nothing_and_one_of_the_assistant_alone_is_asked_about() -> None:
    assert holds_nothing(Window("c", 0, (), (), "und", None))
    assert not holds_nothing(Window("c", 0, (("assistant", "Shall we begin?"),), (), "en", None))
    assert not holds_nothing(Window("c", 0, (("user", "ok"), ("tool", "42")), (), "en", None))


@pytest.mark.parametrize(
    "text",
    [
        "thanks" + " that" * 14 + " x",
        "嗯" * 79 + "x",
        "thanks " * 11 + "x",
        "哈" * 79 + "x",
        "ok好的" * 20 + "x",
    ],
)
def test_a_long_row_of_courtesies_is_judged_at_once(text: str) -> None:
    """A pattern with two ways to end a phrase would try 2^79 of them, and this test would not end."""
    assert not courtesy(text)
