"""Extraction tried again where it failed: exchanges the rules stood in for, and those in the dead letters.

Everything is taken from the store: the conversations as they were indexed, and the generations that were good.
Only what failed is forgotten and asked again; short exchanges whose request together was never answered, together. A
segment's new attempt stands beside the old one, so a reader of an older snapshot sees what it saw.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import pyarrow as pa
import pyarrow.compute as pc

from memfold.digest import digest
from memfold.extract.contract import DEAD, FALLBACK, exchange_place
from memfold.extract.engines.model import ModelEngine
from memfold.run.index import Job, index, stored_messages
from memfold.run.watch import Report
from memfold.schema import UTC, DeadLetter, Message
from memfold.store.catalog import Catalog
from memfold.store.tables import Tables


@dataclass(frozen=True)
class Failed:
    """What failed of one conversation: the segments of extractions, and the exchanges in them."""

    conversation_id: str
    messages: tuple[str, ...]
    segments: tuple[str, ...]
    exchanges: tuple[int, ...]


@dataclass(frozen=True)
class Stored:
    """The conversations something failed of, as the store holds them: a source (`memfold.run.index.Source`)."""

    tables: Tables
    failed: tuple[Failed, ...] = ()

    def messages(self) -> Iterator[Message | DeadLetter]:
        for each in self.failed:
            for _, message in stored_messages(self.tables, each.messages):
                yield message

    def fingerprint(self) -> str:
        return digest("retry-1", [each.segments for each in self.failed])


def failed(job: Job) -> tuple[Failed, ...]:
    """What failed of each conversation of the newest snapshot."""
    tables = Tables(job.location, job.embedder.dimension)
    catalog = Catalog(job.location)
    found = []
    for record in catalog.records(catalog.snapshots()).values():
        names = [segment.extractions for segment in record.segments]
        rows = [
            row
            for row in tables.extractions.read(names, ["segment", "exchange_id", "made_by"]).to_pylist()
            if row["made_by"] == DEAD or row["made_by"].endswith(FALLBACK)
        ]
        if rows:
            found.append(
                Failed(
                    record.conversation_id,
                    tuple(segment.messages for segment in record.segments),
                    tuple(sorted({row["segment"] for row in rows})),
                    tuple(sorted(row["exchange_id"] for row in rows)),
                )
            )
    return tuple(found)


def _letters(tables: Tables, each: Failed) -> dict[str, str]:
    """The dead letters of what failed of a conversation, with their places."""
    places = [exchange_place(each.conversation_id, number) for number in each.exchanges]
    of = (pc.field("conversation_id") == each.conversation_id) & pc.field("place").isin(places)
    rows = tables.dead_letters.read(columns=["letter", "place"], where=of).to_pylist()
    return {row["letter"]: row["place"] for row in rows}


def retry(job: Job, report: Report) -> dict[str, object]:
    """Try again what failed; returns `retried`, `failed` (what still did) and what the index job returns."""
    before = failed(job)
    if not before:
        return {"retried": 0, "failed": 0}
    tables = Tables(job.location, job.embedder.dimension)
    # What a retry that was stopped has paid for since stays: it goes on from there.
    sealed = pa.scalar(Catalog(job.location).snapshots()[-1].sealed_at, UTC)
    for each in before:
        of = pc.field("conversation_id") == each.conversation_id
        old = of & pc.field("exchange_id").isin(list(each.exchanges)) & (pc.field("written_at") < sealed)
        if isinstance(job.engine, ModelEngine):
            old &= pc.field("model") == job.engine.generator.model
        tables.generations.delete(old)
    letters = {each: _letters(tables, each) for each in before}
    segments = frozenset(name for each in before for name in each.segments)
    done = index(replace(job, source=Stored(tables, before), again=segments), report)
    left = {each.conversation_id: each.exchanges for each in failed(job)}
    for each in before:
        # Only now: a retry that is stopped leaves the letters where they are. Of what failed again for another reason,
        # the new letter stays.
        dead = {exchange_place(each.conversation_id, n) for n in left.get(each.conversation_id, ())}
        new = {place for letter, place in _letters(tables, each).items() if letter not in letters[each]}
        gone = [letter for letter, place in letters[each].items() if place not in dead or place in new]
        if gone:
            tables.dead_letters.delete(pc.field("letter").isin(gone))
    return {
        "retried": sum(len(each.exchanges) for each in before),
        "failed": sum(map(len, left.values())),
        **done,
    }
