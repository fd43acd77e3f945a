"""The likeness of many vectors to one."""

from __future__ import annotations

import numpy as np

from memfold.embed.contract import Vectors


def cosines(vectors: Vectors, vector: Vectors) -> Vectors:
    """(n,): the cosine of each of some unit vectors, (n, d), to one, (d,); to a sum of unit vectors, the sum of theirs.

    By rows, in this thread: a product by BLAS took 0.2 ms less over 8,301 vectors, but its threads wait busily for the
    next one, and the question that is embedded then took 10 ms instead of 6 on two cores.
    """
    return np.asarray(np.vecdot(vectors, vector), np.float32)
