"""The executor on Ray: actors that each hold an engine and an embedder, and a bounded number of tasks in flight.

Workers write files that nobody sees; only this process commits them. Ray restarts a worker that dies, where there is a
place for it, and others repeat its tasks: they are pure, and nobody commits what it wrote before it died. If this
process is killed, its cluster ends within seconds; two of Ray's own agents were seen to take over a minute.
"""

from __future__ import annotations

import math
import re
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from memfold.beside import threads
from memfold.cluster import cluster
from memfold.errors import UserError
from memfold.lean import collecting_rarely
from memfold.llm.budget import BudgetSpent
from memfold.run.executor import Draw, Map, in_flight
from memfold.run.work import Made, Task, Worker

# One task beyond those a worker is doing keeps it busy while its last result travels; more would only take memory.
AHEAD = 1
# Seconds that a job waits for workers that have not begun, once the others have spent their parts of its budget.
BEGUN_S = 30.0
# Seconds that a worker gets to end its tasks. A task of the rules takes some.
ENDED_S = 5.0


@dataclass(frozen=True)
class Ray:
    """`address` is "local" (its own cluster, which ends with the job) or that of a running cluster; 0 `workers` are
    one per core; `cpus` is what Ray schedules one worker with."""

    address: str = "local"
    workers: int = 0
    cpus: float = 1.0

    def __post_init__(self) -> None:
        if self.workers < 0:
            raise UserError(f"executor.workers={self.workers}: use 0 (one a core) or more")
        if self.cpus <= 0:
            raise UserError(f"executor.cpus={self.cpus}: use more than 0")

    @property
    def threads(self) -> int:
        """As many as a worker has CPUs, at least one."""
        return max(1, int(self.cpus))

    @contextmanager
    def started(self, worker: Worker) -> Iterator[Map]:
        """See `Executor.started`. The `Map` raises UserError if the cluster does not answer.

        A cluster of its own takes 4 s to start and 1.4 s to stop, and mostly waits: the job goes on meanwhile.
        """
        ends = ExitStack()
        # Linux kills Ray's processes when the thread that started them ends, so this thread outlives them.
        with threads(1, "ray") as beside:
            begun = beside.submit(lambda: ends.enter_context(self._actors(worker)))

            def stream(draw: Draw) -> Iterator[Made]:
                yield from begun.result()(draw)
                beside.submit(ends.close)

            try:
                yield stream
            finally:
                # Closing twice does nothing.
                beside.submit(ends.close).result()

    @contextmanager
    def _actors(self, worker: Worker) -> Iterator[Map]:
        # A cluster has whole CPUs, and a worker may be scheduled with a part of one.
        with cluster(self.address, math.ceil(self.workers * self.cpus) or None) as ray:
            workers = self.workers or max(1, int(ray.cluster_resources().get("CPU", 1) / self.cpus))
            worker = worker.share(workers)
            at_once = in_flight(worker)
            # -1: without end. A job that restarts workers for ever makes no progress, but is watched by the
            # person who runs it; a job that gives up after n deaths loses the night. With a budget none is restarted,
            # because nobody knows what it had spent of its part. `begin` and `end` have a thread of their own beside
            # those of the tasks that a worker is given.
            asker = worker.engine.asker
            restarts = 0 if asker is not None and asker.ledger.bounded else -1
            actor = ray.remote(
                num_cpus=self.cpus,
                max_restarts=restarts,
                max_task_retries=-1,
                max_concurrency=at_once + AHEAD + 1,
            )(_Worker)
            pool = [actor.remote(worker, at_once) for _ in range(workers)]
            under_way = False

            def stream(draw: Draw) -> Iterator[Made]:
                nonlocal under_way
                under_way = True
                yield from _stream(ray, pool, at_once + AHEAD, draw)
                under_way = False

            try:
                yield stream
            finally:
                if under_way:
                    _end(ray, pool)


def _end(ray: Any, pool: list[Any]) -> None:
    """End the workers of a job that did not come to its end, also on a cluster that was connected before and goes on:
    one that was left would ask its model and write files after the job's lease has ended. What a model had answered is
    kept."""

    def ended() -> bool:
        """Whether each has ended what it did, or is gone."""
        ends = [each.end.remote() for each in pool]
        return len(ray.wait(ends, num_returns=len(ends), timeout=ENDED_S)[0]) == len(ends)

    with suppress(ray.exceptions.RayError):
        idle = ended()
        for each in pool:
            ray.kill(each)
        if not idle:
            ended()


class _Worker:
    """A worker, held by a process of its own."""

    def __init__(self, worker: Worker, at_once: int) -> None:
        collecting_rarely()
        self._worker = worker
        self._at_once, self._turn = at_once, threading.Semaphore(at_once)
        self._ends = False

    def begin(self) -> None:
        """Returns once the worker has begun."""

    def make(self, task: Task) -> Made:
        """What the task left; nothing if the worker was told to end."""
        try:
            with self._turn:
                return Made() if self._ends else self._worker(task)
        except BaseException:
            if self._ends:
                return Made()  # nobody waits for it, and Ray would print what was raised
            raise

    def end(self) -> None:
        """Stop asking the model, keep what it answered, and return once no task runs."""
        self._ends = True
        if self._worker.engine.asker is not None:
            self._worker.engine.asker.close(for_good=True)
        for _ in range(self._at_once):
            self._turn.acquire()
        self._turn.release(self._at_once)  # for tasks that wait, which do nothing now


def _stream(ray: Any, pool: list[Any], most: int, draw: Draw) -> Iterator[Made]:
    """See `Map`. A worker holds at most `most` tasks, and gets them once it has begun: where others use the cluster
    too, that may not be before the job's end. What it held when it died goes to others, and nobody commits what it
    still makes if it was only out of reach. So does what it was asked for when its part of a budget was spent: what
    was answered until then is kept, where others find it."""
    errors = ray.exceptions
    died = (errors.RayActorError, errors.OutOfMemoryError, errors.NodeDiedError, errors.ObjectLostError)
    begins = {worker.begin.remote(): number for number, worker in enumerate(pool)}
    begun: set[int] = set()
    busy: dict[Any, tuple[int, Task]] = {}
    again: list[Task] = []
    task: Task | None = None
    spent: BudgetSpent | None = None
    stopped: UserError | None = None
    lost: UserError | None = None
    while True:
        if task is None and stopped is None:
            task = again.pop() if again else draw()
        if not busy and (task is None or stopped is not None):
            break
        held = Counter(number for number, _ in busy.values())
        free = min(begun, key=lambda number: held[number], default=None)
        if task is not None and stopped is None and free is not None and held[free] < most:
            # Ray would have the same worker do it again, wherever that one waits for a place.
            busy[pool[free].make.options(max_task_retries=0).remote(task)] = free, task
            task = None
            continue
        if not (busy or begins):
            stopped = spent or lost
            continue
        done, _ = ray.wait([*busy, *begins], num_returns=1, timeout=None if busy or not spent else BEGUN_S)
        if not done:
            stopped = spent
        for reference in done:
            number, given = busy.pop(reference) if reference in busy else (begins.pop(reference), None)
            try:
                made = ray.get(reference)
            except died as error:
                again += [] if given is None else [given]
                if number in begun:
                    begun.remove(number)
                    begins[pool[number].begin.remote()] = number
                lost = _lost(error)
            except errors.RayTaskError as error:
                if not isinstance(error.cause, UserError):
                    raise
                if isinstance(error.cause, BudgetSpent) and given is not None:
                    spent = error.cause
                    begun.discard(number)
                    again.append(given)
                else:
                    # Tasks of other workers are finished and kept; no new ones are given out.
                    stopped = stopped or error.cause
            else:
                if given is None:
                    begun.add(number)
                else:
                    yield made
    if stopped is not None:
        raise stopped


def _lost(error: Exception) -> UserError:
    """What to say if no worker is left. The last line of what Ray says of one that could not begin is why."""
    said = [line for line in _COLOUR.sub("", str(error)).splitlines() if line.strip()]
    if "creation task" in said[0]:
        return UserError(f"no worker of this job can begin on the cluster: {said[-1].strip()}")
    return UserError(
        f"all workers of this job died ({said[0].strip()}): run the job again, which goes on from what is kept"
    )


_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
