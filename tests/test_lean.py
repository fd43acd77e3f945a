"""What a job's process leaves out comes back afterwards."""

from __future__ import annotations

import gc
import subprocess
import sys

import pytest

from memfold.lean import without_collecting


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


def test_a_process_that_leaves_has_written_all_and_takes_nothing_apart() -> None:
    left = "import atexit; from memfold.lean import leave; "
    left += "atexit.register(print, 'taken apart'); print('x' * 9999, end='')"
    for end, out in (("leave()", "x" * 9999), ("pass", "x" * 9999 + "taken apart\n")):
        done = subprocess.run(
            [sys.executable, "-c", f"{left}; {end}"], capture_output=True, text=True, check=True
        )
        assert done.stdout == out
