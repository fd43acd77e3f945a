"""What running and killed jobs have made and not sealed yet, and which jobs still run.

`made` names parts that are committed and that no record names so far: the next job finds them there instead of making
them again. `jobs` says which jobs run: each renews its row while it works, and what may disturb a running job (cleaning
up, erasing files that nobody committed) looks there first. Both tables are small: a job that ends takes its rows away.
"""

from __future__ import annotations

import threading
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC as UTC_ZONE
from datetime import datetime, timedelta

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from memfold.errors import UserError
from memfold.schema import UTC, key, required
from memfold.store.catalog import PART, Part, part_of, rows_of
from memfold.store.location import Location
from memfold.store.tables import GRACE, Keyed, Table, retried

MADE = pa.schema(
    [
        required("job", pa.string()),
        required("conversation_id", pa.string()),
        required("layer", pa.string()),
        required("part", PART),
        required("made_at", UTC),
    ]
)

JOBS = pa.schema([key("job", pa.string()), required("started_at", UTC), required("seen_at", UTC)])

# A running job is seen this often, and taken for dead where it was not for so long.
SEEN_S = 20.0
DEAD = timedelta(minutes=3)


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
    def running(self) -> Iterator[Job]:
        """A job that is known to run until the block ends. Where it ended well, what it made is named by records, and
        its rows go."""
        job = Job(self, uuid.uuid4().hex, datetime.now(UTC_ZONE))
        job.seen()
        ended = threading.Event()

        def renew() -> None:
            while not ended.wait(SEEN_S):
                job.seen()

        thread = threading.Thread(target=renew, name="lease", daemon=True)
        thread.start()
        try:
            yield job
            retried(lambda: self._made.delete(pc.field("job") == job.uid))
        finally:
            ended.set()
            thread.join()
            retried(lambda: self._jobs.delete(pc.field("job") == job.uid))
            # A job that finds nothing to do seals nothing and tends nothing; this is all that it leaves.
            self._jobs.create().cleanup_old_versions(older_than=GRACE)

    def jobs(self) -> list[str]:
        """The jobs that run now."""
        rows = self._jobs.read(["job", "seen_at"]).to_pylist()
        return [row["job"] for row in rows if datetime.now(UTC_ZONE) - row["seen_at"] < DEAD]

    def bury(self) -> None:
        """Take away the jobs that died. One that was only asleep finds that out before it seals."""
        limit = pa.scalar(datetime.now(UTC_ZONE) - DEAD, UTC)
        retried(lambda: self._jobs.delete(pc.field("seen_at") < limit))

    def left(self) -> Left:
        """All that is made and not sealed."""
        return Left.of(self._made.read(["conversation_id", "layer", "part"]))

    def parts(self) -> Iterator[tuple[str, Part]]:
        """The same, one after the other, with the table each part is in."""
        for batch in self._made.batches(["layer", "part"]):
            for row in batch.to_pylist():
                yield row["layer"], part_of(row["part"])

    def forget(self, older: timedelta) -> int:
        """Take away what was made so long ago and never sealed; returns how many parts."""
        limit = pa.scalar(datetime.now(UTC_ZONE) - older, UTC)
        return retried(lambda: self._made.delete(pc.field("made_at") < limit))


@dataclass(frozen=True)
class Job:
    """One that runs."""

    of: Unsealed
    uid: str
    started: datetime

    def seen(self) -> None:
        """Say that the job runs."""
        row = {"job": self.uid, "started_at": self.started, "seen_at": datetime.now(UTC_ZONE)}
        retried(lambda: self.of._jobs.put(pa.Table.from_pylist([row], schema=JOBS)))

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
        if self.of._jobs.count(pc.field("job") == self.uid) == 0:
            raise UserError(
                f"this job was not seen for {DEAD.seconds // 60} minutes, and a clean-up took it for dead: run it again, "
                "what is left of its work is found"
            )


@dataclass(frozen=True)
class Left:
    """Parts that are made and not sealed, found by conversation."""

    rows: pa.Table
    ids: np.ndarray[tuple[int], np.dtype[np.str_]]

    @staticmethod
    def of(rows: pa.Table) -> Left:
        rows = rows.sort_by("conversation_id").combine_chunks()
        return Left(rows, np.array(rows["conversation_id"].to_pylist(), dtype=object))

    def parts(self, conversation_id: str) -> Mapping[tuple[str, str], Part]:
        """What there is of one conversation, by table and name."""
        if not len(self.ids):
            return {}
        first = int(np.searchsorted(self.ids, conversation_id, "left"))
        end = int(np.searchsorted(self.ids, conversation_id, "right"))
        found: dict[tuple[str, str], Part] = {}
        for row in self.rows.slice(first, end - first).to_pylist():
            part = part_of(row["part"])
            found.setdefault((row["layer"], part.name), part)
        return found
