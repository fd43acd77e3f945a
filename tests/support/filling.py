"""A store filled by the store's own calls, with no engine and no embedder: write, read back, commit, name, seal."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from memfold.digest import digest
from memfold.run.outline import hashed
from memfold.run.work import Named, write_parts
from memfold.schema import required
from memfold.store.catalog import Catalog
from memfold.store.location import Location
from memfold.store.maintain import tend
from memfold.store.part import Part
from memfold.store.record import NOTHING, Record
from memfold.store.tables import Placed
from memfold.store.unsealed import Unsealed

SAID = pa.schema(
    [required("segment", pa.string()), required("conversation_id", pa.string()), required("n", pa.int64())]
)
SEGMENTS, ROWS = 3, 16


def table(location: Location) -> Placed:
    return Placed(location, "messages", SAID)


def fill(location: Location, conversations: Sequence[str], *, tending: int = 0) -> list[list[Part]]:
    """A job that writes, commits and seals conversations one after the other, and merges small files after so many
    (0: never). What others have sealed meanwhile is left as it is. Returns the parts of each conversation."""
    location.make()
    said, catalog, found = table(location), Catalog(location), []
    said.create()
    with Unsealed(location).running() as job:
        for place, conversation in enumerate(conversations, start=1):
            names = [digest("filling", conversation, segment) for segment in range(SEGMENTS)]
            rows = [_rows(conversation, name, segment) for segment, name in enumerate(names)]
            files, filed = write_parts(said, [Named(conversation, name) for name in names], rows)
            [first] = said.commit(files)
            parts = [each.part._replace(first=first + each.offset) for each in filed]
            job.made([(conversation, "messages", part) for part in parts])
            catalog.seal([_record(conversation, parts)], config="{}", embedder="made-up", before={})
            found.append(parts)
            if tending and place % tending == 0:
                tend(location)
    return found


def _rows(conversation: str, name: str, segment: int) -> pa.Table:
    columns = [[name] * ROWS, [conversation] * ROWS, range(segment * ROWS, (segment + 1) * ROWS)]
    return pa.table([pa.array(each) for each in columns], schema=SAID)


def _record(conversation: str, parts: Sequence[Part]) -> Record:
    by_table = {"messages": tuple(parts)}
    rows = sum(part.rows for part in parts)
    return Record(
        conversation, None, rows, rows, 0, None, None, 0, NOTHING, NOTHING, by_table, hashed(by_table)
    )
