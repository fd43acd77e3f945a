"""`jobs/remember.py`: a memory that is given, many on stdin, and what is said of wrong ones."""

from __future__ import annotations

import io
import json
import runpy
from pathlib import Path
from typing import Any

import pytest

import memfold
from memfold.config import load
from memfold.yamls import JOBS
from support.given import chat, job, run


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("remembered")
    run(job(root, [*chat(2), *chat(2, "b")]))
    return root


def remember(root: Path, *words: str) -> list[dict[str, Any]]:
    with pytest.MonkeyPatch.context() as patch:
        out = io.StringIO()
        patch.setattr("sys.stdout", out)
        runpy.run_path(str(JOBS / "remember.py"))["run"](load("remember", [f"store.root={root}", *words]))
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_one_is_filed_as_it_stands(root: Path) -> None:
    words = (
        "conversation=c",
        "by=crm",
        "text=Pays by card, never in cash: ${x}",
        "kind=preference",
        "about=paying",
    )
    (done,) = remember(root, *words)
    assert done["new"]
    (memory,) = memfold.open(root).memories("c").entries
    assert (memory.text, memory.kind, memory.about) == (
        "Pays by card, never in cash: ${x}",
        "preference",
        "paying",
    )
    assert [each["new"] for each in remember(root, *words)] == [False]


def test_many_are_filed_from_lines_and_filed_again_change_nothing(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [
        {"conversation_id": "b", "text": "有一只猫。", "date": "2026-01-31", "kind": "event"},
        {"text": "Has a dog.", "by": "zoo"},
        {"text": "Has a dog.", "by": "zoo"},
    ]
    given = "\n\n".join(json.dumps(line) for line in lines)
    for new in (True, False):
        monkeypatch.setattr("sys.stdin", io.StringIO(given))
        done = remember(root, "conversation=b", "by=farm")
        assert [each["new"] for each in done] == [new] * 3
        assert len({each["memory_id"] for each in done}) == 3
        entries = memfold.open(root).memories("b").entries
        assert [(each.text, each.by, each.date) for each in entries] == [
            ("有一只猫。", "farm", "2026-01-31"),
            ("Has a dog.", "zoo", None),
            ("Has a dog.", "zoo", None),
        ]


def test_the_same_fields_in_another_order_are_another_copy(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [
        '{"text": "Has a hen.", "kind": "fact"}',
        '{"kind": "fact", "text": "Has a hen."}',
        '{"kind": "fact",  "text": "Has a hen.", "conversation_id": "b"}',
        '{"kind": "fact", "text": "Has a hen.", "conversation_id": "c"}',
    ]
    ids = []
    for new in (True, False):
        monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines)))
        done = remember(root, "conversation=b", "by=coop")
        assert [each["new"] for each in done] == [new] * 4
        ids.append([(each["conversation_id"], each["memory_id"]) for each in done])
    assert len(set(ids[0])) == 4
    assert ids[0] == ids[1]
    # Names are kept in stores: how copies are counted changes none of the first ones.
    assert ids[0][0][1] == "memory:fe65ad2fa781bbea"


def test_the_same_line_by_two_programs_is_two_memories(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = []
    for words in (("by=farm",), ("by=zoo",), ("by=zoo",)):
        monkeypatch.setattr("sys.stdin", io.StringIO('{"text": "Has a goat."}'))
        done += remember(root, "conversation=b", *words)
    assert [each["new"] for each in done] == [True, True, False]
    assert done[2]["memory_id"] == done[1]["memory_id"]


@pytest.mark.parametrize(
    ("words", "stdin", "told"),
    [
        ((), "", "text is missing: give text"),
        (("by=p",), '{"text": "a"}', "line 1 of stdin: conversation is missing"),
        (("conversation=c",), '{"text": "a"}', "line 1 of stdin: by is empty: name the program"),
        (
            ("conversation=c", "by=p"),
            '\n{"text": "a", "size": 1}',
            "line 2 of stdin: size is unknown.*; nothing was filed$",
        ),
        (("conversation=c", "by=p"), "no", "line 1 of stdin is not JSON"),
        (("conversation=c", "by=p"), "[]", "line 1 of stdin is no object"),
        (
            ("by=p",),
            '{"text": "a", "conversation_id": "a\\ud800"}',
            "line 1 of stdin: conversation_id is no Unicode",
        ),
        (
            ("by=p",),
            '{"text": "a", "conversation_id": 5}',
            "line 1 of stdin: conversation_id is 5: give text",
        ),
        (("by=p",), '{"text": "a", "conversation_id": ""}', "line 1 of stdin: conversation_id is empty"),
        (("conversation=d", "by=p", "text=a"), "", "there is no conversation 'd'"),
        (("conversation=c", "by=p", "text=a", "kind=rumour"), "", "kind='rumour' is no kind of memory"),
    ],
)
def test_a_wrong_one_is_one_line(
    words: tuple[str, ...], stdin: str, told: str, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(stdin))
    before = memfold.open(root).snapshot
    with pytest.raises(memfold.UserError, match=told) as error:
        remember(root, *words)
    assert "\n" not in str(error.value)
    assert memfold.open(root).snapshot == before
