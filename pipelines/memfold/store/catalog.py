"""Which conversations a snapshot holds, and of which segments each is made. Knows no text.

Two tables. `conversations` holds one record for each conversation a job changed, under the job's uid;
`snapshots` holds one row for each sealed job, numbered from 1. A record is visible in snapshot n if the
uid it is filed under belongs to a sealed snapshot of number n or less; the newest visible record of a
conversation is the conversation. What a killed job left behind is filed under a uid that nobody sealed.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC as UTC_ZONE
from datetime import datetime

import pyarrow as pa
import pyarrow.compute as pc

from memfold.digest import digest
from memfold.errors import UserError
from memfold.schema import UTC, key, required
from memfold.store.location import Location
from memfold.store.tables import Table

SEGMENT = pa.struct(
    [
        required("messages", pa.string()),
        required("extractions", pa.string()),
        required("episodic", pa.string()),
        required("rows", pa.string()),
    ]
)

CONVERSATIONS = pa.schema(
    [
        key("uid", pa.string()),
        key("conversation_id", pa.string()),
        required("removed", pa.bool_()),
        required("messages", pa.int64()),
        required("exchanges", pa.int64()),
        required("tokens", pa.int64()),
        pa.field("first_time", UTC),
        pa.field("last_time", UTC),
        required("segments", pa.list_(SEGMENT)),
        required("nodes", pa.list_(pa.string())),
        required("content_hash", pa.string()),
    ]
)

# A conversation goes by the hash of its id here: erasing it need not rewrite the history of jobs.
OUTCOME = pa.struct([required("conversation", pa.string()), required("content_hash", pa.string())])

SNAPSHOTS = pa.schema(
    [
        key("number", pa.int64()),
        required("uid", pa.string()),
        required("sealed_at", UTC),
        required("job", pa.string()),
        required("config", pa.string()),
        required("embedder", pa.string()),
        required("outcome", pa.list_(OUTCOME)),
        required("messages", pa.int64()),
        required("exchanges", pa.int64()),
        required("tokens", pa.int64()),
        required("dead_letters", pa.int64()),
        required("content_hash", pa.string()),
    ]
)


@dataclass(frozen=True, slots=True)
class Segment:
    """The names of one segment's rows in each table, and the hash of those rows as they were read back."""

    messages: str
    extractions: str
    episodic: str
    rows: str


@dataclass(frozen=True, slots=True)
class Record:
    """One conversation as a job left it. `nodes` are its scratchpad's, leaves first, the root last."""

    conversation_id: str
    messages: int
    exchanges: int
    tokens: int
    first_time: datetime | None
    last_time: datetime | None
    segments: tuple[Segment, ...]
    nodes: tuple[str, ...]
    content_hash: str
    removed: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a job left of one conversation, changed by it or not."""

    conversation: str
    content_hash: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A sealed state of a tenant's store. The counts and the outcome are those of the job that sealed it.

    `job` is the hash of all the sealed rows depend on, `config` the job's resolved configuration as JSON,
    `embedder` the signature all vectors of the store share.
    """

    number: int
    uid: str
    sealed_at: datetime
    job: str
    config: str
    embedder: str
    outcome: tuple[Outcome, ...]
    messages: int
    exchanges: int
    tokens: int
    dead_letters: int
    content_hash: str


@dataclass(frozen=True)
class Catalog:
    """The two tables of one location."""

    location: Location

    @property
    def _records(self) -> Table:
        return Table(self.location, "conversations", CONVERSATIONS)

    @property
    def _snapshots(self) -> Table:
        return Table(self.location, "snapshots", SNAPSHOTS)

    def snapshots(self) -> list[Snapshot]:
        """All sealed snapshots, oldest first."""
        rows = self._snapshots.read().sort_by("number").to_pylist()
        return [Snapshot(**{**row, "outcome": tuple(Outcome(**o) for o in row["outcome"])}) for row in rows]

    def records(self, snapshots: Sequence[Snapshot], conversation_id: str | None = None) -> dict[str, Record]:
        """The conversations visible after the given snapshots (oldest first), by id; the removed ones left out."""
        order = {snapshot.uid: snapshot.number for snapshot in snapshots}
        where = None if conversation_id is None else pc.field("conversation_id") == conversation_id
        rows = [row for row in self._records.read(where=where).to_pylist() if row["uid"] in order]
        rows.sort(key=lambda row: (order[row["uid"]], row["conversation_id"]))
        newest = {row["conversation_id"]: row for row in rows}
        return {name: _record(row) for name, row in sorted(newest.items()) if not row["removed"]}

    def changed(self, uid: str) -> dict[str, Record]:
        """The records filed under one uid."""
        rows = self._records.read(where=pc.field("uid") == uid).to_pylist()
        return {row["conversation_id"]: _record(row) for row in rows}

    def seal(self, records: Sequence[Record], draft: Snapshot) -> Snapshot:
        """File the records and make them visible at once, as the next snapshot.

        Numbers are taken in order by insertion under the primary key: of two jobs sealing at the same moment
        one gets the number and the other takes the next one, with its own records on top.
        """
        uid = uuid.uuid4().hex
        filed = [{"uid": uid, **asdict(record)} for record in records]
        self._records.insert(pa.Table.from_pylist(filed, schema=CONVERSATIONS))
        while True:
            before = self.snapshots()
            visible = self.records(before)
            visible |= {record.conversation_id: record for record in records}
            sealed = replace(
                draft,
                uid=uid,
                number=before[-1].number + 1 if before else 1,
                sealed_at=datetime.now(UTC_ZONE),
                content_hash=content_hash([record for record in visible.values() if not record.removed]),
            )
            if self._snapshots.insert(pa.Table.from_pylist([asdict(sealed)], schema=SNAPSHOTS)):
                return sealed

    def forget(self, conversation_id: str) -> int:
        """Purge every record of a conversation, in all snapshots."""
        return self._records.purge(pc.field("conversation_id") == conversation_id)

    def at(self, number: int | None = None) -> list[Snapshot]:
        """The snapshots up to a number (None: all); UserError where there is none."""
        found = self.snapshots()
        if not found:
            raise UserError(
                f"nothing is sealed under {self.location.root} for tenant {self.location.tenant!r}: "
                "index something into it first (python jobs/index.py store.root=… source.path=…)"
            )
        if number is None:
            return found
        if not any(snapshot.number == number for snapshot in found):
            raise UserError(
                f"there is no snapshot {number} under {self.location.root}: it has 1 to {found[-1].number}"
            )
        return [snapshot for snapshot in found if snapshot.number <= number]


def _record(row: dict[str, object]) -> Record:
    fields = {name: value for name, value in row.items() if name != "uid"}
    fields["segments"] = tuple(Segment(**segment) for segment in fields["segments"])  # type: ignore[attr-defined]
    fields["nodes"] = tuple(fields["nodes"])  # type: ignore[arg-type]
    return Record(**fields)  # type: ignore[arg-type]


def content_hash(records: Sequence[Record]) -> str:
    """The hash of a whole store: over its conversations' hashes in the order of their ids."""
    return digest(
        *[(r.conversation_id, r.content_hash) for r in sorted(records, key=lambda r: r.conversation_id)]
    )
