"""What a job's process leaves out comes back afterwards."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from pathlib import Path

import pytest

from memfold.lean import without_collecting
from memfold.yamls import JOBS


@pytest.mark.parametrize("was", [True, False])
def test_garbage_is_looked_for_afterwards_as_before(was: bool) -> None:
    (gc.enable if was else gc.disable)()
    try:
        with without_collecting():
            made = [[] for _ in range(9)]
            assert not gc.isenabled()
        assert gc.isenabled() is was
        assert gc.get_freeze_count() > len(made)
    finally:
        gc.unfreeze()
        gc.enable()


@pytest.fixture
def buffered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)


@pytest.mark.usefixtures("buffered")
def test_a_process_that_leaves_has_written_all_and_takes_nothing_apart() -> None:
    left = "import atexit; from memfold.lean import leave; "
    left += "atexit.register(print, 'taken apart'); print('x' * 9999, end='')"
    for end, out in (("leave()", "x" * 9999), ("pass", "x" * 9999 + "taken apart\n")):
        done = subprocess.run(
            [sys.executable, "-c", f"{left}; {end}"], capture_output=True, text=True, check=True
        )
        assert done.stdout == out


@pytest.mark.parametrize("job", ["list", "index"])  # one whose process leaves, one whose does not
@pytest.mark.usefixtures("buffered")
def test_a_reader_who_has_read_enough_is_no_error(job: str) -> None:
    read, write = os.pipe()
    os.close(read)
    call = [sys.executable, str(JOBS / f"{job}.py"), "--help"]
    done = subprocess.run(call, stdout=write, stderr=subprocess.PIPE, text=True, check=False)
    os.close(write)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device without space")
@pytest.mark.parametrize("job", ["list", "index"])
@pytest.mark.usefixtures("buffered")
def test_output_that_finds_no_space_is_one_line(job: str) -> None:
    call = [sys.executable, str(JOBS / f"{job}.py"), "--help"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(call, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("error: what the job printed could not be written to stdout (No space")
    assert done.stderr.count("\n") == 1
