"""What the rules read of what the user thinks of things: sentences by hand, and made-up ones whose truth is known."""

from __future__ import annotations

import time

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


def moods(text: str) -> list[tuple[str | None, float]]:
    (found,) = Rules().extract([Window("c", 0, (("user", text),), (), "en", None)])
    return [(note.about, note.polarity or 0.0) for note in found.notes if note.kind == "sentiment"]


@pytest.mark.parametrize(
    ("text", "about"),
    [
        # How somebody is says nothing of how good a thing is.
        ("I'm worried about my dad.", None),
        ("I'm so nervous about the driving test.", None),
        ("We were overwhelmed by the applause and the flowers.", None),
        ("I'm a bit confused about the second lemma.", None),
        ("I'm stressed with the thesis.", None),
        ("I feel confident about the exam.", None),
        ("I'm still struggling with the left-hand chords.", None),
        ("I'm no longer anxious about the flight.", None),
        ("I'm sad about the funeral.", None),
        ("我对考试感到紧张。", None),
        ("我对新工作很有信心。", None),
        # These judge it.
        ("I'm disappointed with the new tent.", "tent"),
        ("We're really happy with our kitchen.", "kitchen"),
        ("I'm tired of the commute.", "commute"),
        ("I'm not satisfied with the repair.", "repair"),
        ("I'm excited about the concert.", "concert"),
        ("I'm proud of my garden.", "garden"),
        ("我对这家酒店很失望。", "酒店"),
        ("我对新房子很满意。", "房子"),
        # What is done or happens, and where, is not what is judged; nor is who one is cross with for once.
        ("I'm excited to paint the fence.", None),
        ("I'm thrilled that my essay and the poem were printed.", None),
        ("I was bored at the airport.", None),
        ("I'm annoyed with my son.", None),
        ("I'm happy with the progress.", None),
        ("I'm so happy for my cousin.", None),
        ("I'm grateful for our allotment.", "allotment"),
        ("I'm excited for the concert.", "concert"),
        ("I'm grateful for those moments.", None),
    ],
)
def test_a_feeling_judges_a_thing_only_by_a_word_that_judges(text: str, about: str | None) -> None:
    """The note stays in any case."""
    assert [of for of, _ in moods(text)] == [about]


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("My daughter is allergic to peanuts.", 0),
        ("My passport and tickets are ready for the trip.", 0),
        ("My son is 7 and loves trains.", 0),
        ("The library is missing from the list.", 0),
        ("The game is free on Sundays.", 0),
        ("My brother is dead tired.", 0),
        ("My office is safe now.", 0),
        ("My sister is good at chess.", 0),
        ("My knee feels awful after the run.", 0),
        ("My son's grades are terrible.", 0),
        ("My heart rate is excellent.", 0),
        ("My handbag is excellent.", 1),
        ("My memory foam mattress is excellent.", 1),
        ("My team is kind of alone.", 0),
        ("My bag is pretty safe.", 0),
        ("My flat is important to me.", 0),
        ("The report says that the hotel is awful.", 0),
        ("My laptop's memory is terrible.", -1),
        ("The engine of my car is terrible.", -1),
        ("The hotel was dangerous.", -1),
        ("My sister is kind.", 1),
        ("My dog is absolutely adorable.", 1),
        ("The park is not bad at all.", 1),
        ("The hotel was loud and dreadful.", -1),
        ("The film was not very good.", -1),
        ("I found the museum pretty dull.", -1),
        ("这家酒店可以带狗。", 0),
        ("6月3日可以喜欢上它。", 0),
        ("这家酒店的早餐还可以。", 1),
        ("这台电脑可以的。", 1),
    ],
)
def test_a_fact_is_no_verdict(text: str, sign: int) -> None:
    assert [(value > 0) - (value < 0) for _, value in moods(text)] == ([sign] if sign else [])


@pytest.mark.parametrize(
    ("text", "of"),
    [
        ("I love pizza lol", {("pizza", "")}),
        ("I like hiking btw.", {("hiking", "")}),
        ("I love this beach 😍", {("beach", "")}),
        ("I really like the museum (the old one).", {("museum", "")}),
        ("I love the really old park.", {("really old park", "")}),
        ("I love the soup of the café.", {("café", "soup")}),
        ("We loved our stay at the Lake Hotel.", {("lake hotel", "stay")}),
        ("I like the sound of the water.", {("water", "sound")}),
        ("The edge of the lake was lovely.", set()),
        ("I love the swirl of the water.", {("swirl of the water", "")}),
        ("I love the warm and cheerful manner of the nurse.", set()),
        ("I love the mountains and the sea.", {("mountains", "")}),
        ("I love the mountains and sea here.", {("mountains", "")}),
        ("I love the coffee and apple cake there.", {("coffee", "")}),
        ("I love the outcome.", set()),
        ("I hate this year.", set()),
        ("I love my ability to wait.", set()),
        ("I hate those awkward moments.", set()),
        ("I love my beginning guitar class.", {("beginning guitar class", "")}),
        ("I appreciate the thorough explanation.", set()),
    ],
)
def test_a_thing_has_a_name_that_means_something_alone(text: str, of: set[tuple[str, str]]) -> None:
    assert {(one.object, one.aspect) for one in read(text)} == of


@pytest.mark.parametrize(
    ("text", "of"),
    [
        ("Ann: I hate the garden.", {Judged("garden", "", -1)}),
        ("Ann: The children look lovely.", {Judged("children", "", 1)}),
        ("Ann: Do you like the garden?", set()),
        ("Ann: 我喜欢这个公园。", {Judged("公园", "", 1)}),
        ("Ann: 我姐姐喜欢这个公园。", set()),
        # Nobody who speaks is called that.
        ("Label: I hate the garden.", set()),
    ],
)
def test_the_name_of_who_speaks_is_no_part_of_what_they_say(text: str, of: set[Judged]) -> None:
    window = Window("c", 0, (("user", text),), (), "en", None, frozenset(["Ann"]))
    (found,) = Rules().extract([window])
    noted = [note for note in found.notes if note.kind == "sentiment"]
    assert {Judged(n.about or "", n.aspect or "", 1 if (n.polarity or 0) > 0 else -1) for n in noted} == of
    assert not any(note.text.startswith("Ann") for note in noted)


def test_reading_takes_no_longer_than_the_text_is_long() -> None:
    for piece in ("really ", "the a and ", "so very ", "shows x ", " ", "tidily and "):
        for head in ("My bag is ", "I love the ", "I'm happy with the "):
            text = head + piece * (600 // len(piece))
            began = time.perf_counter()
            moods(text)
            assert time.perf_counter() - began < 0.5
