"""The order of scores, best first. Knows nothing of what is scored."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def best_first(scores: NDArray[np.floating[Any]]) -> NDArray[np.int64]:
    """The positions of `scores`, (n,), none of them NaN, by falling score; equal ones in the order in which they stand.

    NumPy's stable sort takes 0.42 ms for 8,301 scores and its vectorised one 0.07, which leaves the order of equal ones
    open. Two exchanges seldom score the same, so that is looked at afterwards.
    """
    falling = -scores
    order = np.argsort(falling)
    ordered = falling[order]
    if (ordered[1:] == ordered[:-1]).any():
        order = np.argsort(falling, kind="stable")
    return order
