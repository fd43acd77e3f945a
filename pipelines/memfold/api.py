"""Reading a store: conversations, search, contexts and answers, over one snapshot from start to end.

A conversation's episodes are read once and kept in memory for the searches that follow (10M tokens are about
8,300 exchanges and 30 MB); what the assistant said is read from the messages only when a context shows it.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from threading import Lock
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from memfold.config import build
from memfold.context.assemble import Packing
from memfold.context.found import Found, Means, probe
from memfold.context.readers.extractive import Extractive
from memfold.context.types import Answer, Context, Reader
from memfold.embed.contract import Embedder
from memfold.errors import UserError
from memfold.layers import episodic
from memfold.layers.scratchpad.tree import PLACE, Item, Scratchpad, Tree, table
from memfold.once import kept
from memfold.retrieve.episodes import Episodes, running_minimum_from_the_end
from memfold.retrieve.fuse import Retrieval
from memfold.retrieve.notes import Filter
from memfold.retrieve.ranking import Hit
from memfold.retrieve.view import View
from memfold.schema import SPAN, StoredMessage
from memfold.store.catalog import Catalog, Record, Snapshot, content_hash
from memfold.store.content import recount
from memfold.store.location import Location
from memfold.store.tables import Tables

# Open conversations kept in memory. At 10M tokens one holds about 60 MB with its index.
OPEN_CONVERSATIONS = 16


@dataclass(frozen=True, slots=True)
class Conversation:
    """What a store holds of one conversation. Times are UTC, None where the source named none."""

    conversation_id: str
    exchanges: int
    tokens: int
    first_time: datetime | None
    last_time: datetime | None


@dataclass(frozen=True)
class Store:
    """A tenant's store at one snapshot. Opened by `memfold.open`; a later job does not change what it shows. May be
    asked from any number of threads."""

    location: Location
    snapshots: tuple[Snapshot, ...]
    as_of: str | datetime | None
    means: Means
    _views: OrderedDict[str, View] = field(default_factory=OrderedDict, repr=False)
    _opening: Lock = field(default_factory=Lock, repr=False)

    @staticmethod
    def open(
        root: str,
        tenant: str,
        as_of: int | str | datetime | None,
        *,
        options: Mapping[str, str] | None = None,
        retrieval: Retrieval | None = None,
        packing: Packing | None = None,
        reader: Reader | None = None,
        filter: Filter | None = None,
    ) -> Store:
        location = Location(root, tenant, dict(options or {}))
        if isinstance(as_of, datetime) and as_of.tzinfo is None:
            raise UserError(f"as_of={as_of.isoformat()} has no time zone: give one, e.g. …+00:00")
        return Store(
            location=location,
            snapshots=tuple(Catalog(location).at(as_of if isinstance(as_of, int) else None)),
            as_of=None if isinstance(as_of, int) else as_of,
            means=Means(retrieval or Retrieval(), packing or Packing(), reader or Extractive(), filter),
        )

    @property
    def snapshot(self) -> Snapshot:
        """The snapshot that is read."""
        return self.snapshots[-1]

    def conversations(self) -> list[Conversation]:
        """All conversations, by id. With `as_of` a message or a time, counts are still those of the snapshot."""
        return [
            Conversation(r.conversation_id, r.exchanges, r.tokens, r.first_time, r.last_time)
            for r in self._records.values()
        ]

    def probe(self, conversation_id: str, question: str) -> Found:
        """The question embedded and the conversation's exchanges ranked for it, once: hits, context and answer are read
        from it. UserError where there is no such conversation."""
        return probe(self._view(conversation_id), question, self.means)

    def search(self, conversation_id: str, question: str, k: int = 15) -> list[Hit]:
        """The `k` exchanges most likely to hold the answer, best first."""
        return self.probe(conversation_id, question).hits(k)

    def context(self, conversation_id: str, question: str, budget: int = 14_000) -> Context:
        """The text a reader is given to answer the question: at most `budget` Qwen2.5 tokens, with citations."""
        return self.probe(conversation_id, question).context(budget)

    def ask(self, conversation_id: str, question: str, budget: int = 14_000) -> Answer:
        """An answer in words of the conversation, with citations; it says so when the evidence is not there."""
        return self.probe(conversation_id, question).answer(budget)

    def messages(self, conversation_id: str) -> Iterator[StoredMessage]:
        """Every message as it was, in order."""
        record = self._record(conversation_id)
        last = self._last_seq(record)
        for segment in record.segments:
            for row in self.tables.messages.read([segment.messages]).sort_by("seq").to_pylist():
                if last is not None and row["seq"] > last:
                    return
                yield _message(row)

    def working(self, conversation_id: str, tokens: int = 4_000) -> list[StoredMessage]:
        """Working memory: the newest whole messages that together fit `tokens`, in order; at least the newest."""
        record = self._record(conversation_id)
        last = self._last_seq(record)
        newest: list[StoredMessage] = []
        for segment in reversed(record.segments):
            rows = self.tables.messages.read([segment.messages]).sort_by("seq").to_pylist()
            for row in reversed(rows):
                if (last is not None and row["seq"] > last) or not row["current"]:
                    continue
                tokens -= row["tokens"]
                if newest and tokens < 0:
                    return newest[::-1]
                newest.append(_message(row))
        return newest[::-1]

    def episodes(self, conversation_id: str) -> Episodes:
        """The conversation's exchanges as arrays: texts, vectors, terms and times, for rankings of one's own."""
        return self._view(conversation_id).episodes

    def scratchpad(self, conversation_id: str) -> tuple[Item, ...]:
        """The condensed notes of the whole conversation, in the order they were said."""
        return self._view(conversation_id).items

    def verify(self) -> str:
        """The store's content hash from every row it is made of; UserError where it is not the sealed one."""
        for record in self._records.values():
            if recount(self.tables, record) != record.content_hash:
                raise UserError(
                    f"conversation {record.conversation_id!r} under {self.location.root} does not hold the rows that "
                    "were sealed: rows were lost, doubled or changed; erase it and index it again"
                )
        return content_hash(list(self._records.values()))

    @kept
    def tables(self) -> Tables:
        """The tables themselves. They hold what no snapshot shows too: read them by a record's segments."""
        return Tables(self.location, self._embedder.dimension)

    # ------------------------------------------------------------------------------- inside

    @kept
    def _records(self) -> dict[str, Record]:
        return Catalog(self.location).records(self.snapshots)

    @kept
    def _config(self) -> dict[str, Any]:
        config: dict[str, Any] = json.loads(self.snapshot.config)
        return config

    @kept
    def _embedder(self) -> Embedder:
        embedder: Embedder = build(self._config["embedder"], "embedder")
        if embedder.signature != self.snapshot.embedder:
            raise UserError(
                f"{self.location.root} was embedded by {self.snapshot.embedder}, and {embedder.signature} is "
                "installed: install the first, or index into a new store"
            )
        return embedder

    @kept
    def _scratchpad(self) -> Scratchpad:
        layer: Scratchpad = build(self._config["layers"]["scratchpad"], "layers.scratchpad")
        return layer

    def _record(self, conversation_id: str) -> Record:
        record = self._records.get(conversation_id)
        if record is None:
            raise UserError(f"there is no conversation {conversation_id!r} under {self.location.root}")
        return record

    def _view(self, conversation_id: str) -> View:
        record = self._record(conversation_id)
        with self._opening:
            found = self._views.get(conversation_id)
            if found is None:
                found = self._views[conversation_id] = _Opened(self, record).view()
                while len(self._views) > OPEN_CONVERSATIONS:
                    self._views.popitem(last=False)
            self._views.move_to_end(conversation_id)
        return found

    def _places(self, record: Record) -> pa.Table:
        """seq, exchange, id and time of each message, by seq."""
        names = [segment.messages for segment in record.segments]
        return self.tables.messages.read(names, ["seq", "exchange_id", "message_id", "time"]).sort_by("seq")

    def _last_seq(self, record: Record) -> int | None:
        if self.as_of is None:
            return None
        places = self._places(record)
        if isinstance(self.as_of, str):
            found = pc.index(places.column("message_id").combine_chunks(), self.as_of).as_py()
            if found < 0:
                raise UserError(
                    f"as_of={self.as_of!r}: conversation {record.conversation_id!r} has no such message"
                )
            return int(found)
        said = running_minimum_from_the_end(
            places.column("time").cast(pa.timestamp("us")).to_numpy().astype("datetime64[us]")
        )
        moment = np.datetime64(pa.scalar(self.as_of, pa.timestamp("us", "UTC")).value, "us")
        seen = np.flatnonzero(said <= moment)
        if len(seen) == 0:
            raise UserError(
                f"as_of={self.as_of.isoformat()}: nothing of conversation {record.conversation_id!r} is known to have "
                "been said by then"
            )
        return int(seen[-1])


@dataclass(frozen=True)
class _Opened:
    """What a view of one conversation reads of the store, as of the cut: nothing before it is asked for."""

    store: Store
    record: Record

    def view(self) -> View:
        encode = self.store._embedder.encode
        return View(self.record.conversation_id, self.leaves, self.root, self.messages, encode)

    def leaves(self, layer: str) -> pa.Table:
        """Exchanges as if the conversation ended at the cut: one that is cut in two is embedded anew from what was said
        by then."""
        if layer != "episodic":
            raise ValueError(f"no layer {layer!r} has leaves to read")
        rows = self.store.tables.episodic.read([segment.episodic for segment in self.record.segments])
        if not rows.num_rows:
            self.root("scratchpad")  # where the conversation was erased this says so
        if self._cut is None:
            return rows
        last_seq, exchange, whole = self._cut
        rows = rows.filter(pc.field("exchange_id") < whole)
        if whole == exchange:
            segment = self.record.segments[exchange // SPAN]
            said = self.store.tables.messages.read([segment.messages]).sort_by("seq").to_pylist()
            seen = [
                _message(row) for row in said if row["exchange_id"] == exchange and row["seq"] <= last_seq
            ]
            edge = episodic.rows(seen, segment.episodic, self.store._embedder.encode)
            rows = pa.concat_tables([rows, edge])
        return rows

    def root(self, layer: str) -> pa.Table | None:
        """The scratchpad's root over the whole exchanges before the cut: notes on one that is cut in two were taken
        from the whole of it."""
        if layer != "scratchpad" or not self.record.nodes:
            return None
        tables, record = self.store.tables, self.record
        if self._cut is None:
            root = tables.scratchpad.read([record.nodes[-1]])
            if not root.num_rows:
                raise UserError(
                    f"conversation {record.conversation_id!r} was erased since {tables.location.root} was opened: "
                    "open it again"
                )
            return root
        _, _, whole = self._cut
        if not whole:
            return None
        rest = [segment.extractions for segment in record.segments[whole // SPAN : -(-whole // SPAN)]]
        node = Tree(self.store._scratchpad).root(
            tables.scratchpad.read(record.nodes, PLACE),
            whole,
            nodes=tables.scratchpad.read,
            rest=tables.extractions.read(rest, where=pc.field("exchange_id") < whole),
        )
        return table([node])

    def messages(self, exchanges: Sequence[int]) -> dict[int, list[StoredMessage]]:
        """The messages of some exchanges, in order, as far as the cut."""
        names = {self.record.segments[exchange // SPAN].messages for exchange in exchanges}
        where = pc.field("exchange_id").isin(list(exchanges))
        found: dict[int, list[StoredMessage]] = {exchange: [] for exchange in exchanges}
        for row in self.store.tables.messages.read(names, where=where).sort_by("seq").to_pylist():
            if self._cut is None or row["seq"] <= self._cut[0]:
                found[row["exchange_id"]].append(_message(row))
        return found

    @kept
    def _cut(self) -> tuple[int, int, int] | None:
        """The last message that can be seen, its exchange, and how many exchanges are seen whole; None if all are."""
        last_seq = self.store._last_seq(self.record)
        if last_seq is None:
            return None
        places = self.store._places(self.record)
        exchange = places.column("exchange_id").to_pylist()[last_seq]
        after = places.filter(pc.field("seq") == last_seq + 1).column("exchange_id").to_pylist()
        return last_seq, exchange, exchange if after == [exchange] else exchange + 1


def _message(row: dict[str, Any]) -> StoredMessage:
    fields = {name: value for name, value in row.items() if name != "segment"}
    return StoredMessage(**{**fields, "attachments": tuple(fields["attachments"])})
