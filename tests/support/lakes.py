"""Conversations as lakes hold them: in three shapes, in any order, some of them twice, and with rows that are wrong."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from memfold.schema import Message

ROW = pa.schema(
    [
        ("conversation_id", pa.string()),
        ("seq", pa.int64()),
        ("message_id", pa.string()),
        ("role", pa.string()),
        ("content", pa.string()),
        ("time", pa.timestamp("us", "UTC")),
        ("session", pa.string()),
        ("speaker", pa.string()),
        ("attachments", pa.list_(pa.string())),
        ("current", pa.bool_()),
    ]
)
LISTED = pa.struct([each for each in ROW if each.name not in ("conversation_id", "seq")])


def rows(messages: Iterable[Message]) -> list[dict[str, Any]]:
    """A row for each message, numbered within its conversation."""
    made: list[dict[str, Any]] = []
    numbers: dict[str, int] = {}
    for message in messages:
        seq = numbers.get(message.conversation_id, 0)
        numbers[message.conversation_id] = seq + 1
        fields = {name: getattr(message, name) for name in ROW.names if name != "seq"}
        made.append({**fields, "seq": seq, "attachments": list(message.attachments)})
    return made


def doubled(items: Sequence[Any], share: float, seed: int = 0) -> list[Any]:
    """The items, and a share of them again, each behind itself."""
    draw = random.Random(seed).random
    return [each for item in items for each in ([item, item] if draw() < share else [item])]


def shuffled(items: Sequence[Any], seed: int = 0) -> list[Any]:
    made = list(items)
    random.Random(seed).shuffle(made)
    return made


def of_messages(folder: Path, items: Sequence[dict[str, Any]], files: int = 3) -> Path:
    """A row a message, in files of several days' folders."""
    for number in range(files):
        day = folder / f"day=2024-03-{number + 1:02}"
        day.mkdir(parents=True)
        pq.write_table(
            pa.Table.from_pylist(list(items[number::files]), schema=ROW), day / f"part-{number}.parquet"
        )
    return folder


def of_lines(folder: Path, items: Sequence[dict[str, Any]], files: int = 3) -> Path:
    """A row a message, as lines of JSON under other names."""
    folder.mkdir(parents=True)
    for number in range(files):
        lines = [
            json.dumps(renamed(each), default=lambda time: time.isoformat()) for each in items[number::files]
        ]
        (folder / f"part-{number}.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return folder


# What `of_lines` calls two of the columns.
CALLED = {"content": "payload.body", "conversation_id": "chat"}


def renamed(row: dict[str, Any]) -> dict[str, Any]:
    left = {name: value for name, value in row.items() if name not in CALLED}
    return {**left, "chat": row["conversation_id"], "payload": {"body": row["content"]}}


def of_conversations(folder: Path, items: Sequence[dict[str, Any]], files: int = 2, seed: int = 0) -> Path:
    """A row a conversation, with a list of its messages in order."""
    folder.mkdir(parents=True)
    ordered = sorted(items, key=lambda each: (each["conversation_id"], each["seq"]))
    talks = [
        {"conversation_id": of, "messages": [{name: each[name] for name in LISTED.names} for each in group]}
        for of, group in groupby(ordered, key=lambda each: each["conversation_id"])
    ]
    schema = pa.schema([("conversation_id", pa.string()), ("messages", pa.list_(LISTED))])
    talks = shuffled(talks, seed)
    for number in range(files):
        pq.write_table(
            pa.Table.from_pylist(talks[number::files], schema=schema), folder / f"part-{number}.parquet"
        )
    return folder
