"""The keywords of texts, and how much of a question's they share: word by word, parts of words counted too.

BM25 (`lexical`) knows terms by their hash; here the words themselves are kept, since one may hold another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memfold.retrieve.lexical import Scores
from memfold.text.terms import terms

# A word that holds another, or stands in it, is half a match. Shorter ones stand in words by chance: "art" in "start".
PART = 0.5
LETTERS = 4


@dataclass(frozen=True, eq=False)
class Keywords:
    """`n` texts' distinct terms. `words` are all of them; `texts` and `ids` are parallel, the text and the word of each
    occurrence."""

    words: tuple[str, ...]
    texts: NDArray[np.int64]
    ids: NDArray[np.int64]
    n: int

    @staticmethod
    def of(texts: Sequence[str]) -> Keywords:
        """The keywords of some texts."""
        number: dict[str, int] = {}
        found = [
            [number.setdefault(word, len(number)) for word in sorted(set(terms(text)))] for text in texts
        ]
        sizes = np.array([len(each) for each in found], np.int64)
        ids = np.fromiter((one for each in found for one in each), np.int64, int(sizes.sum()))
        return Keywords(tuple(number), np.repeat(np.arange(len(texts)), sizes), ids, len(texts))

    def overlap(self, question: str, rare: bool = False) -> Scores:
        """For each text, (n,): what its keywords and the question's share, over all that either has (Jaccard). A word
        of the question counts 1 where the text has it and `PART` where one of the text's holds it or stands in it. With
        `rare` a word weighs the more the fewer texts have it."""
        asked = sorted(set(terms(question)))
        if not asked or not self.n:
            return np.zeros(self.n)
        weight = self._weights() if rare else np.ones(len(self.words))
        known = {word: i for i, word in enumerate(self.words)}
        mean = float(weight.mean()) if len(weight) else 1.0
        shared, theirs = np.zeros(self.n), np.bincount(self.texts, weight[self.ids], self.n)
        beside = 0.0  # what the question has
        for word in asked:
            of = float(weight[known[word]]) if word in known else mean
            beside += of
            match = np.zeros(len(self.words))
            if len(word) >= LETTERS:
                match[
                    [
                        i
                        for i, other in enumerate(self.words)
                        if len(other) >= LETTERS and (word in other or other in word)
                    ]
                ] = PART
            if word in known:
                match[known[word]] = 1.0
            if match.any():
                best = np.zeros(self.n)
                np.maximum.at(best, self.texts, match[self.ids])
                shared += of * best
        return np.asarray(shared / np.maximum(theirs + beside - shared, 1e-9), np.float64)

    def _weights(self) -> NDArray[np.float64]:
        held = np.bincount(self.ids, minlength=len(self.words))
        return np.asarray(np.log1p((self.n - held + 0.5) / (held + 0.5)), np.float64)
