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


def main(cases: Path, done: Path) -> None:
    """Each case is the arguments of `join`, and of each run how far the products of the second pass are off from those
    of the first, as on a GPU that adds up in another order there; its result is the bytes of the runs."""
    products, found = kernel._products, {}

    def off(by: float) -> Any:
        def made(rows: Any, columns: Any, D: Any, BM: Any, BN: Any, BK: Any) -> Any:
            shift = by if kernel.INTERPRETER.part == BN else 0.0
            return products(rows, columns, D, BM, BN, BK) + shift

        return made

    for name, (case, offs) in pickle.loads(cases.read_bytes()).items():
        runs = []
        for by in offs:
            kernel._products = off(by) if by else products
            runs.append(join(*case, by="kernel"))
        found[name] = [(run.offsets.tobytes(), run.earlier.tobytes()) for run in runs]
    done.write_bytes(pickle.dumps(found))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
