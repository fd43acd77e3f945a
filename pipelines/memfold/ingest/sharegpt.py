"""ShareGPT: conversations of turns `from` someone with a `value`, as one array or a conversation a line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from memfold.ingest.normalise import Rejected, attempt, each, mapping, message, name
from memfold.ingest.records import Value
from memfold.ingest.unit import Unit
from memfold.schema import DeadLetter, Message

_CONTAINERS = re.compile(rb"conversations")


def read(unit: Unit) -> Iterator[Message | DeadLetter]:
    """Messages in order, without times or ids. A conversation without an id is its file's name and its position."""
    return each(unit, _CONTAINERS, lambda value: _conversation(unit.path.stem, value))


def _conversation(stem: str, value: Value) -> Iterator[Message | DeadLetter]:
    try:
        data = mapping(value.data, "conversation")
        given = name(data.get("id")) or f"{stem}-{value.number}"
        turns = data.get("conversations")
        if not isinstance(turns, list):
            raise Rejected("conversations is not a list")
    except Rejected as error:
        yield value.letter(value.place, str(error))
        return
    for number, turn in enumerate(turns):
        yield attempt(value, f"{value.place} conversations[{number}]", turn, _turn, given, turn)


def _turn(conversation: str, turn: Any) -> Message:
    turn = mapping(turn, "turn")
    return message(conversation, turn.get("from", turn.get("role")), turn.get("value", turn.get("content")))
