"""`jobs/show.py`: each thing there is to show, in each form, and what is said of a wrong word."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import pytest
import yaml

import memfold
from memfold import UserError
from memfold.config import load
from memfold.yamls import JOBS
from support.given import chat, job, run


def show(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    runpy.run_path(str(JOBS / "show.py"))["run"](load("show", words))
    return capsys.readouterr().out


def test_everything_is_shown_in_every_form(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(job(tmp_path, chat(12)))
    of = (f"store.root={tmp_path}", "conversation=c")
    module: dict[str, Any] = runpy.run_path(str(JOBS / "show.py"))
    for what in module["SHOWN"]:
        assert show(capsys, *of, f"what={what}").strip()
        made = json.loads(show(capsys, *of, f"what={what}", "form=json"))
        assert made["conversation_id"] == "c"
    assert yaml.safe_load(show(capsys, *of, "what=recent")) == json.loads(
        show(capsys, *of, "what=recent", "form=json")
    )
    whole, begun = (
        json.loads(show(capsys, *of, "form=json", *words)) for words in ((), ("as_of=message:7",))
    )
    assert (whole["last_exchange"], begun["last_exchange"]) == (11, 3)
    assert json.loads(show(capsys, *of, "what=recent", "form=json", "now=2024-04-01"))["session"] is None


def test_the_rows_of_each_table_are_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(job(tmp_path, chat(12)))
    of = (f"store.root={tmp_path}", "conversation=c")
    store = memfold.open(str(tmp_path))
    for table in set(store.tables("c")) - {"state", "profile", "beliefs"}:
        rows = store.rows(table, "c")
        made = json.loads(show(capsys, *of, f"what={table}", "form=json"))["rows"]
        assert len(made) == rows.num_rows
        shown = show(capsys, *of, f"what={table}").strip()
        assert shown == "nothing" if not made else list(map(json.loads, shown.splitlines())) == made
    assert store.tables("c")[:2] == ["messages", "extractions"]
    said = json.loads(show(capsys, *of, "what=messages", "form=json", "as_of=message:7"))["rows"]
    assert [row["seq"] for row in said] == list(range(8))
    (row, *_) = json.loads(show(capsys, *of, "what=episodic", "form=json"))["rows"]
    assert row["user_text"] == chat(12)[0].content
    assert "vector" not in row


@pytest.mark.parametrize(
    ("word", "said"),
    [
        (
            "what=everything",
            "what=everything is unknown: use one of state, profile, beliefs, recent, memories, or a table of the "
            "conversation: messages, extractions, notes, ",
        ),
        ("form=xml", "form=xml is unknown"),
        ("now=yesterday", "now=yesterday is no time"),
    ],
)
def test_a_wrong_word_is_one_line(
    word: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(job(tmp_path, chat(1)))
    with pytest.raises(UserError, match=said):
        show(capsys, f"store.root={tmp_path}", "conversation=c", word)
