"""The jobs that look after a store, as they are run: one JSON object each, and one line where something is wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import memfold
from memfold.schema import Message
from memfold.store.location import Location
from memfold.store.tables import opened
from support.given import chat, found, indexed, job, run

ROOT = Path(__file__).resolve().parents[2]
SECRET = "zanzibar"


def ran(name: str, *words: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, f"jobs/{name}.py", *words], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


def told(name: str, *words: str) -> dict[str, Any]:
    code, out, err = ran(name, *words)
    assert code == 0, err
    said: dict[str, Any] = json.loads(out)
    return said


def test_maintaining(tmp_path: Path) -> None:
    for exchanges in (1, 2, 3):
        indexed(tmp_path, chat(exchanges))
    hash = memfold.open(str(tmp_path)).verify()
    root = f"store.root={tmp_path}"
    first = told("maintain", root)
    assert (first["running"], first["records"], first["collected"]["messages"]) == (0, 0, 0)
    assert "verified" not in first
    then = told("maintain", root, "keep=1", "unsealed_days=0", "verify=true")
    assert (then["records"], then["collected"]["messages"], then["verified"]) == (2, 2 + 4, hash)
    assert memfold.open(str(tmp_path)).verify() == hash
    opened(Location(str(tmp_path)), "messages").delete("seq = 0")
    code, out, err = ran("maintain", root, "verify=true")
    assert (code, out) == (2, "")
    assert "does not hold the rows that were sealed" in err
    for wrong in ("keep=-1", "keep=many", "unsealed_days=-1"):
        code, _, err = ran("maintain", root, wrong)
        assert (code, err.count("error:")) == (2, 1)


def test_where_no_answer_of_a_model_is_kept_it_is_said(tmp_path: Path) -> None:
    indexed(tmp_path, chat(1))
    assert ran("results", f"store.root={tmp_path}") == (
        0,
        "",
        f"no answer of a model is kept under {tmp_path}\n",
    )


@pytest.mark.slow
def test_erasing_a_message_and_then_the_conversation(tmp_path: Path) -> None:
    talk = chat(5, "1_000: a, b")
    talk[4] = Message(talk[4].conversation_id, "user", f"My name is {SECRET}.", "m=4")
    run(job(tmp_path, [*talk, *chat(2, "kept")]))
    assert found(tmp_path, SECRET)
    words = (f"store.root={tmp_path}", "conversation=1_000: a, b")
    receipt = told("erase", *words, "message=m=4")
    assert receipt["complete"]
    assert found(tmp_path, SECRET) == []
    store = memfold.open(str(tmp_path))
    assert [m.content == "" for m in store.messages("1_000: a, b")] == [n == 4 for n in range(10)]
    assert store.verify()
    code, _, err = ran("erase", *words, "message=nobody")
    assert (code, "has no message 'nobody'" in err) == (2, True)
    code, _, err = ran("erase", *words, "check=true")
    assert (code, "is not erased" in err) == (2, True)
    receipt = told("erase", *words)
    assert receipt["rows"]["messages"] == 10
    assert told("erase", *words, "check=true") == receipt
    assert [c.conversation_id for c in memfold.open(str(tmp_path)).conversations()] == ["kept"]
    assert told("erase", *words)["complete"], "what was erased is erased again"
    code, _, err = ran("erase", words[0], "conversation=nobody")
    assert (code, "there is no conversation 'nobody'" in err) == (2, True)
    code, _, err = ran("erase", words[0])
    assert (code, "conversation is missing" in err) == (2, True)
