"""Small conversations with a toy embedder that is honest about similarity: hashed words, scaled to length 1."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from memfold.embed.contract import Encode, Vectors
from memfold.layers import orders
from memfold.layers.episodic import EpisodeRows
from memfold.layers.layer import Span, column
from memfold.layers.orders import STANDING
from memfold.layers.scratchpad.items import Item
from memfold.layers.scratchpad.tree import Node, table
from memfold.layers.timeline import Timeline
from memfold.retrieve.episodes import Episodes
from memfold.retrieve.fuse import Retrieval, rank
from memfold.retrieve.query import pose
from memfold.retrieve.ranking import Ranking
from memfold.retrieve.view import View
from memfold.schema import MESSAGES, NOTES, Role, StoredMessage

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


@dataclass(frozen=True)
class Toy:
    """The toy embedder, or one that encodes in another way."""

    by: Encode = encode
    signature = "toy"
    dimension = DIMENSION

    def encode(self, texts: Sequence[str]) -> Vectors:
        return self.by(texts)


def episodic(messages: Sequence[StoredMessage], by: Encode = encode) -> pa.Table:
    """Rows of the layer of that name."""
    return EpisodeRows(Toy(by)).leaves([Span("s", {"messages": stored(messages)})])[0]


def episodes(messages: Sequence[StoredMessage]) -> Episodes:
    return Episodes.from_table(episodic(messages))


def view(messages: Sequence[StoredMessage], items: Sequence[Item] = (), encode: Encode = encode) -> View:
    """What is seen of a conversation of which some items were noted; standing orders have a layer of their own."""
    given = [item for item in items if item.kind in STANDING]
    root = table([Node("n", "c", 0, 0, len(messages), (), tuple(i for i in items if i not in given))])
    rows = [
        {"conversation_id": "c", "exchange_id": item.exchange_id, "n": n, "kind": item.kind, "text": item.text,
         "about": item.about, "time": None}
        for n, item in enumerate(given)
    ]  # fmt: skip
    vectors = (
        encode([item.about or item.text for item in given]) if given else np.empty((0, DIMENSION), np.float32)
    )

    def leaves(layer: str, _: object = None) -> pa.Table | None:
        if layer == "orders":
            return orders.rows([Span("s", {})], [rows], vectors)[0]
        if layer == "timeline":
            return Timeline().leaves(
                [Span("s", {"messages": stored(messages), "notes": NOTES.empty_table()})]
            )[0]
        return episodic(messages, encode) if layer == "episodic" else None

    def said(exchanges: Sequence[int]) -> dict[int, list[StoredMessage]]:
        return {exchange: [m for m in messages if m.exchange_id == exchange] for exchange in exchanges}

    def top(layer: str) -> pa.Table | None:
        return root if layer == "scratchpad" else None

    return View("c", leaves, top, said, encode, turns=lambda: stored(messages))


def stored(messages: Sequence[StoredMessage]) -> pa.Table:
    """The messages as their table holds them."""
    return pa.Table.from_pylist([{**asdict(each), "segment": "s"} for each in messages], schema=MESSAGES)


def vectored(texts: Sequence[tuple[int, str]]) -> pa.Table:
    """Rows of texts, each with its exchange: what an arm reads of a layer."""
    vectors = encode([text for _, text in texts]) if texts else np.empty((0, DIMENSION), np.float32)
    return pa.table({"exchange_id": pa.array([n for n, _ in texts], pa.int64()), "vector": column(vectors)})


def with_rows(seen: View, of: str, texts: Sequence[tuple[int, str]]) -> View:
    """What is seen with such rows of a layer."""
    return replace(
        seen, leaves=lambda layer, *at: vectored(texts) if layer == of else seen.leaves(layer, *at)
    )


def order(exchange: int, kind: str, text: str, about: str | None = None) -> Item:
    """A standing order, or any note, that an exchange gave."""
    return Item(exchange, kind, text, about, None, None, None, len(text) // 4)


def ranked(seen: View, question: str, retrieval: Retrieval | None = None) -> Ranking:
    return rank(seen, pose(question, seen.encode), retrieval or Retrieval())


def retrieval(**fields: dict[str, float]) -> Retrieval:
    """The default one, with some fields of the named arms and steps set."""
    default = Retrieval()
    parts: dict[str, Any] = {**default.arms, **default.steps}
    made = {name: replace(part, **fields.get(name, {})) for name, part in parts.items()}
    return Retrieval(
        {name: made[name] for name in default.arms}, {name: made[name] for name in default.steps}
    )
