"""What embedders on this machine's cores share: the bounds of their settings, and threads that divide the texts.

Knows no model.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

from memfold.errors import UserError
from memfold.once import once

# Texts that one call encodes at most: of 75 tokens each .4 s of work, after which the process heeds an interrupt.
GROUP = 64


def check(max_length: int, threads: int) -> None:
    """UserError where an embedder's settings are out of bounds."""
    if not 8 <= max_length <= 512:
        raise UserError(f"embedder.max_length is {max_length}: give 8 to 512 tokens")
    if threads < 0:
        raise UserError(f"embedder.threads is {threads}: give 0 for all cores, or a number of threads")


def share_out(texts: Sequence[str], threads: int, encode: Callable[[Sequence[int]], None]) -> None:
    """Call `encode` with the places of some texts at a time, until it had each once, in `threads` threads (0: as many
    as cores), this one among them. The longest texts come first and the groups grow smaller, by letters: whoever takes
    much last keeps the others waiting."""
    left = sorted(range(len(texts)), key=lambda place: len(texts[place]))
    threads = min(threads or os.cpu_count() or 1, len(texts))
    parts = 2 * threads if threads > 1 else 1
    letters = sum(map(len, texts))
    taking = Lock()

    def group() -> list[int]:
        nonlocal letters
        with taking:  # whoever is free takes the next
            taken: list[int] = []
            room = letters // parts
            while left and len(taken) < GROUP and (not taken or len(texts[left[-1]]) <= room):
                taken.append(left.pop())
                room -= len(texts[taken[-1]])
                letters -= len(texts[taken[-1]])
            return taken

    def work() -> None:
        while places := group():
            encode(places)

    helping = [_pool().submit(work) for _ in range(threads - 1)]
    work()
    for each in helping:
        each.result()


@once
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(os.cpu_count() or 1, "encode")
