"""A job's standard streams: stdout takes the result, stderr takes progress and notices. A job goes on if one of them
breaks.

Knows no job.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

from memfold.errors import UserError


class _Stream:
    """A text stream whose writing never fails. `lost` is the first error of those that it met."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.lost: OSError | None = None

    def write(self, text: str) -> int:
        with self._noting():
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        with self._noting():
            self._stream.flush()

    @contextmanager
    def _noting(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self.lost = self.lost or error

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def prepare() -> None:
    """Make this process's streams safe for a job: writing never fails, and a closed stream leads to os.devnull."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            # In this order each gets its own number, which no file of the job can then get.
            nowhere = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(nowhere, mode, encoding="utf-8", errors="backslashreplace"))
    sys.stdout = cast("TextIO", _Stream(sys.stdout))
    sys.stderr = cast("TextIO", _Stream(sys.stderr))


def lost() -> OSError | None:
    """Why stdout did not take all that was printed; None if it did."""
    sys.stdout.flush()
    error: OSError | None = getattr(sys.stdout, "lost", None)
    return error


def check() -> None:
    """UserError if stdout did not take all that was printed, unless its reader has read enough."""
    error = lost()
    if error is not None and error.errno != errno.EPIPE:
        raise UserError(
            f"what the job printed could not be written to stdout ({error.strerror}): send it elsewhere; whatever "
            "it did in the store is done"
        )
