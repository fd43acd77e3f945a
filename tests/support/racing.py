"""Writers that race for one table, in a module that spawned processes can import."""

from __future__ import annotations

from multiprocessing.synchronize import Barrier
from pathlib import Path

import pyarrow as pa

from memfold.schema import key, required
from memfold.store.location import Location
from memfold.store.tables import Keyed

ROWS = pa.schema([key("segment", pa.string()), key("n", pa.int64()), required("text", pa.string())])
KEYS = 200
WRITERS = 4
TURNS = 5


def table_of(root: Path) -> Keyed:
    return Keyed(Location(str(root)), "things", ROWS)


def rows(*numbers: int, segment: str = "s", text: str = "first") -> pa.Table:
    return pa.Table.from_pylist([{"segment": segment, "n": n, "text": text} for n in numbers], schema=ROWS)


def append(roots: list[str], starts: list[Barrier], mine: int) -> None:
    """The same, by adding: `TURNS` times each."""
    for root, start in zip(roots, starts, strict=True):
        start.wait()
        for turn in range(TURNS):
            table_of(Path(root)).append(rows(mine, text=f"{turn}"))


def write(roots: list[str], starts: list[Barrier], mine: int) -> None:
    """One of several writers: they create a table and insert the same keys at one moment, root after root."""
    for root, start in zip(roots, starts, strict=True):
        start.wait()
        table_of(Path(root)).insert(rows(*range(KEYS), text=f"writer {mine}"))
