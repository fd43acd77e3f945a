"""What a new user is answered: `python benchmarks/first_hour.py`.

Small conversations, one in each format that memfold reads, in English, Chinese, German and Arabic
(`first_hour_inputs/talks.json`), are each written as that format has them, indexed by rules into a store of their own
and asked natural questions. Keeps a row per question: the answer, what it cites, whether the evidence (a stretch of the
conversation) stood in the context, whether the answer holds what was asked for, and whether it was "no evidence". The
last line counts them; `missed` is how many were answered "no evidence" though the context held it: at most 2 may be.
"""

from __future__ import annotations

import argparse
import io
import json
import tempfile
import zipfile
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from harness import keep

import memfold
from memfold.config import load
from memfold.run.index import index
from memfold.run.job import index_job
from memfold.watch import Report

INPUTS = Path(__file__).parent / "first_hour_inputs" / "talks.json"
Talk = Mapping[str, Any]


def said(talk: Talk) -> list[dict[str, str]]:
    """Its messages: role, content, and a time at ten and a minute past on the exchange's day."""
    found = []
    for exchange in talk["exchanges"]:
        for minute, role in enumerate(("user", "assistant")):
            time = datetime.fromisoformat(exchange["day"]).replace(tzinfo=UTC) + timedelta(
                hours=10, minutes=minute
            )
            found.append({"role": role, "content": exchange[role], "time": time.isoformat()})
    return found


def beam(talk: Talk) -> bytes:
    batches = []
    for number, exchange in enumerate(talk["exchanges"]):
        day = datetime.fromisoformat(exchange["day"]).strftime("%B-%d-%Y")
        turn = [
            {"role": "user", "id": 2 * number, "time_anchor": day, "content": exchange["user"]},
            {"role": "assistant", "id": 2 * number + 1, "content": exchange["assistant"]},
        ]
        batches.append({"batch_number": number + 1, "time_anchor": day, "turns": [turn]})
    return json.dumps(batches).encode()


def locomo(talk: Talk) -> bytes:
    data: dict[str, Any] = {"speaker_a": "Ann", "speaker_b": "Bo"}
    for number, exchange in enumerate(talk["exchanges"], 1):
        day = datetime.fromisoformat(exchange["day"])
        data[f"session_{number}_date_time"] = f"10:00 am on {day.day} {day.strftime('%B, %Y')}"
        data[f"session_{number}"] = [
            {"speaker": "Ann", "dia_id": f"D{number}:1", "text": exchange["user"]},
            {"speaker": "Bo", "dia_id": f"D{number}:2", "text": exchange["assistant"]},
        ]
    return json.dumps(data).encode()


def longmemeval(talk: Talk) -> bytes:
    days = [datetime.fromisoformat(exchange["day"]) for exchange in talk["exchanges"]]
    sessions = [
        [{"role": role, "content": exchange[role]} for role in ("user", "assistant")]
        for exchange in talk["exchanges"]
    ]
    entry = {
        "question_id": talk["conversation"],
        "question": "",
        "haystack_dates": [day.strftime("%Y/%m/%d (%a) 10:00") for day in days],
        "haystack_session_ids": [f"s{number}" for number in range(len(days))],
        "haystack_sessions": sessions,
    }
    return json.dumps([entry]).encode()


def openai(talk: Talk) -> bytes:
    messages = [{"role": m["role"], "content": m["content"], "created_at": m["time"]} for m in said(talk)]
    return json.dumps({"id": talk["conversation"], "messages": messages}).encode() + b"\n"


def openai_lines(talk: Talk) -> bytes:
    rows = [
        {
            "role": m["role"],
            "content": m["content"],
            "created_at": m["time"],
            "conversation_id": talk["conversation"],
        }
        for m in said(talk)
    ]
    return b"".join(json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows)


def sharegpt(talk: Talk) -> bytes:
    turns = [{"from": "human" if m["role"] == "user" else "gpt", "value": m["content"]} for m in said(talk)]
    return json.dumps([{"id": talk["conversation"], "conversations": turns}]).encode()


def chatgpt(talk: Talk) -> bytes:
    messages = said(talk)
    mapping: dict[str, Any] = {"root": {"id": "root", "parent": None, "children": ["0"], "message": None}}
    for number, m in enumerate(messages):
        mapping[str(number)] = {
            "id": str(number),
            "parent": str(number - 1) if number else "root",
            "children": [str(number + 1)] if number + 1 < len(messages) else [],
            "message": {
                "id": str(number),
                "author": {"role": m["role"]},
                "create_time": datetime.fromisoformat(m["time"]).timestamp(),
                "content": {"content_type": "text", "parts": [m["content"]]},
            },
        }
    chat = {
        "title": talk["conversation"],
        "conversation_id": talk["conversation"],
        "mapping": mapping,
        "current_node": str(len(messages) - 1),
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("conversations.json", json.dumps([chat]))
    return out.getvalue()


def claude(talk: Talk) -> bytes:
    messages = [
        {
            "uuid": str(number),
            "sender": "human" if m["role"] == "user" else "assistant",
            "text": m["content"],
            "content": [{"type": "text", "text": m["content"]}],
            "created_at": m["time"],
        }
        for number, m in enumerate(said(talk))
    ]
    return json.dumps([{"uuid": talk["conversation"], "name": "", "chat_messages": messages}]).encode()


def parquet(talk: Talk) -> bytes:
    out = io.BytesIO()
    rows = [{"conversation_id": talk["conversation"], **m} for m in said(talk)]
    pq.write_table(pa.Table.from_pylist(rows), out)
    return out.getvalue()


# How a talk is written, and what its file is called.
FORMATS: Mapping[str, tuple[Callable[[Talk], bytes], str]] = {
    "beam": (beam, "chat.json"),
    "locomo": (locomo, "talk.json"),
    "longmemeval": (longmemeval, "talk.json"),
    "openai": (openai, "talk.jsonl"),
    "openai-lines": (openai_lines, "talk.jsonl"),
    "sharegpt": (sharegpt, "talk.json"),
    "chatgpt": (chatgpt, "export.zip"),
    "claude": (claude, "conversations.json"),
    "parquet": (parquet, "talk.parquet"),
}


def answered(talk: Talk, folder: Path) -> list[dict[str, Any]]:
    """A row for each question asked of the talk."""
    write, name = FORMATS[talk["format"]]
    (folder / name).write_bytes(write(talk))
    done = index(
        index_job(load("index", [f"source.path={folder / name}", f"store.root={folder}/store"])), Report()
    )
    if done["dead_letters"] or done["messages"] != 2 * len(talk["exchanges"]):
        raise SystemExit(f"{talk['format']}: not all was read: {done}")
    store = memfold.open(f"{folder}/store")
    (known,) = store.conversations()
    rows = []
    for asked in talk["questions"]:
        found = store.probe(known.conversation_id, asked["question"])
        answer = found.answer()
        rows.append(
            {
                "format": talk["format"],
                "language": talk["language"],
                "question": asked["question"],
                "answer": answer.text,
                "citations": [
                    {"exchange_id": each.exchange_id, "message_ids": list(each.message_ids), "day": each.day}
                    for each in answer.citations
                ],
                "in_context": asked["evidence"] in found.context().text,
                "right": asked["answer"] in answer.text,
                "no_evidence": not answer.citations,
            }
        )
    return rows


def counted(rows: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """How many were asked, how many had their evidence in the context, were right, and were wrongly refused."""
    return {
        "questions": len(rows),
        "in_context": sum(row["in_context"] for row in rows),
        "right": sum(row["right"] for row in rows),
        "missed": sum(row["in_context"] and row["no_evidence"] for row in rows),
    }


def main() -> None:
    """Ask all and keep the rows."""
    argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args()
    rows: list[dict[str, Any]] = []
    for talk in json.loads(INPUTS.read_text(encoding="utf-8")):
        with tempfile.TemporaryDirectory(prefix="memfold-hour-") as folder:
            rows += answered(talk, Path(folder))
    keep("first_hour", rows)
    print(json.dumps(counted(rows)))


if __name__ == "__main__":
    main()
