"""Lance tables: create, insert what is missing, read by segment, purge. Knows nothing of conversations' meaning.

Inserting never touches a row that is there: the table's primary key is declared in the schema, and first write wins,
so that writers may race and repeat themselves (decision 2). Only generations are appended (decision 10).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import lance
import pyarrow as pa
import pyarrow.compute as pc

from memfold import schema
from memfold.errors import UserError
from memfold.schema import PRIMARY_KEY
from memfold.store.location import Location


def primary_key(schema: pa.Schema) -> list[str]:
    """The names of the columns that are the table's key."""
    return [field.name for field in schema if (field.metadata or {}).get(next(iter(PRIMARY_KEY))) == b"true"]


@dataclass(frozen=True)
class Table:
    """One Lance table of a tenant. Holds no state: each call sees the newest version."""

    location: Location
    name: str
    schema: pa.Schema

    def _open(self) -> Any | None:
        try:
            dataset = lance.dataset(
                self.location.uri(self.name), storage_options=self.location.options or None
            )
        except ValueError as error:  # how pylance says that there is none
            if "was not found" in str(error) or "Not found" in str(error):
                return None
            raise
        if primary_key(dataset.schema) != primary_key(self.schema):
            raise UserError(
                f"table {self.name} of {self.location.root} does not declare the primary key that it has here: it was "
                "not written by memfold, or by an older one; index into a new store"
            )
        if not dataset.schema.equals(self.schema):
            raise UserError(
                f"table {self.name} of {self.location.root} has other columns than this version of memfold writes; "
                "index into a new store"
            )
        return dataset

    def _empty(self, mode: str) -> Any:
        """Write a version without rows of its own."""
        return lance.write_dataset(
            self.schema.empty_table(),
            self.location.uri(self.name),
            schema=self.schema,
            mode=mode,
            storage_options=self.location.options or None,
        )

    def _create(self) -> Any:
        # Not `write_dataset(mode="create")`: of four processes that create one table at once two succeed in 8 of
        # 30 tries, and the second overwrites what was inserted in between. As the first version, without retries:
        # one in 30 of 30 (decision 2).
        try:
            return lance.LanceDataset.commit(
                self.location.uri(self.name),
                lance.LanceOperation.Overwrite(self.schema, []),
                read_version=0,
                max_retries=0,
                storage_options=self.location.options or None,
            )
        except OSError as error:
            dataset = self._open()  # another writer was first
            if dataset is None:
                raise UserError(
                    f"table {self.name} cannot be created under {self.location.root}: {error}"
                ) from None
            return dataset

    def insert(self, rows: pa.Table) -> int:
        """Insert the rows whose key is not there yet, in one version; returns how many were."""
        if rows.num_rows == 0:
            return 0
        dataset = self._open() or self._create()
        merge = dataset.merge_insert(primary_key(self.schema)).when_not_matched_insert_all()
        return int(merge.conflict_retries(20).execute(rows.cast(self.schema))["num_inserted_rows"])

    def append(self, rows: pa.Table) -> None:
        """Add the rows in one version, whatever is there: for a table whose readers take the first of a name.

        Inserting looks every key up in every file: 8,301 rows in commits of 32 cost 8.5 s of CPU, appending them 1.0.
        """
        if rows.num_rows:
            lance.write_dataset(rows.cast(self.schema), self._open() or self._create(), mode="append")

    def read(
        self, segments: Collection[str] | None = None, columns: Sequence[str] | None = None, where: Any = None
    ) -> pa.Table:
        """All rows, or those of the named segments and for which `where` (an Arrow expression) holds."""
        dataset = self._open()
        if dataset is None or (segments is not None and not segments):
            table = self.schema.empty_table()
            return table.select(columns) if columns is not None else table
        if segments is not None:
            chosen = pc.field("segment").isin(list(segments))
            where = chosen if where is None else chosen & where
        return dataset.to_table(columns=list(columns) if columns is not None else None, filter=where)

    def names(self) -> set[str]:
        """The segments that are there."""
        dataset = self._open()
        found: set[str] = set()
        if dataset is not None:
            for batch in dataset.to_batches(columns=["segment"]):
                found.update(pc.unique(batch.column(0)).to_pylist())
        return found

    def count(self, where: Any = None) -> int:
        dataset = self._open()
        return 0 if dataset is None else int(dataset.count_rows(filter=where))

    def batches(self, columns: Sequence[str] | None = None, where: Any = None) -> Iterator[pa.RecordBatch]:
        dataset = self._open()
        if dataset is not None:
            yield from dataset.to_batches(
                columns=list(columns) if columns is not None else None, filter=where
            )

    def delete(self, where: Any) -> int:
        """Delete the rows for which `where` holds from the newest version; returns how many. Older ones keep them."""
        dataset = self._open()
        gone = 0 if dataset is None else int(dataset.count_rows(filter=where))
        if dataset is not None and gone:
            dataset.delete(where)
        return gone

    def purge(self, where: Any) -> int:
        """Delete the rows for which `where` holds from the newest and every older version; returns how many.

        Rewrites the files that held them and removes the versions before: until then those still serve the
        deleted text (PLATFORM.md). Only safe while nobody else writes the table.
        """
        dataset = self._open()
        if dataset is None:
            return 0
        gone = int(dataset.count_rows(filter=where))
        if gone and gone == dataset.count_rows():
            self._empty(mode="overwrite")
        elif gone:
            dataset.delete(where)
            dataset.optimize.compact_files(materialize_deletions=True, materialize_deletions_threshold=0.0)
        # The version that deletes names what it deletes. One after it, with nothing new, lets that go too.
        last = self._empty(mode="append")
        last.cleanup_old_versions(older_than=timedelta(0), delete_unverified=True)
        return gone


@dataclass(frozen=True)
class Tables:
    """The tables that hold what was said and what was made of it. `dimension` is the length of a vector."""

    location: Location
    dimension: int

    @property
    def messages(self) -> Table:
        return Table(self.location, "messages", schema.MESSAGES)

    @property
    def extractions(self) -> Table:
        return Table(self.location, "extractions", schema.EXTRACTIONS)

    @property
    def episodic(self) -> Table:
        return Table(self.location, "episodic", schema.episodic(self.dimension))

    @property
    def scratchpad(self) -> Table:
        return Table(self.location, "scratchpad", schema.SCRATCHPAD)

    @property
    def dead_letters(self) -> Table:
        return Table(self.location, "dead_letters", schema.DEAD_LETTERS)

    @property
    def generations(self) -> Table:
        return Table(self.location, "generations", schema.GENERATIONS)

    @property
    def all(self) -> tuple[Table, ...]:
        return (
            self.messages,
            self.extractions,
            self.episodic,
            self.scratchpad,
            self.dead_letters,
            self.generations,
        )
