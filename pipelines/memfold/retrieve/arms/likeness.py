"""The arm of fuzzy recall (decision 24) that matches meaning: the cosine itself, from 0 to 1."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from memfold.embed.likeness import cosines
from memfold.retrieve.arms.arm import Weighed
from memfold.retrieve.lexical import Scores
from memfold.retrieve.query import Asked
from memfold.retrieve.view import View


@dataclass(frozen=True)
class Likeness(Weighed):
    """Of the better form of the question; what points the other way is 0."""

    weight: float = 0.4

    def score(self, view: View, asked: Asked) -> Scores:
        """See `Arm.score`."""
        cosine = np.max([cosines(view.episodes.vectors, form) for form in asked.vectors], axis=0)
        return np.maximum(np.asarray(cosine, np.float64), 0.0)
