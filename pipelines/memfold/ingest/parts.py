"""The typed parts that a message's content is made of: text, calls of tools and what they returned, media.

Words are kept wherever they stand; what has none is described in a few words, and bytes that are written out (base64)
are left out. What a model thought was not said: it is a description, with its words. Knows no message, no role and no
format's frame around one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from memfold.schema import CALL, THOUGHT

# A tuple: a part's type may be anything JSON can say, also what has no hash.
_TEXT_PARTS = ("text", "input_text", "output_text")
# The types of parts that ask a tool, that hold what a tool returned, and that have no words of their own.
_CALL = re.compile(CALL, re.ASCII)
_THOUGHT = re.compile(THOUGHT)
_RESULT = re.compile(r"(?:\w+_)?tool_result", re.ASCII)
_MEDIA = re.compile(r"image|screenshot|audio|video|file|document|media|resource")
# The types of a result's parts that are no tool's own data but a known frame around words, and where those stand.
_FRAME = re.compile(
    r"search_result|web_(?:search|fetch)_result|\w*execution_(?:\w+_)?result|knowledge|logs", re.ASCII
)
_INSIDE = ("title", "text", "stdout", "stderr", "logs", "content")
# What holds a medium or its address, what is said of its form, and where its words may stand.
_HOLDERS = ("source", "resource", "file", "image_url", "image_file", "audio", "input_audio", "video_url")
_ADDRESSES = ("url", "uri", "file_id", "image_url", "video_url")
_FORMATS = ("media_type", "mimeType", "mime_type", "format")
_FORM = ("type", "source_type", *_FORMATS, "detail", "cache_control", "citations", "_meta")
_NAMES = ("name", "file_name", "filename")
_BESIDE = (*_INSIDE, "context", "transcript", "data", *_HOLDERS)
# The same of a part that no tool returned, in the order of its attachment.
_WORDS = ("title", "context", "text", "content", "transcript", "stdout", "stderr", "logs", "data")
_BYTES = ("data", "blob", "file_data", "b64_json")
# Types with which a holder declares text.
_TEXTUAL = re.compile(r"text(?:/.*)?|txt", re.DOTALL)
_DATA_URL = re.compile(r"data:[^,]{0,200};base64,", re.ASCII)
# Base64 has no blanks and is broken into long lines, if at all.
_BASE64 = re.compile(r"(?:[\w+/-]{60,}+\s++)*+[\w+/-]*+={0,2}\s*+", re.ASCII)
_LONG = 256
# What an item of the Responses says that is no argument of the call.
_NO_ARGUMENT = (
    *("id", "call_id", "type", "status", "name", "output", "outputs", "result", "results", "error"),
    *("role", "content", "conversation_id", "message_id", "time", "created_at", "session", "speaker"),
)


class Rejected(ValueError):
    """Why a piece of a source is no message."""


def first(data: Mapping[str, Any], *keys: str) -> Any:
    """What stands under the first of `keys` that holds more than null; None where none does."""
    return next((data[key] for key in keys if data.get(key) is not None), None)


def content_of(data: object, *, of_tool: bool = False) -> tuple[str, tuple[str, ...]]:
    """Text and descriptions of what is not text, from a string or a list of typed parts. The content is `of_tool` if a
    tool sent it."""
    if isinstance(data, str):
        return data, ()
    if not isinstance(data, list):
        raise Rejected(
            "no content" if data is None else f"content of type {type(data).__name__}, not a string"
        )
    texts: list[str] = []
    others: list[str] = []
    for part in data:
        if isinstance(part, str):
            texts.append(part)
        elif not isinstance(part, dict):
            raise Rejected(f"a content part of type {type(part).__name__}")
        elif part.get("type") in _TEXT_PARTS and isinstance(part.get("text"), str):
            texts.append(part["text"])
        elif is_thought(part):
            others.append(f"{part['type']} {thought(part)}".rstrip())
        elif part.get("type") == "refusal" and isinstance(part.get("refusal"), str):
            texts.append(part["refusal"])
        elif of_tool and (document := _document(part)):
            # Nobody said the words of a document that they attached. A tool returned them.
            texts.append("\n".join(document))
        elif is_result(part):
            text, within = returned(part)
            texts.append(text)
            others += within
        else:
            said, beside = _said(part)
            texts += [said] if said else []
            if not said or _MEDIA.search(str(part.get("type"))):
                others.append(f"{described(_sourced(part))} {beside}".rstrip())
    return "\n".join(texts), tuple(others)


def _said(part: dict[str, Any]) -> tuple[str, str]:
    """The words of a part of any other type that were said, and those of which that is not known. A transcript was
    said, and a text that is an object (in a thread of OpenAI's Assistants) or stands alone. A text or content of an
    unknown type may be a document's, a tool's or a thought. A call's words are what it hands to its tool."""
    if is_call(part):
        return "", ""
    kind, text = part.get("type"), part.get("text")
    inner = part.get(kind) if isinstance(kind, str) else None
    for holder in (part, inner):
        if isinstance(holder, dict) and isinstance(holder.get("transcript"), str):
            return holder["transcript"], ""
    if kind == "text" and isinstance(text, dict) and isinstance(text.get("value"), str):
        return text["value"], ""
    if (
        isinstance(text, str)
        and part.keys() <= {"text", "block_type"}
        and part.get("block_type", "text") == "text"
    ):
        return text, ""
    try:
        return "", _beside(part)
    except RecursionError:
        raise Rejected("a content part that is nested too deep") from None


def _beside(part: dict[str, Any]) -> str:
    """The words in a part, under the names that words and what holds them have."""
    found: list[str] = []
    for key in dict.fromkeys((*_WORDS, *_HOLDERS, str(part.get("type")))):
        each = part.get(key)
        form = _form_of(part) if key in _HOLDERS else {}
        pieces = [
            _beside({**form, **one}) if isinstance(one, dict) else one
            for one in (each if isinstance(each, list) else [each])
            if isinstance(one, dict) or (isinstance(one, str) and _is_words(key, one, part))
        ]
        if words := "\n".join(one for one in pieces if one.strip()):
            found.append(words)
    return " ".join(dict.fromkeys(found))


def _form_of(part: dict[str, Any]) -> dict[str, Any]:
    """The form that a part declares, which also holds for its members."""
    return {key: part[key] for key in _FORMATS if key in part}


def _is_words(key: str, text: str, holder: dict[str, Any]) -> bool:
    """Whether a text in a part is words. What stands in the place of a medium's holder is its address."""
    told = key in _WORDS and (key != "data" or _textual(holder))
    return told and not _encoded(key, text, holder)


def _document(part: dict[str, Any]) -> list[str]:
    """The words of an attached document."""
    if part.get("type") != "text-plain" or not isinstance(part.get("text"), str):
        return []
    return [part[key] for key in ("title", "context", "text") if isinstance(part.get(key), str)]


def is_call(part: object) -> bool:
    """Whether a part asks a tool for something."""
    return _is(_CALL, part)


def is_result(part: object) -> bool:
    """Whether a part holds what a tool returned."""
    return _is(_RESULT, part)


def is_thought(part: object) -> bool:
    """Whether a part holds what a model thought."""
    return _is(_THOUGHT, part)


def thought(part: dict[str, Any]) -> str:
    """The words of a model's thought, or their summary. Empty if only a signature or encrypted text is left."""
    for found in (part.get(part["type"]), part.get("content"), part.get("summary"), part.get("text")):
        pieces = found if isinstance(found, list) else [found]
        texts = [each.get("text") if isinstance(each, dict) else each for each in pieces]
        if words := "\n".join(each for each in texts if isinstance(each, str) and each.strip()):
            return words
    return ""


def _is(kinds: re.Pattern[str], part: object) -> bool:
    kind = part.get("type") if isinstance(part, dict) else None
    return isinstance(kind, str) and kinds.fullmatch(kind) is not None


def arguments_of(call: dict[str, Any]) -> str:
    """What a call hands to its tool: the source's string as it stands, or JSON of anything else; of a Responses item
    that names no arguments, all that it asks."""
    kind = call.get("type")
    inner = call.get(kind) if isinstance(kind, str) else None
    for holder in (inner, call):
        if isinstance(holder, dict):
            found = first(holder, "arguments", "input", "action", "code")
            if found is not None:
                return found if isinstance(found, str) else dumped(found)
    if not isinstance(kind, str) or not kind.endswith("_call"):
        return ""
    rest = {
        key: value
        for key, value in call.items()
        if key not in _NO_ARGUMENT and key != kind and value not in (None, "", [], {})
    }
    return dumped(rest) if rest else ""


def returned(result: dict[str, Any]) -> tuple[str, tuple[str, ...]]:
    """The words that a tool returned, and descriptions of what else it did."""
    found = result.get("content")
    texts: list[str] = []
    others: list[str] = ["is_error"] if result.get("is_error") is True else []
    try:
        if found is not None:
            _gather_any(found, texts, others)
    except RecursionError:
        raise Rejected("a tool's result that is nested too deep") from None
    return "\n".join(texts), tuple(others)


def _gather(part: object, texts: list[str], others: list[str]) -> None:
    """The words of a part of a result: a text's, those inside of a frame or beside a medium, else the part as JSON."""
    if isinstance(part, str):
        texts.append(part)
        return
    if isinstance(part, list):
        for each in part:
            _gather(each, texts, others)
        return
    kind = part.get("type") if isinstance(part, dict) else None
    if not isinstance(part, dict) or not isinstance(kind, str):
        texts.append(dumped(part))
    elif kind in _TEXT_PARTS and isinstance(part.get("text"), str):
        texts.append(part["text"])
    elif document := _document(part):
        texts += document
    elif _MEDIA.search(kind) and _is_medium(kind, part):
        others.append(described(_addressed(kind, part)))
        _gather_beside({key: each for key, each in part.items() if key not in _NAMES}, texts, others)
    elif _FRAME.fullmatch(kind) or _only_words(part):
        inside = [part[key] for key in _INSIDE if part.get(key) and isinstance(part[key], (str, dict, list))]
        others += [described(_sourced(part))] if inside else []
        for each in inside or [dumped(_without_bytes(part))]:
            _gather_any(each, texts, others)
        rest = _without_bytes(
            {
                key: each
                for key, each in part.items()
                if each
                and key not in (*_INSIDE, *_FORM, *_NAMES, "url", "source")
                and not key.startswith("encrypted_")
            }
        )
        texts += [dumped(rest)] if inside and rest else []
    else:
        texts.append(dumped(part))


def _gather_any(value: Any, texts: list[str], others: list[str]) -> None:
    """The same of a value in a part; a list of anything else than parts is data."""
    if isinstance(value, list) and not all(isinstance(each, (str, dict, list)) for each in value):
        texts.append(dumped(value))
    else:
        _gather(value, texts, others)


def _sourced(part: dict[str, Any]) -> dict[str, Any]:
    """A part with its address where `described` looks for it: a `search_result` calls it its source."""
    return {"url": part.get("source"), **part} if _FRAME.fullmatch(str(part.get("type"))) else part


def _only_words(part: dict[str, Any]) -> bool:
    """Whether a part has a type and words and says nothing else."""
    words = [each for key, each in part.items() if key != "type"]
    return len(words) == 1 and isinstance(words[0], str) and not {"text", "content"}.isdisjoint(part)


def _is_medium(kind: str, part: dict[str, Any]) -> bool:
    """Whether a part holds a medium's bytes or its address, and is not a tool's own data about a file."""
    return (
        any(_encoded(key, each, part) for key, each in part.items())
        or any(isinstance(part.get(key), dict) for key in (kind, *_HOLDERS))
        or any(isinstance(part.get(key), str) for key in ("file_id", "image_url", "video_url"))
    )


def _encoded(key: str, value: object, holder: dict[str, Any]) -> bool:
    """Whether a value is bytes that are written out: as their holder says, or by its look."""
    told = key in _BYTES and any(holder.get(each) for each in _FORMATS)
    if isinstance(value, list):
        told = told or holder.get("type") == "Buffer"
        return told and bool(value) and all(type(each) is int and 0 <= each < 256 for each in value)
    if not isinstance(value, str) or key in ("text", "title"):
        return False
    if _DATA_URL.match(value) or (
        key in _BYTES and "base64" in (holder.get("type"), holder.get("source_type"))
    ):
        return True
    return not _textual(holder) and (told or len(value) >= _LONG) and _BASE64.fullmatch(value) is not None


def _textual(holder: dict[str, Any]) -> bool:
    told = (holder.get(key) for key in ("type", "source_type", *_FORMATS))
    return any(isinstance(form, str) and _TEXTUAL.fullmatch(form) for form in told)


def _addressed(kind: str, part: dict[str, Any]) -> dict[str, Any]:
    """A medium's part with its address where `described` looks for it."""
    if isinstance(part.get(kind), dict) and isinstance(part[kind].get("url"), str):
        return part
    holders = [part, *(part[key] for key in (kind, *_HOLDERS) if isinstance(part.get(key), dict))]
    found = (each.get(key) for each in holders for key in _ADDRESSES)
    address = next((each for each in found if isinstance(each, str)), None)
    return part if address is None else {**part, "url": address}


def _gather_beside(holder: dict[str, Any], texts: list[str], others: list[str]) -> None:
    """The words in what holds a medium, without its bytes, its address and its form."""
    rest = {
        key: each
        for key, each in holder.items()
        if each not in (None, "", [], {})
        and key not in _FORM
        and not (key in _ADDRESSES and isinstance(each, str))
        and not _encoded(key, each, holder)
    }
    if not all(key in _BESIDE and isinstance(each, (str, dict, list)) for key, each in rest.items()):
        # `rest` has no bytes of its own, but lacks the form that told them: only what is nested is looked at.
        bare = {key: left for key, each in rest.items() if (left := _without_bytes(each)) or not each}
        texts += [dumped(bare)] if bare else []
        return
    for key in _BESIDE:
        if key in _HOLDERS and isinstance(rest.get(key), dict):
            _gather_beside({**_form_of(holder), **rest[key]}, texts, others)
        elif key in rest:
            _gather_any(rest[key], texts, others)


def _without_bytes(data: Any) -> Any:
    """The same data without bytes that are written out, and without members that this leaves empty."""
    if isinstance(data, list):
        bare = [(each, _without_bytes(each)) for each in data]
        return [left for each, left in bare if left or not each]
    if not isinstance(data, dict):
        return data
    rest = {key: (each, _without_bytes(each)) for key, each in data.items() if not _encoded(key, each, data)}
    return {key: left for key, (each, left) in rest.items() if left or not each}


def dumped(data: object) -> str:
    """As JSON; Rejected where it is nested too deep."""
    try:
        return json.dumps(data, ensure_ascii=False, default=str)
    except (RecursionError, ValueError):
        raise Rejected("a call or a result that is nested too deep") from None


def described(part: dict[str, Any]) -> str:
    """A few words for what is not text: its type, and its name or address if it has one; and what a call hands to its
    tool, whole."""
    kind = part.get("type") or part.get("content_type") or "attachment"
    inner = part.get(kind) if isinstance(kind, str) else None
    found = [str(kind)]
    for holder in (part, inner):
        if not isinstance(holder, dict):
            continue
        for key in (*_NAMES, "asset_pointer", "url", "file_id"):
            if isinstance(holder.get(key), str):
                found.append(holder[key].partition(";base64,")[0])
    words = " ".join(found)[:200]
    asked = arguments_of(part) if is_call(part) else ""
    return f"{words} {asked}" if asked else words
