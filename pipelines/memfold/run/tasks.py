"""The tasks of a round: what its conversations lack, planned one conversation after the other as workers become free.

What a conversation is made of is planned from what the source says (the spool) and what the store holds. Messages pass
through here to be named, and no other row is read. Knows no commit.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from memfold.digest import digest
from memfold.errors import AccountingError
from memfold.given import composed
from memfold.ingest.spool import Spool
from memfold.layers.layer import Layer
from memfold.run.account import Account
from memfold.run.job import Job
from memfold.run.making import Making
from memfold.run.outline import Outline
from memfold.run.plan import Naming, attempts, cut, place
from memfold.run.reconcile import Changes, identify, last_shown, reconcile
from memfold.run.stored import stored_messages
from memfold.run.work import TOGETHER, Lacking, Make
from memfold.schema import MEMORY, SPAN, DeadLetter, Message
from memfold.store.made import Left
from memfold.store.part import Part
from memfold.store.record import Record
from memfold.store.tables import Placed

# Exchanges of a task, unless they run out: many enough that the files of its tables are not small. 6,000 conversations
# of two exchanges took 33.9 s in tasks of 1,024, 36.4 s of 512 and 37.6 s of 256. A kill loses the running tasks.
EXCHANGES_A_TASK = 1024


class Tasks:
    """What plans for one job: what the source says is in `spool`, what the store holds in `tables`."""

    def __init__(
        self,
        job: Job,
        layers: Mapping[str, Layer],
        tables: Mapping[str, Placed],
        spool: Spool,
        account: Account,
    ) -> None:
        self._job, self._tables, self._spool, self._account = job, tables, spool, account
        self._naming = Naming(job.engine.signature, layers, job.engine.given, again=job.again)
        self._recipe_alone = self._naming.recipe

    def lacking(
        self, todo: Collection[str], before: Mapping[str, Record], left: Left, making: Making
    ) -> Iterator[Make]:
        """Tasks for everything that some conversations' segments lack, on top of the records that were there `before`
        and of what killed jobs `left`. Each conversation that is planned is told to `making`; one that stays as it is
        has its record there at once.

        The longest conversations come first and the last tasks are small, so that no core waits for another at the
        end: from a segment's exchanges on, a task is full once it has as many messages as are left behind it, divided
        by twice the number of tasks that are out. The first tasks grow in size, since how many will be out is not known
        yet."""
        # Not by `in_flight`: it counts engines, which may start a Ray cluster while the workers' cluster is starting.
        most = EXCHANGES_A_TASK if self._job.engine.asker is None else SPAN
        waiting: list[Lacking] = []
        held, messages, enough = 0, 0, min(SPAN, most)
        left_over = sum(map(self._spool.count, todo))
        for conversation_id in sorted(todo, key=lambda each: (-self._spool.size(each), each)):
            left_behind = left_over - self._spool.count(conversation_id)
            for work, have in self._lacks(conversation_id, before.get(conversation_id), left, making):
                waiting.append((work, have))
                held += work.exchanges
                messages += len(work.messages)
                # Stored messages that the source lacks are planned too, and were not counted.
                left_over = max(left_over - len(work.messages), left_behind)
                shared = held >= min(SPAN, most) and messages * 2 * max(making.out, 1) >= left_over
                if held >= enough or shared:
                    yield Make(waiting)
                    waiting, held, messages, enough = [], 0, 0, min(enough + SPAN, most)
            left_over = left_behind
        if waiting:
            yield Make(waiting)

    def _lacks(
        self, conversation_id: str, before: Record | None, left: Left, making: Making
    ) -> Iterator[Lacking]:
        """Plan a conversation; gives the segments that lack something, each with the parts that it has."""
        record = None if before is None or before.removed else before
        self._account.changes.pop(conversation_id, None)
        said, title = self._spool.digest(conversation_id), self._spool.titles.get(conversation_id)
        if self._job.files and record is not None:
            said = record.said
        elif record is not None and title in (None, record.title) and self._is_made(record, said):
            making.records[conversation_id] = record
            self._account.rejected[conversation_id] = record.rejected
            self._account.report.advance(self._spool.count(conversation_id))
            return
        # A job that began before the erasure of a conversation removes what it made of it (`Making.drop`).
        erased = bool(self._account.forgotten.back([conversation_id]))
        known = self._known(left.parts(conversation_id, ended=erased), record)
        outline = Outline(conversation_id, known, said, title or (record.title if record else None))
        making.begin(outline)
        earlier = record.rejected if self._job.files and record is not None else 0
        self._account.rejected[conversation_id] = self._account.earlier[conversation_id] = earlier
        yield from self._segments(outline, record)
        making.look(outline)

    def _segments(self, outline: Outline, record: Record | None) -> Iterator[Lacking]:
        """Cut the conversation, as it is after the source, into segments; gives those that lack something.
        AccountingError if not every message that was read is planned."""
        of, account = outline.conversation_id, self._account
        names = record.parts["messages"] if record else ()
        roles = self._roles(names)
        shown = last_shown(self._said(of, roles)) if self._spool.branches(of) else {}
        read = planned = 0

        def reject(letter: DeadLetter) -> None:
            account.reject(letter)
            account.rejected[of] += 1

        def counted() -> Iterator[Message]:
            nonlocal read
            read = 0
            for message in self._said(of, roles):
                read += 1
                yield message

        items = reconcile(
            source=lambda reject: identify(
                counted(), reject, account.forgotten.unless_erased, shown, joined=self._job.joined
            ),
            stored=lambda: stored_messages(self._tables["messages"], names),
            roles=roles,
            reject=reject,
            replace=self._job.replace,
            tell=partial(account.changes.__setitem__, of),
        )
        items = account.backwards.over(account.forgotten.noting_returned(items))
        naming = replace(
            self._naming,
            sealed=attempts(part.name for part in (record.parts["extractions"] if record else ())),
            left=attempts(name for kind, name in outline.known if kind == "extractions"),
        )
        for work in cut(place(items), naming):
            planned += len(work.messages)
            have = outline.add(work)
            if len(have) < len(work.names):
                if record is not None and self._job.engine.asker is not None:
                    number = work.messages[0].exchange_id // SPAN
                    work = replace(work, former=naming.former(record, number))
                yield work, have
            else:
                account.report.advance(len(work.messages))
        outline.recipe = self._recipe(of, outline.exchanges)
        outline.planned = True
        account.report.expect(planned - read)
        if read != self._spool.count(of):
            raise AccountingError(
                f"{self._spool.count(of)} messages of conversation {of!r} were read and {read} of them planned; "
                "nothing was sealed"
            )

    def _is_made(self, record: Record, said: str) -> bool:
        """Whether the job would leave a conversation as it is, of which the source says what was `said` the last time;
        notes the stored messages that the source does not hold."""
        of = record.conversation_id
        made = record.said == said and record.recipe == self._recipe(of, record.exchanges)
        # Which erased messages are shown depends on the job too.
        if not made or self._job.again or self._account.forgotten.amended(of):
            return False
        if record.messages == self._spool.count(of) - record.rejected:
            return True
        # Some are stored that were not taken from this source: memories, or what it does not hold.
        if self._job.replace:
            return False
        stored = self._roles(record.parts["messages"])
        given = {item.message_id for item in identify(self._said(of, stored), lambda _: None)}
        left = sum(role != MEMORY and name not in given for name, role in stored.items())
        self._account.changes[of] = Changes(left=left)
        return True

    def _said(self, conversation_id: str, stored: Collection[str]) -> Iterator[Message]:
        """What the source says of a conversation. A message that an earlier memfold stored under an id of another
        Unicode form keeps that id."""
        held = {name: each for each in stored if (name := composed(each)) not in stored}
        for message in self._spool.read(conversation_id):
            named = held.get(message.message_id or "")
            yield message if named is None else replace(message, message_id=named)

    def _roles(self, parts: Sequence[Part]) -> dict[str, str]:
        """The role of each message of some parts, by its id."""
        if not parts:
            return {}
        held = self._tables["messages"].take(parts, ["message_id", "role"])
        return dict(zip(held["message_id"].to_pylist(), held["role"].to_pylist(), strict=True))

    def _known(
        self, left: Mapping[tuple[str, str], Part], record: Record | None
    ) -> dict[tuple[str, str], Part]:
        """The parts of a conversation that exist: those of its record, and those that killed jobs `left`, except parts
        that were cleaned up since, and parts that lack the other one of `TOGETHER`: an erasure beside a job takes rows
        out of one table after the other, and the job's journal may then name the rows of one table alone."""
        known = {
            (kind, name): part
            for (kind, name), part in left.items()
            if kind in self._tables and self._tables[kind].holds(part)
        }
        for name in {name for kind, name in known if kind in TOGETHER}:
            if not all((kind, name) in known for kind in TOGETHER):
                for kind in TOGETHER:
                    known.pop((kind, name), None)
        if record is not None:
            known |= {(kind, part.name): part for kind, parts in record.parts.items() for part in parts}
        return known

    def _recipe(self, conversation_id: str, exchanges: int) -> str:
        """The digest of all that a conversation's parts depend on besides the messages."""
        given = self._job.engine.given(conversation_id, range(exchanges))
        return digest(self._recipe_alone, given) if given else self._recipe_alone
