"""What a long job shows of itself: how far it is, and how much memory all its processes hold."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import psutil
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

# A line this often where there is no terminal: a log of a night stays under a thousand lines.
SECONDS_A_LINE = 30.0
SECONDS_A_SAMPLE = 0.25


class Report:
    """Counts segments made; draws a bar on a terminal, prints lines elsewhere. Everything goes to stderr."""

    def __init__(self) -> None:
        console = Console(stderr=True)
        self._bar: Progress | None = None
        self._done = 0
        self._started = time.monotonic()
        self._last = self._started
        if console.is_terminal:
            columns = (
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TimeElapsedColumn(),
            )
            self._bar = Progress(*columns, console=console, transient=True)
            self._task = self._bar.add_task("folding segments", total=None)
            self._bar.start()

    def advance(self, what: str, by: int = 1) -> None:
        """Say that so many segments more are done."""
        self._done += by
        if self._bar is not None:
            self._bar.update(self._task, advance=by, description=what)
            return
        now = time.monotonic()
        if now - self._last >= SECONDS_A_LINE:
            self._last = now
            print(
                f"{what}: {self._done} segments in {now - self._started:.0f} s", file=sys.stderr, flush=True
            )

    def close(self) -> None:
        if self._bar is not None:
            self._bar.stop()


class Memory:
    """The most that this process and all it started held at one moment, in MB of resident memory.

    Pages that several processes share are counted once for each, so this is never too low.
    """

    def __init__(self) -> None:
        self.peak_mb = 0.0
        self._process = psutil.Process()

    def sample(self) -> None:
        total = 0
        for process in [self._process, *self._process.children(recursive=True)]:
            try:
                total += process.memory_info().rss
            except psutil.NoSuchProcess:
                continue
        self.peak_mb = max(self.peak_mb, total / 1e6)


@contextmanager
def memory() -> Iterator[Memory]:
    """Samples memory in the background until the block ends."""
    found = Memory()
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(SECONDS_A_SAMPLE):
            found.sample()

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield found
    finally:
        ended.set()
        thread.join()
        found.sample()
