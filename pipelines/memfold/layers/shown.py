"""A conversation's rows as one snapshot shows them: all of it, or as if it had ended with an earlier message.

Rows are read when they are asked for, by where they lie. Knows no layer by name, no ranking and no text of a context.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from memfold.errors import UserError
from memfold.given import held_as
from memfold.layers.layer import INPUTS, Layer, Span, edges_as_of, leaves_as_of, root_as_of, sizes
from memfold.layers.times import in_order, times_of, to_numpy
from memfold.moment import TIMES
from memfold.once import kept
from memfold.schema import INSTANT, SPAN, StoredMessage
from memfold.store.part import Part
from memfold.store.record import Record
from memfold.store.tables import Missing, Placed


class Selection(NamedTuple):
    """Some rows of a table: `places` says from these columns of all rows where the selected ones are, in order."""

    columns: tuple[str, ...]
    places: Callable[[pa.Table], NDArray[np.int64]]

    def of(self, rows: pa.Table) -> pa.Table:
        """The rows of a table in memory that are selected."""
        return rows.take(self.places(rows.select(self.columns)))


@dataclass(frozen=True, slots=True)
class Cut:
    """Where a conversation is taken to have ended: the number of its last message, how many exchanges were complete
    by then, and whether that message belongs to one that was not. `moment` is the time at which it was cut, if it
    was cut at a time: abandoned branches may hold later messages before the last one."""

    seq: int
    whole: int
    partial: bool
    moment: datetime | None = None

    def shows(self, row: Mapping[str, Any]) -> bool:
        """Whether a message had been said by then, by its row of `schema.MESSAGES`."""
        if row["seq"] > self.seq:
            return False
        return row["current"] or self.moment is None or row["time"] is None or row["time"] <= self.moment


@dataclass(frozen=True)
class Shown:
    """One conversation. `layers` gives the layers that the conversation was made with; only a cut needs them."""

    record: Record
    tables: Callable[[str], Placed]
    layers: Callable[[], Mapping[str, Layer]]
    cut: Cut | None = None

    def leaves(self, layer: str, selection: Selection | None = None) -> pa.Table | None:
        """The rows of a layer's leaves, in order of segments, all or some; None if the conversation was indexed without
        the layer. Also None if the conversation is cut and this program lacks the layer, which it would have to make
        anew."""
        parts = self.record.parts.get(layer)
        if parts is None:
            return None
        if self.cut is None:
            shown = parts[: self._segments]
            if selection is None:
                return self._take(layer, shown)
            return self._pick(layer, shown, selection.places(self._take(layer, shown, selection.columns)))
        if (of := self.layers().get(layer)) is None:
            return None
        made = leaves_as_of(of, self._read(layer), self.cut.whole, self._edge(layer))
        rows = pa.concat_tables([*made, self.tables(layer).schema.empty_table()])
        return rows if selection is None else selection.of(rows)

    def rows(self, table: str) -> pa.Table | None:
        """The rows of `messages`, `extractions`, `notes` or a layer's `leaves`."""
        if table != "messages":
            return self.extracted(table) if table in INPUTS else self.leaves(table)
        rows = self._take(table, self.record.parts[table]).sort_by("seq")
        if self.cut is None:
            return rows
        said = rows.select(["seq", "current", "time"]).to_pylist()
        return rows.filter(pa.array(map(self.cut.shows, said), pa.bool_()))

    def extracted(self, table: str) -> pa.Table:
        """The rows of `extractions` or `notes`, of the exchanges that are whole."""
        rows = self._take(table, self.record.parts[table][: self._segments])
        return rows if self.cut is None else rows.filter(pc.field("exchange_id") < self.cut.whole)

    def root(self, layer: str) -> pa.Table | None:
        """The rows of a layer's root; None if it has none, or where `leaves` gives None."""
        parts = self.record.parts.get(layer)
        if not parts:
            return None
        if self.cut is None:
            return self._take(layer, parts[-1:])
        if (of := self.layers().get(layer)) is None:
            return None
        return root_as_of(of, self._read(layer), self._segments, self.cut.whole, self._edge(layer))

    def nodes(self, layer: str, level: int, places: Sequence[int]) -> list[pa.Table]:
        """The rows of some nodes on one level of a layer's tree, node by node, by their places on that level; level
        0 holds the leaves. None of them may lie beyond the conversation's end, and the tree must have a `root`."""
        of, read = self.layers()[layer], self._read(layer)
        first = sum(sizes(self._segments, of.fan)[:level])
        if self.cut is None:
            return read([first + place for place in places])
        whole = self.cut.whole // SPAN // of.fan**level
        edge = None
        if any(place >= whole for place in places):
            edge = edges_as_of(of, read, self._segments, self.cut.whole, self._edge(layer))[level]
        return [edge if place >= whole and edge is not None else read([first + place])[0] for place in places]

    def messages(self, exchanges: Sequence[int]) -> dict[int, list[StoredMessage]]:
        """The messages of some exchanges, in order."""
        parts = self.record.parts["messages"]
        segments = [parts[segment] for segment in sorted({exchange // SPAN for exchange in exchanges})]
        found: dict[int, list[StoredMessage]] = {exchange: [] for exchange in exchanges}
        # A segment has 128 long rows, of which a question shows two or four: reading all of five took 12 ms, this 2.
        of = self._exchanges_of(segments)
        theirs = self._pick("messages", segments, np.flatnonzero(np.isin(of, list(found))))
        for row in theirs.sort_by("seq").to_pylist():
            if self.cut is None or self.cut.shows(row):
                found[row["exchange_id"]].append(StoredMessage.of(row))
        return found

    def _exchanges_of(self, segments: Sequence[Part]) -> NDArray[np.int64]:
        """The exchange of each message of some segments, as their rows lie."""
        unread = [each for each in segments if each not in self._exchanges]
        rows = self._take("messages", unread, ["exchange_id"])["exchange_id"].to_numpy()
        ends = np.cumsum([each.rows for each in unread], dtype=np.int64)
        self._exchanges.update(zip(unread, np.split(rows, ends[:-1]), strict=True) if unread else ())
        return np.concatenate([np.empty(0, np.int64), *(self._exchanges[each] for each in segments)])

    @kept
    def _exchanges(self) -> dict[Part, NDArray[np.int64]]:
        """The exchange of each message, by segment, for the segments that were read: 2 kB for 256 messages. Reading
        them each time took half of what reading a few messages takes."""
        return {}

    def said(self, *, newest_first: bool = False) -> Iterator[StoredMessage]:
        """Every message as it was, in order; read a segment at a time."""
        parts = self.record.parts["messages"]
        for part in reversed(parts) if newest_first else parts:
            rows = self._take("messages", [part]).sort_by("seq").to_pylist()
            for row in reversed(rows) if newest_first else rows:
                if self.cut is None or self.cut.shows(row):
                    yield StoredMessage.of(row)

    def turns(self) -> pa.Table:
        """Who spoke when: the columns seq, exchange_id, role, time, session and speaker of the messages shown, in
        order. The times are repaired (`in_order`). A conversation that is cut at a time has the repaired times of the
        whole conversation, none of which is later than the cut. One that is cut at a message has the times that it
        would have if it had ended there. No text is read."""
        columns = ["seq", "exchange_id", "role", "time", "session", "speaker", "current"]
        rows = self.tables("messages").take(self.record.parts["messages"], columns)
        rows = rows.filter(pc.field("current")).sort_by("seq")
        cut = self.cut
        if cut is not None and cut.moment is None:
            rows = rows.filter(pc.field("seq") <= cut.seq)
        times = pa.array(in_order(times_of(rows["time"])), INSTANT)
        rows = rows.set_column(columns.index("time"), "time", times)
        return rows if cut is None else rows.filter(pc.field("seq") <= cut.seq)

    @property
    def _segments(self) -> int:
        return len(self.record.parts["messages"])

    def _take(self, kind: str, parts: Sequence[Part], columns: Sequence[str] | None = None) -> pa.Table:
        with self._reading(kind) as table:
            return table.take(parts, columns)

    def _pick(self, kind: str, parts: Sequence[Part], wanted: NDArray[np.int64]) -> pa.Table:
        with self._reading(kind) as table:
            return table.pick(parts, wanted)

    @contextmanager
    def _reading(self, kind: str) -> Iterator[Placed]:
        try:
            yield self.tables(kind)
        except Missing:
            raise UserError(
                f"conversation {self.record.conversation_id!r} was erased, or its snapshot cleaned up, since the "
                f"store was opened: open it again; if that says the same, table {kind} lost rows, and jobs/maintain.py "
                "verify=true tells which"
            ) from None

    def _read(self, layer: str) -> Callable[[Sequence[int]], list[pa.Table]]:
        parts = self.record.parts[layer]
        return lambda places: [self._take(layer, [parts[place]]) for place in places]

    def _edge(self, layer: str) -> dict[str, pa.Table]:
        """What a layer reads of the segment in which the conversation is cut; empty if that is nothing."""
        cut = self.cut
        assert cut is not None
        if cut.whole % SPAN == 0 and not cut.partial:
            return {}
        segment = cut.whole // SPAN
        rows: dict[str, pa.Table] = {}
        for name in self.layers()[layer].reads:
            if name not in INPUTS:
                below = self._edge(name)
                of = self.layers()[name]
                rows[name] = of.leaves([Span("", below)])[0] if below else of.table.empty_table()
                continue
            parts = self.record.parts[name]
            held = self._take(name, [parts[segment]])
            by = pc.field("seq") <= cut.seq if name == "messages" else pc.field("exchange_id") < cut.whole
            rows[name] = held.filter(by)
        return rows if any(each.num_rows for each in rows.values()) else {}


def cut_at(record: Record, tables: Callable[[str], Placed], moment: str | datetime) -> Cut | None:
    """Where a conversation ended at a message or a time; None if that is its last message. UserError if there is no
    such message, or if nothing had been said by then.

    A time follows what is shown now: messages of an abandoned branch do not count.
    """
    columns = ["seq", "exchange_id", "message_id", "time", "current"]
    said = tables("messages").take(record.parts["messages"], columns).sort_by("seq")
    last = _message(record, said, moment) if isinstance(moment, str) else _moment(record, said, moment)
    if last == said.num_rows - 1 and isinstance(moment, str):
        return None
    exchanges = [*said["exchange_id"].to_pylist()[last : last + 2], None]
    exchange, after = exchanges[:2]
    partial = exchange == after
    return Cut(
        last, exchange if partial else exchange + 1, partial, None if isinstance(moment, str) else moment
    )


def _message(record: Record, said: pa.Table, name: str) -> int:
    ids: list[str] = said["message_id"].to_pylist()
    found = held_as(name, ids)
    if found is None:
        raise UserError(
            f"as_of={name!r}: conversation {record.conversation_id!r} has no such message (a time is written "
            f"{TIMES})"
        )
    return ids.index(found)


def _moment(record: Record, said: pa.Table, moment: datetime) -> int:
    times = times_of(said["time"])
    shown = said["current"].to_numpy(zero_copy_only=False)
    repaired = np.full(len(times), np.datetime64("NaT", "us"))
    repaired[shown] = in_order(times[shown])
    limit = to_numpy(moment)
    seen = np.flatnonzero(repaired <= limit)
    if len(seen) == 0:
        raise UserError(
            f"as_of={moment.isoformat()}: nothing of conversation {record.conversation_id!r} is known to have been "
            "said by then"
        )
    return int(seen[-1])
