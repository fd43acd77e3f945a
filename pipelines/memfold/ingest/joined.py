"""Joins many conversations into one (`source.into`), so that one question reaches all chats of a user or a project.

Each conversation becomes a session, and the ids of its messages begin with its id. Conversations are divided into
stretches, and the stretches stand in order of time. A stretch begins where a user speaks after a pause. So two
conversations that go on at the same time tear no exchange of each other apart. Knows no format.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from memfold.ingest.called import INSTRUCTIONS, placed
from memfold.ingest.spool import Spool
from memfold.schema import USERS, DeadLetter, Item, Message, Title

# How long a conversation rests before what its user says next begins a stretch.
PAUSE = timedelta(hours=1)
_EARLIEST = datetime.min.replace(tzinfo=UTC)


@dataclass(slots=True)
class _Running:
    """A conversation so far: its stretch, how many messages are counted in it, and when the last one was said."""

    stretch: int = -1
    messages: int = 0
    last: datetime | None = None


def joined(items: Iterable[Item], into: str) -> Iterator[Item]:
    """The messages of all conversations as those of the conversation `into`, and what else was read. A stretch without
    a known time stands behind the stretch before it in the source. Titles are left out: a session has none."""
    running: defaultdict[str, _Running] = defaultdict(_Running)
    began: list[datetime | None] = []
    with closing(Spool()) as spool:
        for item in items:
            match item:
                case Message():
                    talk = running[item.conversation_id]
                    if talk.stretch < 0 or _after_pause(item, talk.last):
                        talk.stretch = len(began)
                        began.append(None)
                    if item.current and item.time is not None:
                        talk.last = item.time
                        began[talk.stretch] = began[talk.stretch] or item.time
                    spool.add(_within(item, talk))
                    talk.messages += item.message_id != INSTRUCTIONS
                case DeadLetter():
                    yield replace(item, conversation_id=item.conversation_id and into)
                case Title():
                    pass
                case _:
                    yield item
        for stretch in _in_order(began):
            for message in spool.read(str(stretch)):
                yield replace(message, conversation_id=into)


def _after_pause(message: Message, last: datetime | None) -> bool:
    """Whether a user goes on after a pause, or the source goes back in time."""
    speaks = message.current and message.role in USERS
    return speaks and message.time is not None and last is not None and abs(message.time - last) > PAUSE


def _within(message: Message, talk: _Running) -> Message:
    """The message under ids that are its own among all conversations, filed under its stretch."""
    of = message.conversation_id
    return replace(
        message,
        conversation_id=str(talk.stretch),
        message_id=placed(of, talk.messages) if message.message_id is None else f"{of}/{message.message_id}",
        session=of if message.session is None else f"{of}/{message.session}",
    )


def _in_order(began: list[datetime | None]) -> list[int]:
    """The stretches in order of time, each without one behind the one before it in the source."""
    known, last = list[datetime](), _EARLIEST
    for time in began:
        last = time or last
        known.append(last)
    return sorted(range(len(began)), key=known.__getitem__)
