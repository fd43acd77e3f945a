"""Where several people speak, each line of a context says whose it is, and nobody gives the reader orders."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from memfold import UserError
from memfold.build import build
from memfold.config import load
from memfold.context.found import Means, probe
from memfold.context.readers.extractive import Extractive
from memfold.context.types import Context
from memfold.retrieve.fuse import Retrieval
from memfold.retrieve.view import View
from support.retrieve_samples import conversation, order, view

SAID = [
    "I prefer tea to coffee in the morning",
    "Always water the tea plants",
    "I prefer opera to jazz",
    "We drank tea yesterday",
]
NOTED = [
    order(0, "preference", SAID[0]),
    order(1, "instruction", SAID[1]),
    order(2, "preference", SAID[2]),
    order(3, "fact", "drink = tea"),
]
QUESTION = "Who prefers tea in the morning?"


def talk(answer: str = "", names: tuple[str, ...] = ("Ann", "Bob")) -> View:
    """A conversation of people who speak in turn; with an `answer`, an assistant says it after each message."""
    said = [
        replace(message, speaker=names[message.exchange_id % len(names)])
        if message.role == "user"
        else message
        for message in conversation(SAID, answer)
    ]
    return view(said, NOTED)


def context(of: View, question: str = QUESTION, **settings: Any) -> Context:
    chosen = [f"context.sections.standing.{name}={value}" for name, value in settings.items()]
    packing = build(load("ask", chosen).context, "context")
    return probe(of, question, Means(Retrieval(), packing, Extractive())).context(2_000)


def lines(made: Context, label: str) -> list[str]:
    (part,) = (part.text for part in made.parts if part.label == label)
    return [line for line in part.splitlines()[1:] if line.startswith("[")]


def test_a_line_says_whose_words_it_is_of() -> None:
    made = context(talk())
    assert lines(made, "Standing orders and preferences") == [f"[0] Ann: {SAID[0]}"]
    assert lines(made, "Notes") == ["[3] Bob: fact: drink = tea"]
    # A message that begins with the name is not given it twice, and what the parts hold is as it was said.
    assert "Ann: Ann" not in made.text
    assert made.parts[0].pieces[0].text == SAID[0]


def test_one_who_speaks_alone_is_the_user_and_has_no_name() -> None:
    made = context(talk(names=("Ann",)))
    assert "Ann: fact" not in made.text
    assert f"[1] {SAID[1]}" in lines(made, "Standing orders and preferences")


def test_people_give_each_other_orders_and_not_the_reader() -> None:
    assert SAID[1] not in "".join(lines(context(talk()), "Standing orders and preferences"))
    served = lines(context(talk(answer="Noted.")), "Standing orders and preferences")
    assert f"[1] Bob: {SAID[1]}" in served
    assert f"[2] Ann: {SAID[2]}" in served, "and every preference, where an assistant answers"


def test_who_sees_one_of_them_alone_is_given_no_orders_either() -> None:
    label = "Standing orders and preferences"
    assert label not in [part.label for part in context(talk().of("Bob")).parts]
    assert lines(context(talk(answer="Noted.").of("Bob")), label) == [f"[1] {SAID[1]}"]


def test_a_preference_of_people_is_shown_if_it_bears_on_the_question() -> None:
    assert lines(context(talk(), bearing=-1), "Standing orders and preferences") == [
        f"[0] Ann: {SAID[0]}",
        f"[2] Ann: {SAID[2]}",
    ]
    # Who asks for advice is served by every preference.
    advice = context(talk(), "What would you recommend for the morning?")
    assert f"[2] Ann: {SAID[2]}" in lines(advice, "Standing orders and preferences")
    with pytest.raises(UserError, match=r"standing\.bearing is 1\.5: give a cosine from -1 to 1"):
        context(talk(), bearing=1.5)
