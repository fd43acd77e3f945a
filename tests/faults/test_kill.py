"""Law 4 under SIGKILL: whatever dies, and whenever, one run again ends as if nothing had died.

`MEMFOLD_KILLS` is how many kills are made (4), `MEMFOLD_SEED` decides their moments (0). A moment is a share of
the time that the same job took, from making its folder to its end, when nothing was killed: so a slow machine is
killed at about the same places as a fast one. A victim that had ended by then was not killed, so the kill is tried
again, earlier. The control is decision 2: without the primary key of `snapshots` rivals would take the same number.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import pytest

import memfold
from memfold.store.location import Location
from memfold.store.maintain import maintain
from support import given

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]

# 24 conversations are 24 segments, so about 20 commits for a kill to fall between.
SOURCE = ("source=synthetic", "source.tokens=5000", "source.conversations=24")
LOCAL = ("executor=local", "embedder.threads=1")
RAY = ("executor=ray", "executor.workers=2")
EXECUTOR: dict[str, tuple[str, ...]] = {"local": LOCAL, "ray": RAY, "worker": RAY, "rival": LOCAL}

# How long the processes of a dead driver's cluster are given to follow it before they are ended one by one.
SECONDS_TO_FOLLOW = 20.0


@dataclass(frozen=True)
class Kill:
    """Who is killed, and after which share of an undisturbed run."""

    victim: str
    share: float

    def __str__(self) -> str:
        return f"{self.victim}-{self.share:.3f}"


def planned() -> list[Kill]:
    draw = random.Random(int(os.environ.get("MEMFOLD_SEED", "0"))).random
    victims = os.environ.get("MEMFOLD_VICTIMS", ",".join(EXECUTOR)).split(",")
    kills = int(os.environ.get("MEMFOLD_KILLS", "4"))
    return [Kill(victims[i % len(victims)], draw()) for i in range(kills)]


# The job as it is, but that it makes many small tasks and commits each, so that a kill falls between commits too.
OFTEN = """
import runpy, sys
from memfold.run import making, tasks
making.SECONDS_A_COMMIT, tasks.EXCHANGES_A_TASK = 0.0, 12
sys.argv[0] = "jobs/index.py"
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def command(root: Path, executor: tuple[str, ...]) -> list[str]:
    return [sys.executable, "-c", OFTEN, *SOURCE, *executor, f"store.root={root}"]


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


TABLES = ("messages", "extractions", "notes", "episodic", "scratchpad", "timeline", "dead_letters")


def rows(root: Path) -> dict[str, int]:
    """How many rows each table of what was said and made holds, whoever may see them."""
    if not root.exists():
        return dict.fromkeys(TABLES, 0)
    return dict.fromkeys(TABLES, 0) | {name: n for name, n in given.rows(root).items() if name in TABLES}


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


def has_begun(process: subprocess.Popen[str], root: Path) -> float:
    """When the job made its folder: before that there is nothing for a kill to spoil."""
    while not root.exists() and not over_after(process, 0.02):
        pass
    return time.monotonic()


def worker_of(process: subprocess.Popen[str]) -> psutil.Process | None:
    """A Ray worker of the job, if there is one."""
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


def first_worker_of(process: subprocess.Popen[str]) -> float:
    """When the job had its first Ray worker."""
    while worker_of(process) is None and not over_after(process, 0.1):
        pass
    return time.monotonic()


@dataclass(frozen=True)
class Reference:
    """A run that nobody killed: its last line, its rows, and the seconds from its first folder and its first Ray
    worker to its end."""

    said: dict[str, Any]
    rows: dict[str, int]
    seconds: float
    working: float


@pytest.fixture(scope="module")
def references(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, ...], Reference]:
    made: dict[tuple[str, ...], Reference] = {}
    for executor in dict.fromkeys(EXECUTOR[kill.victim] for kill in planned()):
        root = tmp_path_factory.mktemp("never-killed") / "store"
        with started(root, executor) as process:
            begun = has_begun(process, root)
            worked = first_worker_of(process) if executor is RAY else begun
            said = outcome(process)
            ended = time.monotonic()
        made[executor] = Reference(said, rows(root), ended - begun, ended - worked)
    return made


# A kill that came too late is tried again at half its moment, so often at most.
TRIES = 6


@pytest.mark.parametrize("kill", planned(), ids=str)
def test_one_run_after_a_kill_ends_as_one_never_killed(
    kill: Kill,
    tmp_path: Path,
    references: dict[tuple[str, ...], Reference],
) -> None:
    executor = EXECUTOR[kill.victim]
    reference = references[executor]
    span = reference.working if kill.victim == "worker" else reference.seconds
    moment, killed, by_hand = kill.share * span, False, 0
    for attempt in range(TRIES):
        root = tmp_path / f"store-{attempt}"
        with ExitStack() as running:
            first = running.enter_context(started(root, executor))
            rival = running.enter_context(started(root, executor)) if kill.victim == "rival" else None
            has_begun(first, root)
            if kill.victim == "worker":
                first_worker_of(first)
                victim = None if over_after(first, moment) else worker_of(first)
                killed = victim is not None and victim.is_running()
                if victim is not None:
                    victim.kill()
            else:
                killed = not over_after(first, moment)
                by_hand = slay(first)
                killed = killed and first.returncode == -signal.SIGKILL
            left = rows(root)
            seen = sealed(root)
            survivor = first if kill.victim == "worker" else rival
            if survivor is not None:
                assert outcome(survivor)["content_hash"] == reference.said["content_hash"]
        if killed:
            break
        moment /= 2
    assert killed, f"the victim had ended before each of {TRIES} kills"

    again = run(root, executor)

    facts = ("content_hash", "messages", "exchanges", "tokens", "dead_letters")
    assert {name: again[name] for name in facts} == {name: reference.said[name] for name in facts}
    assert memfold.open(str(root)).verify() == reference.said["content_hash"]
    now = rows(root)
    assert all(now[name] >= count for name, count in reference.rows.items())
    # What was made twice, or committed and never named, goes; nothing that is named does.
    given.buried(root)
    assert maintain(Location(str(root)), keep=1, unsealed_days=0).running == 0
    assert rows(root) == reference.rows
    assert memfold.open(str(root)).verify() == reference.said["content_hash"]
    print(
        f"KILL {kill.victim:6} at {moment:5.2f} of {span:5.2f} s, rows left: {left['messages']:3} messages "
        f"{left['scratchpad']:2} notes, {'sealed' if seen else 'not sealed':10}, made twice: "
        f"{now['messages'] - reference.rows['messages']:3}, ended by hand: {by_hand}, hash equal"
    )


def test_control_a_kill_of_what_has_ended_is_no_kill(tmp_path: Path) -> None:
    with started(tmp_path / "store", LOCAL) as process:
        outcome(process)
        assert over_after(process, 0.0)
        slay(process)
        assert process.returncode == 0
