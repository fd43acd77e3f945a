"""Small conversations with a toy embedder that is honest about similarity: hashed words, scaled to length 1."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from memfold.layers import episodic
from memfold.retrieve.episodes import Episodes
from memfold.schema import Role, StoredMessage

DIMENSION = 512


# Without these, texts would be near that share nothing else.
GRAMMAR_WORDS = "a an and at does for in is it my of on or the to what where"
GRAMMAR = frozenset(GRAMMAR_WORDS.split())


def words(text: str) -> list[str]:
    """Words but for the commonest, numbers, and each character that is not ASCII: not how the project cuts terms."""
    return [word for word in re.findall(r"[a-z0-9]+|[^\x00-\x7f]", text.lower()) if word not in GRAMMAR]


def encode(texts: Sequence[str]) -> NDArray[np.float32]:
    out = np.full((len(texts), DIMENSION), 1e-4, np.float32)
    for row, text in zip(out, texts, strict=True):
        for word in words(text):
            row[zlib.crc32(word.encode(errors="replace")) % DIMENSION] += 1
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
