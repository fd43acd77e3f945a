"""Claude's export, `conversations.json` or the zip that holds it: text and typed blocks. Attached text is kept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from memfold.ingest.normalise import (
    Rejected,
    attempt,
    carried,
    described,
    each,
    first,
    mapping,
    message,
    name,
    titled,
)
from memfold.ingest.records import Value, given
from memfold.ingest.unit import Unit
from memfold.schema import Item, Message

_CONTAINERS = re.compile(rb"chat_messages")


def read(unit: Unit) -> Iterator[Item]:
    """Messages conversation by conversation, in the export's order."""
    return each(unit, _CONTAINERS, _conversation, lambda fields, _: given(fields, "uuid"))


def _conversation(value: Value) -> Iterator[Item]:
    try:
        data = mapping(value.data, "conversation")
        conversation = name(data.get("uuid"))
        if conversation is None:
            raise Rejected("no uuid")
        turns = data.get("chat_messages")
        if not isinstance(turns, list):
            raise Rejected("chat_messages is not a list")
    except Rejected as error:
        yield value.refused(str(error))
        return
    yield from titled(conversation, data.get("name"))
    time = carried(data.get("created_at"), None)
    for number, turn in enumerate(turns):
        if isinstance(turn, dict):
            time = carried(turn.get("created_at"), time)
        yield attempt(value, f"{value.place} chat_messages[{number}]", turn, _turn, conversation, time, turn)


def _turn(conversation: str, time: datetime | None, turn: Any) -> Message:
    turn = mapping(turn)
    text, blocks = _said(turn)
    return message(
        conversation,
        turn.get("sender"),
        text,
        message_id=turn.get("uuid"),
        time=time,
        attachments=[*blocks, *_attached(turn)],
    )


def _said(turn: dict[str, Any]) -> tuple[object, list[str]]:
    """The text blocks' text, else the message's `text`; and what the other blocks are."""
    blocks = turn.get("content")
    if not isinstance(blocks, list):
        return first(turn, "text", "content"), []
    texts = [block for block in blocks if isinstance(block, str)]
    others = []
    for block in blocks:
        if isinstance(block, dict) and block.get("type") == "text" and isinstance(block.get("text"), str):
            texts.append(block["text"])
        elif isinstance(block, dict):
            others.append(described(block))
        elif not isinstance(block, str):
            raise Rejected(f"a content block of type {type(block).__name__}")
    return ("\n".join(texts) if texts else turn.get("text") or ""), others


def _attached(turn: dict[str, Any]) -> Iterator[str]:
    for key in ("attachments", "files"):
        entries = turn.get(key) or []
        if not isinstance(entries, list):
            raise Rejected(f"{key} is not a list")
        for entry in entries:
            entry = mapping(entry, key)
            text = entry.get("extracted_content")
            # A long paste becomes an attachment with its text in the export: it was said, so it is kept.
            yield described({"type": "file", **entry}) + (
                f"\n{text}" if isinstance(text, str) and text else ""
            )
