"""Which conversations a snapshot holds, and of which parts each is made. Knows no text and no layer.

Two tables. `conversations` holds one record for each conversation a job changed, under a uid; `snapshots` holds one
row for each seal, numbered from 1. A record is visible in snapshot n if its uid belongs to a snapshot of number n or
less; the newest visible record of a conversation is the conversation. What a killed job left behind is filed under a
uid that nobody sealed.
"""

from __future__ import annotations

import difflib
import itertools
import uuid
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from memfold.digest import BYTES, digest
from memfold.errors import OF_LANCE, UnknownConversation, UserError
from memfold.given import composed, forms
from memfold.schema import INSTANT, key, required
from memfold.store.attempts import TURNS, Uncertain, reread
from memfold.store.divide import Divided
from memfold.store.location import Location
from memfold.store.record import CONVERSATIONS, NOTHING, LazyParts, Record, record_of, rows_of
from memfold.store.tables import Keyed, Table, among, files_of, names, no_store

SNAPSHOTS = pa.schema(
    [
        key("number", pa.int64()),
        required("uid", pa.string()),
        required("sealed_at", INSTANT),
        required("config", pa.string()),
        required("embedder", pa.string()),
        required("conversations", pa.int64()),
        required("oldest", pa.int64()),
        required("content_hash", pa.string()),
    ]
)

# A job over more conversations than this reads all records and keeps its own: Lance takes as long to look up a
# thousand names as to read a million.
LOOKED_UP = 1000
# What a record is found by, whatever else is read of it.
NAMED = ("uid", "conversation_id", "removed")
# Records that are values of Python at once where all are read: one of 10M tokens has hundreds of parts.
ROWS_SHOWN = 64
# Ids that an unknown one is compared with: a tenth of a second's worth.
COMPARED = 10_000
# How many of them are named at most.
NEAR = 3


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A sealed state of a tenant's store. `config` is the configuration of the job that sealed it, as JSON, and of
    the records filed under its uid; `embedder` the signature all vectors of the store share; `oldest` the first
    snapshot whose rows are still kept."""

    number: int
    uid: str
    sealed_at: datetime
    config: str
    embedder: str
    conversations: int
    oldest: int
    content_hash: str


@dataclass(frozen=True)
class History:
    """The seals up to one snapshot: their numbers by uid. `files` are those of the table they were read from."""

    numbers: Mapping[str, int]
    newest: Snapshot | None
    files: frozenset[str] = frozenset()

    @property
    def snapshot(self) -> Snapshot:
        """The newest of the seals, for callers who know that there is one (`Catalog.at`)."""
        assert self.newest is not None
        return self.newest


@dataclass(frozen=True)
class Catalog:
    """The two tables of one location."""

    location: Location

    @cached_property
    def _seals(self) -> Keyed:
        return Keyed(self.location, "snapshots", SNAPSHOTS)

    @cached_property
    def _records(self) -> Table:
        return Table(self.location, "conversations", CONVERSATIONS)

    # ------------------------------------------------------------------------------ snapshots

    def history(self, number: int | None = None) -> History:
        """All seals, or those up to a snapshot."""
        return reread(lambda: self._history(number))

    def _history(self, number: int | None) -> History:
        seals = self._seals.open()
        if seals is None:
            self._check_new()
            return History({}, None)
        rows = seals.to_table(columns=["number", "uid"])
        told = zip(rows["uid"].to_pylist(), rows["number"].to_pylist(), strict=True)
        found = {uid: (n, place) for place, (uid, n) in enumerate(told) if number is None or n <= number}
        if not found:
            return History({}, None)
        # By where it lies in this version: a row found by its number takes a scan, four times as long.
        (row,) = seals.take([max(found.values())[1]]).to_pylist()
        return History({uid: n for uid, (n, _) in found.items()}, Snapshot(**row), files_of(seals))

    def _check_new(self) -> None:
        """UserError if there are records: the table of seals is made before the first one is filed. Also if the
        root is a tenant's folder of another store: no job on that store would find what a store begun here holds."""
        if count := self._records.count():
            raise UserError(
                f"the table snapshots under {self.location.root} is gone, and with it which of the {count:,} records "
                "of conversations hold: put it back from a copy as new as the other tables, or index the sources again "
                "into a new store.root"
            )
        for above in self.location.above:
            try:
                there = Catalog(above).sealed()
            except (UserError, *OF_LANCE):  # nobody can tell who may not look there
                continue
            if there:
                raise UserError(
                    f"store.root={self.location.root} is the folder of tenant {above.tenant!r} of the store "
                    f"{above.root}: set store.root={above.root} store.tenant={above.tenant}"
                )

    def check_records(self) -> None:
        """`check_sealed`, which is spared where the newest seal has records: those of earlier seals were filed before
        them. A seal of maintenance has none, and one of an erasure has none left."""
        newest = self.history().newest
        if newest is not None and not self._records.count(pc.field("uid") == newest.uid):
            self.check_sealed()

    def check_sealed(self) -> None:
        """UserError if the records are not those that were sealed. For callers that no maintenance runs beside."""
        while True:
            history = self.at()
            if self.content_hash(history) == history.snapshot.content_hash:
                return
            if self._unchanged(history):  # else an erasure may have taken records away
                raise UserError(
                    f"table conversations under {self.location.root} does not hold the records that were sealed, so "
                    "nothing was done: put that table back from a copy as new as the others, or index the sources "
                    "again into a new store.root"
                )

    def at(self, number: int | None = None) -> History:
        """All seals, or those up to a snapshot; UserError if there is no such snapshot."""
        history = self.history()
        newest = history.newest
        if newest is None:
            raise UserError(
                f"nothing is sealed under {self.location.root} for tenant {self.location.tenant!r}: "
                "index something into it first (python jobs/index.py store.root=… source.path=…)"
            )
        if number is not None and not newest.oldest <= number <= newest.number:
            those = f"{newest.oldest} to {newest.number}"
            there = those if newest.oldest < newest.number else f"{newest.number} alone"
            raise UserError(f"there is no snapshot {number} under {self.location.root}: it has {there}")
        # Of the version that was looked at: one since may have let the snapshot go.
        return history if number is None else replace(self.history(number), files=history.files)

    def check(self) -> None:
        """UserError where there is no store: not even one of which nothing is sealed yet."""
        if not names(self.location):
            self.at()

    def snapshots(self) -> list[Snapshot]:
        """All seals, oldest first."""
        return [Snapshot(**row) for row in self._seals.read().sort_by("number").to_pylist()]

    def unknown(self, history: History, conversation_id: str) -> UnknownConversation:
        """The error about a conversation that a snapshot does not show. It names up to `NEAR` ids that the snapshot
        shows and that resemble or hold that one, whatever their case; from the first 10,000 it meets."""
        shown = (record.conversation_id for record in itertools.islice(self.stream(history, ()), COMPARED))
        folded: dict[str, list[str]] = {}
        for each in shown:
            folded.setdefault(each.casefold(), []).append(each)
        asked = conversation_id.casefold()
        close = difflib.get_close_matches(asked, list(folded), NEAR, 0.5)
        close += sorted(each for each in folded if asked and asked in each and each not in close)
        near = [each for one in close for each in sorted(folded[one])]
        return UnknownConversation(conversation_id, near[:NEAR])

    def sealed(self) -> int:
        """How many seals there are."""
        return self._seals.count()

    def files(self) -> frozenset[str]:
        """The files of the seals: others with each seal, so a reader can tell whether it has the newest."""
        return self._seals.files()

    def version(self) -> int:
        """The version of the records' table: another one with whatever is filed or taken away."""
        records = self._records.open()
        return 0 if records is None else int(records.version)

    def config(self, uid: str) -> str:
        """The configuration of the job that sealed a uid."""
        return str(self._seals.read(["config"], pc.field("uid") == uid)["config"][0].as_py())

    def _unchanged(self, history: History) -> bool:
        """Whether nothing was sealed since the seals were read, and no other store took the place of this one."""
        return self.files() == history.files

    # ------------------------------------------------------------------------------ records

    def record(self, history: History, conversation_id: str) -> Record | None:
        """One conversation as the snapshot shows it; None if it does not. Its id may have another Unicode form than the
        one given, if no conversation has that one."""
        return next(iter(self.shown(history, forms(conversation_id))), None)

    def shown(self, history: History, ids: Sequence[str]) -> list[Record]:
        """Those of some conversations that the snapshot shows, in the order of the ids."""
        found = self.records(history, ids)
        self.kept(history)
        return [found[each] for each in ids if each in found and not found[each].removed]

    def decomposed(self, history: History) -> dict[str, str]:
        """The ids that an earlier memfold stored in another Unicode form, by the composed ones: of conversations that
        the snapshot shows under no composed id."""
        ids = pc.unique(self._records.read(["conversation_id"])["conversation_id"])
        others = ids.filter(pc.not_equal(pc.utf8_normalize(ids, "NFC"), ids)).to_pylist()
        if not others:
            return {}
        known = {each.conversation_id for each in self.shown(history, [*others, *map(composed, others)])}
        return {composed(each): each for each in others if each in known and composed(each) not in known}

    def known(self, history: History, conversation_id: str) -> Record:
        """One conversation as the snapshot shows it; UnknownConversation if it does not."""
        record = self.record(history, conversation_id)
        if record is None:
            raise self.unknown(history, conversation_id)
        return record

    def kept(self, history: History) -> None:
        """UserError if the snapshot is no longer kept, so that what is missing in it means nothing."""
        if history.newest is None or self._unchanged(history):
            return
        now = self.since(history).snapshot
        if history.newest.number < now.oldest:
            raise UserError(
                f"snapshot {history.newest.number} under {self.location.root} is no longer kept, {now.oldest} is the "
                "oldest: open the store again"
            )

    def since(self, history: History) -> History:
        """All seals, for a caller that read some before; UserError if those are gone."""
        now = self.history()
        if history.newest is not None and history.newest.uid not in now.numbers:
            raise no_store(self.location)
        return now

    def records(self, history: History, ids: Collection[str]) -> dict[str, Record]:
        """The newest visible records of some conversations by id, including those that say that a conversation was
        removed."""
        return reread(lambda: self._records_of(history, set(ids)))

    def _records_of(self, history: History, wanted: set[str]) -> dict[str, Record]:
        where = among("conversation_id", wanted) if len(wanted) <= LOOKED_UP else None
        newest: dict[str, tuple[int, dict[str, Any]]] = {}
        for batch in self._records.batches(where=where):
            seen = zip(batch["uid"].to_pylist(), batch["conversation_id"].to_pylist(), strict=True)
            places = [i for i, (uid, id) in enumerate(seen) if uid in history.numbers and id in wanted]
            taken = batch.take(pa.array(places, pa.int64()))
            held = taken["layers"]
            for place, row in enumerate(taken.drop_columns(["layers"]).to_pylist()):
                number = history.numbers[row["uid"]]
                before = newest.get(row["conversation_id"])
                if before is None or before[0] < number:
                    newest[row["conversation_id"]] = number, row | {"layers": held[place]}
        return {id: record_of(row, LazyParts.of(row["layers"])) for id, (_, row) in newest.items()}

    def stream(self, history: History, columns: Sequence[str] | None = None) -> Iterator[Record]:
        """All conversations that the snapshot shows, in no order, in bounded memory.

        Reads all records and divides them by conversation before it gives the first. With `columns`, all other fields
        have their defaults: without "layers" no part is read.
        """
        divided = reread(lambda: self._divided(history, columns))
        with closing(divided):
            for part in range(divided.parts):
                newest: dict[str, int] = {}
                for batch in divided.read(part):
                    for uid, id in zip(
                        *(batch[name].to_pylist() for name in ("uid", "conversation_id")), strict=True
                    ):
                        newest[id] = max(newest.get(id, 0), history.numbers[uid])
                for batch in divided.read(part):
                    for first in range(0, batch.num_rows, ROWS_SHOWN):
                        for row in batch.slice(first, ROWS_SHOWN).to_pylist():
                            if newest.get(row["conversation_id"]) == history.numbers[row["uid"]]:
                                # Once: an earlier memfold may have filed a record twice.
                                del newest[row["conversation_id"]]
                                if not row["removed"]:
                                    yield record_of(row)
        self.kept(history)

    def _divided(self, history: History, columns: Sequence[str] | None) -> Divided:
        """The records that are sealed as of a snapshot, divided by conversation."""
        chosen = [name for name in CONVERSATIONS.names if columns is None or name in {*columns, *NAMED}]
        schema = pa.schema([CONVERSATIONS.field(name) for name in chosen])
        sealed = pa.array(history.numbers, pa.string())
        divided = Divided(schema, "conversation_id", self._records.count())
        try:
            batches = self._records.batches(chosen)
            divided.add(batch.filter(pc.is_in(batch["uid"], sealed)).cast(schema) for batch in batches)
        except BaseException:
            divided.close()
            raise
        return divided

    def ends(self) -> dict[str, int]:
        """One after the highest row that any record names, by table."""
        return reread(self._ends)

    def _ends(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for batch in self._records.batches(["layers"]):
            layers = batch["layers"].flatten()
            lists = layers.field("parts")
            parts = lists.flatten()
            named = pa.table(
                {
                    "layer": layers.field("layer").take(lists.value_parent_indices()),
                    "end": pc.add(parts.field("first"), parts.field("rows")),
                }
            )
            # Where a process may start no thread, Arrow's pool waits for one without end, and no signal is heard.
            for row in named.group_by("layer", use_threads=False).aggregate([("end", "max")]).to_pylist():
                found[row["layer"]] = max(found.get(row["layer"], 0), row["end_max"])
        return found

    def everything(self) -> Iterator[Record]:
        """Every record that was ever filed and not cleaned up, sealed or not. For callers that work alone."""
        for batch in self._records.batches():
            yield from map(record_of, batch.to_pylist())

    def filed(self) -> pa.Table:
        """Which conversation each record is of, and the uid it is filed under."""
        return self._records.read(["uid", "conversation_id"])

    def drop(self, uid: str, ids: Sequence[str]) -> int:
        """Take away the records that are filed under a uid for some conversations; returns how many."""
        return self._records.delete((pc.field("uid") == uid) & pc.field("conversation_id").isin(ids))

    # ------------------------------------------------------------------------------ sealing

    def seal(
        self,
        records: Sequence[Record],
        *,
        config: str,
        embedder: str,
        before: Mapping[str, str] | None = None,
        left_out: Callable[[], Collection[str]] = tuple,
        oldest: int | None = None,
    ) -> tuple[Snapshot, list[str]]:
        """File the records and make them visible together, as the next snapshot.

        `before` names the uid under which each conversation was read (missing: it was not there). Also returns the ids
        of those that another seal has changed since: they are left out, and have to be made again on top of that seal.
        Numbers are taken in order, by insertion under the primary key: if two jobs seal at the same moment, one gets
        the number and the other looks again. `left_out` is called after each look and names more ids to leave out. So
        whoever files what it looks for, and then seals, knows that every later seal has seen it.
        """
        doubts = 0
        while True:
            history = self.history()
            out = set(left_out())
            seen = self.records(history, [record.conversation_id for record in records])
            filed, changed = _fit(records, seen, before, out)
            newest = history.newest
            if newest is not None and newest.embedder != embedder:
                raise UserError(
                    f"{self.location.root} was embedded by {newest.embedder} meanwhile, this job embeds by {embedder}: "
                    "choose that embedder, or index into another store.root"
                )
            if not filed and changed and newest is not None:
                return newest, changed
            uid = uuid.uuid4().hex
            total, count = _totals(newest, filed, seen)
            sealed = Snapshot(
                number=newest.number + 1 if newest else 1,
                uid=uid,
                sealed_at=datetime.now(UTC),
                config=config,
                embedder=embedder,
                conversations=count,
                oldest=oldest or (newest.oldest if newest else 1),
                content_hash=_hex(total),
            )
            self._seals.create()  # before the first record (`_check_new`)
            row = {name: getattr(sealed, name) for name in SNAPSHOTS.names}
            try:
                self._records.append(rows_of(filed, uid))
                done = bool(self._seals.insert(pa.Table.from_pylist([row], schema=SNAPSHOTS)))
            except Uncertain:
                # Never the same records again: under a new uid, those that nobody sealed do no harm.
                doubts += 1
                done = uid in self.history().numbers
                if not done and doubts == TURNS:
                    raise
            if done:
                return sealed, changed

    def content_hash(self, history: History) -> str:
        """The hash of a whole snapshot, from its records; it equals the sealed one if no record was lost or changed."""
        return _hex(sum(map(_weight, self.stream(history, ["content_hash"]))))


def unshown(filed: pa.Table, history: History, oldest: int) -> dict[str, list[str]]:
    """The records that no snapshot from `oldest` on shows, of those that are `filed`: conversations by uid."""
    numbered = [
        (history.numbers.get(uid, 0), uid, id)
        for uid, id in zip(filed["uid"].to_pylist(), filed["conversation_id"].to_pylist(), strict=True)
    ]
    shown: dict[str, int] = {}  # the newest record of each conversation as of `oldest`
    for number, _, id in numbered:
        if number <= oldest:
            shown[id] = max(shown.get(id, 0), number)
    dead: dict[str, list[str]] = {}
    for number, uid, id in numbered:
        if number == 0 or (number <= oldest and number < shown[id]):
            dead.setdefault(uid, []).append(id)
    return dead


def _fit(
    records: Sequence[Record],
    seen: Mapping[str, Record],
    before: Mapping[str, str] | None,
    out: Collection[str],
) -> tuple[list[Record], list[str]]:
    """The records that fit the newest `seen`, and the ids of the others: those in `out`, and those that are not what
    they were `before`."""

    def fits(id: str) -> bool:
        same = before is None or before.get(id, "") == (seen[id].uid if id in seen else "")
        return same and id not in out

    changed = [record.conversation_id for record in records if not fits(record.conversation_id)]
    left = set(changed)
    return [record for record in records if record.conversation_id not in left], changed


def _weight(record: Record) -> int:
    # A sum, so that sealing one conversation does not read the others: equal for any order of seals.
    return int(digest(record.conversation_id, record.content_hash), 16)


def _hex(total: int) -> str:
    return f"{total % (1 << (8 * BYTES)):0{2 * BYTES}x}"


def _totals(newest: Snapshot | None, filed: Sequence[Record], seen: Mapping[str, Record]) -> tuple[int, int]:
    """The sum of the conversations' weights, and their number, once the records `filed` have replaced those `seen`."""
    total = int(newest.content_hash if newest else NOTHING, 16)
    count = newest.conversations if newest else 0
    for record in filed:
        old = seen.get(record.conversation_id)
        if old is not None and not old.removed:
            total -= _weight(old)
            count -= 1
        if not record.removed:
            total += _weight(record)
            count += 1
    return total, count
