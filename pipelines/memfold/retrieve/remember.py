"""Vectors of texts that come again: the same sentences are considered for most questions of a conversation.

What is remembered belongs to one open conversation and goes with it, so that nothing erased is kept.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

K = TypeVar("K")
V = TypeVar("V")


class Remembered(Generic[K, V]):
    """What `make` gives for some keys, the `limit` last asked for of it kept; from any number of threads.

    `make` is called outside the lock, with all keys that are missing at once: two threads may make the same thing, and
    neither waits for the other.
    """

    def __init__(self, make: Callable[[Sequence[K]], Iterable[V]], limit: int) -> None:
        self._make = make
        self._limit = limit
        self._known: OrderedDict[K, V] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, keys: Iterable[K]) -> Mapping[K, V]:
        """The value of each key, in the order of the keys."""
        distinct = tuple(dict.fromkeys(keys))
        found: dict[K, V] = {}
        with self._lock:
            for key in distinct:
                if key in self._known:
                    self._known.move_to_end(key)
                    found[key] = self._known[key]
        missing = [key for key in distinct if key not in found]
        if missing:
            made = dict(zip(missing, self._make(missing), strict=True))
            found |= made
            with self._lock:
                self._known |= made
                while len(self._known) > self._limit:
                    self._known.popitem(last=False)
        return {key: found[key] for key in distinct}


class Vectors:
    """An embedder's `encode` that remembers. A vector must depend on its text alone, as `Embedder` says."""

    def __init__(self, encode: Callable[[Sequence[str]], NDArray[np.float32]], limit: int) -> None:
        self._encode = encode
        self._rows = Remembered[str, NDArray[np.float32]](encode, limit)

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(len(texts), d), as `encode` gives them."""
        if not texts:
            return self._encode(texts)
        rows = self._rows.get(texts)
        return np.stack([rows[text] for text in texts])
