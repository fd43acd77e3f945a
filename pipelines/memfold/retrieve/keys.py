"""The keys of one conversation's exchanges as arrays, ready to be compared. Knows nothing of files or models."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from memfold.embed.likeness import cosines
from memfold.layers.keys.layer import TRANSLATED
from memfold.once import derived
from memfold.retrieve.lexical import BM25, Bags, Scores
from memfold.retrieve.owned import Owned
from memfold.retrieve.view import View
from memfold.text.language import language, or_english
from memfold.text.terms import hashed


@dataclass(frozen=True)
class Keys(Owned):
    """The keys of exchanges, from rows of the layer `keys`."""

    def nearest(self, vector: NDArray[np.float32]) -> Scores:
        """The cosine of each exchange's nearest key with a unit vector, (n,), and 0 where it has none that is near."""
        found = np.zeros(self.exchanges)
        np.maximum.at(found, self.owners, cosines(self.vectors, vector))
        return found


@dataclass(frozen=True)
class WordedKeys(Keys):
    """The keys in one language, and their words: `bm25` has a document for each exchange."""

    bm25: BM25

    @classmethod
    def worded(cls, rows: pa.Table, exchange_id: NDArray[np.int64]) -> Self:
        """From rows of the layer `keys`."""
        keys = Keys.of(rows, exchange_id)
        said: dict[int, list[str]] = {}
        for exchange, text in zip(rows["exchange_id"].to_pylist(), rows["text"].to_pylist(), strict=True):
            said.setdefault(exchange, []).append(text)
        documents = [hashed("\n".join(said.get(each, ()))) for each in exchange_id.tolist()]
        return cls(keys.vectors, keys.owners, keys.exchanges, BM25(Bags.of(documents)))


def by_language(table: pa.Table, exchange_id: NDArray[np.int64]) -> dict[str, WordedKeys]:
    """The keys by language, translated or not: a key that was written in the question's language needs no translation.
    Empty if no key was translated."""
    if TRANSLATED not in pc.unique(table["kind"]).to_pylist():
        return {}
    said = pa.array([or_english(language(text)) for text in table["text"].to_pylist()], pa.string())
    return {
        name: WordedKeys.worded(table.filter(pc.equal(said, name)), exchange_id)
        for name in pc.unique(said).to_pylist()
    }


@derived
def _rows(view: View) -> pa.Table | None:
    """The rows of the layer `keys`; None where it is not there."""
    return view.leaves("keys")


@derived
def keys_of(view: View) -> Keys | None:
    """What was written down about the exchanges, as vectors; None where the layer is not there."""
    rows = _rows(view)
    return None if rows is None else Keys.of(rows, view.episodes.exchange_id)


@derived
def keys_by_language(view: View) -> dict[str, WordedKeys]:
    """The keys by language; empty if no key was translated."""
    rows = _rows(view)
    return {} if rows is None else by_language(rows, view.episodes.exchange_id)
