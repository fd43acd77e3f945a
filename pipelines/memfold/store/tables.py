"""Lance tables of a tenant. Knows nothing of what is in them.

Two kinds. A `Keyed` table is small: rows are inserted under its primary key, and the first write wins, so writers
may race and repeat themselves (decision 2). A `Placed` table is large and has no key: any process writes rows
into a file of their own, one commit makes many files visible, and rows are read by where they lie. Their row ids
never change, whatever is appended, compacted or deleted, so a place is two numbers and reading one costs the same
in a table of any size (decision 20).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, NamedTuple, TypeVar

import lance
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from lance.file import LanceFileReader

from memfold.errors import UserError
from memfold.schema import PRIMARY_KEY
from memfold.store.location import Location

# What the tables' layout is called. Raise it when rows or places of an older store can no longer be read.
FORMAT = b"2"
FORMAT_KEY = b"memfold:format"
# What marks a table whose rows records name by their places.
PLACED_KEY = b"memfold:placed"

# A file of rows is rewritten when it is merged with others or loses rows: this bounds what one erasure rewrites.
FILE_BYTES = 128 << 20
# Compaction waits for as many files. Fewer do not slow reading down, and merging rewrites their bytes.
FRAGMENTS = 24
# Older versions than this are let go. Readers that opened one are done with it by then, or open a newer one.
GRACE = timedelta(minutes=10)

T = TypeVar("T")


def primary_key(schema: pa.Schema) -> list[str]:
    """The names of the columns that are the table's key."""
    return [field.name for field in schema if (field.metadata or {}).get(next(iter(PRIMARY_KEY))) == b"true"]


class Place(NamedTuple):
    """Rows that lie together in a placed table: the id of the first (-1 where there are none), and how many."""

    first: int
    rows: int


@dataclass
class Table:
    """One Lance table of a tenant. Each call sees the newest version, but for what `Placed` says."""

    location: Location
    name: str
    schema: pa.Schema

    STABLE = False

    def __post_init__(self) -> None:
        self.schema = self.schema.with_metadata({**(self.schema.metadata or {}), FORMAT_KEY: FORMAT})

    @property
    def uri(self) -> str:
        return self.location.uri(self.name)

    @property
    def _options(self) -> dict[str, str] | None:
        return self.location.options or None

    def open(self) -> Any | None:
        """The newest version as a Lance dataset, or None where there is no such table; UserError where memfold did not
        write it, or an older memfold did."""
        dataset = opened(self.location, self.name)
        if dataset is None:
            return None
        found = (dataset.schema.metadata or {}).get(FORMAT_KEY, b"1")
        if found != FORMAT:
            raise UserError(
                f"{self.location.root} was written in format {found.decode(errors='replace')} of memfold's store, and "
                f"this memfold reads format {FORMAT.decode()}: index the sources again into a new store.root"
            )
        if primary_key(dataset.schema) != primary_key(self.schema) or not dataset.schema.equals(self.schema):
            raise UserError(
                f"table {self.name} of {self.location.root} has other columns or another primary key than this version "
                "of memfold writes: index the sources again into a new store.root"
            )
        return dataset

    def create(self) -> Any:
        """The table, made if it is not there."""
        dataset = self.open()
        if dataset is not None:
            return dataset
        # Not `write_dataset(mode="create")`: of four processes that create one table at once two succeed in 8 of
        # 30 tries, and the second overwrites what was inserted in between. As the first version, without retries:
        # one in 30 of 30 (decision 2).
        try:
            return lance.LanceDataset.commit(
                self.uri,
                lance.LanceOperation.Overwrite(self.schema, []),
                read_version=0,
                max_retries=0,
                storage_options=self._options,
                enable_stable_row_ids=self.STABLE,
            )
        except OSError as error:
            dataset = self.open()  # another writer was first
            if dataset is None:
                raise UserError(
                    f"table {self.name} cannot be created under {self.location.root}: {error}"
                ) from None
            return dataset

    def append(self, rows: pa.Table) -> None:
        """Add the rows in one version, whatever is there."""
        if rows.num_rows:
            lance.write_dataset(
                rows.cast(self.schema), self.create(), mode="append", storage_options=self._options
            )

    def read(self, columns: Sequence[str] | None = None, where: Any = None) -> pa.Table:
        """The rows for which `where` (an Arrow expression) holds: all of them by default."""
        dataset = self.open()
        if dataset is None:
            return _chosen(self.schema.empty_table(), columns)
        return dataset.to_table(columns=list(columns) if columns is not None else None, filter=where)

    def batches(self, columns: Sequence[str] | None = None, where: Any = None) -> Iterator[pa.RecordBatch]:
        """The same, a batch at a time."""
        dataset = self.open()
        if dataset is not None:
            yield from dataset.to_batches(
                columns=list(columns) if columns is not None else None, filter=where
            )

    def count(self, where: Any = None) -> int:
        """How many rows the newest version has for which `where` holds."""
        dataset = self.open()
        return 0 if dataset is None else int(dataset.count_rows(filter=where))

    def delete(self, where: Any) -> int:
        """Delete the rows for which `where` holds from the newest version; returns how many. Older ones keep them."""
        dataset = self.open()
        gone = 0 if dataset is None else int(dataset.count_rows(filter=where))
        if dataset is not None and gone:
            dataset.delete(where)
        return gone


class Keyed(Table):
    """A small table with a primary key."""

    def insert(self, rows: pa.Table) -> int:
        """Insert the rows whose key is not there yet, in one version; returns how many were."""
        if rows.num_rows == 0:
            return 0
        merge = self.create().merge_insert(primary_key(self.schema)).when_not_matched_insert_all()
        return int(merge.conflict_retries(20).execute(rows.cast(self.schema))["num_inserted_rows"])

    def put(self, rows: pa.Table) -> None:
        """Insert the rows, or replace those of the same key."""
        merge = self.create().merge_insert(primary_key(self.schema))
        merge = merge.when_matched_update_all().when_not_matched_insert_all()
        merge.conflict_retries(20).execute(rows.cast(self.schema))


@dataclass
class Placed(Table):
    """A large table that is read by places. It keeps the version it opened last and opens a newer one where that
    version does not hold what is asked for: rows never change, so an older version is as good as a newer one."""

    STABLE = True
    _version: Any = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.schema = self.schema.with_metadata({**self.schema.metadata, PLACED_KEY: b"1"})

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_version": None}

    def write(self, rows: pa.Table) -> list[str]:
        """Write rows into files of their own, from any process; returns what `commit` needs of each. Nobody sees them
        before that."""
        if rows.num_rows == 0:
            return []
        fragments = lance.fragment.write_fragments(
            rows.cast(self.schema),
            self.uri,
            schema=self.schema,
            storage_options=self._options,
            enable_stable_row_ids=True,
        )
        return [json.dumps(fragment.to_json()) for fragment in fragments]

    def written(self, fragments: Sequence[str], columns: Sequence[str] | None = None) -> pa.Table:
        """The rows of files that are written and not committed, read back from where they lie."""
        parts = [self.schema.empty_table()]
        for fragment in fragments:
            for file in json.loads(fragment)["files"]:
                reader = LanceFileReader(f"{self.uri}/data/{file['path']}", storage_options=self._options)
                parts.append(reader.read_all().to_table())
        return _chosen(pa.concat_tables([part.cast(self.schema) for part in parts]), columns)

    def commit(self, fragments: Sequence[str]) -> list[int]:
        """Make written files visible, all in one version; returns the id of the first row of each, in order."""
        if not fragments:
            return []
        self._here(fragments)
        known = [lance.FragmentMetadata.from_json(fragment) for fragment in fragments]
        before = self.create()
        self._version = lance.LanceDataset.commit(
            before,
            lance.LanceOperation.Append(known),
            read_version=before.version,
            storage_options=self._options,
        )
        wanted = {json.loads(fragment)["files"][0]["path"]: None for fragment in fragments}
        first = dict.fromkeys(wanted, -1)
        for fragment in reversed(self._version.get_fragments()):
            path = fragment.data_files()[0].path
            if path in wanted:
                rows = fragment.scanner(columns=[], with_row_id=True, limit=1).to_table()
                first[path] = rows.column("_rowid")[0].as_py()
                del wanted[path]
            if not wanted:
                break
        return list(first.values())

    def _here(self, fragments: Sequence[str]) -> None:
        folder = self.location.local
        if folder is None:
            return
        for fragment in fragments:
            for file in json.loads(fragment)["files"]:
                if not (folder / f"{self.name}.lance" / "data" / file["path"]).exists():
                    raise UserError(
                        f"store.root={self.location.root}: what a worker wrote there is not there for the driver: give a "
                        "folder that all machines of the cluster share, or an object store's URL"
                    )

    def forget(self, conversation_id: str) -> int:
        """Delete a conversation's rows from the newest version; returns how many."""
        where = pc.field("conversation_id") == conversation_id
        return int(retried(lambda: self.delete(where)))

    def take(self, places: Sequence[Place], columns: Sequence[str] | None = None) -> pa.Table:
        """The rows at some places, in the order given. Raises `Missing` where some are not there any more."""
        wanted = [np.arange(place.first, place.first + place.rows) for place in places if place.rows]
        if not wanted:
            return _chosen(self.schema.empty_table(), columns)
        ids = np.concatenate(wanted).tolist()
        rows = None
        if self._version is not None:
            try:
                rows = _take(self._version, ids, columns)
            except OSError:  # the version's files were let go
                rows = None
        if rows is None or rows.num_rows != len(ids):
            self._version = self.open()
            rows = None if self._version is None else _take(self._version, ids, columns)
        if rows is None or rows.num_rows != len(ids):
            raise Missing(
                f"table {self.name} holds {rows.num_rows if rows else 0} of {len(ids)} rows asked for"
            )
        return rows

    def held(self, places: Sequence[Place]) -> int:
        """How many of the rows at some places are there."""
        try:
            return int(self.take(places, [self.schema.names[0]]).num_rows)
        except Missing:
            return sum(self._held(place) for place in places)

    def _held(self, place: Place) -> int:
        ids = list(range(place.first, place.first + place.rows))
        found = (
            _take(self._version, ids, [self.schema.names[0]]) if ids and self._version is not None else None
        )
        return int(found.num_rows) if found is not None else 0


class Missing(Exception):
    """Rows that a place names are not in their table."""


def _take(dataset: Any, ids: list[int], columns: Sequence[str] | None) -> pa.Table:
    # Lance has no public call for it yet. Its filter `_rowid IN (…)` gives the same rows: 8,301 of 200,000 in 141 ms,
    # this in 31.
    rows: pa.Table = dataset._take_rows(ids, columns=list(columns) if columns is not None else None)
    return rows


def _chosen(table: pa.Table, columns: Sequence[str] | None) -> pa.Table:
    return table if columns is None else table.select(list(columns))


def opened(location: Location, name: str) -> Any | None:
    """A table of the location as it is, whoever wrote it; None where there is none."""
    try:
        return lance.dataset(location.uri(name), storage_options=location.options or None)
    except ValueError as error:  # how pylance says that there is none
        if "was not found" in str(error) or "Not found" in str(error):
            return None
        raise


def is_placed(dataset: Any) -> bool:
    """Whether records name this table's rows by their places."""
    return PLACED_KEY in (dataset.schema.metadata or {})


def retried(change: Callable[[], T], times: int = 20) -> T:
    """`change`, made again where another writer's commit came between: Lance says so and changes nothing."""
    for _ in range(times - 1):
        try:
            return change()
        except (OSError, RuntimeError) as error:
            if "conflict" not in str(error).lower():
                raise
    return change()


def compact(dataset: Any, *, deletions: bool = False, least: int = FRAGMENTS) -> int:
    """Merge small files where there are at least `least`, or with `deletions` rewrite all that hold deleted rows;
    returns how many files were rewritten."""
    fragments = dataset.get_fragments()
    rows = max(dataset.count_rows(), 1)
    size = sum(file.file_size_bytes or 0 for fragment in fragments for file in fragment.data_files())
    target = max(1024, min(1 << 20, FILE_BYTES * rows // max(size, 1)))
    small = sum(fragment.physical_rows < target for fragment in fragments)
    if not deletions and small < least:
        return 0
    options: dict[str, Any] = {"target_rows_per_fragment": target if small >= least else 1}
    if deletions:
        options |= {"materialize_deletions": True, "materialize_deletions_threshold": 0.0}
    done = retried(lambda: dataset.optimize.compact_files(**options))
    return int(done.fragments_removed)


def erased(location: Location, name: str, where: Any, *, alone: bool) -> int:
    """Delete rows from the newest and every older version of a table; returns how many.

    Rewrites the files that held them and removes the versions before: until then those still serve the deleted text.
    `alone` says that nobody else writes: then files go too that a killed writer left.
    """
    dataset = opened(location, name)
    if dataset is None:
        return 0
    gone = int(dataset.count_rows(filter=where))
    if gone:
        retried(lambda: dataset.delete(where))
    # Also where nothing was there to delete: a job that found its conversation erased has only deleted what it wrote.
    compact(dataset, deletions=True)
    # The version that deletes names what it deletes. One after it, with nothing new, lets that go too.
    last = lance.write_dataset(
        dataset.schema.empty_table(), dataset.uri, mode="append", storage_options=location.options or None
    )
    last.cleanup_old_versions(older_than=timedelta(0), delete_unverified=alone)
    return gone


def names(location: Location) -> list[str]:
    """The tables there are at a location, whoever wrote them."""
    folder = location.local
    if folder is not None:
        return sorted(path.stem for path in folder.glob("*.lance"))
    import lancedb

    database = lancedb.connect(location.folder, storage_options=location.options or None)
    return sorted(database.list_tables().tables)


def among(column: str, values: Collection[str]) -> Any:
    """The condition that a column of strings holds one of some values. Built from values, never from text."""
    return pc.field(column).isin(pa.array(list(values), pa.string()))
