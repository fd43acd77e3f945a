"""A part: rows that are made together and never change, as records and journals name them. Knows no table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import pyarrow as pa

from memfold.digest import BYTES
from memfold.schema import required

HASH = pa.binary(BYTES)

PART = pa.struct(
    [
        required("name", HASH),
        required("first", pa.int64()),
        required("rows", pa.int32()),
        required("hash", HASH),
        required("tokens", pa.int32()),
    ]
)


class Part(NamedTuple):
    """Rows that are made together and never change: their name (the digest of what they are made from), where they
    lie in their table, the hash of what was read back from there, and the tokens of the messages among them. `first` is
    -1 where there are no rows. Rows that nobody names have "" for a name and a hash."""

    name: str
    first: int
    rows: int
    hash: str
    tokens: int = 0


def column_of(parts: Sequence[Part]) -> pa.StructArray:
    """Parts as a column of `PART`. Made field by field; of 240,000 parts row by row takes three times as long."""
    columns: dict[str, list[Any]] = {name: [getattr(part, name) for part in parts] for name in Part._fields}
    for name in ("name", "hash"):
        columns[name] = list(map(bytes.fromhex, columns[name]))
    return pa.StructArray.from_arrays(
        [pa.array(columns[field.name], field.type) for field in PART], fields=list(PART)
    )


def part_of(name: bytes, first: int, rows: int, hash: bytes, tokens: int) -> Part:
    """A stored part, from the fields of `PART`."""
    return Part(name.hex(), first, rows, hash.hex(), tokens)
