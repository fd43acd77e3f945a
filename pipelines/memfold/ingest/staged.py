"""What an ingest leaves for an index job: one table beside the store's others, and `source=table`, which reads it.

The table `ingested` holds what the newest ingest read, conversation by conversation and in order: messages, and dead
letters, which are the rows that have a `reason`. It is replaced whole, in one commit. It is a table of the tenant like
any other, so erasing a conversation takes it from here too. Knows nothing of who fills it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import lance
import pyarrow as pa

from memfold.errors import OF_READING, UserError
from memfold.schema import INSTANT, UTC_OFFSET, DeadLetter, Item, Message, Title
from memfold.store.attempts import was_cleaned
from memfold.store.location import Location
from memfold.store.tables import Table

STAGED = pa.schema(
    [
        ("conversation_id", pa.string()),
        ("seq", pa.int64()),
        ("message_id", pa.string()),
        ("role", pa.string()),
        ("content", pa.string()),
        ("time", INSTANT),
        UTC_OFFSET,
        ("session", pa.string()),
        ("speaker", pa.string()),
        ("attachments", pa.list_(pa.string())),
        ("current", pa.bool_()),
        ("title", pa.string()),
        ("file", pa.string()),
        ("place", pa.string()),
        ("reason", pa.string()),
        ("raw", pa.binary()),
    ]
)


class Staged(Table):
    """The table, written by many processes and put in place by one."""

    def write(self, rows: Iterable[pa.RecordBatch]) -> list[str]:
        """Write rows into files of their own, a batch at a time, from any process; returns what `replace` needs of
        them. Nobody sees them before that."""
        return self._fragments(pa.RecordBatchReader.from_batches(self.schema, rows))

    def replace(self, fragments: Sequence[str], rows: int) -> None:
        """Put written files in the place of all that the table holds, in one version; ValueError, and nothing is done,
        where they do not hold so many rows."""
        known = self._committable(fragments)
        held = sum(fragment.physical_rows for fragment in known)
        if held != rows:
            raise ValueError(f"the files hold {held} rows, not {rows}")
        before = self.create()
        lance.LanceDataset.commit(
            before,
            lance.LanceOperation.Overwrite(self.schema, known),
            storage_options=self.location.storage_options,
        )


def staged(location: Location) -> Staged:
    """The table of a location."""
    return Staged(location, "ingested", STAGED)


@dataclass(frozen=True)
class Ingested:
    """What was ingested into a store, as a source. UserError where nothing was."""

    store: Location

    def __post_init__(self) -> None:
        table = staged(self.store).open()
        # An ingest that failed leaves the table empty. It is there so that an erasure finds what workers left in it.
        if table is None or not table.count_rows():
            raise UserError(
                f"source=table: nothing was ingested under {self.store.root} for tenant {self.store.tenant}: run "
                "python jobs/ingest_spark.py source.path=… with this store.root first"
            )

    def messages(self) -> Iterator[Item]:
        """Messages, titles and dead letters, conversation after conversation."""
        of, seq, titled = None, 0, False
        try:
            for batch in staged(self.store).batches():
                for row in batch.to_pylist():
                    if row["reason"] is not None:
                        yield DeadLetter(
                            row["file"], row["place"], row["reason"], row["raw"], row["conversation_id"]
                        )
                        continue
                    if row["conversation_id"] != of:
                        of, seq, titled = row["conversation_id"], 0, False
                    if row["seq"] != seq:
                        raise UserError(
                            f"the table ingested under {self.store.root} does not hold message {seq} of conversation "
                            f"{of!r} in its place: ingest again"
                        )
                    seq += 1
                    if row["title"] is not None and not titled:
                        titled = True
                        yield Title(row["conversation_id"], row["title"])
                    yield Message.of(row)
        except OF_READING as error:
            if not was_cleaned(error):
                raise
            raise UserError(
                f"the table ingested under {self.store.root} was replaced while it was read: run the job again"
            ) from None
