"""The arm that matches what was written down about an exchange: the cosine of its nearest key and the question."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from memfold.given import check_least
from memfold.retrieve.arms.arm import Weighed
from memfold.retrieve.keys import keys_of
from memfold.retrieve.lexical import Scores, deviations
from memfold.retrieve.query import Asked
from memfold.retrieve.view import View


@dataclass(frozen=True)
class Keyed(Weighed):
    """Speaks where there are keys (the layer `keys`), and only for exchanges whose nearest one stands out: it says by
    how much that is more than `above` deviations over the mean. An arm that scored all exchanges lost on a long
    conversation what it won on a short one (decision 18)."""

    weight: float = 0.2
    above: float = 1.75

    def __post_init__(self) -> None:
        super().__post_init__()
        check_least(self, above=0)

    def score(self, view: View, asked: Asked) -> Scores | None:
        """See `Arm.score`."""
        keys = keys_of(view)
        if keys is None or not len(keys):
            return None
        near = np.sum([keys.nearest(vector) for vector in asked.vectors], axis=0)
        return np.maximum(deviations(near) - self.above, 0.0)
