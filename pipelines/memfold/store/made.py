"""The journal `made`: parts that are committed and that no record names yet. Knows no seal, and not who is working.

The next job finds them there instead of making them again. The table is small: a job that ends well, whose parts
records name by then, removes its rows.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property

import pyarrow as pa
import pyarrow.compute as pc

from memfold.schema import INSTANT, required
from memfold.store.location import Location
from memfold.store.part import PART, Part, column_of, part_of
from memfold.store.tables import Table

MADE = pa.schema(
    [
        required("job", pa.string()),
        required("conversation_id", pa.string()),
        required("layer", pa.string()),
        required("part", PART),
        required("made_at", INSTANT),
    ]
)


@dataclass(frozen=True)
class Journal:
    """The journal of one location."""

    location: Location

    @cached_property
    def _table(self) -> Table:
        return Table(self.location, "made", MADE)

    def enter(self, job: str, parts: Sequence[tuple[str, str, Part]]) -> None:
        """Enter committed parts of a job: (conversation, table, part)."""
        now = datetime.now(UTC)
        columns = {
            "job": [job] * len(parts),
            "conversation_id": [conversation for conversation, _, _ in parts],
            "layer": [layer for _, layer, _ in parts],
            "part": column_of([part for _, _, part in parts]),
            "made_at": [now] * len(parts),
        }
        self._table.append(pa.table(columns, schema=MADE))

    def left(self, working: frozenset[str]) -> Left:
        """All that is made and not sealed; `working` are the jobs that had not ended before this was read."""
        return Left.of(self._table.read(["job", "conversation_id", "layer", "part"]), working)

    def parts(self) -> Iterator[tuple[str, Part]]:
        """The same, one after the other, with the table each part is in."""
        for row in self._table.read(["layer", "part"]).to_pylist():
            yield row["layer"], part_of(**row["part"])

    def forget(self, older: timedelta) -> int:
        """Remove from `made` what is that old and was never sealed; returns how many parts."""
        limit = pa.scalar(datetime.now(UTC) - older, INSTANT)
        return self._table.delete(pc.field("made_at") < limit)

    def drop(self, job: str) -> None:
        """Remove what a job entered."""
        self._table.delete(pc.field("job") == job)


@dataclass(frozen=True)
class Left:
    """Parts that are made and not sealed, by conversation. `working` are the jobs that had not ended."""

    rows: pa.Table
    ids: list[str]
    working: frozenset[str]

    @staticmethod
    def of(rows: pa.Table, working: frozenset[str]) -> Left:
        """From rows of `job`, `conversation_id`, `layer` and `part`, in any order."""
        rows = rows.sort_by("conversation_id").combine_chunks()
        return Left(rows, rows["conversation_id"].to_pylist(), working)

    def parts(self, conversation_id: str, *, ended: bool = False) -> Mapping[tuple[str, str], Part]:
        """The parts of one conversation, by table and name; with `ended` only those of jobs that are not working."""
        first, end = bisect_left(self.ids, conversation_id), bisect_right(self.ids, conversation_id)
        found: dict[tuple[str, str], Part] = {}
        if first == end:
            return found
        for row in self.rows.slice(first, end - first).to_pylist():
            part = part_of(**row["part"])
            if not (ended and row["job"] in self.working):
                found.setdefault((row["layer"], part.name), part)
        return found
