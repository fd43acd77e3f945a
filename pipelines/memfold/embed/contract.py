"""What the rest of memfold asks of an embedder, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Texts in, unit vectors out. Two embedders with one signature give interchangeable vectors."""

    @property
    def signature(self) -> str:
        """Model, weights, quantisation and length limit: what a stored vector depends on."""

    @property
    def dimension(self) -> int:
        """Length of a vector."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Float32 of shape (len(texts), dimension), each row of Euclidean length 1, in the order of `texts`."""
