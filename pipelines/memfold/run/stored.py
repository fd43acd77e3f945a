"""Conversations as the store holds them, read to be indexed again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from memfold.run.reconcile import Identified
from memfold.schema import Message, blank
from memfold.store.live import table
from memfold.store.location import Location
from memfold.store.part import Part
from memfold.store.record import Record
from memfold.store.tables import Placed


@dataclass(frozen=True)
class Stored:
    """Conversations as the store holds them: a source (`memfold.run.job.Source`). A message named in `without`
    keeps its place and says nothing."""

    location: Location
    records: tuple[Record, ...] = ()
    without: frozenset[tuple[str, str]] = frozenset()

    def messages(self) -> Iterator[Message]:
        """Their messages, with the ids they have in the store."""
        for record in self.records:
            yield from self.of(record)

    def of(self, record: Record) -> Iterator[Message]:
        """The messages of one record."""
        for item in stored_messages(self._table, record.parts["messages"]):
            message = replace(item.message, message_id=item.message_id)
            yield blank(message) if (message.conversation_id, item.message_id) in self.without else message

    @cached_property
    def _table(self) -> Placed:
        return table(self.location, "messages")


def stored_messages(table: Placed, parts: Sequence[Part]) -> Iterator[Identified]:
    """The messages of some parts as they were read, each with its id in the store."""
    for part in parts:
        for row in table.take([part]).to_pylist():
            yield Identified(row["message_id"], None, Message.of(row))
