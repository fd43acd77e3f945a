"""The index job: source to sealed snapshot.

Read everything into a spool; plan each conversation; make the segments that are not stored yet; check and
hash what is stored; seal. Nothing a reader can see changes before the last step, and each step before it
can be repeated: killed anywhere and run again, the job ends with the same content hash.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Protocol

import pyarrow as pa
import pyarrow.compute as pc

from memfold.digest import digest, rows_digest
from memfold.embed.contract import Embedder
from memfold.errors import UserError
from memfold.extract.contract import Engine
from memfold.extract.engines.model import ModelEngine
from memfold.layers.scratchpad.sealing import Sealing
from memfold.layers.scratchpad.tree import Scratchpad, Tree
from memfold.llm.budget import BudgetSpent
from memfold.run.executor import Executor, Task
from memfold.run.fold import Fold
from memfold.run.fold import letters as letter_rows
from memfold.run.plan import Identified, Names, Naming, Work, cut, identify, place, reconcile
from memfold.run.spool import Spool
from memfold.run.watch import Report
from memfold.schema import DeadLetter, Message
from memfold.store.catalog import Catalog, Outcome, Record, Segment, Snapshot
from memfold.store.content import conversation_hash, segment_rows
from memfold.store.location import Location
from memfold.store.tables import Table, Tables

# Segments written in one version: many small commits are what slows Lance down, and what is not written
# yet is what a kill costs.
SEGMENTS_A_COMMIT = 8
LETTERS_A_COMMIT = 1024
# Conversations whose scratchpads are made at once where a model is waited for. Each waits in a thread of its own.
SEALED_AT_ONCE = 64


class Source(Protocol):
    """Where conversations come from."""

    def messages(self) -> Iterator[Message | DeadLetter]: ...

    def fingerprint(self) -> str:
        """Equal for equal messages: what makes a finished job run again cost nothing."""
        ...


class AccountingError(Exception):
    """The tables do not hold what was written to them (law 2). Nothing was sealed."""


@dataclass(frozen=True)
class Job:
    """Everything an index job is made of. `config` is the resolved configuration, recorded with the snapshot.

    `again` names segments of extractions to be attempted once more.
    """

    source: Source
    location: Location
    engine: Engine
    embedder: Embedder
    executor: Executor
    scratchpad: Scratchpad
    config: str = "{}"
    again: frozenset[str] = frozenset()

    @property
    def key(self) -> str:
        """What the sealed rows depend on, and nothing else: not where the job runs, nor on how many workers."""
        made_by = (self.engine.signature, self.embedder.signature, self.tree.signature)
        return digest("index-1", self.source.fingerprint(), *made_by)

    @property
    def tree(self) -> Tree:
        """The scratchpad's layer, sealed by the engine's model where there is one and it is to."""
        if self.scratchpad.sealed_by == "engine" and isinstance(self.engine, ModelEngine):
            return Tree(self.scratchpad, Sealing(self.engine.asker, self.scratchpad.full))
        return Tree(self.scratchpad)


@dataclass
class Outline:
    """What was planned of one conversation, filled in while its segments are drawn. `read` counts the messages
    of the source in the pass over them that is taken."""

    conversation_id: str
    works: list[tuple[Names, int, int, int]] = field(default_factory=list)
    read: int = 0

    def add(self, work: Work) -> None:
        self.works.append((work.names, len(work.messages), work.exchanges, work.shown))

    def counted(self, messages: Iterator[Message]) -> Iterator[Message]:
        self.read = 0
        for message in messages:
            self.read += 1
            yield message


@dataclass
class Letters:
    """Dead letters on their way to the store, counted."""

    table: Table
    count: int = 0
    _waiting: list[DeadLetter] = field(default_factory=list)

    def add(self, letter: DeadLetter) -> None:
        self.count += 1
        self._waiting.append(letter)
        if len(self._waiting) >= LETTERS_A_COMMIT:
            self.flush()

    def flush(self) -> None:
        self.table.insert(letter_rows(self._waiting))
        self._waiting.clear()


def index(job: Job, report: Report) -> dict[str, object]:
    """Run the job; returns what it did: messages, exchanges, dead_letters, tokens, seconds, snapshot, content_hash."""
    started = time.monotonic()
    job.location.make()
    catalog = Catalog(job.location)
    snapshots = catalog.snapshots()
    _refuse_other_embedder(job, snapshots)
    try:
        sealed = _finished(job, catalog, snapshots) or _index(job, catalog, snapshots, report)
    finally:
        if isinstance(job.engine, ModelEngine):
            job.engine.close()
    return {
        "messages": sealed.messages,
        "exchanges": sealed.exchanges,
        "dead_letters": sealed.dead_letters,
        "tokens": sealed.tokens,
        "seconds": round(time.monotonic() - started, 3),
        "snapshot": sealed.number,
        "content_hash": sealed.content_hash,
    }


def _index(job: Job, catalog: Catalog, snapshots: list[Snapshot], report: Report) -> Snapshot:
    tables = Tables(job.location, job.embedder.dimension)
    letters = Letters(tables.dead_letters)
    before = catalog.records(snapshots)
    with closing(Spool()) as spool:
        read = 0
        for item in job.source.messages():
            if isinstance(item, DeadLetter):
                letters.add(item)
            else:
                read += 1
                spool.add(item)
        letters.flush()

        outlines: list[Outline] = []
        have = {name: getattr(tables, name).names() for name in ("messages", "extractions", "episodic")}
        naming = Naming(job.engine.signature, job.embedder.signature, have["extractions"], job.again)

        def tasks() -> Iterator[Task]:
            for conversation_id in spool.conversations():
                outline = Outline(conversation_id)
                outlines.append(outline)
                for work in _works(tables, spool, before.get(conversation_id), outline, naming, letters.add):
                    outline.add(work)
                    want = frozenset(name for name in have if getattr(work.names, name) not in have[name])
                    if want:
                        yield work, want

        _make(job, tables, tasks(), report)
        letters.flush()
        planned = sum(outline.read for outline in outlines)
        if planned != read:
            raise AccountingError(
                f"{read} messages were read and {planned} of them planned; nothing was sealed"
            )

        records = _records(job, tables, [outline for outline in outlines if outline.works], before)
    changed = [record for record in records if before.get(record.conversation_id) != record]
    draft = Snapshot(
        number=0,
        uid="",
        sealed_at=datetime.now(UTC),
        job=job.key,
        config=job.config,
        embedder=job.embedder.signature,
        outcome=tuple(Outcome(digest(r.conversation_id), r.content_hash) for r in records),
        messages=sum(record.messages for record in records),
        exchanges=sum(record.exchanges for record in records),
        tokens=sum(record.tokens for record in records),
        dead_letters=letters.count,
        content_hash="",
    )
    return catalog.seal(changed, draft)


def _works(
    tables: Tables,
    spool: Spool,
    record: Record | None,
    outline: Outline,
    naming: Naming,
    reject: Callable[[DeadLetter], None],
) -> Iterator[Work]:
    """The segments of one conversation as it will be after this job."""
    names = [segment.messages for segment in record.segments] if record else []
    ids = tables.messages.read(names, ["message_id"]).column(0).to_pylist() if names else []
    items = reconcile(
        source=lambda letters: identify(outline.counted(spool.read(outline.conversation_id)), letters),
        stored=lambda: (Identified(called, True, said) for called, said in stored_messages(tables, names)),
        stored_ids=set(ids),
        reject=reject,
    )
    yield from cut(place(items), naming)


def stored_messages(tables: Tables, names: Sequence[str]) -> Iterator[tuple[str, Message]]:
    """The messages of the named segments as they were read, each with its id in the store."""
    for name in names:
        for row in tables.messages.read([name]).sort_by("seq").to_pylist():
            message = Message(
                conversation_id=row["conversation_id"],
                role=row["role"],
                content=row["content"],
                message_id=row["message_id"],
                time=row["time"],
                session=row["session"],
                speaker=row["speaker"],
                attachments=tuple(row["attachments"]),
                current=row["current"],
            )
            yield row["message_id"], message


def _make(job: Job, tables: Tables, tasks: Iterator[Task], report: Report) -> None:
    first = next(tasks, None)
    if first is None:
        return  # nothing to make, so no cluster to start
    embedder = job.embedder
    if hasattr(embedder, "threads"):
        embedder = replace(embedder, threads=job.executor.threads)  # type: ignore[type-var]
    # Letters first: a segment whose extractions are there is not extracted again.
    waiting: dict[str, list[pa.Table]] = {
        "dead_letters": [],
        "messages": [],
        "extractions": [],
        "episodic": [],
    }

    def write() -> None:
        for name, parts in waiting.items():
            if parts:
                getattr(tables, name).insert(pa.concat_tables(parts))
                parts.clear()

    drawn = made = 0

    def counted() -> Iterator[Task]:
        nonlocal drawn
        for task in itertools.chain([first], tasks):
            drawn += _asked(task)
            yield task

    results = job.executor.map(Fold(job.engine, embedder), counted())
    try:
        for segments, rows in enumerate(results, start=1):
            for name, part in rows.items():
                waiting[name].append(part)
            made += rows["extractions"].num_rows if "extractions" in rows else 0
            report.advance("folding segments")
            if segments % SEGMENTS_A_COMMIT == 0:
                write()
    except BudgetSpent as stop:
        write()
        left = drawn - made + sum(map(_asked, tasks))
        raise BudgetSpent(
            f"{stop}; {left:,} of the {made + left:,} exchanges to extract remain, some of them asked already: run "
            "the job again to go on, nothing paid for is asked twice"
        ) from None
    write()


def _asked(task: Task) -> int:
    """How many exchanges a task asks the engine about."""
    work, want = task
    return work.exchanges if "extractions" in want else 0


def _records(
    job: Job, tables: Tables, outlines: Sequence[Outline], before: Mapping[str, Record]
) -> list[Record]:
    """The conversations' records, over rows read back from the tables. Scratchpads are made in threads, so that an
    engine has those of several conversations to do, and meanwhile segments are checked; only this thread writes."""
    tree, have = job.tree, tables.scratchpad.names()

    def sealed(outline: Outline) -> tuple[list[str], list[pa.Table]]:
        nodes, missing = tree.grow(
            [names.extractions for names, *_ in outline.works],
            have,
            extractions=tables.extractions.read,
            nodes=tables.scratchpad.read,
        )
        return nodes, list(missing)

    asker = tree.condenser.asker if isinstance(tree.condenser, Sealing) else None
    at_once = min(SEALED_AT_ONCE, asker.generator.width) if asker else 1
    records: dict[str, Record] = {}
    stopped: BudgetSpent | None = None
    with ThreadPoolExecutor(at_once, "seal") as pool, ThreadPoolExecutor(1, "check") as checks:
        waiting = iter(outlines)
        busy: dict[Future[tuple[list[str], list[pa.Table]]], tuple[Outline, Future[list[Segment]]]] = {}

        def begin(conversations: int) -> None:
            for outline in itertools.islice(waiting, conversations):
                check = checks.submit(_segments, tables, outline, before.get(outline.conversation_id))
                busy[pool.submit(sealed, outline)] = outline, check

        begin(at_once + 1)
        while busy:
            done, _ = wait(busy, return_when=FIRST_COMPLETED)
            for future in done:
                outline, check = busy.pop(future)
                segments = check.result()  # first: what does not hold is not sealed
                try:
                    nodes, missing = future.result()
                except BudgetSpent as stop:
                    stopped = stopped or stop
                    continue
                for part in missing:
                    tables.scratchpad.insert(part)
                records[outline.conversation_id] = _record(tables, outline, segments, nodes)
            if stopped is None:
                begin(len(done))
    if stopped is not None:
        raise BudgetSpent(
            f"{stopped}; everything is extracted, the scratchpads of {len(outlines) - len(records):,} of "
            f"{len(outlines):,} conversations remain: run the job again to go on, nothing paid for is asked twice"
        )
    return [records[outline.conversation_id] for outline in outlines]


def _segments(tables: Tables, outline: Outline, old: Record | None) -> list[Segment]:
    """The conversation's segments with the hashes of their rows; AccountingError where the tables do not hold them."""
    known = {Names(s.messages, s.extractions, s.episodic): s for s in old.segments} if old else {}
    segments: list[Segment] = []
    for names, messages, exchanges, shown in outline.works:
        segment = known.get(names)
        if segment is None:
            rows = segment_rows(tables, *names)
            counts = tuple(part.num_rows for part in rows)
            if counts != (messages, exchanges, shown):
                raise AccountingError(
                    f"conversation {outline.conversation_id}, segment {names.messages}: the tables hold {counts} rows "
                    f"of messages, extractions and episodes, and {(messages, exchanges, shown)} were written; "
                    "nothing was sealed: erase the conversation and index it again"
                )
            segment = Segment(*names, rows=rows_digest(rows))
        segments.append(segment)
    return segments


def _record(tables: Tables, outline: Outline, segments: Sequence[Segment], nodes: Sequence[str]) -> Record:
    """The conversation's record, once its scratchpad is written."""
    held = tables.scratchpad.read(nodes, ["segment"]).num_rows
    if held != len(nodes):
        raise AccountingError(
            f"conversation {outline.conversation_id}: the tables hold {held} nodes of its scratchpad, "
            f"and {len(nodes)} were written; nothing was sealed: erase the conversation and index it again"
        )
    said = tables.messages.read([s.messages for s in segments], ["exchange_id", "time", "tokens"])
    times = pc.min_max(said.column("time")).as_py()
    return Record(
        conversation_id=outline.conversation_id,
        messages=said.num_rows,
        exchanges=pc.max(said.column("exchange_id")).as_py() + 1,
        tokens=pc.sum(said.column("tokens")).as_py(),
        first_time=times["min"],
        last_time=times["max"],
        segments=tuple(segments),
        nodes=tuple(nodes),
        content_hash=conversation_hash(tables, segments, nodes),
    )


def _finished(job: Job, catalog: Catalog, snapshots: list[Snapshot]) -> Snapshot | None:
    """The snapshot an equal job sealed, if all it made of its conversations still is as it left it."""
    for snapshot in reversed(snapshots):
        if snapshot.job == job.key:
            records = catalog.records(snapshots)
            now = {digest(name): record.content_hash for name, record in records.items()}
            if all(now.get(left.conversation) == left.content_hash for left in snapshot.outcome):
                return replace(snapshot, number=snapshots[-1].number, content_hash=snapshots[-1].content_hash)
            return None
    return None


def _refuse_other_embedder(job: Job, snapshots: list[Snapshot]) -> None:
    if snapshots and snapshots[-1].embedder != job.embedder.signature:
        raise UserError(
            f"{job.location.root} was embedded by {snapshots[-1].embedder}, this job would embed by "
            f"{job.embedder.signature}: choose that embedder again, or index into a new store.root"
        )
