"""The command line of jobs/ask.py, run as a person runs it, in this process."""

from __future__ import annotations

import io
import json
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, Protocol

import pytest

from memfold import lean
from memfold.context.readers.by_model.filtering import INSTRUCTIONS as FILTER
from memfold.context.readers.model import INSTRUCTIONS
from memfold.evaluate.simulated.endpoint import Endpoint, Messages
from memfold.serve.newest import Reading
from memfold.store.erase import erase
from support.readers_asked import written

ASK = Path(__file__).resolve().parents[2] / "jobs" / "ask.py"
NAME = "a/b, {c}: [d]=(e)"
NO_ROOM = "A context of 1 tokens has no room for a line of this conversation: ask with a larger budget.\n"


class Done(NamedTuple):
    code: object
    out: str
    err: str


class Run(Protocol):
    def __call__(self, *arguments: str, given: str = "") -> Done: ...


@pytest.fixture
def run(reading: Reading, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    # The job ends its process, which is that of the tests here.
    monkeypatch.setattr(lean, "leave", lambda: None)

    def run(*arguments: str, given: str = "") -> Done:
        monkeypatch.setattr(sys, "stdin", io.StringIO(given))
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


def test_no_more_is_imported_than_an_answer_in_quotes_needs(add, reading: Reading) -> None:  # type: ignore[no-untyped-def]
    add("pets", ["My cat is called Mia."])
    words = [
        str(ASK),
        f"store.root={reading.location.root}",
        "conversation=pets",
        "question=What is my cat called?",
    ]
    large = {"ray", "torch", "pandas", "pydantic", "psutil", "aiohttp", "polars", "onnx", "starlette"}
    asks = f"""
import runpy, sys
from memfold import lean
lean.leave = lambda: None  # the process goes on
sys.argv = {words!r}
runpy.run_path({str(ASK)!r}, run_name="__main__")
print(sorted({large!r} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", asks], capture_output=True, text=True, check=True)
    assert "“My cat is called Mia.”" in done.stdout
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_person_reads_the_answer_and_its_messages(add, run: Run) -> None:  # type: ignore[no-untyped-def]
    add("pets", ["My cat is called Mia.", "The rent is due on March 3."])
    done = run("conversation=pets", "question=What is my cat called?")
    assert done.out.splitlines() == [
        "Quoted from this conversation:",
        "- “My cat is called Mia.” [0]",
        "",
        "[0] messages 0, 1",
    ]


def test_a_budget_without_room_for_a_line_is_no_lack_of_evidence(add, run: Run) -> None:  # type: ignore[no-untyped-def]
    add("pets", ["My cat is called Mia."])
    assert run("conversation=pets", "question=What is my cat called?", "budget=1").out == NO_ROOM


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["conversation=pets"], "question is missing"),
        (["question=x"], "conversation is missing"),
        (
            ["conversation=none", "question=x"],
            "there is no conversation 'none': jobs/list.py lists those there are\n",
        ),
        (["conversation=PETS", "question=x"], "there is no conversation 'PETS'; near to it: 'pets'"),
        (["conversation=p", "question=x"], "there is no conversation 'p'; near to it: 'pets'"),
        (["conversation=pets", "question= "], "question: must not be empty"),
        (["conversation=pets", "question=x", "k=0"], "k: should be greater than or equal to 1"),
        (["conversation=pets", "question=x", "now=soon"], "now: soon is no time: write 2026-01-31"),
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


def reads(messages: Messages) -> str:
    """What a model answers that can only find cats."""
    record = messages[-1]["content"]
    lines = [line for line in record.splitlines() if line.startswith("[") and "cat" in line]
    return written("Mia.", *(int(line[1 : line.index("]")]) for line in lines), found=bool(lines))


def by_model(endpoint: Endpoint, *more: str) -> list[str]:
    at = f"engine.base_url={endpoint.base_url}"
    return [
        "conversation=pets",
        "reader=model",
        "engine=openai",
        at,
        "engine.model=simulated",
        "engine.retries=0",
        *more,
    ]


def test_a_model_answers_from_the_context_and_is_counted(add, run: Run) -> None:  # type: ignore[no-untyped-def]
    add("pets", ["I have a cat called Mia.", "The rent is due on March 3."])
    answers = {INSTRUCTIONS: reads, FILTER: lambda _: '{"keep":[1]}'}
    with Endpoint(answers=answers) as endpoint:
        done = run(*by_model(endpoint, "question=What is my cat called?"))
        assert done.out.splitlines() == ["Mia. [0]", "", "[0] messages 0, 1"], done.err
        seen = endpoint.seen
        counted = {"requests": seen.requests, "prompt_tokens": seen.prompt_tokens}
        assert counted["requests"] == 2
        done = run(*by_model(endpoint, "question=What is my cat called?", "json=true"))
        answered = json.loads(done.out)
        assert "Notes" in [part["label"] for part in answered["context"]["parts"]]
        usage = answered["usage"]
        assert {name: usage[name] for name in counted} == counted
        assert run(*by_model(endpoint, "question=Which?", "budget=1")).out == NO_ROOM


def test_without_the_model_it_answers_and_says_so(add, run: Run) -> None:  # type: ignore[no-untyped-def]
    add("pets", ["My cat is called Mia.", "The rent is due on March 3."])
    with Endpoint() as endpoint:
        endpoint.up = False
        done = run(*by_model(endpoint, "question=What is my cat called?", "json=true", "engine.backoff_s=0"))
    assert done.code == 0, done.err
    answered = json.loads(done.out)
    assert answered["answer"] == "Quoted from this conversation:\n- “My cat is called Mia.” [0]"
    assert answered["usage"]["fallback"] == 1
    assert "no connection" in answered["problem"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["reader=model"], "reader=model needs a model: add engine=openai"),
        (["engine=openai"], "add reader=model"),
        (["reader=model", "engine=openai", "reader.shown=0"], "reader.shown is 0"),
        (
            ["reader=model", "engine=openai", "engine.base_url=localhost"],
            "give an http:// or https:// address",
        ),
        (["reader=gpt"], "gpt"),
    ],
)
def test_choices_that_do_not_go_together_are_one_line(run: Run, arguments: list[str], said: str) -> None:
    done = run("conversation=pets", "question=x", *arguments)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert done.err.count("\n") == 1


def test_a_wrong_key_is_one_line(add, run: Run) -> None:  # type: ignore[no-untyped-def]
    add("pets", ["My cat is called Mia."])
    answers = {INSTRUCTIONS: reads, FILTER: lambda _: '{"keep":[1]}'}
    with Endpoint(answers=answers, faults=1.0, kinds=("status_401",)) as endpoint:
        done = run(*by_model(endpoint, "question=What is my cat called?"))
    assert (done.code, done.out) == (2, "")
    assert "set the key in the environment variable OPENAI_API_KEY" in done.err
    assert done.err.count("\n") == 1


def test_as_of_is_an_option(add, run: Run) -> None:  # type: ignore[no-untyped-def]
    add("pets", ["My cat is called Mia.", "My cat is called Tom now."])
    words = ("conversation=pets", "question=What is my cat called?", "json=true", "k=5")
    hits = [
        len(json.loads(run(*words, *more).out)["hits"]) for more in ((), ("as_of=message:1",), ("as_of=1",))
    ]
    assert hits == [2, 1, 2]
    for wrong, said in (("as_of=2030-01-01T00:00:00", "has no time zone"), ("as_of=u77", "no such message")):
        done = run(*words, wrong)
        assert done.code == 2
        assert said in done.err


def test_many_questions_are_asked_of_one_open_store(add, run: Run) -> None:  # type: ignore[no-untyped-def]
    add("pets", ["My cat is called Mia.", "The rent is due on March 3."])
    done = run("conversation=pets", given="What is my cat called?\n\nWhen is the rent due?\n")
    assert (done.code, done.err) == (0, "")
    assert "“My cat is called Mia.” [0]" in done.out
    assert "“The rent is due on March 3.” [1]" in done.out
    done = run("conversation=pets", given="half \ud800\nWhat is my cat called?\n")
    assert (done.code, "“My cat is called Mia.” [0]" in done.out) == (2, True)
    assert done.err.splitlines()[-1] == "error: 1 of 2 questions were not answered"
    done = run("conversation=pets", "json=true", given=f"{'x' * 10_001}\nWhat is my cat called?\n")
    assert done.code == 2
    assert [json.loads(line)["answer"] for line in done.out.splitlines()] == [
        "Quoted from this conversation:\n- “My cat is called Mia.” [0]"
    ]
    assert done.err.splitlines()[-1] == "error: 1 of 2 questions were not answered"


def test_at_a_terminal_questions_are_asked_for_until_an_empty_one(
    add, reading: Reading, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:  # type: ignore[no-untyped-def]
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    add("pets", ["My cat is called Mia."])
    monkeypatch.setattr(lean, "leave", lambda: None)
    monkeypatch.setattr(sys, "stdin", Terminal("What is my cat called?\n\nNever asked?\n"))
    monkeypatch.setattr(sys, "argv", [str(ASK), f"store.root={reading.location.root}", "conversation=pets"])
    runpy.run_path(str(ASK), run_name="__main__")
    out, err = capsys.readouterr()
    assert out.count("[0] messages") == 1
    assert err == "question> " * 2


def test_what_is_erased_between_two_questions_is_not_told(
    add: Callable[[str, list[str]], object],
    reading: Reading,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    class Piped(io.StringIO):
        asked = 0

        def readline(self, size: int | None = -1, /) -> str:
            self.asked += 1
            if self.asked == 2:
                assert erase(reading.location, "pets").complete
            return super().readline(-1 if size is None else size)

    add("pets", ["My cat is called Mia."])
    add("plants", ["My fern is called Tom."])
    monkeypatch.setattr(lean, "leave", lambda: None)
    monkeypatch.setattr(sys, "stdin", Piped("What is my cat called?\n" * 2))
    monkeypatch.setattr(sys, "argv", [str(ASK), f"store.root={reading.location.root}", "conversation=pets"])
    with pytest.raises(SystemExit):
        runpy.run_path(str(ASK), run_name="__main__")
    out, err = capsys.readouterr()
    assert out.count("Mia") == 1
    assert "there is no conversation 'pets'" in err
