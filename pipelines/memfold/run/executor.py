"""Where tasks are done. An executor decides only that: it is given a worker and where to draw tasks from."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from memfold.beside import threads
from memfold.errors import UserError
from memfold.run.work import Made, Task, Worker
from memfold.schema import SPAN

# A task when there is one: None means none now, and that there may be one after the next result.
Draw = Callable[[], Task | None]
# Has workers do the tasks that are drawn, and gives what each left, in any order. It draws tasks as workers become
# free, until none is running and none is left to draw. After a UserError in one task it waits for those that are
# running, and then raises the error.
Map = Callable[[Draw], Iterator[Made]]


class Executor(Protocol):
    """Has a worker do tasks, a bounded number of them at a time."""

    @property
    def threads(self) -> int:
        """How many threads a worker's embedder may use."""
        ...

    def started(self, worker: Worker) -> AbstractContextManager[Map]:
        """Begin to start workers, without waiting for them, and end them with the block. The `Map` that it gives can
        be used once."""
        ...


def in_flight(worker: Worker) -> int:
    """How many tasks a process keeps in flight: one if the engine works in that process. If the engine waits for
    others, enough tasks of 64 exchanges to fill what it keeps in flight, and one more that is being planned."""
    exchanges = worker.engine.in_flight
    return 1 if exchanges <= 1 else 1 + -(-exchanges // SPAN)


@contextmanager
def _threads(count: int, worker: Worker) -> Iterator[ThreadPoolExecutor]:
    """Threads that have ended when the block has. An interrupt ends the block: the threads stop asking a model, which
    may take minutes to answer, and what was answered is kept."""
    with threads(count, "work") as pool:
        try:
            yield pool
        except (KeyboardInterrupt, GeneratorExit):
            worker.interrupted.set()
            pool.shutdown(wait=False, cancel_futures=True)
            # A thread between two calls would open it again.
            if worker.engine.asker is not None:
                worker.engine.asker.close(for_good=True)
            raise


@dataclass(frozen=True)
class Local:
    """In this process, on `workers` threads, each with a single-threaded embedder. 0 workers are as many as there are
    cores, and more if the engine waits for others.

    Encoding releases the interpreter lock, so that other threads work meanwhile, also those of the same task
    (`Worker`): a thread more than there are cores gains nothing (10M/5 37.2 s and 37.1 without it, 6,000 small
    conversations 30.2 and 28.9).
    """

    workers: int = 0

    def __post_init__(self) -> None:
        if self.workers < 0:
            raise UserError(f"executor.workers={self.workers}: use 0 (one a core) or more")

    @property
    def threads(self) -> int:
        """One: each worker thread has its own embedder."""
        return 1

    def started(self, worker: Worker) -> AbstractContextManager[Map]:
        """See `Executor.started`. Threads take no time to start."""
        return nullcontext(partial(self.map, worker))

    def map(self, worker: Worker, draw: Draw) -> Iterator[Made]:
        """See `Map`."""
        workers = max(self.workers or len(os.sched_getaffinity(0)), in_flight(worker))
        stopped: UserError | None = None
        busy: set[Future[Made]] = set()
        with _threads(workers, worker) as pool:
            while True:
                # One task more than there are threads: the next is planned while all are busy.
                while stopped is None and len(busy) <= workers and (task := draw()) is not None:
                    busy.add(pool.submit(worker, task))
                if not busy:
                    break
                done, busy = wait(busy, return_when=FIRST_COMPLETED)
                for each in done:
                    try:
                        yield each.result()
                    except UserError as error:
                        stopped = stopped or error
        if stopped is not None:
            raise stopped
