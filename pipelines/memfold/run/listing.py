"""What a store holds, as rows to print. Reads no text of a conversation."""

from __future__ import annotations

from collections.abc import Iterator

from memfold.errors import UserError
from memfold.ingest.records import plain
from memfold.run.letters import dead_letters
from memfold.store.catalog import Catalog
from memfold.store.location import Location
from memfold.store.tables import names

SHOWN = ("title", "messages", "exchanges", "tokens", "first_time", "last_time")
OF_SNAPSHOTS = ("number", "sealed_at", "embedder", "conversations", "content_hash")
WHAT = ("conversations", "letters", "snapshots")


def listed(location: Location, what: str) -> Iterator[dict[str, object]]:
    """Rows about conversations (in no order, streamed), dead letters by reason, or snapshots; UserError for another
    word, or where there is no store, and for conversations where nothing is sealed."""
    if what not in WHAT:
        raise UserError(f"what={what} is unknown: use one of {', '.join(WHAT)}")
    if not names(location):
        Catalog(location).at()  # says so
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
    counts: dict[str, int] = {}
    examples: dict[str, dict[str, object]] = {}
    for batch in dead_letters(location).batches(["file", "place", "reason"]):
        for row in batch.to_pylist():
            reason = plain(row["reason"])
            counts[reason] = counts.get(reason, 0) + 1
            examples.setdefault(reason, row)
    for reason, count in sorted(counts.items(), key=lambda each: (-each[1], each[0])):
        yield {"reason": reason, "count": count, "example": examples[reason]}
