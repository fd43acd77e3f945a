"""Whether this process was forked from one that had used memfold. Does not know what was used."""

from __future__ import annotations

import os

from memfold.errors import UserError

_process: int | None = None


def unforked() -> None:
    """Call this before Lance or an embedder uses its threads. UserError in a process that was forked after they had
    been used: a fork copies no threads, and whoever asked them would wait without end."""
    global _process
    if _process is None:
        _process = os.getpid()
    elif _process != os.getpid():
        raise UserError(
            "this process was forked from one that had used memfold, and lacks its threads: start it with "
            'multiprocessing.get_context("spawn"), or use memfold only after the fork'
        )
