"""Erasing one message: the conversation is indexed again without its words, and then all that held them goes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memfold.errors import UserError
from memfold.extract.contract import DEAD, exchange_place
from memfold.given import held_as
from memfold.run.index import index
from memfold.run.job import By, Job, recorded_job
from memfold.run.letters import without_words
from memfold.run.stored import Stored
from memfold.schema import StoredMessage
from memfold.store.catalog import Catalog
from memfold.store.erase import Receipt, begun, file_receipt, forget_versions
from memfold.store.live import table
from memfold.store.location import Location
from memfold.store.part import Part
from memfold.store.record import Record
from memfold.store.unsealed import Unsealed
from memfold.store.upkeep import check_free
from memfold.watch import Report


def erase_message(
    location: Location, conversation_id: str, message_id: str, report: Report, by: By = recorded_job
) -> Receipt:
    """Erase one message of a conversation, which is indexed again as it was before, or otherwise `by`; files the
    receipt.

    Its place stays, with nothing in it, so that no other message is renumbered. Older snapshots lose the conversation,
    since they would show the message. A model is asked anew about the message's exchange and those that saw it (8 at
    most), and about those that shared requests in the same segments; what models wrote about the conversation is no
    longer kept. Killed in between, it is erased by running it again. UserError where there is no such message, and
    where it cannot be indexed again: then it is not erased.
    """
    catalog = Catalog(location)
    hash_before = catalog.at().snapshot.content_hash
    check_free(location)
    record, said = _now(location, conversation_id, message_id)
    if said is None:
        raise UserError(
            f"conversation {conversation_id!r} under {location.root} has no message {message_id!r}"
        )

    conversation_id, message_id = record.conversation_id, said.message_id
    job = _anew(location, by, record, said)
    # Then the receipt: whatever is indexed from now on learns from it that the message was erased.
    begun(location, conversation_id, message_id, hash_before)
    while True:
        if job is not None:
            _indexed(job, message_id, report)
        with Unsealed(location).alone(report.say) as alone:
            # Again, and with a seal: jobs that run leave out what they made of the conversation (`store.erase`).
            begun(location, conversation_id, message_id, hash_before)
            newest = catalog.at().snapshot
            after, _ = catalog.seal([], config=newest.config, embedder=newest.embedder)
            record, said = _now(location, conversation_id, message_id)
            # Not so only where another job added to the conversation at this moment.
            if (job := _anew(location, by, record, said)) is None:
                letters = without_words(location, conversation_id, _answered(location, record))
                rows = forget_versions(location, record, letters, alone)
                hash_after, complete = after.content_hash, not alone.beside
                return file_receipt(
                    location, conversation_id, message_id, rows, complete, hash_before, hash_after
                )


def _anew(location: Location, by: By, record: Record, said: StoredMessage | None) -> Job | None:
    """What indexes a conversation as it is now without the message; None if it says nothing any more."""
    if said is None or not said.text:
        return None
    source = Stored(location, (record,), frozenset({(record.conversation_id, said.message_id)}))
    return replace(by(location, Catalog(location).config(record.uid), source), replace=True)


def _answered(location: Location, record: Record) -> set[str]:
    """The exchanges that have an extraction, as dead letters name them."""
    parts = record.parts.get("extractions", ())
    rows = table(location, "extractions").take(parts, ["exchange_id", "made_by"])
    return {
        exchange_place(record.conversation_id, row["exchange_id"])
        for row in rows.to_pylist()
        if row["made_by"] != DEAD
    }


def _indexed(job: Job, message_id: str, report: Report) -> None:
    """Run the job; where its model cannot be asked, the error says what is left to do."""
    try:
        index(job, report)
    except UserError as error:
        if job.engine.asker is None:
            raise
        raise UserError(
            f"message {message_id!r} is not erased yet: {error}; or erase it with engine=rules, which write the whole "
            "conversation anew and ask no model"
        ) from None


def _now(location: Location, conversation_id: str, message_id: str) -> tuple[Record, StoredMessage | None]:
    catalog = Catalog(location)
    record = catalog.known(catalog.at(), conversation_id)
    return record, _found(location, record.parts["messages"], message_id)


def _found(location: Location, parts: Sequence[Part], message_id: str) -> StoredMessage | None:
    rows = {row["message_id"]: row for row in table(location, "messages").take(parts).to_pylist()}
    named = held_as(message_id, rows)
    return None if named is None else StoredMessage.of(rows[named])
