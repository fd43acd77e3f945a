"""Which format a file is in, from the keys in its first bytes. Reads at most `PEEK` bytes of it."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from memfold.ingest.langchain import is_message
from memfold.ingest.normalise import ROLE
from memfold.ingest.records import BOM, ZIP, Stream, by_line, fields_of, head_of, records, unpacked
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
# The first format all of whose keys are there.
_KEYS: tuple[tuple[str, frozenset[bytes]], ...] = (
    ("langchain", frozenset((b"additional_kwargs", b"content", b"type"))),
    ("langchain", frozenset((b"invalid_tool_calls", b"content", b"type"))),
    ("langchain", frozenset((b"lc", b"kwargs", b"content"))),
    ("longmemeval", frozenset((b"haystack_sessions",))),
    ("longmemeval", frozenset((b"haystack_session_ids", b"question_id"))),
    ("chatgpt", frozenset((b"mapping",))),
    ("claude", frozenset((b"chat_messages",))),
    ("locomo", frozenset((b"dia_id", b"speaker"))),
    ("beam", frozenset((b"turns", b"role"))),
    ("beam", frozenset((b"chat", b"role"))),
    ("beam", frozenset((b"time_anchor", b"role"))),
    ("sharegpt", frozenset((b"conversations", b"from"))),
    ("sharegpt", frozenset((b"conversations", b"role"))),
    ("openai", frozenset((b"messages", b"role"))),
    ("openai", frozenset((b"conversation_id", b"role", b"content"))),
)

# What a file may be that is in none of them.
EMPTY, UTF_16, UNKNOWN = "empty", "UTF-16, and memfold reads UTF-8", "not a format memfold reads"
NO_ZIP = "a zip that is cut short (fetch it again) or holds no conversations"

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
_LITTER = frozenset(("Thumbs.db", "desktop.ini", "sessions-index.json"))
# What Claude Code says of a sub-agent, beside its log.
_AGENTS = re.compile(r"agent-.*\.meta\.json", re.DOTALL)

_KEY = re.compile(rb'"(?:((?:[^"\\]++|\\.)*+)"(\s*:)?)?', re.DOTALL)


def is_other(path: Path) -> bool:
    """Whether the file is known to be no conversation: BEAM's probes, what exports and logs bring along, and litter."""
    if path.name in _EXPORTED:
        return any(path.parent.glob("conversations*.json"))
    return path.name == "probing_questions.json" or path.name in _LITTER or bool(_AGENTS.fullmatch(path.name))


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
    lines = by_line(path.name)
    known = _by_record(head, lines) or next((name for name, needed in _KEYS if needed <= seen), None)
    return known or ("openai" if bare(head, lines) else None)


def unlike(head: bytes) -> str:
    """Why a file that begins so is in no format."""
    if not head.strip():
        return EMPTY
    one, two = head[:4:2], head[1:4:2]  # without its mark every second byte of ASCII is zero
    marked = head.startswith((b"\xff\xfe", b"\xfe\xff"))
    if marked or (one == b"\0\0" and all(two)) or (two == b"\0\0" and all(one)):
        return UTF_16
    return NO_ZIP if head.startswith(ZIP) else UNKNOWN


def bare(head: bytes, lines: bool, ids: Sequence[str] = ("conversation_id",)) -> bool:
    """Whether a file's first message is a role and its content, or a message of LangChain, and names no conversation;
    `ids` are the fields that would."""
    for fields in _first(head, lines):
        if "messages" in fields or not fields.keys().isdisjoint(ids):
            return False
        if _is_bare(fields) or is_message(fields):
            return True
    return False


def _by_record(head: bytes, lines: bool) -> str | None:
    """The format of a log, or LangChain's, if one of the first records, before any message of another, is one of it."""
    for fields in _first(head, lines):
        there = {*fields, str(fields.get("type"))}
        if known := next((name for name, needed in _LOGS if needed <= there), None):
            return known
        if is_message(fields):
            return "langchain"
        if "messages" in fields or "role" in fields:
            return None
    return None


def _is_bare(fields: dict[str, Any]) -> bool:
    return "content" in fields and str(fields.get("role")).lower() in ROLE


def _first(head: bytes, lines: bool) -> Iterator[dict[str, Any]]:
    """The outermost fields of a file's first records."""
    for record in islice(records(io.BufferedReader(io.BytesIO(head)), lines), 100):
        yield fields_of(record.raw)


def keys(head: bytes) -> set[bytes]:
    """The object keys in a piece of JSON, at any depth; strings that only look like keys do not count."""
    found: set[bytes] = set()
    for token in _KEY.finditer(head):
        if token[1] is None:  # a quote without its end: the rest is inside a string
            break
        if token[2]:
            found.add(token[1])
    return found
