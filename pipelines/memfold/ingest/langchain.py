"""LangChain's messages as JSON, in OpenAI's words: what `messages_to_dict`, `dumps` and `model_dump` make of them.

The reader of OpenAI's messages reads them, wherever it reads messages. In a file of them a conversation may also be
named by its `thread_id`, as LangGraph calls it.
"""

from __future__ import annotations

import re
from typing import Any

from memfold.ingest.normalise import listed, mapping
from memfold.ingest.parts import is_call, is_result

# What names a conversation, beside or around its messages.
NAMED = ("conversation_id", "thread_id")
# A message's type, or the name of its class.
_TYPE = re.compile(
    r"(?P<who>human|ai|system|tool|function|chat|developer)(?:message)?(?:chunk)?", re.IGNORECASE
)


def is_message(fields: dict[str, Any]) -> bool:
    """Whether an object has the outermost fields of such a message. Of the plain form only what a person or a model
    said counts: other objects may be of the type "system" or "tool"."""
    if "role" in fields:
        return False
    if "kwargs" in fields and "lc" in fields and fields.get("type") == "constructor":
        return True
    who = _who(fields.get("type"))
    return who in ("human", "ai") and ("data" in fields or "content" in fields)


def as_openai(data: dict[str, Any]) -> dict[str, Any]:
    """A message of LangChain as OpenAI would write it; anything else as it is."""
    kind, inner = data.get("type"), data
    if data.get("role") is not None:
        return data
    if kind == "constructor" and isinstance(data.get("kwargs"), dict):
        inner, path = data["kwargs"], data.get("id")
        kind = path[-1] if isinstance(path, list) and path else inner.get("type")
    elif isinstance(data.get("data"), dict):
        inner = data["data"]
    who = _who(kind)
    if who is None or "content" not in inner:
        return data
    around = {key: value for key, value in data.items() if key not in ("type", "id", "lc", "kwargs", "data")}
    made = {**around, **inner, "role": inner.get("role") if who == "chat" else who}
    content = inner["content"]
    if isinstance(content, list):
        content = [_block(part) for part in content]
    if who == "tool" and inner.get("status") == "error":
        return {**made, "content": [_result(inner, inner.get("tool_call_id"), content, failed=True)]}
    invalid = _listed(inner, "invalid_tool_calls")
    calls = list(map(_call, [*_listed(inner, "tool_calls"), *invalid]))
    made |= _of_maker(inner.get("additional_kwargs"), bool(calls))
    if calls:
        within = [part for part in content if is_call(part)] if isinstance(content, list) else []
        said = [part.get(key) for part in within for key in ("id", "call_id") if part.get(key) is not None]
        made["tool_calls"] = [call for call in calls if call.get("id") is None or call.get("id") not in said]
    # The reason why a call is invalid counts as what the call returned.
    errors = [
        _result(call, call.get("id"), call["error"], failed=True) for call in invalid if call.get("error")
    ]
    if errors:
        blocks = content if isinstance(content, list) else [content or ""]
        # The empty text keeps the assistant's message, which makes the call, before the result.
        content = [*([""] if all(map(is_result, blocks)) else []), *blocks, *errors]
    return {**made, "content": content}


def _of_maker(more: object, calls: bool) -> dict[str, Any]:
    """The refusal, the thought and the calls in the words of the model's maker; no calls if LangChain lists `calls`
    itself."""
    keys = ("refusal", "reasoning_content", "reasoning", *(() if calls else ("tool_calls", "function_call")))
    return {key: more[key] for key in keys if more.get(key)} if isinstance(more, dict) else {}


def _block(part: object) -> object:
    """A block of LangChain's own as OpenAI or Anthropic would write it; any other as it is, without the frame that
    LangChain puts around a block that only its maker knows."""
    if isinstance(part, dict) and part.get("type") == "non_standard" and isinstance(part.get("value"), dict):
        return part["value"]
    if isinstance(part, dict) and part.get("type") == "server_tool_result" and "content" not in part:
        failed = part.get("status") == "error"
        return _result(part, part.get("tool_call_id"), part.get("output"), failed=failed)
    return part


def _result(message: dict[str, Any], call: object, content: object, *, failed: bool) -> dict[str, Any]:
    """What the call that a `message` names returned, as a block."""
    told = {"type": "tool_result", "tool_use_id": call, "name": message.get("name")}
    return {**told, "content": content, "is_error": failed}


def _who(kind: object) -> str | None:
    found = _TYPE.fullmatch(kind) if isinstance(kind, str) else None
    return found["who"].lower() if found else None


def _listed(message: dict[str, Any], key: str) -> list[dict[str, Any]]:
    return [mapping(call, "tool call") for call in listed(message.get(key) or [], key)]


def _call(call: dict[str, Any]) -> dict[str, Any]:
    function = {"name": call.get("name"), "arguments": call.get("args")}
    # Some write OpenAI's own calls there.
    return call if "function" in call else {"id": call.get("id"), "type": "function", "function": function}
