from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memfold.text.units import joined, units

TEXT = st.lists(
    st.sampled_from(
        [
            "word",
            "12,500 euros",
            "then",
            ". ",
            ", ",
            "; ",
            "\n",
            "\n\n",
            "```",
            "。",
            "，",
            "预算是",
            " ",
            "x" * 90,
            "- a",
        ]
    ),
    max_size=40,
).map("".join)


@given(TEXT | st.text(), st.integers(1, 120))
def test_units_are_in_order_fit_and_hold_all_but_white_space(text: str, longest: int) -> None:
    found = list(units(text, longest))
    assert all(start < end for start, end in found)
    assert all(end <= start for (_, end), (start, _) in pairwise(found))
    assert "".join("".join(text[a:b].split()) for a, b in found) == "".join(text.split())
    # A stretch without a place to cut is taken by 200 characters.
    assert all(end - start <= max(longest, 200) for start, end in found)
    assert [place for place in joined(found, longest) if place[1] - place[0] > max(longest, 200)] == []


@pytest.mark.parametrize(
    ("text", "longest", "expected"),
    [
        ("One. Two.", 20, ["One. Two."]),
        ("0\x1e\r0", 1, ["0", "0"]),
        (
            "It ends here. The next begins, and goes on",
            20,
            ["It ends here.", "The next begins,", "and goes on"],
        ),
        ("Costs are 12,500 euros a year, all told", 32, ["Costs are 12,500 euros a year,", "all told"]),
        ("预算是一万二千元，会议在三月。然后呢", 10, ["预算是一万二千元，", "会议在三月。", "然后呢"]),
        ("- one\n- two\n\nnext", 11, ["- one\n- two", "next"]),
        ("See:\n```py\na = 1\n\nb = 2\n```\nso", 25, ["See:", "```py\na = 1\n\nb = 2\n```", "so"]),
        ("It is:\n\\[\n6/36 = 1/6\n\\]\nso", 22, ["It is:", "\\[\n6/36 = 1/6\n\\]", "so"]),
        ("```py\na = 1\nb = 2\n```", 8, ["```py", "a = 1", "b = 2", "```"]),
        ("", 10, []),
    ],
)
def test_a_unit_ends_where_something_ends(text: str, longest: int, expected: list[str]) -> None:
    assert [text[start:end] for start, end in units(text, longest)] == expected


@pytest.mark.parametrize("character", ["กี่", "👨\u200d👩\u200d👧", "e\u0301", "❤\ufe0f"])
def test_no_character_is_cut_from_what_is_drawn_with_it(character: str) -> None:
    text = "xyz"[: len(character) - 1] + character * 200
    found = [text[start:end] for start, end in units(text, 200)]
    assert "".join(found) == text
    assert len(found) > 1
    assert all(each == character * (len(each) // len(character)) for each in found[1:])
