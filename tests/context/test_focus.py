from __future__ import annotations

import re

from hypothesis import example, given
from hypothesis import strategies as st

from memfold.context.focus import MARK, Focus, _where, cut_up
from memfold.retrieve.query import pose
from memfold.text.units import KEPT
from support.retrieve_samples import conversation, encode, episodes

SAID = episodes(conversation(["I planned a trip to Porto", "My budget is fixed", "We talked about kayaks"]))
FILLER = "Some more words about nothing in particular, as they come. "
PARTS = st.sampled_from(
    [
        "The kayak costs 1,250 euros. ",
        "My budget, as I said, is small; ",
        "和预算有关。",
        FILLER,
        "```py\nx = 1\n```\n",
        "\n\n",
    ]
)


def focus(question: str, *orders: str) -> Focus:
    return Focus.of(pose(question, encode), SAID, orders)


def stretches(shown: str) -> list[str]:
    return [part.strip() for part in shown.split(MARK) if part.strip()]


@given(st.lists(PARTS | st.text(), max_size=30).map("".join), st.integers(1, 400))
@example("0" + "\n" * 6 + "Some more words about nothing in particular, as they come.", 52)
def test_what_is_shown_fits_and_is_the_message_s_own_words_in_order(text: str, room: int) -> None:
    text = text.replace(MARK, "")
    asked = focus("How much does the kayak in my budget cost? 预算是多少？")
    shown, line = asked.cut(text, room), asked.line(text, room)
    assert len(shown) <= room
    assert len(line) <= room
    assert "\n" not in line
    place = 0
    for part in stretches(shown):
        place = text.index(part, place) + len(part)
    if MARK not in shown:
        assert shown == text.strip()
    flat, place = " ".join(text.split()), 0
    bare = "".join(flat.split())
    for part in stretches(line):
        piece = "".join(part.split())
        place = bare.index(piece, place) + len(piece) if "```" not in text else place


@given(st.lists(PARTS | st.text(), max_size=30).map("".join), st.integers(1, 400))
def test_steps_fit_and_are_the_message_s_own_words(text: str, room: int) -> None:
    text = text.replace(MARK, "")
    shown = focus("How did I plan the kayak in my budget?").steps(text, room)
    assert len(shown) <= room
    assert "\n" not in shown
    bare = "".join(text.split())
    assert all("".join(part.split()) in bare for part in stretches(shown)) or "```" in text


def test_steps_are_headings_and_what_bears_on_the_question_and_fill_the_room() -> None:
    parts = [f"### Part {n}\n{FILLER * 6}\n" for n in range(1, 9)]
    parts[5] += "The kayak costs 1,250 euros.\n"
    shown = focus("How did I plan to pay for the kayak?").steps("".join(parts), 400)
    assert all(f"### Part {n}" in shown for n in range(1, 9))
    assert "The kayak costs 1,250 euros." in shown
    assert len(shown) > 300
    two = f"{FILLER * 9}\n- **First tip**\n{FILLER * 2}\n- **Second tip**\n"
    assert len(focus("How did I plan it?").steps(two, 600)) > 500


def test_the_sentence_that_bears_on_the_question_is_shown_and_not_the_opening() -> None:
    text = FILLER * 40 + "The kayak that I bought in Porto costs 1,250 euros, all told. " + FILLER * 40
    for room in (120, 300, 600):
        assert "The kayak that I bought in Porto costs 1,250 euros" in focus("What did the kayaks cost?").cut(
            text, room
        )
        assert "1,250" not in focus("What did the weather do?").cut(text, room)


def test_a_figure_is_shown_where_one_is_asked_for() -> None:
    text = (
        FILLER * 4
        + "The kayak is green and light and long. "
        + FILLER
        + "The kayak weighs 18 kg. "
        + FILLER * 4
    )
    assert "18 kg" in focus("How much does the kayak weigh?").cut(text, 100)
    assert "18 kg" in focus("How heavy was it, the kayak, and how many of them?").cut(text, 60)


def test_the_number_of_an_item_or_a_heading_is_no_figure() -> None:
    items = [
        f"{mark} The hull of the kayak\n" for mark in ("1.", "  2)", "#### 3.", "- **4:", "Step 5:", "> 6、")
    ]
    assert cut_up("\n".join(items), 40).figures == (False,) * len(items)
    assert cut_up("1. The hull weighs 18 kg\n\n- 2024.5 was a version", 40).figures == (True, True)


def test_what_a_standing_order_wants_in_the_answer_is_looked_for_too() -> None:
    text = FILLER * 4 + "Its version is 2.3.1. " + FILLER * 4
    asked = "Which libraries do we use?"
    assert "2.3.1" not in focus(asked).cut(text, 60)
    assert "2.3.1" in focus(asked, "Always include version numbers when I ask about libraries").cut(text, 60)
    assert "2.3.1" not in focus(asked, "Always answer in bullet points").cut(text, 60)


def test_a_request_gives_way_to_what_states_something() -> None:
    text = (
        FILLER * 4 + "Can you help me with the kayak? " + FILLER * 4 + "The kayak leaks at the bow. " + FILLER
    )
    assert "leaks" in focus("What of the kayak?").cut(text, 60)


def test_every_stretch_left_out_is_marked() -> None:
    text = FILLER * 3 + "The kayak is green. " + FILLER * 3
    assert focus("Is the kayak green?").cut(text, 30) == "… The kayak is green. …"


WORDS = st.sampled_from(
    ["budget", "budgeting", "a_budget", "2024-03", "03", "city", "cities", "ci", "x", " ", "-", "."]
)


@given(
    st.lists(WORDS | st.text(max_size=3), max_size=40).map("".join),
    st.sets(WORDS.filter(str.isalnum), min_size=1),
)
def test_words_begin_where_a_pattern_of_them_all_finds_them(text: str, beginnings: set[str]) -> None:
    pattern = re.compile(rf"(?<![^\W_])(?:{'|'.join(map(re.escape, sorted(beginnings)))})")
    assert list(_where(text, beginnings)) == [match.start() for match in pattern.finditer(text)]


def test_what_is_kept_of_texts_is_bounded() -> None:
    for number in range(KEPT + 10):
        cut_up(f"text {number}", 100)
    assert cut_up.cache_info().currsize <= KEPT


def test_a_very_long_word_is_found_by_how_it_begins() -> None:
    focus = Focus({}, ("a" * 20_000, "kayak"))
    assert focus._beginnings == ("a" * 40, "kayak")


def test_a_beginning_finds_what_begins_with_it() -> None:
    assert Focus({}, ("kayaking", "kayak", "kayaks", "oak"))._beginnings == ("kayak", "oak")


def test_what_stands_before_and_behind_what_bears_on_the_question_comes_next() -> None:
    parts = [f"Sentence {name} is about the weather at large. " for name in "abcdefgh"]
    parts[4] = "The kayak leaks at its bow again. "
    shown = focus("Where does the kayak leak?").cut("".join(parts), 150)
    assert "Sentence d" in shown
    assert "Sentence f" in shown
