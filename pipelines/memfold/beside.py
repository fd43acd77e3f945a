"""Threads beside a block, which have ended when it has. Knows nothing of what they do."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress


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
        thread.join()


@contextmanager
def threads(count: int, name: str) -> Iterator[ThreadPoolExecutor]:
    """A pool of threads, which have ended when the block has, whatever interrupts the wait for them. A job holds its
    lease for longer: if a thread wrote after that, an erasure would call itself complete and leave what was written."""
    pool = ThreadPoolExecutor(count, name)
    try:
        yield pool
    finally:
        waiting = True
        while waiting:
            with suppress(KeyboardInterrupt):
                pool.shutdown()
                waiting = False
