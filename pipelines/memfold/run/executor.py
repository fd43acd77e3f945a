"""Where segments are made. An executor decides only that: it is given a pure function and its arguments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from memfold.run.fold import Fold, Rows
from memfold.run.plan import Work

Task = tuple[Work, frozenset[str]]


class Executor(Protocol):
    """Maps a fold over tasks, holding only a bounded number of them at a time."""

    @property
    def threads(self) -> int:
        """How many threads a worker's embedder may use; 0: all cores."""
        ...

    def map(self, fold: Fold, tasks: Iterable[Task]) -> Iterator[Rows]:
        """The rows of each task, in any order. Tasks are drawn as workers become free."""
        ...


@dataclass(frozen=True)
class Local:
    """In this process, one segment after the other; the embedder uses all cores."""

    @property
    def threads(self) -> int:
        return 0

    def map(self, fold: Fold, tasks: Iterable[Task]) -> Iterator[Rows]:
        for work, want in tasks:
            yield fold(work, want)
