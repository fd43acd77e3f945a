"""Hashes: what a thing is called when it is named by what it was made from, and by what is in it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import orjson
import pyarrow as pa

BYTES = 16


def digest(*parts: Any) -> str:
    """32 hex digits over JSON-able parts; lists and None keep their place, so nothing runs into its neighbour."""
    return hashlib.blake2b(orjson.dumps(parts), digest_size=BYTES).hexdigest()


def rows_digest(tables: Iterable[pa.Table]) -> str:
    """The hash of the rows of some tables, row by row in the order given.

    Vectors are left out: the last bits of one depend on which texts were encoded beside it. The row's
    segment is named by its text and its embedder, and stands for it.
    """
    total = hashlib.blake2b(digest_size=BYTES)
    for table in tables:
        kept = [name for name in table.column_names if name != "vector"]
        for row in table.select(kept).to_pylist():
            total.update(orjson.dumps(row, option=orjson.OPT_SORT_KEYS))
            total.update(b"\n")
    return total.hexdigest()
