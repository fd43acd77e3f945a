"""What the rest of memfold asks of an embedder, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
# Texts to unit vectors, as `Embedder.encode`.
Encode = Callable[[Sequence[str]], Vectors]


class Embedder(Protocol):
    """Texts in, unit vectors out. Two embedders with one signature give interchangeable vectors.

    A model that was trained to tell questions from what they search has a method `ask` beside `encode`; one that knows
    other languages as well as English says so by `multilingual`. See `asking` and `multilingual`.
    """

    @property
    def signature(self) -> str:
        """Model, weights, quantisation and length limit: what a stored vector depends on."""

    @property
    def dimension(self) -> int:
        """Length of a vector."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Float32 of shape (len(texts), dimension), each row of Euclidean length 1, in the order of `texts`."""


def asking(embedder: Embedder) -> Callable[[Sequence[str]], Vectors]:
    """What embeds questions: where the model makes no difference, what embeds everything."""
    ask: Callable[[Sequence[str]], Vectors] = getattr(embedder, "ask", embedder.encode)
    return ask


def multilingual(embedder: Embedder) -> bool:
    """Whether a question in another language than English is worth as much to it."""
    return bool(getattr(embedder, "multilingual", False))
