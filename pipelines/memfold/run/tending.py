"""Merging a store's small files while a job goes on. Knows no job."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor

from memfold.llm.results import tended
from memfold.store.location import Location
from memfold.store.maintain import tend

# New files of a table after which small ones are merged, beside everything else: a commit lists all files of its table,
# 2.5 MB for 25,000.
FILES_A_TEND = 256


class Tending:
    """Merges small files in a thread of `beside`, one merge at a time, and counts the new files of so many
    `tables`."""

    def __init__(self, location: Location, beside: ThreadPoolExecutor, tables: int) -> None:
        self._location, self._beside, self._tables = location, beside, tables
        self._files = 0
        self._merging: Future[None] | None = None

    def wrote(self, files: int) -> None:
        """Count new files that were committed."""
        self._files += files

    def begin(self, least: int = FILES_A_TEND) -> None:
        """Merge in the background if each table has at least so many new files on average."""
        if self._files >= least * self._tables and (self._merging is None or self._merging.done()):
            self.wait()
            self._files, self._merging = 0, self._beside.submit(merge, self._location)

    def wait(self) -> None:
        """Wait until the merging in the background has ended; raises its error."""
        if self._merging is not None:
            self._merging.result()


def merge(location: Location) -> None:
    """Merge small files of all tables; the old files stay for readers."""
    tended(location)  # first: Lance merges no indexed file with one that is not
    tend(location)
