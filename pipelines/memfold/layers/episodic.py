"""The episodic layer: one row an exchange, keyed by what the user said.

The assistant's text is over nine tenths of the tokens and cost BM25 ten points of recall when indexed, so it
counts here by its length only and is read from `messages` when a context is packed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from memfold.schema import StoredMessage, episodic
from memfold.text.terms import hashed

Encode = Callable[[Sequence[str]], NDArray[np.float32]]


def rows(messages: Sequence[StoredMessage], segment: str, vectors: NDArray[np.float32] | Encode) -> pa.Table:
    """Rows of `schema.episodic` for the exchanges of `messages` (ordered by seq, all of one conversation).

    `vectors` are unit vectors of `user_texts(messages)`, shape (exchanges, d), or what makes them. Messages that
    are not current are left out, and with them an exchange that has no other.
    """
    exchanges = _exchanges(messages)
    texts = [_user_text(exchange) for exchange in exchanges]
    if callable(vectors):
        vectors = vectors(texts)
    if len(vectors) != len(texts):
        raise ValueError(f"{len(vectors)} vectors for {len(texts)} exchanges")
    bags = [hashed(text) for text in texts]
    schema = episodic(vectors.shape[1])
    flat = pa.array(np.ascontiguousarray(vectors, np.float32).reshape(-1))
    columns = {
        "segment": [segment] * len(texts),
        "exchange_id": [exchange[0].exchange_id for exchange in exchanges],
        "conversation_id": [exchange[0].conversation_id for exchange in exchanges],
        "message_ids": [[m.message_id for m in exchange] for exchange in exchanges],
        "time": [next((m.time for m in exchange if m.time), None) for exchange in exchanges],
        "user_text": texts,
        "characters": [
            sum(len(m.text) for m in exchange if not _speaks(m, exchange)) for exchange in exchanges
        ],
        "terms": [ids for ids, _ in bags],
        "counts": [counts for _, counts in bags],
        "vector": pa.FixedSizeListArray.from_arrays(flat, vectors.shape[1]),
    }
    return pa.table([pa.array(columns[f.name], f.type) for f in schema], schema=schema)


def user_texts(messages: Sequence[StoredMessage]) -> list[str]:
    """What is indexed of each exchange, in order: what the user said, or all of it where the user said nothing."""
    return [_user_text(exchange) for exchange in _exchanges(messages)]


def _exchanges(messages: Sequence[StoredMessage]) -> list[list[StoredMessage]]:
    current = (m for m in messages if m.current)
    return [list(group) for _, group in groupby(current, key=lambda m: m.exchange_id)]


def _user_text(exchange: Sequence[StoredMessage]) -> str:
    return "\n".join(m.text for m in exchange if _speaks(m, exchange))


def _speaks(message: StoredMessage, exchange: Sequence[StoredMessage]) -> bool:
    """Whether a message is part of the exchange's key."""
    return message.role == "user" or all(m.role != "user" for m in exchange)
