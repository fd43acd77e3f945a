"""An installed memfold: the wheel's files, laid out as pyproject.toml says, with no checkout beside them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from support.command import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
WHEEL = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    site = tmp_path_factory.mktemp("site")
    assert set(WHEEL["only-include"]) == set(WHEEL["sources"])
    for source, target in WHEEL["sources"].items():
        shutil.copytree(ROOT / source, site / target, ignore=shutil.ignore_patterns("__pycache__"))
    return site


def memfold(installed: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    module, _, function = PROJECT["project"]["scripts"]["memfold"].partition(":")
    script = f"from {module} import {function}; {function}()"
    return subprocess.run(
        [sys.executable, "-c", script, *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_jobs_run_from_any_folder(installed: Path, tmp_path: Path) -> None:
    talk = {"conversation_id": "pets", "messages": [{"role": "user", "content": "My cat is called Mia."}]}
    (tmp_path / "talk.jsonl").write_text(json.dumps(talk) + "\n")
    done = memfold(installed, tmp_path, "index", "source.path=talk.jsonl", "store.root=s")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["messages"] == 1
    done = memfold(installed, tmp_path, "ask", "store.root=s", "conversation=pets", "question=my cat?")
    assert "Mia" in done.stdout, done.stderr


def test_the_command_lists_its_jobs_and_names_itself(installed: Path, tmp_path: Path) -> None:
    listed = memfold(installed, tmp_path)
    assert (listed.returncode, listed.stderr) == (0, "")
    lines = listed.stdout.splitlines()[2:]
    assert [re.match(r"  [a-z_]+ +[A-Z].*[.:]$", line) is not None for line in lines] == [True] * len(lines)
    assert [line.split()[:2] for line in lines if "index " in line[:8]] == [["index", "Read"]]
    assert "usage: memfold index [key=value …]" in memfold(installed, tmp_path, "index", "--help").stdout
    wrong = memfold(installed, tmp_path, "idx")
    assert (wrong.returncode, wrong.stderr.count("\n")) == (2, 1)
    assert "there is no job 'idx': use one of ask, demo, erase" in wrong.stderr
