"""The language of an answer: the one the user asked for, else that of the question."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memfold.context.readers.extractive import Extractive
from memfold.context.readers.model import prompted
from memfold.context.readers.quoting.frames import FRAMES, frame
from memfold.context.readers.unread import words
from memfold.context.tongue import named, wished
from memfold.context.types import Context, Filled, Piece
from support.retrieve_samples import encode


def context(*entries: str, text: str = "[1] My budget is 400 euros.") -> Context:
    pieces = tuple(Piece(1, ("m1",), "profile", entry) for entry in entries)
    return Context(text, 0, (Filled("[profile]", "", (1,), 0, pieces),), ())


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        ("answer language: Chinese", "zh"),
        ("answer language: Mandarin", "zh"),
        ("answer language: English (before: Chinese)", "en"),
        ("answer language: Tagalog", None),
        ("native language: German", None),
        ("Ann, answer language: Chinese", None),
    ],
)
def test_the_profile_says_which(entry: str, code: str | None) -> None:
    assert wished(context("name: Ann", entry)) == code


def test_only_the_profile_does() -> None:
    said = Piece(1, ("m1",), "user", "answer language: Chinese")
    assert wished(replace(context(), parts=(Filled("", "", (1,), 0, (said,)),))) is None


@pytest.mark.parametrize(
    ("question", "entry", "code"),
    [
        ("Which airline did Marta fly with?", "answer language: Chinese", "zh"),
        ("去东京的航班是几点起飞?", "answer language: English", "en"),
        ("去东京的航班是几点起飞?", "name: Ann", "zh"),
        ("Which airline did Marta fly with?", "name: Ann", "en"),
    ],
)
def test_the_quoting_reader_speaks_it(question: str, entry: str, code: str) -> None:
    seen = context(entry)
    assert Extractive().read(question, seen, encode).text == FRAMES[code].nothing
    assert words(question, seen).nothing == FRAMES[code].nothing


@pytest.mark.parametrize(
    ("question", "entry", "text", "name"),
    [
        ("What is my budget?", "name: Ann", "[1] My budget is “400” euros …", ""),
        ("What is my budget?", "name: Ann", "[1] 我的预算是四百欧元。", "English"),
        ("What is my budget?", "answer language: Chinese", "[1] My budget is 400 euros.", "Chinese"),
        ("我的预算是多少？", "answer language: English", "[1] 我的预算是四百欧元。", "English"),
        ("我的预算是多少？", "name: Ann", "[1] My budget is 400 euros.", "Chinese"),
        ("高橋先生との面談はいつですか？", "name: Ann", "[1] 高橋先生との面談は５月１４日です。", "Japanese"),
    ],
)
def test_a_model_is_told_where_it_might_stray(question: str, entry: str, text: str, name: str) -> None:
    assert named(question, context(entry, text=text)) == name
    last = prompted(question, text, name).messages[1][1].splitlines()[-1]
    assert last.endswith(f"answer in {name} unless a standing order says otherwise" if name else " end")


def test_a_question_too_short_to_tell_is_answered_in_the_language_of_what_was_said() -> None:
    said = Piece(1, ("m1",), "user", "Ich möchte wissen, ob das Messer aus dem Laden gut ist.")
    german = replace(context(), parts=(Filled("", "", (1,), 0, (said,)),))
    for question, code in (("Isst Malte Fisch?", "de"), ("What does the knife cost?", "en")):
        assert words(question, german) == frame(code)
    assert words("Isst Malte Fisch?", context()) == frame("en")
