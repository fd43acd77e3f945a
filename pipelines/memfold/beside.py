"""Threads that run beside a block and end before it does. This module does not know what they do."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager


@contextmanager
def every(seconds: float, act: Callable[[], object], *, name: str, once_more: bool = False) -> Iterator[None]:
    """Has a thread of that name `act` every so many seconds until the block ends, or until `act` gives False;
    `once_more` when the block has ended."""
    ended = threading.Event()

    def run() -> None:
        going = True
        while going:
            going = not ended.wait(seconds)
            if (going or once_more) and act() is False:
                return

    thread = threading.Thread(target=run, name=name, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        outlast(thread.join)


@contextmanager
def threads(count: int, name: str) -> Iterator[ThreadPoolExecutor]:
    """A pool of threads. The block ends only after its threads have ended, even if the wait is interrupted. A job gives
    up its lease after that. If a thread wrote later, an erasure could report `complete` and leave the written text."""
    pool = ThreadPoolExecutor(count, name)
    try:
        yield pool
    finally:
        outlast(pool.shutdown)


def outlast(wait: Callable[[], object]) -> None:
    """Call `wait`, which waits for threads, and return when it has returned. An interrupt is raised after that.

    A helper thread calls `wait`: after an interrupted join Python 3.11 counts the joined thread as ended, so a second
    join would return at once."""
    done = threading.Event()

    def run() -> None:
        try:
            wait()
        finally:
            done.set()

    threading.Thread(target=run, name="wait", daemon=True).start()
    interrupt: KeyboardInterrupt | None = None
    while not done.is_set():
        try:
            done.wait()
        except KeyboardInterrupt as raised:
            interrupt = raised
    if interrupt is not None:
        raise interrupt
