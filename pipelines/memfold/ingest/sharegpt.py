"""ShareGPT: conversations of turns `from` someone with a `value`, as one array or a conversation a line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Any

from memfold.ingest.agents import Calls, messages_of
from memfold.ingest.normalise import Rejected, attempts, each, first, mapping, name, titled
from memfold.ingest.records import Value, given
from memfold.ingest.unit import Unit
from memfold.schema import Item, Message

_CONTAINERS = re.compile(rb"conversations")


def read(unit: Unit) -> Iterator[Item]:
    """Messages in order, without times or ids. One without an id is its file's label and its position."""
    label = unit.label()

    def whose(fields: dict[str, Any], number: int) -> str | None:
        return given(fields, "id") or (f"{label}-{number}" if number else None)

    return each(unit, _CONTAINERS, partial(_conversation, label, Calls()), whose)


def _conversation(label: str, calls: Calls, value: Value) -> Iterator[Item]:
    try:
        data = mapping(value.data, "conversation")
        conversation = name(data.get("id")) or f"{label}-{value.number}"
        turns = data.get("conversations")
        if not isinstance(turns, list):
            raise Rejected("conversations is not a list")
    except Rejected as error:
        yield value.refused(str(error))
        return
    yield from titled(conversation, data.get("title"))
    for number, turn in enumerate(turns):
        place = f"{value.place} conversations[{number}]"
        yield from attempts(value, place, turn, _turn, conversation, turn, calls)


def _turn(conversation: str, turn: Any, calls: Calls) -> list[Message]:
    turn = mapping(turn, "turn")
    return messages_of(
        calls, conversation, turn, first(turn, "from", "role"), first(turn, "value", "content")
    )
