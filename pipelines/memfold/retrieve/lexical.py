"""The lexical arm: text to hashed terms at indexing time, BM25 over them at query time.

Words of alphabetic scripts are lowered and stemmed; numbers, versions, dates and identifiers stay whole;
runs of Han, kana or hangul become character unigrams and bigrams, which needs no dictionary. Knows nothing of
vectors, conversations or storage.
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import Stemmer
from numpy.typing import NDArray

Ids = NDArray[np.uint32]
Counts = NDArray[np.uint16]
Scores = NDArray[np.float64]

_CJK = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_TERM = re.compile(
    rf"(?P<cjk>[{_CJK}]+)"
    # 3.5, 1,200, 10:30, 2024-03-15, 1.2.0; v1.2.0 is 1.2.0 and 250ms is 250 and ms.
    r"|v?(?P<number>\d+(?:[.,:/-]\d+)*)"
    # snake_case, utf8, ti84, 3d, x2: letters and digits or parts joined by underscores.
    rf"|(?P<name>(?:[^\W_{_CJK}]+_)+[^\W_{_CJK}]+|[^\W_{_CJK}]+)"
)
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+")

# Words that carry grammar and no topic. Question words and auxiliaries stand in every question; a term of the
# question that is in every exchange has no weight anyway, but a rare one ("whom") would have much.
_STOP_WORDS = """
    a about above after again against all am an and any are as at be because been before being below between
    both but by can could did do does doing don down during each few for from further had has have having he her
    here hers him his how i if in into is it its itself just let like ll may me might mine more most must my
    myself need no nor not now of off on once only or other our ours ourselves out over own please re same shall
    she should so some such than that the their theirs them themselves then there these they this those through
    to too under until up upon us ve very want was we were what when where which while who whom whose why will
    with would yes you your yours yourself
"""
_STOP = frozenset(_STOP_WORDS.split())
_STOP_HAN = frozenset("的了吗呢吧啊呀么是在和与及或也都就我你您他她它们这那个之其着过把被给让")
_STEM = Stemmer.Stemmer("english")


def terms(text: str) -> Iterator[str]:
    """The terms of `text` in order, repeated as often as they occur."""
    text = text.lower()
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).replace("’", "'")
    for match in _TERM.finditer(text):
        run = match[0]
        kind = match.lastgroup
        if kind == "name":
            if run in _STOP:
                continue
            if "_" in run:
                yield run
                yield from (_stem(part) for part in run.split("_") if len(part) > 1)
            elif len(run) > 1:
                yield _stem(run)
        elif kind == "number":
            number = match["number"]
            yield number.replace(",", "") if _THOUSANDS.fullmatch(number) else number
        else:
            yield from (c for c in run if c not in _STOP_HAN)
            yield from (run[i : i + 2] for i in range(len(run) - 1))


def hashed(text: str) -> tuple[Ids, Counts]:
    """Distinct terms as 32-bit hashes, ascending, with how often each occurs (at most 65,535)."""
    ids = np.fromiter((_hash(term) for term in terms(text)), np.uint32)
    distinct, counts = np.unique(ids, return_counts=True)
    return distinct, np.minimum(counts, np.iinfo(np.uint16).max).astype(np.uint16)


@lru_cache(maxsize=1 << 17)
def _stem(word: str) -> str:
    return str(_STEM.stemWord(word))


@lru_cache(maxsize=1 << 17)
def _hash(term: str) -> int:
    return zlib.crc32(term.encode("utf-8", "surrogatepass"))


@dataclass(frozen=True)
class Bags:
    """Bags of terms, one a document: those of document i are `ids[starts[i]:starts[i + 1]]`."""

    ids: Ids
    counts: Counts
    starts: NDArray[np.int64]

    @staticmethod
    def of(documents: Sequence[tuple[Ids, Counts]]) -> Bags:
        sizes = [len(ids) for ids, _ in documents]
        return Bags(
            np.concatenate([np.empty(0, np.uint32), *(ids for ids, _ in documents)]),
            np.concatenate([np.empty(0, np.uint16), *(counts for _, counts in documents)]),
            np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int64),
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
        """The score of every document for the distinct query terms `ids`."""
        scores = np.zeros(self.documents)
        starts = np.searchsorted(self._terms, ids, "left")
        ends = np.searchsorted(self._terms, ids, "right")
        for start, end in zip(starts, ends, strict=True):
            found = int(end - start)
            # Distinct within a document, so plain indexing adds each document once.
            scores[self._documents[start:end]] += (
                np.log1p((self.documents - found + 0.5) / (found + 0.5)) * self._weights[start:end]
            )
        return scores


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
