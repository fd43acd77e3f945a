"""Rows of a lake to messages and their places, without Spark."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pytest

from memfold.build import build
from memfold.config import load
from memfold.digest import digest
from memfold.errors import UserError
from memfold.ingest.folding import TWICE, Folding
from memfold.ingest.lake import Flowing, Lake, batches, of_batch, of_items, of_line, place_of
from memfold.ingest.normalise import Untimed
from memfold.ingest.parts import Rejected
from memfold.ingest.staged import STAGED, Ingested, staged
from memfold.schema import DeadLetter, Message, Title
from memfold.store.erase import check, erase
from memfold.store.location import Location
from support.given import chat, found, indexed

NOON = datetime(2024, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("seq", "place"),
    [
        (7, (0, 7)),
        ("07", (0, 7)),
        (7.0, (0, 7)),
        (Decimal("7"), (0, 7)),
        (NOON, (1, 1709294400000000)),
        ("2024-03-01T12:00:00Z", (1, 1709294400000000)),
        (-(2**63), (0, -(2**63))),
    ],
)
def test_a_place_is_a_number_or_a_time(seq: object, place: tuple[int, int]) -> None:
    assert place_of(seq) == place


@pytest.mark.parametrize(
    "seq",
    [
        *(None, "", True, 7.5, float("nan"), float("inf"), 1e300, "first", 2**63, [1]),
        *map(Decimal, ("0.5", "1e30", "NaN", "Infinity", "1e999999")),
    ],
)
def test_what_says_no_place_is_rejected(seq: object) -> None:
    with pytest.raises(Rejected, match="where in the conversation"):
        place_of(seq)


def rows(*cells: dict[str, object]) -> pa.RecordBatch:
    known = {"_file": None, "_row": None, "_at": None}
    return pa.RecordBatch.from_pylist([{**known, "_row": n, **each} for n, each in enumerate(cells)])


def test_rows_that_are_no_messages_are_dead_letters_with_file_row_and_conversation() -> None:
    good: dict[str, object] = {
        "conversation_id": "c",
        "seq": 1,
        "role": "user",
        "content": "hi",
        "_file": "file:/lake/a%20b.parquet",
    }
    batch = rows(good, {**good, "conversation_id": None}, {**good, "role": "king"}, {**good, "seq": None})
    made = list(of_batch(batch, "/lake"))
    assert made[0] == Flowing(Message("c", "user", "hi"), 0, 1)
    letters = [each for each in made if isinstance(each, DeadLetter)]
    assert [(x.file, x.place, x.conversation_id) for x in letters] == [
        ("a b.parquet", "row 2", None),
        ("a b.parquet", "row 3", "c"),
        ("a b.parquet", "row 4", "c"),
    ]
    assert [x.reason.partition(":")[0] for x in letters] == [
        "no conversation_id",
        "unknown role",
        "no seq",
    ]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{", "not JSON"),
        (b"[1]", "the row is not an object"),
        (b'{"conversation_id": "c", "messages": []}', "no messages in it"),
        (b'{"conversation_id": "c", "messages": 5}', "messages is not a list"),
        (b'{"conversation_id": "c", "messages": [5]}', "the message is not an object"),
        (b'{"conversation_id": "c", "seq": 1, "role": "user"}', "no content"),
        (b'{"conversation_id": "c", "seq": 1, "role": "user", "content": "\xff"}', "not Unicode text"),
        (b"[" * 100_000, "nested too deep"),
    ],
)
def test_a_line_that_is_no_message_is_one_dead_letter(line: bytes, reason: str) -> None:
    (made,) = of_line(line, None, Lake("lake", "jsonl"))
    assert isinstance(made, DeadLetter)
    assert made.reason.startswith(reason)


@pytest.mark.parametrize(
    "line",
    [
        b'{"messages": [{"role": "user", "content": "zebra"}], "co',
        b'{"messages": [{"role": "user", "content": "zebra"}], "seq": 1}',
        b'{"conversation_id": 1.5, "seq": "zebra", "role": "user", "content": "zebra"}',
        b'{"payload": {"thread": "c"}, "role": "zebra", "content" "zebra"}',
    ],
)
def test_a_line_whose_conversation_nobody_knows_leaves_no_words(line: bytes) -> None:
    lake = Lake("lake", "jsonl", {"conversation_id": "payload.thread"} if b"payload" in line else {})
    (made,) = of_line(line, None, lake)
    assert isinstance(made, DeadLetter)
    assert "zebra" not in str(made)


def test_a_line_may_be_a_conversation_and_its_columns_anywhere() -> None:
    lake = Lake("lake", "jsonl", {"content": "body.text", "messages": "turns", "conversation_id": "chat"})
    turns = b'[{"role": "user", "body": {"text": "a"}}, {"role": "ai", "body": {"text": "b"}}]'
    line = b'{"chat": 5, "title": "T", "turns": ' + turns + b"}"
    made = [each._replace(row=None) for each in of_line(line, None, lake) if isinstance(each, Flowing)]
    assert made == [
        Flowing(Message("5", "user", "a"), 0, 0, "T"),
        Flowing(Message("5", "assistant", "b"), 0, 1, "T"),
    ]


def folded(*batches: pa.RecordBatch, **options: frozenset[str]) -> tuple[pa.Table, Folding]:
    folding = Folding(**options)
    return pa.Table.from_batches(list(folding.over(batches)), schema=STAGED), folding


def test_what_came_twice_without_an_id_is_a_dead_letter_and_with_one_is_left_to_the_job() -> None:
    said = [Flowing(Message("c", "user", text), 0, place) for text, place in [("a", 0), ("a", 0), ("a", 1)]]
    named = [Flowing(Message("d", "user", "a", "1"), 0, 0)] * 2
    ((first, second),) = [[b.slice(0, 1), b.slice(1)] for b in batches([*said, *named])]
    table, folding = folded(first, second)  # what came twice stands in two batches
    assert table["seq"].to_pylist() == [0, None, 1, 0, 1]
    assert table["reason"].to_pylist() == [None, TWICE, None, None, None]
    assert table["raw"].to_pylist()[1] == b"a"
    assert table["content"].to_pylist() == ["a", None, "a", "a", "a"]
    assert (folding.messages, folding.conversations, folding.letters.total()) == (4, 2, 1)


def test_what_differs_from_one_dead_letter_to_the_next_is_not_counted_apart() -> None:
    good: dict[str, object] = {"conversation_id": "c", "seq": 1, "role": "user", "content": "hi"}
    bad = [[{**good, key: f"{key} {n}"} for n in range(20)] for key in ("role", "seq")]
    _, folding = folded(*(each for some in bad for each in batches(of_batch(rows(*some), "/lake"))))
    assert folding.letters == dict.fromkeys(("unknown role", "seq is no number and no time"), 20)


def test_a_row_whose_time_cannot_be_read_is_kept_counted_and_shown() -> None:
    good: dict[str, object] = {"conversation_id": "c", "role": "user", "content": "hi", "_file": "/lake/a"}
    said = [{**good, "seq": n, "time": f"soon {n}" if n else "2024-03-01 12:00:00 UTC"} for n in range(5)]
    line = b'{"conversation_id": "d", "seq": 1, "role": "user", "content": "hi", "time": "later"}'
    gone = b'{"conversation_id": "e", "seq": 1, "role": "user", "content": "hi", "time": "later"}'
    made = [*of_batch(rows(*said), "/lake"), *of_line(line, "/lake/b", Lake("/lake"))]
    made += of_line(gone, "/lake/b", Lake("/lake"))
    table, folding = folded(*batches(made), erased=frozenset({digest("e")}))
    assert table["reason"].to_pylist() == [None] * 6
    assert table["time"].to_pylist() == [NOON, *[None] * 5]
    assert (folding.messages, folding.untimed) == (6, 5)
    assert folding.shown == [f'"soon {n}" in a, row {n + 1}' for n in (1, 2, 3)]


def test_a_files_name_that_is_no_unicode_text_goes_along_with_a_time_that_cannot_be_read() -> None:
    first, _ = chat(1)
    (batch,) = batches(of_items([Untimed('"soon"').at("a\udcff.jsonl", "line 1"), first], 0))
    assert batch["untimed"].to_pylist() == ['"soon" in a\\udcff.jsonl, line 1']


def test_of_files_a_time_that_cannot_be_read_goes_with_its_message() -> None:
    first, second = chat(1)
    made = list(of_items([Untimed('"soon" in a, line 1'), first, second], 0))
    assert [each.untimed for each in made if isinstance(each, Flowing)] == ['"soon" in a, line 1', None]


@pytest.fixture
def left(tmp_path: Path) -> Location:
    """A location where two conversations were ingested, in two files."""
    location = Location(str(tmp_path / "store"))
    location.make()
    table = staged(location)
    table.create()
    items = [
        Title("c", "Budgets"),
        *chat(3, mark="Mia "),
        DeadLetter("f", "p", "r", b"x", "c"),
        *chat(2, "d", ids=False),
    ]
    flowing = list(of_items(items, 0))
    parts = [flowing[6:7] + flowing[:6], flowing[7:]]
    table.replace([f for part in parts for f in table.write(Folding().over(batches(part)))], 11)
    return location


def test_what_was_ingested_is_read_as_it_was(left: Location) -> None:
    made = list(Ingested(left).messages())
    assert made == [
        DeadLetter("f", "p", "r", b"x", "c"),
        Title("c", "Budgets"),
        *chat(3, mark="Mia "),
        *chat(2, "d", ids=False),
    ]


def test_an_ingest_takes_the_place_of_the_one_before(left: Location) -> None:
    table = staged(left)
    files = table.write(Folding().over(batches(of_items(chat(1, "e"), 0))))
    with pytest.raises(ValueError, match="the files hold 2 rows, not 3"):
        table.replace(files, 3)
    assert next(iter(Ingested(left).messages())).conversation_id == "c"
    table.replace(files, 2)
    assert list(Ingested(left).messages()) == chat(1, "e")


def test_an_erased_conversation_goes_from_what_was_ingested_too(left: Location, tmp_path: Path) -> None:
    indexed(tmp_path / "store", list(Ingested(left).messages()))
    assert any("ingested.lance" in path for path in found(tmp_path / "store", "Mia"))
    receipt = erase(left, "c")
    assert receipt.rows["ingested"] == 7
    assert list(Ingested(left).messages()) == chat(2, "d", ids=False)
    assert found(tmp_path / "store", "Mia") == []


@pytest.mark.parametrize("committed", [True, False])
def test_an_erased_conversation_that_an_ingest_left_behind_is_found_and_erased_again(
    left: Location, tmp_path: Path, committed: bool
) -> None:
    """In a version that another ingest replaced, and in files of one that was killed."""
    table = staged(left)
    assert erase(left, "c").complete
    check(left, "c")
    files = table.write(Folding().over(batches(of_items(chat(1, mark="Mia "), 0))))
    if committed:
        table.replace(files, 2)
        table.replace(table.write(Folding().over(batches(of_items(chat(1, "d"), 0)))), 2)
    with pytest.raises(UserError, match=r"'c' may be left in files .* \(1 of ingested\): leave check out"):
        check(left, "c")
    assert erase(left, "c").complete
    check(left, "c")
    assert found(tmp_path / "store", "Mia") == []


def test_a_file_that_a_killed_worker_cut_off_may_hold_what_was_erased(left: Location) -> None:
    erase(left, "c")
    data = Path(staged(left).uri) / "data"
    (data / "cut.lance").write_bytes(next(data.iterdir()).read_bytes()[:-20])
    with pytest.raises(UserError, match="'c' may be left"):
        check(left, "c")
    erase(left, "c")
    check(left, "c")


def test_of_what_was_erased_nothing_is_taken_in_again_where_it_is_to_be_skipped() -> None:
    (batch,) = batches(of_items([*chat(1), *chat(1, "d")], 0))
    table, folding = folded(batch, erased=frozenset({digest("c"), digest("d", "1")}))
    assert table["conversation_id"].to_pylist() == ["d", "d"]
    assert table["content"].to_pylist()[1] == ""
    assert (folding.erased_before, folding.messages) == (1, 2)


def test_of_an_erased_message_that_came_twice_the_second_is_as_empty_as_the_first() -> None:
    said = [
        Flowing(Message("c", "user", text), 0, at)
        for text, at in [("Mia", 0), ("Mia", 0), ("b", 1), ("b", 1)]
    ]
    (batch,) = batches(said)
    table, _ = folded(batch.slice(0, 1), batch.slice(1), erased=frozenset({digest("c", "0")}))
    assert table["content"].to_pylist() == ["", None, "b", None]
    assert table["raw"].to_pylist() == [None, b"", None, b"b"]


def test_of_a_conversation_of_which_a_message_was_erased_no_letter_holds_words() -> None:
    bad = rows(
        *(
            {"conversation_id": of, "seq": 0, "role": "king", "content": "Mia", "message_id": "2"}
            for of in ("c", "d")
        )
    )
    said = [Flowing(Message(of, "user", "Mia"), 0, 5) for of in ("c", "c", "d", "d")]
    first, second = of_batch(bad, "/lake")
    flowing = [first, *said[:2], second, *said[2:]]
    table, folding = folded(
        *batches(flowing), erased=frozenset({digest("c", "2")}), amended=frozenset({digest("c")})
    )
    letters = [each for each in table.to_pylist() if each["reason"] is not None]
    assert [(x["conversation_id"], b"Mia" in x["raw"], "king" in x["reason"]) for x in letters] == [
        ("c", False, False),
        ("c", False, False),
        ("d", True, True),
        ("d", True, False),
    ]
    assert folding.letters == {"unknown role": 2, TWICE.partition(":")[0]: 2}


def test_a_line_has_the_columns_that_its_folders_name() -> None:
    lake = Lake("lake", "jsonl", {"session": "day"})
    lines = [
        b'{"conversation_id": "c", "seq": 1, "role": "user", "content": "a"}',
        b'{"conversation_id": "c", "seq": 1, "role": "user", "content": "a", "day": "zebra"}',
    ]
    first, second = [each for line in lines for each in of_line(line, None, lake, {"day": "1", "x": "2"})]
    assert isinstance(first, Flowing)
    assert first.message.session == "1"
    assert isinstance(second, DeadLetter)
    assert second.reason.startswith("day stands in the line and in a folder's name: rename the folder")
    assert "zebra" not in str(second)


def lists(*talks: tuple[str, list[dict[str, object]]]) -> list[Flowing]:
    """What lines of files hold, each a conversation `c` with a list, in the order in which they are put together."""
    lines = [(json.dumps({"conversation_id": "c", "messages": talk}).encode(), file) for file, talk in talks]
    made = [each for line, file in lines for each in of_line(line, f"/lake/{file}", Lake("/lake"))]
    flowing = [each for each in made if isinstance(each, Flowing)]
    return sorted(flowing, key=lambda x: (x.began is None, x.began or NOON, x.row or "", x.minor))


def talk(*said: str, time: str | None = None) -> list[dict[str, object]]:
    return [{"role": "user", "content": each, **({"time": time} if time else {})} for each in said]


def test_lists_of_one_conversation_come_one_after_the_other() -> None:
    """By the time of their first message, else by their file."""
    timed = lists(
        ("a", talk("c", "d", time="2024-05-02T10:00:00Z")), ("b", talk("a", "b", time="2024-05-01T10:00:00Z"))
    )
    named = lists(("day10", talk("c", "d")), ("day9", talk("a", "b")))
    for made in (timed, named):
        assert folded(*batches(made))[0]["content"].to_pylist() == ["a", "b", "c", "d"]
        assert len({each.row for each in made}) == 2


def test_a_list_that_has_grown_is_taken_once() -> None:
    made = lists(("1", talk("a", "b")), ("2", talk("a", "b", "c")))
    table, folding = folded(*batches(made), erased=frozenset({digest("c", "1")}))
    assert table["content"].to_pylist() == ["a", "", None, None, "c"]
    assert table["raw"].to_pylist() == [None, None, b"a", b"", None]
    assert folding.letters == {TWICE.partition(":")[0]: 2}


def test_rows_out_of_order_are_found(left: Location) -> None:
    table = staged(left)
    (batch,) = Folding().over(batches(of_items(chat(1), 0)))
    table.replace(table.write([batch.take(pa.array([1, 0]))]), 2)
    with pytest.raises(
        UserError, match="does not hold message 0 of conversation 'c' in its place: ingest again"
    ):
        list(Ingested(left).messages())


def test_times_pass_to_the_microsecond() -> None:
    time = NOON + timedelta(microseconds=1)
    old = datetime(1, 1, 1, tzinfo=UTC)
    flowing = [
        Flowing(Message("c", "user", "a", time=each), 0, n) for n, each in enumerate((time, old, None))
    ]
    table, _ = folded(*batches(flowing))
    assert table["time"].to_pylist() == [time, old, None]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["source.path="], "source.path is missing"),
        ([], "source.path is not given"),
        (["source.path=x", "source.format=orca"], "source.format=orca"),
        (["source.path=x", "+source.columns.body=y"], "source.columns.body: memfold has no such column"),
    ],
)
def test_what_a_lake_cannot_be_is_said_in_one_line(words: list[str], said: str) -> None:
    with pytest.raises(UserError, match=re.escape(said)) as told:
        build(load("ingest_spark", words).source, "source")
    assert "\n" not in str(told.value)


def test_without_an_ingest_there_is_no_table(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"nothing was ingested under .*: run python jobs/ingest_spark.py"):
        build(load("index", ["source=table", f"store.root={tmp_path}"]).source, "source")


def test_an_ingest_that_failed_left_nothing_to_index(tmp_path: Path) -> None:
    location = Location(str(tmp_path))
    location.make()
    staged(location).create()
    with pytest.raises(UserError, match=r"nothing was ingested under .*: run python jobs/ingest_spark.py"):
        build(load("index", ["source=table", f"store.root={tmp_path}"]).source, "source")


def test_a_lake_is_no_source_of_an_index_job() -> None:
    with pytest.raises(UserError, match="source=lake is read by Spark"):
        build(load("index", ["source=lake", "source.path=x"]).source, "source").messages()
