"""The keywords of texts, and how much of a question's they share: word by word, parts of words counted too.

BM25 (`lexical`) knows terms by their hash; here the words themselves are kept, since one may hold another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memfold.once import derived
from memfold.retrieve.lexical import Scores, idf
from memfold.retrieve.view import View
from memfold.text.terms import terms

# A word that holds another, or stands in it, is half a match. Shorter ones stand in words by chance: "art" in "start".
PART = 0.5
LETTERS = 4
# So many words of a question, the rarest, are looked up by part too: each is held against all words of the texts, and
# the 1,500 words of a pasted page took 9 s among 19,000 words of 5,000 texts.
LOOKED_UP = 64


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
        of the question counts 1 where the text has it and `PART` where one of the text's holds it or stands in it, if
        it is one of the `LOOKED_UP` rarest. With `rare` a word weighs the more the fewer texts have it."""
        asked = sorted(set(terms(question)))
        if not asked or not self.n:
            return np.zeros(self.n)
        held = np.bincount(self.ids, minlength=len(self.words))
        weight = idf(self.n, held) if rare else np.ones(len(self.words))
        known = {word: i for i, word in enumerate(self.words)}
        mean = float(weight.mean()) if len(weight) else 1.0
        theirs = np.bincount(self.texts, weight[self.ids], self.n)
        worth = {word: float(weight[known[word]]) if word in known else mean for word in asked}
        beside = sum(worth.values())  # what the question has
        long = [word for word in asked if len(word) >= LETTERS]
        by_part = sorted(long, key=lambda word: held[known[word]] if word in known else 0)[:LOOKED_UP]
        # A text has a word once: those that are looked up as they stand are counted together.
        whole = np.zeros(len(self.words))
        for word in set(asked).difference(by_part).intersection(known):
            whole[known[word]] = worth[word]
        shared = np.asarray(np.bincount(self.texts, whole[self.ids], self.n), np.float64)
        for word in by_part:
            match = self._parts(word)
            if word in known:
                match[known[word]] = 1.0
            if match.any():
                best = np.zeros(self.n)
                np.maximum.at(best, self.texts, match[self.ids])
                shared += worth[word] * best
        return np.asarray(shared / np.maximum(theirs + beside - shared, 1e-9), np.float64)

    def _parts(self, word: str) -> NDArray[np.float64]:
        """`PART` for each word that holds `word` or stands in it, (words,)."""
        match = np.zeros(len(self.words))
        match[
            [i for i, one in enumerate(self.words) if len(one) >= LETTERS and (word in one or one in word)]
        ] = PART
        return match


@derived
def keywords_of(view: View) -> Keywords:
    """The keywords of what the user said in each exchange."""
    return Keywords.of(view.episodes.user_text)
