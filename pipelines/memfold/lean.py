"""What a job's process leaves out, so that it starts and ends sooner. Knows no job."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn, TypeVar

Run = TypeVar("Run", bound=Callable[..., Any])


class _NoPandas:
    """Tells whoever imports pandas that it is not installed."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> None:
        if name == "pandas":
            raise ModuleNotFoundError("pandas is not looked for here", name=name)


def without_pandas() -> None:
    """Import PyArrow's datasets, which Lance needs, without pandas.

    PyArrow tries to import pandas when it makes its first array: 0.35 s of the 1.5 s that a question took, for
    something that no job calls. Whoever imports pandas later gets it, and `to_pandas` looks again. Only for our own
    processes: in a user's program PyArrow would no longer recognise pandas objects.
    """
    if "pandas" in sys.modules:
        return
    sys.meta_path.insert(0, _NoPandas)
    try:
        import pyarrow.dataset  # noqa: F401
    finally:
        sys.meta_path.remove(_NoPandas)


@contextmanager
def without_collecting() -> Iterator[None]:
    """Look for no garbage while the block imports and loads, nor later among what it loaded.

    What is loaded at the start lives to the end. To walk it takes .06 s of the processor while a question starts, in
    150 collections, and as much again when the process ends. Garbage made later is collected as usual.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was:
            gc.enable()


def collecting_rarely() -> None:
    """Collect garbage after 200,000 new objects instead of 700, and the older generations more rarely too.

    An index job keeps objects for each conversation until it ends, and each collection walks them again. With 20,000
    small conversations that took 5 of 139 s of processor time, in which no other thread could run Python. Collecting
    after 50,000 objects made the job 2.5 s faster and cost 60 MB; after 200,000 it takes 0.3 s less for 6,000 of them.
    """
    gc.set_threshold(200_000, 20, 50)


def leaving(run: Run) -> Run:
    """Mark the `run` of a job whose process shall `leave` once the job has ended well (`memfold.entry.main`).

    Only for a job that leaves nothing to be done at exit and no thread at work.
    """
    run.ended = leave  # type: ignore[attr-defined]
    return run


def leave() -> NoReturn:
    """Write what is buffered and end the process, without the interpreter's own end.

    That would take apart what is loaded: .25 s of the 2.2 s of the processor that a question takes, and .1 s of the .6
    that jobs/list.py takes.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)
