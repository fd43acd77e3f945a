"""Keeping a table in few files and few versions, and taking rows out of every version. Knows nothing of the rows."""

from __future__ import annotations

import sys
import time
from datetime import timedelta
from pathlib import PurePosixPath
from typing import Any

import lance

from memfold.errors import UserError
from memfold.store.attempts import retried
from memfold.store.location import Location
from memfold.store.tables import FILES, deleted, opened, there

# A file of rows is rewritten when it is merged with others or loses rows: this bounds what one erasure rewrites.
FILE_BYTES = 128 << 20
# And of how many rows. Whoever opened a table loads what stands for a whole page with its first row there, and pages
# of short columns are as long as the file: for 16 of a million messages 3.8 MB of `attachments`, empty lists all, and
# 0.5 of names of `segment`; in files of this size 0.26 and 0.15.
FILE_ROWS = 1 << 16
# Compaction waits for as many files. Fewer do not slow reading down, and merging rewrites their bytes.
FRAGMENTS = 24
# Versions older than this are removed. By then readers that opened one have finished with it, or open a newer one, and
# no commit that began beside it is on its way. Lance files a commit under the number after the newest it saw. If others
# took that number and their version is gone by then, the commit reports success and nobody ever reads it. 16 processes
# that removed versions at once lost 14 to 24 of 960 appends; when versions stayed 5 s, they lost none (decision 62).
GRACE = timedelta(minutes=10)
# Seconds until what the store did not delete is tried again. A bucket that was asked too much says so for seconds.
PAUSES_S = (0.5, 1.0, 2.0, 4.0)


def check_free(location: Location) -> None:
    """UserError if a tag or a branch keeps what is deleted from a table. memfold makes none; other programs may."""
    for name, dataset in there(location):
        for what in ("tags", "branches"):
            for kept in getattr(dataset, what).list():
                raise UserError(
                    f"table {name} under {location.root} has {kept!r} among its {what}, which keeps what is deleted, "
                    f"so nothing was done: remove it (lance.dataset(…).{what}.delete({kept!r})), then run the same "
                    "command again"
                )


class NotDeleted(UserError):
    """A store did not delete files that may hold what is erased."""


def compact(location: Location, name: str, *, deletions: bool = False, least: int = FRAGMENTS) -> int:
    """Merge small files if there are at least `least`, or with `deletions` rewrite all files that hold deleted rows;
    returns how many files were rewritten. It fails with an error that `conflicted` recognises if others compact or
    delete at the same time."""
    dataset = opened(location, name)
    if dataset is None:
        return 0
    fragments = dataset.get_fragments()
    rows = max(dataset.count_rows(), 1)
    size = sum(file.file_size_bytes or 0 for fragment in fragments for file in fragment.data_files())
    # Lance divides what it merges evenly into files of at least `target` rows, so of less than twice as many.
    target = max(1024, min(FILE_ROWS, FILE_BYTES * rows // max(size, 1)) // 2)
    holed = [fragment.count_rows() for fragment in fragments if fragment.num_deletions]
    small = sum(fragment.physical_rows < target for fragment in fragments)
    if small < least:
        if not (deletions and holed):
            return 0
        # No file larger than what is left of those with holes is touched. Not `max(holed)` alone: what is merged has
        # up to twice as many rows, so files doubled with each erasure (230,400 rows in a store of a billion tokens).
        target = min(target, max(holed))
    options: dict[str, Any] = {"target_rows_per_fragment": target, "data_storage_version": FILES}
    if deletions:
        options |= {"materialize_deletions": True, "materialize_deletions_threshold": 0.0}
    return int(dataset.optimize.compact_files(**options).fragments_removed)


def erased(location: Location, name: str, where: Any, *, alone: bool) -> int:
    """Delete rows from a table; returns how many its newest version had.

    Rewrites the files that held them. With `alone`, which says that nobody else writes, also removes the older
    versions, which would still serve the deleted text, and the files that a killed writer left; NotDeleted if the store
    keeps some of them. Without it, versions go once they are older than `GRACE`.
    """
    if opened(location, name) is None:
        return 0
    gone = deleted(location, name, where)
    # Also where nothing was deleted: an erasure may have been killed before it came here.
    retried(lambda: compact(location, name, deletions=True), location.uri(name))
    # The version that deletes names what it deletes. One after it, with nothing new, lets that go too.
    retried(lambda: _version_more(location, name), location.uri(name))
    if alone:
        _clean_up(location, name)
    else:
        clean(location, name)
    return gone


def _clean_up(location: Location, name: str) -> None:
    """`clean` where nobody else writes, until it finds nothing to remove: a store may say that it deleted what it
    keeps. NotDeleted if there are files after the last pause."""
    for pause in (0.0, 0.0, *PAUSES_S):
        time.sleep(pause)
        found = clean(location, name, alone=True)
        if not found:
            return
    raise NotDeleted(
        f"{found} files of table {name} under {location.root} cannot be deleted and may hold what is erased: unless "
        "the store is just busy, give these credentials the right to delete (a server that speaks S3 has to know "
        "DeleteObjects); then run the same command again"
    )


def superseded(location: Location, name: str) -> list[str]:
    """The names of the data files that the newest version does not name: those of older versions, and those that
    nobody committed."""

    def look() -> list[str]:
        """What a clean-up by somebody who works alone would remove."""
        dataset = opened(location, name)
        if dataset is None:
            return []
        found = dataset.explain_cleanup_old_versions(
            older_than=timedelta(0),
            delete_unverified=True,
            error_if_tagged_old_versions=False,
            include_files=True,
            max_files=sys.maxsize,
        )
        return [PurePosixPath(file.path).name for file in found.candidate_files if file.kind == "data"]

    return retried(look, location.uri(name))


def _version_more(location: Location, name: str) -> None:
    dataset = opened(location, name)
    assert dataset is not None
    rows, options = dataset.schema.empty_table(), location.storage_options
    lance.write_dataset(rows, dataset.uri, mode="append", storage_options=options)


def clean(location: Location, name: str, *, alone: bool = False) -> int:
    """Remove the versions that are older than `GRACE`. With `alone`, which says that nobody else writes, remove all but
    the newest, and the files that no version names. Returns how many files it found to remove, whether the store
    deleted them or not."""

    def let() -> int:
        """The number of files."""
        dataset = opened(location, name)
        if dataset is None:
            return 0
        done = dataset.cleanup_old_versions(
            older_than=timedelta(0) if alone else GRACE,
            delete_unverified=alone,
            error_if_tagged_old_versions=False,  # they stay (`check_free`)
        )
        return int(
            done.old_versions
            + done.data_files_removed
            + done.transaction_files_removed
            + done.index_files_removed
            + done.deletion_files_removed
            + done.failed_deletes  # Lance goes on where an object is not deleted
        )

    return retried(let, location.uri(name))
