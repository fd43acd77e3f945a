"""Lance tables: first write wins, whoever races; what was not written by memfold is refused."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from multiprocessing.synchronize import Barrier
from pathlib import Path

import lance
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from memfold import UserError, schema
from memfold.schema import PRIMARY_KEY
from memfold.store.location import Location
from memfold.store.tables import Table, Tables, primary_key
from support.racing import KEYS, ROWS, TURNS, WRITERS, append, rows, table_of, write


def held(root: Path, text: str) -> list[Path]:
    """The files that hold a text."""
    return [file for file in root.rglob("*") if file.is_file() and text.encode() in file.read_bytes()]


def test_the_first_write_of_a_key_wins(tmp_path: Path) -> None:
    table = table_of(tmp_path)
    assert table.insert(rows(1, 2)) == 2
    assert table.insert(rows(2, 3, text="second")) == 1
    kept = table.read().sort_by("n").to_pylist()
    assert [(row["n"], row["text"]) for row in kept] == [(1, "first"), (2, "first"), (3, "second")]


def test_the_key_is_all_its_columns(tmp_path: Path) -> None:
    table = table_of(tmp_path)
    table.insert(rows(1))
    assert table.insert(rows(1, segment="t")) == 1


def test_inserting_nothing_makes_no_version(tmp_path: Path) -> None:
    table = table_of(tmp_path)
    assert table.insert(rows()) == 0
    assert list(tmp_path.iterdir()) == []
    table.insert(rows(1))
    before = lance.dataset(table.location.uri("things")).version
    table.insert(rows())
    assert lance.dataset(table.location.uri("things")).version == before


def test_a_table_that_is_not_there_reads_as_empty(tmp_path: Path) -> None:
    table = table_of(tmp_path)
    assert table.read() == ROWS.empty_table()
    assert table.read(["s"], ["n"]).column_names == ["n"]
    assert (table.count(), table.names(), list(table.batches()), table.purge(pc.field("n") == 1)) == (
        0,
        set(),
        [],
        0,
    )


def test_reading_by_segment_column_and_condition(tmp_path: Path) -> None:
    table = table_of(tmp_path)
    table.insert(pa.concat_tables([rows(1, 2), rows(1, segment="t"), rows(7, segment="it's \" a % name")]))
    assert table.names() == {"s", "t", "it's \" a % name"}
    assert table.read(["it's \" a % name"]).num_rows == 1
    assert table.read(["s", "t"], ["n"], pc.field("n") == 1).column("n").to_pylist() == [1, 1]
    assert table.read([]).num_rows == 0
    assert table.read(where=pc.field("n") > 1).num_rows == 2
    assert table.count(pc.field("segment") == "s") == 2


def test_purging_again_ends_one_that_was_killed_half_way(tmp_path: Path) -> None:
    """A version that deletes names what it deletes, and stays until there is one after it."""
    table = table_of(tmp_path)
    table.insert(rows(1, text="secret-71"))
    table.insert(rows(2, text="kept"))
    lance.dataset(table.location.uri("things")).delete("text = 'secret-71'")
    assert held(tmp_path, "secret-71")
    assert table.purge(pc.field("text") == "secret-71") == 0
    assert not held(tmp_path, "secret-71")
    assert table.read().column("text").to_pylist() == ["kept"]


@pytest.mark.parametrize("all_of_it", [False, True])
def test_purging_leaves_nothing_in_any_version(all_of_it: bool, tmp_path: Path) -> None:
    table = table_of(tmp_path)
    table.insert(rows(1, text="secret-71"))
    table.insert(rows(2, text="secret-71"))
    if not all_of_it:
        table.insert(rows(3, text="kept"))
    assert table.purge(pc.field("text") == "secret-71") == 2
    assert table.count() == (0 if all_of_it else 1)
    assert not held(tmp_path, "secret-71")
    assert len(lance.dataset(table.location.uri("things")).versions()) == 1
    assert table.insert(rows(1, text="again")) == 1


# ----------------------------------------------------------------------------------------- races


def race(folder: Path, work: Callable[[list[str], list[Barrier], int], None], times: int) -> list[str]:
    """The roots where processes did the same work at one moment, one root after the other."""
    context = multiprocessing.get_context("spawn")
    roots = [str(folder / str(n)) for n in range(times)]
    for root in roots:
        Location(root).make()
    starts = [context.Barrier(WRITERS) for _ in roots]
    writers = [context.Process(target=work, args=(roots, starts, n)) for n in range(WRITERS)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0] * WRITERS
    return roots


@pytest.mark.slow
def test_processes_that_create_a_table_and_insert_the_same_keys_leave_each_once(tmp_path: Path) -> None:
    """Ten times, for it is a race: with `write_dataset(mode="create")` four of six such races ended in an error."""
    for root in race(tmp_path, write, 10):
        left = table_of(Path(root)).read()
        assert sorted(left.column("n").to_pylist()) == list(range(KEYS))
        assert len(pc.unique(left.column("text"))) == 1  # one of them won all of it


@pytest.mark.slow
def test_processes_that_create_a_table_and_append_to_it_lose_nothing(tmp_path: Path) -> None:
    for root in race(tmp_path, append, 5):
        left = table_of(Path(root)).read()
        for writer in range(WRITERS):
            # In the order in which they were written, which is what makes the first of equal names the same for all.
            assert left.filter(pc.field("n") == writer).column("text").to_pylist() == list(
                map(str, range(TURNS))
            )


def test_a_table_is_created_once(tmp_path: Path) -> None:
    table = table_of(tmp_path)
    table._create()
    table.insert(rows(1))
    assert table._create().count_rows() == 1


def without_key(root: Path) -> pa.Schema:
    bare = pa.schema([field.remove_metadata() for field in ROWS])
    lance.write_dataset(bare.empty_table(), Location(str(root)).uri("things"), schema=bare)
    return bare


def test_control_without_the_primary_key_two_writers_leave_a_key_twice(tmp_path: Path) -> None:
    """Two writers that have read the same version and write one after the other: a race without the chance."""
    bare = without_key(tmp_path)
    for root, kind, expected in ((tmp_path, bare, 2 * KEYS), (tmp_path / "keyed", ROWS, KEYS)):
        uri = Location(str(root)).uri("things")
        if kind is ROWS:
            lance.write_dataset(ROWS.empty_table(), uri, schema=ROWS)
        read = [lance.dataset(uri), lance.dataset(uri)]
        for dataset in read:
            merge = dataset.merge_insert(["segment", "n"]).when_not_matched_insert_all()
            merge.conflict_retries(20).execute(rows(*range(KEYS)).cast(kind))
        assert lance.dataset(uri).count_rows() == expected


# ------------------------------------------------------------------------------------------ refusals


def test_a_table_without_its_primary_key_is_refused(tmp_path: Path) -> None:
    without_key(tmp_path)
    for act in (
        table_of(tmp_path).read,
        table_of(tmp_path).count,
        lambda: table_of(tmp_path).insert(rows(1)),
    ):
        with pytest.raises(
            UserError, match=r"things .* does not declare the primary key.*index into a new store"
        ):
            act()


def test_a_table_with_other_columns_is_refused(tmp_path: Path) -> None:
    other = pa.schema([*ROWS, pa.field("more", pa.string())])
    Table(Location(str(tmp_path)), "things", other).insert(
        pa.Table.from_pylist([{"segment": "s", "n": 1, "text": "x", "more": None}], schema=other)
    )
    with pytest.raises(UserError, match=r"things .* has other columns .*index into a new store"):
        table_of(tmp_path).read()


def test_a_root_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("not a folder")
    for root in (file, file / "below"):
        with pytest.raises(UserError, match=r"cannot be written .*choose another folder"):
            Location(str(root)).make()
    with pytest.raises(UserError, match=r"store.root is empty"):
        Location("")


def test_every_table_declares_its_key_and_keys_are_never_null() -> None:
    for table in (
        schema.MESSAGES, schema.EXTRACTIONS, schema.episodic(4), schema.SCRATCHPAD, schema.DEAD_LETTERS,
    ):  # fmt: skip
        keys = primary_key(table)
        assert keys == table.names[: len(keys)] != []
        for name in keys:
            assert not table.field(name).nullable
            assert PRIMARY_KEY.items() <= table.field(name).metadata.items()


def test_what_is_stored_keeps_its_schema(tmp_path: Path) -> None:
    tables = Tables(Location(str(tmp_path)), 4)
    for table in tables.all:
        table._create()
        assert table.read().schema.equals(table.schema)
        assert primary_key(lance.dataset(table.location.uri(table.name)).schema) == primary_key(table.schema)
    assert len({table.name for table in tables.all}) == 6
