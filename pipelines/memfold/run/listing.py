"""What a store holds, as rows to print. Reads no text of a conversation."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from memfold.errors import UserError
from memfold.ingest.rejecting import kind_of
from memfold.run.letters import dead_letters
from memfold.store.catalog import Catalog
from memfold.store.location import Location

SHOWN = ("title", "messages", "exchanges", "tokens", "first_time", "last_time")
OF_SNAPSHOTS = ("number", "sealed_at", "embedder", "conversations", "content_hash")
LISTED = ("file", "place", "reason", "seen_at")  # of dead letters
WHAT = ("conversations", "letters", "snapshots")


def listed(location: Location, what: str) -> Iterator[dict[str, object]]:
    """Rows about conversations (in no order, streamed), dead letters by reason and by the job that met them last, or
    snapshots; UserError for another word, or where there is no store, and for conversations where nothing is sealed."""
    if what not in WHAT:
        raise UserError(f"what={what} is unknown: use one of {', '.join(WHAT)}")
    Catalog(location).check()
    if what == "conversations":
        catalog = Catalog(location)
        for record in catalog.stream(catalog.at(), SHOWN):
            yield {name: getattr(record, name) for name in ("conversation_id", *SHOWN)}
    elif what == "snapshots":
        snapshots = Catalog(location).snapshots()
        for snapshot in snapshots:
            row = {name: getattr(snapshot, name) for name in OF_SNAPSHOTS}
            yield {**row, "readable": snapshot.number >= snapshots[-1].oldest}
    else:
        yield from _letters(location)


def _letters(location: Location) -> Iterator[dict[str, object]]:
    """A row for each reason and each job that was the last to meet letters of that reason, the newest job first:
    letters of a file that was corrected keep the time of an older one."""
    table = dead_letters(location)
    counts: dict[tuple[datetime | None, str], int] = {}
    examples: dict[tuple[datetime | None, str], dict[str, object]] = {}
    for batch in table.batches([name for name in LISTED if name in table.schema.names]):
        for row in batch.to_pylist():
            of = row.pop("seen_at", None), kind_of(row["reason"])
            counts[of] = counts.get(of, 0) + 1
            examples.setdefault(of, row)

    def rank(of: tuple[datetime | None, str]) -> tuple[float, int, str]:
        seen_at, reason = of
        return -seen_at.timestamp() if seen_at else 0, -counts[of], reason

    for of in sorted(counts, key=rank):
        seen_at, reason = of
        yield {"reason": reason, "count": counts[of], "seen_at": seen_at, "example": examples[of]}
