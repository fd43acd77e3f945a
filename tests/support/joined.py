"""Joins a file of cases by the kernel in Triton's interpreter, each twice: `python joined.py CASES.pickle DONE.pickle`.

A process of its own, because Triton reads TRITON_INTERPRET when kernels are defined.
"""

from __future__ import annotations

import os
import pickle
import sys
from pathlib import Path

os.environ["TRITON_INTERPRET"] = "1"

from memfold_kernels.threshold_join import join


def main(cases: Path, done: Path) -> None:
    """Each case is the arguments of `join`; its result is the bytes of both runs, or the error."""
    found = {}
    for name, case in pickle.loads(cases.read_bytes()).items():
        runs = [join(*case, by="kernel") for _ in range(2)]
        found[name] = [(run.offsets.tobytes(), run.earlier.tobytes()) for run in runs]
    done.write_bytes(pickle.dumps(found))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
