"""Erasing a conversation: out of every table and every old version, with a receipt that can be checked.

Only safe while nothing else writes the tenant's store: purging removes the files of other writers' unfinished
versions too. The receipt holds no text and names the conversation by the hash of its id.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime

import pyarrow as pa
import pyarrow.compute as pc

from memfold.digest import digest
from memfold.errors import UserError
from memfold.schema import UTC as UTC_TYPE
from memfold.schema import key, required
from memfold.store.catalog import Catalog
from memfold.store.location import Location
from memfold.store.tables import Table

RECEIPTS = pa.schema(
    [
        key("receipt", pa.string()),
        required("conversation", pa.string()),
        required("erased_at", UTC_TYPE),
        required("rows", pa.string()),
        required("hash_before", pa.string()),
        required("hash_after", pa.string()),
    ]
)


@dataclass(frozen=True, slots=True)
class Receipt:
    """What was erased: the hash of the conversation's id, the rows removed of each table, and the store's
    content hash before and after. `receipt` is the hash of all the rest."""

    receipt: str
    conversation: str
    erased_at: datetime
    rows: dict[str, int]
    hash_before: str
    hash_after: str


def erase(location: Location, tables: Sequence[Table], conversation_id: str) -> Receipt:
    """Erase a conversation from `tables` and the catalog; seals a snapshot without it and files the receipt.

    Readers stop seeing it first; then the rows go. Killed in between, it is erased by running it again.
    """
    catalog = Catalog(location)
    snapshots = catalog.at()
    record = catalog.records(snapshots).get(conversation_id)
    mine = pc.field("conversation_id") == conversation_id
    if record is None and not any(table.count(mine) for table in tables):
        raise UserError(f"there is no conversation {conversation_id!r} under {location.root} to erase")
    before = snapshots[-1]
    if record is not None:
        gone = replace(record, removed=True, segments=(), nodes=(), content_hash="")
        draft = replace(before, job="erase", outcome=(), messages=0, exchanges=0, tokens=0, dead_letters=0)
        after = catalog.seal([gone], draft)
    else:
        after = before
    rows = {table.name: table.purge(mine) for table in tables}
    rows["conversations"] = catalog.forget(conversation_id)
    body = {
        "conversation": digest(conversation_id),
        "erased_at": datetime.now(UTC),
        "rows": rows,
        "hash_before": before.content_hash,
        "hash_after": after.content_hash,
    }
    receipt = Receipt(receipt=_seal(body), **body)  # type: ignore[arg-type]
    filed = {**asdict(receipt), "rows": json.dumps(rows, sort_keys=True)}
    Table(location, "receipts", RECEIPTS).insert(pa.Table.from_pylist([filed], schema=RECEIPTS))
    return receipt


def check(location: Location, tables: Sequence[Table], conversation_id: str) -> Receipt:
    """The receipt of an erased conversation, after looking that no row of it is left; UserError otherwise."""
    left = {table.name: table.count(pc.field("conversation_id") == conversation_id) for table in tables}
    if any(left.values()):
        raise UserError(f"conversation {conversation_id!r} is not erased: {left}")
    filed = Table(location, "receipts", RECEIPTS).read(
        where=pc.field("conversation") == digest(conversation_id)
    )
    if filed.num_rows == 0:
        raise UserError(f"there is no receipt for {conversation_id!r} under {location.root}")
    row = filed.sort_by("erased_at").to_pylist()[-1]
    row["rows"] = json.loads(row["rows"])
    receipt = Receipt(**row)
    if receipt.receipt != _seal({k: v for k, v in row.items() if k != "receipt"}):
        raise UserError(f"the receipt for {conversation_id!r} was altered")
    return receipt


def _seal(body: dict[str, object]) -> str:
    return hashlib.blake2b(json.dumps(body, sort_keys=True, default=str).encode()).hexdigest()[:32]
