"""memfold's own tables: Parquet, Arrow IPC files and streams, read batch by batch.

Columns: conversation_id, role, content; optional message_id (or id), time (or created_at, timestamp …), session,
speaker, attachments, current.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import IO, Any

import pyarrow as pa
import pyarrow.parquet as pq

from memfold.errors import aside
from memfold.ingest.mend import encode
from memfold.ingest.normalise import TIMES, Untimed, message, times_of
from memfold.ingest.parts import Rejected
from memfold.ingest.records import CHUNK
from memfold.ingest.rejecting import letter
from memfold.ingest.stream import UNREADABLE, Stream, why
from memfold.ingest.unit import Unit
from memfold.schema import DeadLetter, Message

ROWS = 1024
_NEEDED = ("conversation_id", "role", "content")
_COLUMNS = (*_NEEDED, "message_id", "session", "speaker", "attachments", "current")
# What else may name a message, and its time; looked at where a row has none of ours.
_ID = "id"
_TIMES = ("time", *(each for each in TIMES if each != "time"))
_BROKEN = (*UNREADABLE, pa.ArrowException, ValueError, KeyError, TypeError, MemoryError)


def read(unit: Unit) -> Iterator[Message | Untimed | DeadLetter]:
    """Messages row by row. A file without the needed columns is one dead letter, as is the rest of a broken one."""
    for part in unit.parts():
        row = 0
        try:
            for batch in _batches(part):
                _validate(batch)
                columns = {at: plain(batch.column(at)) for at in _present(batch.schema)}
                for position in range(batch.num_rows):
                    row += 1
                    yield from _row(part, row, columns, position)
        except _BROKEN as error:
            # Without its first bytes: they hold words of conversations that this letter cannot name, so that erasing
            # one would leave them here.
            yield letter(part, f"after row {row}", f"cannot be read: {why(error)}", b"")


def _batches(part: Stream) -> Iterator[pa.RecordBatch]:
    with _seekable(part) as stream:
        magic = stream.read(6)
        stream.seek(0)
        if magic.startswith(b"PAR1"):
            file = pq.ParquetFile(stream)
            _check(file.schema_arrow)
            yield from file.iter_batches(ROWS, columns=_present(file.schema_arrow))
        elif magic == b"ARROW1":
            table = pa.ipc.open_file(stream)
            _check(table.schema)
            for number in range(table.num_record_batches):
                yield table.get_batch(number)
        else:
            batches = pa.ipc.open_stream(stream)
            _check(batches.schema)
            at = stream.tell()
            for batch in batches:
                at = stream.tell()
                yield batch
            # To Arrow a stream may also end where its file does: cut off between two batches it reads like a whole one.
            if stream.tell() == at:
                raise ValueError("the stream has no end mark: it was cut off, or its writer was not closed")


@contextmanager
def _seekable(part: Stream) -> Iterator[IO[bytes]]:
    """The part's bytes to be read in any order: what is packed is unpacked to a file that goes when it is closed."""
    with part.open() as stream:
        if stream.seekable():
            yield stream
            return
        with aside():
            unpacked = tempfile.TemporaryFile()  # noqa: SIM115 - closed below, where it may fail once more
        try:
            with aside():
                shutil.copyfileobj(stream, unpacked, CHUNK)
                unpacked.seek(0)
            yield unpacked
        finally:
            with suppress(OSError):
                unpacked.close()


def _check(schema: pa.Schema) -> None:
    missing = [name for name in _NEEDED if name not in schema.names]
    if missing:
        raise ValueError(f"no column {', '.join(missing)}")


def _present(schema: pa.Schema) -> list[str]:
    """The columns that are read, as the file calls them."""
    return [name for name in (*_COLUMNS, _ID, *_TIMES) if name in schema.names]


def plain(column: pa.Array) -> pa.Array:
    """The column, its times in microseconds: Python has none of nanoseconds."""
    if pa.types.is_timestamp(column.type) and column.type.unit == "ns":
        return column.cast(pa.timestamp("us", column.type.tz), safe=False)
    return column


def _validate(batch: pa.RecordBatch) -> None:
    """Raises ArrowInvalid where offsets point outside the data, which reading would follow.

    Text is looked at as bytes: one that is not UTF-8 costs its row, not the file.
    """
    for column in batch.columns:
        for kind, as_bytes in ((pa.string(), pa.binary()), (pa.large_string(), pa.large_binary())):
            if column.type == kind:
                column = column.view(as_bytes)
        column.validate(full=True)


def _row(
    part: Stream, row: int, columns: dict[str, Any], position: int
) -> Iterator[Message | Untimed | DeadLetter]:
    cells: dict[str, Any] = {}
    try:
        fill(cells, {name: columns[name] for name in (*_COLUMNS, *_TIMES) if name in columns}, position)
        if cells.get("message_id") is None and _ID in columns:
            fill(cells, {"message_id": columns[_ID]}, position)
        time, unread = times_of(*(cells.get(name) for name in _TIMES))
        made = message_of(cells, time)
    except Rejected as error:
        yield letter(part, f"row {row}", str(error), encode(cells), cells.get("conversation_id"))
    else:
        if unread is not None:
            yield unread.at(part.name, f"row {row}")
        yield made


def fill(cells: dict[str, Any], columns: dict[str, Any], position: int) -> None:
    """Put one row's cells in place, by column; Rejected at the first that cannot be read. If that is a time,
    its cell gets the reason, which is no time either, and the row is kept."""
    for name, column in columns.items():
        try:
            cells[name] = column[position].as_py()
        except (UnicodeDecodeError, ValueError, OverflowError) as error:
            if name not in TIMES:
                raise Rejected(f"{name} cannot be read: {error}") from None
            cells[name] = str(error)


def message_of(cells: dict[str, Any], time: datetime | None = None) -> Message:
    """A message from the cells of its row, by column, and its time; Rejected where they are none."""
    attachments = cells.get("attachments") or []
    if not (isinstance(attachments, list) and all(isinstance(item, str) for item in attachments)):
        raise Rejected("attachments is not a list of strings")
    current = cells.get("current")
    if not isinstance(current, (bool, type(None))):
        raise Rejected("current is not true or false")
    return message(
        cells.get("conversation_id"),
        cells.get("role"),
        cells.get("content"),
        message_id=cells.get("message_id"),
        time=time,
        session=cells.get("session"),
        speaker=cells.get("speaker"),
        attachments=attachments,
        current=current is not False,
    )
