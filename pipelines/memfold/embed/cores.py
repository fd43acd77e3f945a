"""What embedders on this machine's cores share: the bounds of their settings, and threads that divide the texts.

Knows no model.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from memfold.errors import UserError
from memfold.once import once


def check(max_length: int, threads: int) -> None:
    """UserError where an embedder's settings are out of bounds."""
    if not 8 <= max_length <= 512:
        raise UserError(f"embedder.max_length is {max_length}: give 8 to 512 tokens")
    if threads < 0:
        raise UserError(f"embedder.threads is {threads}: give 0 for all cores, or a number of threads")


def share_out(texts: Sequence[str], threads: int, encode: Callable[[int], None]) -> None:
    """Call `encode` once for the place of each text, in `threads` threads (0: as many as cores), this one among them.
    The longest text comes first: whoever takes a long one last keeps the others waiting."""
    waiting = iter(sorted(range(len(texts)), key=lambda place: -len(texts[place])))

    def work() -> None:
        for place in waiting:  # whoever is free takes the next
            encode(place)

    helpers = min(threads or os.cpu_count() or 1, len(texts)) - 1
    helping = [_pool().submit(work) for _ in range(helpers)]
    work()
    for each in helping:
        each.result()


@once
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(os.cpu_count() or 1, "encode")
