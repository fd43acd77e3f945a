"""The arm that matches meaning: the cosine of what the user said and the question, summed over its forms."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from memfold.embed.likeness import cosines
from memfold.retrieve.arms.arm import Weighed
from memfold.retrieve.lexical import Scores
from memfold.retrieve.query import Asked
from memfold.retrieve.view import View


@dataclass(frozen=True)
class Dense(Weighed):
    """Likeness in meaning: the cosines of an exchange's vector to both forms of the question, summed."""

    weight: float = 0.64
    chinese: float | None = 0.2

    def score(self, view: View, asked: Asked) -> Scores:
        """See `Arm.score`."""
        # The sum over the forms is one product with their sum: it reads the 13 MB of 8,301 vectors once.
        return np.asarray(cosines(view.episodes.vectors, asked.vectors.sum(axis=0)), np.float64)
