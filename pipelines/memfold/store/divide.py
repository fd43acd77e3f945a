"""Rows divided by the text in one column, so that memory holds one part of them at a time. Knows nothing of the rows.

Rows with the same text are in the same part. Parts lie in temporary files, which the operating system removes with the
process, however that ends; few rows stay in memory.
"""

from __future__ import annotations

import tempfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import IO

import numpy as np
import pyarrow as pa

from memfold.errors import aside

# Rows of one part, about. The texts of so many in a dict take 4 MB.
ROWS = 20_000
# Parts at most: each is an open file.
PARTS = 256
# Bytes of all parts together that are held before they go to files.
HELD = 8 << 20


class Divided:
    """Batches of one schema in `parts` parts: add them all, then read a part as often as needed."""

    def __init__(self, schema: pa.Schema, column: str, rows: int) -> None:
        self.column = column
        self.parts = min(PARTS, 1 + rows // ROWS)
        self._files: list[IO[bytes]] = [
            tempfile.SpooledTemporaryFile(max_size=HELD // self.parts)  # noqa: SIM115 - live as long as this
            for _ in range(self.parts)
        ]
        self._writers = [pa.ipc.new_stream(pa.PythonFile(file, "w"), schema) for file in self._files]

    def add(self, batches: Iterable[pa.RecordBatch]) -> None:
        """Take rows in; to be called once."""
        for batch in batches:
            texts = batch[self.column].to_pylist()
            part = np.array([zlib.crc32(text.encode()) % self.parts for text in texts], np.int64)
            with aside():
                for n in np.unique(part):
                    self._writers[n].write_batch(batch.take(pa.array(np.flatnonzero(part == n))))
        with aside():
            for writer in self._writers:
                writer.close()

    def read(self, part: int) -> Iterator[pa.RecordBatch]:
        """The rows of one part."""
        file = self._files[part]
        file.seek(0)
        yield from pa.ipc.open_stream(pa.PythonFile(file, "r"))

    def close(self) -> None:
        """Let the files go."""
        for file in self._files:
            with suppress(OSError):  # what could not be written when it was added cannot be now
                file.close()
