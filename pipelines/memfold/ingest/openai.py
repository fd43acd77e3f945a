"""OpenAI messages as JSONL: a message a line with its `conversation_id`, or a conversation a line (`messages`).

Where the first message names no conversation, the file is one: its lines are bare `role` and `content`. A message's id
is its `id` or `message_id`, its time `created_at` or `time`.

A time that cannot be read rejects its message: it is the writer's own field (see normalise).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Any

from memfold.ingest.normalise import (
    Rejected,
    attempt,
    described,
    filled,
    first,
    mapping,
    message,
    name,
    time_of,
    titled,
)
from memfold.ingest.recognise import PEEK, bare
from memfold.ingest.records import Value, by_line, given, head_of, values
from memfold.ingest.unit import Unit
from memfold.schema import DeadLetter, Item, Message, Notice

_CONTAINERS = re.compile(rb"messages")


def read(unit: Unit) -> Iterator[Item]:
    """Messages line by line; a file that is one JSON document is read element by element."""
    label = unit.label()
    for part in unit.parts():
        head, _ = head_of(part, PEEK)
        file = label if bare(head, by_line(part.name)) else None
        if file is not None:
            yield Notice(
                f"{part.name}: its lines name no conversation_id: read as one conversation, {file!r}"
            )
        for value in values(part, _CONTAINERS, partial(_whose, label, file)):
            if isinstance(value, DeadLetter):
                yield value
            elif isinstance(value.data, dict) and "messages" in value.data:
                yield from filled(value, _conversation(label, value))
            else:
                named = value.data.get("conversation_id", file) if isinstance(value.data, dict) else None
                yield attempt(value, value.place, None, _message, named, value.data)


def _whose(label: str, file: str | None, fields: dict[str, Any], number: int) -> str | None:
    if "messages" in fields:
        return given(fields, "conversation_id", "id") or f"{label}-{number}"
    return given(fields, "conversation_id") if "conversation_id" in fields else file


def _conversation(label: str, value: Value) -> Iterator[Item]:
    data = value.data
    try:
        conversation = name(data.get("conversation_id")) or name(data.get("id")) or f"{label}-{value.number}"
        if not isinstance(data["messages"], list):
            raise Rejected("messages is not a list")
    except Rejected as error:
        yield value.refused(str(error))
        return
    yield from titled(conversation, data.get("title"))
    for number, turn in enumerate(data["messages"], 1):
        yield attempt(value, f"{value.place} message {number}", turn, _message, conversation, turn)


def _message(conversation: object, data: Any) -> Message:
    data = mapping(data)
    calls = data.get("tool_calls") or ([data["function_call"]] if data.get("function_call") else [])
    if not isinstance(calls, list):
        raise Rejected("tool_calls is not a list")
    content = data.get("content")
    if content is None:
        # A call, or a refusal, stands in for words.
        content = data.get("refusal") or ("" if calls else None)
    return message(
        conversation,
        data.get("role"),
        content,
        message_id=first(data, "id", "message_id"),
        time=time_of(first(data, "created_at", "time")),
        session=data.get("session"),
        speaker=first(data, "speaker", "name"),
        attachments=[described({"type": "function", **mapping(call, "tool call")}) for call in calls],
    )
