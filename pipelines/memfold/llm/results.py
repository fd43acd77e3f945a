"""The result store: a finished generation is kept under the hash of what was asked, and the first write wins.

A run after a kill, a second job over the same data, or a changed later stage finds here what was paid for. Any number
of processes may write; each write is one version of a Lance table, so a kill leaves the table whole. Rows are only
added. If a request has several, the one committed first counts, for all readers and for ever: row ids are given in the
order of commits and stay with their rows through compaction and indexing. Knows nothing of prompts.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from memfold.errors import UserError
from memfold.given import forms
from memfold.llm.generator import Generation, Usage
from memfold.schema import GENERATIONS
from memfold.store.attempts import conflicted, uncertain
from memfold.store.location import Location
from memfold.store.tables import Table, among
from memfold.store.unsealed import Unsealed
from memfold.store.upkeep import check_free, erased

# A commit takes about 4 ms of CPU and a file: 8,301 generations took 1.04 s by 32, 0.35 s by 128.
A_COMMIT = 32
# Keys of one look-up. Lance makes an OR of equalities of them: 4,096 took 54 ms, 64 of them 24.
A_LOOKUP = 4_096
INDEX = "request_idx"
# Fewer rows that no index knows are scanned in a few milliseconds, and an index is a file more for each look-up.
WORTH_INDEXING = 4_096

_ANSWER = ["request", "text", "finish_reason", "prompt_tokens", "completion_tokens", "cached_tokens"]


class _Generations(Table):
    # Row ids that outlast compaction: they say which of several rows for one request came first.
    STABLE = True


def generations(location: Location) -> Table:
    """The table of generations of a tenant; it need not be there yet."""
    return _Generations(location, "generations", GENERATIONS)


@dataclass
class Results:
    """Generations by key. `table` None keeps them in `kept`, in memory only: for a benchmark without a store."""

    table: Table | None
    model: str
    kept: dict[str, Generation] = field(default_factory=dict)

    def find(self, keys: Collection[str]) -> dict[str, Generation]:
        """The generations that are kept under some of these keys. It looks them up in the table as it is now, so ask
        for many at once. Safe from any thread."""
        found = {key: self.kept[key] for key in keys if key in self.kept}
        dataset = None if self.table is None else self.table.open()
        if dataset is None:
            return found
        for some in _cut(dict.fromkeys(keys), A_LOOKUP):
            chosen = pc.field("request").isin(some)
            rows = dataset.to_table(columns=_ANSWER, filter=chosen, with_row_id=True)
            for row in rows.sort_by("_rowid").to_pylist():
                usage = Usage(row["prompt_tokens"], row["completion_tokens"], row["cached_tokens"])
                found.setdefault(row["request"], Generation(row["text"], row["finish_reason"], usage))
        return found

    def writer(self, under_way: int) -> Writer:
        """A writer of generations, of which `under_way` are asked for at once; others may write at the same time."""
        return Writer(self, max(A_COMMIT, under_way // 4), max(A_COMMIT, under_way))


@dataclass
class Writer:
    """Generations on their way to the store. `a_commit` of them are worth a commit; more than `most` should not
    wait, because a kill would lose them. The caller, who has a clock, decides when to commit."""

    results: Results
    a_commit: int
    most: int
    _waiting: dict[str, dict[str, Any]] = field(default_factory=dict)
    _instead: set[str] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def __len__(self) -> int:
        return len(self._waiting)

    def add(
        self, key: str, conversation_id: str, exchange_id: int, made: Generation, *, instead: bool = False
    ) -> None:
        """Queue a generation under its key, filed under the exchange it is about (-1: none). `instead` of what is kept
        under that key; without it, what is there is what counts."""
        if self.results.table is None:
            self.results.kept[key] = made
            return
        row = {
            "request": key,
            "conversation_id": conversation_id,
            "exchange_id": exchange_id,
            "model": self.results.model,
            "text": made.text,
            "finish_reason": made.finish_reason,
            "prompt_tokens": made.usage.prompt,
            "completion_tokens": made.usage.completion,
            "cached_tokens": made.usage.cached,
            "written_at": datetime.now(UTC),
        }
        with self._lock:
            self._waiting.setdefault(key, row)
            if instead:
                self._instead.add(key)

    def write(self) -> None:
        """Write what is queued, in one version of the table. If that fails it stays queued, and the error is raised."""
        with self._lock:
            rows, self._waiting = self._waiting, {}
            instead, self._instead = self._instead, set()
        if not rows or self.results.table is None:
            return
        try:
            if instead:
                ours = pc.field("model") == self.results.model
                self.results.table.delete(ours & pc.field("request").isin(list(instead)))
            self.results.table.append(pa.Table.from_pylist(list(rows.values()), schema=GENERATIONS))
        except BaseException:
            with self._lock:
                self._waiting = rows | self._waiting
                self._instead |= instead
            raise


def tended(location: Location) -> bool:
    """Index the generations that no index knows yet, if there are enough of them; returns whether it did.

    Beside running jobs: appending and looking up go on meanwhile, and where another process tends the table at the same
    time one of them does it. Call it before compacting: Lance merges no indexed file with one that is not.
    """
    dataset = generations(location).open()
    if dataset is None:
        return False
    there = any(index.name == INDEX for index in dataset.describe_indices())
    unknown = dataset.stats.index_stats(INDEX)["num_unindexed_rows"] if there else dataset.count_rows()
    if unknown < WORTH_INDEXING:
        return False
    try:
        if there:
            dataset.optimize.optimize_indices(index_names=[INDEX])
        else:
            dataset.create_scalar_index("request", "BTREE", name=INDEX)
    except (OSError, RuntimeError) as error:
        if not (conflicted(error) or uncertain(error)):
            raise
        return False
    return True


def measure(location: Location) -> list[Mapping[str, object]]:
    """What is kept, by model and conversation: generations, tokens in and out, bytes of text. One pass over the
    table, with a few batches and one line per conversation in memory."""
    columns = ["model", "conversation_id", "text", "prompt_tokens", "completion_tokens"]
    sums: dict[tuple[str, str], Counter[str]] = {}
    for batch in generations(location).batches(columns):
        rows = pa.Table.from_batches([batch])
        sized = rows.append_column("bytes", pc.binary_length(rows.column("text"))).drop_columns(["text"])
        grouped = sized.group_by(["model", "conversation_id"], use_threads=False).aggregate(
            [("bytes", "count"), ("bytes", "sum"), ("prompt_tokens", "sum"), ("completion_tokens", "sum")]
        )
        for row in grouped.to_pylist():
            sums.setdefault((row.pop("model"), row.pop("conversation_id")), Counter()).update(row)
    return [
        {
            "model": model,
            "conversation_id": conversation_id,
            "generations": row["bytes_count"],
            "prompt_tokens": row["prompt_tokens_sum"],
            "completion_tokens": row["completion_tokens_sum"],
            "bytes": row["bytes_sum"],
        }
        for (model, conversation_id), row in sorted(sums.items())
    ]


def prune(
    location: Location,
    *,
    model: str | None = None,
    conversation_id: str | None = None,
    before: datetime | None = None,
) -> int:
    """Remove the generations that fulfil all given conditions, and their bytes on disk; returns how many. UserError
    while jobs run. Pruned generations are paid for again if they are needed."""
    where = pc.field("request").is_valid()
    if model is not None:
        where &= pc.field("model") == model
    if conversation_id is not None:
        where &= among("conversation_id", forms(conversation_id))
    if before is not None:
        where &= pc.field("written_at") < pa.scalar(before, pa.timestamp("us", tz="UTC"))
    check_free(location)
    with Unsealed(location).alone() as alone:
        if alone.beside:
            raise UserError(
                f"jobs are running under {location.root} ({alone.beside}), which may write generations: prune when "
                "none runs"
            )
        return erased(location, "generations", where, alone=True)


def _cut(keys: Iterable[str], length: int) -> Iterable[list[str]]:
    left = iter(keys)
    while some := list(islice(left, length)):
        yield some
