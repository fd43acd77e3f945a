"""A round's conversations in the making: what tasks left is taken in and committed, until each has its record.

Parts are committed many at a time, in one version of each table, and entered in the journal. Inner nodes are made from
committed parts, so their tasks come out of here. Knows no source and no seal; of rows it knows names, places, hashes
and counts.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Mapping
from itertools import chain

from memfold.errors import AccountingError
from memfold.layers.layer import Layer
from memfold.run.account import Account
from memfold.run.outline import Outline
from memfold.run.tending import Tending
from memfold.run.work import Made, Make, Task
from memfold.store.part import Part
from memfold.store.record import Record
from memfold.store.tables import Placed
from memfold.store.unsealed import Lease

# Written segments are committed once there are this many, or the oldest is this old: a kill costs at most that.
SEGMENTS_A_COMMIT = 1000
SECONDS_A_COMMIT = 5.0
# Inner nodes over whole spans are made each time that so many more segments are committed. Made at the end, those over
# 130 segments kept one core busy for 0.9 s of 46. A conversation of so many segments is also committed as soon as its
# last segment is made, because nodes are made from committed rows.
SEGMENTS_TO_GROW = 32


class Making:
    """The conversations of one round. `records` are of those that are made; `out` is how many tasks were drawn and
    have not come back, `drawn` how many exchanges they were to extract, and `extracted` how many were."""

    def __init__(
        self,
        layers: Mapping[str, Layer],
        tables: Mapping[str, Placed],
        running: Lease,
        tending: Tending,
        account: Account,
    ) -> None:
        self._layers, self._tables, self._running = layers, tables, running
        self._tending, self._account = tending, account
        self.records: dict[str, Record] = {}
        self.out = self.drawn = self.extracted = 0
        self._outlines: dict[str, Outline] = {}
        self._ready: deque[Task] = deque()
        # Conversations of which everything is made, and something not committed.
        self._waiting: set[str] = set()
        # What workers wrote and nobody has committed yet, and the time of the last commit.
        self._written: list[Made] = []
        self._committed_at = time.monotonic()

    def begin(self, outline: Outline) -> None:
        """Take in a conversation that is being planned: what tasks leave of it belongs to it from now on."""
        self._outlines[outline.conversation_id] = outline

    def draw(self, planned: Iterator[Make]) -> Task | None:
        """The next task, counted as out: inner nodes first, then what was planned; None if there is none now."""
        task: Task | None = None if self._ready else next(planned, None)
        if task is None:
            if self._waiting and not self._ready:
                self.commit()
            if not self._ready:
                return None
            task = self._ready.popleft()
        self.drawn += task.exchanges
        self.out += 1
        return task

    def add(self, made: Made) -> None:
        """Take in what a task left; commit if it is time."""
        self.out -= 1
        self.extracted += made.extracted
        self._account.add(made)
        self._written.append(made)
        grows = False
        for kind, parts in made.parts.items():
            for each in parts:
                outline = self._outlines[each.conversation_id]
                outline.wanted.discard((kind, each.part.name))
                if outline.planned and not outline.wanted:
                    self._waiting.add(each.conversation_id)
                    grows |= not outline.grown and len(outline.segments) >= SEGMENTS_TO_GROW
        late = time.monotonic() - self._committed_at >= SECONDS_A_COMMIT
        if grows or late or sum(each.segments for each in self._written) >= SEGMENTS_A_COMMIT:
            self.commit()
        if grows:
            # Files are merged while the inner nodes are made, which keeps only one core busy.
            self._tending.begin(least=1)

    def commit(self) -> None:
        """Make what was written visible, in one version of each table, and enter it in the journal."""
        written, self._written = self._written, []
        self._committed_at = time.monotonic()
        if written:
            self._running.check()
        # Letters first: a segment whose extractions are there is not extracted again.
        self._account.letters.flush()
        journal: list[tuple[str, str, Part]] = []
        longer: dict[str, Outline] = {}
        for kind in dict.fromkeys(chain.from_iterable(made.parts for made in written)):
            files = [made.files.get(kind, []) for made in written]
            firsts = iter(self._tables[kind].commit(list(chain.from_iterable(files))))
            self._tending.wrote(sum(map(len, files)))
            for made, of in zip(written, files, strict=True):
                begins = [next(firsts) for _ in of]
                for each in made.parts.get(kind, ()):
                    first = begins[0] + each.offset if each.part.rows else -1
                    part = each.part._replace(first=first)
                    outline = self._outlines[each.conversation_id]
                    outline.parts[kind, part.name] = part
                    outline.made.append((kind, part))
                    if len(outline.segments) >= SEGMENTS_TO_GROW:
                        longer[each.conversation_id] = outline
                    journal.append((each.conversation_id, kind, part))
        if journal:
            self._running.made(journal)
        self._tending.begin()
        waiting, self._waiting = self._waiting, set()
        for conversation_id in waiting:
            self.look(self._outlines[conversation_id])
        for outline in longer.values():
            if not outline.grown and (task := outline.early_growth(self._layers, SEGMENTS_TO_GROW)):
                self._ready.append(task)

    def look(self, outline: Outline) -> None:
        """Decide what comes next for a planned conversation: nothing yet, its inner nodes, or its record."""
        if not outline.planned or not outline.segments or outline.wanted:
            return
        if not outline.has_leaves() or not outline.has_nodes():
            self._waiting.add(outline.conversation_id)
            return
        if not outline.grown:
            outline.grown = True
            task = outline.growth(self._layers)
            if task is not None:
                self._ready.append(task)
                return
        of = outline.conversation_id
        self.records[of] = outline.record(list(self._tables), self._account.rejected[of])
        outline.known = {}

    def check(self) -> None:
        """AccountingError if a conversation was planned and has no record."""
        planned = [each for each in self._outlines.values() if each.segments]
        if unfinished := [each for each in planned if each.conversation_id not in self.records]:
            raise AccountingError(
                f"{len(unfinished)} conversations were planned and not made, the first "
                f"{unfinished[0].conversation_id!r}; nothing was sealed: run the job again"
            )

    def drop(self, conversation_id: str) -> None:
        """Remove the rows of a conversation that this round has committed."""
        made = self._outlines[conversation_id].made if conversation_id in self._outlines else []
        for kind in {kind for kind, _ in made}:
            self._tables[kind].drop([part for of, part in made if of == kind])
