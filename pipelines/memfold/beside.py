"""A thread that acts again and again beside a block. Knows nothing of what it does."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
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
        thread.join()
