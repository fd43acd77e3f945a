from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memfold.layers.episodic import schema
from memfold.retrieve.episodes import Episodes, in_order, neighbourhoods
from memfold.retrieve.lexical import BM25
from memfold.schema import Role
from memfold.text.terms import hashed
from support.retrieve_samples import DIMENSION, conversation, episodic, message, view


def test_rows_hold_the_users_words_and_only_count_the_assistants() -> None:
    system = message(0, 0, "system", "Be brief.")
    asked = [message(1, 0, "user", "Where is it?"), message(2, 0, "assistant", "There.")]
    table = episodic([system, *asked])
    assert table.schema == schema(DIMENSION)
    (row,) = table.drop_columns(["vector", "terms", "counts"]).to_pylist()
    assert row == {
        "segment": "s",
        "exchange_id": 0,
        "conversation_id": "c",
        "message_ids": ["m0", "m1", "m2"],
        "time": None,
        "utc_offset": None,
        "user_text": "Where is it?",
        "characters": len("Be brief.") + len("There."),
    }


def test_an_exchange_without_user_is_keyed_by_what_the_assistant_says() -> None:
    table = episodic([message(0, 0, "assistant", "Welcome."), message(1, 0, "tool", "ok")])
    assert table["user_text"].to_pylist() == ["Welcome."]
    assert table["characters"].to_pylist() == [2]


@pytest.mark.parametrize(
    ("roles", "keyed"),
    [
        (("system", "assistant"), [0]),
        (("system", "system", "assistant", "tool"), [0, 1]),
        (("assistant", "system", "assistant"), [0]),
        (("tool", "assistant", "assistant", "tool", "assistant"), [1, 2]),
        (("tool", "tool"), [0]),
    ],
)
def test_without_a_user_whoever_speaks_first_stands_for_the_exchange(
    roles: tuple[Role, ...], keyed: list[int]
) -> None:
    said = [message(n, 0, role, f"words {n}") for n, role in enumerate(roles)]
    assert episodic(said)["user_text"].to_pylist() == ["\n".join(f"words {n}" for n in keyed)]
    assert view(said).unspoken == {0: roles[keyed[0]]}


def test_an_agent_that_works_alone_is_cited_by_what_it_begins_and_ends_with() -> None:
    work: list[Role] = ["assistant", "tool"] * 300
    said = [message(n, 0, role, f"step {n}") for n, role in enumerate(work)]
    assert episodic(said)["message_ids"].to_pylist() == [["m0", "m598"]]


def test_branches_that_are_not_shown_are_left_out() -> None:
    shown = message(0, 0, "user", "kept")
    hidden = [
        replace(message(1, 0, "user", "dropped"), current=False),
        replace(message(2, 1, "user", "x"), current=False),
    ]
    table = episodic([shown, *hidden])
    assert table["message_ids"].to_pylist() == [["m0"]]
    assert table["user_text"].to_pylist() == ["kept"]


def test_speakers_and_attachments_are_part_of_what_is_searched() -> None:
    said = replace(message(0, 0, "user", "look"), speaker="Ann", attachments=("a photo of a dog",))
    assert episodic([said])["user_text"].to_pylist() == ["Ann: look [attached: a photo of a dog]"]


def test_the_time_is_the_first_that_is_known() -> None:
    noon = datetime(2024, 3, 1, 12, tzinfo=UTC)
    table = episodic([message(0, 0, "user", "a"), message(1, 0, "assistant", "b", noon)])
    assert table["time"].to_pylist() == [noon]


def test_no_messages_give_no_rows_and_an_empty_conversation() -> None:
    table = episodic([])
    assert table.schema == schema(DIMENSION)
    assert len(Episodes.from_table(table)) == 0


def test_episodes_from_rows_in_any_order_and_chunking() -> None:
    said = conversation(["apple pear", "pear plum", "quince apple", "melon"])
    table = episodic(said)
    shuffled = pa.concat_tables([table.slice(3), table.slice(1, 2), table.slice(0, 1)])
    one, other = Episodes.from_table(table), Episodes.from_table(shuffled)
    assert other.exchange_id.tolist() == [0, 1, 2, 3]
    assert other.user_text == one.user_text == ["apple pear", "pear plum", "quince apple", "melon"]
    assert other.message_ids == one.message_ids
    assert np.array_equal(other.vectors, one.vectors)
    asked = hashed("apple")[0]
    assert other.bm25.score(asked).tolist() == BM25(one.bags).score(asked).tolist()
    assert str(one.time[1]).startswith("2024-03-02")


def test_a_sliced_table_brings_only_its_own_terms() -> None:
    table = episodic(conversation(["apple", "pear", "plum"]))
    tail = Episodes.from_table(table.slice(1))
    assert [tail.position(2), len(tail)] == [1, 2]
    assert tail.bm25.score(hashed("apple pear")[0])[1] == 0
    for look in (tail.position, tail.day_of, tail.ids_of):
        with pytest.raises(KeyError, match="no exchange 0"):
            look(0)


def day(n: int | None) -> np.datetime64:
    return (
        np.datetime64("NaT", "us")
        if n is None
        else np.datetime64("2024-01-01", "us") + np.timedelta64(n, "D")
    )


@given(st.lists(st.one_of(st.none(), st.integers(0, 30)), max_size=12))
def test_nothing_was_said_after_what_follows_it_and_most_times_stay(days: list[int | None]) -> None:
    time = np.array([day(n) for n in days], "datetime64[us]")
    repaired = in_order(time)
    assert np.array_equal(np.isnat(repaired), np.isnat(time))
    known, right = time[~np.isnat(time)], repaired[~np.isnat(repaired)]
    assert (right[:-1] <= right[1:]).all()
    assert set(right.tolist()) <= set(known.tolist())
    # The longest sequence that does not fall, counted by its definition.
    longest = list[int]()
    for place, one in enumerate(known):
        longest.append(1 + max((longest[i] for i in range(place) if known[i] <= one), default=0))
    assert (right == known).sum() >= max(longest, default=0)


@pytest.mark.parametrize(
    ("given_as", "expected"),
    [
        ([90, 10, None, 20], [10, 10, None, 20]),  # an opening that is too late
        ([10, 20, 90, 30, 40], [10, 20, 30, 30, 40]),
        ([10, 20, 0, 30, 40], [10, 20, 30, 30, 40]),  # one that is too early moves no other
        ([0, 10, 20], [0, 10, 20]),
        ([10, 20, 30, 1, 2], [10, 20, 30, 30, 30]),  # older messages that were put behind the rest
        ([10, None, 5, 6, 7], [5, None, 5, 6, 7]),
        ([], []),
    ],
)
def test_a_time_out_of_order_is_taken_from_its_neighbour(
    given_as: list[int | None], expected: list[int | None]
) -> None:
    repaired = in_order(np.array([day(n) for n in given_as], "datetime64[us]"))
    assert np.array_equal(repaired, np.array([day(n) for n in expected], "datetime64[us]"), equal_nan=True)


@given(st.lists(st.integers(0, 500), max_size=20), st.integers(0, 600), st.integers(0, 3))
def test_neighbourhoods_hold_their_centre_and_stop_when_there_is_enough(
    sizes: list[int], enough: int, reach: int
) -> None:
    windows = neighbourhoods(np.array(sizes, np.int64), enough, reach)
    for i, (first, last) in enumerate(windows.tolist()):
        assert max(0, i - reach) <= first <= i <= last <= min(len(sizes) - 1, i + reach)
        if first < last:
            # Whichever end was taken last, there was not enough before it.
            assert sum(sizes[first + 1 : last]) < enough
