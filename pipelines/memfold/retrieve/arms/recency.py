"""The arm of fuzzy recall (decision 24) that favours what was said lately: 1 for the newest, falling to a floor
within a day."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from memfold.errors import SettingError
from memfold.given import check_shares
from memfold.retrieve.arms.arm import Weighed
from memfold.retrieve.lexical import Scores
from memfold.retrieve.query import Asked
from memfold.retrieve.view import View


@dataclass(frozen=True)
class Recency(Weighed):
    """Falls linearly from 1 to `floor` over `hours` before the conversation's end, and stays there: what is older, and
    what nobody dated, is not worth less for it."""

    weight: float = 0.2
    floor: float = 0.7
    hours: float = 24.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_shares(self, "floor")
        if self.hours <= 0:
            raise SettingError(self, f"hours is {self.hours}: give more than 0")

    def score(self, view: View, asked: Asked) -> Scores:
        """See `Arm.score`."""
        said = view.episodes.said
        known = ~np.isnat(said)
        scores = np.full(len(said), self.floor)
        if known.any():
            age = (said[known].max() - said[known]) / np.timedelta64(1, "h")
            scores[known] = np.maximum(1.0 - (1.0 - self.floor) * age / self.hours, self.floor)
        return scores
