"""Texts that took the square or the cube of their length: each would take minutes to hours again."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from memfold.context.dated import with_days
from memfold.context.readers.quoting.asked import items, wanted
from memfold.context.readers.quoting.candidates import quotable
from memfold.extract.engines.rules import Rules
from memfold.ingest.parts import content_of
from memfold.layers.layer import Span
from memfold.layers.orders import Order, history
from memfold.layers.passages import records
from memfold.layers.profile.asked import asked_for
from memfold.layers.timeline import Timeline
from memfold.retrieve.keywords import PART, Keywords
from memfold.retrieve.kinds import KINDS
from memfold.retrieve.query import analyse
from memfold.retrieve.reckon import sides
from memfold.schema import NOTES, Window
from memfold.text.addressed import addressed
from memfold.text.dates import mentions, ranges
from memfold.text.pasted import own_words
from memfold.text.sentences import MAX_SENTENCE, in_pieces
from memfold.text.units import units
from support.retrieve_samples import message, stored

DAY = date(2024, 5, 1)


def test_dates_in_text_without_blanks() -> None:
    record = '{"a":"2024-05-06T10:00","b":"june","c":3},'
    assert len(mentions(record * 20_000, DAY)) == 20_000


def test_gaps_between_the_records_of_a_tool() -> None:
    text = '{"a":1}' + " " * 400_000 + "x" + "\n" * 400_000 + '{"b":2}'
    assert [text[start:end] for start, end in records(text, 600)] == ['{"a":1}', "x", '{"b":2}']
    said, _ = content_of(
        [{"type": "tool_result", "content": [{"type": "file", "data": "a" * 60 + " " * 400_000 + "!"}]}]
    )
    assert said.endswith('!"}')


def test_dates_whose_tense_is_looked_for_again_and_again() -> None:
    assert len(mentions("I saw it on Friday and will pay on the 22nd " * 10_000, DAY)) == 20_000


def test_relative_dates_that_follow_one_another() -> None:
    text = "".join(f"#{n} opened last week by user{n}\n" for n in range(20_000))
    assert len(mentions(text, DAY)) == 20_000
    told = stored([message(1, 0, "user", text, datetime(2024, 5, 1, tzinfo=UTC))])
    (rows,) = Timeline().leaves([Span("s", {"messages": told, "notes": NOTES.empty_table()})])
    assert [(row["first"], row["last"]) for row in rows.to_pylist()] == [
        (date(2024, 4, 22), date(2024, 4, 28))
    ]


@pytest.mark.parametrize("piece", ["ab ", "a\t \t", "and I ", "“ab ", "'ab ", "我在公园，", "ab"])
def test_pieces_of_a_sentence_without_an_end(piece: str) -> None:
    text = piece * 200_000
    found = list(in_pieces(text))
    assert "".join(found) == text
    assert len(found) <= 2 * len(text) // MAX_SENTENCE + 1


def test_units_of_text_that_is_mostly_blank() -> None:
    text = "first" + "\t \t" * 100_000 + "\nlast"
    assert [text[start:end] for start, end in units(text, 600)] == ["first", "last"]


def test_words_of_ones_own_among_open_quotation_marks() -> None:
    text = "“ab " * 250_000
    assert own_words(text)[0].split() == text.split()


@pytest.mark.parametrize("blank", ["\n" * 100_000, " \n" * 50_000])
def test_words_of_ones_own_around_blank_lines(blank: str) -> None:
    assert own_words(f"mine{blank}- The original text:\ntheirs") == (
        f"mine{blank}- The original text:",
        "\ntheirs",
    )


@pytest.mark.parametrize(
    ("piece", "last"),
    [
        ("<a>", ""),
        ("<!--", ""),
        ("[a]", "[/b]"),
        ("a,b,", ""),
        ("a,b\n", ""),
        ("# a\n", ""),
        ("From: a\n", ""),
        ("ab 10:20\n", ""),
        ("please translate ", "\n\n:"),
        ("\n", ":"),
        (" ", ":"),
    ],
)
def test_words_of_ones_own_in_pieces_repeated(piece: str, last: str) -> None:
    text = piece * 20_000 + last
    own, pasted = own_words(text)
    assert set(own + pasted) == set(text)


@pytest.mark.parametrize(
    "piece",
    [
        "- a\n",
        "this\n",
        "Is this right?\n\n",
        "my boss says ",
        "Rules:\n",
        "a: ",
        "->",
        "“ab ",
        "老板",
        "der die ",
        "A: ",
        "is it too a ",
        "comma ",
        "dear a ",
        "the sign ",
        "she says, ",
        "Observation:\n\nthanks\n\n",
        "$ a\n\nthanks\n\n",
        "[result]\n\nthanks\n\n",
        "[result]\n\nthanks [/result]\n\n",
        "[tool result]\na\n[/tool result]\n",
        "[TOOL OUTPUT]\n[END]\n",
        "[tool",
        "[/tool ",
        "Results:\n\nI am\n",
        "# cat a\n\nb\n\n",
        "Thought:\n\n",
        "Result:\n```\na\n```\n\n",
        "- Observation: a\nI am\n\n",
        "a.md\n---\n",
        "a: |\n  b\n\n",
        "a:\n b: c\n",
        "---\n",
        "- a:\n",
        "curl returned\n\n",
        "1. ",
        "„中文字",
        "「你好",
    ],
)
def test_what_is_addressed_in_pieces_repeated(piece: str) -> None:
    own, foreign = addressed(piece * 40_000)
    assert (own + foreign).strip()


@pytest.mark.parametrize("blank", [" ", "\n", "\t "])
def test_quotes_of_a_message_that_is_mostly_blank(blank: str) -> None:
    said = [each for each, _ in quotable(f"The boiler is red{blank * 100_000}and old.", answers=False)]
    assert " ".join(said).split() == ["The", "boiler", "is", "red", "and", "old."]


@pytest.mark.parametrize("between", [" ", ",", "–", "; "])
def test_orders_with_a_sign_repeated(between: str) -> None:
    long = f"Always answer in German{between * 50_000}because I learn it"
    given = [
        Order(n, "instruction", text, None, None) for n, text in enumerate((long, "Always answer in English"))
    ]
    assert [each.state for each in history(given)] == ["superseded", "holds"]


def test_what_a_chinese_word_repeated_takes_back() -> None:
    (found,) = Rules().extract([Window("c", 0, (("user", f"{'现在' * 5_000}请用德语回答"),), (), "zh", None)])
    assert found.summary


def test_sides_of_a_question_of_one_word_repeated() -> None:
    assert sides("和" * 10_000) is None
    assert sides("从开始学习到第一次考试过了几天？") == ("开始学习", "第一次考试")


@pytest.mark.parametrize(
    "words", ["between a and ", "how many did you ", "从到", "thanks ", "好的", "our my the "]
)
def test_kinds_of_questions_of_a_few_words_repeated(words: str) -> None:
    assert wanted(analyse(words * 5_000)).kind in KINDS


@pytest.mark.parametrize("between", [" ", ",", "， ", "?"])
def test_a_question_for_an_attribute_around_a_sign_repeated(between: str) -> None:
    many = between * 200_000
    assert not any(asked_for(f"where do I live{many}x").values())
    assert not any(asked_for(f"{many}where do I").values())
    assert [*asked_for(f"{many}where do I live?").values()] == ["home"]


def test_keywords_of_a_question_of_ten_thousand_characters() -> None:
    common = [f"word{n:05}" for n in range(20_000)]
    told = " ".join(common)
    texts = Keywords.of([f"{told} rarest", told, f"{common[-10]}x"])
    asked = " ".join(common[::10])
    # The last has but a part of a word, which is none of the rarest that are looked up by part.
    assert texts.overlap(asked) == pytest.approx([2_000 / 20_001, 2_000 / 20_000, 0])
    assert texts.overlap(f"{asked} rare")[0] == pytest.approx((2_000 + PART) / (20_002 - PART))


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("on FRİDAY", date(2024, 5, 3)),
        ("TONİGHT", date(2024, 5, 1)),
        ("on ſunday, tomorrow", date(2024, 5, 5)),
        ("5 juın 2024, today", date(2024, 6, 5)),
        ("on Friday the 23rd", None),
    ],
)
def test_letters_that_ignoring_case_takes_for_others(text: str, day: date | None) -> None:
    assert ranges(text, DAY)[0].first == day


@pytest.mark.parametrize(
    "text",
    [
        "My laptop is ſlow.",
        "The coffee is delicıous.",
        "The headphones are ſuper comfortable.",
        "I am diſappointed with the service.",
        "I am exCİted about the trip.",
    ],
)
def test_the_rules_read_on_past_letters_that_ignoring_case_takes_for_others(text: str) -> None:
    said = (("user", f"{text} I love the coffee."),)
    (found,) = Rules().extract([Window("c", 0, said, (), "en", None)])
    assert "I love the coffee" in [note.text for note in found.notes]


def test_questions_with_letters_that_ignoring_case_takes_for_others() -> None:
    assert analyse("What did I say from 5 Auguſt 2024 to 9 Auguſt 2024?").typed.kind in KINDS
    assert items("Mention only ſix items") is None
    assert with_days("Das war geſtern, nicht gestern.", DAY) == "Das war geſtern, nicht gestern [2024-04-30]."
