"""The arm that matches words: BM25 over what the user said, for both forms of the question."""

from __future__ import annotations

from dataclasses import dataclass

from memfold.retrieve.arms.arm import Weighed
from memfold.retrieve.lexical import Scores
from memfold.retrieve.query import Asked
from memfold.retrieve.view import View


@dataclass(frozen=True)
class Lexical(Weighed):
    """In Chinese it has most of the weight: the default embedder knows next to nothing of that language."""

    weight: float = 0.36
    chinese: float | None = 0.8

    def score(self, view: View, asked: Asked) -> Scores:
        """See `Arm.score`."""
        return view.episodes.bm25.scores(asked.bags)
