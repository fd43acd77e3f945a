"""Whether this process was forked from one that had used memfold. Knows nothing of what is used."""

from __future__ import annotations

import os

from memfold.errors import UserError

_process: int | None = None


def unforked() -> None:
    """To be called before threads of Lance or of an embedder work. UserError in a process that was forked from one
    where they had: a fork takes no threads along, and who asks them waits without end."""
    global _process
    if _process is None:
        _process = os.getpid()
    elif _process != os.getpid():
        raise UserError(
            "this process was forked from one that had used memfold, and lacks its threads: start it with "
            'multiprocessing.get_context("spawn"), or use memfold only after the fork'
        )
