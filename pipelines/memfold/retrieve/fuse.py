"""From a question to a ranking of all exchanges: the arms' scores as one, and the steps over it.

The scores of each arm are normalised to mean 0 and deviation 1 over the conversation and added with fixed weights
(rank fusion lost 16 points on chats of short turns). Knows no arm and no step but for the default ones.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from memfold.errors import UserError
from memfold.given import check_least
from memfold.retrieve.arms.arm import Arm
from memfold.retrieve.arms.dense import Dense
from memfold.retrieve.arms.keyed import Keyed
from memfold.retrieve.arms.lexical import Lexical
from memfold.retrieve.arms.passages import Advice, Unsaid
from memfold.retrieve.arms.sentences import BySentence
from memfold.retrieve.arms.surroundings import Surroundings
from memfold.retrieve.arms.translated import InSecondLanguage
from memfold.retrieve.by_kind import changed, check_kinds, check_names
from memfold.retrieve.forgetting import Forgetting
from memfold.retrieve.kinds import KINDS, Kind
from memfold.retrieve.lexical import Scores, deviations
from memfold.retrieve.query import Asked
from memfold.retrieve.ranking import Ranking
from memfold.retrieve.steps.dates import Dates
from memfold.retrieve.steps.neighbours import Neighbours
from memfold.retrieve.steps.orders import Orders
from memfold.retrieve.steps.session import ActiveSession
from memfold.retrieve.steps.speaker import NamedSpeaker
from memfold.retrieve.steps.step import Step
from memfold.retrieve.view import View

# What a question's translation weighs, of 1; the rest is its own.
TRANSLATED = 0.5


def _arms() -> dict[str, Arm]:
    return {
        "lexical": Lexical(),
        "dense": Dense(),
        "surroundings": Surroundings(),
        "advice": Advice(),
        "unsaid": Unsaid(),
        "keyed": Keyed(),
        "translated": InSecondLanguage(),
        "sentences": BySentence(),
    }


def _steps() -> dict[str, Step]:
    return {
        "neighbours": Neighbours(),
        "session": ActiveSession(),
        "speaker": NamedSpeaker(),
        "dates": Dates(),
        "orders": Orders(),
    }


@dataclass(frozen=True)
class Searching:
    """What is different for one kind of question: the `arms` that are heard (None: all; none: nothing is searched), how
    far notes are read (`reach`; None: as for others), and other settings of arms and steps, by their names."""

    arms: tuple[str, ...] | None = None
    reach: int | None = None
    settings: dict[str, dict[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.arms is not None:
            object.__setattr__(self, "arms", tuple(self.arms))  # a config has no tuples
        if self.reach is not None:
            check_least(self, reach=0)


@dataclass(frozen=True)
class How:
    """By what one question is searched: without arms, nothing is."""

    arms: Mapping[str, Arm]
    steps: Mapping[str, Step]
    reach: int


def _kinds() -> dict[str, Searching]:
    different = {
        "smalltalk": Searching(arms=()),
        "preference": Searching(settings={"unsaid": {"weight": 0.0}}),
    }
    return {kind: different.get(kind, Searching()) for kind in KINDS}


@dataclass(frozen=True)
class Retrieval:
    """The `arms` by name, and the `steps`, in the order in which they are taken. The default ones' constants were
    chosen on development conversations of BEAM and LoCoMo, the same for all. `kinds` says what is different for
    questions of a kind (`memfold.retrieve.kinds`).

    With `normal` the scores of each arm are brought to mean 0 and deviation 1 over the conversation before they are
    added; without it they are added as they are, and a least score means the same everywhere.
    The `subjects` notes that a question names most are read wherever the scratchpad's tree holds them (the layer
    subjects), and those of the `reach` best exchanges; 0 and 0 read its root alone, as in the paper. `forgetting` says
    what fades out of hits and contexts; nothing, where it is left alone."""

    arms: Mapping[str, Arm] = field(default_factory=_arms)
    steps: Mapping[str, Step] = field(default_factory=_steps)
    subjects: int = 24
    reach: int = 0
    normal: bool = True
    forgetting: Forgetting = field(default_factory=Forgetting)
    kinds: Mapping[str, Searching] = field(default_factory=_kinds)
    _by_kind: Mapping[str, How] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        _check_arms(self.arms, "retrieval.arms")
        for name, step in self.steps.items():
            if not callable(getattr(step, "apply", None)):
                raise UserError(f"retrieval.steps.{name} is no step: it has no method apply")
        if both := self.arms.keys() & self.steps.keys():
            raise UserError(
                f"retrieval: {min(both)} is the name of an arm and of a step, and settings of a kind of question go by "
                "names: give one of them another"
            )
        check_least(self, reach=0, subjects=0)
        if not any(arm.weight for arm in self.arms.values()):
            raise UserError("retrieval.arms: all weights are 0, so nothing would be searched")
        check_kinds(self.kinds, "retrieval.kinds")
        made = {kind: self._made(how, f"retrieval.kinds.{kind}") for kind, how in self.kinds.items()}
        object.__setattr__(self, "_by_kind", made)

    def of(self, kind: Kind) -> How:
        """What questions of a kind are searched by."""
        return self._by_kind.get(kind) or How(self.arms, self.steps, self.reach)

    def _made(self, one: Searching, place: str) -> How:
        known = {**_arms(), **self.arms}
        check_names(one.arms or (), known, f"{place}.arms")
        check_names(one.settings, [*known, *_steps(), *self.steps], f"{place}.settings")
        arms = changed(self.arms, one.settings, f"{place}.settings")
        steps = changed(self.steps, one.settings, f"{place}.settings")
        _check_arms(arms, f"{place}.settings")
        heard = {name: arm for name, arm in arms.items() if one.arms is None or name in one.arms}
        if heard and not any(arm.weight for arm in heard.values()):
            raise UserError(f"{place}: all weights are 0; give {place}.arms=[] to search nothing")
        return How(heard, steps, self.reach if one.reach is None else one.reach)


def _check_arms(arms: Mapping[str, Arm], place: str) -> None:
    """UserError where one is no arm, or has a weight that it cannot have. It may take its weight from an arm of the
    default that is not chosen."""
    known = {*_arms(), *arms}
    for name, arm in arms.items():
        if not callable(getattr(arm, "score", None)):
            raise UserError(f"{place}.{name} is no arm: it has no method score")
        for which in ("weight", "chinese"):
            weight = getattr(arm, which, None)
            if weight is not None and not 0 <= weight <= 1:
                raise UserError(f"{place}.{name}.{which} is {weight}: give a weight from 0 to 1")
        for other in arm.instead_of:
            if other not in known:
                raise UserError(f"{place}.{name}.instead_of names {other!r}, which is no arm")


def rank(view: View, asked: Asked, retrieval: Retrieval) -> Ranking:
    """All exchanges of `view`, best first; none where the question's kind is not searched for. A translated question is
    searched in both its languages."""
    how, n = retrieval.of(asked.query.typed.kind), len(view.episodes)
    if not how.arms:
        return replace(Ranking.of({}, n), placed=np.empty(0, np.int64))
    if not n:
        return Ranking.of({}, 0)
    parts = _parts(view, asked, how.arms, retrieval.normal)
    if asked.put is not None:
        # Both questions have a say: a translation may be wrong, and names stand in the question as it was put.
        put = _parts(view, asked.put, how.arms, retrieval.normal)
        parts = {
            **{name: TRANSLATED * scores for name, scores in parts.items()},
            **{f"{name} as put": (1 - TRANSLATED) * scores for name, scores in put.items()},
        }
    ranking = Ranking.of(parts, n)
    for step in how.steps.values():
        ranking = step.apply(view, asked, ranking)
    return ranking


def _parts(view: View, asked: Asked, arms: Mapping[str, Arm], normal: bool) -> dict[str, Scores]:
    """What each arm that is heard adds to the score of every exchange."""
    said = {name: arm.score(view, asked) for name, arm in arms.items()}
    heard = {name: scores for name, scores in said.items() if scores is not None}
    weight = weights(arms, heard, "" if view.multilingual else asked.query.language)
    return {name: weight[name] * (deviations(scores) if normal else scores) for name, scores in heard.items()}


def weights(arms: Mapping[str, Arm], heard: Collection[str], language: str) -> dict[str, float]:
    """What each arm that was heard weighs: its share, less what others take in its place, never below 0."""
    weight = {name: arms[name].share(language) for name in heard}
    for name in heard:
        givers = [giver for giver in arms[name].instead_of if giver in weight]
        if givers:
            taken = min(arms[name].share(language) / len(givers), *(weight[giver] for giver in givers))
            weight |= {giver: weight[giver] - taken for giver in givers}
    return weight
