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
   - Lua scripts
2. **Expiry**: let the counters end after 15 minutes.

I hope that this helps, and wish you all the best with what you have planned for the rest of it."""
PARTS = st.sampled_from(
    [
        "# Heading\n",
        "1. one\n",
        "- two: 2\n",
        "  - three\n",
        "**Four**: 4\n",
        "words. ",
        "\n",
        "```\n# x\n```\n",
        "一、",
    ]
)


def test_headings_and_items_are_shown_without_their_marks_and_what_is_left_out_is_marked() -> None:
    assert outline(ANSWER, 200) == (
        "… Step 1: Install Redis … Step 2: Configure … Atomic operations … use them against races. … Lua scripts "
        "… Expiry … let the counters end after 15 minutes. …"
    )


def test_headings_come_before_items_and_these_before_what_is_said_of_them() -> None:
    assert outline(ANSWER, 50) == "… Step 1: Install Redis … Step 2: Configure …"
    assert outline(ANSWER, 80) == "… Step 1: Install Redis … Step 2: Configure … Atomic operations … Expiry …"


def test_what_holds_a_figure_or_a_name_is_said_of_an_item_before_other_words() -> None:
    assert outline(ANSWER, 150) == (
        "… Step 1: Install Redis … Step 2: Configure … Atomic operations … Lua scripts "
        "… Expiry … let the counters end after 15 minutes. …"
    )


def test_an_item_s_number_tells_no_two_apart() -> None:
    assert (
        outline("- **Task 1**: dig\n- **Task 2**: plant\n" + "Words. " * 9, 60) == "… Task 1 … dig … plant …"
    )


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
