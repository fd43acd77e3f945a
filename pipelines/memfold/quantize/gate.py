"""The gate: whether a checkpoint is near enough to its original. Arithmetic and limits only; knows no model.

Every figure is of an arm (the checkpoint, weights rounded to nearest, a checkpoint calibrated on general text) against
the original, on conversations that calibrated nothing.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from memfold.errors import SettingError
from memfold.extract.parse import parse
from memfold.given import check_least, check_shares
from memfold.llm.answers import Invalid, check_texts
from memfold.schema import Extraction, Window

ORIGINAL, CHECKPOINT, ROUNDED, GENERAL = "original", "checkpoint", "round_to_nearest", "general_text"


@dataclass(frozen=True)
class Gate:
    """What the checkpoint is judged on, and the limits it is refused above (or below).

    `windows` of the calibration's length give the perplexity and the KL divergence, `prompts` extraction requests are
    answered greedily. `general_text` makes a second checkpoint, on general text alone, to compare with: that takes as
    long again. Limits: `perplexity` is a ratio to the original's, `kl` nats a token, `valid`, `length` and `repeats`
    how much of all answers may be worse than the original's, `facts` and `kinds` the least agreement with it;
    `below_rounding` asks for a KL divergence below that of weights that are rounded to nearest.
    """

    windows: int = 16
    prompts: int = 32
    general_text: bool = True
    perplexity: float = 1.05
    kl: float = 0.1
    valid: float = 0.03
    facts: float = 0.5
    kinds: float = 0.5
    length: float = 0.03
    repeats: float = 0.03
    below_rounding: bool = True

    def __post_init__(self) -> None:
        check_least(self, windows=1, prompts=1)
        check_shares(self, "valid", "facts", "kinds", "length", "repeats")
        if self.perplexity < 1:
            raise SettingError(
                self, f"perplexity is {self.perplexity}: give a ratio of 1 or more, 1.05 for five percent"
            )
        if self.kl <= 0:
            raise SettingError(self, f"kl is {self.kl}: give more than 0 nats a token, such as 0.1")

    def broken(self, arms: dict[str, Figures]) -> list[str]:
        """The limits that the checkpoint breaks, each in words with the key that holds it."""
        made, before = arms[CHECKPOINT], arms[ORIGINAL]
        over = [
            ("perplexity", made.perplexity / before.perplexity, self.perplexity, 1),
            ("kl", made.kl, self.kl, 1),
            ("valid", before.valid - made.valid, self.valid, 1),
            ("facts", made.facts, self.facts, -1),
            ("kinds", made.kinds, self.kinds, -1),
            ("length", made.length - before.length, self.length, 1),
            ("repeats", made.repeats - before.repeats, self.repeats, 1),
        ]
        found = [
            f"{name} is {value:.4g}, gate.{name} allows {limit:g}"
            for name, value, limit, sign in over
            # A figure that is no number passes no limit.
            if value is not None and not sign * value <= sign * limit
        ]
        if self.below_rounding and not made.kl < arms[ROUNDED].kl:
            found.append(
                f"kl is {made.kl:.4g} and rounding to nearest has {arms[ROUNDED].kl:.4g} (gate.below_rounding)"
            )
        return found


@dataclass(frozen=True)
class Figures:
    """What was measured of one arm. `facts` and `kinds` are None where the original gave nothing to agree with."""

    perplexity: float
    kl: float
    valid: float
    facts: float | None
    kinds: float | None
    length: float
    repeats: float
    tokens: int
    answers: int

    def row(self, original: Figures) -> dict[str, float | int | None]:
        """The figures as a row of the table."""
        return {
            "perplexity": _round(self.perplexity),
            "perplexity_ratio": _round(self.perplexity / original.perplexity),
            "kl": _round(self.kl),
            "valid_json": _round(self.valid),
            "facts_agree": _round(self.facts),
            "kinds_agree": _round(self.kinds),
            "length_stops": _round(self.length),
            "repetitions": _round(self.repeats),
        }


@dataclass(frozen=True)
class ArmAnswer:
    """What an arm wrote about some windows, and why it stopped ("stop" or "length")."""

    text: str
    finish_reason: str
    windows: tuple[Window, ...]

    def extractions(self) -> list[Extraction]:
        """What it says of its windows, where that is valid of all of them; nothing otherwise."""
        found = parse(self.text, self.finish_reason, self.windows)
        kept = [one for one in found if isinstance(one, Extraction)]
        return kept if len(kept) == len(found) else []

    @property
    def loops(self) -> bool:
        """Whether it turns in circles."""
        try:
            check_texts([(self.text, len(self.text) + 1)], [])
        except Invalid:
            return True
        return False


def figures(
    nll: float, kl: float, tokens: int, answers: Sequence[ArmAnswer], originals: Sequence[ArmAnswer]
) -> Figures:
    """An arm's figures: from the sums over `tokens` tokens of its negative log-likelihood and of its KL divergence from
    the original, in nats; and from its answers, beside the original's to the same requests."""
    made = [one.extractions() for one in answers]
    wanted = [one.extractions() for one in originals]
    both = [(a, b) for a, b in zip(made, wanted, strict=True) if b]
    return Figures(
        perplexity=math.exp(nll / tokens) if nll / tokens < 700 else math.inf,
        kl=kl / tokens,
        valid=_share(bool(one) for one in made),
        facts=agreement([(_facts(a), _facts(b)) for a, b in both]),
        kinds=agreement([(_kinds(a), _kinds(b)) for a, b in both]),
        length=_share(one.finish_reason == "length" for one in answers),
        repeats=_share(one.loops for one in answers),
        tokens=tokens,
        answers=len(answers),
    )


def agreement(pairs: Iterable[tuple[Counter[Hashable], Counter[Hashable]]]) -> float | None:
    """F1 of what both name, over all pairs together; None where neither names anything."""
    same = named = 0
    for one, other in pairs:
        same += (one & other).total()
        named += one.total() + other.total()
    return 2 * same / named if named else None


def _facts(extractions: Sequence[Extraction]) -> Counter[Hashable]:
    return Counter(
        (n, fact.key.casefold(), fact.value.casefold())
        for n, one in enumerate(extractions)
        for fact in one.facts
    )


def _kinds(extractions: Sequence[Extraction]) -> Counter[Hashable]:
    return Counter((n, note.kind) for n, one in enumerate(extractions) for note in one.notes)


def _share(hits: Iterable[bool]) -> float:
    found = list(hits)
    return sum(found) / len(found) if found else 0.0


def _round(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.5g}")
