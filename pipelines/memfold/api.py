"""Reading a store: conversations, search, contexts and answers, over one snapshot from start to end.

A conversation's episodes are read once and kept in memory for the searches that follow (10M tokens are about
8,300 exchanges and 30 MB); what the assistant said is read from the messages only when a context shows it.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from memfold.config import build
from memfold.context.assemble import Packing, assemble
from memfold.context.extractive import Extractive
from memfold.context.notes import Filter, Near, Notes, Pad
from memfold.context.types import Answer, Context, Reader
from memfold.embed.contract import Embedder
from memfold.errors import UserError
from memfold.layers import episodic
from memfold.layers.scratchpad.tree import PLACE, STANDING, Item, Scratchpad, Tree, parse
from memfold.retrieve.episodes import Episodes, running_minimum_from_the_end
from memfold.retrieve.query import analyse
from memfold.retrieve.search import Hit, Ranking, Retrieval, Standing, hits, search
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
class View:
    """One conversation in memory, ready to be searched. `last_seq` is the last message that can be seen."""

    record: Record
    last_seq: int | None
    episodes: Episodes
    notes: tuple[Item, ...]
    standing: Standing

    @cached_property
    def pad(self) -> Pad:
        return Pad.of(self.notes, self.episodes)


@dataclass(frozen=True)
class Store:
    """A tenant's store at one snapshot. Opened by `memfold.open`; a later job does not change what it shows."""

    location: Location
    snapshots: tuple[Snapshot, ...]
    as_of: str | datetime | None
    retrieval: Retrieval
    packing: Packing
    reader: Reader
    filter: Filter | None
    _views: OrderedDict[str, View] = field(default_factory=OrderedDict, repr=False)

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
            retrieval=retrieval or Retrieval(),
            packing=packing or Packing(),
            reader=reader or Extractive(),
            filter=filter,
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

    def search(self, conversation_id: str, question: str, k: int = 15) -> list[Hit]:
        """The `k` exchanges most likely to hold the answer, best first."""
        view = self._view(conversation_id)
        return hits(view.episodes, self._rank(view, question), k)

    def context(
        self, conversation_id: str, question: str, budget: int = 14_000, notes: Notes | None = None
    ) -> Context:
        """The text a reader is given to answer the question: at most `budget` Qwen2.5 tokens, with citations.

        `notes` are those of the scratchpad to choose from, by default the ones that `choose` gives.
        """
        chosen = self.choose(self.near(conversation_id, question)) if notes is None else notes
        view = self._view(conversation_id)
        context = assemble(
            view.episodes,
            self._rank(view, question),
            lambda exchanges: self._exchanges(view, exchanges),
            budget=budget,
            standing=view.standing,
            notes=chosen.items,
            packing=self.packing,
        )
        return replace(context, usage=chosen.usage)

    def near(self, conversation_id: str, question: str) -> Near:
        """The notes of the scratchpad, those nearest to the question first."""
        view = self._view(conversation_id)
        return view.pad.near(conversation_id, question, self._rank(view, question))

    def choose(self, near: Near) -> Notes:
        """The notes that a model keeps for the question, or without one all of them: the nearest will fit."""
        return self.filter.choose(near) if self.filter is not None else near.all()

    def ask(self, conversation_id: str, question: str, budget: int = 14_000) -> Answer:
        """An answer in words of the conversation, with citations; it says so when the evidence is not there."""
        return self.read(question, self.context(conversation_id, question, budget))

    def read(self, question: str, context: Context) -> Answer:
        """The answer from a context that was made for the question."""
        return self.reader.read(question, context, self._embedder.encode)

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
        return self._view(conversation_id).notes

    def verify(self) -> str:
        """The store's content hash from every row it is made of; UserError where it is not the sealed one."""
        for record in self._records.values():
            if recount(self.tables, record) != record.content_hash:
                raise UserError(
                    f"conversation {record.conversation_id!r} under {self.location.root} does not hold the rows that "
                    "were sealed: rows were lost, doubled or changed; erase it and index it again"
                )
        return content_hash(list(self._records.values()))

    @cached_property
    def tables(self) -> Tables:
        """The tables themselves. They hold what no snapshot shows too: read them by a record's segments."""
        return Tables(self.location, self._embedder.dimension)

    # ------------------------------------------------------------------------------- inside

    @cached_property
    def _records(self) -> dict[str, Record]:
        return Catalog(self.location).records(self.snapshots)

    @cached_property
    def _config(self) -> dict[str, Any]:
        config: dict[str, Any] = json.loads(self.snapshot.config)
        return config

    @cached_property
    def _embedder(self) -> Embedder:
        embedder: Embedder = build(self._config["embedder"], "embedder")
        if embedder.signature != self.snapshot.embedder:
            raise UserError(
                f"{self.location.root} was embedded by {self.snapshot.embedder}, and {embedder.signature} is "
                "installed: install the first, or index into a new store"
            )
        return embedder

    @cached_property
    def _scratchpad(self) -> Scratchpad:
        layer: Scratchpad = build(self._config["layers"]["scratchpad"], "layers.scratchpad")
        return layer

    def _record(self, conversation_id: str) -> Record:
        record = self._records.get(conversation_id)
        if record is None:
            raise UserError(f"there is no conversation {conversation_id!r} under {self.location.root}")
        return record

    def _rank(self, view: View, question: str) -> Ranking:
        return search(
            view.episodes,
            analyse(question),
            self._embedder.encode,
            standing=view.standing,
            settings=self.retrieval,
        )

    def _view(self, conversation_id: str) -> View:
        found = self._views.get(conversation_id)
        if found is None:
            record = self._record(conversation_id)
            found = self._load(record, self._last_seq(record))
            self._views[conversation_id] = found
            while len(self._views) > OPEN_CONVERSATIONS:
                self._views.popitem(last=False)
        else:
            self._views.move_to_end(conversation_id)
        return found

    def _load(self, record: Record, last_seq: int | None) -> View:
        rows = self.tables.episodic.read([segment.episodic for segment in record.segments])
        if last_seq is None:
            notes = parse(self.tables.scratchpad.read([record.nodes[-1]]))[0].items
        else:
            rows, notes = self._cut(record, rows, last_seq)
        orders = [
            (item.exchange_id, item.kind, item.text, item.about) for item in notes if item.kind in STANDING
        ]
        standing = Standing.of(orders, self._embedder.encode)
        return View(record, last_seq, Episodes.from_table(rows), notes, standing)

    def _cut(self, record: Record, rows: pa.Table, last_seq: int) -> tuple[pa.Table, tuple[Item, ...]]:
        """Episodes and notes as if the conversation ended with message `last_seq`.

        An exchange that is cut in two is embedded anew from what was said by then. Its notes are left out: they
        were taken from the whole of it.
        """
        places = self._places(record)
        exchange = places.column("exchange_id").to_pylist()[last_seq]
        after = places.filter(pc.field("seq") == last_seq + 1).column("exchange_id").to_pylist()
        whole = exchange if after == [exchange] else exchange + 1
        episodes = rows.filter(pc.field("exchange_id") < whole)
        segment = record.segments[exchange // SPAN]
        if whole == exchange:
            said = self.tables.messages.read([segment.messages]).sort_by("seq").to_pylist()
            seen = [
                _message(row) for row in said if row["exchange_id"] == exchange and row["seq"] <= last_seq
            ]
            edge = episodic.rows(seen, segment.episodic, self._embedder.encode)
            episodes = pa.concat_tables([episodes, edge])
        if not whole:
            return episodes, ()
        rest = [segment.extractions for segment in record.segments[whole // SPAN : -(-whole // SPAN)]]
        root = Tree(self._scratchpad).root(
            self.tables.scratchpad.read(record.nodes, PLACE),
            whole,
            nodes=self.tables.scratchpad.read,
            rest=self.tables.extractions.read(rest, where=pc.field("exchange_id") < whole),
        )
        return episodes, root.items

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

    def _exchanges(self, view: View, exchanges: Sequence[int]) -> dict[int, list[StoredMessage]]:
        names = {view.record.segments[exchange // SPAN].messages for exchange in exchanges}
        where = pc.field("exchange_id").isin(list(exchanges))
        found: dict[int, list[StoredMessage]] = {exchange: [] for exchange in exchanges}
        for row in self.tables.messages.read(names, where=where).sort_by("seq").to_pylist():
            if view.last_seq is None or row["seq"] <= view.last_seq:
                found[row["exchange_id"]].append(_message(row))
        return found


def _message(row: dict[str, Any]) -> StoredMessage:
    fields = {name: value for name, value in row.items() if name != "segment"}
    return StoredMessage(**{**fields, "attachments": tuple(fields["attachments"])})
