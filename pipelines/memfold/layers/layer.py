"""What a memory layer is: a fold over a conversation's rows into one kind of memory, in three steps.

`lift` turns some of the rows into keyed rows, `merge` unites such rows, `seal` turns the united rows into
the layer's. A merge is a union by key, the same for every layer and written once, here: it cannot depend
on the order or on where a conversation was cut (law 3). In a job the union is the store's insertion by
primary key. No model runs inside a merge.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import pyarrow as pa

from memfold.store.tables import primary_key


class MemoryLayer(Protocol):
    """One kind of memory. `signature` names everything but the rows that its result depends on."""

    @property
    def name(self) -> str: ...

    @property
    def signature(self) -> str: ...

    def lift(self, rows: pa.Table) -> pa.Table:
        """Keyed rows from any part of a conversation's rows (whole exchanges)."""
        ...

    def seal(self, lifted: pa.Table) -> pa.Table:
        """The layer's rows from all lifted rows of a conversation, merged."""
        ...


def merge(parts: Sequence[pa.Table]) -> pa.Table:
    """The union of lifted rows: each key once, in the order of keys.

    Rows of one key are equal whoever lifted them, so it does not matter which is kept.
    """
    table = pa.concat_tables(parts).combine_chunks()
    keys = [name for name in primary_key(table.schema) if name != "segment"]
    table = table.sort_by([(name, "ascending") for name in keys])
    seen: set[tuple[object, ...]] = set()
    kept = []
    for place, key in enumerate(zip(*(table.column(name).to_pylist() for name in keys), strict=True)):
        if key not in seen:
            seen.add(key)
            kept.append(place)
    return table.take(pa.array(kept, pa.int64()))
