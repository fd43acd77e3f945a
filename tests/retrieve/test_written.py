"""A line that stands for an exchange: what a model wrote, never what the rules did."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

import memfold
from memfold.extract.engines.recorded import Recorded
from memfold.extract.filed import MADE_BY
from memfold.retrieve.written import ENOUGH, line, written
from memfold.schema import EXTRACTIONS, NOTES, Message
from support.given import job, run

SUMMARY = (
    "The user asked how to prune an old and very tall apple tree; the assistant said to do it in late winter, over "
    "three years."
)


def rows(made_by: str, summaries: list[str]) -> pa.Table:
    return pa.Table.from_pylist(
        [
            {"segment": "s", "exchange_id": n, "conversation_id": "c", "summary": text, "made_by": made_by,
             "facts": [{"key": "apple tree: age", "value": f"{n + 40} years"}]}
            for n, text in enumerate(summaries)
        ],
        schema=EXTRACTIONS,
    )  # fmt: skip


def notes(*texts: str) -> pa.Table:
    empty = dict.fromkeys(NOTES.names)
    made = [
        {**empty, "segment": "s", "exchange_id": 0, "n": n, "conversation_id": "c", "kind": "event", "text": text,
         "said_by": "user"}
        for n, text in enumerate(texts)
    ]  # fmt: skip
    return pa.Table.from_pylist(made[::-1], schema=NOTES)


def test_a_summary_that_stands_alone_is_the_line() -> None:
    assert len(SUMMARY) >= ENOUGH
    assert written(rows("qwen/1", [SUMMARY]), lambda: notes("The tree is pruned.")) == {0: SUMMARY}


def test_a_short_one_goes_on_with_notes_in_their_order_and_then_facts() -> None:
    found = written(rows("qwen/1", ["Pruning.", ""]), lambda: notes("It snowed.", "The saw broke."))
    assert found == {
        0: "Pruning; It snowed; The saw broke; apple tree: age = 40 years",
        1: "apple tree: age = 41 years",
    }


def unread() -> None:
    pytest.fail("the notes are read")


def test_what_the_rules_wrote_and_what_was_filed_stand_for_nothing() -> None:
    assert written(rows("rules-1", [SUMMARY]), unread) == {}
    assert written(rows("rules-1 (fallback)", [SUMMARY]), unread) == {}
    assert written(rows(MADE_BY, [SUMMARY]), unread) == {}
    assert written(None, unread) == {}


def test_a_line_ends_with_the_part_that_makes_it_long_enough() -> None:
    assert line(["a" * ENOUGH, "b"]) == "a" * ENOUGH
    assert line(["a" * (ENOUGH - 1), "", "b", "c"]) == "a" * (ENOUGH - 1) + "; b"
    assert line(["", ""]) == ""
    assert line(["剪枝。", "下雪了。", "锯子断了"]) == "剪枝; 下雪了; 锯子断了"
    assert line(["老苹果树很高，冬末修剪，分三年剪完，每次最多三分之一" * 2, "下雪了"]).count("下雪了") == 0
    assert line(["one\ntwo", "three"]) == "one two; three"


@pytest.mark.parametrize(("as_of", "told"), [(None, [0, 1, 2, 3]), ("m5", [0, 1, 2]), ("m4", [0, 1])])
def test_as_of_a_message_only_whole_exchanges_have_a_line(
    as_of: str | None, told: list[int], tmp_path: Path
) -> None:
    lines = [{"conversation_id": "c", "exchange": n, "summary": f"{SUMMARY} ({n})"} for n in range(4)]
    path = tmp_path / "lines.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    said = [
        Message("c", "assistant" if n % 2 else "user", f"Of apple tree {n // 2}.", f"m{n}") for n in range(8)
    ]
    run(replace(job(tmp_path / "store", said), engine=Recorded(str(path))))
    store = memfold.open(str(tmp_path / "store"), as_of=as_of)
    context = store.context("c", "Can you summarize what I said of apple trees?")
    shown = [piece for part in context.parts for piece in part.pieces if piece.role == "summary"]
    assert [piece.exchange_id for piece in shown] == told
    assert all(piece.text == f"{SUMMARY} ({piece.exchange_id})" for piece in shown)
