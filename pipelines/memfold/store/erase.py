"""Erasing: out of every table and every old version, with a receipt that can be checked.

Loops over the tables that are there, whoever wrote them, and needs no model. The receipt holds no text and names the
conversation, and the message if it was one, by the hash of its id.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
from lance.file import LanceFileReader

from memfold.digest import digest
from memfold.errors import OF_LANCE, OF_READING, UserError, damaged
from memfold.given import check_text, composed, forms
from memfold.schema import INSTANT, key, required
from memfold.store.attempts import reread, was_cleaned
from memfold.store.catalog import Catalog
from memfold.store.location import Location
from memfold.store.record import NOTHING, Record, gone
from memfold.store.tables import Keyed, among, names, there
from memfold.store.unsealed import DEAD_AFTER, Lease, Unsealed
from memfold.store.upkeep import NotDeleted, check_free, erased, superseded

RECEIPTS = pa.schema(
    [
        key("receipt", pa.string()),
        required("conversation", pa.string()),
        pa.field("message", pa.string()),
        required("erased_at", INSTANT),
        required("rows", pa.string()),
        required("complete", pa.bool_()),
        required("hash_before", pa.string()),
        required("hash_after", pa.string()),
    ]
)


@dataclass(frozen=True, slots=True)
class Receipt:
    """What was erased: the hash of the conversation's id (and of a message's), the rows removed from each table, and
    the store's content hash before and after. `complete` is False if jobs ran meanwhile: the versions of the last ten
    minutes, and files that such a job, or a killed one, wrote and did not commit, may hold text until the conversation
    is erased again while none runs.
    `receipt` is the hash of all the rest."""

    receipt: str
    conversation: str
    message: str | None
    erased_at: datetime
    rows: dict[str, int]
    complete: bool
    hash_before: str
    hash_after: str


class Erased(NamedTuple):
    """A receipt in short: its name, `digest(conversation)`, for a message `digest(conversation, message)`, and when it
    was filed."""

    receipt: str
    conversation: str
    message: str | None
    erased_at: datetime

    @property
    def what(self) -> str:
        """The digest of what was erased, a message or a conversation."""
        return self.message or self.conversation


def erase(location: Location, conversation_id: str, say: Callable[[str], object] = lambda _: None) -> Receipt:
    """Erase a conversation from all tables; seals a snapshot without it and files the receipt. It says
    once that it waits if it has to wait for another erasure.

    Readers stop seeing it first; then the rows are removed. If it is killed in between, run it again. Safe beside
    running jobs: a job that has read the conversation leaves it out, and no job starts meanwhile. What a first job
    wrote and never sealed is erased without a seal, once that job has ended. What was erased before is erased again.
    UserError if nothing of the conversation is stored, nor was ever erased.
    """
    check_text("conversation", conversation_id)
    if not names(location):  # before a table is made there: a root may be mistyped
        raise UserError(
            f"there is no conversation {conversation_id!r} under {location.root} to erase: tenant "
            f"{location.tenant!r} has no store there"
        )
    check_free(location)
    catalog = Catalog(location)
    with Unsealed(location).alone(say) as job:
        history = catalog.history()
        before = history.newest
        shown = [] if before is None else catalog.shown(history, forms(conversation_id))
        record = shown[0] if shown else None
        # An earlier memfold may have stored two conversations whose ids differ in their Unicode form alone.
        others = {each.conversation_id for each in shown[1:]}
        of = among("conversation_id", {*forms(conversation_id)} - others)
        conversation_id = composed(conversation_id) if record is None else record.conversation_id
        there = record is not None or any(_counted(location, of).values())
        # Files with its text may have come since it was erased, of a job that ran or that the network held back.
        if not there and not _receipts(location, conversation_id) and not _left(location, conversation_id):
            raise catalog.unknown(history, conversation_id)
        if before is None and job.beside:
            # Without a seal there is no number whose loss would make that job look for receipts again.
            raise UserError(
                f"the first job under {location.root} has sealed nothing yet: erase {conversation_id!r} when it "
                f"has ended (one that was killed counts as running for {DEAD_AFTER.total_seconds() / 60:g} minutes)"
            )
        # First the receipt, which after a kill shows that an erasure was begun; then a seal, even if no snapshot shows
        # the conversation: a running job looks for receipts before it seals, and one that looked too early finds its
        # snapshot number taken, and looks again.
        hash_before = hash_after = NOTHING if before is None else before.content_hash
        begun(location, conversation_id, None, hash_before)
        if before is not None:
            config = catalog.config(record.uid) if record is not None else before.config
            after, _ = catalog.seal([gone(conversation_id)], config=config, embedder=before.embedder)
            hash_after = after.content_hash
        try:
            rows = purged(location, of, job)
        except OF_LANCE as error:
            # Before the first seal nothing was shown, and maintenance has nothing to read.
            if before is None or (said := damaged(error)) is None:
                raise
            raise UserError(
                f"conversation {conversation_id!r} is no longer shown, but not all of its rows could be removed, "
                f"because a file under {location.root} is damaged or missing ({said}): erase the others that "
                "jobs/maintain.py verify=true names, run it with keep=1, which lets such rows go, then erase this one "
                "again, or index it again if it is to stay"
            ) from None
        return file_receipt(location, conversation_id, None, rows, not job.beside, hash_before, hash_after)


def forget_versions(
    location: Location, record: Record, letters: Collection[str], job: Lease
) -> dict[str, int]:
    """Erase everything of a conversation that its newest record does not name: older records and parts, the dead
    letters named in `letters`, and all generations. These stand under the number that their exchange had when it was
    asked about, which may have been another one. Returns the rows of each table. `job` works alone."""
    of = pc.field("conversation_id") == record.conversation_id
    live = {part.name for parts in record.parts.values() for part in parts}
    other = {
        "conversations": of & (pc.field("uid") != record.uid),
        "generations": of,
        "dead_letters": of & among("letter", letters),
        "made": of,
    }
    wheres = {}
    for name, dataset in _with_conversations(location):
        wheres[name] = other.get(
            name, of & ~among("segment", live) if "segment" in dataset.schema.names else of
        )
    return _erased(location, wheres, job)


def purged(location: Location, where: Any, job: Lease) -> dict[str, int]:
    """Erase the rows that fulfil a condition on `conversation_id` from every table that has that column; returns how
    many of each. `job` works alone."""
    return _erased(location, dict.fromkeys(_counted(location, where), where), job)


def _erased(location: Location, wheres: Mapping[str, Any], job: Lease) -> dict[str, int]:
    """Erase the rows of each table that fulfil its condition. Where files cannot be deleted, the error comes when the
    rows of all tables are gone."""
    rows, refused = {}, None
    for name, where in wheres.items():
        job.check()  # one that slept may find others at work
        try:
            rows[name] = erased(location, name, where, alone=not job.beside)
        except NotDeleted as error:
            refused = refused or error
    if refused is not None:
        raise refused
    job.check()  # if the store has gone away, no rows were found, and none are erased
    return rows


def check(location: Location, conversation_id: str) -> Receipt:
    """The receipt of an erased conversation; UserError if there is none, if it was altered, or if a row of the
    conversation is left, also in an old version or an unfinished file unless the receipt says that it is not
    `complete`."""
    left = _counted(location, among("conversation_id", forms(conversation_id)))
    if any(left.values()):
        rows = ", ".join(f"{count:,} rows of {table}" for table, count in left.items() if count)
        raise UserError(
            f"conversation {conversation_id!r} is not erased ({rows} are left): leave check out to erase it"
        )
    receipts = [each for each in _receipts(location, conversation_id) if not each.message]
    if not receipts:
        raise UserError(f"there is no receipt for {conversation_id!r} under {location.root}")
    newest = receipts[-1]
    if newest.receipt != _hash({k: v for k, v in asdict(newest).items() if k != "receipt"}):
        raise UserError(f"the receipt for {conversation_id!r} was altered")
    if newest.complete and (files := _left(location, conversation_id)):
        where = ", ".join(f"{count:,} of {table}" for table, count in files.items())
        raise UserError(
            f"conversation {conversation_id!r} may be left in files of older versions or of unfinished jobs ({where}): "
            "leave check out to erase it once no job runs"
        )
    return newest


def _left(location: Location, conversation_id: str) -> dict[str, int]:
    """How many files may hold a conversation that the newest version of their table does not name, by table. Such a
    file is of an older version, or of a job that runs or was killed."""
    found = {}
    for name in _counted(location, None):
        files = superseded(location, name)
        held = sum(_may_hold(location, name, file, conversation_id) for file in files)
        if held:
            found[name] = held
    return found


def _may_hold(location: Location, name: str, file: str, conversation_id: str) -> bool:
    """Whether a file of a table holds rows of a conversation, or cannot be read."""
    at, options = f"{location.uri(name)}/data/{file}", location.storage_options
    try:
        if "conversation_id" not in LanceFileReader(at, options).metadata().schema.names:
            return False
        rows = LanceFileReader(at, options, columns=["conversation_id"]).read_all()
        ids = pa.array(forms(conversation_id), pa.string())
        return any(pc.any(pc.is_in(batch.column(0), ids)).as_py() for batch in rows.to_batches())
    except OF_READING as error:
        return not was_cleaned(error)  # one that is gone by now holds nothing


def digests(*ids: str) -> set[str]:
    """The names that receipts may have for a conversation, or for its message: an earlier memfold may have erased it
    under ids in another Unicode form."""
    return {digest(*each) for each in product(*map(forms, ids))}


def receipts(location: Location) -> set[Erased]:
    """All receipts."""
    rows = _table(location).read(Erased._fields)
    return set(map(Erased, *(rows[name].to_pylist() for name in Erased._fields)))


def erased_since(location: Location, when: datetime) -> bool:
    """Whether anything was erased since then."""
    return _table(location).count(pc.field("erased_at") >= pa.scalar(when, INSTANT)) > 0


def file_receipt(
    location: Location,
    conversation_id: str,
    message_id: str | None,
    rows: dict[str, int],
    complete: bool,
    hash_before: str,
    hash_after: str,
) -> Receipt:
    """File a receipt. If a conversation has several, the newest counts: it is dated after the others, though clocks may
    differ."""
    now = datetime.now(UTC)
    before = _receipts(location, conversation_id)
    if before and before[-1].erased_at >= now:
        now = before[-1].erased_at + timedelta(microseconds=1)
    body: dict[str, Any] = {
        "conversation": digest(conversation_id),
        "message": None if message_id is None else digest(conversation_id, message_id),
        "erased_at": now,
        "rows": rows,
        "complete": complete,
        "hash_before": hash_before,
        "hash_after": hash_after,
    }
    receipt = Receipt(receipt=_hash(body), **body)
    filed = {**asdict(receipt), "rows": json.dumps(rows, sort_keys=True)}
    _table(location).insert(pa.Table.from_pylist([filed], schema=RECEIPTS))
    return receipt


def begun(location: Location, conversation_id: str, message_id: str | None, content_hash: str) -> None:
    """File that an erasure was begun: nothing is removed yet."""
    file_receipt(location, conversation_id, message_id, {}, False, content_hash, content_hash)


def _table(location: Location) -> Keyed:
    return Keyed(location, "receipts", RECEIPTS)


def _receipts(location: Location, conversation_id: str) -> list[Receipt]:
    """The receipts of a conversation and of its messages, the newest last."""
    rows = _table(location).read(where=among("conversation", digests(conversation_id))).sort_by("erased_at")
    return [Receipt(**{**row, "rows": json.loads(row["rows"])}) for row in rows.to_pylist()]


def _counted(location: Location, where: Any) -> dict[str, int]:
    """How many rows fulfil a condition on `conversation_id`, by table that has the column."""

    def count() -> dict[str, int]:
        """The counts in the newest versions."""
        return {
            name: int(dataset.count_rows(filter=where)) for name, dataset in _with_conversations(location)
        }

    return reread(count)


def _with_conversations(location: Location) -> Iterator[tuple[str, Any]]:
    """The tables that have the column `conversation_id`, with their names."""
    return ((name, dataset) for name, dataset in there(location) if "conversation_id" in dataset.schema.names)


def _hash(body: dict[str, Any]) -> str:
    return hashlib.blake2b(json.dumps(body, sort_keys=True, default=str).encode()).hexdigest()[:32]
