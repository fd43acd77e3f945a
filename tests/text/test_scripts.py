"""How much a text may have that is cut to a length in letters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memfold.context.focus import MARK
from memfold.context.outline import outline
from memfold.context.sections.exchanges import cut, opening
from memfold.text import tokens
from memfold.text.scripts import characters

ENGLISH = "The harbour office answered that the permit for the pier costs four hundred euros a year. " * 20
CHINESE = "港务局回复说，码头的许可证每年要交四百欧元，下个月之前必须付清。" * 40


@pytest.mark.parametrize(
    ("text", "shown"),
    [("", 100), ("plain", 100), ("“naïve” café", 100), ("许可证，四百。", 35), ("날씨天気", 35)],
)
def test_a_character_that_says_what_three_letters_do_takes_their_room(text: str, shown: int) -> None:
    assert characters(text, 100) == shown


def test_of_two_scripts_the_shares_count() -> None:
    assert 35 < characters("Redis 的预算", 100) < 100


@given(st.text(), st.integers(1, 5_000))
def test_it_is_at_least_one_and_never_more(text: str, letters: int) -> None:
    assert 1 <= characters(text, letters) <= letters


@pytest.mark.parametrize("shorten", [cut, opening, outline])
def test_what_is_shown_of_a_chinese_text_has_about_as_many_tokens(shorten) -> None:  # type: ignore[no-untyped-def]
    english, chinese = (tokens.count(shorten(text, 600).strip(MARK)) for text in (ENGLISH, CHINESE))
    assert 0.6 < chinese / english < 1.7
    # As many characters have three times as many: the control.
    assert tokens.count(CHINESE[:600]) > 2 * english
