"""Erasing one message: the conversation is indexed again without its words, and then all that held them goes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memfold.errors import UnknownConversation, UserError
from memfold.extract.windows import HISTORY_EXCHANGES
from memfold.run.index import Job, index
from memfold.run.retry import Stored
from memfold.run.watch import Report
from memfold.schema import StoredMessage, message
from memfold.store.catalog import Catalog, Part, Record
from memfold.store.erase import Receipt, file, forget_versions
from memfold.store.maintain import table
from memfold.store.unsealed import Unsealed, waits


def erase_message(job: Job, conversation_id: str, message_id: str, report: Report) -> Receipt:
    """Erase one message of a conversation, by the engine, embedder and layers of `job`; files the receipt.

    Its place stays, with nothing in it, so that no other message is renumbered. Older snapshots lose the conversation,
    since they would show the message. Killed in between, it is erased by running it again. UserError where there is no
    such message.
    """
    location = job.location
    catalog = Catalog(location)
    before = catalog.at().newest
    assert before is not None
    record, said = _now(job, conversation_id, message_id)
    if said is None:
        raise UserError(
            f"conversation {conversation_id!r} under {location.root} has no message {message_id!r}"
        )
    exchanges = range(said.exchange_id, said.exchange_id + HISTORY_EXCHANGES + 1)

    def receipt(rows: dict[str, int], complete: bool, after: str) -> Receipt:
        return file(location, conversation_id, message_id, rows, complete, before.content_hash, after)

    # The receipt first: whatever is indexed from now on learns from it that the message was erased.
    receipt({}, False, before.content_hash)
    while True:
        # Once, unless another job adds to the conversation at this moment.
        if said is not None and said.text:
            source = Stored(location, (record,), frozenset({(conversation_id, message_id)}))
            index(replace(job, source=source, replace=True), report)
        with Unsealed(location).alone(lambda: report.say(waits())) as alone:
            # Again, and with a seal: jobs that run leave out what they made of the conversation (`store.erase`).
            receipt({}, False, before.content_hash)
            newest = catalog.at().newest
            assert newest is not None
            after, _ = catalog.seal([], config=newest.config, embedder=newest.embedder)
            record, said = _now(job, conversation_id, message_id)
            if said is None or not said.text:
                rows = forget_versions(location, record, exchanges, alone=not alone.beside)
                return receipt(rows, not alone.beside, after.content_hash)


def _now(job: Job, conversation_id: str, message_id: str) -> tuple[Record, StoredMessage | None]:
    catalog = Catalog(job.location)
    record = catalog.record(catalog.at(), conversation_id)
    if record is None:
        raise UnknownConversation(conversation_id, catalog.near(catalog.at(), conversation_id))
    return record, _found(job, record.parts["messages"], message_id)


def _found(job: Job, parts: Sequence[Part], message_id: str) -> StoredMessage | None:
    rows = table(job.location, "messages").take([part.place for part in parts]).to_pylist()
    return next((message(row) for row in rows if row["message_id"] == message_id), None)
