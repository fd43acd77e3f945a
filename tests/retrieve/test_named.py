from __future__ import annotations

import pytest

from memfold.retrieve.named import named

EN = [
    "We painted the Kiln Street bakery.",
    "The oven of the Kiln Street bakery is old.",
    "The Mill Lane bakery takes $900 a month from us.",
    "I like the Mill Lane bakery, and the bakery next door.",
]
ZH = [
    "石灰窑陶艺坊的檐沟松了。",
    "我去石灰窑陶艺坊要走很远。",
    "这天气把石灰窑陶艺坊拖慢了。",
    "榆树园陶艺坊来了新人。",
    "榆树园陶艺坊在招人。",
    "在榆树园陶艺坊开会。",
]


@pytest.mark.parametrize(
    ("question", "texts", "name", "other"),
    [
        ("What rent is due for the Kiln Street bakery?", EN, "Kiln Street bakery", "Mill Lane bakery"),
        ("石灰窑陶艺坊的网络叫什么？", ZH, "石灰窑陶艺坊", "树园陶艺坊"),
    ],
)
def test_the_one_that_is_named_and_the_others_of_its_kind(
    question: str, texts: list[str], name: str, other: str
) -> None:
    thing = named(question, texts)
    assert thing is not None
    assert thing.name == name
    assert thing.others == {other}
    assert thing.about(texts[0])
    assert not thing.another(texts[0])
    assert thing.another(f"{other}!")
    assert not thing.another(f"{name}, {other}"), "both are named"


def test_its_kind_alone_means_it_where_its_message_names_it_in_full() -> None:
    thing = named("What rent is due for the Kiln Street bakery?", EN)
    assert thing is not None
    said = "The raffle for the bakery made 28 dollars."
    assert thing.about(said, f"I was at the Kiln Street bakery. {said}")
    assert not thing.about(said, f"I was at the zoo. {said}")
    assert not thing.about("The Mill Lane bakery made 5.", "The Kiln Street bakery too.")


@pytest.mark.parametrize(
    "question",
    [
        "Which is larger, the Kiln Street bakery or the Mill Lane bakery?",
        "What did Craig say about Bonn?",
        "How old is the mayor?",
        "What is the Unknown Road bakery?",
        "我喜欢什么？",
    ],
)
def test_of_none_or_of_several_there_is_none(question: str) -> None:
    assert named(question, [*EN, *ZH]) is None
