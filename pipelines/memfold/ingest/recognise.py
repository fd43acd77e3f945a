"""Which format a file is in, from the keys in its first bytes. Reads at most `PEEK` bytes of it, and the whole of one
only that is named as what Claude Code writes beside its logs."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import orjson

from memfold.ingest.codex import ITEM
from memfold.ingest.langchain import is_message
from memfold.ingest.mend import fields_of, value_of
from memfold.ingest.normalise import ROLE
from memfold.ingest.records import records
from memfold.ingest.stream import BOM, ZIP, Stream, by_line, head_of, not_unzipped, unpacked
from memfold.ingest.unit import members_of

SUFFIXES = frozenset((".json", ".jsonl", ".ndjson", ".zip", ".parquet", ".arrow", ".feather", ".ipc"))
# LoCoMo's published file opens with about 40 KB of questions before its first turn.
PEEK = 256 << 10

# Logs of agents' programs, by the outermost keys of a record and its type: what tools are asked may have any keys.
_LOGS: tuple[tuple[str, frozenset[str]], ...] = (
    ("claude_code", frozenset(("type", "sessionId", "isSidechain"))),
    ("claude_code", frozenset(("type", "parentUuid", "isSidechain"))),
    ("claude_code", frozenset(("type", "sessionId", "uuid", "message"))),
    ("claude_code", frozenset(("type", "leafUuid", "summary"))),
    ("claude_code", frozenset(("type", "messageId", "isSnapshotUpdate"))),
    ("codex", frozenset(("session_meta", "payload"))),
    ("codex", frozenset(("response_item", "payload"))),
)
# The fields of the first record of an early Codex log. Items with a type follow it.
_EARLY_CODEX = frozenset(("id", "timestamp", "instructions"))
# A format and its keys. The first key must be an outermost field of a record, the others may stand at any depth. If no
# record has such a field, all keys may stand at any depth. The first match wins.
_KEYS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("longmemeval", ("haystack_sessions",)),
    ("longmemeval", ("haystack_session_ids", "question_id")),
    ("chatgpt", ("mapping",)),
    ("claude", ("chat_messages",)),
    ("locomo", ("dia_id", "speaker")),
    ("beam", ("turns", "role")),
    ("beam", ("chat", "role")),
    ("beam", ("time_anchor", "role")),
    ("sharegpt", ("conversations", "from")),
    ("sharegpt", ("conversations", "role")),
    ("openai", ("messages", "role")),
    ("openai", ("conversation_id", "role", "content")),
    ("langchain", ("additional_kwargs", "content", "type")),
    ("langchain", ("lc", "kwargs", "content")),
)

# What a file may be that is in none of them.
EMPTY, UTF_16, UNKNOWN = "empty", "UTF-16, and memfold reads UTF-8", "not a format memfold reads"

# What lies beside the conversations of an unpacked export and is none.
_EXPORTED = frozenset(
    (
        "user.json",
        "users.json",
        "user_settings.json",
        "projects.json",
        "memories.json",
        "message_feedback.json",
        "model_comparisons.json",
        "shared_conversations.json",
        "export_manifest.json",
        "chat.html",
    )
)
# What lies about in folders without anyone having put it there, and begins with no dot.
_LITTER = frozenset(("Thumbs.db", "desktop.ini"))
# What Claude Code says of its logs, beside them.
_OF_LOGS = re.compile(r"sessions-index\.json|agent-.*\.meta\.json", re.DOTALL)

_KEY = re.compile(rb'"(?:((?:[^"\\]++|\\.)*+)"(\s*:)?)?', re.DOTALL)


def is_other(path: Path) -> bool:
    """Whether the file is known to be no conversation: BEAM's probes, what exports and logs bring along, and litter."""
    if path.name in _EXPORTED:
        return any(path.parent.glob("conversations*.json"))
    if _OF_LOGS.fullmatch(path.name):
        # A user may have given this name to a file of conversations.
        return recognise(path) is None and _is_object(path)
    return path.name == "probing_questions.json" or path.name in _LITTER


def _is_object(path: Path) -> bool:
    """Whether a file holds one JSON object and nothing else."""
    try:
        return isinstance(orjson.loads(path.read_bytes()), dict)
    except (OSError, ValueError):
        return False


def is_named_as_one(path: Path) -> bool:
    """Whether the file's name ends as those of conversations do, packed or not."""
    return Path(unpacked(path.name)).suffix.lower() in SUFFIXES


def recognise(path: Path) -> str | None:
    """The name of the format, or None."""
    head, _ = head_of(Stream(path, ""), PEEK)
    if head.startswith(ZIP):
        members = members_of(path)
        if not members:
            return None
        head, _ = head_of(Stream(path, "", members[0]), PEEK)
    if head.startswith((b"PAR1", b"ARROW1", b"\xff\xff\xff\xff")):
        return "canonical"
    # Programs and pages quote JSON: a file with their names must begin with it.
    if not is_named_as_one(path) and not head.removeprefix(BOM).lstrip().startswith((b"{", b"[")):
        return None
    # Line by line as well: after one broken line the quotes of the whole are out of step.
    seen = keys(head).union(*(keys(line) for line in head.splitlines()[:100]))
    there = [(name, needed) for name, needed in _KEYS if seen.issuperset(needed)]
    return _by_record(head, by_line(path.name), there) or next((name for name, _ in there), None)


def unlike(part: Stream, head: bytes) -> str:
    """Why a file that begins so is in no format."""
    if not head.strip():
        return EMPTY
    one, two = head[:4:2], head[1:4:2]  # without its mark every second byte of ASCII is zero
    marked = head.startswith((b"\xff\xfe", b"\xfe\xff"))
    if marked or (one == b"\0\0" and all(two)) or (two == b"\0\0" and all(one)):
        return UTF_16
    return not_unzipped(part) if head.startswith(ZIP) else UNKNOWN


def bare(head: bytes, lines: bool, ids: Sequence[str] = ("conversation_id",)) -> bool:
    """Whether a file's first message is a role and its content, or a message of LangChain, and names no conversation;
    `ids` are the fields that would."""
    for fields in map(fields_of, _first(head, lines)):
        if "messages" in fields or not fields.keys().isdisjoint(ids):
            return False
        if _is_bare(fields) or is_message(fields):
            return True
    return False


def _by_record(head: bytes, lines: bool, there: Sequence[tuple[str, tuple[str, ...]]]) -> str | None:
    """The format of the first record whose outermost fields tell it. Inner fields prove nothing: a tool's arguments may
    have the keys of any format. `there` are the rows of `_KEYS` all of whose keys the file has."""
    early = typed = False
    for place, raw in enumerate(_first(head, lines)):
        fields = fields_of(raw)
        # BEAM's messages have a role and its content too.
        if _is_bare(fields) and "time_anchor" not in fields:
            return "codex" if early and "type" in fields else "openai"
        if is_message(fields) or ("messages" in fields and _holds_langchain(raw)):
            return "langchain"
        if known := next((name for name, needed in there if needed[0] in fields), None):
            return known
        # A Codex log: the header is the first record, and each record behind it is an item of Codex.
        typed = typed and ("record_type" in fields or ITEM.fullmatch(str(fields.get("type"))) is not None)
        if not place and _EARLY_CODEX <= fields.keys() <= _EARLY_CODEX | {"git"}:
            early = typed = True
        named = {*fields, str(fields.get("type"))}
        if known := next((name for name, needed in _LOGS if needed <= named), None):
            return known
    return "codex" if typed else None


def _holds_langchain(raw: bytes) -> bool:
    """Whether the first of a conversation's messages that is LangChain's or OpenAI's is LangChain's."""
    messages = map(fields_of, _first(value_of(raw, "messages"), lines=False))
    return next((is_message(each) for each in messages if is_message(each) or "role" in each), False)


def _is_bare(fields: dict[str, Any]) -> bool:
    return "content" in fields and str(fields.get("role")).lower() in ROLE


def _first(head: bytes, lines: bool) -> Iterator[bytes]:
    """A file's first records, or the first elements of a list."""
    return (record.raw for record in islice(records(io.BufferedReader(io.BytesIO(head)), lines), 100))


def keys(head: bytes) -> set[str]:
    """The object keys in a piece of JSON, at any depth; strings that only look like keys do not count."""
    found: set[str] = set()
    for token in _KEY.finditer(head):
        if token[1] is None:  # a quote without its end: the rest is inside a string
            break
        if token[2]:
            found.add(token[1].decode(errors="replace"))
    return found
