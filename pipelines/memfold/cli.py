"""The command `memfold`: `memfold index …` is `python jobs/index.py …`, wherever memfold is installed. Knows no job."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

from memfold import entry
from memfold.help import purpose
from memfold.yamls import CONF, JOBS


def jobs() -> dict[str, Path]:
    """The jobs there are, by name: each a script with a yaml of its name."""
    return {path.stem: path for path in sorted(JOBS.glob("*.py")) if (CONF / f"{path.stem}.yaml").is_file()}


def main() -> None:
    """Run the job that the first word names with the words behind it; without one, list the jobs."""
    name, *words = sys.argv[1:] or ["--help"]
    known = jobs()
    if name in ("-h", "--help", "help"):
        print("usage: memfold JOB [key=value …] [group=choice …] [flag …]; memfold JOB --help says more\n")
        width = max(map(len, known)) + 2
        print("\n".join(f"  {job:<{width}}{purpose(CONF / f'{job}.yaml')}" for job in known))
        return
    if name not in known:
        print(f"error: there is no job {name!r}: use one of {', '.join(known)}", file=sys.stderr)
        raise SystemExit(2)
    sys.argv = [f"memfold {name}", *words]
    entry.main(name, runpy.run_path(str(known[name]), run_name=f"memfold.jobs.{name}")["run"])
