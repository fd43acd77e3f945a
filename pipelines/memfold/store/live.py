"""Reading tables whose rows records name: one table as it is, or what of it a snapshot shows. Knows no layer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pyarrow as pa

from memfold.errors import UserError
from memfold.store.catalog import Catalog, History
from memfold.store.location import Location
from memfold.store.part import Part
from memfold.store.tables import Placed, is_placed, opened

# Rows read at once where all of a store is read.
ROWS_READ = 8192


def table(location: Location, name: str) -> Placed:
    """A table whose parts records name, with the columns that it has; UserError if there is none."""
    dataset = opened(location, name)
    if dataset is None or not is_placed(dataset):
        raise UserError(f"there is no table {name!r} of messages, notes or a layer under {location.root}")
    return Placed(location, name, dataset.schema).begin(dataset)


def live(
    location: Location, history: History, kind: str, columns: Iterable[str] | None = None
) -> Iterator[pa.RecordBatch]:
    """The rows of one table that a snapshot shows, one conversation after the other; one empty batch where it shows
    none. The table itself also holds rows that only other snapshots show, or none. UserError where there is no such
    table or column."""
    catalog = Catalog(location)
    catalog.kept(history)  # else a store that is gone has no such table
    of = table(location, kind)
    chosen = list(columns) if columns is not None else None
    for name in chosen or ():
        if name not in of.schema.names:
            raise UserError(
                f"the table {kind!r} has no column {name!r}; it has: {', '.join(of.schema.names)}"
            )
    empty = True
    for record in catalog.stream(history):
        for parts in bundles(record.parts.get(kind, ())):
            for batch in of.take(parts, chosen).to_batches():
                empty = False
                yield batch
    if empty:
        names = of.schema.names if chosen is None else chosen
        yield pa.RecordBatch.from_pylist([], schema=pa.schema([of.schema.field(name) for name in names]))


def bundles(parts: Iterable[Part]) -> Iterator[list[Part]]:
    """Some parts, in order, so many together as are read at once."""
    waiting: list[Part] = []
    for part in parts:
        waiting.append(part)
        if sum(each.rows for each in waiting) >= ROWS_READ:
            yield waiting
            waiting = []
    if waiting:
        yield waiting
