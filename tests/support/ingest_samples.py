"""A small valid sample of every dialect, as bytes, with the messages it holds."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from memfold.ingest.read import read
from memfold.schema import DeadLetter, Message

BEAM = [
    {
        "batch_number": 1,
        "time_anchor": None,
        "turns": [
            [
                {
                    "role": "user",
                    "id": 0,
                    "time_anchor": "March-15-2024",
                    "content": "Plan my week. ->-> 1,1",
                },
                {"role": "assistant", "id": 1, "content": "Gladly."},
            ],
            [
                {"role": "user", "id": 2, "content": "And Friday? ->-> 1,N/A"},
                {"role": "assistant", "id": 3, "content": "Rest."},
            ],
        ],
    },
    {
        "batch_number": 2,
        "time_anchor": "April-01-2024",
        "turns": [[{"role": "user", "id": 4, "content": "Thanks"}]],
    },
]
LOCOMO = {
    "speaker_a": "Ann",
    "speaker_b": "Bo",
    "session_1_date_time": "1:56 pm on 8 May, 2023",
    "session_1": [
        {"speaker": "Ann", "dia_id": "D1:1", "text": "Hey Bo!"},
        {"speaker": "Bo", "dia_id": "D1:2", "text": "Look!", "blip_caption": "a photo of a dog"},
    ],
    "session_2_date_time": "12:09 am on 13 September, 2023",
    "session_2": [{"speaker": "Bo", "dia_id": "D2:1", "text": "Back again"}],
    "session_3_date_time": "1:00 pm on 14 September, 2023",
    "qa": [{"question": "Who?", "answer": "Bo", "evidence": ["D1:2"], "category": 1}],
}
LONGMEMEVAL = [
    {
        "question_id": "q1",
        "question": "What did I buy?",
        "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/21 (Sun) 09:00"],
        "haystack_session_ids": ["s_a", "s_b"],
        "haystack_sessions": [
            [{"role": "user", "content": "I bought a lamp"}, {"role": "assistant", "content": "Nice"}],
            [{"role": "user", "content": "It broke", "has_answer": True}],
        ],
    },
    {
        "question_id": "q2",
        "haystack_dates": [],
        "haystack_session_ids": [],
        "haystack_sessions": [[{"role": "user", "content": "Hi"}]],
    },
]
OPENAI = [
    {
        "conversation_id": "c1",
        "role": "user",
        "content": "Hi",
        "id": "m1",
        "created_at": "2024-01-02T03:04:05Z",
    },
    {"conversation_id": "c1", "role": "assistant", "content": "Hello", "created_at": 1704164646},
    {
        "id": "c2",
        "messages": [{"role": "developer", "content": "Be brief"}, {"role": "user", "content": "Go"}],
    },
]
SHAREGPT = [
    {
        "id": "s1",
        "conversations": [{"from": "human", "value": "2+2?"}, {"from": "gpt", "value": "4"}],
    },
    {"conversations": [{"from": "system", "value": ""}, {"from": "human", "value": "Hi"}]},
]


def _node(
    name: str, parent: str | None, children: list[str], role: str = "user", **more: Any
) -> dict[str, Any]:
    said = {
        "id": name,
        "author": {"role": role, "name": None},
        "create_time": None,
        "content": {"content_type": "text", "parts": [f"text of {name}"]},
    }
    return {"id": name, "parent": parent, "children": children, "message": {**said, **more}}


CHATGPT = [
    {
        "title": "Tree",
        "conversation_id": "g1",
        "create_time": 1700000000.5,
        "mapping": {
            "root": {"id": "root", "parent": None, "children": ["a", "b"], "message": None},
            "b": _node("b", "root", ["b1"], create_time=1700000002.25),
            "a": _node("a", "root", ["a1"], create_time=1700000000),
            "a1": _node("a1", "a", [], "assistant"),
            "b1": _node(
                "b1",
                "b",
                [],
                "assistant",
                content={
                    "content_type": "multimodal_text",
                    "parts": ["see", {"content_type": "image_asset_pointer", "asset_pointer": "file://x"}],
                },
            ),
        },
        "current_node": "b1",
    }
]
CLAUDE = [
    {
        "uuid": "k1",
        "name": "A chat",
        "created_at": "2024-03-01T10:00:00.000000Z",
        "chat_messages": [
            {
                "uuid": "k1-0",
                "sender": "human",
                "text": "Read this",
                "content": [{"type": "text", "text": "Read this"}],
                "created_at": "2024-03-01T10:00:01+02:00",
                "attachments": [{"file_name": "notes.txt", "extracted_content": "buy milk"}],
                "files": [{"file_name": "cat.png"}],
            },
            {
                "uuid": "k1-1",
                "sender": "assistant",
                "text": "",
                "content": [
                    {"type": "text", "text": "One."},
                    {"type": "tool_use", "name": "search", "input": {}},
                    {"type": "text", "text": "Two."},
                ],
            },
        ],
    }
]
CLAUDE_CODE = [
    {"type": "file-history-snapshot", "messageId": "u1", "snapshot": {}, "isSnapshotUpdate": False},
    {
        "type": "user",
        "uuid": "u1",
        "parentUuid": None,
        "isSidechain": False,
        "sessionId": "s1",
        "timestamp": "2026-03-01T10:00:00.000Z",
        "message": {
            "role": "user",
            "content": "Fix it\n\n<system-reminder>\nBe quick.\n</system-reminder>",
        },
    },
    {
        "type": "assistant",
        "uuid": "u2",
        "parentUuid": "u1",
        "isSidechain": False,
        "sessionId": "s1",
        "timestamp": "2026-03-01T10:00:02.000Z",
        "message": {
            "id": "msg_1",
            "role": "assistant",
            "content": [{"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "make"}}],
        },
    },
    {
        "type": "user",
        "uuid": "u3",
        "parentUuid": "u2",
        "isSidechain": False,
        "sessionId": "s1",
        "timestamp": "2026-03-01T10:00:03.000Z",
        "message": {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "1 failed"}],
        },
        "toolUseResult": {"stdout": "1 failed"},
    },
]
CODEX = [
    {
        "timestamp": "2026-03-01T10:00:00.000Z",
        "type": "session_meta",
        "payload": {"id": "x1", "cwd": "/w", "originator": "codex_cli_rs", "cli_version": "0.99.0"},
    },
    {
        "timestamp": "2026-03-01T10:00:01.000Z",
        "type": "response_item",
        "payload": {
            "type": "message",
            "role": "user",
            "content": [
                {"type": "input_text", "text": "<environment_context>\n/w\n</environment_context>"},
                {"type": "input_text", "text": "Fix it"},
            ],
        },
    },
    {
        "timestamp": "2026-03-01T10:00:01.500Z",
        "type": "event_msg",
        "payload": {"type": "user_message", "message": "Fix it"},
    },
    {
        "timestamp": "2026-03-01T10:00:02.000Z",
        "type": "response_item",
        "payload": {"type": "function_call", "name": "shell", "arguments": '{"c": "make"}', "call_id": "t1"},
    },
    {
        "timestamp": "2026-03-01T10:00:03.000Z",
        "type": "response_item",
        "payload": {"type": "function_call_output", "call_id": "t1", "output": "1 failed"},
    },
]
LANGCHAIN = [
    {"type": "system", "data": {"content": "Be brief", "additional_kwargs": {}, "type": "system"}},
    {"type": "human", "data": {"content": "Fix it", "additional_kwargs": {}, "type": "human", "id": "h1"}},
    {
        "type": "ai",
        "data": {
            "content": "",
            "additional_kwargs": {},
            "type": "ai",
            "id": "a1",
            "tool_calls": [{"name": "shell", "args": {"c": "make"}, "id": "t1", "type": "tool_call"}],
        },
    },
    {"type": "tool", "data": {"content": "1 failed", "type": "tool", "name": "shell", "tool_call_id": "t1"}},
]
CANONICAL = {
    "conversation_id": ["p1", "p1"],
    "role": ["user", "assistant"],
    "content": ["Hi", ""],
    "message_id": ["1", None],
    "time": ["2024-01-01T00:00:00", None],
    "attachments": [["a.png"], None],
    "current": [True, False],
}


def dumped(data: object) -> bytes:
    return json.dumps(data).encode()


def lines(rows: list[Any]) -> bytes:
    return b"".join(dumped(row) + b"\n" for row in rows)


def zipped(**members: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name.replace("__", "/") + ".json", data)
    return out.getvalue()


def parquet() -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.table(CANONICAL), out)
    return out.getvalue()


def arrow(stream: bool = False) -> bytes:
    out = io.BytesIO()
    table = pa.table(CANONICAL)
    with (pa.ipc.new_stream if stream else pa.ipc.new_file)(out, table.schema) as writer:
        writer.write_table(table)
    return out.getvalue()


@dataclass(frozen=True)
class Sample:
    """A file name and what makes its bytes; `messages` are the contents a reader finds, in order."""

    format: str
    file: str
    make: Callable[[], bytes]
    contents: tuple[str, ...]


_BEAM = ("Plan my week.", "Gladly.", "And Friday?", "Rest.", "Thanks")
_LOCOMO = ("Hey Bo!", "Look!", "Back again")
_GPT = ("text of a", "text of a1", "text of b", "see")
_CLAUDE = ("Read this", "One.\nTwo.")
_LOG = ("Fix it\n\n", "<system-reminder>\nBe quick.\n</system-reminder>", "", "1 failed")
_ROLLOUT = ("<environment_context>\n/w\n</environment_context>", "Fix it", "", "1 failed")
_SHARE = ("2+2?", "4", "", "Hi")

SAMPLES = (
    Sample("beam", "chat.json", lambda: json.dumps(BEAM, indent=1).encode(), _BEAM),
    Sample("beam", "rows.jsonl", lambda: lines([{"conversation_id": "7", "chat": BEAM}]), _BEAM),
    Sample("beam", "plans.json", lambda: dumped([{"plan-1": BEAM, "plan-2": None}]), _BEAM),
    Sample("locomo", "26.json", lambda: json.dumps(LOCOMO, indent=2).encode(), _LOCOMO),
    Sample(
        "locomo",
        "ten.json",
        lambda: dumped([{"qa": [], "sample_id": "conv-26", "conversation": LOCOMO}]),
        _LOCOMO,
    ),
    Sample(
        "longmemeval", "s.json", lambda: dumped(LONGMEMEVAL), ("I bought a lamp", "Nice", "It broke", "Hi")
    ),
    Sample("openai", "m.jsonl", lambda: lines(OPENAI), ("Hi", "Hello", "Be brief", "Go")),
    Sample("openai", "m.json", lambda: dumped(OPENAI), ("Hi", "Hello", "Be brief", "Go")),
    Sample("sharegpt", "sg.json", lambda: dumped(SHAREGPT), _SHARE),
    Sample("sharegpt", "sg.jsonl", lambda: lines(SHAREGPT), _SHARE),
    Sample("chatgpt", "conversations.json", lambda: dumped(CHATGPT), _GPT),
    Sample("chatgpt", "gpt.zip", lambda: zipped(user=b"{}", conversations=dumped(CHATGPT)), _GPT),
    Sample("claude", "conversations.json", lambda: dumped(CLAUDE), _CLAUDE),
    Sample("claude", "claude.zip", lambda: zipped(export__conversations=dumped(CLAUDE)), _CLAUDE),
    Sample("claude_code", "s1.jsonl", lambda: lines(CLAUDE_CODE), _LOG),
    Sample("codex", "rollout-1.jsonl", lambda: lines(CODEX), _ROLLOUT),
    Sample("langchain", "chain.json", lambda: dumped(LANGCHAIN), ("Be brief", "Fix it", "", "1 failed")),
    Sample("langchain", "chain.jsonl", lambda: lines(LANGCHAIN), ("Be brief", "Fix it", "", "1 failed")),
    Sample("canonical", "t.parquet", parquet, ("Hi", "")),
    Sample("canonical", "t.arrow", arrow, ("Hi", "")),
    Sample("canonical", "s.arrow", lambda: arrow(stream=True), ("Hi", "")),
)


def write(root: Path, name: str, data: object) -> Path:
    """A file of these bytes, or of this as JSON."""
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data if isinstance(data, bytes) else json.dumps(data).encode())
    return path


def both(path: Path, format: str | None = None) -> tuple[list[Message], list[DeadLetter]]:
    """What is read and what is rejected."""
    items = list(read(path, format))
    good = [item for item in items if isinstance(item, Message)]
    return good, [item for item in items if isinstance(item, DeadLetter)]
