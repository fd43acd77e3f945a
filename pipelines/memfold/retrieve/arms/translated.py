"""The arm that matches keys in the question's language: what was written down about an exchange, said in the second
language of the layer `keys`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from memfold.given import check_shares
from memfold.retrieve.arms.arm import Weighed
from memfold.retrieve.keys import keys_by_language
from memfold.retrieve.lexical import Scores, deviations
from memfold.retrieve.query import Asked
from memfold.retrieve.translated import foreign
from memfold.retrieve.view import View
from memfold.text.language import language, or_english


@dataclass(frozen=True)
class InSecondLanguage(Weighed):
    """Speaks where the question is in another language than the conversation and there are keys in that language
    (`layers.keys.languages`). `words` is the share of BM25 in its score, `chinese_words` that for a question in Chinese
    where the embedder knows next to nothing of that language; the rest is the cosine of the nearest key."""

    weight: float = 0.72
    instead_of: tuple[str, ...] = ("lexical", "dense")
    words: float = 0.36
    chinese_words: float = 0.8

    def __post_init__(self) -> None:
        super().__post_init__()
        check_shares(self, "words", "chinese_words")

    def score(self, view: View, asked: Asked) -> Scores | None:
        """See `Arm.score`."""
        keys = keys_by_language(view).get(or_english(language(asked.query.text)))
        if keys is None or not foreign(asked.query.text, view.language):
            return None
        near = np.sum([keys.nearest(vector) for vector in asked.vectors], axis=0)
        said = keys.bm25.scores(asked.bags)
        chinese = asked.query.language == "zh" and not view.multilingual
        words = self.chinese_words if chinese else self.words
        return np.asarray(words * deviations(said) + (1 - words) * deviations(near), np.float64)
