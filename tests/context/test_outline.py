from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memfold.context.focus import MARK
from memfold.context.outline import outline

ANSWER = """Certainly! Let us go through it, with all that belongs to it and a little more than that.

### Step 1: Install Redis
Some words about how it is done, which go on for longer than anybody would like to read them.

```sh
# brew install redis
```

### Step 2: Configure
1. **Atomic operations**: use them against races.
2. **Expiry**: let the counters end after 15 minutes.

I hope that this helps, and wish you all the best with what you have planned for the rest of it."""
PARTS = st.sampled_from(
    ["# Heading\n", "1. one\n", "- two\n", "**Three**: 3\n", "words. ", "\n", "```\n# x\n```\n", "一、"]
)


def test_headings_and_items_are_shown_and_what_stands_between_them_is_marked() -> None:
    assert outline(ANSWER, 200) == (
        "… ### Step 1: Install Redis … ### Step 2: Configure 1. **Atomic operations**: use them against races. "
        "2. **Expiry**: let the counters end after 15 minutes. …"
    )


def test_what_does_not_fit_is_left_out_behind_the_first_points() -> None:
    assert outline(ANSWER, 90) == "… ### Step 1: Install Redis … ### Step 2: Configure …"


def test_chinese_headings_and_items_are_told_by_their_marks() -> None:
    text = "".join(f"{mark}要点\n{'说明文字很长很长。' * 9}\n" for mark in ("一、", "1、", "（二）", "2. "))
    shown = outline(text, 150)
    assert [mark for mark in ("一、", "1、", "（二）", "2. ") if f"{mark}要点" in shown] == [
        "一、",
        "1、",
        "（二）",
        "2. ",
    ]


def test_a_text_without_points_is_shown_by_its_first_sentences() -> None:
    plain = "The kayak is green. " * 20
    assert outline(plain, 60).startswith("The kayak is green. The kayak is green.")
    assert outline("```py\nx = 1\n```", 60) == "```py x = 1 ```"
    assert outline("", 60) == ""


@given(st.lists(PARTS | st.text(), max_size=20).map("".join), st.integers(1, 300))
def test_it_fits_and_is_the_message_s_own_words_in_order(text: str, room: int) -> None:
    text = text.replace(MARK, "")
    shown = outline(text, room)
    assert len(shown) <= max(room, 1)
    assert "\n" not in shown
    bare, place = "".join(text.split()), 0
    for part in shown.split(MARK):
        piece = "".join(part.split())
        place = bare.index(piece, place) + len(piece) if "```" not in text else place
