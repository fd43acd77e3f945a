"""What agents' histories hold besides words: what tools are asked (calls) and what they return (results).

A call stays with the message that makes it, as an attachment: the tool's name and the arguments, whole. A result is a
message of the role "tool", also where a source puts it into a user's message or an answer. It has the call as its
speaker, because much that tools return ({"temp_c": -7}) does not say what was asked.

Knows the calls of OpenAI's messages, the items of its Responses, and the blocks of Anthropic's messages. Knows nothing
of files, and of results whose call stands in another file it has only the tool's name, where they give it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from memfold.given import storable
from memfold.ingest.normalise import listed, mapping, message, name, role_of
from memfold.ingest.parts import (
    Rejected,
    arguments_of,
    described,
    dumped,
    first,
    is_call,
    is_result,
    is_thought,
    thought,
)
from memfold.schema import Message

# How much of a call a result's speaker shows, in characters.
SHOWN = 160
# How many calls of one reading are known; the oldest are forgotten.
CALLS = 1 << 14
_CUT = "…"
# Where a model's makers and their servers put its thought, beside what it said.
_THOUGHTS = ("reasoning_content", "reasoning", "thinking")
# Calls that name their tool. The type of any other `…_call` is its tool.
_NAMING = ("function_call", "custom_tool_call", "mcp_call")


class Calls:
    """What tools were asked, in one reading of a file, by conversation and the call's id.

    A call without an id is known by its tool's name, unless another call of that tool waits too. An answered call stays
    known: a result that is delivered twice must say the same twice.
    """

    def __init__(self) -> None:
        self._shown: OrderedDict[tuple[str, str, bool], str] = OrderedDict()
        self._waiting: set[tuple[str, str, bool]] = set()

    def add(self, conversation: str, call: dict[str, Any]) -> None:
        """Note a call. Raises Rejected where its name or its id is none."""
        inner = call.get(call["type"])
        tool = name(call.get("name")) or (name(inner.get("name")) if isinstance(inner, dict) else None)
        tool = tool or _tool(call["type"])
        called = name(first(call, "call_id", "id"))
        if tool is None:
            return
        shown = _line(f"{tool} {arguments_of(call)}")
        at = (conversation, called or tool, called is not None)
        if called is None and at in self._waiting and self._shown[at] != shown:
            shown = _line(tool)
        self._shown[at] = shown if storable(shown) else ""
        self._shown.move_to_end(at)
        self._waiting.add(at)
        if len(self._shown) > CALLS:
            oldest, _ = self._shown.popitem(last=False)
            self._waiting.discard(oldest)

    def answered(self, conversation: str, called: object, tool: object) -> str | None:
        """Who speaks in a result: the call it answers, else the tool's name. Raises Rejected where these are none."""
        called, tool = name(called), name(tool)
        at = (conversation, called or tool or "", called is not None)
        self._waiting.discard(at)
        return self._shown.get(at) or (_line(tool) or None if tool else None)


def shown(call: str) -> str | None:
    """A call as the speaker of its result; None where it cannot be stored."""
    line = _line(call)
    return line if line and storable(line) else None


def _tool(kind: str) -> str | None:
    """The tool that a call of a type asks, if the type says so."""
    return kind if kind.endswith("_call") and kind not in _NAMING else None


def _line(text: str) -> str:
    """On one line, so that no argument looks like another message, and no longer than `SHOWN`."""
    line = " ".join(text.split())
    return line if len(line) <= SHOWN else line[: SHOWN - len(_CUT)] + _CUT


def messages_of(
    calls: Calls,
    conversation: object,
    data: dict[str, Any],
    role: object,
    content: object,
    *,
    message_id: object = None,
    time: datetime | None = None,
    session: object = None,
    speaker: object = None,
    attachments: Sequence[str] = (),
) -> list[Message]:
    """The messages that one message of a source is: one, or where tools' results are among its blocks, in order, each
    result and what stands between them.

    The first of its own role, or where there is none the first of all, keeps the message's id. The others have that id
    and their place among them (`a#2`), so that they are called the same each time. `attachments`, and what `data` calls
    besides its content, belong to the last of its own role. What an assistant thought stands before its content.
    """
    known, own = role_of(role), name(conversation) or ""
    asked = list(_asked(data))
    if known == "assistant":
        content = _behind_thought(data, content)
    pieces = divided("" if content is None and asked else content)
    apart = [*attachments, *map(described, asked)]
    if apart and all(map(is_result, pieces)):
        pieces.append([])
    places = [place for place, piece in enumerate(pieces) if not is_result(piece)]
    kept, called = (places or [0])[0], name(message_id)
    made = []
    for place, piece in enumerate(pieces):
        who, more = speaker, []
        if isinstance(piece, dict) and is_result(piece):
            who = calls.answered(own, first(piece, "tool_use_id", "call_id"), first(piece, "name"))
        else:
            for call in piece if isinstance(piece, list) else ():
                if is_call(call):
                    calls.add(own, call)
            if place == places[-1]:
                more = apart
                for call in asked:
                    calls.add(own, call)
            if known == "tool" and data.get("speaker") is None:
                answers = first(data, "tool_call_id", "tool_use_id", "call_id")
                who = calls.answered(own, answers, first(data, "name")) or speaker
        made.append(
            message(
                conversation,
                role,
                [piece] if isinstance(piece, dict) and is_result(piece) else piece,
                message_id=called if called is None or place == kept else f"{called}#{place + 1}",
                time=time,
                session=session,
                speaker=who,
                attachments=more,
            )
        )
    return made


def divided(content: object) -> list[Any]:
    """Each result by itself, and the runs of blocks between them; content without results as it is."""
    if not isinstance(content, list) or not any(map(is_result, content)):
        return [content]
    pieces: list[Any] = []
    for block in content:
        if is_result(block):
            pieces.append(block)
        elif pieces and isinstance(pieces[-1], list):
            pieces[-1].append(block)
        else:
            pieces.append([block])
    return pieces


def _behind_thought(data: dict[str, Any], content: object) -> object:
    """The content, with the thought that stands beside it in the message put in front, unless the content already holds
    that thought."""
    if not isinstance(content, (str, list, type(None))):
        return content
    for key in _THOUGHTS:
        value = data.get(key)
        inner = value if isinstance(value, dict) else {"content": value}
        block = {**inner, "type": key if key in inner else "reasoning"}
        # A setting ({"effort": "high", "summary": "auto"}) is no thought.
        if "effort" not in inner and (words := thought(block)) not in ("enabled", "disabled", ""):
            break
    else:
        return content
    blocks = content if isinstance(content, list) else [] if content is None else [content]
    repeated = words in [thought(each) for each in blocks if isinstance(each, dict) and is_thought(each)]
    return content if repeated else [block, *blocks]


def _asked(data: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The calls that a message makes besides its content."""
    calls = data.get("tool_calls") or ([data["function_call"]] if data.get("function_call") else [])
    for call in listed(calls, "tool_calls"):
        call = mapping(call, "tool call")
        # Whatever it calls itself, it stands where calls do.
        named = is_call(call) and not isinstance(call.get("function"), dict)
        yield call if named else {**call, "type": "function"}


def as_message(data: dict[str, Any]) -> dict[str, Any]:
    """An item of OpenAI's Responses that has no role, as the message with blocks that it stands for. Rejected is a
    thought of which only a cipher is left."""
    kind = data.get("type")
    if data.get("role") is not None or not isinstance(kind, str):
        return data
    # The name is the tool's, and not who speaks.
    rest = {key: value for key, value in data.items() if key != "name"}
    if kind.endswith("_call_output"):
        return {
            **rest,
            "role": "tool",
            "content": [_result(data, kind.removesuffix("_output"), _output(data))],
        }
    if kind.endswith("_call"):
        call = {**data, "type": "function" if kind == "function_call" else kind}
        found = _output(data)
        blocks = [call] if found is None else [call, _result(data, kind, found)]
        return {**rest, "role": "assistant", "content": blocks}
    if kind == "reasoning":
        if not thought(data):
            raise Rejected("a reasoning item without words")
        return {**rest, "role": "assistant", "content": [data]}
    raise Rejected(f"an item without a role: its type is {kind[:40]}")


def _output(data: dict[str, Any]) -> object:
    """What an item's tool returned, and how it failed."""
    found, error = first(data, "output", "outputs", "results"), data.get("error")
    if not error or (error is True and found):
        return found
    failed = error if isinstance(error, (str, list, dict)) else dumped(error)
    return [*(found if isinstance(found, list) else [found] if found else []), failed]


def _result(data: dict[str, Any], kind: str, found: object) -> dict[str, Any]:
    """The block that holds what the tool of an item of a `kind` returned."""
    failed = data.get("status") == "failed" or bool(data.get("error"))
    return {
        "type": "tool_result",
        "tool_use_id": first(data, "call_id", "id"),
        "name": data.get("name") or _tool(kind),
        "content": found,
        "is_error": failed,
    }
