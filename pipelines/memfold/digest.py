"""Hashes: what a thing is called when it is named by what it was made from, and by what is in it."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Sequence
from typing import Any

import orjson
import pyarrow as pa

BYTES = 16


def digest(*parts: Any) -> str:
    """32 hex digits over JSON-able parts; lists and None keep their place, so nothing runs into its neighbour."""
    return hashlib.blake2b(orjson.dumps(parts), digest_size=BYTES).hexdigest()


def rows_digests(rows: pa.Table, sizes: Sequence[int]) -> list[str]:
    """The hashes of runs of rows that lie one after the other, `sizes` rows each.

    Vectors are left out: the last bits of one may depend on which texts were encoded beside it. The row's part is
    named by its text and its embedder, and stands for it.
    """
    if rows.num_rows != sum(sizes):
        raise ValueError(f"{rows.num_rows} rows are no {sum(sizes)}")
    kept = [name for name in rows.column_names if name != "vector"]
    lines = iter([orjson.dumps(row, option=orjson.OPT_SORT_KEYS) for row in rows.select(kept).to_pylist()])
    return [
        hashlib.blake2b(b"\n".join(itertools.islice(lines, size)), digest_size=BYTES).hexdigest()
        for size in sizes
    ]
