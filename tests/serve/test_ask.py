"""The command line of jobs/ask.py, which is run as a person runs it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from memfold.serve.newest import Reading

ROOT = Path(__file__).resolve().parents[2]
NAME = "a/b, {c}: [d]=(e)"


def run(reading: Reading, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable,
        str(ROOT / "jobs" / "ask.py"),
        f"store.root={reading.location.root}",
        *arguments,
    ]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.slow
@pytest.mark.parametrize(
    "question",
    ["我的猫，叫什么名字？（不是狗）", "cat: {Mia}, [x]=(y)? ${z} a='b\" \\", "-- what is my cat called?"],
)
def test_a_question_is_taken_as_it_stands(reading: Reading, add, question: str) -> None:  # type: ignore[no-untyped-def]
    add(NAME, ["My cat is called Mia.", "我的猫叫小白。"])
    done = run(reading, f"conversation={NAME}", f"question={question}", "json=true", "k=1", "budget=500")
    assert done.returncode == 0, done.stderr
    got, want = json.loads(done.stdout), reading.open().ask(NAME, question, 500)
    assert got["answer"] == want.text
    assert len(got["hits"]) == 1


@pytest.mark.slow
def test_a_person_reads_the_answer_and_its_messages(reading: Reading, add) -> None:  # type: ignore[no-untyped-def]
    add("pets", ["My cat is called Mia.", "The rent is due on March 3."])
    done = run(reading, "conversation=pets", "question=What is my cat called?")
    assert done.stdout.splitlines() == ["My cat is called Mia. [0]", "", "[0] messages 0, 1"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["conversation=pets"], "question is missing"),
        (["question=x"], "conversation is missing"),
        (["conversation=none", "question=x"], "there is no conversation 'none'"),
        (["conversation=pets", "question= "], "question: must not be empty"),
        (["conversation=pets", "question=x", "k=0"], "k: should be greater than or equal to 1"),
        (["conversation=pets", "question=x", "kk=1"], "kk"),
    ],
)
def test_what_is_wrong_is_one_line_and_exit_code_2(
    reading: Reading, add, arguments: list[str], said: str
) -> None:  # type: ignore[no-untyped-def]
    add("pets", ["My cat is called Mia."])
    done = run(reading, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: ")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
