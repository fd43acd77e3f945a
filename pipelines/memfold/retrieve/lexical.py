"""BM25 over bags of hashed terms (`memfold.text.terms`) at query time. Knows nothing of text, vectors,
conversations or storage.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from memfold.text.terms import Counts, Ids

Scores = NDArray[np.float64]


def deviations(scores: Scores) -> Scores:
    """Scores as standard deviations from their mean."""
    apart = scores - scores.mean()
    return np.asarray(apart / (np.sqrt(np.mean(apart * apart)) + 1e-9), np.float64)


@dataclass(frozen=True)
class Bags:
    """Bags of terms, one a document: those of document i are `ids[starts[i]:starts[i + 1]]`."""

    ids: Ids
    counts: Counts
    starts: NDArray[np.int64]

    @staticmethod
    def of(documents: Sequence[tuple[Ids, Counts]]) -> Bags:
        """From each document's distinct term hashes and their counts."""
        sizes = [len(ids) for ids, _ in documents]
        return Bags(
            np.concatenate([np.empty(0, np.uint32), *(ids for ids, _ in documents)]),
            np.concatenate([np.empty(0, np.uint16), *(counts for _, counts in documents)]),
            np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int64),
        )

    @staticmethod
    def from_columns(ids: pa.ChunkedArray, counts: pa.ChunkedArray) -> Bags:
        """From the two columns of lists in which layers keep hashes (as signed numbers) and counts."""
        sizes = pc.list_value_length(ids).to_numpy()
        return Bags(
            pc.list_flatten(ids).to_numpy().astype(np.uint32),
            pc.list_flatten(counts).to_numpy().astype(np.uint16),
            np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        )

    @property
    def owner(self) -> NDArray[np.int64]:
        """The document of each entry."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))


class BM25:
    """Okapi BM25 (Robertson & Zaragoza 2009) over bags; a term's postings are one slice of two flat arrays."""

    def __init__(self, bags: Bags, k1: float = 1.2, b: float = 0.75) -> None:
        self.documents = len(bags.starts) - 1
        owner = bags.owner
        length = np.bincount(owner, bags.counts, self.documents)
        norm = k1 * (1 - b + b * length / max(float(length.mean()) if self.documents else 1.0, 1.0))
        by_term = np.argsort(bags.ids)
        self._terms = bags.ids[by_term]
        self._documents = owner[by_term]
        frequency = bags.counts[by_term].astype(np.float64)
        self._weights = frequency * (k1 + 1) / (frequency + norm[self._documents])

    def score(self, ids: Ids) -> Scores:
        """The score of every document for the query terms `ids`, (n,): a term counts as often as it stands there."""
        distinct, times = np.unique(ids, return_counts=True)
        starts, ends = self._postings(distinct)
        scores = np.zeros(self.documents)
        worth = times * idf(self.documents, ends - starts)
        for start, end, each in zip(starts.tolist(), ends.tolist(), worth.tolist(), strict=True):
            # Distinct within a document, so plain indexing adds each document once.
            scores[self._documents[start:end]] += each * self._weights[start:end]
        return scores

    def scores(self, forms: Sequence[Ids]) -> Scores:
        """The score of every document, summed over the forms of a question, (n,)."""
        return self.score(np.concatenate(forms))

    def rarity(self, ids: Ids) -> Scores:
        """The idf of each term: the fewer documents hold it, the higher."""
        return idf(self.documents, self.held(ids))

    def held(self, ids: Ids) -> NDArray[np.int64]:
        """How many documents hold each term."""
        starts, ends = self._postings(ids)
        return ends - starts

    def _postings(self, ids: Ids) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return self._terms.searchsorted(ids, "left"), self._terms.searchsorted(ids, "right")


def idf(documents: int, held: NDArray[np.int64]) -> Scores:
    """How rare each term is, from how many of the `documents` hold it: the fewer, the higher."""
    return np.asarray(np.log1p((documents - held + 0.5) / (held + 0.5)), np.float64)


def widened(bags: Bags, windows: NDArray[np.int64]) -> Bags:
    """Bags of neighbourhoods: document i becomes the sum of documents `windows[i, 0]` to `windows[i, 1]` inclusive."""
    spans = windows[:, 1] - windows[:, 0] + 1
    members = np.repeat(windows[:, 0], spans) + _ranges(spans)
    sizes = np.diff(bags.starts)[members]
    entries = np.repeat(bags.starts[members], sizes) + _ranges(sizes)
    owner = np.repeat(np.repeat(np.arange(len(windows)), spans), sizes)
    keys, inverse = np.unique(
        (owner.astype(np.uint64) << np.uint64(32)) | bags.ids[entries], return_inverse=True
    )
    counts = np.minimum(np.bincount(inverse, bags.counts[entries], len(keys)), np.iinfo(np.uint16).max)
    starts = np.searchsorted(keys, np.arange(len(windows) + 1, dtype=np.uint64) << np.uint64(32))
    return Bags(
        (keys & np.uint64(0xFFFFFFFF)).astype(np.uint32), counts.astype(np.uint16), starts.astype(np.int64)
    )


def _ranges(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """0 … s-1 for each s of `sizes`, one after the other."""
    ends = np.cumsum(sizes)
    return np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - sizes, sizes)
