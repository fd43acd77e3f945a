"""From a question to a ranking of all exchanges: the arms' scores as one, and the steps over it.

The scores of each arm are normalised to mean 0 and deviation 1 over the conversation and added with fixed weights
(rank fusion lost 16 points on chats of short turns). Knows no arm and no step but for the default ones.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import numpy as np

from memfold.errors import UserError
from memfold.retrieve.arms.arm import Arm
from memfold.retrieve.arms.dense import Dense
from memfold.retrieve.arms.keyed import Keyed
from memfold.retrieve.arms.lexical import Lexical
from memfold.retrieve.arms.passages import Advice, Unsaid
from memfold.retrieve.arms.surroundings import Surroundings
from memfold.retrieve.lexical import Scores
from memfold.retrieve.query import Asked
from memfold.retrieve.ranking import Ranking
from memfold.retrieve.steps.dates import Dates
from memfold.retrieve.steps.neighbours import Neighbours
from memfold.retrieve.steps.orders import Orders
from memfold.retrieve.steps.step import Step
from memfold.retrieve.view import View


def _arms() -> dict[str, Arm]:
    return {
        "lexical": Lexical(),
        "dense": Dense(),
        "surroundings": Surroundings(),
        "advice": Advice(),
        "unsaid": Unsaid(),
        "keyed": Keyed(),
    }


def _steps() -> dict[str, Step]:
    return {"neighbours": Neighbours(), "dates": Dates(), "orders": Orders()}


@dataclass(frozen=True)
class Retrieval:
    """The `arms` by name, and the `steps`, in the order in which they are taken. The default ones' constants were
    chosen on development conversations of BEAM and LoCoMo, the same for all.

    With `normal` the scores of each arm are brought to mean 0 and deviation 1 over the conversation before they are
    added; without it they are added as they are, and a least score means the same everywhere.
    Notes of the `reach` best exchanges are read from the scratchpad's tree wherever it holds them; 0 reads its root
    alone, as in the paper."""

    arms: Mapping[str, Arm] = field(default_factory=_arms)
    steps: Mapping[str, Step] = field(default_factory=_steps)
    reach: int = 0
    normal: bool = True

    def __post_init__(self) -> None:
        for name, arm in self.arms.items():
            if not callable(getattr(arm, "score", None)):
                raise UserError(f"retrieval.arms.{name} is no arm: it has no method score")
            for which in ("weight", "chinese"):
                weight = getattr(arm, which, None)
                if weight is not None and not 0 <= weight <= 1:
                    raise UserError(f"retrieval.arms.{name}.{which} is {weight}: give a weight from 0 to 1")
            for other in arm.instead_of:
                if other not in self.arms:
                    raise UserError(f"retrieval.arms.{name}.instead_of names {other!r}, which is no arm")
            least = min((self.arms[other].weight for other in arm.instead_of), default=1.0)
            if arm.instead_of and arm.weight / len(arm.instead_of) > least:
                raise UserError(
                    f"retrieval.arms.{name}.weight is {arm.weight}: it is taken from {', '.join(arm.instead_of)} in "
                    f"equal parts, so give at most {len(arm.instead_of) * least}"
                )
        for name, step in self.steps.items():
            if not callable(getattr(step, "apply", None)):
                raise UserError(f"retrieval.steps.{name} is no step: it has no method apply")
        if self.reach < 0:
            raise UserError(f"retrieval.reach is {self.reach}: give 0 or more exchanges")
        if not any(arm.weight for arm in self.arms.values()):
            raise UserError("retrieval.arms: all weights are 0, so nothing would be searched")


def rank(view: View, asked: Asked, retrieval: Retrieval) -> Ranking:
    """All exchanges of `view`, best first."""
    n = len(view.episodes)
    if not n:
        return Ranking.of({}, 0)
    said = {name: arm.score(view, asked) for name, arm in retrieval.arms.items()}
    heard = {name: scores for name, scores in said.items() if scores is not None}
    weight = weights(retrieval.arms, heard, asked.query.language)
    parts = {
        name: weight[name] * (_normal(scores) if retrieval.normal else scores)
        for name, scores in heard.items()
    }
    ranking = Ranking.of(parts, n)
    for step in retrieval.steps.values():
        ranking = step.apply(view, asked, ranking)
    return ranking


def weights(arms: Mapping[str, Arm], heard: Collection[str], language: str) -> dict[str, float]:
    """What each arm that was heard weighs: its share, less what others take in its place, never below 0."""
    weight = {name: arms[name].share(language) for name in heard}
    for name in heard:
        givers = [giver for giver in arms[name].instead_of if giver in weight]
        if givers:
            taken = min(arms[name].share(language) / len(givers), *(weight[giver] for giver in givers))
            weight |= {giver: weight[giver] - taken for giver in givers}
    return weight


def _normal(scores: Scores) -> Scores:
    return np.asarray((scores - scores.mean()) / (scores.std() + 1e-9), np.float64)
