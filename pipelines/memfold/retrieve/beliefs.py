"""Beliefs that a question is about, in two stages (arXiv 2510.27418): an exact filter by what the question names, then
what is left by meaning. Knows nothing of files or models."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from memfold.embed.likeness import cosines
from memfold.layers.beliefs.held import Belief, Beliefs, beliefs, vector_places
from memfold.once import derived
from memfold.retrieve.best import best_first
from memfold.retrieve.view import View
from memfold.schema import vectors_of
from memfold.text.aspects import aspects, types
from memfold.text.scripts import IDEOGRAPH
from memfold.text.terms import terms

# A question about what the user feels, likes or would like: others are served by what was said.
_FEELING = re.compile(
    r"\b(?:like[ds]?|loved?|hated?|dislike[ds]?|enjoy(?:ed)?|prefer(?:red|ence|ences|s)?|favou?rites?|feel|feels|felt|feelings?"
    r"|opinions?|thinks?|thought|attitude|views?\s+(?:on|of)|happy|satisfied|disappointed|recommend|suggest|complain(?:ed)?"
    r"|tastes?|fan\s+of|mind|enjoyable|bothers?|annoys?|appeals?)\b"
    r"|喜欢|讨厌|爱|觉得|感觉|看法|评价|偏好|口味|满意|失望|推荐|态度|喜好|意见",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Believed:
    """A conversation's beliefs, with the vectors of their names, (m, d)."""

    held: Beliefs = field(default_factory=Beliefs)
    vectors: NDArray[np.float32] | None = None

    @staticmethod
    def of(rows: pa.Table | None) -> Believed:
        """From the rows of the layer's root, None where the conversation was indexed without it."""
        found = beliefs(rows)
        if rows is None or not found.units:
            return Believed(found)
        places = vector_places(rows, found)
        order = [places[unit.type, unit.object, unit.aspect] for unit in found.units]
        return Believed(found, vectors_of(rows)[order])

    def fit(self, question: str, vector: NDArray[np.float32]) -> list[Belief]:
        """The beliefs that a question is about, the nearest to its unit vector (d,) first; none where it asks for no
        feeling, liking or advice."""
        if self.vectors is None or not _FEELING.search(question):
            return []
        kept = self._filtered(question)
        similarity = cosines(self.vectors[kept], vector)
        return [self.held.units[kept[place]] for place in best_first(similarity)]

    def _filtered(self, question: str) -> NDArray[np.int64]:
        """The places of the units that the question names: by their object, else by their type, and by their aspect
        where it names one that is held. All where it names none."""
        units = self.held.units
        said, lowered = set(terms(question)), question.lower()
        named = np.array([_named(unit.object, said, lowered) for unit in units])
        kinds = types(question)
        typed = np.array([unit.type in kinds for unit in units])
        left = named if named.any() else typed if kinds else np.ones(len(units), bool)
        wanted = {name for name, _ in aspects(question)}
        judged = np.array([not wanted.isdisjoint((unit.aspect, *unit.aspects)) for unit in units])
        # "Tastes" is an aspect and a word for liking: it narrows only where something is left.
        return np.flatnonzero(left & judged if (left & judged).any() else left)


def _named(name: str, said: set[str], question: str) -> bool:
    """Whether a question names an object: by all its words, or, where it is written without blanks, as it stands."""
    if IDEOGRAPH.search(name):
        return name in question
    of = set(terms(name))
    return bool(of) and of <= said


@derived
def beliefs_of(view: View) -> Believed:
    """What the user thinks of things; nothing where there is no such layer."""
    found = Believed.of(view.root("beliefs"))
    return replace(found, held=found.held.spoken(view.speaks)) if found.held.units else found
