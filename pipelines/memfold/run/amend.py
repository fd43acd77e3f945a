"""Erasing one message: the conversation is indexed again without its words, and then all that held them goes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memfold.errors import UserError
from memfold.extract.windows import HISTORY_EXCHANGES
from memfold.run.index import Job, index
from memfold.run.retry import Stored
from memfold.run.watch import Report
from memfold.schema import StoredMessage, message
from memfold.store.catalog import Catalog, Part
from memfold.store.erase import Receipt, file, forget_versions
from memfold.store.maintain import table


def erase_message(job: Job, conversation_id: str, message_id: str, report: Report) -> Receipt:
    """Erase one message of a conversation, by the engine, embedder and layers of `job`; files the receipt.

    Its place stays, with nothing in it, so that no other message is renumbered. Older snapshots lose the conversation,
    since they would show the message. Killed in between, it is erased by running it again. UserError where there is no
    such message.
    """
    location = job.location
    catalog = Catalog(location)
    history = catalog.at()
    before = history.newest
    assert before is not None
    record = catalog.record(history, conversation_id)
    if record is None:
        raise UserError(f"there is no conversation {conversation_id!r} under {location.root}")
    said = _found(job, record.parts["messages"], message_id)
    if said is None:
        raise UserError(
            f"conversation {conversation_id!r} under {location.root} has no message {message_id!r}"
        )
    # Filed first: what is indexed from now on is told that the message was erased.
    file(location, conversation_id, message_id, {}, False, before.content_hash, before.content_hash)
    newest = record
    while said is not None and said.text:
        # Once, unless another job adds to the conversation at this moment.
        source = Stored(location, (newest,), frozenset({(conversation_id, message_id)}))
        index(replace(job, source=source, replace=True), report)
        history = catalog.at()
        newest = catalog.record(history, conversation_id) or record
        said = _found(job, newest.parts["messages"], message_id)
    assert history.newest is not None
    assert said is not None
    exchanges = range(said.exchange_id, said.exchange_id + HISTORY_EXCHANGES + 1)
    rows, complete = forget_versions(location, newest, exchanges)
    after = history.newest.content_hash
    return file(location, conversation_id, message_id, rows, complete, before.content_hash, after)


def _found(job: Job, parts: Sequence[Part], message_id: str) -> StoredMessage | None:
    rows = table(job.location, "messages").take([part.place for part in parts]).to_pylist()
    return next((message(row) for row in rows if row["message_id"] == message_id), None)
