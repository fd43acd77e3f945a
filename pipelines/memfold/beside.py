"""Threads beside a block, which have ended when it has. Knows nothing of what they do."""

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
    """A pool of threads, which have ended when the block has, whatever interrupts the wait for them. A job holds its
    lease for longer: if a thread wrote after that, an erasure would call itself complete and leave what was written."""
    pool = ThreadPoolExecutor(count, name)
    try:
        yield pool
    finally:
        outlast(pool.shutdown)


def outlast(wait: Callable[[], object]) -> None:
    """Call `wait`, which waits for threads, and return when it has; what interrupts that is raised then.

    A thread of its own calls it: Python 3.11 takes a thread for ended once a wait for it was interrupted, so that to
    wait again returns at once."""
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
