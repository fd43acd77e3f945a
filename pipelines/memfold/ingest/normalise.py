"""What the dialects share: roles, times, content and ids to one `Message`, or `Rejected` with the reason.

Content is verbatim. Refused is what has no place in a table: a lone surrogate, a wrong type, no conversation.

The rule for times: words are worth more than a date. If a message's own time cannot be read, the message is kept
without one, and a notice says so (`Untimed`). In formats where a time covers what follows it (`carried`), a time that
cannot be read leaves the one before it standing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, tzinfo
from datetime import time as clock
from typing import Any

from memfold.given import storable
from memfold.ingest.called import INSTRUCTIONS
from memfold.ingest.mend import encode, id_of
from memfold.ingest.parts import Rejected, content_of, is_result
from memfold.ingest.records import Value, Whose, values
from memfold.ingest.unit import Unit
from memfold.ingest.written import written
from memfold.schema import DeadLetter, Item, Message, Notice, Role, Title
from memfold.zones import UNNAMED, by

ROLE: dict[str, Role] = {
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "gpt": "assistant",
    "chatgpt": "assistant",
    "bot": "assistant",
    "model": "assistant",
    "function_call": "assistant",
    "system": "system",
    "developer": "system",
    "tool": "tool",
    "function": "tool",
    "observation": "tool",
}

# 20240131, 202401311200 or 20240131120000. Counted as seconds or thousandths since 1970 they would be times of 1970,
# 1976 and after 2570, when nobody chatted.
_CALENDAR = re.compile(
    r"((?:19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?:([01]\d|2[0-3])([0-5]\d)([0-5]\d)?)?", re.ASCII
)


def each(
    unit: Unit, containers: re.Pattern[bytes], make: Callable[[Value], Iterator[Item]], whose: Whose
) -> Iterator[Item]:
    """What `make`, a generator that may raise `Rejected`, makes of each record of a unit, see `values`; what cannot be
    read stays a dead letter."""
    for part in unit.parts():
        for value in values(part, containers, whose):
            if isinstance(value, DeadLetter):
                yield value
            else:
                yield from filled(value, make(value))


def attempt(
    value: Value,
    place: str,
    piece: object,
    make: Callable[..., Sequence[Message | Untimed]],
    conversation: object,
    *arguments: Any,
) -> Iterator[Message | Untimed | DeadLetter]:
    """What `make(conversation, *arguments)` makes; its notices get their `place`. If it raises `Rejected`, one dead
    letter, which shows `piece`."""
    try:
        for made in make(conversation, *arguments):
            yield made.at(value.part.name, place) if isinstance(made, Untimed) else made
    except Rejected as error:
        yield value.letter(place, str(error), piece, conversation)


def filled(value: Value, items: Iterator[Item]) -> Iterator[Item]:
    """`items`; a dead letter for the record if there are none, or if it is `Rejected`: a record never vanishes.

    A title waits for a message that it can stand before.
    """
    empty = True
    title: Title | None = None
    try:
        for item in items:
            if isinstance(item, Title):
                title = item
                continue
            empty = False
            if title is not None and isinstance(item, Message):
                yield title
                title = None
            yield item
    except Rejected as error:
        empty = False
        yield value.refused(str(error))
    if empty:
        yield value.refused("no messages in it")


def instructed(
    value: Value, conversation: str, instructions: object, items: Iterator[Item]
) -> Iterator[Item]:
    """A conversation's messages, `items`, behind the `instructions` that stand beside them in the source. These are
    left out if the messages begin with the same words."""
    begun: list[Item] = []
    if instructions:
        for item in items:
            begun.append(item)
            if isinstance(item, Message):
                break
        place = f"{value.place} system"
        for item in attempt(value, place, instructions, _instructions, conversation, instructions):
            if not (begun and _same_words(item, begun[-1])):
                yield item
    yield from begun
    yield from items


def _instructions(conversation: str, said: object) -> list[Message]:
    made = message(conversation, "system", said, message_id=INSTRUCTIONS)
    return [made] if made.content.strip() or made.attachments else []


def _same_words(one: Item, other: Item) -> bool:
    """Whether two items are messages of one role with the same words."""
    if not isinstance(one, Message) or not isinstance(other, Message):
        return False
    return one.role == other.role and one.content.strip() == other.content.strip()


def titled(conversation_id: str, text: object) -> Iterator[Title]:
    """The title of a conversation, if `text` is one."""
    if isinstance(text, str) and text.strip() and storable(conversation_id):
        yield Title(conversation_id, text.encode("utf-8", "replace").decode())


def message(
    conversation_id: object,
    role: object,
    content: object,
    *,
    message_id: object = None,
    time: datetime | None = None,
    session: object = None,
    speaker: object = None,
    attachments: Sequence[str] = (),
    current: bool = True,
) -> Message:
    """A message of checked parts. Ids may be integers; content a string or a list of typed parts, and what only a tool
    said is the tool's, whoever handed it on."""
    named = name(conversation_id)
    if named is None:
        raise Rejected("no conversation_id")
    known = role_of(role)
    text, found = content_of(content, of_tool=known == "tool")
    of_tool = isinstance(content, list) and bool(content) and all(map(is_result, content))
    made = Message(
        named,
        "tool" if of_tool else known,
        text,
        name(message_id),
        time,
        name(session),
        name(speaker),
        (*found, *attachments),
        current,
    )
    for words in (named, text, made.message_id, made.session, made.speaker, *made.attachments):
        if words and not storable(words):
            raise Rejected("not Unicode text: an invalid byte, or half of a surrogate pair")
    return made


def role_of(role: object) -> Role:
    """The role that a source's word stands for; Rejected where it stands for none."""
    if role is None:
        raise Rejected("no role: a message has a role, such as user or assistant, and a content")
    if not isinstance(role, str) or role.lower() not in ROLE:
        raise Rejected(f"unknown role: {encode(role)[:40].decode()} is none of {', '.join(ROLE)}")
    return ROLE[role.lower()]


def mapping(data: object, what: str = "message") -> dict[str, Any]:
    """`data` if it is a JSON object."""
    if not isinstance(data, dict):
        raise Rejected(f"the {what} is not an object")
    return data


def listed(data: object, what: str) -> list[Any]:
    """`data` if it is a list."""
    if not isinstance(data, list):
        raise Rejected(f"{what} is not a list")
    return data


def name(data: object) -> str | None:
    """An id or a name as a string; None where there is none. Only strings and integers are names."""
    if data is None or data == "":
        return None
    if (found := id_of(data)) is None:
        raise Rejected(f"an id or name of type {type(data).__name__}, not a string")
    return found


def time_of(data: object) -> datetime | None:
    """A time from ISO 8601, a number such as 20240131, seconds (or thousandths, and so on) since 1970, or a dialect's
    own form. It has the zone that is written, else `memfold.zones.UNNAMED`.

    None for None or "", and for what programs write where they know no time: the number 0, the first instant of the
    year 1. Raises Rejected for what cannot be read.
    """
    if data is None or data == "" or (data == 0 and not isinstance(data, bool)):
        return None
    time = _time(data)
    return None if time.replace(tzinfo=None) == datetime.min else time


def _time(data: object) -> datetime:
    try:
        if isinstance(data, datetime):
            return _zoned(data)
        if isinstance(data, date):
            return datetime.combine(data, clock.min, UNNAMED)
        if isinstance(data, (int, float)) and not isinstance(data, bool):
            return _calendar(str(data).removesuffix(".0")) or _since_1970(data)
        if isinstance(data, str):
            return _read(data.strip())
    except (ValueError, OverflowError, OSError):
        pass
    raise Rejected(f"a time that cannot be read: {encode(data)[:60].decode()}")


# The names of a message's time.
TIMES = ("created_at", "time", "timestamp", "create_time", "sent_at", "date")
# How many times that cannot be read are shown, and how many characters of each; all are counted.
SHOWN, SHOWN_OF_ONE = 3, 40


@dataclass(frozen=True, slots=True)
class Untimed(Notice):
    """The notice that the time of the next message cannot be read: how the time begins and, once it is known, where it
    stands. `untimed` sums such notices up."""

    def at(self, file: str, place: str) -> Untimed:
        """The same with its place."""
        where = f"{file}, {place}".encode("utf-8", "backslashreplace").decode()
        return Untimed(f"{self.text} in {where}")


def untimed(count: int, shown: Sequence[str]) -> str:
    """What a job says if it cannot read so many times; some are `shown` with their places."""
    kept = (
        "1 message is kept without its time"
        if count == 1
        else f"{count:,} messages are kept without their times"
    )
    more = "; …" if count > len(shown) else ""
    return f"{kept}, which cannot be read ({'; '.join(shown)}{more}): write 2025-05-19T10:00:00Z"


def times_of(*values: object) -> tuple[datetime | None, Untimed | None]:
    """The first of some values that is a time, and None; if there is none, what to say of the first value that cannot
    be read."""
    unread: Untimed | None = None
    for value in values:
        try:
            if (time := time_of(value)) is not None:
                return time, None
        except Rejected:
            shown = encode(value).decode()
            unread = unread or Untimed(shown if len(shown) <= SHOWN_OF_ONE else f"{shown[:SHOWN_OF_ONE]}…")
    return None, unread


def when(data: Mapping[str, Any]) -> tuple[datetime | None, Untimed | None]:
    """The time among a message's fields, as `times_of` gives it."""
    return times_of(*map(data.get, TIMES))


def for_each(unread: Untimed | None, made: Iterable[Message]) -> list[Message | Untimed]:
    """The messages that a record gives; if its time cannot be read, each of them behind the notice that says so."""
    return [*made] if unread is None else [item for one in made for item in (unread, one)]


def clocked(items: Iterable[Item], clock: tzinfo | None) -> Iterator[Item]:
    """The items, with the times of messages in the zone `clock` (`memfold.zones.by`)."""
    for item in items:
        if isinstance(item, Message) and item.time is not None:
            item = replace(item, time=by(item.time, clock))
        yield item


def carried(data: object, before: datetime | None) -> datetime | None:
    """The time that covers what follows: `data` where it can be read, else the one before it."""
    try:
        return time_of(data) or before
    except Rejected:
        return before


def _read(text: str) -> datetime:
    if spelled := _calendar(text):
        return spelled
    if re.fullmatch(r"\d{9,19}(\.\d+)?", text, re.ASCII):
        return _since_1970(float(text))
    try:
        return _zoned(datetime.fromisoformat(text))
    except ValueError:
        return _zoned(written(text))


def _calendar(digits: str) -> datetime | None:
    """The time that a number spells by its digits, from the year down."""
    found = _CALENDAR.fullmatch(digits)
    return datetime(*(int(each or 0) for each in found.groups()), tzinfo=UNNAMED) if found else None  # type: ignore[arg-type,misc]


def _since_1970(number: float) -> datetime:
    # 1e11 seconds is the year 5138, 1e11 milliseconds is 1973; the same again for micro- and nanoseconds.
    for unit in (1, 1e3, 1e6, 1e9):
        if abs(number) < 1e11 * unit:
            return datetime.fromtimestamp(number / unit, UTC)
    raise ValueError(number)


def _zoned(time: datetime) -> datetime:
    if time.tzinfo is None:
        return time.replace(tzinfo=UNNAMED)
    time.astimezone(UTC)  # OverflowError outside the years 1 to 9999
    return time
