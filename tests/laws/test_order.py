"""Law 8: numbers are sorted as numbers, and time is a column."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pyarrow as pa
import pytest

import memfold
from memfold import schema
from memfold.api import Store
from memfold.layers import episodic, orders
from memfold.layers.scratchpad.tree import SCRATCHPAD
from memfold.store.catalog import SNAPSHOTS
from memfold.store.record import CONVERSATIONS
from support.given import START, chat, indexed, said, shown


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """130 exchanges in three segments; ids count down, so that no order of ids is the order of what was said."""
    root = tmp_path_factory.mktemp("order")
    indexed(root, [replace(m, message_id=str(260 - n)) for n, m in enumerate(chat(130))])
    return memfold.open(str(root))


def assert_in_order(store: Store) -> None:
    messages = list(store.messages("c"))
    assert [message.seq for message in messages] == list(range(260))
    assert [message.exchange_id for message in messages] == [n // 2 for n in range(260)]
    assert [message.message_id for message in messages] == [str(260 - n) for n in range(260)]


def test_messages_come_in_the_order_of_their_numbers(store: Store) -> None:
    assert_in_order(store)
    assert [m.seq for m in store.working("c", 10**6)] == list(range(260))


def test_control_sorted_as_strings_they_would_not(store: Store) -> None:
    messages = list(store.messages("c"))
    for name in ("seq", "exchange_id", "message_id"):
        numbers = [getattr(message, name) for message in messages]
        assert sorted(numbers, key=str) != numbers


def test_exchanges_are_found_and_cited_by_number(store: Store) -> None:
    hits = store.search("c", "What is question 101 about?", 130)
    assert sorted(hit.exchange_id for hit in hits) == list(range(130))
    assert hits[0].exchange_id == 101
    assert all(
        hit.message_ids == (str(260 - 2 * hit.exchange_id), str(259 - 2 * hit.exchange_id)) for hit in hits
    )


def test_notes_are_in_the_order_they_were_said(store: Store) -> None:
    exchanges = [item.exchange_id for item in store.scratchpad("c")]
    assert exchanges == sorted(exchanges)
    assert max(exchanges) >= 100 > min(exchanges)


def test_ids_that_look_like_numbers_are_not_sorted(tmp_path: Path) -> None:
    indexed(tmp_path, [said("first", id="10"), said("second", id="9"), said("third", id="1")])
    store = memfold.open(str(tmp_path))
    assert [message.message_id for message in store.messages("c")] == ["10", "9", "1"]
    assert [m.message_id for m in memfold.open(str(tmp_path), as_of="9").messages("c")] == ["10", "9"]


@pytest.mark.parametrize("odd", [-10_000, 90_000], ids=["too early", "too late"])
def test_one_time_that_is_wrong_shows_no_later_message_and_moves_no_day(tmp_path: Path, odd: int) -> None:
    day = 24 * 60
    times = [n * day for n in range(10)]
    times[7] = odd * 60
    indexed(tmp_path, [said(f"Trip {n} is booked.", id=f"m{n}", minute=time) for n, time in enumerate(times)])
    on_the_third = memfold.open(str(tmp_path), as_of=START + timedelta(days=2, hours=1))
    assert [message.message_id for message in on_the_third.messages("c")] == ["m0", "m1", "m2"]
    page = memfold.open(str(tmp_path)).context("c", "Which trips are booked?").text
    expected = [f"{START + timedelta(days=n):%Y-%m-%d}" for n in (0, 1, 2, 3, 4, 5, 6, 8, 9)]
    assert [line for line in page.splitlines() if line in expected] == expected


def test_of_two_files_that_overlap_in_time_no_day_lies_behind_as_of_and_all_views_agree(
    tmp_path: Path,
) -> None:
    days = [
        0,
        60,
        90,
        40,
        75,
        120,
    ]  # one file of three messages, then another that begins before the first ends
    said_on = [said(f"Trip {n} is booked.", id=f"m{n}", minute=24 * 60 * day) for n, day in enumerate(days)]
    indexed(tmp_path, said_on)
    moment = START + timedelta(days=45)
    then = memfold.open(str(tmp_path), as_of=moment)
    whole = memfold.open(str(tmp_path))
    assert [message.message_id for message in then.messages("c")] == ["m0", "m1", "m2", "m3"]
    on = dict.fromkeys(["m1", "m2", "m3"], f"{START + timedelta(days=40):%Y-%m-%d}")
    for store in (then, whole):
        pieces = store.context("c", "Which trips are booked?").pieces
        assert on.items() <= {piece.message_ids[0]: piece.day for piece in pieces if piece.day}.items()
    (one, *_), now = whole.sessions("c")[1:], whole.probe("c", "Which trips are booked?", now=moment)
    assert (one.first, one.began) == (1, START + timedelta(days=40))
    assert now.view.active(moment, timedelta(days=10)) == one


def test_numbers_are_integers_and_times_have_a_zone_in_every_table() -> None:
    tables = (
        schema.MESSAGES, schema.EXTRACTIONS, schema.NOTES, episodic.schema(4), SCRATCHPAD, orders.schema(4),
        schema.DEAD_LETTERS,
        schema.GENERATIONS, CONVERSATIONS, SNAPSHOTS,
    )  # fmt: skip
    fields = [field for table in tables for field in table]
    for field in fields:
        if field.name in ("seq", "exchange_id", "first_exchange", "last_exchange"):
            assert field.type == pa.int64()
        if pa.types.is_timestamp(field.type):
            assert field.type.tz == "UTC"
    assert {"seq", "exchange_id", "time"} <= {field.name for field in fields}


def test_a_time_is_kept_to_the_microsecond_and_by_its_clock(tmp_path: Path) -> None:
    time = datetime(2024, 2, 29, 23, 59, 59, 999_999, UTC)
    tokyo = (time + timedelta(hours=1)).astimezone(timezone(timedelta(hours=9)))
    indexed(tmp_path, [replace(said("a"), time=time), replace(said("b"), time=tokyo)])
    first, second = memfold.open(str(tmp_path)).messages("c")
    assert (first.time, second.time) == (time, tokyo)
    assert second.time is not None
    assert second.time.utcoffset() == timedelta(hours=9)
    (conversation,) = memfold.open(str(tmp_path)).conversations()
    assert (conversation.first_time, conversation.last_time) == (time, tokyo)


def test_when_it_was_said_what_it_replaced_and_when_it_happens_are_columns(tmp_path: Path) -> None:
    indexed(
        tmp_path,
        [
            said("My rent is 900 euros.", minute=0),
            said("ok", "assistant", minute=1),
            said("My rent is 950 euros.", minute=2),
        ],
    )
    store = memfold.open(str(tmp_path))
    extractions = shown(tmp_path, "extractions").select(["exchange_id", "time"])
    assert extractions.sort_by("exchange_id").to_pylist() == [
        {"exchange_id": 0, "time": START},
        {"exchange_id": 1, "time": START + timedelta(minutes=2)},
    ]
    (item,) = [item for item in store.scratchpad("c") if "950" in item.text and item.replaced]
    assert "900" in (item.replaced or "")
    assert item.exchange_id == 1
