"""The join in numpy: blocks of rows against the columns they meet in float32, what is near the threshold in float64."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from memfold_kernels.threshold_join.rows import Floats, Ints, Pairs, Rows, exact

# A block's products take 4 MB and stay in a core's cache while they are compared.
ROWS, COLUMNS = 512, 2048


def join(asked: Rows) -> Pairs:
    """The pairs, by blocks of `ROWS` rows. Conversations shorter than a block share one."""
    vectors, low, high, threshold = asked
    n = len(vectors)
    margin = margin_of(vectors.shape[1])
    later, earlier = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    products = np.empty(ROWS * COLUMNS, np.float32)
    near = np.empty(ROWS * COLUMNS, np.bool_)
    for first in range(0, n, ROWS):
        block = slice(first, min(first + ROWS, n))
        meets = low[block] < high[block]
        if not meets.any():
            continue
        left, right = int(low[block][meets].min()), int(high[block][meets].max())
        for column in range(left, right, COLUMNS):
            end = min(column + COLUMNS, right)
            height, width = block.stop - first, end - column
            here = products[: height * width].reshape(height, width)
            np.matmul(vectors[block], vectors[column:end].T, out=here)
            flat = near[: height * width]
            np.greater_equal(here.reshape(-1), np.float32(threshold - margin), out=flat)
            found = np.flatnonzero(flat)
            row, col = found // width + first, found % width + column
            inside = (col >= low[row]) & (col < high[row])
            row, col, score = row[inside], col[inside], here.reshape(-1)[found[inside]]
            sure = settled(asked, row, col, score, margin)
            later.append(row[sure])
            earlier.append(col[sure])
    return sorted_pairs(n, np.concatenate(later), np.concatenate(earlier))


def margin_of(d: int) -> float:
    """How far a float32 product of unit vectors may be from the exact one: gamma_d of Higham, Accuracy and Stability
    of Numerical Algorithms, 3.1, with room for lengths that are off by `UNIT`."""
    return 1.1 * (d + 2) * 2.0**-24


def sums_of(d: int) -> float:
    """How far a tensor core's sum of d products in fp32 may be from the exact one: it cuts off where other additions
    round (Fasi, Higham, Mikaitis, Pranesh: Numerical behavior of NVIDIA tensor cores, 2021), so twice as far."""
    return 2 * margin_of(d)


def half_margin_of(d: int) -> float:
    """How far such a product of unit vectors in fp16 may be from the exact one: both factors rounded to 11 bits
    (2 x 2^-11), numbers below 2^-14 to steps of 2^-24, and the sum."""
    return 1.1 * 2.0**-10 + 2.0**-24 * math.sqrt(d) + sums_of(d)


def settled(asked: Rows, row: Ints, col: Ints, score: Floats, margin: float) -> NDArray[np.bool_]:
    """Which candidates are pairs: what lies within `margin` of the threshold is reckoned again."""
    keep = score >= asked.threshold
    band = np.flatnonzero(np.abs(score.astype(np.float64) - asked.threshold) <= margin)
    keep[band] = exact(asked.vectors, row[band], col[band]) >= asked.threshold
    return keep


def sorted_pairs(n: int, later: Ints, earlier: Ints) -> Pairs:
    """Pairs in the order of their rows."""
    order = np.lexsort((earlier, later))
    counts = np.bincount(later, minlength=n)
    return Pairs(np.concatenate([[0], np.cumsum(counts)]).astype(np.int64), earlier[order])
