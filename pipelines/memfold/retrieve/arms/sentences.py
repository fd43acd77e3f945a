"""The arm that matches meaning sentence by sentence: by each exchange's nearest, summed over the question's forms."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from memfold.retrieve.arms.arm import Weighed
from memfold.retrieve.lexical import Scores
from memfold.retrieve.query import Asked
from memfold.retrieve.sentences import sentences_of
from memfold.retrieve.view import View


@dataclass(frozen=True)
class BySentence(Weighed):
    """Speaks where there are vectors of sentences (the layer `sentences`)."""

    weight: float = 0.6
    instead_of: tuple[str, ...] = ("lexical", "dense")

    def score(self, view: View, asked: Asked) -> Scores | None:
        """See `Arm.score`."""
        sentences = sentences_of(view)
        if sentences is None or not len(sentences):
            return None
        near = [sentences.nearest(vector) for vector in asked.vectors]
        return np.asarray(np.sum(near, axis=0), np.float64)
