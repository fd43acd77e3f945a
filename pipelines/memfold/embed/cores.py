"""What embedders on this machine's cores share: the bounds of their settings, and threads that divide the texts.

Knows no model.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from memfold.errors import UserError
from memfold.forked import unforked
from memfold.once import once

# The most texts that one call encodes. 64 texts of 75 tokens take 0.4 s, after which the process heeds an interrupt.
GROUP = 64
# Asked once: to ask the system takes .04 ms, and a question is encoded in 2.
CORES = os.cpu_count() or 1


def check(max_length: int, threads: int) -> None:
    """UserError where an embedder's settings are out of bounds."""
    if not 8 <= max_length <= 512:
        raise UserError(f"embedder.max_length is {max_length}: give 8 to 512 tokens")
    if threads < 0:
        raise UserError(f"embedder.threads is {threads}: give 0 for all cores, or a number of threads")


def share_out(texts: Sequence[str], threads: int, encode: Callable[[Sequence[int]], None]) -> None:
    """Call `encode` with the places of each group of `texts`, in `threads` threads (0: as many as there are cores),
    one of which is the caller's."""
    threads = min(threads or CORES, len(texts))
    if threads > 1:
        unforked()
    waiting = iter(groups(list(map(len, texts)), threads))

    def work() -> None:
        for places in waiting:  # whichever thread is free takes the next group
            encode(places)

    helping = [_pool().submit(work) for _ in range(threads - 1)]
    work()
    for each in helping:
        # All texts are taken by now. A helper that has not begun is dropped: it may stand behind the texts of a job.
        if not each.cancel():
            each.result()


def groups(lengths: Sequence[int], threads: int) -> list[list[int]]:
    """The places of texts of these lengths, in groups of at most `GROUP`, the longest texts first. For several threads,
    a group holds at most 1 / (2 * threads) of the letters that are left, or one text: if the last groups were long, one
    thread would work on while the others wait."""
    left = sorted(range(len(lengths)), key=lambda place: lengths[place])
    letters = sum(lengths)
    found: list[list[int]] = []
    while left:
        room = letters // (2 * threads) if threads > 1 else letters
        group = [left.pop()]
        taken = lengths[group[0]]
        while left and len(group) < GROUP and taken + lengths[left[-1]] <= room:
            group.append(left.pop())
            taken += lengths[group[-1]]
        letters -= taken
        found.append(group)
    return found


@once
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(CORES, "encode")
