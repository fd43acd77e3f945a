"""Codex's logs, `~/.codex/sessions/…/rollout-….jsonl`: a record a line, a file a session and a conversation.

Read are the lines of type response_item, which hold items of OpenAI's Responses (see `agents`), and the summary that a
compaction leaves, as the system's words. The file's first session_meta names the conversation. An early Codex wrote the
bare payloads, without times. What the program wrote of a user's message (instructions, the environment, notifications,
what an editor shows) is the system's, and in a sub-agent's session all of it. Other lines are passed over and counted:
event_msg repeats what items say, and a thought without words is encrypted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from memfold.ingest.agents import Calls, as_message, messages_of
from memfold.ingest.logs import NO_CONTAINER, Frames, Stretches, of_user, stretches
from memfold.ingest.mend import given
from memfold.ingest.normalise import attempt, carried, mapping, name
from memfold.ingest.parts import Rejected, thought
from memfold.ingest.records import values
from memfold.ingest.unit import Unit
from memfold.schema import DeadLetter, Item, Message

# Tags that the program writes, each at the start of a line.
_OPENING = re.compile(
    r"^[ \t]*+<(?P<tag>user_instructions|environment_context|INSTRUCTIONS|turn_aborted|subagent_notification|skill"
    r"|user_shell_command|additional_context|hook_prompt|goal_context|codex_internal_context|recommended_plugins"
    r"|permissions instructions|collaboration_mode|personality_spec)(?=[ >])[^>\n]*>",
    re.MULTILINE,
)
_WHOLE = re.compile(
    r"\s*+(?:# AGENTS\.md instructions for |Another language model started to solve this problem)"
)
# What an editor shows, and the heading behind which the user speaks.
_EDITOR, _REQUEST = (
    "# Context from my IDE setup:",
    re.compile(r"^## My request for Codex:[ \t]*\r?\n", re.MULTILINE),
)
# The items that `agents` reads. Others, such as a snapshot of files, are no messages.
ITEM = re.compile(r"message|reasoning|\w+_call(?:_output)?", re.ASCII)


def read(unit: Unit) -> Iterator[Item]:
    """Messages line by line. What is no message is told in one notice at the end of the file."""
    calls, frames = Calls(), Frames()
    for part in unit.parts():
        session = _Session(unit.label())
        for value in values(part, NO_CONTAINER, session.whose):
            if isinstance(value, DeadLetter):
                yield value
            else:
                said = (session.name, value.data, session, frames, calls)
                yield from attempt(value, value.place, None, _messages, *said)
    yield from frames.told()


class _Session:
    """What the lines so far say of those that follow."""

    def __init__(self, label: str) -> None:
        self.name, self.named = label, False
        self.of_user = True
        self.time: datetime | None = None

    def whose(self, fields: dict[str, Any], number: int) -> str:
        return self.name

    def begin(self, meta: dict[str, Any]) -> None:
        """Take what the first record says; a session that goes on from another one repeats that one's."""
        if self.named:
            return
        self.name, self.named = given(meta, "id", "session_id") or self.name, True
        source = meta.get("source")
        self.of_user = not (isinstance(source, dict) and "subagent" in source)


def _messages(conversation: str, data: Any, session: _Session, frames: Frames, calls: Calls) -> list[Message]:
    """The messages of a record; none of a frame, which is counted."""
    data = _framed(mapping(data, "record"))
    kind, payload = data.get("type"), data.get("payload")
    if not isinstance(kind, str):
        raise Rejected("a record without a type")
    session.time = carried(data.get("timestamp"), session.time)
    if kind == "session_meta" and isinstance(payload, dict):
        session.begin(payload)
    item = _item(kind, mapping(payload, "payload")) if kind in ("response_item", "compacted") else None
    if item is None:
        frames.add(kind, payload.get("type") if isinstance(payload, dict) else None)
        return []
    item = as_message(item)
    content, role = item.get("content"), item.get("role")
    message_id, speaker = name(item.get("id")), item.get("author")
    if role != "user":
        return messages_of(
            calls,
            conversation,
            item,
            role,
            content,
            message_id=message_id,
            time=session.time,
            speaker=speaker,
        )
    cut = _cut if session.of_user else None
    return of_user(calls, conversation, content, cut, message_id=message_id, time=session.time)


def _framed(data: dict[str, Any]) -> dict[str, Any]:
    """A record of an early Codex, put into the frame of later ones. Other records stay as they are."""
    kind = data.get("type")
    if "payload" in data or "record_type" in data:
        return {"type": data.get("record_type"), **data}
    if kind is None and "id" in data and "timestamp" in data:
        return {"type": "session_meta", "timestamp": data["timestamp"], "payload": data}
    if isinstance(kind, str) and ITEM.fullmatch(kind):
        return {"type": "response_item", "payload": data}
    return data


def _item(kind: str, payload: dict[str, Any]) -> dict[str, Any] | None:
    """The item of Responses that a record holds, if it is a message."""
    if kind == "compacted":
        return {"role": "system", "content": payload["message"]} if payload.get("message") else None
    inner = payload.get("type")
    if inner == "agent_message" and payload.get("content"):
        return {**payload, "role": "system"}
    if inner == "reasoning":
        return payload if thought(payload) else None
    return payload if not isinstance(inner, str) or ITEM.fullmatch(inner) else None


def _cut(text: str) -> Stretches:
    asked = _REQUEST.search(text) if text.lstrip().startswith(_EDITOR) else None
    if asked is not None:
        return [(True, text[: asked.end()]), *([(False, text[asked.end() :])] if text[asked.end() :] else [])]
    return stretches(text, _OPENING, _WHOLE)
