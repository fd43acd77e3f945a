"""Keeping a store small and quick: merging small files, letting old versions go, collecting what nothing names.

All of it is safe beside running jobs and readers. Rows never change and keep their ids, so a reader may read an older
version; a running job is looked for before anything that it made and did not seal could go. Knows no layer: a
table says of itself whether records name its rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from memfold.digest import rows_digests
from memfold.errors import UserError
from memfold.store.catalog import CONVERSATIONS, Catalog, History, Part
from memfold.store.location import Location
from memfold.store.tables import GRACE, Missing, Placed, Table, compact, is_placed, names, opened, retried
from memfold.store.unsealed import Unsealed

# What a killed job made is kept for its next run so long.
UNSEALED_DAYS = 7
# Conditions over so many runs of rows go to Lance at once.
RUNS_A_DELETE = 200
# Rows read at once where all of a store is read.
ROWS_READ = 8192

Runs = NDArray[np.int64]


def tend(location: Location) -> None:
    """Merge small files where there are many, and let versions go that nobody reads any more: at a job's end."""
    for name in names(location):
        dataset = opened(location, name)
        if dataset is not None:
            try:
                compact(dataset)
            except (OSError, RuntimeError) as error:  # another job does it at this moment
                if "conflict" not in str(error).lower():
                    raise
            opened(location, name).cleanup_old_versions(older_than=GRACE)  # type: ignore[union-attr]


@dataclass(frozen=True)
class Maintained:
    """What a maintenance run did. `collected` are rows that nothing named, by table; `running` jobs keep it from
    collecting anything."""

    running: int
    records: int
    unsealed: int
    collected: dict[str, int]
    files_before: int
    files_after: int


def maintain(
    location: Location, *, keep: int = 0, unsealed_days: float = UNSEALED_DAYS, grace: timedelta = GRACE
) -> Maintained:
    """Compact all tables, and collect what no snapshot names and no job may still seal.

    `keep` is how many of the newest snapshots stay readable (0: all of them). What a killed job made stays for
    `unsealed_days`. While jobs run nothing is collected, and the result says so.
    """
    if keep < 0 or unsealed_days < 0:
        raise UserError(f"keep={keep}, unsealed_days={unsealed_days}: use 0 or more")
    catalog, unsealed = Catalog(location), Unsealed(location)
    catalog.at()
    files_before = _files(location)
    # The versions first, the running jobs second, the records third: what a version holds that belongs to no job is
    # sealed by then, or nobody's.
    versions = {name: opened(location, name) for name in names(location)}
    placed = {name: each for name, each in versions.items() if each is not None and is_placed(each)}
    running = unsealed.jobs()
    records = forgotten = 0
    collected: dict[str, int] = {}
    if not running:
        unsealed.bury()
        forgotten = unsealed.forget(timedelta(days=unsealed_days))
        if keep:
            newest = catalog.at().newest
            assert newest is not None
            oldest = max(newest.oldest, newest.number + 2 - keep)
            catalog.seal([], config=newest.config, embedder=newest.embedder, oldest=oldest)
        records = _prune(catalog, catalog.at())
        named = _named(catalog, unsealed)
        for name, dataset in placed.items():
            collected[name] = _collect(dataset, named.get(name, np.empty((0, 2), np.int64)))
    for name in versions:
        dataset = opened(location, name)
        if dataset is not None:
            compact(
                dataset, deletions=bool(collected.get(name)) or not running, least=2 if not running else 24
            )
            opened(location, name).cleanup_old_versions(older_than=grace)  # type: ignore[union-attr]
    return Maintained(len(running), records, forgotten, collected, files_before, _files(location))


def verify(location: Location, history: History) -> str:
    """The store's content hash from every row it is made of; UserError where a conversation does not hold the rows that
    were sealed."""
    tables: dict[str, Placed] = {}
    catalog = Catalog(location)
    for record in catalog.stream(history):
        for kind, parts in record.parts.items():
            if kind not in tables:
                tables[kind] = table(location, kind)
            try:
                found = [hashed for each in _bundles(parts) for hashed in _hashes(tables[kind], each)]
            except Missing:
                found = []
            if found != [part.hash for part in parts]:
                raise UserError(
                    f"conversation {record.conversation_id!r} under {location.root} does not hold the rows that were "
                    f"sealed in table {kind}: rows were lost, doubled or changed; erase it and index it again"
                )
    return catalog.content_hash(history)


def live(
    location: Location, history: History, kind: str, columns: Iterable[str] | None = None
) -> Iterator[pa.RecordBatch]:
    """The rows of one table that a snapshot shows, a conversation after the other. The table itself also holds rows that
    only other snapshots show, or none."""
    of = table(location, kind)
    chosen = list(columns) if columns is not None else None
    for record in Catalog(location).stream(history):
        for parts in _bundles(record.parts.get(kind, ())):
            yield from of.take([part.place for part in parts], chosen).to_batches()


def table(location: Location, name: str) -> Placed:
    """A table that records name parts of, with the columns that it has; UserError where there is none."""
    dataset = opened(location, name)
    if dataset is None or not is_placed(dataset):
        raise UserError(f"there is no table {name!r} of messages, notes or a layer under {location.root}")
    return Placed(location, name, dataset.schema)


def _bundles(parts: Iterable[Part]) -> Iterator[list[Part]]:
    waiting: list[Part] = []
    for part in parts:
        waiting.append(part)
        if sum(each.rows for each in waiting) >= ROWS_READ:
            yield waiting
            waiting = []
    if waiting:
        yield waiting


def _hashes(of: Placed, parts: list[Part]) -> list[str]:
    return rows_digests(of.take([part.place for part in parts]), [part.rows for part in parts])


def _prune(catalog: Catalog, history: History) -> int:
    """Take away the records that no snapshot shows that is still readable; returns how many."""
    newest = history.newest
    assert newest is not None
    records = Table(catalog.location, "conversations", CONVERSATIONS)
    shown: dict[str, int] = {}  # the newest record of each conversation as of the oldest readable snapshot
    numbers: dict[tuple[str, str], int] = {}
    for batch in records.batches(["uid", "conversation_id"]):
        for uid, id in zip(batch["uid"].to_pylist(), batch["conversation_id"].to_pylist(), strict=True):
            number = numbers[uid, id] = history.numbers.get(uid, 0)
            if number <= newest.oldest:
                shown[id] = max(shown.get(id, 0), number)
    dead: dict[str, list[str]] = {}
    for (uid, id), number in numbers.items():
        if number == 0 or (number <= newest.oldest and number < shown[id]):
            dead.setdefault(uid, []).append(id)
    gone = 0
    for uid, ids in dead.items():
        where = (pc.field("uid") == uid) & pc.field("conversation_id").isin(ids)
        gone += retried(lambda where=where: records.delete(where))  # type: ignore[misc]
    return gone


def _named(catalog: Catalog, unsealed: Unsealed) -> dict[str, Runs]:
    """The runs of rows that records or unsealed jobs name, by table: (first, one after the last), sorted."""
    found: dict[str, list[tuple[int, int]]] = {}

    def add(kind: str, part: Part) -> None:
        if part.rows:
            found.setdefault(kind, []).append((part.first, part.first + part.rows))

    for record in catalog.everything():
        for kind, parts in record.parts.items():
            for part in parts:
                add(kind, part)
    for kind, part in unsealed.parts():
        add(kind, part)
    return {kind: np.unique(np.array(runs, np.int64), axis=0) for kind, runs in found.items()}


def _collect(dataset: Any, named: Runs) -> int:
    """Delete the rows of a version that no run names; returns how many."""
    runs: list[tuple[int, int]] = []
    for fragment in dataset.get_fragments():
        ids = fragment.to_table(columns=[], with_row_id=True)["_rowid"].to_numpy().astype(np.int64)
        place = np.searchsorted(named[:, 0], ids, "right") - 1
        kept = (
            (place >= 0) & (ids < named[np.maximum(place, 0), 1]) if len(named) else np.zeros(len(ids), bool)
        )
        loose = np.sort(ids[~kept])
        if len(loose):
            cuts = np.flatnonzero(np.diff(loose) > 1) + 1
            runs += [(int(run[0]), int(run[-1]) + 1) for run in np.split(loose, cuts)]
    for i in range(0, len(runs), RUNS_A_DELETE):
        where = " OR ".join(
            f"(_rowid >= {first} AND _rowid < {end})" for first, end in runs[i : i + RUNS_A_DELETE]
        )
        retried(lambda where=where: dataset.delete(where))  # type: ignore[misc]
    return sum(end - first for first, end in runs)


def _files(location: Location) -> int:
    found = (opened(location, name) for name in names(location))
    return sum(len(dataset.get_fragments()) for dataset in found if dataset is not None)
