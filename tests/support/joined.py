"""Joins a file of cases by the kernel in Triton's interpreter: `python joined.py CASES.pickle DONE.pickle`.

A process of its own, because Triton reads TRITON_INTERPRET when kernels are defined.
"""

from __future__ import annotations

import os
import pickle
import sys
from pathlib import Path
from typing import Any

os.environ["TRITON_INTERPRET"] = "1"

from memfold_kernels.threshold_join import join, kernel

PRODUCTS, MARK, FILL, TILE = kernel._products, kernel._mark, kernel._fill, kernel.INTERPRETER


class Off:
    """A pass with its products off by `by` from those of the others."""

    def __init__(self, one: Any, by: float) -> None:
        self.one, self.by = one, by

    def __getitem__(self, grid: tuple[int, ...]) -> Any:
        def run(*given: Any, **shape: Any) -> None:
            kernel._products = lambda *tile, **kinds: PRODUCTS(*tile, **kinds) + self.by
            self.one[grid](*given, **shape)
            kernel._products = PRODUCTS

        return run


def main(cases: Path, done: Path) -> None:
    """Each case is the arguments of `join`, a tile or None, and of each run how far the products of the first and of
    the last pass are off from those of the second, as on a GPU that adds up in another order there; its result is the
    bytes of the runs."""
    found = {}
    for name, (case, tile, offs) in pickle.loads(cases.read_bytes()).items():
        kernel.INTERPRETER = kernel.Tile(*tile) if tile else TILE
        runs = []
        for first, last in offs:
            kernel._mark, kernel._fill = Off(MARK, first), Off(FILL, last)
            runs.append(join(*case, by="kernel"))
        found[name] = [(run.offsets.tobytes(), run.earlier.tobytes()) for run in runs]
    done.write_bytes(pickle.dumps(found))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
