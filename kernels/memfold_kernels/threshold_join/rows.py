"""What a join is asked, checked and laid out: which earlier rows each row is compared with.

Both implementations know nothing but `low` and `high`: row k meets the columns low[k] to high[k] - 1. That a pair
never crosses a conversation is settled here, once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

# How far a vector's length may be from 1. The margins below are derived for unit vectors.
UNIT = 1e-3


@dataclass(frozen=True)
class Pairs:
    """The pairs found, by their later row: `earlier[offsets[k]:offsets[k + 1]]` are row k's partners, ascending, all
    before k. `offsets` has shape (n + 1,), `earlier` (pairs,), both int64; rows count through all conversations."""

    offsets: Ints
    earlier: Ints

    @property
    def later(self) -> Ints:
        """The later row of each pair, shape (pairs,)."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))


class Rows(NamedTuple):
    """A checked question. `vectors` has shape (n, d), float32, contiguous; `low` and `high` have shape (n,)."""

    vectors: Floats
    low: Ints
    high: Ints
    threshold: float


def checked(vectors: Floats, cu_seqlens: Ints, threshold: float) -> Rows:
    """The question of `memfold_kernels.threshold_join.join`. ValueError says what of it cannot be."""
    if vectors.ndim != 2 or vectors.dtype != np.float32 or not vectors.shape[1]:
        raise ValueError(f"vectors: float32 of shape (n, d) is needed, this is {_described(vectors)}")
    if cu_seqlens.ndim != 1 or not len(cu_seqlens) or cu_seqlens.dtype != np.int64:
        raise ValueError(
            f"cu_seqlens: int64 of shape (conversations + 1,) is needed, this is {_described(cu_seqlens)}"
        )
    sizes = np.diff(cu_seqlens)
    if cu_seqlens[0] != 0 or cu_seqlens[-1] != len(vectors) or (sizes < 0).any():
        raise ValueError(f"cu_seqlens: it must rise from 0 to n={len(vectors)}")
    # Below 0 nothing is a twin, and near -1 the pairs would be the n x n matrix that a join is there to avoid.
    if not 0 < threshold <= 1:
        raise ValueError(f"threshold={threshold} must be above 0 and at most 1")
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    if not np.isfinite(lengths).all():
        raise ValueError(f"vectors: row {int(np.argmin(np.isfinite(lengths)))} holds NaN or infinity")
    if (np.abs(lengths - 1) > UNIT).any():
        row = int(np.argmax(np.abs(lengths - 1)))
        raise ValueError(f"vectors: row {row} has length {lengths[row]:.4g}: scale every row to length 1")
    start = np.repeat(cu_seqlens[:-1], sizes)
    place = np.arange(len(vectors), dtype=np.int64)
    return Rows(np.ascontiguousarray(vectors), start, place, float(threshold))


def exact(vectors: Floats, later: Ints, earlier: Ints) -> NDArray[np.float64]:
    """The cosine of each pair of rows, shape (pairs,).

    A product of two float32 is exact in float64, and halves are added to halves in a fixed order, so that every
    machine gives the same bits: `numpy.dot` adds in an order that depends on the processor.
    """
    width = 1 << (vectors.shape[1] - 1).bit_length()
    found = np.empty(len(later))
    # 32 MB at a time at d = 1,024.
    for first in range(0, len(later), 4096):
        some = slice(first, first + 4096)
        terms = np.zeros((len(later[some]), width))
        terms[:, : vectors.shape[1]] = vectors[later[some]].astype(np.float64) * vectors[earlier[some]]
        while terms.shape[1] > 1:
            half = terms.shape[1] // 2
            terms = terms[:, :half] + terms[:, half:]
        found[some] = terms[:, 0]
    return found


def _described(array: object) -> str:
    return f"{getattr(array, 'dtype', type(array).__name__)} of shape {getattr(array, 'shape', '?')}"
