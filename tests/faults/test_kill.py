"""Law 4 under SIGKILL: whatever dies, and whenever, one run again ends as if nothing had died.

`MEMFOLD_KILLS` is how many kills are made (4), `MEMFOLD_SEED` decides their moments (0). A moment is a share of
the time the same job took when nothing was killed, so a slow machine is killed at the same places as a fast one.
The control is decision 2: without the tables' primary keys the rivals of this test leave rows doubled.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import pytest

import memfold

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]

# 24 conversations are 24 segments, so three commits of segments and 24 of scratchpads for a kill to fall between.
SOURCE = ("source=synthetic", "source.tokens=5000", "source.conversations=24")
LOCAL = ("executor=local", "embedder.threads=1")
RAY = ("executor=ray", "executor.workers=2")
EXECUTOR: dict[str, tuple[str, ...]] = {"local": LOCAL, "ray": RAY, "worker": RAY, "rival": LOCAL}

# How long the processes of a dead driver's cluster are given to follow it before they are ended one by one.
SECONDS_TO_FOLLOW = 20.0


@dataclass(frozen=True)
class Kill:
    """Who is killed, after which share of an undisturbed run, and after which share a rival had started."""

    victim: str
    share: float
    start: float

    def __str__(self) -> str:
        return f"{self.victim}-{self.share:.3f}"


def planned() -> list[Kill]:
    draw = random.Random(int(os.environ.get("MEMFOLD_SEED", "0"))).random
    victims = os.environ.get("MEMFOLD_VICTIMS", "local,ray,worker,rival").split(",")
    kills = int(os.environ.get("MEMFOLD_KILLS", "4"))
    # The first twentieth is the interpreter's; a rival starts before the first is killed, most often with it.
    return [
        Kill(victims[i % len(victims)], share := 0.05 + 0.9 * draw(), share * draw() ** 3)
        for i in range(kills)
    ]


def command(root: Path, executor: tuple[str, ...]) -> list[str]:
    return [sys.executable, "jobs/index.py", *SOURCE, *executor, f"store.root={root}"]


@contextmanager
def started(root: Path, executor: tuple[str, ...]) -> Iterator[subprocess.Popen[str]]:
    """The job as a process of a session of its own; at the end nothing of it is left."""
    process = subprocess.Popen(
        command(root, executor),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        slay(process)
        process.communicate()


def slay(process: subprocess.Popen[str]) -> int:
    """SIGKILL to the process alone; returns how many it had started that had to be ended by hand."""
    try:
        family = psutil.Process(process.pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return 0
    process.kill()
    process.wait()
    _, orphans = psutil.wait_procs(family, timeout=SECONDS_TO_FOLLOW)
    for orphan in orphans:
        try:
            orphan.kill()
        except psutil.NoSuchProcess:
            continue
    psutil.wait_procs(orphans)
    return len(orphans)


def outcome(process: subprocess.Popen[str]) -> dict[str, Any]:
    """What a job that ends says on its last line."""
    output, errors = process.communicate()
    assert process.returncode == 0, errors
    said: dict[str, Any] = json.loads(output.splitlines()[-1])
    return said


def run(root: Path, executor: tuple[str, ...]) -> dict[str, Any]:
    with started(root, executor) as process:
        return outcome(process)


def rows(root: Path) -> dict[str, int]:
    """How many rows each table holds, whoever may see them."""
    return {table.name: table.count() for table in memfold.open(str(root)).tables.all}


def sealed(root: Path) -> bool:
    """Whether there is a snapshot. If there is one, it is whole."""
    try:
        store = memfold.open(str(root))
    except memfold.UserError as error:
        if "nothing is sealed" not in str(error):
            raise
        return False
    assert store.verify() == store.snapshot.content_hash
    return True


def over_after(process: subprocess.Popen[str], seconds: float) -> bool:
    """Whether the process ended by itself within some seconds."""
    try:
        process.wait(max(seconds, 0.0))
    except subprocess.TimeoutExpired:
        return False
    return True


def worker_of(process: subprocess.Popen[str]) -> psutil.Process | None:
    """A Ray worker of the job as soon as there is one; None if the job is over before."""
    while not over_after(process, 0.1):
        try:
            family = psutil.Process(process.pid).children(recursive=True)
        except psutil.NoSuchProcess:
            return None
        for child in family:
            try:
                if "".join(child.cmdline()).startswith("ray::_Worker"):
                    return child
            except psutil.Error:
                continue
    return None


@dataclass(frozen=True)
class Reference:
    """A run that nobody killed: its last line, its rows and how long it took."""

    said: dict[str, Any]
    rows: dict[str, int]
    seconds: float


@pytest.fixture(scope="module")
def references(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, ...], Reference]:
    made: dict[tuple[str, ...], Reference] = {}
    for executor in dict.fromkeys(EXECUTOR[kill.victim] for kill in planned()):
        root = tmp_path_factory.mktemp("never-killed")
        run(root / "warm", executor)  # the first run of a machine also reads its libraries from the disk
        begun = time.monotonic()
        said = run(root / "store", executor)
        made[executor] = Reference(said, rows(root / "store"), time.monotonic() - begun)
    return made


@pytest.mark.parametrize("kill", planned(), ids=str)
def test_one_run_after_a_kill_ends_as_one_never_killed(
    kill: Kill, tmp_path: Path, references: dict[tuple[str, ...], Reference]
) -> None:
    executor = EXECUTOR[kill.victim]
    reference = references[executor]
    root = tmp_path / "store"
    moment = kill.share * reference.seconds
    begun = time.monotonic()
    followers = 0
    with started(root, executor) as first:
        if kill.victim == "worker":
            worker = worker_of(first)
            finished = over_after(first, kill.share * (reference.seconds - (time.monotonic() - begun)))
            if worker is not None and worker.is_running():
                worker.kill()
            seen = sealed(root)
            assert outcome(first)["content_hash"] == reference.said["content_hash"]
        elif kill.victim == "rival":
            over_after(first, kill.start * reference.seconds)
            with started(root, executor) as second:
                finished = over_after(first, moment - (time.monotonic() - begun))
                slay(first)
                seen = sealed(root)
                assert outcome(second)["content_hash"] == reference.said["content_hash"]
        else:
            finished = over_after(first, moment)
            followers = slay(first)
            seen = sealed(root)

    again = run(root, executor)

    facts = ("content_hash", "messages", "exchanges", "tokens", "dead_letters")
    assert {name: again[name] for name in facts} == {name: reference.said[name] for name in facts}
    assert memfold.open(str(root)).verify() == reference.said["content_hash"]
    assert rows(root) == reference.rows
    print(
        f"KILL {kill.victim:7} at {moment:5.2f} of {reference.seconds:5.2f} s, "
        f"{'over before' if finished else 'killed':11}, sealed {seen!s:5}, ended by hand {followers}, hash equal"
    )
