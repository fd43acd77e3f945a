"""The likeness of many vectors to one."""

from __future__ import annotations

import numpy as np

from memfold.embed.contract import Vectors


def cosines(vectors: Vectors, vector: Vectors) -> Vectors:
    """The cosine of each unit vector in `vectors`, (n, d), with `vector`, (d,): shape (n,). If `vector` is a sum of
    unit vectors, each result is the sum of their cosines.

    This runs row by row in the calling thread. BLAS was 0.2 ms faster over 8,301 vectors, but its threads then spin,
    and embedding the next question took 10 ms instead of 6 on two cores.
    """
    return np.asarray(np.vecdot(vectors, vector), np.float32)
