"""A belief: what a conversation's user thinks of one aspect of one thing, as sums that can be added in any order.

The update of arXiv 2510.27418, C' = (C·W + S·P) / (W + S) and W' = W + S from W = 0, is a weighted mean: C is
Σ S·P / Σ S, whatever the order. So a unit holds the sums, as integers (strength and profile in thousandths, their
products in millionths; 9 · 10¹² observations fit in 64 bits, and a sum that does not is refused when its row is
written), and C is read from them. Nothing is rounded after an observation was written down, so any merge order gives
the same bits. Knows no tables, notes or models.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain

ONE = 1_000
SIGNS = ("pos", "neg", "neu")
# Of each sign the newest statements are kept as evidence: a change of mind shows both sides.
KEPT = 2


@dataclass(frozen=True, slots=True, order=True)
class Statement:
    """One observation, by its note's key: what was said and how. `polarity` and `strength` are in thousandths. `who`
    is in no row: whoever shows a statement looks up its speaker (`held.Beliefs.spoken`)."""

    exchange_id: int
    n: int
    text: str
    polarity: int
    strength: int
    reason: str | None = None
    time: datetime | None = None
    who: str | None = None

    @property
    def sign(self) -> str:
        """The sign of the polarity: "pos", "neg" or "neu"."""
        return "pos" if self.polarity > 0 else "neg" if self.polarity < 0 else "neu"


@dataclass(frozen=True, slots=True, order=True)
class Key:
    """What a unit is about. `type` and `aspect` are as `memfold.text.aspects` reads them, "" for none."""

    type: str
    object: str
    aspect: str


@dataclass(frozen=True, slots=True)
class Sums:
    """The sums of some observations of one key: S·P by sign in millionths, S in thousandths, and which they were.
    pos + neg + neu is always 1,000 times the weight."""

    pos: int
    neg: int
    neu: int
    weight: int
    observations: int
    first_exchange: int
    last_exchange: int
    evidence: tuple[Statement, ...]

    @property
    def profile(self) -> tuple[float, float, float]:
        """The share of each sign, which together are 1."""
        whole = self.pos + self.neg + self.neu
        return self.pos / whole, self.neg / whole, self.neu / whole

    @property
    def lead(self) -> str:
        """The sign with the largest share; the first of `SIGNS` of equal ones."""
        return max(SIGNS, key=lambda sign: int(getattr(self, sign)))

    @property
    def millibits(self) -> int:
        """The entropy in thousandths of a bit: what thresholds and rows have, so that the last bit of a logarithm
        decides nothing."""
        return round(ONE * entropy(self.profile))


def profile(polarity: int) -> tuple[int, int, int]:
    """P of an observation, in thousandths that add up to 1,000: as much good or bad as it says, the rest neutral."""
    return max(polarity, 0), max(-polarity, 0), ONE - abs(polarity)


def observed(said: Statement) -> Sums:
    """The sums of one observation."""
    pos, neg, neu = (said.strength * share for share in profile(said.polarity))
    return Sums(pos, neg, neu, said.strength, 1, said.exchange_id, said.exchange_id, (said,))


def added(parts: Sequence[Sums]) -> Sums:
    """The sums of several sets of observations, none of which is in two of them; one at least. Associative and
    commutative to the last bit."""
    return Sums(
        sum(part.pos for part in parts),
        sum(part.neg for part in parts),
        sum(part.neu for part in parts),
        sum(part.weight for part in parts),
        sum(part.observations for part in parts),
        min(part.first_exchange for part in parts),
        max(part.last_exchange for part in parts),
        newest(chain.from_iterable(part.evidence for part in parts)),
    )


def newest(statements: Iterable[Statement]) -> tuple[Statement, ...]:
    """Those that are kept: the last `KEPT` of each sign, in order."""
    by_sign: dict[str, list[Statement]] = {sign: [] for sign in SIGNS}
    for said in sorted(statements, key=lambda one: (one.exchange_id, one.n)):
        by_sign[said.sign].append(said)
    kept = chain.from_iterable(each[-KEPT:] for each in by_sign.values())
    return tuple(sorted(kept, key=lambda one: (one.exchange_id, one.n)))


def entropy(shares: Iterable[float]) -> float:
    """H = −Σ p log₂ p in bits, from 0 (certain) to log₂ 3 = 1.58 of three shares."""
    return -sum(share * math.log2(share) for share in shares if share > 0) or 0.0
