"""A job's streams: nobody has to read stderr, and a result that nobody reads takes nothing from the work."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest

import memfold
from memfold.yamls import JOBS
from support.given import chat, job, run


@pytest.fixture
def gone() -> Iterator[int]:
    """A pipe whose reader is gone."""
    read, write = os.pipe()
    os.close(read)
    yield write
    os.close(write)


@pytest.fixture
def root(tmp_path: Path) -> str:
    """A store with the conversation `c`."""
    run(job(tmp_path, chat(2)))
    return str(tmp_path)


def called(
    *call: str,
    out: IO[str] | int = subprocess.PIPE,
    err: IO[str] | int = subprocess.PIPE,
    closed: str = "",
    given: str = "",
) -> subprocess.CompletedProcess[str]:
    """A process whose streams are given, or `closed` as a shell writes it."""
    words = ["sh", "-c", f'exec "$@" {closed}', "sh", sys.executable, *call]
    return subprocess.run(words, input=given, stdout=out, stderr=err, text=True, check=False)


def script(name: str) -> str:
    return str(JOBS / f"{name}.py")


def known(root: str) -> list[str]:
    return [each.conversation_id for each in memfold.open(root).conversations()]


def test_a_job_whose_stderr_nobody_reads_does_its_work(tmp_path: Path, gone: int) -> None:
    words = "source=synthetic", "source.tokens=2000", "source.conversations=1", f"store.root={tmp_path}/s"
    done = called(script("index"), *words, err=gone)
    assert (done.returncode, json.loads(done.stdout)["conversations"]) == (0, 1)
    assert len(known(f"{tmp_path}/s")) == 1


def test_an_error_that_nobody_reads_keeps_its_exit_code(tmp_path: Path, gone: int) -> None:
    assert called(script("list"), f"store.root={tmp_path}/none", err=gone).returncode == 2


def test_a_job_whose_result_nobody_reads_has_done_its_work(root: str, gone: int) -> None:
    done = called(script("erase"), f"store.root={root}", "conversation=c", out=gone)
    assert (done.returncode, done.stderr) == (0, "")
    assert known(root) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device without space")
def test_a_result_that_finds_no_space_says_that_the_work_is_done(root: str) -> None:
    with Path("/dev/full").open("w") as full:
        done = called(script("erase"), f"store.root={root}", "conversation=c", out=full)
        assert called(script("list"), f"store.root={root}", err=full).returncode == 0
    assert done.returncode == 2
    assert done.stderr.startswith(
        "error: what the job printed could not be written to stdout (No space left on"
    )
    assert done.stderr.endswith("; whatever it did in the store is done\n")
    assert known(root) == []


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_job_without_streams_does_its_work(root: str, closed: str) -> None:
    done = called(script("erase"), f"store.root={root}", "conversation=c", closed=closed)
    assert (done.returncode, done.stderr) == (0, "")
    assert bool(done.stdout) is (closed == "2>&-")
    assert known(root) == []


def test_questions_are_asked_as_long_as_somebody_reads_the_answers(root: str, gone: int) -> None:
    words = script("ask"), f"store.root={root}", "conversation=c"
    questions = "What is my budget?\n" + "too long " * 10_000
    assert called(*words, given=questions).stderr.startswith("error: ")
    done = called(*words, given=questions, out=gone)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_job_without_stdin_is_given_nothing(root: str) -> None:
    done = called(script("ask"), f"store.root={root}", "conversation=c", closed="<&-")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: question is missing")


BROKEN = """
from memfold.entry import main

def run(config):
    print("half of it")
    raise BrokenPipeError(32, "Broken pipe")

main("list", run)
"""


def test_a_pipe_that_breaks_in_the_midst_of_the_work_is_an_error(gone: int) -> None:
    done = called("-c", BROKEN, "store.root=s", out=gone)
    assert done.returncode == 1
    assert done.stderr.endswith("BrokenPipeError: [Errno 32] Broken pipe\n")
