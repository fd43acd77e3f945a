"""Scripts that run in a program of their own, which is connected to Ray."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def then(script: str, root: Path) -> list[str]:
    """The lines that a script prints and begins with "then:"; Ray prints there too. Its argument is `root`."""
    # Without a token of the test's own Ray would write one into the home folder.
    token = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
    done = subprocess.run(
        [sys.executable, "-c", script, str(root)],
        env={**os.environ, **token, "PYTHONPATH": str(ROOT / "tests")},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [line for line in done.stdout.splitlines() if line.startswith("then:")]
