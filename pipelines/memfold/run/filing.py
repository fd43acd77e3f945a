"""Filing memories into conversations: an index job over them alone, with the settings that each conversation has.

Only the conversation's last segment is made anew, as for any message that is added. The engine is asked nothing new:
what it wrote of the other exchanges of that segment is taken from the store where it asks a model, and written again
where it is rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import islice

import numpy as np

from memfold.errors import UserError
from memfold.extract.filed import ID, Memory, conversation, named
from memfold.given import composed
from memfold.layers.times import in_order, times_of, to_datetime
from memfold.run.index import index
from memfold.run.job import recorded_job
from memfold.schema import MEMORY, Message
from memfold.store.catalog import Catalog
from memfold.store.live import table
from memfold.store.location import Location
from memfold.store.record import Record
from memfold.watch import Report
from memfold.zones import local

# How far ahead of this machine's clock a program's may be.
AHEAD = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Filed:
    """What became of a memory: the id of its message, and whether it is `new`; False if it had been filed before.
    `snapshot` is the first that shows it, or the newest if nothing was new."""

    conversation_id: str
    memory_id: str
    new: bool
    snapshot: int


@dataclass(frozen=True)
class _Given:
    """A source of messages at hand."""

    items: tuple[Message, ...]

    def messages(self) -> Iterator[Message]:
        return iter(self.items)


def file(
    location: Location,
    memories: Mapping[str, Sequence[Memory]],
    *,
    begin: bool = False,
    report: Report | None = None,
) -> list[Filed]:
    """File memories into conversations, in order. Seals one snapshot for each configuration that conversations were
    indexed with, or none if nothing is new.

    A memory stands where it is filed, behind everything said until then, so its time may lie neither before that nor in
    the future. Filing the same memory again changes nothing: the same `memory_id`, or without one the same words, if
    nothing was said since. With `begin`, a conversation that does not exist begins. UserError if one does not exist, or
    if a memory of that id says something else or was erased; nothing is filed then.
    """
    catalog = Catalog(location)
    history = catalog.at()
    by_config: dict[str, list[Message]] = {}
    found: list[Filed] = []
    for conversation_id, those in memories.items():
        conversation_id = conversation(conversation_id)
        record = catalog.record(history, conversation_id)
        if record is None and not begin:
            raise catalog.unknown(history, conversation_id)
        conversation_id = conversation_id if record is None else record.conversation_id
        config = catalog.config(record.uid) if record is not None else history.snapshot.config
        for message, new in _planned(location, conversation_id, record, those):
            found.append(Filed(conversation_id, str(message.message_id), new, history.snapshot.number))
            if new:
                by_config.setdefault(config, []).append(message)
    sealed: dict[str, int] = {}
    for config, messages in by_config.items():
        job = replace(recorded_job(location, config, _Given(tuple(messages))), files=True, begins=begin)
        done = index(job, report or Report())
        of = dict.fromkeys(message.conversation_id for message in messages)
        if done["conversations"] != len(of) or done["dead_letters"]:
            raise UserError(
                f"{', '.join(map(repr, of))}: a conversation was erased, or another program filed something else under "
                "the same memory_id, at the same moment: see what is stored (search_memory), and file again"
            )
        sealed |= dict.fromkeys(of, int(str(done["snapshot"])))
    return [replace(each, snapshot=sealed[each.conversation_id]) if each.new else each for each in found]


def _planned(
    location: Location, conversation_id: str, record: Record | None, memories: Sequence[Memory]
) -> Iterator[tuple[Message, bool]]:
    """The messages that memories are filed as, and whether each is new."""
    before = _Before.of(location, record)
    for memory in memories:
        last = before.last
        if last is not None and _again(memory, last):
            yield last, False
            continue
        name = named(memory, "" if last is None else str(last.message_id))
        known = before.held.get(name)
        if known is None:
            message = memory.message(conversation_id, name, before.time_of(memory), before.session)
            before.held[name] = before.last = message
            before.until = message.time
            yield message, True
        elif not known.content and not known.attachments:
            raise UserError(
                f"memory {name!r} of conversation {conversation_id!r} was erased: file it under another memory_id if "
                "it is to be remembered again"
            )
        elif _body(known) != memory.body:
            raise UserError(
                f"memory_id={name.removeprefix(ID)!r} of conversation {conversation_id!r} says something else already: "
                "file what changed under another memory_id"
            )
        else:
            yield known, False


def _again(memory: Memory, last: Message) -> bool:
    """Whether a memory without a name of its own is the last message once more."""
    same = last.role == MEMORY and _body(last) == memory.body
    return same and memory.memory_id is None and memory.time in (None, last.time)


def _body(message: Message) -> tuple[object, ...]:
    return message.content, message.speaker, *message.attachments


@dataclass
class _Before:
    """What stands in a conversation before what is filed: its memories by id, the last message if it is a memory (else
    its id alone), the last time that is known, the session that ends it, and
    how many minutes the clock of the last speaker is ahead of UTC."""

    held: dict[str, Message]
    last: Message | None
    until: datetime | None
    session: str | None
    now: datetime
    clock: int = 0

    @staticmethod
    def of(location: Location, record: Record | None) -> _Before:
        """Read from the parts that hold memories, and the last; nothing stands before what begins a conversation."""
        now = datetime.now(UTC)
        if record is None:
            return _Before({}, None, None, None, now)
        messages = table(location, "messages")
        parts = record.parts["messages"]
        said = messages.take(parts, ["seq", "role", "time", "utc_offset", "session", "current"])
        roles = iter(said["role"].to_pylist())
        holding = [part for part in parts if MEMORY in list(islice(roles, part.rows))]
        rows = messages.take([*holding, *(part for part in parts[-1:] if part not in holding)])
        said = said.sort_by("seq")
        read = [Message.of(row) for row in rows.sort_by("seq").to_pylist()]
        times = times_of(said["time"])
        known = in_order(times[said["current"].to_numpy(zero_copy_only=False)])
        known = known[~np.isnat(known)]
        until = None if not len(known) else to_datetime(known[-1])
        shown = [n for n, current in enumerate(said["current"].to_pylist()) if current]
        session = said["session"][shown[-1]].as_py() if shown else None
        held = {composed(str(each.message_id)): each for each in read if each.role == MEMORY}
        clocks = zip(said["role"].to_pylist(), said["utc_offset"].to_pylist(), strict=True)
        told = [clock for role, clock in clocks if clock is not None and role != MEMORY]
        return _Before(held, read[-1] if read else None, until, session, now, told[-1] if told else 0)

    def time_of(self, memory: Memory) -> datetime:
        """When a memory is filed, in the course of the conversation."""
        given = memory.time
        if given is None:
            # A conversation that was written ahead of the clock goes on from where it is.
            return local(self.now if self.until is None else max(self.now, self.until), self.clock)
        assert isinstance(given, datetime)
        if self.until is not None and given < self.until:
            raise UserError(
                f"time={given.isoformat()} lies before what was said last ({self.until.isoformat()}), and a memory "
                "stands behind it: leave time out, and say with date=… when it happens"
            )
        # It would bind every later one to a time that is not yet.
        if given > max(self.now + AHEAD, self.until or self.now):
            raise UserError(
                f"time={given.isoformat()} is when it is filed and lies ahead; say with date=… when it happens"
            )
        return local(given, self.clock)
