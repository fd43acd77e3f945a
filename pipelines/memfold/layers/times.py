"""When things were said, as NumPy has it: datetime64[us] in UTC, NaT where unknown."""

from __future__ import annotations

from bisect import bisect_right
from datetime import datetime

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from memfold.schema import INSTANT


def times_of(column: pa.ChunkedArray) -> NDArray[np.datetime64]:
    """The times of a column, (n,). Without its zone, which Arrow would look up for each of them."""
    return np.asarray(column.cast(pa.timestamp("us")).to_numpy().astype("datetime64[us]"))


def to_numpy(moment: datetime) -> np.datetime64:
    """A time that has a zone."""
    return np.datetime64(pa.scalar(moment, INSTANT).value, "us")


def to_datetime(time: np.datetime64) -> datetime:
    """A known time, in UTC."""
    return datetime.fromisoformat(f"{time}+00:00")


def in_order(time: NDArray[np.datetime64]) -> NDArray[np.datetime64]:
    """The times, (n,), repaired so that nothing was said after what follows it: NaT stays NaT and counts for nothing.

    As many times as possible stay as they are: a longest subsequence that does not fall. Each of the others, be it too
    late or too early, becomes the next time that stays, or the last one where none follows.
    """
    known = np.flatnonzero(~np.isnat(time))
    stamps = time[known].astype(np.int64)
    if (stamps[:-1] <= stamps[1:]).all():
        return time
    # Of the subsequences of each length, the one that ends lowest is remembered (Fredman 1975, O(n log n)).
    ends, places, before = list[int](), list[int](), list[int]()
    for place, stamp in enumerate(stamps.tolist()):
        length = bisect_right(ends, stamp)
        before.append(places[length - 1] if length else -1)
        ends[length : length + 1], places[length : length + 1] = [stamp], [place]
    kept = [places[-1]]
    while before[kept[-1]] >= 0:
        kept.append(before[kept[-1]])
    kept.reverse()
    behind = np.searchsorted(kept, np.arange(len(stamps))).clip(max=len(kept) - 1)
    out = time.copy()
    out[known] = time[known][np.array(kept)[behind]]
    return out
