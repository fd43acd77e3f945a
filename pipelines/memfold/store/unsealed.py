"""Who is working on a store, and who waits for whom. What they made lies in a journal (`made`).

`jobs` has a row for everyone who is working. They renew it, and count as dead if nobody does so while another one
watches. Index jobs run side by side. Work that removes rows or files runs beside the jobs that started before it, and
knows how many they are; a job that starts later waits until it has ended. Everyone first enters a row and then looks
for others, so of two that start at the same moment at least one sees the other. The table is small: whoever ends
removes its row.
"""

from __future__ import annotations

import random
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import NamedTuple, TypeVar

import pyarrow as pa
import pyarrow.compute as pc

from memfold.beside import every
from memfold.errors import OF_LANCE, UserError
from memfold.once import once
from memfold.schema import INSTANT, key, required
from memfold.store.location import Location
from memfold.store.made import Journal, Left
from memfold.store.part import Part
from memfold.store.tables import Keyed, no_store
from memfold.store.upkeep import clean

T = TypeVar("T")

# `alone`: nobody may begin to work before it ends.
JOBS = pa.schema(
    [
        key("job", pa.string()),
        required("started_at", INSTANT),
        required("seen_at", INSTANT),
        required("alone", pa.bool_()),
    ]
)

# A running job renews its row this often.
SEEN_S = 20.0
# A row that is older by this machine's clock, or so far in its future, may be that of a dead job. It is taken for one
# if nobody renews it while it is watched for `WATCH_S`: clocks differ, and a machine that slept renews late. By a clock
# four minutes ahead living jobs were dead, and 10 of 10 erasures said `complete` with text left (decision 64).
DEAD_AFTER = timedelta(minutes=3)
WATCH_S = 60.0
# Who waits for another looks again after so long.
LOOK_S = 0.3


def waits() -> str:
    """What is said while others are waited for."""
    minutes = DEAD_AFTER.total_seconds() / 60
    return (
        "waiting for an erasure or a clean-up of this store to end, or to see whether a job still runs "
        f"({minutes:g} minutes if it was killed)"
    )


class Other(NamedTuple):
    """Someone else at work. `lives` is None while that is not known (`Unsealed._lives`)."""

    alone: bool
    lives: bool | None


class Watched(NamedTuple):
    """When a job last renewed its row, by the job's clock; since when this process has seen that time there, by
    `time.monotonic`; and whether this process has seen a renewal."""

    seen_at: datetime
    since: float
    renewed: bool


@dataclass(frozen=True)
class Unsealed:
    """Those at work on one location, and what they made. It watches the rows of `jobs` from look to look."""

    location: Location

    @cached_property
    def journal(self) -> Journal:
        """What the jobs made and did not seal."""
        return Journal(self.location)

    @cached_property
    def _jobs(self) -> Keyed:
        return Keyed(self.location, "jobs", JOBS)

    @cached_property
    def _watched(self) -> dict[str, Watched]:
        return {}

    @contextmanager
    def running(self, say: Callable[[str], object] = lambda _: None) -> Iterator[Lease]:
        """A job that counts as running until the block ends. It starts once nobody works alone, and says once that it
        waits if it has to. If the block ends well, records name what the job made, and its rows in `made` are
        removed."""
        with self._known(alone=False) as job:
            job.wait(say)
            yield job
            self.journal.drop(job.uid)

    @contextmanager
    def alone(
        self, say: Callable[[str], object] = lambda _: None, *, within: Lease | None = None
    ) -> Iterator[Lease]:
        """Work that removes rows or files. Until the block ends, no other such work runs and no job starts; `beside`
        is how many jobs started before it and are still running. The block begins once it is known which jobs are
        dead; it says once that it waits if it has to, for that or for other such work. A running job that does such
        work itself gives its lease as `within`: that job is not counted, and does not wait to learn who is dead. It
        counts those that may be dead as running."""
        say = once(say)

        def hinders(other: Other) -> bool:
            """Whether it is waited for."""
            return other.alone or (other.lives is None and within is None)

        while True:
            self._until_none("", hinders, say)
            with self._known(alone=True) as job:
                others = self._others(job.uid)
                if not any(map(hinders, others.values())):
                    yield replace(job, beside=len(others.keys() - {within and within.uid}))
                    return
            # Two came at one moment: neither can tell who was first.
            time.sleep(random.uniform(0, 2 * LOOK_S))

    def _until_none(self, job: str, hinders: Callable[[Other], bool], say: Callable[[str], object]) -> None:
        """Return once nobody but the job hinders; say at each look before that it waits."""
        while any(map(hinders, self._others(job).values())):
            say(waits())
            time.sleep(LOOK_S)

    @contextmanager
    def _known(self, *, alone: bool) -> Iterator[Lease]:
        job = Lease(self, uuid.uuid4().hex, datetime.now(UTC), alone)
        self._jobs.insert(job.row())

        def renew() -> bool:
            """Say that the job lives; False if it was taken for dead."""
            try:
                return job.seen()
            except (*OF_LANCE, UserError):
                # The next time will do, and if none does, the job finds that it was taken for dead.
                return True

        try:
            with every(SEEN_S, renew, name="lease"):
                yield job
        finally:
            self._jobs.delete(pc.field("job") == job.uid)
            # A job that finds nothing to do seals nothing and tends nothing; this is all that it leaves.
            clean(self.location, "jobs")

    def _others(self, job: str) -> dict[str, Other]:
        """Who else is working. Rows of the dead are removed: one that was only asleep finds that out before it commits
        or seals anything."""
        others: dict[str, Other] = {}
        for row in self._jobs.read(["job", "seen_at", "alone"]).to_pylist():
            uid, seen_at = row["job"], row["seen_at"]
            if uid == job:
                continue
            lives = self._lives(uid, seen_at)
            if lives is False:
                # Only the row that was watched: one that is renewed at this moment stays.
                watched = (pc.field("job") == uid) & (pc.field("seen_at") == pa.scalar(seen_at, INSTANT))
                if self._jobs.delete(watched):
                    continue
            others[uid] = Other(row["alone"], lives)
        return others

    def _lives(self, job: str, seen_at: datetime) -> bool | None:
        """Whether a job runs whose row was renewed at `seen_at` by its own clock; None if that looks long ago, and the
        row was not watched for long enough to tell."""
        now = time.monotonic()
        watched = self._watched.get(job) or Watched(seen_at, now, renewed=False)
        if watched.seen_at != seen_at:
            watched = Watched(seen_at, now, renewed=True)
        self._watched[job] = watched
        if abs(datetime.now(UTC) - seen_at) < DEAD_AFTER:
            return True
        if now - watched.since >= WATCH_S:
            return False
        return watched.renewed or None

    def left(self) -> Left:
        """All that is made and not sealed."""
        return self.journal.left(frozenset(self._others("")))


@dataclass(frozen=True)
class Lease:
    """The row of one that is working, which it has to renew. `beside` is how many jobs were running when one that
    works alone started, and 0 for others."""

    of: Unsealed
    uid: str
    started: datetime
    alone: bool
    beside: int = 0

    def row(self) -> pa.Table:
        """The row, renewed now."""
        now = datetime.now(UTC)
        row = {"job": self.uid, "started_at": self.started, "seen_at": now, "alone": self.alone}
        return pa.Table.from_pylist([row], schema=JOBS)

    def seen(self) -> bool:
        """Renew the row; False if others removed it because it had not been renewed for too long."""
        return bool(self.of._jobs.replace(self.row()))

    def wait(self, say: Callable[[str], object] = lambda _: None) -> None:
        """Return once nobody else works alone; say once that it waits if somebody does."""
        self.of._until_none(self.uid, lambda other: other.alone, once(say))

    def settled(self, look: Callable[[], T]) -> T:
        """What `look` finds while nobody works alone; it looks again if somebody began to work alone meanwhile. So an
        erasure whose receipt it finds has ended, and one that begins later sees this job's row."""
        while True:
            self.wait()
            found = look()
            if not any(other.alone for other in self.of._others(self.uid).values()):
                return found

    def made(self, parts: Sequence[tuple[str, str, Part]]) -> None:
        """Enter committed parts into `made`: (conversation, table, part)."""
        self.of.journal.enter(self.uid, parts)

    def check(self) -> None:
        """UserError if the store is gone, or if others took the job for dead: what it made and did not seal may have
        been removed. A row that was not renewed in time is renewed first, so that whoever watches it sees that the job
        lives."""
        rows = self.of._jobs.read(["seen_at"], pc.field("job") == self.uid).to_pylist()
        if not rows and self.of._jobs.open() is None:
            raise no_store(self.of.location)
        late = rows and datetime.now(UTC) - rows[0]["seen_at"] >= timedelta(seconds=WATCH_S / 2)
        if not rows or (late and not self.seen()):
            raise UserError(
                f"this job did not renew its lease for {DEAD_AFTER.total_seconds() / 60:g} minutes and counts as dead: "
                "run it again, it goes on from what it had committed"
            )
