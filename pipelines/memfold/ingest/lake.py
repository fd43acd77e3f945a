"""`source=lake`: rows of a data lake to messages, each with what says its place in its conversation.

A row is a message, or a conversation with a list of messages. Rows come in any order, so each says where it belongs
(`seq`). Knows rows and cells, and nothing of Spark; `memfold.ingest.spark` hands them over.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from decimal import Decimal
from hashlib import blake2b
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import unquote, urlparse

import pyarrow as pa

from memfold.digest import digest
from memfold.errors import UserError
from memfold.given import storable
from memfold.ingest.canonical import fill, message_of, plain
from memfold.ingest.mend import encode, fields_of, given, loads
from memfold.ingest.normalise import Untimed, carried, times_of
from memfold.ingest.parts import Rejected
from memfold.ingest.rejecting import letter
from memfold.ingest.stream import HEAD, LIMIT, Stream
from memfold.schema import DeadLetter, Item, Message, Title
from memfold.store.location import SCHEME
from memfold.zones import by, minutes, zone

# What memfold asks a lake for; `messages` is there where a row is a conversation.
COLUMNS = (
    *("conversation_id", "seq", "role", "content", "message_id", "time"),
    *("session", "speaker", "attachments", "current", "messages", "title"),
)
NEEDED = ("conversation_id", "seq", "role", "content")
FORMATS = ("parquet", "jsonl", "orc", "avro", "delta", "iceberg", "table")

# What goes from a lake's rows to where a conversation is put together. Of a message in a list `row` names the row that
# holds the list, and `began` is the time of the list's first message: one list comes after the other. `major` and
# `minor` say the place: 0 and a number, 1 and a time in microseconds, or the file and the position in it. `number` is
# what a message id counts by and `said` the digest of all a message says; they order what is at one place, so that the
# order is the same each time. A row with a `reason` is a dead letter; a row with `untimed` is a message whose time
# cannot be read.
FLOW = pa.schema(
    [
        ("conversation_id", pa.string()),
        ("began", pa.int64()),
        ("row", pa.string()),
        ("major", pa.int64()),
        ("minor", pa.int64()),
        ("number", pa.int64()),
        ("said", pa.string()),
        ("message_id", pa.string()),
        ("role", pa.string()),
        ("content", pa.string()),
        ("time", pa.int64()),
        ("utc_offset", pa.int16()),
        ("session", pa.string()),
        ("speaker", pa.string()),
        ("attachments", pa.list_(pa.string())),
        ("current", pa.bool_()),
        ("title", pa.string()),
        ("file", pa.string()),
        ("place", pa.string()),
        ("reason", pa.string()),
        ("raw", pa.binary()),
        ("untimed", pa.string()),
    ]
)
# The most rows of a batch, and the characters after which it ends: a worker holds a few batches.
ROWS = 2048
CHARACTERS = 1 << 20

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_COUNTED = re.compile(r"\D*(\d{1,18})", re.ASCII)
_WHOLE = re.compile(r"-?\d{1,18}", re.ASCII)
_INT64 = 2**63
_NUMBER = re.compile(r"\d+", re.ASCII)
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:/")


@dataclass(frozen=True)
class Lake:
    """A lake's folder, address or table, its format, and what its columns are called where that is not as in `COLUMNS`;
    a dot leads into a struct. `zone` is as in `memfold.ingest.source.Files`. Raises UserError for a format or a column
    memfold does not know."""

    path: str
    format: str = "parquet"
    columns: dict[str, str | None] = field(default_factory=dict)
    zone: str | None = None

    def __post_init__(self) -> None:
        if not self.path or not isinstance(self.path, (str, os.PathLike)):
            raise UserError("source.path is missing: name the lake's folder, address or table, source.path=…")
        object.__setattr__(self, "path", os.path.expanduser(os.fspath(self.path)))  # noqa: PTH111 - as in `Files`
        zone(self.zone)
        if self.format not in FORMATS:
            raise UserError(
                f"source.format={self.format}: memfold reads no such lake: give one of {', '.join(FORMATS)}; folders "
                "of exports are read with source=files"
            )
        for column in self.columns:
            if column not in COLUMNS:
                raise UserError(
                    f"source.columns.{column}: memfold has no such column; it asks for {', '.join(COLUMNS)}"
                )

    def called(self, column: str) -> str:
        """What the lake calls a column."""
        return self.columns.get(column) or column

    def messages(self) -> Iterator[Item]:
        """Not here: a lake is read by many processes, into a table that is a source."""
        raise UserError(
            "source=lake is read by Spark: run python jobs/ingest_spark.py with it, and then this job with source=table"
        )


class Flowing(NamedTuple):
    """A message on its way: its place in its conversation, the conversation's title if it is known, and the text of a
    notice (`Untimed`) if its time cannot be read; of one in a list, the row of the list and when that began."""

    message: Message
    major: int
    minor: int
    title: str | None = None
    untimed: str | None = None
    row: str | None = None
    began: datetime | None = None


def of_items(items: Iterable[Item], major: int) -> Iterator[Flowing | DeadLetter]:
    """What a reader of files gives, in its order; `major` is the file's number."""
    titles: dict[str, str] = {}
    unread: str | None = None
    for minor, item in enumerate(items):
        match item:
            case Message():
                yield Flowing(item, major, minor, titles.pop(item.conversation_id, None), unread)
                unread = None
            case Untimed():
                unread = item.text
            case DeadLetter():
                yield item
            case Title():
                titles[item.conversation_id] = item.text


def of_batch(
    batch: pa.RecordBatch, root: str, nanos: pa.DataType | None = None
) -> Iterator[Flowing | DeadLetter]:
    """What a batch of rows holds, whose columns have memfold's names; `_file`, `_row` and `_at` are the file, the row
    in it and the position in the list of the row, as far as they are known. Of a list `_listed` tells its row from
    others of the file, and `_began` is the time of its first message. `nanos` is the type of times that stand there as
    numbers of nanoseconds."""
    given_as = {each: batch.column(each) for each in batch.schema.names}
    if nanos is not None:
        timed = given_as.keys() & {"time", "_began"}
        given_as |= {each: plain(given_as[each].cast(nanos)) for each in timed}
    columns = {each: column for each, column in given_as.items() if not each.startswith("_")}
    files, rows, places = (batch.column(each).to_pylist() for each in ("_file", "_row", "_at"))
    first = {each: given_as[each] for each in ("_began",) if each in given_as}
    lists = batch.column("_listed").to_pylist() if "_listed" in batch.schema.names else rows
    for position in range(batch.num_rows):
        cells: dict[str, Any] = {}
        place = "row" if rows[position] is None else f"row {rows[position] + 1}"
        if places[position] is not None:
            place += f" messages[{places[position]}]"
        part = Stream(Path(root), label(files[position], root))
        try:
            fill(cells, columns, position)
            if cells.pop("listed", True) is None:
                raise Rejected("no messages in it")
            made = of_cells(cells, part, place)
            if places[position] is not None:
                above: dict[str, Any] = {}
                fill(above, first, position)
                made = _in_list(made, part, lists[position], above.get("_began"))
            yield made
        except Rejected as error:
            called = given(cells, "message_id")
            if rows[position] is None and called and given(cells, "conversation_id"):
                place = f"message {called}"
            yield letter(part, place, str(error), encode(cells), cells.get("conversation_id"))


def of_line(
    line: bytes, file: str | None, lake: Lake, folders: Mapping[str, str] = MappingProxyType({})
) -> Iterator[Flowing | DeadLetter]:
    """What a line of JSON holds: a message, or a conversation with its list of messages. `folders` are the columns that
    the file's folders name."""
    part = Stream(Path(lake.path), label(file, lake.path))
    reason = None
    data: Any = None
    if len(line) > LIMIT:
        reason = f"longer than {LIMIT} bytes"
    else:
        try:
            data = loads(line)
            reason = None if isinstance(data, dict) else "the row is not an object"
        except RecursionError:
            reason = "nested too deep"
        except ValueError as error:
            reason = f"not JSON: {error}"
    if reason is not None:
        yield letter(part, "line", reason, b"", fields_of(line[:HEAD]).get(lake.called("conversation_id")))
        return
    for each in COLUMNS:
        if (called := lake.called(each)) in folders and data.get(called) is not None:
            reason = f"{called} stands in the line and in a folder's name: rename the folder, or take it from the line"
            yield letter(part, "line", reason, b"", _picked(data, lake.called("conversation_id")))
            return
    data = {**data, **folders}
    conversation = _picked(data, lake.called("conversation_id"))
    title = _picked(data, lake.called("title"))
    listed = _picked(data, lake.called("messages"))
    if listed is None:
        yield _attempted(part, "line", line, _cells(data, lake) | {"title": title})
    elif not isinstance(listed, list) or not listed:
        reason = "no messages in it" if listed == [] else "messages is not a list"
        yield letter(part, "line", reason, b"", conversation)
    else:
        above = {"conversation_id": conversation, "title": title}
        first = _picked(listed[0], lake.called("time"))
        row = blake2b(line, digest_size=16).hexdigest()
        for position, each in enumerate(listed):
            place = f"line messages[{position}]"
            if isinstance(each, dict):
                cells = {**_cells(each, lake), **above, "seq": position}
                made = _attempted(part, place, encode(each), cells)
                yield _in_list(made, part, row, first) if isinstance(made, Flowing) else made
            else:
                yield letter(part, place, "the message is not an object", encode(each), conversation)


def of_cells(cells: Mapping[str, Any], part: Stream, place: str) -> Flowing:
    """A message from its cells, by memfold's names of the columns; Rejected where they are none."""
    time, unread = times_of(cells.get("time"))
    message = message_of(dict(cells), time)
    title = cells.get("title")
    return Flowing(
        message,
        *place_of(cells.get("seq")),
        title if isinstance(title, str) and title else None,
        unread.at(part.name, place).text if unread else None,
    )


def _in_list(made: Flowing, part: Stream, row: object, first: object) -> Flowing:
    """A message of a list, with what puts the list in order: when it begins, if it says so; its file, whose numbers
    count as numbers; its row."""
    file = _NUMBER.sub(lambda number: number[0].zfill(20), part.name)
    return made._replace(row=f"{file}\0{str(row).zfill(20)}", began=times_of(first)[0])


def place_of(seq: object) -> tuple[int, int]:
    """Where in its conversation a message belongs: (0, a number) or (1, microseconds since 1970); Rejected where `seq`
    is neither a whole number nor a time, written out or not."""
    # What a lake makes of numbers, of which some are missing. Bounds first: Decimal computes with 28 digits only.
    if isinstance(seq, Decimal) and seq.is_finite() and abs(seq) <= _INT64 and seq == int(seq):
        seq = int(seq)
    if isinstance(seq, float) and seq.is_integer():
        seq = int(seq)
    if isinstance(seq, str) and _WHOLE.fullmatch(seq.strip()):
        seq = int(seq)
    if isinstance(seq, int) and not isinstance(seq, bool) and -_INT64 <= seq < _INT64:
        return 0, seq
    time = carried(seq, None) if isinstance(seq, (str, datetime)) else None
    if time is None:
        where = "where in the conversation the message belongs"
        if seq is None or seq == "":
            raise Rejected(f"no seq: nothing says {where}")
        raise Rejected(f"seq is no number and no time: {encode(seq)[:40].decode()} does not say {where}")
    return 1, microseconds(time)


def microseconds(time: datetime) -> int:
    """Microseconds since 1970."""
    return (time - _EPOCH) // _MICROSECOND


def batches(items: Iterable[Flowing | DeadLetter], clock: tzinfo | None = None) -> Iterator[pa.RecordBatch]:
    """The items as rows of `FLOW`, in batches of bounded size, with times in the zone `clock` (`memfold.zones.by`)."""
    rows: list[dict[str, Any]] = []
    characters = 0
    for item in items:
        row = asdict(item) if isinstance(item, DeadLetter) else _row(item, clock)
        rows.append(row)
        characters += len(row.get("content") or row.get("raw") or ())
        if len(rows) >= ROWS or characters >= CHARACTERS:
            yield pa.RecordBatch.from_pylist(rows, schema=FLOW)
            rows, characters = [], 0
    if rows:
        yield pa.RecordBatch.from_pylist(rows, schema=FLOW)


def _row(item: Flowing, clock: tzinfo | None) -> dict[str, Any]:
    message = item.message
    said_at = message.time and by(message.time, clock)
    time = said_at and microseconds(said_at)
    said = (message.content, time, message.session, message.speaker, message.attachments, message.current)
    counted = _COUNTED.fullmatch(message.message_id or "")
    return {
        "conversation_id": message.conversation_id,
        "began": item.began and microseconds(by(item.began, clock)),
        "row": item.row,
        "major": item.major,
        "minor": item.minor,
        "number": int(counted[1]) if counted else None,
        "said": digest(message.message_id, message.role, *said),
        "message_id": message.message_id,
        "role": message.role,
        "content": message.content,
        "time": time,
        "utc_offset": said_at and minutes(said_at),
        "session": message.session,
        "speaker": message.speaker,
        "attachments": list(message.attachments),
        "current": message.current,
        "title": item.title if item.title and storable(item.title) else None,
        "untimed": item.untimed,
    }


def _attempted(part: Stream, place: str, raw: bytes, cells: Mapping[str, Any]) -> Flowing | DeadLetter:
    try:
        return of_cells(cells, part, place)
    except Rejected as error:
        return letter(part, place, str(error), raw, cells.get("conversation_id"))


def _cells(data: Mapping[str, Any], lake: Lake) -> dict[str, Any]:
    return {each: _picked(data, lake.called(each)) for each in COLUMNS if each != "messages"}


def _picked(data: Any, called: str) -> Any:
    """What stands under a name; a dot leads into what is inside, unless a name has one."""
    if isinstance(data, dict) and called in data:
        return data[called]
    head, dot, rest = called.partition(".")
    return _picked(data[head], rest) if dot and isinstance(data, dict) and head in data else None


def label(file: str | None, root: str) -> str:
    """What dead letters call a file: its path below the lake's, or the lake where no file is known."""
    if file is None:
        return root
    above, path = at(root), at(file)
    below = path.removeprefix(above.rstrip("/") + "/")
    return Path(path).name if below == path else below


def on_disk(address: str) -> Path | None:
    """The path of a folder or a file:// address on this machine; None for other addresses. It holds no `..`: Hadoop
    takes those by their text, and behind a link they mean another folder."""
    scheme = SCHEME.match(address)
    if scheme is not None and scheme[1] != "file":
        return None
    named = Path(address.removeprefix("file://")).absolute()
    return named.resolve() if ".." in named.parts else named


def at(address: str) -> str:
    """The path of a file's address, or of what is a path."""
    return unquote(urlparse(address).path) if _ADDRESS.match(address) else address
