"""Tokens are Qwen2.5's, counted with its own vocabulary."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memfold.text import tokens


@pytest.mark.parametrize(
    ("text", "count"),
    [("", 0), ("hello", 1), ("Hello, world!", 4), ("12345", 5), ("你好", 1), ("\x00", 1)],
)
def test_counts_known_texts(text: str, count: int) -> None:
    assert tokens.count(text) == count


def test_special_tokens_are_plain_text() -> None:
    assert tokens.count("<|im_start|>") > 1
    assert tokens.count("<|endoftext|>") > 1


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=200))
def test_any_text_has_as_many_tokens_as_bytes_at_the_most(text: str) -> None:
    assert (text != "") <= tokens.count(text) <= len(text.encode())
