"""Extraction tried again where it failed: exchanges the rules stood in for, and those in the dead letters.

Everything is taken from the store: the conversations as they were indexed, and the generations that were good. Only
where none was, the model is asked again (`Engine.retrying`); about short exchanges whose request together was never
answered, together. A segment's new attempt stands beside the old one, so a reader of an older snapshot sees what it
saw.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import pyarrow.compute as pc

from memfold.extract.contract import DEAD, FALLBACK, exchange_place
from memfold.run.index import index
from memfold.run.job import SETTINGS, Job
from memfold.run.letters import dead_letters
from memfold.run.stored import Stored
from memfold.store.catalog import Catalog
from memfold.store.live import table
from memfold.store.location import Location
from memfold.store.record import Record
from memfold.watch import Report


@dataclass(frozen=True)
class Failures:
    """What failed of one conversation: the names of its extractions, and the exchanges in them."""

    record: Record
    extractions: frozenset[str]
    exchanges: tuple[int, ...]

    @property
    def conversation_id(self) -> str:
        """The conversation's id."""
        return self.record.conversation_id


def failed(location: Location) -> tuple[Failures, ...]:
    """What failed of each conversation of the newest snapshot."""
    catalog = Catalog(location)
    history = catalog.at()  # raises if there is no store
    found, extractions = [], table(location, "extractions")
    for record in catalog.stream(history):
        parts = record.parts.get("extractions", ())
        rows = extractions.take(parts, ["segment", "exchange_id", "made_by"])
        poor = [
            row for row in rows.to_pylist() if row["made_by"] == DEAD or row["made_by"].endswith(FALLBACK)
        ]
        if poor:
            names = frozenset(row["segment"] for row in poor)
            found.append(Failures(record, names, tuple(sorted(row["exchange_id"] for row in poor))))
    return tuple(sorted(found, key=lambda each: each.conversation_id))


def _letters(location: Location, each: Failures) -> dict[str, str]:
    """The dead letters of what failed of a conversation, with their places."""
    places = [exchange_place(each.conversation_id, number) for number in each.exchanges]
    of = (pc.field("conversation_id") == each.conversation_id) & pc.field("place").isin(places)
    rows = dead_letters(location).read(["letter", "place"], of).to_pylist()
    return {row["letter"]: row["place"] for row in rows}


def by_settings(location: Location) -> dict[str, tuple[Failures, ...]]:
    """What failed, by a configuration whose engine, embedder and layers its conversations were indexed with."""
    catalog = Catalog(location)
    config = cache(catalog.config)
    found: dict[str, tuple[str, list[Failures]]] = {}
    for each in failed(location):
        recorded = config(each.record.uid)
        settings = json.dumps([json.loads(recorded)[name] for name in SETTINGS])
        found.setdefault(settings, (recorded, []))[1].append(each)
    return {recorded: tuple(those) for recorded, those in found.values()}


def retry(job: Job, report: Report, before: Sequence[Failures]) -> dict[str, object]:
    """Try again what failed `before`; returns `retried`, `failed` (what still did) and what the index job returns."""
    location = job.location
    if not before:
        return {"retried": 0, "failed": 0}
    letters = {each.conversation_id: _letters(location, each) for each in before}
    again = frozenset(name for each in before for name in each.extractions)
    exchanges = [(each.conversation_id, number) for each in before for number in each.exchanges]
    source = Stored(location, tuple(each.record for each in before))
    done = index(replace(job, engine=job.engine.retrying(exchanges), source=source, again=again), report)
    left = {of: each.exchanges for each in failed(location) if (of := each.conversation_id) in letters}
    for each in before:
        # Only now: a retry that is stopped leaves the letters where they are. Of what failed again for another reason,
        # the new letter stays. Meanwhile the erasure of a message may have renamed them all.
        old, now = letters[each.conversation_id], _letters(location, each)
        dead = {exchange_place(each.conversation_id, n) for n in left.get(each.conversation_id, ())}
        new = {place for letter, place in now.items() if letter not in old}
        gone = [
            letter for letter, place in now.items() if place not in dead or (letter in old and place in new)
        ]
        if gone:
            dead_letters(location).delete(pc.field("letter").isin(gone))
    return {
        "retried": sum(len(each.exchanges) for each in before),
        "failed": sum(len({*each.exchanges} & {*left.get(each.conversation_id, ())}) for each in before),
        **done,
    }
