"""The result store: a finished generation is kept under the hash of what was asked, and first write wins.

A run that was killed, a second job over the same data and a changed later stage find here what was paid for.
Any number of processes may write; a write is one version of a Lance table, so a kill leaves it whole. Rows are only
added: where two processes asked the same, the first row is what every reader finds. What was not written yet is what
a kill costs: at most `A_COMMIT` generations a process, or a quarter as many as it has under way, which a kill costs
too. Knows nothing of prompts.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from memfold.llm.generator import Generation, Usage
from memfold.schema import GENERATIONS
from memfold.store.location import Location
from memfold.store.tables import Table, erased

# A commit takes about 4 ms of CPU and a file: 8,301 generations took 1.04 s by 32, 0.35 s by 128.
A_COMMIT = 32


@dataclass
class Results:
    """Generations by key. `table` None keeps them in `kept`, in memory only: for a benchmark without a store."""

    table: Table | None
    model: str
    kept: dict[str, Generation] = field(default_factory=dict)
    _there: set[str] | None = None
    _listing: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def find(self, keys: Collection[str]) -> dict[str, Generation]:
        """The generations that are kept of these keys."""
        found = {key: self.kept[key] for key in keys if key in self.kept}
        if self.table is not None:
            with self._listing:
                # Once a process: what others add meanwhile they made of their own segments.
                if self._there is None:
                    batches = self.table.batches(["request"])
                    self._there = {key for batch in batches for key in batch.column(0).to_pylist()}
            if wanted := [key for key in keys if key in self._there and key not in found]:
                for row in self.table.read(where=pc.field("request").isin(wanted)).to_pylist():
                    usage = Usage(row["prompt_tokens"], row["completion_tokens"], row["cached_tokens"])
                    found.setdefault(row["request"], Generation(row["text"], row["finish_reason"], usage))
        return found

    def writer(self, under_way: int = 0) -> Writer:
        """Something to write generations with, of which so many are under way; others may write at the same time."""
        return Writer(self, max(A_COMMIT, under_way // 4))

    def __getstate__(self) -> dict[str, Any]:
        return {"table": self.table, "model": self.model}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state)  # type: ignore[misc]


@dataclass
class Writer:
    """Generations on their way to the store, a few dozen a commit."""

    results: Results
    a_commit: int = A_COMMIT
    _waiting: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def full(self) -> bool:
        return len(self._waiting) >= self.a_commit

    def add(self, key: str, conversation_id: str, exchange_id: int, made: Generation) -> None:
        if self.results.table is None:
            self.results.kept[key] = made
            return
        self._waiting.setdefault(
            key,
            {
                "request": key,
                "conversation_id": conversation_id,
                "exchange_id": exchange_id,
                "model": self.results.model,
                # Lance takes no lone surrogates, and a model may write one.
                "text": made.text.encode(errors="replace").decode(),
                "finish_reason": made.finish_reason,
                "prompt_tokens": made.usage.prompt,
                "completion_tokens": made.usage.completion,
                "cached_tokens": made.usage.cached,
                "written_at": datetime.now(UTC),
            },
        )

    def take(self) -> list[dict[str, Any]]:
        """What waits, to be written: by whoever adds, so that nothing is added in between."""
        waiting, self._waiting = self._waiting, {}
        return list(waiting.values())

    def write(self, rows: list[dict[str, Any]]) -> None:
        """Write what was taken, in one version of the table."""
        if rows and self.results.table is not None:
            self.results.table.append(pa.Table.from_pylist(rows, schema=GENERATIONS))
            if self.results._there is not None:
                self.results._there.update(row["request"] for row in rows)

    def give_back(self, rows: list[dict[str, Any]]) -> None:
        """What could not be written waits again."""
        self._waiting = {row["request"]: row for row in rows} | self._waiting


def generations(location: Location) -> Table:
    """The table of what models wrote."""
    return Table(location, "generations", GENERATIONS)


def measure(location: Location) -> list[Mapping[str, object]]:
    """What is kept, by model and conversation: generations, tokens in and out, bytes of text."""
    columns = ["model", "conversation_id", "text", "prompt_tokens", "completion_tokens"]
    rows = generations(location).read(columns=columns)
    sized = rows.append_column("bytes", pc.binary_length(rows.column("text"))).drop_columns(["text"])
    grouped = sized.group_by(["model", "conversation_id"]).aggregate(
        [("bytes", "count"), ("bytes", "sum"), ("prompt_tokens", "sum"), ("completion_tokens", "sum")]
    )
    return [
        {
            "model": row["model"],
            "conversation_id": row["conversation_id"],
            "generations": row["bytes_count"],
            "prompt_tokens": row["prompt_tokens_sum"],
            "completion_tokens": row["completion_tokens_sum"],
            "bytes": row["bytes_sum"],
        }
        for row in grouped.sort_by([("model", "ascending"), ("conversation_id", "ascending")]).to_pylist()
    ]


def prune(
    location: Location,
    *,
    model: str | None = None,
    conversation_id: str | None = None,
    before: datetime | None = None,
) -> int:
    """Remove the generations that all the given conditions hold for, and what held them on disk; returns how many.

    Only while nothing else writes the tenant's store. Pruned generations are paid for again if they are needed.
    """
    where = pc.field("request").is_valid()
    if model is not None:
        where &= pc.field("model") == model
    if conversation_id is not None:
        where &= pc.field("conversation_id") == conversation_id
    if before is not None:
        where &= pc.field("written_at") < pa.scalar(before, pa.timestamp("us", tz="UTC"))
    return erased(location, "generations", where, alone=False)
