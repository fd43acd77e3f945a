"""Small conversations with a toy embedder that is honest about similarity: hashed words, scaled to length 1."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from memfold.layers import episodic
from memfold.retrieve.episodes import Episodes
from memfold.schema import Role, StoredMessage
from memfold.text.terms import hashed

DIMENSION = 512


def encode(texts: Sequence[str]) -> NDArray[np.float32]:
    out = np.full((len(texts), DIMENSION), 1e-4, np.float32)
    for row, text in enumerate(texts):
        ids, counts = hashed(text)
        np.add.at(out[row], ids % DIMENSION, counts.astype(np.float32))
    return out / np.linalg.norm(out, axis=1, keepdims=True)


def message(seq: int, exchange: int, role: Role, content: str, time: datetime | None = None) -> StoredMessage:
    return StoredMessage("c", seq, f"m{seq}", exchange, role, content, time, None, None, (), True, "en", 0)


def conversation(
    said: Sequence[str],
    answer: str = "Noted. " * 60,
    start: datetime | None = datetime(2024, 3, 1, tzinfo=UTC),
) -> list[StoredMessage]:
    """One exchange a day: what the user said, and an answer of 420 characters."""
    out: list[StoredMessage] = []
    for exchange, text in enumerate(said):
        time = start + timedelta(days=exchange) if start else None
        out.append(message(len(out), exchange, "user", text, time))
        if answer:
            out.append(message(len(out), exchange, "assistant", f"{answer} about {text}", time))
    return out


def episodes(messages: Sequence[StoredMessage]) -> Episodes:
    return Episodes.from_table(episodic.rows(messages, "s", encode))
