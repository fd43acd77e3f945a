"""Where segments are made. An executor decides only that: it is given a pure function and its arguments."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Protocol

from memfold.errors import UserError
from memfold.run.fold import Fold, Rows
from memfold.run.plan import Work

Task = tuple[Work, frozenset[str]]


class Executor(Protocol):
    """Maps a fold over tasks, holding only a bounded number of them at a time."""

    @property
    def threads(self) -> int:
        """How many threads a worker's embedder may use."""
        ...

    def map(self, fold: Fold, tasks: Iterable[Task]) -> Iterator[Rows]:
        """The rows of each task, in any order. Tasks are drawn as workers become free."""
        ...


@dataclass(frozen=True)
class Local:
    """In this process, on `workers` threads (0: one a core; more where an engine is waited for), each with an embedder
    of one thread.

    Encoding lets go of the interpreter, so the threads' other work is done while others encode: 10M tokens take
    about half as long as one segment after the other with all cores on each encoding.
    """

    workers: int = 0

    def __post_init__(self) -> None:
        if self.workers < 0:
            raise UserError(f"executor.workers={self.workers}: use 0 (one a core) or more")

    @property
    def threads(self) -> int:
        return 1

    def map(self, fold: Fold, tasks: Iterable[Task]) -> Iterator[Rows]:
        workers = max(self.workers or len(os.sched_getaffinity(0)), fold.at_once)
        waiting = iter(tasks)
        with ThreadPoolExecutor(workers, "fold") as pool:
            # One task more than there are threads: the next is planned while all are busy.
            busy = {pool.submit(fold, *task) for task in itertools.islice(waiting, workers + 1)}
            while busy:
                done, busy = wait(busy, return_when=FIRST_COMPLETED)
                busy |= {pool.submit(fold, *task) for task in itertools.islice(waiting, len(done))}
                for made in done:
                    yield made.result()
