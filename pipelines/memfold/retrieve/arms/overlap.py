"""The arm of fuzzy recall (decision 24) that matches keywords: what the user's text and the question
share of all that either has."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from memfold.retrieve.arms.arm import Weighed
from memfold.retrieve.keywords import keywords_of
from memfold.retrieve.lexical import Scores
from memfold.retrieve.query import Asked
from memfold.retrieve.view import View


@dataclass(frozen=True)
class Overlap(Weighed):
    """From 0 to 1 (`memfold.retrieve.keywords`), of the better form of the question. With `rare` a rare word weighs
    more."""

    weight: float = 0.4
    rare: bool = False

    def score(self, view: View, asked: Asked) -> Scores:
        """See `Arm.score`."""
        forms = dict.fromkeys((asked.query.text, asked.query.topic))
        scores = [keywords_of(view).overlap(form, self.rare) for form in forms]
        return np.asarray(np.max(scores, axis=0), np.float64)
