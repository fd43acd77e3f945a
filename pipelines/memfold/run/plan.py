"""What has to be made of a conversation: its messages in their places, cut into segments and named.

A segment is 64 consecutive exchanges; its rows in each table are a part, named by the digest of what they are made
from (decision 1). So what is stored already is found by name: a grown conversation needs its last segment
and the new ones, an unchanged one needs nothing, and what a killed job finished is not done again.

Nothing here reads or writes a table. No layer is named here.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

from memfold.digest import digest
from memfold.extract.windows import HISTORY_EXCHANGES, WINDOWS, Numbering
from memfold.ingest.called import WORDS
from memfold.layers.layer import Layer, leaf_name
from memfold.run.reconcile import Identified
from memfold.schema import MEMORY, SPAN, Message


class Numbered(NamedTuple):
    """A message and its place: its number, its id (given or made) and its exchange. `turn` is the exchange's number in
    the source, which holds no memories; None for a memory, and for what follows a memory that parts an exchange."""

    seq: int
    message_id: str
    exchange_id: int
    message: Message
    turn: int | None


# What a part of messages is named for.
_ROW = attrgetter(*WORDS, "current")
# The names of a segment's parts, by table.
Names = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Work:
    """One segment to be made. `history` is the tail of the segment before, `exchanges` how many it has."""

    conversation_id: str
    names: Names
    messages: Sequence[Numbered]
    history: Sequence[Numbered]
    exchanges: int

    @property
    def turns(self) -> Mapping[int, int]:
        """The source's number of each exchange, by the exchange's own number. An exchange that a memory parts has none,
        because a recorded line about it describes both halves."""
        found: dict[int, int] = {}
        last: int | None = None
        for item in self.messages:
            if item.message.role == MEMORY:
                found.pop(item.exchange_id, None)  # a system's message may have opened it
            elif not item.message.current:
                continue
            elif item.turn is not None:
                found[item.exchange_id] = item.turn
                last = item.exchange_id
            elif last is not None:
                found.pop(last, None)
        return found


def place(items: Iterable[Identified]) -> Iterator[Numbered]:
    """The messages with their numbers and exchanges."""
    state = Numbering()
    source: Numbering | None = None  # as if there were no memories; None until the first one
    turn: int | None = None
    began = -1  # the exchange in which the turn began
    for seq, item in enumerate(items):
        before, state = state, state.after(item.message)
        if item.message.role == MEMORY:
            source = before if source is None else source
            if began == state.exchange_id:  # it takes the exchange that a system's message opened
                turn = None
            yield Numbered(seq, item.message_id, state.exchange_id, item.message, None)
            continue
        source = None if source is None else source.after(item.message)
        number = state.exchange_id if source is None else source.exchange_id
        if number != turn:
            turn, began = number, state.exchange_id
        yield Numbered(
            seq,
            item.message_id,
            state.exchange_id,
            item.message,
            turn if began == state.exchange_id else None,
        )


@dataclass(frozen=True)
class Naming:
    """What parts are named for: an engine's signature and what it was `given` (`extract.contract.Engine`), the layers,
    and the attempts at extraction.

    A segment's extractions are the newest attempt among `made`, the names there are; those in `again` are attempted
    once more. So a retry replaces no row, and whoever plans next finds what it left.
    """

    engine: str
    layers: Mapping[str, Layer]
    given: Callable[[str, range], str] = lambda *_: ""
    made: Collection[str] = ()
    again: Collection[str] = ()

    @property
    def recipe(self) -> str:
        """The digest of all that parts depend on besides the messages and what the engine was given. The order of the
        layers is no such thing, and a recorded configuration does not keep it."""
        versions = sorted(
            (name, layer.version, layer.reads, layer.fan) for name, layer in self.layers.items()
        )
        return digest("recipe-2", self.engine, WINDOWS, versions)

    def names(self, messages: str, before: str | None, given: str = "") -> Names:
        """The names of all parts of a segment; `before` is the name of the messages of the segment before, and `given`
        what the engine was given about its exchanges."""
        extractions = self._extractions(messages, before, given)
        names = {"messages": messages, "extractions": extractions, "notes": extractions}
        for name, layer in self.layers.items():
            names[name] = leaf_name(layer, [names[each] for each in layer.reads])
        return names

    def _extractions(self, messages: str, before: str | None, given: str) -> str:
        # What is not there is left out, so engines that are given windows only keep the names they had.
        named = (
            digest("extractions-2", self.engine, WINDOWS, messages, before, *filter(None, (given, attempt)))
            for attempt in itertools.count()
        )
        newest = next(named)
        for following in named:
            if following not in self.made and newest not in self.again:
                break
            newest = following
        return newest


def cut(placed: Iterable[Numbered], naming: Naming) -> Iterator[Work]:
    """The conversation's segments in order."""
    current: list[Numbered] = []
    history: list[Numbered] = []
    before: Names | None = None
    for item in placed:
        if current and item.exchange_id // SPAN != current[0].exchange_id // SPAN:
            work = _work(current, history, before, naming)
            yield work
            before, history = work.names, _tail(current)
            current = []
        current.append(item)
    if current:
        yield _work(current, history, before, naming)


def _work(messages: list[Numbered], history: list[Numbered], before: Names | None, naming: Naming) -> Work:
    first = messages[0].message.conversation_id
    name = digest(
        "messages-2",
        first,
        [(item.seq, item.message_id, item.exchange_id, *_ROW(item.message)) for item in messages],
    )
    numbers = [item.turn for item in messages if item.turn is not None]
    turns = range(numbers[0], numbers[-1] + 1) if numbers else range(0)
    return Work(
        conversation_id=first,
        names=naming.names(name, before["messages"] if before else None, naming.given(first, turns)),
        messages=tuple(messages),
        history=tuple(history),
        exchanges=len({item.exchange_id for item in messages}),
    )


def _tail(messages: list[Numbered]) -> list[Numbered]:
    first = messages[-1].exchange_id - HISTORY_EXCHANGES + 1
    return [item for item in messages if item.exchange_id >= first]
