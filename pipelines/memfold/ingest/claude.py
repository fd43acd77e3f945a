"""Claude's export, `conversations.json` or the zip that holds it: text and typed blocks. Attached text is kept.

Calls of tools and their results, which stand among an answer's blocks, are read as `agents` says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from functools import partial
from typing import Any

from memfold.ingest.agents import Calls, messages_of
from memfold.ingest.mend import given
from memfold.ingest.normalise import attempt, carried, each, listed, mapping, name, titled
from memfold.ingest.parts import Rejected, described, first
from memfold.ingest.records import Value
from memfold.ingest.unit import Unit
from memfold.schema import Item, Message

_CONTAINERS = re.compile(rb"chat_messages")


def read(unit: Unit) -> Iterator[Item]:
    """Messages conversation by conversation, in the export's order."""
    return each(unit, _CONTAINERS, partial(_conversation, Calls()), lambda fields, _: given(fields, "uuid"))


def _conversation(calls: Calls, value: Value) -> Iterator[Item]:
    data = mapping(value.data, "conversation")
    conversation = name(data.get("uuid"))
    if conversation is None:
        raise Rejected("no uuid")
    turns = listed(data.get("chat_messages"), "chat_messages")
    yield from titled(conversation, data.get("name"))
    time = carried(data.get("created_at"), None)
    for number, turn in enumerate(turns):
        if isinstance(turn, dict):
            time = carried(turn.get("created_at"), time)
        place = f"{value.place} chat_messages[{number}]"
        yield from attempt(value, place, turn, _turn, conversation, time, turn, calls)


def _turn(conversation: str, time: datetime | None, turn: Any, calls: Calls) -> list[Message]:
    turn = mapping(turn)
    return messages_of(
        calls,
        conversation,
        turn,
        turn.get("sender"),
        _said(turn),
        message_id=turn.get("uuid"),
        time=time,
        attachments=[*_attached(turn)],
    )


def _said(turn: dict[str, Any]) -> object:
    """The blocks; the message's `text` stands for those of text where none has words."""
    blocks, text = turn.get("content"), turn.get("text")
    if not isinstance(blocks, list):
        return first(turn, "text", "content")
    texts = [_text(block) for block in blocks]
    if not text or any(each and each.strip() for each in texts):
        return blocks
    if not isinstance(text, str):
        raise Rejected(f"a text of type {type(text).__name__}")
    return [text, *(block for block, each in zip(blocks, texts, strict=True) if each is None)]


def _text(block: object) -> str | None:
    """The text of a block; None if it is not one of text."""
    if isinstance(block, dict) and block.get("type") == "text":
        block = block.get("text")
    return block if isinstance(block, str) else None


def _attached(turn: dict[str, Any]) -> Iterator[str]:
    for key in ("attachments", "files"):
        for entry in listed(turn.get(key) or [], key):
            entry = mapping(entry, key)
            text = entry.get("extracted_content")
            # A long paste becomes an attachment with its text in the export: it was said, so it is kept.
            yield described({"type": "file", **entry}) + (
                f"\n{text}" if isinstance(text, str) and text else ""
            )
