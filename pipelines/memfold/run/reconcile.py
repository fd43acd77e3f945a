"""Which messages a conversation has after a source: what is stored and what the source adds or corrects, each with an
id of its own.

Nothing here reads or writes a table; `stored` is what the store holds of the conversation. Knows no exchange and no
segment.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from operator import attrgetter
from types import MappingProxyType
from typing import NamedTuple

from memfold.digest import digest
from memfold.ingest.called import INSTRUCTIONS, WORDS, Called, compared, instructions_of, placed_in
from memfold.schema import MEMORY, RAW_BYTES, DeadLetter, Message, blank

Reject = Callable[[DeadLetter], None]


class Identified(NamedTuple):
    """A message with its id. If the source did not give that, `within` is what it is known in by its place
    (`memfold.ingest.called.placed_in`), else None. `erased` are those of a source that stay so, and say nothing."""

    message_id: str
    within: str | None
    message: Message
    erased: bool = False


def identify(
    messages: Iterable[Message],
    reject: Reject,
    left: Callable[[str, Message], Message] = lambda _, message: message,
    shown: Mapping[tuple[str, str], bool] = MappingProxyType({}),
    *,
    joined: bool = False,
) -> Iterator[Identified]:
    """Each message with an id that is its own in the conversation, and as `left` leaves the message of that id: what
    is not erased it leaves as it is.

    A message without id is called by its position. One that repeats an earlier message's id and all it says was
    delivered twice and is rejected; one that repeats only the id is kept (`memfold.ingest.called`). Whether a message
    is of the branch that counts, its last copy says: `shown` is what `last_shown` made of the same messages. For
    `joined` see `placed_in`.
    """
    names = Called()
    position = 0
    for message in messages:
        given = message.message_id is not None
        called = message.message_id if message.message_id is not None else str(position)
        said = _delivered_as(message) if given else None
        if said is not None and shown:
            message = replace(message, current=shown.get((called, said), message.current))
        message_id, again = names.of(called, said)
        if again:
            place = f"{called} at position {position}"
            reject(_letter(left(message_id, message), place, "delivered twice: same id, same words"))
        else:
            kept = left(message_id, message)
            within = placed_in(message.message_id, joined=joined)
            yield Identified(message_id, within, kept, erased=kept is not message)
        position += message.message_id != INSTRUCTIONS


def last_shown(messages: Iterable[Message]) -> Mapping[tuple[str, str], bool]:
    """For each id and words that come again, whether the last copy is on the branch that counts. Two exports of one
    account hold an answer twice, and the user may have asked for another one between them."""
    seen = set[tuple[str, str]]()
    last = dict[tuple[str, str], bool]()
    for message in messages:
        if message.message_id is not None:
            named = message.message_id, _delivered_as(message)
            if named in seen:
                last[named] = message.current
            seen.add(named)
    return last


class Changes(NamedTuple):
    """What a source does to the messages that are stored of a conversation: how many it says otherwise (`corrected`),
    and how many it does not hold, which stay (`left`) or go (`removed`)."""

    corrected: int = 0
    left: int = 0
    removed: int = 0


def reconcile(
    source: Callable[[Reject], Iterator[Identified]],
    stored: Callable[[], Iterator[Identified]],
    roles: Mapping[str, str],
    reject: Reject,
    *,
    replace: bool = False,
    tell: Callable[[Changes], object] = lambda _: None,
) -> Iterator[Identified]:
    """The conversation as it is after this source: what is stored and what the source adds or corrects. `roles` are the
    roles of what is stored, by id; with `replace` the source is the whole conversation, whatever it holds.

    - The source holds every stored id: it is the whole conversation, grown or corrected, and is taken as it is.
    - It holds only some or none: it is a part. What is stored stays, new ids follow in the source's order.
      A known id with other words is rejected: a part cannot say which of the two is right.
    - It says something else under the stored ids, later or in another session (`_begins_again`): it is another part,
      whose ids begin again. What it says under a known id is rejected.
    - Messages without ids are known by position alone, so they can continue a conversation only by repeating
      it from its beginning; where they say something else than what is stored, they are rejected. Of conversations
      that were joined (`source.into`) this holds for each by itself. What was erased says nothing else. But it is
      known by its position too: where it stays erased and something else is moved, nothing is replaced.
    - Memories that programs filed are no source's: they are not missed in one, and stay behind the message they stand
      behind, and behind new ones after it that were said before they were filed. A source of memories alone is a part.
      Another message under the id of a memory is rejected.

    `source` is read up to five times and told each time where to send what it rejects. `tell` is called with what is
    changed, before the first message comes.
    """
    if not roles:
        yield from source(reject)
        return
    filed = {name for name, role in roles.items() if role == MEMORY}
    source = partial(_not_filed, source, filed)
    found = _look(source, stored, roles.keys() - filed)
    replace = replace and not found.unsure
    anew = found.whole and bool(found.changed) and _begins_again(source(_ignore), stored())
    taken_whole = replace or (found.whole and not found.differs and not anew)
    # What comes without its words was erased.
    corrected = sum(bool(item.message.content) for item in found.changed)
    tell(Changes(corrected, removed=found.missing) if taken_whole else Changes(left=found.missing))
    taken = (item for item in source(_ignore) if replace or item.within not in found.differs)
    new = _new(taken, roles) if filed else {}
    if taken_whole:
        yield from _woven(source(reject), stored(), filed, found.given, new) if filed else source(reject)
        return
    yield from _followed(stored(), _fitting(source(reject), found, reject, anew=anew), filed, new)


class _Found(NamedTuple):
    """What a source and what is stored have in common. `given` are the ids of the source, `said` the digests of what is
    stored, by id; `missing` is how many stored ids the source lacks, `whole` whether it is all of the conversation.
    `changed` are its messages that say something else than the stored ones; those known by their place alone stand
    within what `differs`, and within what is `unsure` positions do not tell what was erased."""

    given: Collection[str]
    said: Mapping[str, str]
    missing: int
    whole: bool
    changed: Sequence[Identified]
    differs: Collection[str]
    unsure: Collection[str]


def _look(
    source: Callable[[Reject], Iterator[Identified]],
    stored: Callable[[], Iterator[Identified]],
    wanted: Collection[str],
) -> _Found:
    """Compare a source with what is stored; `wanted` are the stored ids that it is whole with."""
    given: dict[str, str] = {}
    erased: dict[str, str | None] = {}
    for item in source(_ignore):
        given[item.message_id] = item.message.role
        if item.erased:
            erased[item.message_id] = item.within
    said: dict[str, str] = {}
    wordless: dict[str, str] = {}
    for item in stored():
        said[item.message_id] = _stored_as(item.message)
        if item.message_id in erased:
            wordless[item.message_id] = _stored_as(blank(item.message))
    changed = [
        item
        for item in source(_ignore)
        if item.message_id in said and said[item.message_id] != _stored_as(item.message)
    ]
    # An erased message is the same one with its words and without, whether the store or the source lacks them.
    differs = {
        item.within
        for item in changed
        if item.within is not None
        and _stored_as(blank(item.message)) != wordless.get(item.message_id, said[item.message_id])
    }
    missing = len(wanted - given.keys())
    whole = not missing and any(role != MEMORY for role in given.values())
    return _Found(given, said, missing, whole, changed, differs, differs.intersection(erased.values()))


def _not_filed(
    source: Callable[[Reject], Iterator[Identified]], filed: Collection[str], reject: Reject
) -> Iterator[Identified]:
    """A source without messages under the ids of `filed` memories, which are rejected; memories themselves are not."""
    for item in source(reject):
        if item.message_id in filed and item.message.role != MEMORY:
            reject(_letter(item.message, item.message_id, _FILED))
        else:
            yield item


def _followed(
    stored: Iterator[Identified],
    fitting: Iterator[Identified],
    filed: Collection[str],
    new: Mapping[str, datetime],
) -> Iterator[Identified]:
    """The stored messages, and then those of a part that are `fitting`: behind these stand the memories that end what
    is stored, but for those that are older than a `new` message."""
    waiting: list[Identified] = []  # the memories that end what is stored
    for item in stored:
        if item.message_id in filed:
            waiting.append(item)
        else:
            yield from _leaving(waiting, None)
            yield item
    for item in fitting:
        yield from _leaving(waiting, new.get(item.message_id))
        yield item
    yield from waiting


def _fitting(
    source: Iterator[Identified], found: _Found, reject: Reject, *, anew: bool
) -> Iterator[Identified]:
    """The new messages of a part of a conversation, whose ids may begin `anew`. A message that says something else than
    what is stored is rejected, and so is one without an id of its own `within` what `differs`."""
    for item in source:
        known = found.said.get(item.message_id)
        if item.within in found.differs:
            reason = _UNSURE if item.within in found.unsure else _PLACED
            reject(_letter(item.message, item.message_id, reason))
        elif (
            known is None
            and (of := instructions_of(item.message_id)) is not None
            and (anew or of in found.differs)
        ):
            reject(_letter(item.message, item.message_id, _OF_OTHERS))
        elif known is None:
            yield item
        elif known != _stored_as(item.message):
            reason = _AGAIN if anew else _PART
            reject(_letter(item.message, item.message_id, reason))


_PLACED = (
    "the message has no id, and another one is stored at its position: give the messages ids, or, if the source holds "
    "the whole conversation, let it take the stored one's place (replace=true)"
)
# All of it is before a colon: of letters of such a conversation no more is kept.
_UNSURE = (
    "without ids nobody can tell what was erased; give messages ids, "
    "or use erased=index replace=true and erase again"
)
_OF_OTHERS = "these are the instructions of messages that are rejected"
_FILED = "a memory that a program filed is stored under this id: give the message another one"
_PART = (
    "a message with this id and other words is stored, and the source does not hold the whole conversation: index it "
    "whole to correct it"
)
_AGAIN = (
    "under the ids that are stored the source says something else, later or in another session: if its ids begin "
    "again, give messages ids of their own, and if it corrects them, say so (replace=true)"
)
# A correction may move times by a time zone, or to the hour of an edit.
LATER = timedelta(days=1)


def _begins_again(source: Iterable[Identified], stored: Iterable[Identified]) -> bool:
    """Whether a source that holds every stored id is another part of the conversation all the same, or holds another
    part of one of its sessions: the log of another day. Of a session it has to say most of it otherwise, and later
    (`_another`). Erased messages do not count, nor do those that say the same and may have been said at the same time,
    nor a system's instructions without a time, which each part may repeat or word otherwise."""
    before = {
        item.message_id: item.message
        for item in stored
        if item.message.role != MEMORY and item.message.content
    }
    known: list[tuple[Message, Message]] = []
    sessions: dict[str, list[tuple[Message, Message]]] = {}
    for item in source:
        old = before.get(item.message_id)
        if old is None or not item.message.content:
            continue
        timed = item.message.time is not None and old.time is not None
        if not timed and item.message.role == "system":
            continue
        if timed or item.message.content != old.content or _other(item.message.session, old.session):
            known.append((item.message, old))
            if old.session is not None:
                sessions.setdefault(old.session, []).append((item.message, old))
    return _another(known) or any(_another(those, session=True) for those in sessions.values())


def _another(known: Sequence[tuple[Message, Message]], *, session: bool = False) -> bool:
    """Whether messages under known ids, each with the one that is stored, are others. They are if there are at least
    two, if each is of another time or in another session, and if they either begin more than a day after the last
    stored one and some say something else (of a `session` most), or all say something else (of a `session` that is
    not enough: its author may have written it anew)."""
    if len(known) < 2 or not all(
        _other(new.time, old.time) or _other(new.session, old.session) for new, old in known
    ):
        return False
    began = [new.time for new, _ in known if new.time is not None]
    ended = [old.time for _, old in known if old.time is not None]
    later = bool(began and ended) and min(began) > max(ended) + LATER
    differ = [new.content != old.content for new, old in known]
    if session:
        return later and 2 * sum(differ) > len(differ)
    return all(differ) or (later and any(differ))


def _other(one: object, another: object) -> bool:
    """Whether two values are known and not the same."""
    return one is not None and another is not None and one != another


def _woven(
    source: Iterator[Identified],
    stored: Iterator[Identified],
    filed: Collection[str],
    given: Collection[str],
    new: Mapping[str, datetime],
) -> Iterator[Identified]:
    """The source's messages, with the stored memories that it does not hold: each behind the nearest message before it
    that the source does, and behind the `new` ones after that which are older than it is."""
    behind: dict[str | None, list[Identified]] = {}
    last = None
    for item in stored:
        if item.message_id in given:
            last = item.message_id
        elif item.message_id in filed:
            behind.setdefault(last, []).append(item)
    waiting = behind.get(None, [])
    for item in source:
        yield from _leaving(waiting, new.get(item.message_id))
        yield item
        waiting += behind.get(item.message_id, ())
    yield from waiting


def _leaving(waiting: list[Identified], time: datetime | None) -> list[Identified]:
    """Takes out the memories that go before a message of some `time` (None: of one that is not new, or not known): all
    but the last ones that were filed after it."""
    left = len(waiting)
    while time is not None and left:
        filed = waiting[left - 1].message.time
        if filed is None or filed <= time:
            break
        left -= 1
    gone = waiting[:left]
    del waiting[:left]
    return gone


def _new(source: Iterable[Identified], roles: Mapping[str, str]) -> Mapping[str, datetime]:
    """By when each message that is not stored had been said, as far as the source tells: what follows a message was not
    said before it, and one without a time goes with what is before it where nothing follows. Branches that were given
    up tell no time (`memfold.layers.shown`)."""
    times = [
        (item.message_id, item.message.time if item.message.current else None)
        for item in source
        if item.message_id not in roles and item.message.role != MEMORY
    ]
    found: dict[str, datetime] = {}
    until = None
    for name, time in reversed(times):
        if time is not None:
            until = time if until is None else min(until, time)
        if until is not None:
            found[name] = until
    last = None
    for name, _ in times:
        last = found.get(name, last)
        if last is not None:
            found[name] = last
    return found


def _ignore(_: DeadLetter) -> None:
    """For the passes that only look: what they would reject is rejected by the pass that takes."""


def _delivered_as(message: Message) -> str:
    """The digest by which a message that is delivered twice is known: on whichever branch, and whichever call a tool
    answers."""
    return digest(*_compared(message))


def _stored_as(message: Message) -> str:
    """The digest by which a source's message is the stored one. A memory says the same whenever it was filed: the
    second of two calls that overlap has a time of its own. A tool's result says the same whether or not a file also has
    its call."""
    if message.role == MEMORY:
        message = replace(message, time=None, session=None)
    return digest(*_compared(message), message.current)


_WORDS = attrgetter(*WORDS)


def _compared(message: Message) -> Sequence[object]:
    """What a message says, as it is compared: two exports may give one instant in two zones, and it is the same
    message."""
    if message.time is not None and message.time.tzinfo is not UTC:
        message = replace(message, time=message.time.astimezone(UTC))
    return compared(*_WORDS(message))


def _letter(message: Message, message_id: str, reason: str) -> DeadLetter:
    return DeadLetter(
        file="",
        place=f"conversation {message.conversation_id}, message {message_id}",
        reason=reason,
        raw=message.content.encode()[:RAW_BYTES],
        conversation_id=message.conversation_id,
    )
