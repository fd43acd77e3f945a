"""Keeping a store small and quick: merging small files, removing old versions, collecting rows that nothing names.

All of it is safe beside running jobs and readers. Rows never change and keep their ids, so a reader may use an older
version; rows are removed only while no job runs, and none starts before that is done. Knows no layer: a table says of
itself whether records name its rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memfold.beside import threads
from memfold.errors import OF_LANCE, UserError
from memfold.moment import hours
from memfold.store.attempts import conflicted, reread, uncertain, was_cleaned
from memfold.store.catalog import Catalog, unshown
from memfold.store.live import table
from memfold.store.location import Location
from memfold.store.part import Part
from memfold.store.tables import is_placed, names, opened, there
from memfold.store.unsealed import Lease, Unsealed
from memfold.store.upkeep import FRAGMENTS, clean, compact
from memfold.watch import Report

# What a killed job made is kept for its next run so long.
UNSEALED_DAYS = 7
# Tables whose files are merged at once. Lance waits for the disk half of the time.
TABLES_AT_ONCE = 4

Runs = NDArray[np.int64]


def tend(location: Location) -> None:
    """Merge small files if there are many, and remove old versions: at a job's end."""

    def one(name: str) -> None:
        _merge(location, name)
        clean(location, name)

    with threads(TABLES_AT_ONCE, "tend") as pool:
        for _ in pool.map(one, names(location)):
            pass


def _merge(location: Location, name: str, *, deletions: bool = False, least: int = FRAGMENTS) -> None:
    try:
        compact(location, name, deletions=deletions, least=least)
    except OF_LANCE as error:
        # Another job does it at this moment, or deletes there, or the store does not say whether it is done: what is
        # not merged now is merged the next time.
        if not (conflicted(error) or uncertain(error) or was_cleaned(error)):
            raise


@dataclass(frozen=True)
class Maintained:
    """What a maintenance run did. `collected` are the rows that nothing named, by table; while jobs are `running`
    nothing is collected."""

    running: int
    records: int
    unsealed: int
    collected: dict[str, int]
    files_before: int
    files_after: int


def maintain(
    location: Location,
    *,
    keep: int = 0,
    unsealed_days: float = UNSEALED_DAYS,
    report: Report | None = None,
) -> Maintained:
    """Collect the rows that no snapshot names and no job may still seal, and compact all tables.

    `keep` is how many of the newest snapshots stay readable, counting the one that this seals (0: all of them). What a
    killed job made stays for `unsealed_days`. While jobs run nothing is collected, and the result says so.
    """
    for name, given in (("keep", keep), ("unsealed_days", unsealed_days)):
        if given < 0:
            raise UserError(f"{name}={given}: use 0 or more")
    Catalog(location).at()
    report = report or Report()  # one that shows nothing
    unsealed = Unsealed(location)
    files_before = _files(location)
    records = forgotten = 0
    collected: dict[str, int] = {}
    with unsealed.alone(report.say) as job:
        if not job.beside:
            # Rows that no record names are deleted: a store whose records were lost would lose its rows too.
            Catalog(location).check_sealed()
            forgotten = unsealed.journal.forget(hours(24 * unsealed_days))
            records = _prune(Catalog(location), keep, job)
            collected = _collect(location, unsealed, job, report)
    # As a job among others, so that an erasure knows of the files that are written here.
    with unsealed.running(report.say):
        there = names(location)
        report.stage("merging files", len(there), "tables")
        for name in there:
            _merge(location, name, deletions=not job.beside, least=FRAGMENTS if job.beside else 2)
            clean(location, name)
            report.advance()
    return Maintained(job.beside, records, forgotten, collected, files_before, _files(location))


def _prune(catalog: Catalog, keep: int, job: Lease) -> int:
    """Remove the records that no readable snapshot shows; returns how many. `job` works alone.

    Looks at the records, then seals, then looks at the seals: whoever filed one of those records and has no number yet
    finds it taken, and files anew.
    """
    filed = catalog.filed()
    last = catalog.at().snapshot
    oldest = max(last.oldest, last.number + 2 - keep) if keep else last.oldest
    catalog.seal([], config=last.config, embedder=last.embedder, oldest=oldest)
    gone = 0
    for uid, ids in unshown(filed, catalog.at(), oldest).items():
        job.check()  # one that slept may find others at work
        gone += catalog.drop(uid, ids)
    return gone


def _collect(location: Location, unsealed: Unsealed, job: Lease, report: Report) -> dict[str, int]:
    """Delete the rows that neither a record nor `made` names; returns how many, by table. `job` works alone."""
    # Opened first: rows that are committed later are not looked at, whatever names them.
    versions = {name: opened(location, name) for name in names(location)}
    named = _named(Catalog(location), unsealed)
    collected = {}
    report.stage("collecting", len(versions), "tables")
    for name, dataset in versions.items():
        if dataset is not None and is_placed(dataset):
            loose = _loose(dataset, named.get(name, np.empty((0, 2), np.int64)))
            job.check()
            table(location, name).drop(loose)
            collected[name] = sum(place.rows for place in loose)
        report.advance()
    return collected


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
    for kind, part in unsealed.journal.parts():
        add(kind, part)
    return {kind: np.unique(np.array(runs, np.int64), axis=0) for kind, runs in found.items()}


def _loose(dataset: Any, named: Runs) -> list[Part]:
    """The rows of a version that no run names."""
    found: list[Part] = []
    for fragment in dataset.get_fragments():
        ids = fragment.to_table(columns=[], with_row_id=True)["_rowid"].to_numpy().astype(np.int64)
        place = np.searchsorted(named[:, 0], ids, "right") - 1
        kept = (
            (place >= 0) & (ids < named[np.maximum(place, 0), 1]) if len(named) else np.zeros(len(ids), bool)
        )
        loose = np.sort(ids[~kept])
        if len(loose):
            cuts = np.flatnonzero(np.diff(loose) > 1) + 1
            found += [Part("", int(run[0]), len(run), "") for run in np.split(loose, cuts)]
    return found


def _files(location: Location) -> int:
    def count() -> int:
        return sum(len(dataset.get_fragments()) for _, dataset in there(location))

    return reread(count)
