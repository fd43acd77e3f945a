"""What kind of question it is, by its words."""

from __future__ import annotations

import pytest

from memfold.retrieve.kinds import KINDS, Kind
from memfold.retrieve.query import analyse
from support.questions import QUESTIONS

TABLE = [(question, kind) for kind, questions in QUESTIONS.items() for question in questions]


def test_the_table_has_every_kind_in_both_languages() -> None:
    assert tuple(QUESTIONS) == KINDS
    assert len(TABLE) == len(dict(TABLE)) >= 150
    for questions in QUESTIONS.values():
        assert {analyse(question).language for question in questions} == {"en", "zh"}


@pytest.mark.parametrize(("question", "kind"), TABLE)
def test_a_question_is_of_a_kind(question: str, kind: Kind) -> None:
    assert analyse(question).typed.kind == kind


@pytest.mark.parametrize("question", ["What is my cat called?", "我的猫叫什么？"])
def test_politeness_before_a_question_changes_no_kind(question: str) -> None:
    kind = analyse(question).typed.kind
    for polite in ("Hello! ", "Thanks. ", "你好，", "谢谢！"):
        assert analyse(polite + question).typed.kind == kind


def test_a_question_of_another_kind_that_names_dates_keeps_it() -> None:
    assert analyse("How many cakes did I bake from 1 May 2024 to 9 May 2024?").typed.kind == "count"
    assert analyse("What did you suggest from 1 May 2024 to 9 May 2024?").typed.kind == "said"
