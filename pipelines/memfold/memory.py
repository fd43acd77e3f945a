"""How much memory all processes of a job hold. Knows nothing of the job."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psutil

from memfold.beside import every

SECONDS_A_SAMPLE = 0.25


class PeakMemory:
    """The most resident memory, in MB, that this process and its children held at one moment. Pages that several
    processes share count once for each, so this is never too low."""

    def __init__(self) -> None:
        self.peak_mb = 0.0
        self._process = psutil.Process()

    def sample(self) -> None:
        """Measure now, and keep the measurement if it is the highest so far."""
        total = 0
        for process in [self._process, *self._process.children(recursive=True)]:
            try:
                total += process.memory_info().rss
            except psutil.NoSuchProcess:
                continue
        self.peak_mb = max(self.peak_mb, total / 1e6)


@contextmanager
def memory() -> Iterator[PeakMemory]:
    """Samples memory in the background until the block ends, and once more then."""
    found = PeakMemory()
    with every(SECONDS_A_SAMPLE, found.sample, name="memory", once_more=True):
        yield found
