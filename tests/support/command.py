"""A job's command line, run as a person runs it: in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]


class Done(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def line(self) -> str:
        """The one line on stderr; there is no other."""
        assert self.err.count("\n") == 1, self.err
        return self.err.rstrip("\n")


def command(
    job: str, *words: str, folder: Path = ROOT, given: str = "", seconds: float = 120, **environment: str
) -> Done:
    """Run `python jobs/<job>.py …` in a folder, with `given` on stdin."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "jobs" / f"{job}.py"), *words],
        cwd=folder,
        input=given,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=seconds,
    )
    return Done(done.returncode, done.stdout, done.stderr)
