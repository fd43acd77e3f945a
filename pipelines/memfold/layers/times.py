"""When things were said, as NumPy has it: datetime64[us] in UTC, NaT where unknown."""

from __future__ import annotations

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


def running_minimum_from_the_end(time: NDArray[np.datetime64]) -> NDArray[np.datetime64]:
    """Each time lowered to the earliest that follows it; NaT stays NaT and counts for nothing."""
    known = ~np.isnat(time)
    out = time.copy()
    out[known] = np.minimum.accumulate(time[known][::-1])[::-1]
    return out
