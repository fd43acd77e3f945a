"""The layer of sentences: what the user said, one vector a sentence.

One vector over a whole message is the mean of all that it is about. A small model, and one that compares two languages
above all, finds a sentence by itself where it does not find it among five others (decision 31). Rows hold the vectors
and which exchange they belong to; the text stands in the layer `episodic`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

import pyarrow as pa

from memfold.embed.contract import Embedder
from memfold.given import check_least
from memfold.layers.layer import Leaves, Span, Tools, column, encoded, leaves_of
from memfold.schema import required
from memfold.text.language import language
from memfold.text.sentences import in_pieces, sentences
from memfold.text.terms import has_terms

# To be raised when the same texts and vectors give other rows.
VERSION = "sentences-6"

# A sentence: its conversation, its exchange, and its text.
Sentence = tuple[str, int, str]


@dataclass(frozen=True)
class Sentences:
    """The layer's settings: at most the first `most` sentences of an exchange have a vector."""

    most: int = 48

    def __post_init__(self) -> None:
        check_least(self, most=1)

    def equip(self, tools: Tools) -> SentenceRows:
        """The layer with its embedder."""
        return SentenceRows(tools.embedder, self.most)


@dataclass(frozen=True)
class SentenceRows(Leaves):
    """The layer (`memfold.layers.layer.Layer`): leaves only, since sentences belong to their exchange."""

    embedder: Embedder
    most: int

    name = "sentences"
    reads = ("episodic",)

    @property
    def version(self) -> str:
        """See `Layer`."""
        return f"{VERSION}:{self.most}:{self.embedder.signature}"

    @property
    def table(self) -> pa.Schema:
        """A row per sentence: its exchange and its vector of `dimension` float32."""
        return pa.schema(
            [
                required("segment", pa.string()),
                required("conversation_id", pa.string()),
                required("exchange_id", pa.int64()),
                required("vector", pa.list_(pa.float32(), self.embedder.dimension)),
            ]
        )

    def leaves(self, spans: Sequence[Span]) -> Sequence[pa.Table]:
        """Rows of some segments; all their sentences go to the embedder together."""
        found = [list(self._sentences(span)) for span in spans]
        every = list(chain.from_iterable(found))
        columns = {
            "conversation_id": [conversation for conversation, _, _ in every],
            "exchange_id": [exchange for _, exchange, _ in every],
            "vector": column(encoded(self.embedder, (text for _, _, text in every))),
        }
        return leaves_of(spans, found, columns, self.table)

    def _sentences(self, span: Span) -> Iterator[Sentence]:
        for row in span.rows["episodic"].sort_by("exchange_id").to_pylist():
            text = row["user_text"]
            # A model reads no more of a long sentence than how it begins.
            said = filter(has_terms, chain.from_iterable(map(in_pieces, sentences(text, language(text)))))
            for sentence in islice(dict.fromkeys(said), self.most):
                yield row["conversation_id"], row["exchange_id"], sentence
