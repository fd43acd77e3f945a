"""What running and killed jobs have made and not sealed yet, and who works on the store.

`made` names parts that are committed and that no record names so far: the next job finds them there instead of making
them again. `jobs` says who works: each renews its row meanwhile, and is taken for dead where it did not for long. Index
jobs work side by side. What takes rows or files away works with the jobs that it finds, and knows of them; a job that
comes while it works waits for its end. Each first says that it is there and then looks who else is, so of two that come
at one moment at least one sees the other. Both tables are small: what ends takes its rows away.
"""

from __future__ import annotations

import random
import threading
import time
import uuid
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC as UTC_ZONE
from datetime import datetime, timedelta

import pyarrow as pa
import pyarrow.compute as pc

from memfold.errors import UserError
from memfold.schema import UTC, key, required
from memfold.store.catalog import PART, Part, part_of, rows_of
from memfold.store.location import Location
from memfold.store.tables import GRACE, Keyed, Table, clean, conflicted, let_go

MADE = pa.schema(
    [
        required("job", pa.string()),
        required("conversation_id", pa.string()),
        required("layer", pa.string()),
        required("part", PART),
        required("made_at", UTC),
    ]
)

# `alone`: nobody may begin to work before it ends.
JOBS = pa.schema(
    [
        key("job", pa.string()),
        required("started_at", UTC),
        required("seen_at", UTC),
        required("alone", pa.bool_()),
    ]
)

# A running job is seen this often, and taken for dead where it was not for so long.
SEEN_S = 20.0
DEAD = timedelta(minutes=3)
# Who waits for another looks again after so long.
LOOK_S = 0.3


def waits() -> str:
    """What is said while an erasure or a clean-up is waited for."""
    minutes = DEAD.total_seconds() / 60
    return f"waiting for an erasure or a clean-up of this store to end ({minutes:g} minutes if it was killed)"


@dataclass(frozen=True)
class Unsealed:
    """The two tables of one location."""

    location: Location
    _made: Table = field(init=False, repr=False)
    _jobs: Keyed = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_made", Table(self.location, "made", MADE))
        object.__setattr__(self, "_jobs", Keyed(self.location, "jobs", JOBS))

    @contextmanager
    def running(self, waiting: Callable[[], object] = lambda: None) -> Iterator[Job]:
        """A job that is known to run until the block ends; it begins when nobody is alone, and calls `waiting` once if
        somebody is. Where it ended well, what it made is named by records, and its rows go."""
        with self._known(alone=False) as job:
            job.wait(waiting)
            yield job
            self._made.delete(pc.field("job") == job.uid)

    @contextmanager
    def alone(self, waiting: Callable[[], object] = lambda: None) -> Iterator[Job]:
        """Something that takes rows or files away. No other such work runs until the block ends, and no job begins;
        `beside` are the jobs that began before and still run. Calls `waiting` once if other such work runs."""
        said = False
        while True:
            while any(self._others("").values()):
                if not said:
                    waiting()
                    said = True
                time.sleep(LOOK_S)
            with self._known(alone=True) as job:
                others = self._others(job.uid)
                if not any(others.values()):
                    yield replace(job, beside=len(others))
                    return
            # Two came at one moment: neither can tell who was first.
            time.sleep(random.uniform(0, 2 * LOOK_S))

    @contextmanager
    def _known(self, *, alone: bool) -> Iterator[Job]:
        job = Job(self, uuid.uuid4().hex, datetime.now(UTC_ZONE), alone)
        self._jobs.insert(job.row())
        ended = threading.Event()

        def renew() -> None:
            while not ended.wait(SEEN_S):
                try:
                    if not job.seen():
                        return
                except (OSError, RuntimeError, ValueError) as error:
                    # The next time will do, and if none does, the job finds that it was taken for dead.
                    if not (conflicted(error) or let_go(error)):
                        raise

        thread = threading.Thread(target=renew, name="lease", daemon=True)
        thread.start()
        try:
            yield job
        finally:
            ended.set()
            thread.join()
            self._jobs.delete(pc.field("job") == job.uid)
            # A job that finds nothing to do seals nothing and tends nothing; this is all that it leaves.
            clean(self.location, "jobs", GRACE)

    def jobs(self) -> list[str]:
        """The jobs that run now."""
        return list(self._others(""))

    def _others(self, job: str) -> dict[str, bool]:
        """Who else works, and whether alone. Those that died are taken away: one that was only asleep finds that out
        before it commits or seals anything."""
        limit = pa.scalar(datetime.now(UTC_ZONE) - DEAD, UTC)
        self._jobs.delete(pc.field("seen_at") < limit)
        rows = self._jobs.read(["job", "alone"]).to_pylist()
        return {row["job"]: row["alone"] for row in rows if row["job"] != job}

    def left(self) -> Left:
        """All that is made and not sealed."""
        return Left.of(self._made.read(["conversation_id", "layer", "part"]))

    def parts(self) -> Iterator[tuple[str, Part]]:
        """The same, one after the other, with the table each part is in."""
        for row in self._made.read(["layer", "part"]).to_pylist():
            yield row["layer"], part_of(row["part"])

    def forget(self, older: timedelta) -> int:
        """Take away what was made so long ago and never sealed; returns how many parts."""
        limit = pa.scalar(datetime.now(UTC_ZONE) - older, UTC)
        return self._made.delete(pc.field("made_at") < limit)


@dataclass(frozen=True)
class Job:
    """One that works. `beside` are the jobs that it found."""

    of: Unsealed
    uid: str
    started: datetime
    alone: bool
    beside: int = 0

    def row(self) -> pa.Table:
        """What says that the job works now."""
        now = datetime.now(UTC_ZONE)
        row = {"job": self.uid, "started_at": self.started, "seen_at": now, "alone": self.alone}
        return pa.Table.from_pylist([row], schema=JOBS)

    def seen(self) -> bool:
        """Say again that the job works; False where it was taken for dead, which it then stays."""
        return bool(self.of._jobs.replace(self.row()))

    def wait(self, waiting: Callable[[], object] = lambda: None) -> None:
        """Return when nobody else is alone; call `waiting` once where somebody is."""
        said = False
        while any(self.of._others(self.uid).values()):
            if not said:
                waiting()
                said = True
            time.sleep(LOOK_S)

    def made(self, parts: Sequence[tuple[str, str, Part]]) -> None:
        """Name parts that were committed: (conversation, table, part)."""
        now = datetime.now(UTC_ZONE)
        columns = {
            "job": [self.uid] * len(parts),
            "conversation_id": [conversation for conversation, _, _ in parts],
            "layer": [layer for _, layer, _ in parts],
            "part": rows_of([part for _, _, part in parts]),
            "made_at": [now] * len(parts),
        }
        self.of._made.append(pa.table(columns, schema=MADE))

    def check(self) -> None:
        """UserError where the job was taken for dead: what it made and did not seal may be gone."""
        rows = self.of._jobs.read(["seen_at"], pc.field("job") == self.uid).to_pylist()
        if not rows or datetime.now(UTC_ZONE) - rows[0]["seen_at"] >= DEAD:
            raise UserError(
                f"this job was not seen for {DEAD.total_seconds() / 60:g} minutes and was taken for dead: run it "
                "again, what is left of its work is found"
            )


@dataclass(frozen=True)
class Left:
    """Parts that are made and not sealed, found by conversation."""

    rows: pa.Table
    ids: list[str]

    @staticmethod
    def of(rows: pa.Table) -> Left:
        """From rows of `conversation_id`, `layer` and `part`, in any order."""
        rows = rows.sort_by("conversation_id").combine_chunks()
        return Left(rows, rows["conversation_id"].to_pylist())

    def parts(self, conversation_id: str) -> Mapping[tuple[str, str], Part]:
        """What there is of one conversation, by table and name."""
        first, end = bisect_left(self.ids, conversation_id), bisect_right(self.ids, conversation_id)
        found: dict[tuple[str, str], Part] = {}
        if first == end:
            return found
        for row in self.rows.slice(first, end - first).to_pylist():
            part = part_of(row["part"])
            found.setdefault((row["layer"], part.name), part)
        return found
