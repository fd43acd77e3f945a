from __future__ import annotations

import pytest

from memfold.retrieve.identified import identified

TEXTS = [
    "I opened INC-20417.",
    "INC-20471 can be closed.",
    "Order 5533 was paid with $189.",
    "For order #5535 we paid $74.",
    "The unit SN-88A1-0042 is in depot 3, SN-88B1-0043 in depot 4.",
    "We encrypt with AES-256, as ISO-27001 wants, since COVID-19, and GPT-4 writes the release notes of 3.11.2.",
    "pre-1850 houses, #333333 and #666666",
]


@pytest.mark.parametrize(
    ("question", "name", "another"),
    [
        ("When was INC-20417 opened?", "INC-20417", "INC-20471 is still open."),
        ("when was inc-20417 opened", "INC-20417", "inc-20471 is still open"),
        ("How much did I pay for order 5533?", "5533", "Order 5535 was paid with $74."),
        ("How much did I pay for order #5533?", "5533", "#5535 was $74."),
        ("Where is SN-88A1-0042?", "SN-88A1-0042", "SN-88B1-0043 is in depot 4."),
    ],
)
def test_the_one_that_has_an_identifier_excludes_others_of_its_shape(
    question: str, name: str, another: str
) -> None:
    one = identified(question, TEXTS)
    assert one is not None
    assert one.name == name
    assert one.another(another)
    assert not one.another(f"{another} It came before {name}."), "both are named"
    assert not one.another("It can be closed.")


@pytest.mark.parametrize(
    "question",
    [
        "Do we use AES-256?",
        "What does ISO-27001 want?",
        "What did I say about COVID-19 and GPT-4 on 2024-05-14 at 10:30?",
        "What changed in version 3.11.2?",
        "What do we do for pre-1850 houses?",
        "Where did I use #333333?",
        "Did INC-20417 come before INC-20471?",
        "Which ticket is like INC-20417?",
        "Which other tickets came after INC-20417?",
        "What is INC-20499 about?",
    ],
)
def test_of_what_is_no_identifier_or_of_several_there_is_none(question: str) -> None:
    assert identified(question, TEXTS) is None


@pytest.mark.parametrize(
    "text",
    [
        "OPS-20471 can be closed.",
        "INC-204 can be closed.",
        "We had 20471 visitors in 2024.",
        "INC-20471 and 20417 can be closed.",
        "Order 20471 was paid.",
    ],
)
def test_another_shape_and_a_shorter_name_exclude_nothing(text: str) -> None:
    one = identified("When was INC-20417 opened?", TEXTS)
    assert one is not None
    assert not one.another(text)


@pytest.mark.parametrize(
    ("phrase", "shown"),
    [
        ("closing it", "closing INC-20417"),
        ("its final closing", "INC-20417 final closing"),
        ("closing INC-20417 when it worked", "closing INC-20417 when it worked"),
        ("the visit", "the visit"),
    ],
)
def test_the_second_end_means_the_identifier_of_the_first(phrase: str, shown: str) -> None:
    one = identified("How many days passed between opening INC-20417 and closing it?", TEXTS)
    assert one is not None
    assert one.instead(phrase) == shown
