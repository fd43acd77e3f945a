"""Whether a store holds what was sealed. Reads every row and changes nothing.

It checks only the length of vectors, and does not know whether they are those that were written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial

from memfold.digest import rows_digests
from memfold.errors import OF_READING, UserError, damaged
from memfold.schema import unit, vectors_of
from memfold.store.attempts import reread
from memfold.store.catalog import Catalog, History
from memfold.store.erase import erased_since
from memfold.store.live import bundles, table
from memfold.store.location import Location
from memfold.store.part import Part
from memfold.store.tables import Missing, Placed, is_placed, names, opened

# Conversations that are named beside the first where rows are not what was sealed.
NAMED = 20


def verify(location: Location, history: History, advance: Callable[[], object] = lambda: None) -> str:
    """The store's content hash, from every row that it is made of; UserError if it is not the sealed one. It names the
    conversations whose rows are not those that were sealed. `advance` is called for each conversation."""
    held = cache(partial(_held, location))
    catalog = Catalog(location)
    wrong: dict[str, str] = {}
    for record in catalog.stream(history):
        for kind, parts in record.parts.items():
            if _found(held(kind), parts) != [part.hash for part in parts]:
                wrong.setdefault(record.conversation_id, kind)
        advance()
    if wrong:
        _whole(catalog, history)
        (first, kind), *others = wrong.items()
        more = ", ".join(repr(each) for each, _ in others[:NAMED])
        more += f" and {len(others) - NAMED:,} more" if len(others) > NAMED else ""
        raise UserError(
            f"conversation {first!r} under {location.root} does not hold the rows that were sealed in table {kind}: "
            "rows were lost, doubled or changed; erase it and index it again"
            + (f"; the same holds for {more}" if more else "")
        )
    found_hash = catalog.content_hash(history)
    if found_hash != history.snapshot.content_hash:
        _whole(catalog, history)
        raise UserError(
            f"the records under {location.root} are not those that were sealed: some were lost, doubled or changed"
        )
    return found_hash


def readable(location: Location) -> None:
    """UserError that names a table which cannot be opened, or whose rows no record names and which cannot be read
    whole. `verify` reads the others."""

    def read(name: str) -> None:
        dataset = opened(location, name)
        if dataset is not None and not is_placed(dataset):
            for _ in dataset.to_batches():
                pass

    for name in names(location):
        try:
            reread(partial(read, name))
        except OF_READING as error:
            if (said := damaged(error)) is None:
                raise
            raise UserError(
                f"a file of table {name} under {location.root} is damaged or missing ({said}): put it back from a copy "
                "of the store, or index the sources again into a new store.root"
            ) from None


def _held(location: Location, name: str) -> Placed | None:
    """A table that records name; None if it is not there."""
    return None if opened(location, name) is None else table(location, name)


def _found(of: Placed | None, parts: Sequence[Part]) -> list[str]:
    """The hashes of what lies where parts of a table lie; none where a row, a file or the table is lost or damaged."""
    try:
        return [] if of is None else [hashed for each in bundles(parts) for hashed in _hashes(of, each)]
    except Missing:
        return []
    except BaseException as error:  # on some damaged files Lance panics, which is no Exception
        if damaged(error) is None and type(error).__name__ != "PanicException":
            raise
        return []


def _hashes(of: Placed, parts: list[Part]) -> list[str]:
    rows = of.take(parts)
    # A vector is in no hash (`rows_digests`), and one NaN leaves a conversation without any hit.
    if "vector" in rows.schema.names and not unit(vectors_of(rows)):
        return []
    return rows_digests(rows, [part.rows for part in parts])


def _whole(catalog: Catalog, history: History) -> None:
    """UserError if there is a good reason for a snapshot not to be what was sealed."""
    catalog.kept(history)
    sealed, newest = history.snapshot, catalog.history().newest
    # The newest snapshot shows nothing that was erased: an erasure seals first, and files its last receipt afterwards.
    if newest is None or newest.number == sealed.number:
        return
    if erased_since(catalog.location, sealed.sealed_at):
        raise UserError(
            f"something was erased under {catalog.location.root} since snapshot {sealed.number} was sealed, which has "
            "changed it: open the newest"
        )
