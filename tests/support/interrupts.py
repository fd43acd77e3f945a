"""Ctrl-C while the main thread waits for others."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable

PATIENCE_S = 30.0


def interrupt_wait(times: int, then: Callable[[], object]) -> None:
    """In a thread: once somebody waits for threads to end (`memfold.beside.outlast`), interrupt the main thread so many
    times, and then call `then`."""

    def run() -> None:
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end and all(each.name != "wait" for each in threading.enumerate()):
            time.sleep(0.01)
        for _ in range(times):
            time.sleep(0.1)
            os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.1)
        then()

    threading.Thread(target=run, daemon=True).start()
