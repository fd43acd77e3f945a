"""The arms that look deep into long messages: BM25 over the passages of answers and of what is long.

They speak for some questions only: the assistant's text, searched for every question, cost 10 points of recall.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from memfold.retrieve.arms.arm import Weighed
from memfold.retrieve.lexical import Scores
from memfold.retrieve.passages import exchanges_at, passages_of
from memfold.retrieve.query import Asked
from memfold.retrieve.view import View
from memfold.text.terms import Ids


@dataclass(frozen=True)
class Advice(Weighed):
    """Speaks where it is asked what the assistant said: advised, recommended, explained, suggested, listed."""

    weight: float = 0.5

    def score(self, view: View, asked: Asked) -> Scores | None:
        """See `Arm.score`."""
        return _best(view, asked) if asked.query.typed.told else None


@dataclass(frozen=True)
class Unsaid(Weighed):
    """Speaks where the question has words that the user never said and a passage holds, and it is not asked what the
    assistant said."""

    weight: float = 0.3

    def score(self, view: View, asked: Asked) -> Scores | None:
        """See `Arm.score`."""
        return None if asked.query.typed.told or not len(unsaid(view, asked)) else _best(view, asked)


def unsaid(view: View, asked: Asked) -> Ids:
    """The words of the question that the user never said and a passage holds."""
    ids = asked.bags[0]
    missing: Ids = ids[view.episodes.bm25.held(ids) == 0]
    # Where the user said all of them, passages need not be read.
    passages = passages_of(view) if len(missing) else None
    if passages is None:
        return np.empty(0, np.uint32)
    found: Ids = missing[passages.bm25.held(missing) > 0]
    return found


def _best(view: View, asked: Asked) -> Scores | None:
    """The score of each exchange's best passage."""
    passages = passages_of(view)
    if passages is None or not len(passages):
        return None
    best = np.zeros(len(view.episodes))
    np.maximum.at(best, exchanges_at(view), passages.bm25.scores(asked.bags))
    return best
