"""The keys of one conversation's exchanges as arrays, ready to be compared. Knows nothing of files or models."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memfold.embed.likeness import cosines
from memfold.retrieve.lexical import Scores
from memfold.retrieve.owned import Owned


@dataclass(frozen=True)
class Keys(Owned):
    """The keys of exchanges, from rows of the layer `keys`."""

    def nearest(self, vector: NDArray[np.float32]) -> Scores:
        """The cosine of each exchange's nearest key with a unit vector, (n,), and 0 where it has none that is near."""
        found = np.zeros(self.exchanges)
        np.maximum.at(found, self.owners, cosines(self.vectors, vector))
        return found
