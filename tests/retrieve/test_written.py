"""A line that stands for an exchange: what a model wrote, never what the rules did."""

from __future__ import annotations

import pyarrow as pa

from memfold.retrieve.written import ENOUGH, line, written
from memfold.schema import EXTRACTIONS, NOTES

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
    assert written(rows("qwen/1", [SUMMARY]), notes("The tree is pruned.")) == {0: SUMMARY}


def test_a_short_one_goes_on_with_notes_in_their_order_and_then_facts() -> None:
    found = written(rows("qwen/1", ["Pruning.", ""]), notes("It snowed.", "The saw broke."))
    assert found == {
        0: "Pruning; It snowed; The saw broke; apple tree: age = 40 years",
        1: "apple tree: age = 41 years",
    }


def test_what_the_rules_wrote_stands_for_nothing() -> None:
    assert written(rows("rules-1", [SUMMARY]), None) == {}
    assert written(rows("rules-1 (fallback)", [SUMMARY]), None) == {}
    assert written(None, notes("It snowed.")) == {}


def test_a_line_ends_with_the_part_that_makes_it_long_enough() -> None:
    assert line(["a" * ENOUGH, "b"]) == "a" * ENOUGH
    assert line(["a" * (ENOUGH - 1), "", "b", "c"]) == "a" * (ENOUGH - 1) + "; b"
    assert line(["", ""]) == ""
