"""Hashes of terms are those of a text's runs, however they are found."""

from __future__ import annotations

from itertools import chain
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memfold.text import terms

WORDS = st.sampled_from(
    [
        "Deploys",
        "v1.2.0",
        "1,200",
        "x_y",
        "10:30",
        "don't",
        "\x1c",
        "\u3000",
        "\u33a2",
        "naïve",
        "预算",
        "=>",
        "a" * 40,
    ]
)


@given(st.lists(WORDS | st.text(max_size=12), max_size=30), st.sampled_from([" ", "\n", "", "\x1f"]))
def test_words_kept_with_their_hashes_give_those_of_the_text(words: list[str], blank: str) -> None:
    text = blank.join(words)
    assert terms.hashes(text).tolist() == list(chain.from_iterable(map(terms.run_hashes, terms.runs(text))))
    assert list(terms.terms(text)) == list(chain.from_iterable(map(terms._terms, terms.runs(text))))


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("किराया बारह हज़ार है", "किराया"),
        ("ভাড়া বারো হাজার", "ভাড়া"),
        ("שָׁלוֹם עולם", "שלום"),
        ("السَّلَامُ عليكم", "السلام"),
        ("الســلام عليكم", "السلام"),
        ("می\u200cروم خانه", "میروم"),
        ("DİYARBAKIR 2024", "Diyarbakır"),
        ("STRASSE 5", "Straße"),
        (normalize("NFD", "José M̄aria"), "josé"),
    ],
)
def test_a_word_is_one_term_however_its_vowels_are_written(said: str, asked: str) -> None:
    (term,) = terms.terms(asked)
    assert next(terms.terms(said)) == term
    assert len(list(terms.terms(said))) == len(said.split())
    assert terms.has_terms(asked)
