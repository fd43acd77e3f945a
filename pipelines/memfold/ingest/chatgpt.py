"""ChatGPT's export: `conversations.json`, its split files, or the zip. A conversation is a tree of messages.

Order: depth first from the root, an older branch before a newer one, so that a conversation that grew reads
as before. The visible thread is `current_node` up to the root; what lies beside it has `current` False.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from memfold.ingest.mend import given
from memfold.ingest.normalise import attempt, carried, each, mapping, message, name, titled
from memfold.ingest.parts import Rejected, described
from memfold.ingest.records import Value
from memfold.ingest.unit import Unit
from memfold.schema import Item, Message

_CONTAINERS = re.compile(rb"mapping")
_WORDS = (
    *("title", "text", "result", "summary", "content"),
    *("user_profile", "user_instructions", "model_set_context"),
)


def read(unit: Unit) -> Iterator[Item]:
    """Messages conversation by conversation. A time is a message's own: none is carried from its neighbours."""
    return each(unit, _CONTAINERS, _conversation, lambda fields, _: given(fields, "conversation_id", "id"))


def _conversation(value: Value) -> Iterator[Item]:
    data = mapping(value.data, "conversation")
    conversation = name(data.get("conversation_id")) or name(data.get("id"))
    if conversation is None:
        raise Rejected("no conversation_id")
    nodes = mapping(data.get("mapping"), "mapping")
    yield from titled(conversation, data.get("title"))
    order = preorder(nodes)
    shown = thread(nodes, data.get("current_node"), order)
    for node_id in order:
        node = nodes[node_id]
        if isinstance(node, dict) and "message" in node and node["message"] is None:
            continue
        place = f"{value.place} mapping[{node_id[:80]!r}]"
        yield from attempt(value, place, node, _message, conversation, node, node_id in shown)


def preorder(nodes: dict[str, Any]) -> list[str]:
    """Every node once: parents before children, children in the order their parent lists them."""
    children: dict[str | None, list[str]] = {}
    for node_id in nodes:
        children.setdefault(_parent(nodes, node_id), []).append(node_id)
    for parent, known in children.items():
        listed = nodes[parent].get("children") if parent is not None else None
        if isinstance(listed, list):
            place = {child: position for position, child in enumerate(listed) if isinstance(child, str)}
            known.sort(key=lambda child: place.get(child, len(place)))
    seen: dict[str, None] = {}
    # A loop of parents has no root: whatever is left after the roots starts one.
    for start in (*children.get(None, ()), *nodes):
        ahead = [start]
        while ahead:
            node_id = ahead.pop()
            if node_id not in seen:
                seen[node_id] = None
                ahead.extend(reversed(children.get(node_id, ())))
    return list(seen)


def thread(nodes: dict[str, Any], current: object, order: list[str]) -> set[str]:
    """From the current node up to its root; from the newest leaf where the export names none."""
    node_id = current if isinstance(current, str) and current in nodes else (order[-1] if order else None)
    shown: set[str] = set()
    while node_id is not None and node_id not in shown:
        shown.add(node_id)
        node_id = _parent(nodes, node_id)
    return shown


def _parent(nodes: dict[str, Any], node_id: str) -> str | None:
    node = nodes[node_id]
    parent = node.get("parent") if isinstance(node, dict) else None
    return parent if isinstance(parent, str) and isinstance(nodes.get(parent), dict) else None


def _message(conversation: str, node: Any, current: bool) -> list[Message]:
    said = mapping(mapping(node, "node").get("message"))
    author = mapping(said.get("author"), "author")
    text, others = _said(mapping(said.get("content"), "content"))
    made = message(
        conversation,
        author.get("role"),
        text,
        message_id=name(said.get("id")) or node.get("id"),
        time=carried(said.get("create_time"), None),
        speaker=author.get("name"),
        attachments=[*others, *_attached(said)],
        current=current,
    )
    return [made]


def _said(content: dict[str, Any]) -> tuple[str, list[str]]:
    parts = content.get("parts")
    if parts is None and (thought := _thought(content.get("thoughts"))):
        return "", [f"thinking {thought}"]
    if parts is None:
        words = [content[key] for key in _WORDS if isinstance(content.get(key), str)]
        return "\n".join(words), [] if words else [described(content)]
    if not isinstance(parts, list):
        raise Rejected("the content's parts are not a list")
    texts: list[str] = []
    others: list[str] = []
    for part in parts:
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, dict) and isinstance(part.get("text"), str):
            texts.append(part["text"])
        elif isinstance(part, dict):
            others.append(described(part))
        elif part is not None:
            raise Rejected(f"a content part of type {type(part).__name__}")
    return "\n".join(texts), others


def _thought(steps: object) -> str:
    """The words of what a model thought, step by step, each with its summary before it."""
    listed = [step for step in (steps if isinstance(steps, list) else []) if isinstance(step, dict)]
    words = [step.get(key) for step in listed for key in ("summary", "content")]
    return "\n".join(each for each in words if isinstance(each, str) and each.strip())


def _attached(said: dict[str, Any]) -> Iterator[str]:
    metadata = said.get("metadata")
    files = metadata.get("attachments") if isinstance(metadata, dict) else None
    for file in files if isinstance(files, list) else ():
        yield described({"type": "file", **mapping(file, "attachment")})
