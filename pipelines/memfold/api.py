"""Reading a store: conversations, search, contexts and answers, all over one snapshot.

A conversation's episodes are read once and kept in memory for later searches (10M tokens are about 8,300 exchanges and
30 MB); what the assistant said is read from the messages only when a context shows it.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow as pa

from memfold.context.assemble import Packing
from memfold.context.found import Found, Means, ahead, probe
from memfold.context.readers.extractive import Extractive
from memfold.context.types import Answer, Context, Equipped, Reader
from memfold.embed.contract import Embedder
from memfold.errors import UserError
from memfold.extract.filed import FIELDS, Memory
from memfold.extract.windows import GAP
from memfold.forked import unforked
from memfold.given import check_able, check_made, check_number, check_span, check_text, held_as
from memfold.layers.beliefs.held import Beliefs
from memfold.layers.layer import Layer, Tools, embedder_of, equipped, layers_of
from memfold.layers.orders import Order
from memfold.layers.profile.history import Entry, Profile
from memfold.layers.scratchpad.items import Item
from memfold.layers.shown import Shown, cut_at
from memfold.layers.state.shown import StateOf
from memfold.layers.state.stated import Stated
from memfold.moment import as_of as moment
from memfold.moment import time_of
from memfold.once import kept, once
from memfold.retrieve.beliefs import beliefs_of
from memfold.retrieve.episodes import Episodes
from memfold.retrieve.fuse import Retrieval
from memfold.retrieve.kinds import Teller
from memfold.retrieve.memories import Memories, StoredMemory, found_in
from memfold.retrieve.notes import Filter
from memfold.retrieve.ranking import Hit
from memfold.retrieve.recent import EXCHANGES, Recent, newest, points
from memfold.retrieve.scratchpad import root_of
from memfold.retrieve.sessions import Session, Turns
from memfold.retrieve.standing import orders_of
from memfold.retrieve.state import profile_of, state_at, state_of
from memfold.retrieve.translated import Translator
from memfold.retrieve.view import View
from memfold.schema import StoredMessage
from memfold.store.catalog import Catalog, History, Snapshot
from memfold.store.live import live, table
from memfold.store.location import Location
from memfold.store.record import Record
from memfold.store.tables import Placed
from memfold.store.verify import verify

if TYPE_CHECKING:
    from memfold.run.filing import Filed

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
    title: str | None = None


def _named(as_of: int | str | date | datetime | None) -> int | str | datetime | None:
    """As `moment`, except that a text of digits is a message's id, as sources give them: a program names a snapshot
    by an int."""
    return as_of if isinstance(as_of, str) and as_of.isdigit() else moment(as_of)


# What the correction of a memory may have besides its text.
CORRECTING = ("instead_of", "who", "reason", "time", "memory_id")
# How a search may be asked besides its question.
ASKING = ("now", "speaker", "forgotten")


def _fields(given: Mapping[str, Any], known: Sequence[str] = FIELDS) -> dict[str, Any]:
    for name in given:
        if name not in known:
            at = "; memfold.open(…, as_of=…) shows conversations as they were" if name == "as_of" else ""
            raise UserError(f"{name}=… is unknown here; use some of {', '.join(known)}{at}")
    return dict(given)


# What a listing reads of a record.
LISTED = ("title", "exchanges", "tokens", "first_time", "last_time")


# A conversation that is kept open is looked at again after so long: it may have been erased. To list the seals' files
# before each question took half a millisecond of the 11.7 of a context.
LOOK_S = 0.25


class _Open(NamedTuple):
    """A conversation that is open: the seal of its record, when it was opened or last looked at, by `time.monotonic`,
    the seals' files at the last look, and the records' version then if there was a newer record."""

    view: View
    uid: str
    looked: float
    seals: frozenset[str] = frozenset()
    version: int | None = None


@dataclass(frozen=True)
class Store:
    """A tenant's store at one snapshot, opened by `memfold.open`; later jobs do not change what it shows. Safe to
    use from any number of threads."""

    location: Location
    history: History
    as_of: str | datetime | None
    means: Means
    # A copy with other means (`replace`) shares what is open.
    _views: OrderedDict[tuple[str, str | None], _Open] = field(default_factory=OrderedDict, repr=False)
    _opening: Lock = field(default_factory=Lock, repr=False)

    @staticmethod
    def open(
        location: Location,
        as_of: int | str | date | datetime | None = None,
        *,
        retrieval: Retrieval | None = None,
        packing: Packing | None = None,
        reader: Reader | Equipped | None = None,
        filter: Filter | None = None,
        translator: Translator | None = None,
        teller: Teller | None = None,
    ) -> Store:
        """The store at a location, as `memfold.open` gives it. `reader` may come with the parts that ask its model, as
        `ByModel().equip(…)` gives it; `filter`, `translator` and `teller` go before those."""
        check_made("retrieval", retrieval, Retrieval)
        check_made("packing", packing, Packing)
        if hasattr(reader, "equip") and not hasattr(reader, "read"):
            raise UserError(
                f"reader={reader!r} has no model yet: give reader={type(reader).__name__}(…).equip(model)"
            )
        equipped = (
            reader if isinstance(reader, Equipped) else Equipped(Extractive() if reader is None else reader)
        )
        check_able("reader", equipped.reader, "read")
        check_able("filter", filter, "choose")
        check_able("translator", translator, "translate")
        check_able("teller", teller, "tell")
        named = _named(as_of)
        return Store(
            location=location,
            history=Catalog(location).at(named if isinstance(named, int) else None),
            as_of=None if isinstance(named, int) else named,
            means=Means(
                retrieval or Retrieval(),
                packing or Packing(),
                equipped.reader,
                filter or equipped.filter,
                translator or equipped.translator,
                teller or equipped.teller,
            ),
        )

    @property
    def snapshot(self) -> Snapshot:
        """The snapshot that is read."""
        return self.history.snapshot

    def conversations(self) -> list[Conversation]:
        """All conversations, by id. With `as_of` a message or a time, counts are still those of the snapshot."""
        return sorted(self.stream(), key=lambda each: each.conversation_id)

    def stream(self) -> Iterator[Conversation]:
        """All conversations in no order, one after the other: for stores of more than memory holds."""
        for r in Catalog(self.location).stream(self.history, LISTED):
            yield Conversation(r.conversation_id, r.exchanges, r.tokens, r.first_time, r.last_time, r.title)

    def probe(
        self,
        conversation_id: str,
        question: str,
        *,
        now: datetime | date | str | None = None,
        speaker: str | None = None,
        forgotten: bool = False,
    ) -> Found:
        """Embed the question and rank the conversation's exchanges for it, once: hits, context and answer are read from
        the result.

        `now` is when the question is asked, if that is in the course of the conversation: the session going on then,
        the newest that had begun, stands in the context as far as it had come. Search still finds what was said later;
        `as_of` of `memfold.open` leaves that out. Without `now` the conversation is looked back on from its end.
        `speaker` is the one of several users who asks: what others said, and what was answered to them, is hidden from
        them. With `forgotten`, search also finds what has faded out, if the store is read with `retrieval.forgetting`.
        UserError if there is no such conversation or speaker.
        """
        check_text("question", question)
        asked_at = None if now is None else time_of(now, "now")
        view = self._view(conversation_id, speaker)
        found = probe(view, question, self.means, asked_at, forgotten=forgotten)
        return replace(found, look=partial(self._view, conversation_id, speaker))

    def search(self, conversation_id: str, question: str, k: int = 15, **asking: Any) -> list[Hit]:
        """The `k` exchanges most likely to hold the answer, best first; `asking` is `now`, `speaker` and
        `forgotten`, as for `probe`."""
        return self.probe(conversation_id, question, **_fields(asking, ASKING)).hits(k)

    def context(
        self, conversation_id: str, question: str, budget: int | None = None, **asking: Any
    ) -> Context:
        """The text that a reader is given to answer the question: at most `budget` Qwen2.5 tokens, with citations;
        `asking` as for `search`."""
        return self.probe(conversation_id, question, **_fields(asking, ASKING)).context(budget)

    def ask(self, conversation_id: str, question: str, budget: int | None = None, **asking: Any) -> Answer:
        """An answer in words of the conversation, with citations; it says so if there is no evidence. `asking` as
        for `search`."""
        return self.probe(conversation_id, question, **_fields(asking, ASKING)).answer(budget)

    def ahead(self, conversation_id: str, at_once: int = 1) -> Iterator[str]:
        """Embed in advance, `at_once` texts at a time, what the reader will compare with questions, and give each back
        (`memfold.context.found.ahead`). The 8,192 texts embedded last are kept."""
        check_number("at_once", at_once, 1)
        return ahead(self._view(conversation_id), self.means.reader, at_once)

    def state(self, conversation_id: str, as_of: str | date | datetime | None = None) -> StateOf:
        """Where the conversation stands: topic, requirements, constraints, options given up, facts, open questions;
        as of a message or a time, or as the store was opened. UserError if it was indexed without the layer `state`."""
        view = self._view(conversation_id, as_of=as_of)
        if (state := state_of(view)) is None:
            raise UserError(
                f"conversation {conversation_id!r} was indexed without the layer state: index it again with it among "
                "layers=[…]"
            )
        return StateOf(conversation_id, state, profile_of(view))

    def sessions(self, conversation_id: str, gap: timedelta = GAP) -> list[Session]:
        """The sessions of the conversation, in order: as its source names them, or if it names none, separated by
        pauses of more than `gap`."""
        check_span("gap", gap)
        return Turns.of(self._shown(conversation_id).turns()).sessions(gap)

    def recent(
        self, conversation_id: str, now: datetime | date | str | None = None, exchanges: int = EXCHANGES
    ) -> Recent:
        """Short-term memory: the newest `exchanges` of the session going on at `now` (by default when the
        conversation ended) and at most five points of it, from what had been said by then; empty if the session is
        idle by then."""
        check_number("exchanges", exchanges, 0)
        view = self._view(conversation_id)
        asked_at = None if now is None else time_of(now, "now")
        session, later = view.active(asked_at), view.later(asked_at)
        if session is None:
            return Recent(conversation_id, None, (), ())
        wanted = newest(session, range(session.first, session.last + 1), exchanges)
        said = view.said(wanted)
        return Recent(
            conversation_id,
            session,
            tuple(points(state_at(view, asked_at), session)),
            tuple(
                message
                for exchange in wanted
                for message in said[exchange]
                if message.current and (later is None or message.seq < later[0])
            ),
        )

    def messages(self, conversation_id: str) -> Iterator[StoredMessage]:
        """Every message, verbatim and in order."""
        return self._shown(conversation_id).said()

    def working(self, conversation_id: str, tokens: int = 4_000) -> list[StoredMessage]:
        """Working memory: the newest whole messages that together fit into `tokens`, in order; at least the newest
        one."""
        check_number("tokens", tokens, 0)
        newest: list[StoredMessage] = []
        for message in self._shown(conversation_id).said(newest_first=True):
            if message.current:
                tokens -= message.tokens
                if newest and tokens < 0:
                    break
                newest.append(message)
        return newest[::-1]

    def live(self, table: str, columns: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
        """The rows of a table that this snapshot shows, in batches: `messages`, `extractions`, `notes` or a layer's.

        The table on disk also holds rows that only other snapshots show; `jobs/maintain.py keep=1` removes those.
        UserError if the store was opened as of a message or a time: `rows` reads one conversation as it was then.
        """
        if self.as_of is not None:
            raise UserError(
                f"as_of={str(self.as_of)!r}: live gives what a snapshot shows: open the store without as_of, or with a "
                "snapshot's number; to read one conversation as it was, call rows(table, conversation_id)"
            )
        return live(self.location, self.history, table, columns)

    def tables(self, conversation_id: str) -> list[str]:
        """The tables that hold rows of a conversation, as `rows` names them."""
        return list(self._record(conversation_id).parts)

    def rows(self, table: str, conversation_id: str, as_of: str | date | datetime | None = None) -> pa.Table:
        """One conversation's rows of `messages`, `extractions`, `notes` or a layer (its leaves), in order, at the end
        or as of a message's id or a time. UserError if it was indexed without that layer."""
        check_text("conversation_id", conversation_id)
        shown = self._shown(conversation_id, as_of)
        if table not in shown.record.parts:
            raise UserError(
                f"conversation {conversation_id!r} has no rows of {table!r}; it has {', '.join(shown.record.parts)}"
            )
        rows = shown.rows(table)
        if rows is None:
            raise UserError(
                f"as_of={as_of or self.as_of}: to show the layer {table!r} as it was, its class must make it anew, and "
                "no class of that name is there: import its module first"
            )
        return rows

    def episodes(self, conversation_id: str) -> Episodes:
        """The conversation's exchanges as arrays (texts, vectors, terms, times), for your own rankings."""
        return self._view(conversation_id).episodes

    def scratchpad(self, conversation_id: str) -> tuple[Item, ...]:
        """The condensed notes of the whole conversation, in the order they were said."""
        root = root_of(self._view(conversation_id))
        return root.items if root is not None else ()

    def orders(self, conversation_id: str) -> list[Order]:
        """The standing orders in the order they were given, each with whether it holds, was superseded or repeats
        another; none if the conversation was indexed without the layer."""
        view = self._view(conversation_id)
        return [replace(order, who=view.speaks.get(order.exchange_id)) for order in orders_of(view)]

    def beliefs(self, conversation_id: str, as_of: str | date | datetime | None = None) -> Beliefs:
        """What the user thinks of things, aspect by aspect, at the end or as of a message's id or a time; empty if
        the conversation was indexed without the layer."""
        return beliefs_of(self._view(conversation_id, as_of=as_of)).held

    def profile(
        self, conversation_id: str, as_of: str | date | datetime | None = None, who: str | None = None
    ) -> Profile:
        """Who the user is, in their own words, with what they corrected and where they said it; as of a message or a
        time, like `as_of` of `memfold.open`. `who` picks one of several speakers that the source names. Empty if the
        conversation was indexed without the layer."""
        found = profile_of(self._view(conversation_id, as_of=as_of))
        return found if who is None else found.of(held_as(who, [each.who for each in found.entries]) or who)

    def add_memory(
        self, conversation_id: str, text: str, *, by: str, begin: bool = False, **fields: Any
    ) -> Filed:
        """File one fact into a conversation for the program `by`. It is found, shown, seen as of a moment and erased
        like everything else said there. `fields` are `kind` (as of a note; "fact"), `about`, `reason`, `date`,
        `polarity`, `aspect`, `who`, `time` and `memory_id` (`memfold.extract.filed.Memory`). With `begin`, the
        conversation may be a new one.

        A program that may call twice gives the memory a `memory_id`. Without one, filing the same memory again changes
        nothing as long as nothing was said in between. The memory can be seen from the returned snapshot on (`newest`).
        UserError says what is wrong; nothing was filed then.
        """
        return self._file(conversation_id, Memory(text, by=by, **_fields(fields)), begin)

    def correct(
        self, conversation_id: str, entry: str | Entry | Stated, value: str | None, *, by: str, **fields: Any
    ) -> Filed:
        """Put right an entry of the profile (given by its name, "home", or as `profile` gives it; None takes it
        back) or of the state (as `state` gives it). The correction holds at once, and what it replaced stays
        readable. UserError if an entry that is given no longer holds. `fields` are `instead_of` (which of several
        values), `who`, `reason`, `time` and `memory_id`, as for `add_memory`."""
        from memfold.run.correcting import correction

        memory = correction(entry, value, by=by, **_fields(fields, CORRECTING))
        if not isinstance(entry, str):
            self.newest()._check_holds(conversation_id, entry)
        return self._file(conversation_id, memory, False)

    def search_memory(
        self,
        conversation_id: str,
        question: str | None = None,
        k: int = 15,
        *,
        kinds: Sequence[str] = (),
        by: str | None = None,
        **asking: Any,
    ) -> list[StoredMemory]:
        """The `k` memories filed by programs (`add_memory`) that fit the question best, best first; without a
        question the newest first. `kinds` and `by` narrow them to some kinds, or to one program. `search` finds
        memories among everything else. `asking` as for `search`."""
        check_number("k", k, 1)
        if by is not None:
            check_text("by", by)
        if isinstance(kinds, str) or not isinstance(kinds, Collection):
            raise UserError(f"kinds={kinds!r}: give a list of kinds, or none for all")
        asking = _fields(asking, ASKING)
        if question is None:
            return found_in(self._view(conversation_id, asking.get("speaker")), None, kinds, by)[:k]
        found = self.probe(conversation_id, question, **asking)
        return found_in(found.view, found.ranking, kinds, by)[:k]

    def memories(self, conversation_id: str) -> Memories:
        """All memories that programs filed, in order."""
        return Memories(tuple(found_in(self._view(conversation_id))[::-1]))

    def newest(self) -> Store:
        """This store at its newest snapshot, read with the same settings; UserError where the store is gone."""
        history = Catalog(self.location).since(self.history)
        return replace(self, history=history, as_of=None, _views=OrderedDict(), _opening=Lock())

    def verify(self, advance: Callable[[], object] = lambda: None) -> str:
        """The store's content hash, from every row that it is made of; UserError if it is not the sealed one.
        `advance` is called for each conversation."""
        return verify(self.location, self.history, advance)

    # ------------------------------------------------------------------------------- inside

    def _check_holds(self, conversation_id: str, entry: Entry | Stated) -> None:
        """UserError if an entry no longer holds: whatever took its place would go on holding beside a new value."""

        def named(each: Entry | Stated) -> tuple[object, ...]:
            """What makes it the same entry."""
            if isinstance(each, Stated):
                return each.kind, each.text, each.who
            return each.attribute, each.key, each.value, each.who

        held: Iterable[Entry | Stated]
        if isinstance(entry, Stated):
            entries = self.state(conversation_id).standing.entries
            held = (each for each in entries if each.state != "replaced")
        else:
            held = self.profile(conversation_id).entries
        if named(entry) not in map(named, held):
            raise UserError(
                f"the entry given for conversation {conversation_id!r} no longer holds: read the entry again, from "
                "profile(…) or state(…) of store.newest()"
            )

    def _file(self, conversation_id: str, memory: Memory, begin: bool) -> Filed:
        # Imported on use: reading needs no job.
        from memfold.run.filing import file

        Catalog(self.location).since(self.history)  # it would begin a conversation in another store
        (filed,) = file(self.location, {conversation_id: [memory]}, begin=begin)
        return filed

    @kept
    def _table(self) -> Callable[[str], Placed]:
        return once(partial(table, self.location))

    def _config(self, uid: str) -> str:
        """The configuration of the job that filed a record."""
        return self.snapshot.config if uid == self.snapshot.uid else Catalog(self.location).config(uid)

    @kept
    def _embedder(self) -> Callable[[str], Embedder]:
        return once(self._recorded_embedder)

    def _recorded_embedder(self, uid: str) -> Embedder:
        """The embedder of the job that filed a record."""
        found = embedder_of(self._config(uid))
        if found.signature != self.snapshot.embedder:
            raise UserError(
                f"{self.location.root} was embedded by {self.snapshot.embedder}, and {found.signature} is installed: "
                "install the first, or index into a new store"
            )
        return found

    @kept
    def _layers(self) -> Callable[[str], Mapping[str, Layer]]:
        """The layers of that job. Built only when a cut or a lower node is read: importing what makes them takes a
        tenth of the time to a first answer."""
        return once(
            lambda uid: equipped(layers_of(self._config(uid), to_read=True), Tools(self._embedder(uid)))
        )

    @kept
    def embedder(self) -> Embedder:
        """What the store's texts were embedded by; UserError if another embedder is installed."""
        return self._embedder(self.snapshot.uid)

    def _record(self, conversation_id: str) -> Record:
        check_text("conversation_id", conversation_id)
        return Catalog(self.location).known(self.history, conversation_id)

    def _shown(self, conversation_id: str, as_of: str | date | datetime | None = None) -> Shown:
        """The conversation as of a message or a time; by default as of what the store was opened at."""
        record, end = self._record(conversation_id), _named(as_of) or self.as_of
        if isinstance(end, int):
            raise UserError(f"as_of={as_of!r} is no message and no time: open the store as of a snapshot")
        cut = None if end is None else cut_at(record, self._table, end)
        return Shown(record, self._table, lambda: self._layers(record.uid), cut)

    def _view(
        self, conversation_id: str, speaker: str | None = None, as_of: str | date | datetime | None = None
    ) -> View:
        """The conversation as the store was opened, which is kept, or as of a message or a time, which is not. Kept
        until it is seen to be erased, which seals."""
        check_text("conversation_id", conversation_id)
        if speaker is not None:
            check_text("speaker", speaker)
        if as_of is not None:
            return self._opened(self._shown(conversation_id, as_of), speaker)
        unforked()  # a thread that the fork left behind may hold the lock
        with self._opening:
            found = self._views.pop((conversation_id, speaker), None)
            now = time.monotonic()
            if found is not None and now - found.looked >= LOOK_S:
                found = self._looked(found, now)
            if found is None:
                shown = self._shown(conversation_id)
                found = _Open(self._opened(shown, speaker), shown.record.uid, now)
            self._views[conversation_id, speaker] = found
            while len(self._views) > OPEN_CONVERSATIONS:
                self._views.popitem(last=False)
        return found.view

    def _looked(self, found: _Open, now: float) -> _Open | None:
        """What is open, if its record is still there."""
        catalog = Catalog(self.location)
        seals = catalog.files()
        if seals == found.seals and (found.version is None or found.version == catalog.version()):
            return found._replace(looked=now)
        version = catalog.version()

        def shows(history: History) -> bool:
            records = catalog.records(history, [found.view.conversation_id])
            return [record.uid for record in records.values()] == [found.uid]

        newest = shows(catalog.history())
        if not newest and not shows(self.history):
            return None
        # An erasure seals first, and takes the record away later.
        return found._replace(looked=now, seals=seals, version=None if newest else version)

    def _opened(self, shown: Shown, speaker: str | None) -> View:
        view = View(
            shown.record.conversation_id,
            shown.leaves,
            shown.root,
            shown.messages,
            # Looked up when something is embedded: state and profile need no model.
            lambda texts: self.embedder.encode(texts),
            shown.nodes,
            shown.turns,
            lambda: self.embedder,
            shown.extracted,
        )
        return view if speaker is None else view.of(speaker)
