"""Processes that write, tend and read one store at once, some of them killed, in a module that they can import.

They are forked from one process that has imported all of this, so that sixteen of them start in a second.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import sys
import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

import memfold
from memfold.run.executor import Local
from memfold.schema import Message
from memfold.store import unsealed, upkeep
from memfold.store.location import Location
from memfold.store.maintain import maintain
from support.given import job, run

# What a process ends with that was taken for dead and may be run again, and one that went wrong.
AGAIN, WRONG = 3, 4
TAKEN_FOR_DEAD = "counts as dead"
# The exit code that Python gives if the server that is a process's parent has lost the real one.
LOST = 255
# A killed job is to be taken for dead while the test runs, and a slow one, of sixteen on two cores, is not.
DEAD_S = 10.0

_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload(["support.writing"])


def hurry() -> None:
    """Have jobs be seen more often, so that who was killed is soon taken for dead, and old versions go while the test
    runs."""
    unsealed.DEAD_AFTER, unsealed.WATCH_S = timedelta(seconds=DEAD_S), DEAD_S
    unsealed.SEEN_S, unsealed.LOOK_S = 1.0, 0.05
    upkeep.GRACE = timedelta(seconds=DEAD_S)  # less, and a commit may take longer: it would be lost


@dataclass
class Writer:
    """A job in a process of its own, killed at some moments and run again until it has ended well. `said` is its last
    line, `kills` how often it lived when it was killed."""

    root: Path
    items: Sequence[Message]
    moments: Sequence[float] = ()
    said: dict[str, Any] = field(default_factory=dict)
    kills: int = 0
    wrong: list[str] = field(default_factory=list)

    def all(self) -> None:
        moments = list(self.moments)
        for turn in range(len(moments) + 20):
            told = self.root.parent / f"said-{id(self)}-{turn}"
            process = _context.Process(target=write, args=(self.root, list(self.items), told))
            process.start()
            struck = bool(moments)
            if moments:
                process.join(moments.pop(0))
                process.kill()
            process.join()
            said = told.read_text() if told.exists() else "nothing"
            if process.exitcode == 0:
                self.said = json.loads(said)
                if not moments:
                    return
            elif process.exitcode == -9:
                self.kills += 1
            elif process.exitcode == LOST and struck:
                continue  # it may have been killed, and is not counted
            elif process.exitcode == LOST and said.startswith("{"):
                self.said = json.loads(said)  # it had come to its end
                return
            elif process.exitcode != AGAIN and not (process.exitcode == LOST and TAKEN_FOR_DEAD in said):
                self.wrong.append(f"exit code {process.exitcode}, said {said}")
                return
        self.wrong.append("it never came to an end")


def write(root: Path, items: Sequence[Message], told: Path) -> None:
    """Index the items; says what it did in a file."""
    hurry()
    try:
        told.write_text(json.dumps(run(job(root, items, executor=Local(1)))))
    except memfold.UserError as error:
        told.write_text(traceback.format_exc())
        sys.exit(AGAIN if TAKEN_FOR_DEAD in str(error) else WRONG)
    except BaseException:
        told.write_text(traceback.format_exc())
        sys.exit(WRONG)


def at_once(writers: Sequence[Writer]) -> None:
    """Run all of them to their end."""
    threads = [Thread(target=writer.all) for writer in writers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def tend(root: Path, log: Path) -> None:
    """Maintain the store again and again, as hard as it may be done."""
    hurry()
    location = Location(str(root))
    while True:
        try:
            done = maintain(location, keep=1, unsealed_days=0.001)
            _append(log, f"{done.running} {sum(done.collected.values())}")
        except memfold.UserError as error:
            if "nothing is sealed" not in str(error):
                _append(log, traceback.format_exc(), wrong=True)
        except BaseException:
            _append(log, traceback.format_exc(), wrong=True)
        time.sleep(0.2)


def read(root: Path, log: Path, whole: dict[str, list[tuple[str | None, str]]]) -> None:
    """Open, verify, list, read and search again and again. Of each conversation a reader sees what it is to be in the
    end, or a beginning of it, and never less than it saw before."""
    seen: dict[str, int] = {}
    draw = Random(os.getpid())
    while True:
        try:
            store = memfold.open(str(root))
            names = [each.conversation_id for each in store.conversations()]
            assert set(names) >= set(seen), f"{set(seen) - set(names)} are gone"
            for name in names:
                said = [(message.message_id, message.content) for message in store.messages(name)]
                assert said == whole[name][: len(said)], f"{name} has a gap"
                assert len(said) >= seen.get(name, 0), f"{name} shrank"
                seen[name] = len(said)
            store.verify()
            name = draw.choice(names)
            assert store.search(name, "my kayak repair budget", k=3)
            _append(log, f"{store.snapshot.number} {len(names)}")
        except memfold.UserError as error:
            if not any(why in str(error) for why in ("nothing is sealed", "no longer kept")):
                _append(log, traceback.format_exc(), wrong=True)
        except BaseException:
            _append(log, traceback.format_exc(), wrong=True)
        time.sleep(0.05)


def beside(target: Any, *args: object) -> BaseProcess:
    """Start a process that goes on until it is killed."""
    process = _context.Process(target=target, args=args, daemon=True)
    process.start()
    return process


def heard(process: BaseProcess, log: Path) -> int:
    """How many lines a running process has logged. Waits for the first line: on a slow machine all writers may end
    before a reader has read once."""
    while process.is_alive() and not log.exists() and not log.with_suffix(".wrong").exists():
        time.sleep(0.1)
    return len(log.read_text().splitlines()) if log.exists() else 0


def _append(log: Path, line: str, *, wrong: bool = False) -> None:
    with (log.with_suffix(".wrong") if wrong else log).open("a") as file:
        file.write(f"{line}\n")
