"""What every benchmark shares: where a figure came from, and the file it is kept in."""

from __future__ import annotations

import json
import os
import platform
import shlex
import subprocess
import sys
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results"


def provenance() -> dict[str, object]:
    """Command, commit, hardware and time of this run; a commit with local changes ends in `+`."""
    commit = _git("rev-parse", "--short=12", "HEAD")
    changed = _git("status", "--porcelain", "--", ".", ":(exclude)benchmarks/results")
    return {
        "command": shlex.join(["python", *map(_unplaced, sys.argv)]),
        "commit": commit + "+" if changed else commit,
        "hardware": f"{_processor()}, {os.cpu_count()} cores",
        "python": platform.python_version(),
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def versions(*packages: str) -> dict[str, str]:
    """The installed versions of packages that figures depend on."""
    return {package: version(package) for package in packages}


def keep(name: str, rows: Iterable[Mapping[str, object]]) -> Path:
    """Append rows, each with this run's provenance, to `results/<name>.jsonl`."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.jsonl"
    shared = provenance()
    with path.open("a", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps({**row, **shared}, ensure_ascii=False) + "\n")
    return path


def _unplaced(word: str) -> str:
    """A path by its last two folders: where data lies on one machine says nothing to the next."""
    key, equals, path = word.rpartition("=")
    return f"{key}{equals}…/" + "/".join(Path(path).parts[-2:]) if Path(path).is_absolute() else word


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, check=False)
    return done.stdout.strip()


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()
