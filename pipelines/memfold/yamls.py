"""The yamls in `conf/`, one for each job and each choice of a group: where they lie, which keys and groups they name.

Reads their lines, and knows neither what is composed of them nor what is said of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

_HERE = Path(__file__).resolve()
# In an installed wheel the yamls and the jobs lie in the package, in a checkout beside the sources.
_HOME = _HERE.parent if (_HERE.parent / "conf").is_dir() else _HERE.parents[2]
CONF = _HOME / "conf"
JOBS = _HOME / "jobs"

_DEFAULT = re.compile(r"\s+- (?:override )?/?(\w+): (.+)")
_INHERITED = re.compile(r"\s+- (\w+)\s*$")


def groups(job: str) -> dict[str, str]:
    """The groups of a job, each with its default choice as it is written there."""
    found: dict[str, str] = {}
    for line in (CONF / f"{job}.yaml").read_text(encoding="utf-8").splitlines():
        if inherited := _INHERITED.fullmatch(line):
            if inherited[1] != "_self_":
                found |= groups(inherited[1])
        elif default := _DEFAULT.fullmatch(line):
            found[default[1]] = default[2].strip()
    return found


def package_of(path: Path, group: str) -> str:
    """Where the keys of a group's yaml stand: under its group, or where its first line says."""
    package = re.match(r"# @package (\S+)", path.read_text(encoding="utf-8"))
    return package[1] if package else group


def top_keys(path: Path) -> list[str]:
    """The keys of a yaml that stand in no other key."""
    return re.findall(r"^([A-Za-z]\w*):", path.read_text(encoding="utf-8"), re.MULTILINE)


def having(group: str, names: Sequence[str]) -> list[str]:
    """The choices of a group that have all of these keys."""
    return [choice for choice, path in choices(group).items() if {*names} <= {*top_keys(path)}]


def choices(group: str) -> dict[str, Path]:
    """memfold's own choices of a group, by name."""
    return {path.stem: path for path in sorted((CONF / group).glob("*.yaml"))}
