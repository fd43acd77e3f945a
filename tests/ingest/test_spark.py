"""Ingest by a real Spark: whatever shape, order and number of partitions, what is left is what a local ingest reads.

Needs Java 17 or newer and the extra `spark`, which `make test` adds where that Java is.
"""

from __future__ import annotations

import json
import os
import re
import runpy
import shutil
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, cast

import pyarrow as pa
import pyarrow.orc as orc
import pyarrow.parquet as pq
import pytest

from memfold.build import build
from memfold.config import load
from memfold.errors import UserError
from memfold.evaluate.synthetic import Synthetic
from memfold.ingest import spark as sparks
from memfold.ingest.folding import TWICE
from memfold.ingest.lake import Lake
from memfold.ingest.read import read
from memfold.ingest.source import Files
from memfold.ingest.spark_session import Session, answers, check, session
from memfold.ingest.staged import Ingested, staged
from memfold.run.ingest import Ingest, ingest
from memfold.run.reconcile import identify
from memfold.schema import DeadLetter, Item, Message
from memfold.store.erase import erase
from memfold.store.location import Location
from memfold.store.unsealed import Unsealed
from memfold.watch import Report
from memfold.yamls import JOBS
from support import ingest_samples as samples
from support import lakes
from support.command import command
from support.dying import die_once
from support.given import chat, indexed


def java() -> int:
    """The version of the Java that Spark starts; 0 if there is none."""
    home = os.environ.get("JAVA_HOME")
    found = shutil.which(f"{home}/bin/java" if home else "java")
    said = found and subprocess.run([found, "-version"], capture_output=True, text=True, check=False).stderr
    version = re.search(r' version "(\d+)', said or "")
    return int(version[1]) if version else 0


if java() < 17:
    pytest.skip("Spark needs Java 17 or newer, here or in JAVA_HOME", allow_module_level=True)
pytest.importorskip("pyspark", reason="needs the extra spark: make test-spark")

SETTINGS = {"spark.sql.shuffle.partitions": "4", "spark.python.worker.reuse": "true"}
LOCAL = Session(master="local[2,4]", conf=SETTINGS)
TALK = [*chat(40), *chat(3, "b"), *Synthetic(tokens=3000, conversations=3).messages()]
ROWS = lakes.rows(TALK)
NO_IDS = [{**row, "message_id": None} for row in ROWS]


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    # Spark warns of a pandas it does not know yet, and leaves sockets to the collector.
    with session(LOCAL) as made:
        yield made


pytestmark = pytest.mark.filterwarnings(
    "ignore::FutureWarning", "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
)


def said(items: Iterable[Item]) -> tuple[dict[str, list[tuple[str, Message]]], Counter[str]]:
    """What an index job would make of a source: each conversation's messages by their ids, and what is rejected."""
    talks: dict[str, list[Message]] = defaultdict(list)
    letters: list[DeadLetter] = []
    for item in items:
        if isinstance(item, Message):
            talks[item.conversation_id].append(item)
        elif isinstance(item, DeadLetter):
            letters.append(item)
    made = {
        of: [(x.message_id, x.message) for x in identify(talk, letters.append)] for of, talk in talks.items()
    }
    return made, Counter(letter.reason for letter in letters)


def run(root: Path, source: Lake | Files, **settings: Any) -> dict[str, object]:
    return ingest(Ingest(source, Location(str(root)), Session(master="local[2,4]", **settings)), Report())


def left(root: Path) -> tuple[dict[str, list[tuple[str, Message]]], Counter[str]]:
    return said(Ingested(Location(str(root))).messages())


@pytest.mark.parametrize(
    ("shape", "partitions"),
    [
        ("messages", 1),
        ("messages", 32),
        ("lines", 4),
        ("lines", 0),
        ("conversations", 1),
        ("conversations", 4),
    ],
)
def test_a_lake_is_read_as_a_local_source(spark: Any, tmp_path: Path, shape: str, partitions: int) -> None:
    twice = lakes.shuffled(lakes.doubled(ROWS, 0.1))
    if shape == "messages":
        source = Lake(str(lakes.of_messages(tmp_path / "lake", twice)))
    elif shape == "lines":
        source = Lake(str(lakes.of_lines(tmp_path / "lake", twice)), "jsonl", dict(lakes.CALLED))
    else:
        source = Lake(str(lakes.of_conversations(tmp_path / "lake", ROWS)))
    done = run(tmp_path / "s", source, partitions=partitions)
    talks, letters = left(tmp_path / "s")
    assert talks == said(TALK)[0]
    again = len(twice) - len(ROWS) if shape != "conversations" else 0
    assert done["messages"] == len(TALK) + again
    assert letters == Counter({"delivered twice: same id, same words": again} if again else {})


def test_without_ids_what_came_twice_is_found_by_its_place(spark: Any, tmp_path: Path) -> None:
    twice = lakes.shuffled(lakes.doubled(NO_IDS, 0.2))
    done = run(tmp_path / "s", Lake(str(lakes.of_messages(tmp_path / "lake", twice))))
    talks, letters = left(tmp_path / "s")
    assert [[m.content for _, m in talk] for talk in talks.values()] == [
        [m.content for m in TALK if m.conversation_id == of] for of in talks
    ]
    assert letters == Counter({TWICE: len(twice) - len(ROWS)})
    assert (done["messages"], done["dead_letters"]) == (len(ROWS), len(twice) - len(ROWS))


@pytest.mark.parametrize("partitions", [1, 32])
def test_the_index_job_goes_on_from_the_table(spark: Any, tmp_path: Path, partitions: int) -> None:
    twice = lakes.doubled(ROWS[:100], 0.1)
    base = indexed(
        tmp_path / "base",
        [
            m
            for row in twice
            for m in TALK
            if (m.conversation_id, m.message_id) == (row["conversation_id"], row["message_id"])
        ],
    )
    mixed = lakes.of_messages(tmp_path / "lake", lakes.shuffled(twice, partitions))
    run(tmp_path / "s", Lake(str(mixed)), partitions=partitions)
    done = indexed(tmp_path / "s", list(Ingested(Location(str(tmp_path / "s"))).messages()))
    same = (
        "content_hash",
        "messages",
        "exchanges",
        "tokens",
        "dead_letters",
        "dead_letter_reasons",
        "conversations",
    )
    assert {name: done[name] for name in same} == {name: base[name] for name in same}
    if partitions > 1:
        return
    # Only what is new is worked on, and what is erased goes from the table too.
    more = lakes.of_messages(tmp_path / "more", [*lakes.shuffled(twice), *lakes.rows(chat(2, "new"))])
    run(tmp_path / "s", Lake(str(more)))
    again = indexed(tmp_path / "s", list(Ingested(Location(str(tmp_path / "s"))).messages()))
    assert again["extracted"] == 2
    assert erase(Location(str(tmp_path / "s")), "new").rows["ingested"] == 4


def test_exports_are_read_by_the_readers_of_files(spark: Any, tmp_path: Path) -> None:
    logs = (samples.OPENAI, samples.OPENAI[:2], samples.CLAUDE_CODE, samples.CODEX, samples.LANGCHAIN)
    folder = tmp_path / "exports"
    for number, text in enumerate(logs):
        path = folder / str(number) / "m.jsonl"
        path.parent.mkdir(parents=True)
        path.write_bytes(samples.lines(text))
    (folder / "broken.jsonl").write_text('{"messages": [{"role": "user", "content": "hi"}, {"ro\n')
    done = run(tmp_path / "s", Files(str(folder)))
    assert left(tmp_path / "s") == said(read(folder))
    assert done["dead_letters"] == 1


@pytest.mark.parametrize("kind", ["lake", "files"])
def test_a_message_whose_time_cannot_be_read_is_kept_and_the_job_says_so(
    spark: Any, tmp_path: Path, kind: str
) -> None:
    times = ["2024-03-04 10:00:00 UTC", *["soon"] * 5]
    lines = [
        {"conversation_id": f"c{n}", "seq": 1, "role": "user", "content": f"Plant {n} grows.", "time": time}
        for n, time in enumerate(times)
    ]
    path = tmp_path / "in" / "m.jsonl"
    path.parent.mkdir()
    path.write_bytes(samples.lines(lines))
    done = run(tmp_path / "s", Lake(str(path.parent), "jsonl") if kind == "lake" else Files(str(path)))
    found = {of: message.time for of, ((_, message),) in left(tmp_path / "s")[0].items()}
    assert found == {f"c{n}": None if n else datetime(2024, 3, 4, 10, tzinfo=UTC) for n in range(6)}
    (told,) = cast("list[str]", done["notices"])
    assert told.startswith("5 messages are kept without their times")
    assert told.count('"soon" in m.jsonl, line') == 3
    assert done["dead_letters"] == 0


def plan(frame: Any) -> Counter[str]:
    text = frame._jdf.queryExecution().executedPlan().toString()
    return Counter(re.findall(r"\b(Exchange|Sort|MapInArrow)\b", text))


def test_there_is_one_exchange_and_one_sort(spark: Any, tmp_path: Path) -> None:
    table = staged(Location(str(tmp_path)))
    lake = Lake(str(lakes.of_messages(tmp_path / "lake", ROWS)))
    rows = sparks.flow(spark, lake)
    once = {"Exchange": 1, "Sort": 1, "MapInArrow": 2}
    assert plan(sparks.written(sparks.gathered(rows, 4), table)) == once
    assert plan(sparks.written(sparks.gathered(rows, 0), table)) == once
    assert plan(sparks.written(sparks.gathered(rows.distinct(), 4), table)) != once  # the control


@pytest.mark.parametrize("listed", [False, True])
@pytest.mark.parametrize("zone", [None, "UTC"])
def test_times_in_nanoseconds_are_read_as_by_the_reader_of_files(
    spark: Any, tmp_path: Path, zone: str | None, listed: bool
) -> None:
    times = pa.array([1718000000123456789, None, 1718000001999999999], pa.int64()).cast(
        pa.timestamp("ns", zone)
    )
    held = [{"conversation_id": "c", "seq": n, "role": "user", "content": str(n)} for n in range(3)]
    table = pa.Table.from_pylist(held).append_column("time", times)
    flat = parquet(tmp_path / "flat", a=table.slice(0, 2), b=table.slice(2))
    here = Files(str(flat), zone="Asia/Shanghai")
    lake = flat
    if listed:
        each = pa.StructArray.from_arrays(
            [table[x].combine_chunks() for x in table.column_names], table.column_names
        )
        lists = pa.ListArray.from_arrays(pa.array([0, 3], pa.int32()), each)
        lake = parquet(tmp_path / "lake", a=pa.table({"conversation_id": ["c"], "messages": lists}))
    run(tmp_path / "s", Lake(str(lake), zone="Asia/Shanghai"))
    made = [
        each.time for each in Ingested(Location(str(tmp_path / "s"))).messages() if isinstance(each, Message)
    ]
    assert made == [each.time for each in here.messages() if isinstance(each, Message)]
    if zone is None and not listed:
        parquet_file = flat / "b.parquet"
        pq.write_table(
            table.slice(2).cast(table.schema.set(4, pa.field("time", pa.timestamp("ns", "UTC")))),
            parquet_file,
        )
        with pytest.raises(
            UserError, match="have a zone in some files and none in others: ingest them apart"
        ):
            run(tmp_path / "s", Lake(str(flat)))


@pytest.mark.parametrize("format", ["jsonl", "parquet", "orc"])
def test_lists_of_one_conversation_come_one_after_the_other(spark: Any, tmp_path: Path, format: str) -> None:
    talks = [
        [{"role": "user", "content": f"{day} {n}", "time": f"2024-05-0{day}T10:00:00Z"} for n in range(3)]
        for day in (2, 1)
    ] + [[{"role": "user", "content": f"9 {n}", "time": None} for n in range(3)]]
    held = [{"conversation_id": "c", "messages": each} for each in talks]
    lake = tmp_path / "lake"
    lake.mkdir()
    for each in ("a", "b"):  # a copy too, which is one row of a file
        if format == "jsonl":
            (lake / each).write_bytes(samples.lines(held))
        elif format == "orc":
            orc.write_table(pa.Table.from_pylist(held), str(lake / each))
        else:
            pq.write_table(pa.Table.from_pylist(held), lake / each)
    for partitions in (1, 3):
        done = run(tmp_path / "s", Lake(str(lake), format), partitions=partitions)
        said = [
            m.content for m in Ingested(Location(str(tmp_path / "s"))).messages() if isinstance(m, Message)
        ]
        assert said == [f"{day} {n}" for day in (1, 2, 9) for n in range(3)]
        assert done["dead_letters"] == 9


@pytest.mark.parametrize("when", ["reading", "writing", "written"])
def test_a_killed_worker_changes_nothing(spark: Any, tmp_path: Path, when: str) -> None:
    location = Location(str(tmp_path / "s"))
    location.make()
    table, grave = staged(location), tmp_path / "grave"
    table.create()
    die = partial(die_once, str(grave))
    rows = sparks.flow(spark, Lake(str(lakes.of_messages(tmp_path / "lake", lakes.shuffled(ROWS)))))
    rows = rows.mapInArrow(die, rows.schema) if when == "reading" else rows
    rows = sparks.gathered(rows, 4)
    rows = rows.mapInArrow(die, rows.schema) if when == "writing" else rows
    told = sparks.written(rows, table)
    told = told.mapInArrow(die, told.schema) if when == "written" else told
    made = sparks.collected(spark, told, lambda done, of: None)
    assert grave.exists()
    table.replace([each for one in made for each in one["fragments"]], len(ROWS))
    assert left(tmp_path / "s")[0] == said(TALK)[0]
    if when == "written":  # the control: what the dead one wrote lies there, and nobody sees it
        files = list((tmp_path / "s" / "default" / "ingested.lance" / "data").iterdir())
        assert len(files) > sum(len(one["fragments"]) for one in made)


def parquet(folder: Path, **files: pa.Table) -> Path:
    folder.mkdir()
    for name, table in files.items():
        pq.write_table(table, folder / f"{name}.parquet")
    return folder


def test_bad_rows_are_dead_letters(spark: Any, tmp_path: Path) -> None:
    bad = [
        {**ROWS[0], "conversation_id": None},
        {**ROWS[0], "seq": None},
        {**ROWS[0], "role": "king"},
        {**ROWS[0], "content": None},
    ]
    done = run(tmp_path / "s", Lake(str(lakes.of_messages(tmp_path / "lake", [*bad, *ROWS]))))
    talks, letters = left(tmp_path / "s")
    assert talks == said(TALK)[0]
    assert done["dead_letters"] == letters.total() == 4
    reasons = {"no conversation_id", "no seq", "unknown role", "no content"}
    assert {reason.partition(":")[0] for reason in letters} == reasons


def in_folders(folder: Path, *paths: str, jsonl: bool = False) -> Path:
    """A file for each path, of a conversation named by it."""
    for path in paths:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        row = {**ROWS[0], "conversation_id": path, "time": None}
        named = "conversation_id=" in path
        if jsonl:
            (folder / path).write_text(json.dumps({**row, "conversation_id": None} if named else row))
        else:
            table = pa.Table.from_pylist([row], schema=lakes.ROW)
            pq.write_table(table.drop_columns(["conversation_id"]) if named else table, folder / path)
    return folder


@pytest.mark.parametrize("format", ["jsonl", "parquet"])
def test_files_of_all_folders_are_read_and_what_is_not_is_told(
    spark: Any, tmp_path: Path, format: str
) -> None:
    seen = ["a", "2024/b", "2024/sub/c"]
    hidden = ["_d", "2024/.e", "_old/f"]
    lake = in_folders(tmp_path / "lake", *seen, *hidden, jsonl=format == "jsonl")
    (lake / "_SUCCESS").touch()
    run(tmp_path / "s", Lake(str(lake), format))
    items = list(Ingested(Location(str(tmp_path / "s"))).messages())
    assert {each.conversation_id for each in items if isinstance(each, Message)} == set(seen)
    letters = [each for each in items if isinstance(each, DeadLetter)]
    assert {each.file for each in letters} == {"_d", "2024/.e", "_old"}
    assert all(each.reason.startswith("not read: ") for each in letters)


@pytest.mark.parametrize("beside", ["b", "2024/b"])
def test_what_lies_beside_folders_that_name_a_column_is_not_passed_over(
    spark: Any, tmp_path: Path, beside: str
) -> None:
    lake = in_folders(tmp_path / "lake", "day=1/a", beside)
    with pytest.raises(UserError, match=f"{beside} .* would not be read: .*; nothing was ingested") as told:
        run(tmp_path / "s", Lake(str(lake)))
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("format", ["jsonl", "parquet"])
def test_a_column_that_a_folder_names_is_text(spark: Any, tmp_path: Path, format: str) -> None:
    lake = in_folders(
        tmp_path / "lake", "conversation_id=007/a", "conversation_id=7/more/a", jsonl=format == "jsonl"
    )
    run(tmp_path / "s", Lake(str(lake), format))
    assert set(left(tmp_path / "s")[0]) == {"007", "7"}


def test_a_column_in_files_and_in_their_folders_names_is_refused(spark: Any, tmp_path: Path) -> None:
    lake = in_folders(tmp_path / "lake", "session=1/a", "session=2/b")
    with pytest.raises(
        UserError, match="the column session stands in files and in the names of their folders"
    ):
        run(tmp_path / "s", Lake(str(lake)))


@pytest.mark.parametrize("literal", ["lake[1]", "a {b,c}", "new?", "*", "a\\b"])
def test_a_path_is_taken_as_it_stands(spark: Any, tmp_path: Path, literal: str) -> None:
    lake = in_folders(tmp_path / "in" / literal, "right", "_hidden")
    for other in ("lake1", "a b", "newt", "ab"):
        in_folders(tmp_path / "in" / other, "wrong")
    run(tmp_path / "s", Lake(str(lake)))
    items = list(Ingested(Location(str(tmp_path / "s"))).messages())
    assert [each.conversation_id for each in items if isinstance(each, Message)] == ["right"]
    assert [each.file for each in items if isinstance(each, DeadLetter)] == ["_hidden"]


def test_an_address_is_taken_as_it_stands(spark: Any, tmp_path: Path) -> None:
    in_folders(tmp_path / "lake", "a")
    with pytest.raises(UserError, match=r"lake\?: does not exist: give"):
        run(tmp_path / "s", Lake(f"file://{tmp_path}/lake?"))
    with pytest.raises(UserError, match=r"/la\*: does not exist: give"):
        run(tmp_path / "s", Lake(f"file://{tmp_path}/la*"))


@pytest.mark.parametrize("scheme", ["", "file://"])
def test_a_path_that_leads_up_names_columns_too(spark: Any, tmp_path: Path, scheme: str) -> None:
    in_folders(tmp_path / "lake", "conversation_id=007/a", "conversation_id=7/a")
    in_folders(tmp_path / "other" / "deep", "wrong")
    in_folders(tmp_path, "wrong/lake/a")
    (tmp_path / "wrong" / "link").symlink_to(tmp_path / "other")
    run(tmp_path / "s", Lake(f"{scheme}{tmp_path}/wrong/link/../lake"))
    assert set(left(tmp_path / "s")[0]) == {"007", "7"}


def test_a_link_that_leads_nowhere_is_told(spark: Any, tmp_path: Path) -> None:
    lake = in_folders(tmp_path / "lake", "a", "2024/b")
    (lake / "c").symlink_to(tmp_path / "gone")
    (lake / "2024" / "d").symlink_to(tmp_path / "gone" / "too")
    (lake / "e").symlink_to(in_folders(tmp_path / "elsewhere", "f"))
    run(tmp_path / "s", Lake(str(lake)))
    items = list(Ingested(Location(str(tmp_path / "s"))).messages())
    assert {each.conversation_id for each in items if isinstance(each, Message)} == {"a", "2024/b", "f"}
    assert {each.file for each in items if isinstance(each, DeadLetter)} == {"c", "2024/d"}


@pytest.mark.parametrize("ends", ["well", "interrupted", "beside"])
def test_an_ingest_leaves_no_files_but_those_of_its_table(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ends: str
) -> None:
    """Nobody would find erased text there. Where another job runs, they may be that job's."""
    location, lake = Location(str(tmp_path / "s")), Lake(str(in_folders(tmp_path / "lake", "a", "b")))
    run(tmp_path / "s", lake)
    before = staged(location).files()
    if ends == "well":
        run(tmp_path / "s", lake)
    else:

        def interrupted(*_: object) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr("memfold.ingest.staged.Staged.replace", interrupted)
        other = Unsealed(location).running() if ends == "beside" else nullcontext()
        with other, pytest.raises(KeyboardInterrupt):
            run(tmp_path / "s", lake)
    table = staged(location).open()
    assert (staged(location).files() == before) == (ends != "well")
    files = {each.name for each in (Path(table.uri) / "data").iterdir()}  # type: ignore[union-attr]
    assert (files == staged(location).files()) == (ends != "beside")
    assert len(table.versions()) == 1  # type: ignore[union-attr]


def test_a_session_that_was_there_is_left_as_it_was(spark: Any) -> None:
    partitions, zone, legacy = "spark.sql.shuffle.partitions", "spark.sql.session.timeZone", "spark.sql.x"
    spark.conf.set(zone, "Asia/Tokyo")
    try:
        with session(Session(master="local[2,4]", conf={partitions: 7, legacy: 1})) as inner:
            assert [inner.conf.get(each) for each in (partitions, zone, legacy)] == ["7", "UTC", "1"]
        assert [spark.conf.get(each, None) for each in (partitions, zone, legacy)] == [
            "4",
            "Asia/Tokyo",
            None,
        ]
    finally:
        spark.conf.set(zone, "UTC")


def test_a_column_that_only_some_files_have_is_not_lost(spark: Any, tmp_path: Path) -> None:
    before, after = ROWS[:10], [{**row, "speaker": "Ann"} for row in ROWS[10:80]]
    folder = parquet(
        tmp_path / "lake",
        a=pa.Table.from_pylist(before, schema=lakes.ROW).drop_columns(["speaker", "time"]),
        b=pa.Table.from_pylist(after, schema=lakes.ROW),
    )
    run(tmp_path / "s", Lake(str(folder)))
    assert Counter(m.speaker for talk in left(tmp_path / "s")[0].values() for _, m in talk) == {
        None: 10,
        "Ann": 70,
    }


def damaged(folder: Path) -> Path:
    parquet(folder, a=pa.Table.from_pylist(ROWS, schema=lakes.ROW))
    held = bytearray((folder / "a.parquet").read_bytes())
    held[len(held) // 2 : len(held) // 2 + 500] = bytes(500)
    (folder / "b.parquet").write_bytes(held)
    return folder


def flipped(folder: Path) -> Path:
    """One bit of one message is another; only the page's checksum tells."""
    folder.mkdir()
    rows, file = pa.Table.from_pylist(ROWS, schema=lakes.ROW), folder / "b.parquet"
    pq.write_table(rows, file, compression="none", use_dictionary=False, write_page_checksum=True)
    held = bytearray(file.read_bytes())
    held[held.rindex(ROWS[3]["content"].encode())] ^= 1
    file.write_bytes(held)
    return folder


def changed(folder: Path) -> Path:
    rows = pa.Table.from_pylist(ROWS, schema=lakes.ROW)
    number = rows.schema.get_field_index("seq")
    text = rows.set_column(number, "seq", rows["seq"].cast(pa.string()))
    return parquet(folder, a=rows, b=text)


@pytest.mark.parametrize(
    ("lake", "options", "words"),
    [
        (damaged, {}, r"b\.parquet cannot be read .*: mend it or take it away; nothing was ingested"),
        (flipped, {}, r"b\.parquet cannot be read \(.*checksum verification failed\): mend it"),
        (changed, {}, "one type in some files and another in others .* ingest them apart"),
        (
            lambda folder: lakes.of_messages(folder, ROWS),
            {"columns": {"content": "body"}},
            "content=body: .* it has: conver",
        ),
        (
            lambda folder: lakes.of_lines(folder, ROWS),
            {"format": "jsonl"},
            r"no row is a message .*source\.columns",
        ),
        (lambda folder: lakes.of_lines(folder, ROWS), {}, "not a Parquet file"),
        (
            lambda folder: lakes.of_lines(folder, ROWS),
            {"format": "delta"},
            r"format=delta: .*spark\.jars\.packages",
        ),
        (lambda folder: folder, {}, "does not exist: give"),
        (lambda _: "db.talks", {"format": "table"}, "knows no such table: name it in full"),
    ],
)
def test_what_cannot_be_read_is_one_line_and_leaves_what_was_there(
    spark: Any, tmp_path: Path, lake: Any, options: dict[str, Any], words: str
) -> None:
    root = tmp_path / "s"
    Location(str(root)).make()
    table = staged(Location(str(root)))
    before = table.create().version
    with pytest.raises(UserError, match=words) as told:
        run(root, Lake(str(lake(tmp_path / "lake")), **options))
    assert "\n" not in str(told.value)
    assert (table.open().version, table.count()) == (before, 0)  # type: ignore[union-attr]


def test_a_table_of_the_session_is_a_lake(spark: Any, tmp_path: Path) -> None:
    spark.read.parquet(str(lakes.of_messages(tmp_path / "lake", ROWS))).createOrReplaceTempView("talks")
    run(tmp_path / "s", Lake("talks", "table"))
    assert left(tmp_path / "s")[0] == said(TALK)[0]


def test_a_file_that_a_table_gained_is_read_by_a_session_that_goes_on(spark: Any, tmp_path: Path) -> None:
    lake = in_folders(tmp_path / "lake", "a")
    spark.sql(f"CREATE TABLE grown USING parquet LOCATION '{lake}'")
    try:
        run(tmp_path / "s", Lake("grown", "table"))
        in_folders(lake, "b")
        run(tmp_path / "s", Lake("grown", "table"))
        assert set(left(tmp_path / "s")[0]) == {"a", "b"}
    finally:
        spark.sql("DROP TABLE grown")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["spark.remote=sc://127.0.0.1:1"], "spark.remote=sc://127.0.0.1:1: no Spark answers there"),
        (["spark.master=spark://127.0.0.1:1"], "spark.master=spark://127.0.0.1:1: no Spark answers there"),
        (["spark.remote=http://x"], "spark.remote=http://x: a Spark Connect server's address is sc://"),
        (["spark.remote=sc://x", "spark.master=yarn"], "spark.master=yarn and spark.remote=sc://x: give one"),
        (["spark.master=lokal"], "spark.master=lokal: use local[4]"),
        (["spark.partitions=-1"], "spark.partitions=-1: use 0"),
        (["spark.partitions=many"], "spark.partitions: "),
        (["source.format=orca"], "source.format=orca"),
        (["source=synthetic"], "Spark reads source=lake and source=files"),
        (["erased=no"], "erased='no' must be index or skip"),
        (["+source.columns.text=x"], "source.columns.text: memfold has no such column"),
        (["source.path=/nowhere/lake"], "source.path=/nowhere/lake: does not exist"),
        (["source.path=/nowhere/lake", "source=files"], "source.path=/nowhere/lake: does not exist"),
    ],
)
def test_a_bad_call_is_said_before_spark_is_started(tmp_path: Path, words: list[str], said: str) -> None:
    (tmp_path / "lake").mkdir()
    given = [] if "source=synthetic" in words else [f"source.path={tmp_path}/lake"]

    def begin() -> None:
        config = load("ingest_spark", [*given, *words, f"store.root={tmp_path}/s"])
        asked = build(config.spark, "spark")
        job = Ingest(build(config.source, "source"), build(config.store, "store"), asked, config.erased)
        check(asked, job.source)
        answers(asked)

    with pytest.raises(UserError, match="^" + re.escape(said)) as told:
        begin()
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        (
            {"PATH": "/nowhere", "JAVA_HOME": ""},
            "Spark needs Java, and there is none on the PATH: install Java 17",
        ),
        ({"JAVA_HOME": "/nowhere"}, "JAVA_HOME=/nowhere: there is no bin/java in it: install Java 17"),
    ],
)
def test_without_java_it_is_one_line(tmp_path: Path, environment: dict[str, str], said: str) -> None:
    (tmp_path / "lake").mkdir()
    done = command("ingest_spark", f"source.path={tmp_path}/lake", f"store.root={tmp_path}/s", **environment)
    assert (done.code, done.out) == (2, "")
    began, last = done.err.splitlines()
    assert began.startswith("starting Spark")
    assert last.startswith(f"error: {said}")


@pytest.mark.parametrize("lake", ["{0}", "{0}/x/..", "file://{0}", "{0}/link"])
@pytest.mark.parametrize("store", ["{0}/s", "file://{0}/s"])
def test_a_store_in_the_lake_that_is_read_is_refused(tmp_path: Path, lake: str, store: str) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "link").symlink_to(tmp_path)
    path, root = lake.format(tmp_path), store.format(tmp_path)
    with pytest.raises(
        UserError, match=re.escape(f"store.root={root} lies in source.path={path}, and Spark")
    ):
        Ingest(Lake(path), Location(root), LOCAL)


def test_conversations_of_files_stay_apart(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"conversation_id": "c", "role": "user", "content": "Hi"}\n')
    words = ["source=files", f"source.path={tmp_path}/a.jsonl", "source.into=me", f"store.root={tmp_path}/s"]
    done = command("ingest_spark", *words)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: source.into: Spark keeps conversations apart")


@pytest.mark.parametrize("memory", ["900t", "much"])
def test_memory_that_is_not_there_is_one_line(tmp_path: Path, memory: str) -> None:
    (tmp_path / "lake").mkdir()
    words = [
        f"source.path={tmp_path}/lake",
        f"store.root={tmp_path}/s",
        f"+spark.conf.spark.driver.memory={memory}",
    ]
    done = command("ingest_spark", *words)
    assert (done.code, done.out) == (2, "")
    began, last = done.err.splitlines()
    assert began.startswith("starting Spark")
    assert last.startswith("error: +spark.conf.spark.driver.memory: Spark's driver has no such memory here")


def test_the_job_tells_its_counts(spark: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lake = lakes.of_messages(tmp_path / "lake", [*ROWS, {**ROWS[0], "seq": None}])
    words = [f"source.path={lake}", f"store.root={tmp_path}/s", "spark.master=local[2,4]"]
    runpy.run_path(str(JOBS / "ingest_spark.py"))["run"](load("ingest_spark", words))
    shown = capsys.readouterr()
    told = json.loads(shown.out.splitlines()[-1])
    assert (told["messages"], told["conversations"], told["dead_letters"]) == (len(ROWS), 5, 1)
    assert told["dead_letter_reasons"] == {"no seq": 1}
    assert [line.partition(":")[0] for line in shown.err.splitlines()][:2] == ["starting Spark", "ingesting"]
    again = build(load("index", ["source=table", f"store.root={tmp_path}/s"]).source, "source")
    assert said(again.messages()) == left(tmp_path / "s")
