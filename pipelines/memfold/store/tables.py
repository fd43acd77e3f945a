"""Lance tables of a tenant. Knows nothing of what is in them but the column `segment`, which names a row's part.

To a plain `Table` rows are appended. There are two kinds beside it. A `Keyed` table is small: rows are inserted under
its primary key, and the first write wins, so writers may race and repeat themselves (decision 2). A `Placed` table is
large and has no key: any process writes rows into a file of their own, one commit makes many files visible, and rows
are read by where they lie. Their row ids never change, whatever is appended, compacted or deleted, so a place is two
numbers and reading one costs the same in a table of any size (decision 14).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

import lance
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from lance.file import LanceFileReader, LanceFileSession
from numpy.typing import NDArray

from memfold.errors import OF_READING, UserError, refused
from memfold.forked import unforked
from memfold.schema import PRIMARY_KEY
from memfold.store.attempts import TURNS, check_known, reread, retried, was_cleaned
from memfold.store.location import Location
from memfold.store.part import Part

# What the tables' layout is called. Raise it when rows or places of an older store can no longer be read.
FORMAT = b"5"
FORMAT_KEY = b"memfold:format"
# What marks a table whose rows records name by their places.
PLACED_KEY = b"memfold:placed"
# The column of the name of the part that a row belongs to.
SEGMENT = "segment"
# The field of Lance's manifest, a message of protobuf, that holds the next row id.
NEXT_ROW_ID = 14

# Lance's format of the files of placed rows. In 2.2, pylance 14's default, a column that holds one value on a whole
# page is read from the page's first row on: 16 rows at the end of 512,000 take 1.4 ms a column, in 2.1 they take 0.17.
FILES = "2.1"
# Runs of rows in one condition for Lance.
RUNS_A_DELETE = 200
# The most that a process keeps in each of Lance's two caches, for all tables. Lance's own default is 7 GB.
CACHED_BYTES = 64 << 20

# How Lance says that an object store did not answer, before the place in its source.
_NOT_REACHED = re.compile(
    r"(?:LanceError\(IO\): |Failed to connect to namespace: (?=IO ))(.+?)(?:, /\S+\Z|, location: |\Z)",
    re.DOTALL,
)


def primary_key(schema: pa.Schema) -> list[str]:
    """The names of the columns that are the table's key."""
    return [field.name for field in schema if (field.metadata or {}).get(next(iter(PRIMARY_KEY))) == b"true"]


@dataclass
class Table:
    """One Lance table of a tenant. Every call reads the newest version, except as `Placed` says."""

    location: Location
    name: str
    schema: pa.Schema

    STABLE = False

    def __post_init__(self) -> None:
        self.schema = self.schema.with_metadata({**(self.schema.metadata or {}), FORMAT_KEY: FORMAT})

    @property
    def uri(self) -> str:
        """Where the table lies, as a path or a URL."""
        return self.location.uri(self.name)

    def open(self) -> Any | None:
        """The newest version as a Lance dataset, or None if there is no such table; UserError if another program or
        an older memfold wrote it."""
        dataset = opened(self.location, self.name)
        return None if dataset is None else self._checked(dataset)

    def _checked(self, dataset: Any) -> Any:
        found = (dataset.schema.metadata or {}).get(FORMAT_KEY, b"1")
        if found != FORMAT:
            raise UserError(
                f"{self.location.root} was written in format {found.decode(errors='replace')} of memfold's store, and "
                f"this memfold reads format {FORMAT.decode()}: index the sources again into a new store.root (memories "
                "that programs filed are in no source). To erase something, delete this folder, or erase with the "
                "memfold that wrote it"
            )
        if primary_key(dataset.schema) != primary_key(self.schema) or not dataset.schema.equals(self.schema):
            raise UserError(
                f"table {self.name} of {self.location.root} has other columns or another primary key than this version "
                "of memfold writes: index the sources again into a new store.root"
            )
        return dataset

    def create(self) -> Any:
        """The table, created if it does not exist."""
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
                storage_options=self.location.storage_options,
                enable_stable_row_ids=self.STABLE,
            )
        except OSError as error:
            dataset = self.open()  # another writer was first
            if dataset is None:
                said = f"table {self.name} cannot be created under {self.location.root}: {error}"
                raise UserError(refused(error, f"store.root={self.location.root}") or said) from None
            return dataset

    def append(self, rows: pa.Table) -> None:
        """Add the rows in one version. Rows that are equal to stored ones are added too."""
        if rows.num_rows:
            retried(
                lambda: lance.write_dataset(
                    rows.cast(self.schema),
                    self.create(),
                    mode="append",
                    storage_options=self.location.storage_options,
                ),
                self.uri,
            )

    def _fragments(self, rows: pa.Table | pa.RecordBatchReader) -> list[str]:
        """Write rows of the table's schema into files of their own, which nobody sees yet; one text a file."""
        fragments = lance.fragment.write_fragments(
            rows,
            self.uri,
            schema=self.schema,
            storage_options=self.location.storage_options,
            enable_stable_row_ids=self.STABLE,
            data_storage_version=FILES,
        )
        return [json.dumps(fragment.to_json()) for fragment in fragments]

    def _committable(self, fragments: Sequence[str]) -> list[Any]:
        """Files that workers wrote, as Lance commits them; UserError unless this machine sees them too."""
        known = [lance.FragmentMetadata.from_json(fragment) for fragment in fragments]
        if self._absent(file.path for fragment in known for file in fragment.files):
            raise UserError(
                f"store.root={self.location.root}: the driver cannot see the files that workers wrote there: give a "
                "folder that all machines of the cluster share, or an object store's URL"
            )
        return known

    def _absent(self, files: Iterable[str]) -> list[str]:
        """Those of some data files that the table's folder does not hold; an object store is not looked into."""
        folder = self.location.local
        if folder is None:
            return []
        data = folder / f"{self.name}.lance" / "data"
        return sorted(file for file in files if not (data / file).exists())

    def read(self, columns: Sequence[str] | None = None, where: Any = None) -> pa.Table:
        """The rows that fulfil `where` (an Arrow expression); all of them by default."""

        def read() -> pa.Table:
            dataset = self.open()
            if dataset is None:
                return _chosen(self.schema.empty_table(), columns)
            return dataset.to_table(columns=list(columns) if columns is not None else None, filter=where)

        return reread(read)

    def batches(self, columns: Sequence[str] | None = None, where: Any = None) -> Iterator[pa.RecordBatch]:
        """The same, a batch at a time. If the version is cleaned up meanwhile, this fails with an error that
        `reread` recognises."""
        dataset = self.open()
        if dataset is not None:
            yield from dataset.to_batches(
                columns=list(columns) if columns is not None else None, filter=where
            )

    def count(self, where: Any = None) -> int:
        """How many rows of the newest version fulfil `where`."""

        def count() -> int:
            dataset = self.open()
            return 0 if dataset is None else int(dataset.count_rows(filter=where))

        return int(reread(count))

    def files(self) -> frozenset[str]:
        """The files of the newest version. They have random names, so with each insert there are others, and in a table
        that was made anew all are."""

        def files() -> frozenset[str]:
            dataset = self.open()
            return frozenset() if dataset is None else files_of(dataset)

        return reread(files)

    def delete(self, where: Any) -> int:
        """Delete the rows that fulfil `where` from the newest version; returns how many. Older versions keep them."""
        return deleted(self.location, self.name, where)


class Keyed(Table):
    """A small table with a primary key."""

    def insert(self, rows: pa.Table) -> int:
        """Insert the rows whose key is not there yet, in one version; returns how many were."""
        return self._merged(rows, lambda merge: merge.when_not_matched_insert_all())

    def replace(self, rows: pa.Table) -> int:
        """Replace the stored rows that have the key of one of these, in one version; returns how many were."""
        if self.open() is None:
            return 0  # `create` would begin another store where this one has gone
        return self._merged(rows, lambda merge: merge.when_matched_update_all())

    def put(self, rows: pa.Table, newest: str) -> None:
        """Insert the rows, each in place of the one of its key, unless that has a later time in the column `newest`."""
        later = f"target.{newest} IS NULL OR target.{newest} <= source.{newest}"
        self._merged(rows, lambda merge: merge.when_not_matched_insert_all().when_matched_update_all(later))

    def _merged(self, rows: pa.Table, rule: Callable[[Any], Any]) -> int:
        """Merge the rows by their key as the `rule` says; returns how many were inserted or updated."""

        def merge() -> int:
            begun = rule(self.create().merge_insert(primary_key(self.schema)))
            done = begun.conflict_retries(TURNS).execute(rows.cast(self.schema))
            return int(done["num_inserted_rows"] + done["num_updated_rows"])

        return retried(merge, self.uri) if rows.num_rows else 0


@dataclass
class Placed(Table):
    """A large table that is read by places. It keeps the version that it opened last, and opens the newest one if
    that version does not hold the rows asked for: rows never change, so an older version is as good as a newer one."""

    STABLE = True
    _version: Any = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.schema = self.schema.with_metadata({**self.schema.metadata, PLACED_KEY: b"1"})

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_version": None}

    def write(self, rows: pa.Table) -> list[str]:
        """Write rows into files of their own, from any process; returns what `commit` needs of each file. Nobody
        sees the rows before that."""
        return self._fragments(rows.cast(self.schema)) if rows.num_rows else []

    def written(self, fragments: Sequence[str], columns: Sequence[str] | None = None) -> pa.Table:
        """The rows of files that are written and not committed, read back from where they lie."""
        parts = [self.schema.empty_table()]
        for fragment in fragments:
            for file in json.loads(fragment)["files"]:
                reader = LanceFileReader(
                    f"{self.uri}/data/{file['path']}", storage_options=self.location.storage_options
                )
                parts.append(reader.read_all().to_table())
        return _chosen(pa.concat_tables([part.cast(self.schema) for part in parts]), columns)

    def commit(self, fragments: Sequence[str]) -> list[int]:
        """Make written files visible, all in one version; returns the id of the first row of each, in order."""
        if not fragments:
            return []
        known = self._committable(fragments)
        before = self.create()
        try:
            self._version = lance.LanceDataset.commit(
                before,
                lance.LanceOperation.Append(known),
                read_version=before.version,
                storage_options=self.location.storage_options,
            )
        except OSError as error:
            check_known(error, self.uri)
            raise
        wanted = {fragment.files[0].path: None for fragment in known}
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

    def drop(self, places: Sequence[Part]) -> None:
        """Delete the rows at some places from the newest version."""
        runs = [(place.first, place.first + place.rows) for place in places if place.rows]
        for i in range(0, len(runs), RUNS_A_DELETE):
            deleted(self.location, self.name, _lying(runs[i : i + RUNS_A_DELETE]))

    def begin(self, dataset: Any) -> Placed:
        """This table, which reads a version that is open first; UserError as for `open`."""
        self._version = self._checked(dataset)
        return self

    def gone(self) -> list[str]:
        """The data files of the newest version that the table's folder does not hold; an object store is not looked
        into."""
        named = self.files()
        while gone := self._absent(named):
            newest = self.files()
            if newest == named:
                return gone
            named = newest  # an erasure removes the files of older versions at once
        return []

    def renew(self) -> None:
        """Forget the version that was opened last, so that rows deleted since are no longer found."""
        self._version = None

    def end(self) -> int:
        """One after the highest row id that the newest version has ever given, also to rows that are deleted."""
        dataset = self.open()
        return 0 if dataset is None else _next_row_id(dataset)

    def take(self, places: Sequence[Part], columns: Sequence[str] | None = None) -> pa.Table:
        """The rows at some places, in the order given. Raises `Missing` if some no longer exist, or if it reads the
        column `segment` and others lie there."""
        return self._rows(_Asked.at(places), columns)

    def pick(self, places: Sequence[Part], wanted: NDArray[np.int64]) -> pa.Table:
        """As `take`, but only the rows that are `wanted`, by where they are among those of all places: no other is
        read."""
        return self._rows(_Asked.at(places).some(wanted))

    def _rows(self, asked: _Asked, columns: Sequence[str] | None = None) -> pa.Table:
        # `empty_table` makes an array a column, which takes as long as reading one row.
        if not len(asked.ids):
            return _chosen(pa.Table.from_batches([], self.schema), columns)
        ids = asked.ids.tolist()
        unforked()
        rows, version = None, self._version  # threads share it
        if version is not None:
            try:
                rows = _take(version, ids, columns)
            except OF_READING as error:
                if not was_cleaned(error):
                    raise
        held = asked.among(rows)
        if held != len(ids):
            rows = reread(lambda: self._newest(ids, columns))
            held = asked.among(rows)
        if rows is None or held != len(ids):
            raise Missing(
                f"table {self.name} under {self.location.root} holds {held} of {len(ids)} rows asked for: what they "
                "belonged to was erased or is no longer kept: open the store again, or run the job again; if that says "
                "the same, the table lost rows, and jobs/maintain.py verify=true names whose"
            )
        return rows

    def _newest(self, ids: list[int], columns: Sequence[str] | None) -> pa.Table | None:
        self._version = version = self.open()
        return None if version is None else _take(version, ids, columns)

    def holds(self, place: Part) -> bool:
        """Whether the rows at a place still exist."""
        try:
            self.take([place], [SEGMENT])
        except Missing:
            return False
        return True


class Missing(UserError):
    """Rows that a place names are not in their table."""


class _Asked(NamedTuple):
    """Rows that are asked for: their ids, the names of some parts, and which of those each row belongs to."""

    ids: NDArray[np.int64]
    names: list[str]
    of: NDArray[np.int64]

    @staticmethod
    def at(places: Sequence[Part]) -> _Asked:
        """Those at some places."""
        nothing = np.empty(0, np.int64)
        ids = [np.arange(each.first, each.first + each.rows) for each in places]
        of = np.repeat(np.arange(len(places)), [each.rows for each in places])
        return _Asked(np.concatenate([nothing, *ids]), [each.name for each in places], of)

    def some(self, picked: NDArray[np.int64]) -> _Asked:
        """Some of them."""
        return self._replace(ids=self.ids[picked], of=self.of[picked])

    def among(self, rows: pa.Table | None) -> int:
        """How many of them were read. Of each part the first row and the last are looked at: those between are of one
        part with them."""
        if rows is None:
            return 0
        if rows.num_rows != len(self.ids) or SEGMENT not in rows.column_names:
            return int(rows.num_rows)
        segments, cuts = rows[SEGMENT], np.flatnonzero(np.diff(self.of))
        looked = np.concatenate([[0], cuts, cuts + 1, [len(self.of) - 1]]).tolist()
        # One by one: `take` is twice as slow on what was just read.
        found = ((int(self.of[row]), segments[row].as_py()) for row in looked)
        others = [of for of, name in found if self.names[of] not in ("", name)]
        return len(self.of) - int(np.isin(self.of, others).sum()) if others else len(self.of)


def _take(dataset: Any, ids: list[int], columns: Sequence[str] | None) -> pa.Table:
    # Lance has no public call for it yet. Its filter `_rowid IN (…)` gives the same rows: 8,301 of 200,000 in 141 ms,
    # this in 31.
    rows: pa.Table = dataset._take_rows(ids, columns=list(columns) if columns is not None else None)
    return rows


def _chosen(table: pa.Table, columns: Sequence[str] | None) -> pa.Table:
    return table if columns is None else table.select(list(columns))


@cache
def _session() -> Any:
    """The session that all tables share. It keeps the index of row ids between openings: where rows between others were
    deleted, Lance builds that index id by id, in 3.4 ms per version of a table of 270,000 rows. Its key is the
    version's file (inode, time and size, or ETag), so a table made anew in the same place is not mistaken for it."""
    return lance.Session(index_cache_size_bytes=CACHED_BYTES, metadata_cache_size_bytes=CACHED_BYTES)


def opened(location: Location, name: str) -> Any | None:
    """A table of the location as it stands, whoever wrote it; None if there is none. UserError if its folder holds
    files of rows and no version: nothing would find what they hold."""

    def open() -> Any | None:
        """The dataset, None if there is none."""
        try:
            return lance.dataset(
                location.uri(name), storage_options=location.storage_options, session=_session()
            )
        except ValueError as error:  # how pylance says that there is none
            if "was not found" in str(error):
                return None
            _check_reached(location, error)
            raise

    unforked()
    dataset = reread(open)
    if dataset is not None or not LanceFileSession(location.uri(name), location.storage_options).list("data"):
        return dataset
    dataset = reread(open)  # who made the table meanwhile made a version before the first file
    if dataset is None:
        raise UserError(
            f"table {name} under {location.root} has files of rows in {name}.lance/data and no version in "
            f"{name}.lance/_versions, or none that this user may read: allow that, or put the whole table back from a "
            "copy as new as the other tables, then run the same command again"
        )
    return dataset


def _check_reached(location: Location, error: Exception) -> None:
    """UserError if an error says that an object store could not be asked."""
    said = _NOT_REACHED.search(str(error))
    if said is not None and location.local is None and not was_cleaned(error):
        raise UserError(
            f"store.root={location.root} cannot be reached ({said[1]}): check the bucket, its region and endpoint "
            "(store.options), and the credentials in the environment"
        ) from None


def _next_row_id(dataset: Any) -> int:
    """The id that the first row of the next commit gets. No public call of Lance gives it."""
    manifest, at, found = memoryview(dataset._ds.serialized_manifest()), 0, 0
    while at < len(manifest):
        key, at = _varint(manifest, at)
        number, kind = key >> 3, key & 7
        if kind == 0:
            value, at = _varint(manifest, at)
            found = value if number == NEXT_ROW_ID else found
        elif kind == 2:
            size, at = _varint(manifest, at)
            at += size
        else:
            at += {1: 8, 5: 4}[kind]
    return found


def _varint(held: memoryview, at: int) -> tuple[int, int]:
    """A number of protobuf's, and where what follows begins."""
    value = shift = 0
    while True:
        byte = held[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7


def files_of(dataset: Any) -> frozenset[str]:
    """The files of an open table's rows."""
    return frozenset(file.path for fragment in dataset.get_fragments() for file in fragment.data_files())


def is_placed(dataset: Any) -> bool:
    """Whether records name this table's rows by their places."""
    return PLACED_KEY in (dataset.schema.metadata or {})


def deleted(location: Location, name: str, where: Any) -> int:
    """Delete the rows that fulfil `where` from the newest version of a table; returns how many."""

    def delete() -> int:
        dataset = opened(location, name)
        # A delete of nothing would be a version all the same.
        if dataset is None or not dataset.count_rows(filter=where):
            return 0
        return int(dataset.delete(where)["num_deleted_rows"])

    return retried(delete, location.uri(name))


def _lying(runs: Sequence[tuple[int, int]]) -> str:
    return " OR ".join(f"(_rowid >= {first} AND _rowid < {end})" for first, end in runs)


def names(location: Location) -> list[str]:
    """The names of the tables at a location, whoever wrote them."""
    folder = location.local
    if folder is not None:
        return sorted(path.stem for path in folder.glob("*.lance"))
    import lancedb

    try:
        database = lancedb.connect(location.folder, storage_options=location.storage_options)
        return sorted(database.list_tables().tables)
    except (RuntimeError, ValueError) as error:
        _check_reached(location, error)
        raise


def no_store(location: Location) -> UserError:
    """The error for a program that had opened a store which is no longer there. It does not advise to index again: that
    would begin another store where a disk is to come back."""
    return UserError(f"the store under {location.root} is gone, or another stands there: put it back")


def there(location: Location) -> Iterator[tuple[str, Any]]:
    """The tables at a location as they stand, with their names, one after the other."""
    for name in names(location):
        dataset = opened(location, name)
        if dataset is not None:
            yield name, dataset


def among(column: str, values: Collection[str]) -> Any:
    """The condition that a column of text holds one of some values. Built from values, never from text."""
    return pc.field(column).isin(pa.array(list(values), pa.string()))
