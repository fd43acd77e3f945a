"""The command line of jobs/ask.py, run as a person runs it, in this process."""

from __future__ import annotations

import json
import runpy
import sys
from pathlib import Path
from typing import NamedTuple, Protocol

import pytest

from memfold.serve.newest import Reading

ASK = Path(__file__).resolve().parents[2] / "jobs" / "ask.py"
NAME = "a/b, {c}: [d]=(e)"


class Done(NamedTuple):
    code: object
    out: str
    err: str


class Run(Protocol):
    def __call__(self, *arguments: str) -> Done: ...


@pytest.fixture
def run(reading: Reading, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: str) -> Done:
        monkeypatch.setattr(sys, "argv", [str(ASK), f"store.root={reading.location.root}", *arguments])
        code: object = 0
        try:
            runpy.run_path(str(ASK), run_name="__main__")
        except SystemExit as ended:
            code = ended.code
        return Done(code, *capsys.readouterr())

    return run


@pytest.mark.parametrize(
    "question",
    ["我的猫，叫什么名字？（不是狗）", "cat: {Mia}, [x]=(y)? ${z} a='b\" \\", "-- what is my cat called?"],
)
def test_a_question_is_taken_as_it_stands(reading: Reading, add, run: Run, question: str) -> None:  # type: ignore[no-untyped-def]
    add(NAME, ["My cat is called Mia.", "我的猫叫小白。"])
    done = run(f"conversation={NAME}", f"question={question}", "json=true", "k=1", "budget=500")
    assert done.code == 0, done.err
    got, want = json.loads(done.out), reading.open().ask(NAME, question, 500)
    assert got["answer"] == want.text
    assert len(got["hits"]) == 1


def test_a_person_reads_the_answer_and_its_messages(add, run: Run) -> None:  # type: ignore[no-untyped-def]
    add("pets", ["My cat is called Mia.", "The rent is due on March 3."])
    done = run("conversation=pets", "question=What is my cat called?")
    assert done.out.splitlines() == ["My cat is called Mia. [0]", "", "[0] messages 0, 1"]


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
def test_what_is_wrong_is_one_line_and_exit_code_2(add, run: Run, arguments: list[str], said: str) -> None:  # type: ignore[no-untyped-def]
    add("pets", ["My cat is called Mia."])
    done = run(*arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: ")
    assert said in done.err
    assert done.err.count("\n") == 1
