"""OpenAI messages as JSONL: a message a line with its `conversation_id`, or a conversation a line (`messages`).

Where the first message names no conversation, the file is one: its lines are bare `role` and `content`. A message's id
is its `id` or `message_id`, its time one of `normalise.TIMES`. Calls of tools, their results
and the items of the Responses interface are read as `agents` says; so are Anthropic's messages in such files (their
instructions stand beside them, in `system`), and LangChain's (`langchain`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from memfold.ingest.agents import Calls, as_message, messages_of
from memfold.ingest.langchain import as_openai
from memfold.ingest.mend import given, id_of
from memfold.ingest.normalise import (
    Untimed,
    attempt,
    filled,
    for_each,
    instructed,
    listed,
    mapping,
    name,
    titled,
    when,
)
from memfold.ingest.parts import Rejected, content_of, first, is_result
from memfold.ingest.recognise import PEEK, bare
from memfold.ingest.records import Value, values
from memfold.ingest.stream import by_line, head_of
from memfold.ingest.unit import Unit
from memfold.schema import DeadLetter, Item, Message, Notice

_CONTAINERS = re.compile(rb"messages")


def read(unit: Unit, ids: Sequence[str] = ("conversation_id",)) -> Iterator[Item]:
    """Messages line by line; a file that is one JSON document is read element by element. `ids` are the fields that may
    name a conversation."""
    label, calls = unit.label(), Calls()
    for part in unit.parts():
        head, _ = head_of(part, PEEK)
        file = label if bare(head, by_line(part.name), ids) else None
        if file is not None:
            yield Notice(f"{part.name}: its lines name no {ids[0]}: read as one conversation, {file!r}")
        for value in values(part, _CONTAINERS, partial(_whose, label, file, ids)):
            if isinstance(value, DeadLetter):
                yield value
            elif isinstance(value.data, dict) and "messages" in value.data:
                yield from filled(value, _conversation(label, ids, calls, value))
            else:
                named = _named(value.data, ids, file) if isinstance(value.data, dict) else None
                yield from attempt(value, value.place, None, _messages, named, value.data, calls)


def _whose(
    label: str, file: str | None, ids: Sequence[str], fields: dict[str, Any], number: int
) -> str | None:
    if "messages" in fields:
        return given(fields, *ids, "id") or f"{label}-{number}"
    return id_of(_named(fields, ids, file))


def _named(data: dict[str, Any], ids: Sequence[str], file: str | None) -> object:
    """What names a message's conversation: the first of `ids` that holds something, or the file if it has none."""
    return file if data.keys().isdisjoint(ids) else first(data, *ids)


def _conversation(label: str, ids: Sequence[str], calls: Calls, value: Value) -> Iterator[Item]:
    data = value.data
    named = (name(data.get(each)) for each in (*ids, "id"))
    conversation = next((each for each in named if each), f"{label}-{value.number}")
    turns = listed(data["messages"], "messages")
    yield from titled(conversation, data.get("title"))
    yield from instructed(value, conversation, data.get("system"), _turns(conversation, turns, calls, value))


def _turns(conversation: str, turns: Sequence[Any], calls: Calls, value: Value) -> Iterator[Item]:
    for number, turn in enumerate(turns, 1):
        place = f"{value.place} message {number}"
        yield from attempt(value, place, turn, _messages, conversation, turn, calls)


def _deeper(data: dict[str, Any]) -> str | None:
    """The field of a record in which an object with messages stands, as in requests of the Batch interface."""
    return next((key for key, inner in data.items() if isinstance(inner, dict) and "messages" in inner), None)


def _with_refusal(content: object, refusal: str) -> object:
    """A content with the message's refusal: instead of missing words, or behind the words, unless they repeat it. The
    results of tools stay behind it."""
    if not content:
        return refusal
    if not isinstance(content, (str, list)):
        return content
    said, words = content_of(content)[0], refusal.strip()
    # A single word may stand in others: "No" in "Nothing".
    if words in map(str.strip, said.splitlines()) or (" " in words and words in said):
        return content
    blocks = content if isinstance(content, list) else [content]
    returned = len(blocks)
    while returned and is_result(blocks[returned - 1]):
        returned -= 1
    return [*filter(None, blocks[:returned]), refusal, *blocks[returned:]]


def _messages(conversation: object, data: Any, calls: Calls) -> list[Message | Untimed]:
    data = as_message(as_openai(mapping(data)))
    if data.get("role") is None and (deeper := _deeper(data)):
        raise Rejected(
            f"no role and no messages: they stand in {deeper}: write what stands there as the line"
        )
    content, refusal, audio = data.get("content"), data.get("refusal"), data.get("audio")
    if not content and isinstance(audio, dict) and audio.get("transcript"):
        content = [{"type": "audio", "audio": audio}]
    if isinstance(refusal, str) and refusal.strip():
        content = _with_refusal(content, refusal)
    time, unread = when(data)
    made = messages_of(
        calls,
        conversation,
        data,
        data.get("role"),
        content,
        message_id=first(data, "id", "message_id"),
        time=time,
        session=data.get("session"),
        speaker=first(data, "speaker", "name"),
    )
    return for_each(unread, made)
