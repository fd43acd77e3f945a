"""What somebody said of themselves and of those around them is known turns and sessions later, with the default
install, in English and Chinese: the scenarios that the profile's design was written for (decision 24)."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

import memfold
from memfold.api import Store
from memfold.schema import Message
from support.given import START, job, run

# By turn: what the user says, and the assistant. What is not told here is talk of something else.
SAID = {
    "en": {
        0: ("My name is Lin. I'm 30 years old and I live in London.", "Nice to meet you."),
        1: (
            "I am writing a story about Alice. Alice's father is John, a retired sailor who taught her to read maps.",
            "What a lovely idea.",
        ),
        2: ("My dog is called Biscuit, he chewed my shoes again.", "Dogs will be dogs."),
        11: ("No, I live in Paris, not London.", "Thank you, noted."),
    },
    "zh": {
        0: ("我叫林小雨，我今年30岁，我住在伦敦。", "很高兴认识你。"),
        1: ("我在写一个关于爱丽丝的故事。爱丽丝的父亲叫约翰，是一位退休的水手。", "这个想法真好。"),
        2: ("我的狗叫饼干，它又咬坏了我的鞋子。", "狗狗都这样。"),
        11: ("不，我住在巴黎，不是伦敦。", "好的，记下了。"),
    },
}
TALK = {
    "en": ("Could you explain how {} works in a few words?", "Certainly, {} is simpler than it looks."),
    "zh": ("能用几句话解释一下{}是怎么运作的吗？", "当然，{}并不复杂。"),
}
THINGS = {
    "en": ("a heat pump", "a lock", "the stock market", "a sewing machine", "yeast", "radar", "a piano", "glue",
           "a fridge", "a camera", "a compass", "paper"),
    "zh": ("热泵", "门锁", "股市", "缝纫机", "酵母", "雷达", "钢琴", "胶水", "冰箱", "相机", "指南针", "造纸"),
}  # fmt: skip
ASKED = {
    "en": {
        "father": ("What is the name of Alice's father?", "John"),
        "age": ("How old am I?", "30"),
        "pet": ("What is my dog called?", "Biscuit"),
        "home": ("Which city do I live in?", "Paris"),
    },
    "zh": {
        "father": ("爱丽丝的父亲叫什么名字？", "约翰"),
        "age": ("我今年多少岁？", "30"),
        "pet": ("我的狗叫什么名字？", "饼干"),
        "home": ("我住在哪个城市？", "巴黎"),
    },
}


def talk(language: str) -> list[Message]:
    """Fourteen turns over two sessions: ten on one day, four a day later."""
    made: list[Message] = []
    for turn in range(14):
        thing = THINGS[language][turn % 12]
        user, assistant = SAID[language].get(turn, tuple(text.format(thing) for text in TALK[language]))
        time = START + timedelta(minutes=5 * turn, days=turn // 10)
        session = f"day-{turn // 10}"
        made.append(Message("c", "user", user, f"u{turn}", time, session))
        made.append(Message("c", "assistant", assistant, f"a{turn}", time, session))
    return made


@pytest.fixture(scope="module", params=["en", "zh"])
def told(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Store]:
    root: Path = tmp_path_factory.mktemp(request.param)
    run(job(root, talk(request.param)))
    return request.param, memfold.open(str(root))


@pytest.mark.parametrize("asked", ["father", "age", "pet", "home"])
def test_what_was_said_is_known_turns_and_sessions_later(told: tuple[str, Store], asked: str) -> None:
    language, store = told
    question, known = ASKED[language][asked]
    assert known in store.context("c", question, 600).text
    assert known in store.ask("c", question, 2_000).text


def test_the_age_stays_what_it_was_said_to_be(told: tuple[str, Store]) -> None:
    _, store = told
    for moment in ("u1", "u7", "u13"):
        assert store.profile("c", as_of=moment).get("age") == "30"


def test_a_corrected_home_holds_from_then_on_and_the_old_one_is_kept(told: tuple[str, Store]) -> None:
    language, store = told
    old, new = ("London", "Paris") if language == "en" else ("伦敦", "巴黎")
    assert store.profile("c", as_of="u10").get("home") == old
    (home,) = [entry for entry in store.profile("c").entries if entry.attribute == "home"]
    assert (home.value, home.before[0].value, home.corrected) == (new, old, True)
    assert [each.exchange_id for each in (*home.before[0].said, *home.said)] == [0, 11]
    assert f"home: {new} (before: {old})" in store.context("c", ASKED[language]["home"][0], 2_000).text


def test_the_language_somebody_writes_in_is_counted_with_its_evidence(told: tuple[str, Store]) -> None:
    language, store = told
    (writes,) = [entry for entry in store.profile("c").entries if entry.attribute == "writes"]
    assert writes.value == language
    assert writes.count >= 12
    assert writes.said[0].exchange_id == 0


@pytest.mark.parametrize("asked", ["What is my dad's name?", "What is my dad called?"])
def test_a_name_told_of_him_in_the_next_sentence_is_quoted(asked: str, tmp_path: Path) -> None:
    said = [Message("c", "user", "I had lunch with my dad today. His name is Robert.", "u0", START)]
    said += [replace(each, time=START + timedelta(minutes=1)) for each in talk("en")[6:20]]
    run(job(tmp_path, said))
    assert "Robert" in memfold.open(tmp_path).ask("c", asked, 2_000).text
