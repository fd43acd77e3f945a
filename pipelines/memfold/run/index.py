"""The index job: source to sealed snapshot.

Read everything into a spool; plan each conversation; have workers make the parts that are not stored yet, write and
verify them; commit what they wrote, many parts at a time; seal. No row passes through here: names, places, hashes and
counts do. Nothing a reader can see changes before the last step, and each step before it can be repeated: killed
anywhere and run again, the job ends with the same content hash. A conversation that another job sealed meanwhile is
planned again on top of what that job left.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from itertools import chain
from typing import Protocol

from memfold.digest import digest
from memfold.embed.contract import Embedder
from memfold.errors import UserError
from memfold.extract.contract import Engine
from memfold.ingest.records import plain
from memfold.layers.layer import Configured, Tools, equipped, tables
from memfold.llm.budget import BudgetSpent
from memfold.run.backwards import Backwards
from memfold.run.executor import Executor, Local, Map
from memfold.run.forgotten import Forgotten
from memfold.run.letters import Letters, dead_letters
from memfold.run.outline import Outline
from memfold.run.plan import Changes, Identified, Naming, Work, cut, identify, last_shown, place, reconcile
from memfold.run.spool import Spool
from memfold.run.tending import Tending, merge
from memfold.run.work import AccountingError, Made, Make, Task, Worker
from memfold.schema import MEMORY, SPAN, DeadLetter, Message, Notice, Title
from memfold.store import unsealed
from memfold.store.catalog import Catalog, Part, Record, Snapshot
from memfold.store.location import Location
from memfold.store.tables import Missing, Place, Placed
from memfold.store.unsealed import Lease, Left, Unsealed
from memfold.watch import Report

# Exchanges of a task, unless they run out: many enough that the files of its tables are not small. 6,000 conversations
# of two exchanges took 33.9 s in tasks of 1,024, 36.4 s of 512 and 37.6 s of 256. A kill loses the running tasks.
EXCHANGES_A_TASK = 1024
# Written segments are committed once there are this many, or the oldest is this old: a kill costs at most that.
SEGMENTS_A_COMMIT = 1000
SECONDS_A_COMMIT = 5.0
# Inner nodes over whole spans are made each time that so many more segments are committed. Made at the end, those over
# 130 segments kept one core busy for 0.9 s of 46. A conversation of so many segments is also committed as soon as its
# last segment is made, because nodes are made from committed rows.
SEGMENTS_TO_GROW = 32


class Source(Protocol):
    """Where conversations come from."""

    def messages(self) -> Iterator[Message | DeadLetter | Title | Notice]:
        """Everything the source holds, in its order. It is read once."""
        ...


@dataclass(frozen=True)
class Job:
    """Everything an index job is made of. `config` is the resolved configuration, which is recorded with the snapshot.

    `again` names extractions to attempt once more. `erased` says what to do with conversations and messages of the
    source that were erased: "index" takes them in again and says so, "skip" leaves them out. With `replace`, a
    conversation of the source replaces the stored one, except for memories that programs filed; without it, stored
    messages that the source does not hold stay. With `files` the source is memories: the record keeps the digest of the
    source that the conversation was read from, so that indexing that source again takes little more than hashing it.
    """

    source: Source
    location: Location
    engine: Engine
    embedder: Embedder
    executor: Executor
    layers: Mapping[str, Configured]
    config: str = "{}"
    again: frozenset[str] = frozenset()
    erased: str = "index"
    replace: bool = False
    files: bool = False

    def __post_init__(self) -> None:
        if self.erased not in ("index", "skip"):
            raise UserError(f"erased={self.erased!r} must be index or skip")


def index(job: Job, report: Report) -> dict[str, object]:
    """Run the job; returns what it did (messages, exchanges, dead_letters, tokens, seconds, snapshot, content_hash)
    and whatever else it has to report."""
    started = time.monotonic()
    job.location.make()
    catalog = Catalog(job.location)
    newest = catalog.history().newest
    if newest is not None and newest.embedder != job.embedder.signature:
        raise UserError(
            f"{job.location.root} was embedded by {newest.embedder}, this job would embed by {job.embedder.signature}: "
            "choose that embedder again, or index into a new store.root"
        )
    try:
        with (
            closing(Spool()) as spool,
            Unsealed(job.location).running(lambda: report.say(unsealed.waits())) as running,
            ThreadPoolExecutor(1, "tend") as beside,
            ExitStack() as ends,
        ):
            tending = Tending(job.location.absolute, beside)
            done = _Run(job, catalog, running, spool, report, tending, ends, empty=newest is None).all()
    finally:
        job.engine.close()
    return {**done, "seconds": round(time.monotonic() - started, 3)}


_NOT_KEPT = (
    "its words are not kept, since messages of this conversation were erased (erased=skip leaves those out)"
)
_CHANGED = {
    "corrected": "stored messages replaced by the source's version",
    "left": "stored messages that are not in the source and stay (replace=true takes them away)",
    "removed": "stored messages that are not in the source and are taken away (replace=true)",
}


class _Run:
    """One run of a job, from source to seal."""

    def __init__(
        self,
        job: Job,
        catalog: Catalog,
        running: Lease,
        spool: Spool,
        report: Report,
        tending: Tending,
        ends: ExitStack,
        empty: bool,
    ) -> None:
        self.job, self.catalog, self.running, self.spool, self.report = job, catalog, running, spool, report
        self.layers = equipped(
            job.layers, Tools(job.embedder, job.engine.asker, isinstance(job.executor, Local))
        )
        self.location = job.location.absolute
        self.tables: dict[str, Placed] = tables(self.location, self.layers)
        self.recipe = Naming(job.engine.signature, self.layers).recipe
        self.letters = Letters(dead_letters(self.location))
        self.unread = self.unanswered = 0
        self.rejected: dict[str, int] = {}
        self.changes: dict[str, Changes] = {}
        self.titles: dict[str, str] = {}
        self.notices: list[str] = []
        self.backwards = Backwards()
        self.forgotten = Forgotten(self.location, stays=job.erased == "skip")
        self.extracted = self.fallback = 0
        self.tending, self.ends, self.empty = tending, ends, empty
        # Workers that were started and not used yet.
        self.workers: Map | None = None
        # What workers wrote and nobody has committed yet, and the time of the last commit.
        self.written: list[Made] = []
        self.out = 0  # tasks that were drawn and have not come back
        self.committed_at = time.monotonic()
        self.outlines: dict[str, Outline] = {}
        self.records: dict[str, Record] = {}
        self.ready: deque[Task] = deque()
        # Conversations of which everything is made, and something not committed.
        self.waiting: set[str] = set()

    # --------------------------------------------------------------------------------- the whole

    def all(self) -> dict[str, object]:
        """Read, make and seal everything, in as many rounds as other jobs make necessary."""
        read = self._read()
        if not read and self.unread:
            raise UserError(
                f"nothing of the source could be read: {self.unread} dead letters, which say why, are in the table "
                f"dead_letters under {self.job.location.root}"
            )
        for table in self.tables.values():
            table.create()
        given = self.spool.conversations()
        todo = self.forgotten.left(given)
        left_out, back = len(given) - len(todo), self.forgotten.back(todo)
        kept: dict[str, Record] = {}
        snapshot: Snapshot | None = None
        while todo:
            history = self.catalog.history()
            before = self.catalog.records(history, todo)
            try:
                self._round(todo, before)
            except Missing:
                self.running.check()  # rows of a job that was taken for dead are collected
                if not self.forgotten.since_noted():
                    raise
                todo = self._without_erased(todo, kept)
                continue
            kept |= self.records
            changed = [r for k, r in self.records.items() if k not in before or before[k].shape != r.shape]
            self.letters.flush()
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
                merge(self.location, timedelta(0))
            snapshot, todo = self._seal(changed, uids)
            if todo:
                todo = self._without_erased(todo, kept)
        if not self.job.files:
            self._unused(kept)
        self.letters.erase(self.forgotten.since_begun())
        self.tending.wait()
        if snapshot is not None:
            merge(self.location)
        snapshot = snapshot or self.catalog.history().newest or self._seal([], {})[0]
        return self._told(kept, snapshot, back, left_out)

    def _told(
        self, kept: Mapping[str, Record], snapshot: Snapshot, back: int, left_out: int
    ) -> dict[str, object]:
        told: dict[str, object] = {
            "messages": sum(record.messages for record in kept.values()),
            "exchanges": sum(record.exchanges for record in kept.values()),
            "dead_letters": self.unread + self.unanswered + sum(self.rejected.values()),
            "tokens": sum(record.tokens for record in kept.values()),
            "snapshot": snapshot.number,
            "content_hash": snapshot.content_hash,
            "conversations": len(kept),
            "extracted": self.extracted,
            "fallback": self.fallback,
        }
        counts = (
            ("erased_before", "conversation", back),
            ("erased_messages_before", "message", len(self.forgotten.returned)),
        )
        again = [each for each in counts if each[-1]]
        if again:
            told |= {name: count for name, _, count in again}
            of = " and ".join(f"{count:,} {what}{'s' * (count > 1)}" for _, what, count in again)
            self._notice(f"indexed again what had been erased, {of}: erased=skip leaves it out")
        if left_out:
            told["erased_left_out"] = left_out
            self.report.say(f"conversations left out because they were erased (erased=skip): {left_out:,}")
        if (said := self.backwards.said()) and not self.job.files:
            self._notice(said)
        told |= self._changed(kept)
        if self.notices:
            told["notices"] = self.notices
        return told | self.report.told()

    def _changed(self, kept: Mapping[str, Record]) -> dict[str, int]:
        """What the source did to messages that were stored, as counts; said in words too."""
        changes = [] if self.job.files else [each for name, each in self.changes.items() if name in kept]
        counts = {name: sum(getattr(each, name) for each in changes) for name in Changes._fields}
        counts = {name: count for name, count in counts.items() if count}
        for name, count in counts.items():
            self.report.say(f"{_CHANGED[name]}: {count:,}")
        return counts

    def _seal(self, records: Sequence[Record], before: Mapping[str, str]) -> tuple[Snapshot, list[str]]:
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

    def _without_erased(self, todo: Collection[str], kept: dict[str, Record]) -> list[str]:
        """The conversations that were not erased meanwhile. What this job has made of the others is removed, and
        nothing of a message erased meanwhile gets into what is made from now on."""
        self.running.wait()  # an erasure that is under way ends first
        gone = self.forgotten.note(todo)
        for each in sorted(gone):
            kept.pop(each, None)
            self._notice(f"conversation {each!r} was erased while this job ran: it is left out")
            made = self.outlines[each].made if each in self.outlines else []
            for kind in {kind for kind, _ in made}:
                self.tables[kind].drop([part.place for of, part in made if of == kind])
        return [each for each in todo if each not in gone]

    def _read(self) -> int:
        """Read the source into the spool; returns how many messages it held."""
        read = 0
        self.report.stage("reading")
        for item in self.job.source.messages():
            match item:
                case Message():
                    self.spool.add(item)
                    self.report.advance()
                    read += 1
                    # For an empty store there is certainly something to make. For another it is not known yet.
                    if self.empty and read == 1:
                        self.workers = self._started()
                case DeadLetter():
                    self._lost(item)
                case Title():
                    self.titles[item.conversation_id] = item.text
                case Notice():
                    self._notice(item.text)
        self.letters.flush()
        return read

    def _unused(self, kept: Mapping[str, Record]) -> None:
        """Report what the engine was given and could not use."""
        for item in self.job.engine.unused({name: record.exchanges for name, record in kept.items()}):
            if isinstance(item, DeadLetter):
                self._lost(item)
            else:
                self._notice(item.text)

    def _lost(self, letter: DeadLetter) -> None:
        """Take down what could not be read, unless it is of a conversation that was erased and is to stay so, or was
        erased while this job runs."""
        of = letter.conversation_id
        if of is None or not self.forgotten.gone(of):
            self._reject(letter)
            self.unread += 1

    def _notice(self, text: str) -> None:
        self.notices.append(text)
        self.report.note(text)

    def _reject(self, letter: DeadLetter) -> None:
        """Take a letter down; without words where they may be those of a message that was erased."""
        if letter.conversation_id is not None and self.forgotten.amended(letter.conversation_id):
            letter = replace(letter, raw=b"", reason=f"{letter.reason}; {_NOT_KEPT}")
        self.letters.add(letter)
        self.report.dead[plain(letter.reason)] += 1

    # --------------------------------------------------------------------------------- a round

    def _round(self, todo: Collection[str], before: Mapping[str, Record]) -> None:
        """Make the records of some conversations, on top of those that are there."""
        self.outlines, self.records = {}, {}
        # An erasure may have ended the round before: its tasks read rows that are gone.
        self.ready.clear()
        self.waiting.clear()
        self.report.stage("indexing", sum(map(self.spool.count, todo)))
        for table in self.tables.values():
            table.renew()
        engine = self.job.engine
        naming = Naming(engine.signature, self.layers, engine.given, again=self.job.again)
        left = self.running.of.left()
        bundles = self._bundles(todo, before, naming, left)
        drawn = self.out = 0

        def draw() -> Task | None:
            """The next task, counted as out; None if there is none now."""
            nonlocal drawn
            task = self._drawn(bundles)
            if task is not None:
                drawn += task.exchanges
                self.out += 1
            return task

        first = draw()
        if first is not None:
            again = [first]
            workers, self.workers = self.workers or self._started(), None
            extracted = self.extracted
            try:
                for done in workers(lambda: again.pop() if again else draw()):
                    self.out -= 1
                    self._add(done)
            except BudgetSpent as stop:
                self._commit()
                made_of = self.extracted - extracted
                left_over = drawn - made_of + sum(task.exchanges for task in bundles)
                remain = (
                    f"{left_over:,} of the {made_of + left_over:,} exchanges to extract remain, some of them asked "
                    "already"
                    if left_over
                    else f"layers of {len(todo) - len(self.records):,} of {len(todo):,} conversations remain"
                )
                raise BudgetSpent(
                    f"{stop}; {remain}: run the job again to go on, nothing paid for is asked twice"
                ) from None
            except (UserError, KeyboardInterrupt):
                self._commit()
                raise
            self._commit()
        unfinished = [each for each in self.outlines.values() if each.conversation_id not in self.records]
        if unfinished := [each for each in unfinished if each.segments]:
            raise AccountingError(
                f"{len(unfinished)} conversations were planned and not made, the first "
                f"{unfinished[0].conversation_id!r}; nothing was sealed: run the job again"
            )

    def _started(self) -> Map:
        """Workers, which end with the job at the latest."""
        embedder: Embedder = self.job.embedder
        if hasattr(embedder, "threads"):
            embedder = replace(embedder, threads=self.job.executor.threads)  # type: ignore[type-var]
        worker = Worker(self.location, self.job.engine, embedder, self.job.layers)
        return self.ends.enter_context(self.job.executor.started(worker))

    def _drawn(self, bundles: Iterator[Make]) -> Task | None:
        if not self.ready:
            task = next(bundles, None)
            if task is not None:
                return task
            if self.waiting:
                self._commit()
        return self.ready.popleft() if self.ready else None

    def _bundles(
        self, todo: Collection[str], before: Mapping[str, Record], naming: Naming, left: Left
    ) -> Iterator[Make]:
        """Tasks for everything that some conversations' segments lack, the longest conversations first and the last
        tasks small, so that no core waits for another at the end: from a segment's exchanges on, a task is full once
        it has as many messages as are left behind it, divided by twice the number of tasks that are out. The first
        tasks grow in size: if they were equal, all threads would reach the Python part of their tasks, which only one
        can run, at the same moment."""
        # Not by `in_flight`: it counts engines, which may start a Ray cluster while the workers' cluster is starting.
        most = EXCHANGES_A_TASK if self.job.engine.asker is None else SPAN
        waiting: list[tuple[Work, Mapping[str, Place]]] = []
        held, messages, enough = 0, 0, min(SPAN, most)
        left_over = sum(map(self.spool.count, todo))
        for conversation_id in sorted(todo, key=lambda each: (-self.spool.size(each), each)):
            left_behind = left_over - self.spool.count(conversation_id)
            for work, have in self._segments(conversation_id, before.get(conversation_id), naming, left):
                waiting.append((work, have))
                held += work.exchanges
                messages += len(work.messages)
                # Stored messages that the source lacks are planned too, and were not counted.
                left_over = max(left_over - len(work.messages), left_behind)
                shared = held >= min(SPAN, most) and messages * 2 * max(self.out, 1) >= left_over
                if held >= enough or shared:
                    yield Make(waiting)
                    waiting, held, messages, enough = [], 0, 0, min(enough + SPAN, most)
            left_over = left_behind
        if waiting:
            yield Make(waiting)

    def _segments(
        self, conversation_id: str, before: Record | None, naming: Naming, left: Left
    ) -> Iterator[tuple[Work, Mapping[str, Place]]]:
        """Plan a conversation; gives the segments that lack something."""
        record = None if before is None or before.removed else before
        self.changes.pop(conversation_id, None)
        said, title = self.spool.digest(conversation_id), self.titles.get(conversation_id)
        if self.job.files and record is not None:
            said = record.said
        elif record is not None and title in (None, record.title) and self._is_made(record, said):
            self.records[conversation_id] = record
            self.rejected[conversation_id] = record.rejected
            self.report.advance(self.spool.count(conversation_id))
            return
        known = (
            {(kind, part.name): part for kind, parts in record.parts.items() for part in parts}
            if record
            else {}
        )
        known = {**self._still_there(left.parts(conversation_id)), **known}
        naming = replace(naming, made={name for kind, name in known if kind == "extractions"})
        outline = Outline(conversation_id, record, known, said, title or (record.title if record else None))
        self.outlines[conversation_id] = outline
        self.rejected[conversation_id] = record.rejected if self.job.files and record is not None else 0
        shown = last_shown(self.spool.read(conversation_id)) if self.spool.branches(conversation_id) else {}
        read = 0

        def reject(letter: DeadLetter) -> None:
            self._reject(letter)
            self.rejected[conversation_id] += 1

        def counted() -> Iterator[Message]:
            nonlocal read
            read = 0
            for message in self.spool.read(conversation_id):
                read += 1
                yield message

        names = record.parts["messages"] if record else ()
        roles: dict[str, str] = {}
        if names:
            held = self.tables["messages"].take([part.place for part in names], ["message_id", "role"])
            roles = dict(zip(held["message_id"].to_pylist(), held["role"].to_pylist(), strict=True))
        items = reconcile(
            source=lambda reject: identify(counted(), reject, self.forgotten.unless_erased, shown),
            stored=lambda: stored_messages(self.tables["messages"], names),
            roles=roles,
            reject=reject,
            replace=self.job.replace,
            tell=partial(self.changes.__setitem__, conversation_id),
        )
        planned = 0
        for work in cut(place(self.backwards.over(self.forgotten.noting_returned(items))), naming):
            planned += len(work.messages)
            have = outline.add(work)
            if len(have) < len(work.names):
                yield work, have
            else:
                self.report.advance(len(work.messages))
        outline.planned = True
        self.report.expect(planned - read)
        if read != self.spool.count(conversation_id):
            raise AccountingError(
                f"{self.spool.count(conversation_id)} messages of conversation {conversation_id!r} were read and "
                f"{read} of them planned; nothing was sealed"
            )
        self._look(outline)

    def _is_made(self, record: Record, said: str) -> bool:
        """Whether the job would leave a conversation as it is, of which the source says what was `said` the last time;
        notes the stored messages that the source does not hold."""
        of = record.conversation_id
        made = record.said == said and record.recipe == self._recipe(of, record.exchanges)
        # Which erased messages are shown depends on the job too.
        if not made or self.job.again or self.forgotten.amended(of):
            return False
        if record.messages == self.spool.count(of) - record.rejected:
            return True
        # Some are stored that were not taken from this source: memories, or what it does not hold.
        if self.job.replace:
            return False
        places = [part.place for part in record.parts["messages"]]
        stored = self.tables["messages"].take(places, ["message_id", "role"])
        names = zip(stored["message_id"].to_pylist(), stored["role"].to_pylist(), strict=True)
        given = {item.message_id for item in identify(self.spool.read(of), lambda _: None)}
        self.changes[of] = Changes(left=sum(role != MEMORY and name not in given for name, role in names))
        return True

    def _still_there(self, left: Mapping[tuple[str, str], Part]) -> dict[tuple[str, str], Part]:
        """The parts that a killed job left, except those that were cleaned up since."""
        return {
            (kind, name): part
            for (kind, name), part in left.items()
            if kind in self.tables and self.tables[kind].held([part.place]) == part.rows
        }

    # --------------------------------------------------------------------------------- what is made

    def _add(self, made: Made) -> None:
        """Take in what a task left; commit if it is time."""
        self.extracted += made.extracted
        self.fallback += made.fallback
        self.unanswered += len(made.letters)
        for letter in made.letters:
            self._reject(letter)
        self.written.append(made)
        grows = False
        for kind, parts in made.parts.items():
            for each in parts:
                outline = self.outlines[each.conversation_id]
                outline.wanted.discard((kind, each.part.name))
                if outline.planned and not outline.wanted:
                    self.waiting.add(each.conversation_id)
                    grows |= not outline.grown and len(outline.segments) >= SEGMENTS_TO_GROW
        self.report.fallback += made.fallback
        self.report.spent |= made.spent
        self.report.reasons |= made.reasons
        self.report.advance(made.messages)
        late = time.monotonic() - self.committed_at >= SECONDS_A_COMMIT
        if grows or late or sum(each.segments for each in self.written) >= SEGMENTS_A_COMMIT:
            self._commit()
        if grows:
            # Files are merged while the inner nodes are made, which keeps only one core busy.
            self.tending.begin(len(self.tables), 1)

    def _commit(self) -> None:
        """Make what was written visible, in one version of each table, and enter it in the journal."""
        written, self.written = self.written, []
        self.committed_at = time.monotonic()
        if written:
            self.running.check()
        # Letters first: a segment whose extractions are there is not extracted again.
        self.letters.flush()
        journal: list[tuple[str, str, Part]] = []
        longer: dict[str, Outline] = {}
        for kind in dict.fromkeys(chain.from_iterable(made.parts for made in written)):
            files = [made.files.get(kind, []) for made in written]
            firsts = iter(self.tables[kind].commit(list(chain.from_iterable(files))))
            self.tending.wrote(sum(map(len, files)))
            for made, of in zip(written, files, strict=True):
                begins = [next(firsts) for _ in of]
                for each in made.parts.get(kind, ()):
                    first = begins[0] + each.offset if each.part.rows else -1
                    part = each.part._replace(first=first)
                    outline = self.outlines[each.conversation_id]
                    outline.parts[kind, part.name] = part
                    outline.made.append((kind, part))
                    if len(outline.segments) >= SEGMENTS_TO_GROW:
                        longer[each.conversation_id] = outline
                    journal.append((each.conversation_id, kind, part))
        if journal:
            self.running.made(journal)
        self.tending.begin(len(self.tables))
        waiting, self.waiting = self.waiting, set()
        for conversation_id in waiting:
            self._look(self.outlines[conversation_id])
        for outline in longer.values():
            if not outline.grown and (task := outline.early_growth(self.layers, SEGMENTS_TO_GROW)):
                self.ready.append(task)

    def _look(self, outline: Outline) -> None:
        """Decide what comes next for a planned conversation: nothing yet, its inner nodes, or its record."""
        if not outline.planned or not outline.segments or outline.wanted:
            return
        if not outline.has_leaves() or not outline.has_nodes():
            self.waiting.add(outline.conversation_id)
            return
        if not outline.grown:
            outline.grown = True
            task = outline.growth(self.layers)
            if task is not None:
                self.ready.append(task)
                return
        self.records[outline.conversation_id] = self._record(outline)
        outline.known = {}

    def _record(self, outline: Outline) -> Record:
        of = outline.conversation_id
        return outline.record(list(self.tables), self._recipe(of, outline.exchanges), self.rejected[of])

    def _recipe(self, conversation_id: str, exchanges: int) -> str:
        """The digest of all that a conversation's parts depend on besides the messages."""
        given = self.job.engine.given(conversation_id, range(exchanges))
        return digest(self.recipe, given) if given else self.recipe


def stored_messages(table: Placed, parts: Sequence[Part]) -> Iterator[Identified]:
    """The messages of some parts as they were read, each with its id in the store."""
    for part in parts:
        for row in table.take([part.place]).to_pylist():
            yield Identified(row["message_id"], True, Message.of(row))
