"""ShareGPT: conversations of turns `from` someone with a `value`, as one array or a conversation a line.

An `observation` answers the `function_call` before it, and has it as its speaker (see `agents`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from memfold.ingest.agents import Calls, messages_of, shown
from memfold.ingest.mend import given
from memfold.ingest.normalise import (
    ROLE,
    Untimed,
    attempt,
    each,
    for_each,
    instructed,
    listed,
    mapping,
    name,
    titled,
    when,
)
from memfold.ingest.parts import arguments_of, first
from memfold.ingest.records import Value
from memfold.ingest.unit import Unit
from memfold.schema import Item, Message

_CONTAINERS = re.compile(rb"conversations")


def read(unit: Unit) -> Iterator[Item]:
    """Messages in order, without ids, behind the conversation's `system`. A conversation without an id is called by its
    file's label and its position."""
    label = unit.label()

    def whose(fields: dict[str, Any], number: int) -> str | None:
        return given(fields, "id") or (f"{label}-{number}" if number else None)

    return each(unit, _CONTAINERS, partial(_conversation, label, Calls()), whose)


def _conversation(label: str, calls: Calls, value: Value) -> Iterator[Item]:
    data = mapping(value.data, "conversation")
    conversation = name(data.get("id")) or f"{label}-{value.number}"
    turns = listed(data.get("conversations"), "conversations")
    yield from titled(conversation, data.get("title"))
    yield from instructed(value, conversation, data.get("system"), _turns(conversation, turns, calls, value))


def _turns(conversation: str, turns: Sequence[Any], calls: Calls, value: Value) -> Iterator[Item]:
    for number, (turn, speaker) in enumerate(_answering(turns)):
        place = f"{value.place} conversations[{number}]"
        yield from attempt(value, place, turn, _turn, conversation, turn, speaker, calls)


def _answering(turns: Sequence[Any]) -> Iterator[tuple[Any, str | None]]:
    """Each turn, and the call that it answers: results answer the calls before them, in their order, and where none
    waits, the last one again."""
    waiting: list[str | None] = []
    last: str | None = None
    for turn in turns:
        who = first(turn, "from", "role") if isinstance(turn, dict) else None
        who = who.lower() if isinstance(who, str) else ""
        if who == "function_call":
            waiting.append(_called(first(turn, "value", "content")))
            yield turn, None
        elif ROLE.get(who) == "tool":
            last = waiting.pop(0) if waiting else last
            yield turn, last
        else:
            waiting, last = [], None
            yield turn, None


def _called(text: object) -> str | None:
    """A call, written as JSON with a name and arguments, or in any other way, in short."""
    if not isinstance(text, str):
        return None
    try:
        call = json.loads(text)
        if isinstance(call, dict) and isinstance(call.get("name"), str):
            text = f"{call['name']} {arguments_of(call)}"
    except (ValueError, RecursionError):
        pass
    return shown(text)


def _turn(conversation: str, turn: Any, speaker: str | None, calls: Calls) -> list[Message | Untimed]:
    turn = mapping(turn, "turn")
    said = first(turn, "value", "content")
    time, unread = when(turn)
    made = messages_of(
        calls, conversation, turn, first(turn, "from", "role"), said, time=time, speaker=speaker
    )
    return for_each(unread, made)
