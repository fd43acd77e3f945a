"""The index job: source to sealed snapshot.

Read everything into a spool; plan each conversation; have workers make the parts that are not stored yet, write and
verify them; commit what they wrote, many parts at a time; seal. No row passes through here: names, places, hashes and
counts do. Nothing a reader can see changes before the last step, and each step before it can be repeated: killed
anywhere and run again, the job ends with the same content hash. A conversation that another job sealed meanwhile is
planned again on top of what that job left.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import replace

import pyarrow.compute as pc

from memfold.beside import threads
from memfold.digest import digest
from memfold.embed.contract import Embedder
from memfold.errors import OF_LANCE, UserError, at_end, damaged
from memfold.extract.contract import DEAD
from memfold.ingest.spool import Spool
from memfold.layers.layer import Tools, equipped, tables
from memfold.llm.budget import BudgetSpent
from memfold.run.account import Account
from memfold.run.executor import Local, Map
from memfold.run.forgotten import Forgotten, erased_meanwhile
from memfold.run.job import Job
from memfold.run.letters import Letters, dead_letters
from memfold.run.making import Making
from memfold.run.stored import Stored
from memfold.run.tasks import Tasks
from memfold.run.tending import Tending, merge
from memfold.run.work import Worker
from memfold.schema import DeadLetter, Message, Notice, Title
from memfold.store.catalog import Catalog, Snapshot
from memfold.store.live import bundles
from memfold.store.part import Part
from memfold.store.record import Record
from memfold.store.tables import Missing, Placed, names, opened
from memfold.store.unsealed import Lease, Unsealed
from memfold.store.upkeep import clean
from memfold.watch import Report


def index(job: Job, report: Report) -> dict[str, object]:
    """Run the job; returns what it did (messages, exchanges, dead_letters, tokens, seconds, snapshot, content_hash)
    and whatever else it has to report."""
    started = time.monotonic()
    catalog = Catalog(job.location)
    newest = catalog.history().newest
    job.location.make()
    if newest is not None and newest.embedder != job.embedder.signature:
        raise UserError(
            f"{job.location.root} was embedded by {newest.embedder}, this job would embed by "
            f"{job.embedder.signature}: choose that embedder again, or index into a new store.root"
        )
    try:
        with (
            closing(Spool()) as spool,
            Unsealed(job.location).running(report.say) as running,
            ExitStack() as ends,
        ):
            beside = ends.enter_context(threads(1, "tend"))
            run = _Run(job, catalog, running, spool, report, beside, ends)
            with at_end(run.account.forget, Exception):
                if newest is not None:
                    run.check_whole()
                run.read(empty=newest is None)
                kept, snapshot = run.sealed()
                if not job.files:
                    run.unused(kept)
            if not job.files:
                run.account.unanswered = run.unanswered(kept)
            run.tending.wait()
            if snapshot is not None:
                merge(run.location)
            snapshot = snapshot or catalog.history().newest or run.seal([], {})[0]
            given = spool.conversations() if job.brings_back else None
            done = run.account.told(kept, snapshot, given, files=job.files)
    finally:
        job.engine.close()
    return {**done, "seconds": round(time.monotonic() - started, 3)}


class _Run:
    """One run of a job: what its steps share, and the steps."""

    def __init__(
        self,
        job: Job,
        catalog: Catalog,
        running: Lease,
        spool: Spool,
        report: Report,
        beside: ThreadPoolExecutor,
        ends: ExitStack,
    ) -> None:
        self.job, self.catalog, self.running, self.spool, self.report = job, catalog, running, spool, report
        self.ends = ends
        self.layers = equipped(
            job.layers, Tools(job.embedder, job.engine.asker, isinstance(job.executor, Local))
        )
        self.location = job.location.absolute
        self.tables: dict[str, Placed] = tables(self.location, self.layers)
        self.tending = Tending(self.location, beside, len(self.tables))
        self.forgotten = running.settled(lambda: Forgotten(self.location, stays=job.erased == "skip"))
        self.account = Account(Letters(dead_letters(self.location)), self.forgotten, report)
        self.tasks = Tasks(job, self.layers, self.tables, spool, self.account)
        # Under which seals the records of a source that reads the store were filed, by conversation.
        read = job.source.records if isinstance(job.source, Stored) else ()
        self.of_source = {each.conversation_id: each.uid for each in read}
        # Workers that were started and not used yet.
        self.workers: Map | None = None

    def check_whole(self) -> None:
        """UserError if tables are gone, cut off, or not as new as the others: the job would report that everything is
        indexed though rows are gone, and a table that is older than the records gives new rows the ids that they
        name."""
        root = self.job.location.root
        cure = "or erase what jobs/maintain.py verify=true names, run it with keep=1, then index again"
        for name in names(self.location):
            opened(self.location, name)
        self.catalog.check_records()
        ends = self.catalog.ends()
        for name, table in self.tables.items():
            if gone := table.gone():
                raise UserError(
                    f"store.root={root}: {len(gone)} of the table {name}'s files are gone (data/{gone[0]} …): put them "
                    f"back; {cure}"
                )
            if (end := table.end()) < ends.get(name, 0):
                raise UserError(
                    f"store.root={root}: the table {name} never held {ends[name] - end:,} of the rows that records "
                    f"name: it is gone, or older than the others: put it back from a copy as new as they are; {cure}"
                )

    def read(self, *, empty: bool) -> None:
        """Read the source into the spool; UserError if there is something and none of it can be read."""
        self.report.stage("reading")
        earlier = {} if empty else self.catalog.decomposed(self.catalog.history())
        for item in self.job.source.messages():
            if earlier and not isinstance(item, Notice) and item.conversation_id in earlier:
                item = replace(item, conversation_id=earlier[item.conversation_id])
            match item:
                case Message():
                    self.spool.add(item)
                    self.report.advance()
                    # For an empty store there is certainly something to make. For another it is not known yet.
                    if empty and self.workers is None:
                        self.workers = self._started()
                case Title():
                    self.spool.titles[item.conversation_id] = item.text
                case DeadLetter() | Notice():
                    self.account.take(item)
        self.account.letters.flush()
        if self.account.unread and not self.spool.conversations():
            raise UserError(
                f"nothing of the source could be read: {self.account.unread} dead letters, which say why "
                f"(jobs/list.py store.root={self.job.location.root} what=letters)"
            )

    def sealed(self) -> tuple[dict[str, Record], Snapshot | None]:
        """Make and seal everything that was read, in as many rounds as other jobs make necessary; returns the records
        of its conversations and the snapshot that shows them, None if there is nothing to make."""
        for table in self.tables.values():
            table.create()
        todo = self.forgotten.left(self.spool.conversations())
        kept: dict[str, Record] = {}
        snapshot: Snapshot | None = None
        while todo:
            history = self.catalog.history()
            before = self.catalog.records(history, todo)
            making = Making(self.layers, self.tables, self.running, self.tending, self.account)
            try:
                todo = self._as_stored_now(todo, before)
                self._round(todo, before, making)
            except Missing:
                self.running.check()  # rows of a job that was taken for dead are collected
                if not self.forgotten.since_noted():
                    raise
                todo = self._without_erased(todo, kept, making)
                continue
            kept |= making.records
            changed = [r for k, r in making.records.items() if k not in before or before[k].shape != r.shape]
            self.account.letters.flush()
            if not changed:
                # The snapshot that was looked at. Another job may have sealed one since, and this job an older one
                # before that seal sent it back here: the counts belong to neither.
                snapshot = history.newest or snapshot
                break
            uids = {k: r.uid for k, r in before.items()}
            if not self.catalog.sealed():
                # Nothing is sealed, so nobody reads: files that are merged now need not stay for readers. With them a
                # store of 20,000 small conversations weighed 4.1 times its text and vectors, without them 1.9 times.
                self.tending.wait()
                merge(self.location)
                self._let_go()
            snapshot, todo = self.seal(changed, uids)
            if todo:
                todo = self._without_erased(todo, kept, making)
        return kept, snapshot

    def _let_go(self) -> None:
        """Remove the versions from before the merging, unless another job runs: its commits could be lost
        (`upkeep.GRACE`)."""
        with Unsealed(self.location).alone(self.report.say, within=self.running) as alone:
            for name in self.tables if not alone.beside else ():
                alone.check()
                clean(self.location, name, alone=True)

    def unused(self, kept: Mapping[str, Record]) -> None:
        """Take down what the engine was given and could not use."""
        for item in self.job.engine.unused({name: record.exchanges for name, record in kept.items()}):
            self.account.take(item)

    def unanswered(self, kept: Mapping[str, Record]) -> int:
        """How many exchanges of some records have no extraction, because no model answered in this job or an earlier
        one. Everything is sealed by now, so a damaged file does not end the job."""
        if self.job.engine.asker is None:
            return 0
        parts = (part for record in kept.values() for part in record.parts.get("extractions", ()))
        try:
            return sum(self._dead(some) for some in bundles(parts))
        except OF_LANCE as error:
            if (said := damaged(error)) is None:
                raise
            self.account.notice(
                "the exchanges that no model answered could not be counted, because a file of extractions is damaged "
                f"or missing ({said}): jobs/maintain.py verify=true names the conversations"
            )
            return 0

    def _dead(self, parts: Sequence[Part]) -> int:
        """How many exchanges of some parts of the extractions have none. Those of a conversation that was erased or
        changed since the seal are not counted."""
        try:
            made_by = self.tables["extractions"].take(parts, ["made_by"])["made_by"]
        except Missing:
            half = len(parts) // 2
            return self._dead(parts[:half]) + self._dead(parts[half:]) if half else 0
        return int(pc.sum(pc.equal(made_by, DEAD), min_count=0).as_py())

    def seal(self, records: Sequence[Record], before: Mapping[str, str]) -> tuple[Snapshot, list[str]]:
        """Seal some records where the uids are still those of `before`; returns the snapshot, and the conversations
        that another job sealed or erased meanwhile."""

        def left_out() -> list[str]:
            self.running.check()
            now = self.forgotten.since_noted()
            return [record.conversation_id for record in records if digest(record.conversation_id) in now]

        return self.catalog.seal(
            records,
            config=self.job.config,
            embedder=self.job.embedder.signature,
            before=before,
            left_out=left_out,
        )

    def _round(self, todo: Collection[str], before: Mapping[str, Record], making: Making) -> None:
        """Make the records of some conversations, on top of those that are there."""
        self.report.stage("indexing", sum(map(self.spool.count, todo)))
        for table in self.tables.values():
            table.renew()
        planned = self.tasks.lacking(todo, before, self.running.of.left(), making)
        first = making.draw(planned)
        if first is not None:
            again = [first]
            workers, self.workers = self.workers or self._started(), None
            try:
                for made in workers(lambda: again.pop() if again else making.draw(planned)):
                    making.add(made)
            except BudgetSpent as stop:
                making.commit()
                left_over = making.drawn - making.extracted + sum(task.exchanges for task in planned)
                remain = (
                    f"{left_over:,} of the {making.extracted + left_over:,} exchanges to extract remain"
                    if left_over
                    else f"layers of {len(todo) - len(making.records):,} of {len(todo):,} conversations remain"
                )
                onward = ": run the job again to go on, nothing paid for is asked twice" if stop.asked else ""
                raise BudgetSpent(f"{stop}; {remain}{onward}", stop.asked) from None
            except (UserError, KeyboardInterrupt):
                making.commit()
                raise
            making.commit()
        making.check()

    def _started(self) -> Map:
        """Workers, which end with the job at the latest."""
        embedder: Embedder = self.job.embedder
        if hasattr(embedder, "threads"):
            embedder = replace(embedder, threads=self.job.executor.threads)  # type: ignore[type-var]
        worker = Worker(self.location, self.job.engine, embedder, self.job.layers)
        return self.ends.enter_context(self.job.executor.started(worker))

    def _as_stored_now(self, todo: Collection[str], before: Mapping[str, Record]) -> list[str]:
        """The conversations to index. What the source read from the store, and another job changed since, is read anew:
        as it was read, it would take that change away. What was erased since is left out of such a job, and of one
        that begins no conversation."""
        source = self.job.source
        if self.job.begins and not isinstance(source, Stored):
            return list(todo)
        left = []
        for each in todo:
            record = before.get(each)
            if record is None or record.removed:
                self.account.notice(erased_meanwhile(each))
                continue
            left.append(each)
            if isinstance(source, Stored) and record.uid != self.of_source[each]:
                self.spool.drop(each)
                for message in source.of(record):
                    self.spool.add(message)
                self.of_source[each] = record.uid
        return left

    def _without_erased(self, todo: Collection[str], kept: dict[str, Record], making: Making) -> list[str]:
        """The conversations that were not erased meanwhile. What this job has made of the others is removed, and
        nothing of a message erased meanwhile gets into what is made from now on."""
        gone = self.running.settled(lambda: self.forgotten.note(todo))
        for each in sorted(gone):
            kept.pop(each, None)
            self.account.notice(erased_meanwhile(each))
            making.drop(each)
        return [each for each in todo if each not in gone]
