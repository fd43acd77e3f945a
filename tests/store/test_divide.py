"""Dividing rows: each is in one part, all of one text in the same, and few of them in memory."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import closing

import pyarrow as pa
import pytest

from memfold.store import divide
from memfold.store.divide import Divided

SCHEMA = pa.schema([pa.field("name", pa.string()), pa.field("n", pa.int64())])
ROWS = [(f"c{n % 700}", n) for n in range(2000)]


@pytest.fixture(params=[1 << 20, 64])
def divided(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Divided]:
    """2,000 rows in five parts, in memory and in files."""
    monkeypatch.setattr(divide, "ROWS", 500)
    monkeypatch.setattr(divide, "HELD", request.param)
    made = Divided(SCHEMA, "name", len(ROWS))
    table = pa.table([pa.array(column) for column in zip(*ROWS, strict=True)], schema=SCHEMA)
    with closing(made):
        made.add(table.to_batches(max_chunksize=300))
        yield made


def test_each_row_is_in_one_part_with_all_that_share_its_text(divided: Divided) -> None:
    assert divided.parts == 5
    parts = [
        [(row["name"], row["n"]) for batch in divided.read(part) for row in batch.to_pylist()]
        for part in range(divided.parts)
    ]
    assert sorted(row for part in parts for row in part) == sorted(ROWS)
    names = [{name for name, _ in part} for part in parts]
    assert all(names)
    assert sum(map(len, names)) == 700


def test_a_part_is_read_as_often_as_asked(divided: Divided) -> None:
    first = [batch.to_pylist() for batch in divided.read(2)]
    gc.collect()
    assert [batch.to_pylist() for batch in divided.read(2)] == first


def test_parts_have_about_as_many_rows_however_many_there_are() -> None:
    for rows, parts in ((0, 1), (divide.ROWS - 1, 1), (10 * divide.ROWS, 11)):
        with closing(Divided(SCHEMA, "name", rows)) as divided:
            assert divided.parts == parts
