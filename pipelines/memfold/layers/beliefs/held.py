"""The beliefs of a conversation as values: what is held, and what became of the rest. Read from one node's rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import pyarrow as pa

from memfold.layers.beliefs import parse
from memfold.layers.beliefs.units import ONE, Key, Statement, Sums, added, entropy
from memfold.text.aspects import bare
from memfold.text.scripts import IDEOGRAPH

_LIKED = {
    "pos": ("liked", "喜欢"),
    "neg": ("disliked", "不喜欢"),
    "neu": ("neither liked nor disliked", "无所谓"),
}
# A lead of less is a mixed feeling.
_CLEAR = 0.15


@dataclass(frozen=True, slots=True)
class Belief:
    """What the user thinks of an aspect ("" for the whole) of a thing. `aspects` are those merged into it. `pos`, `neg`
    and `neu` together are 1; `weight` is the sum of the strengths of so many `observations`; `entropy` is in bits, 0
    certain and 1.58 at a loss. `evidence` are the newest statements of each sign, in order, each with `who` said it
    where the source names several speakers: what they think of one thing is one belief."""

    object: str
    type: str
    aspect: str
    aspects: tuple[str, ...]
    pos: float
    neg: float
    neu: float
    weight: float
    entropy: float
    observations: int
    first_exchange: int
    last_exchange: int
    evidence: tuple[Statement, ...]

    @property
    def summary(self) -> str:
        """The belief in one line, in the language of its newest statement: computed, not written by a model."""
        newest = self.evidence[-1]
        chinese = bool(IDEOGRAPH.search(newest.text))
        lead = max(("pos", "neg", "neu"), key=lambda sign: float(getattr(self, sign)))
        mixed = min(self.pos, self.neg) > 0 and abs(self.pos - self.neg) < _CLEAR
        verdict = ("mixed feelings", "褒贬不一")[chinese] if mixed else _LIKED[lead][chinese]
        if lead == "neu" and not mixed and self.pos != self.neg:
            verdict = (
                (("somewhat ", "比较")[chinese]) + _LIKED["pos" if self.pos > self.neg else "neg"][chinese]
            )
        what = ", ".join(filter(None, (self.object, *([self.aspect] if self.aspect else self.aspects))))
        who = newest.who
        if chinese:
            return (
                f"{what}：{verdict}（好 {self.pos:.2f}，坏 {self.neg:.2f}，中 {self.neu:.2f}；{self.observations} 次）"
                f"，最近{who or ''}说：“{newest.text}”"
            )
        return (
            f"{what}: {verdict} (for {self.pos:.2f}, against {self.neg:.2f}, neutral {self.neu:.2f}; said "
            f"{self.observations} times), most recently{f' {who}' if who else ''}: “{newest.text}”"
        )

    @property
    def reason(self) -> str | None:
        """The newest reason that was given; None where none was."""
        return next((said.reason for said in reversed(self.evidence) if said.reason), None)

    def spoken(self, speaks: Mapping[int, str]) -> Belief:
        """The same with who spoke in each exchange."""
        evidence = tuple(replace(said, who=speaks.get(said.exchange_id)) for said in self.evidence)
        return replace(self, evidence=evidence)


@dataclass(frozen=True, slots=True)
class Change:
    """A unit that is not held by itself: `state` says whether it was merged (`into` an aspect of the same thing, "" for
    the whole) or dropped, and `why`. Its sums are kept, and more observations may bring it back."""

    belief: Belief
    state: str
    into: str | None
    why: str


@dataclass(frozen=True, slots=True)
class Beliefs:
    """All beliefs as of one message, by type, object and aspect, and the `log` of what was merged and dropped."""

    units: tuple[Belief, ...] = ()
    log: tuple[Change, ...] = ()

    @property
    def entropy(self) -> float:
        """The global entropy: the sum over what is held, in bits, which merging and dropping lower."""
        return sum(unit.entropy for unit in self.units)

    @property
    def entropy_before(self) -> float:
        """What it would be had nothing been merged or dropped."""
        gone = sum(change.belief.entropy for change in self.log)
        into = {(c.belief.type, c.belief.object, c.into) for c in self.log if c.state == "merged"}
        kept = [unit for unit in self.units if (unit.type, unit.object, unit.aspect) not in into]
        return gone + sum(unit.entropy for unit in kept)

    @property
    def text(self) -> str:
        """The beliefs, a line each, and below them what was merged and dropped."""
        lines = [unit.summary for unit in self.units]
        lines.append(
            f"{len(self.units)} beliefs, {self.entropy:.2f} bits in all ({self.entropy_before:.2f} before)"
        )
        for change in self.log:
            lines.append(
                f"{change.state}: {change.belief.object}, {change.belief.aspect or 'as a whole'}: {change.why}"
            )
        return "\n".join(lines)

    @property
    def json(self) -> dict[str, Any]:
        """The same as values."""
        units = [asdict(unit) | {"summary": unit.summary, "reason": unit.reason} for unit in self.units]
        return {"beliefs": units, "log": [asdict(change) for change in self.log], "entropy": self.entropy}

    def spoken(self, speaks: Mapping[int, str]) -> Beliefs:
        """The same with who said what, by who spoke in each exchange."""
        log = (replace(change, belief=change.belief.spoken(speaks)) for change in self.log)
        return Beliefs(tuple(unit.spoken(speaks) for unit in self.units), tuple(log))

    def of(self, name: str) -> list[Belief]:
        """The beliefs about a thing, by its name."""
        return [unit for unit in self.units if unit.object == bare(name)]


def beliefs(rows: pa.Table | None) -> Beliefs:
    """From the rows of the root; nothing where the layer is not there or nothing was said."""
    if rows is None or not rows.num_rows:
        return Beliefs()
    held: dict[Key, list[Sums]] = {}
    aspects: dict[Key, list[str]] = {}
    log = []
    for key, sums, fate in parse(rows):
        if fate.state == "held":
            held.setdefault(key, []).append(sums)
            continue
        if fate.state == "merged":
            into = Key(key.type, key.object, fate.into or "")
            held.setdefault(into, []).append(sums)
            aspects.setdefault(into, []).append(key.aspect)
        log.append(Change(_belief(key, sums), fate.state, fate.into, fate.why or ""))
    units = (_belief(key, added(held[key]), aspects.get(key, ())) for key in sorted(held))
    return Beliefs(tuple(units), tuple(log))


def vector_places(rows: pa.Table, found: Beliefs) -> Mapping[tuple[str, str, str], int]:
    """Of each held unit the row whose vector is its own, or that of the first aspect merged into it."""
    keys = zip(*(rows[name].to_pylist() for name in ("type", "object", "aspect")), strict=True)
    rows_of = {key: place for place, key in enumerate(keys)}
    return {
        (unit.type, unit.object, unit.aspect): next(
            rows_of[unit.type, unit.object, name]
            for name in (unit.aspect, *unit.aspects)
            if (unit.type, unit.object, name) in rows_of
        )
        for unit in found.units
    }


def _belief(key: Key, sums: Sums, aspects: Iterable[str] = ()) -> Belief:
    pos, neg, neu = sums.profile
    return Belief(
        key.object, key.type, key.aspect, tuple(aspects), pos, neg, neu, sums.weight / ONE,
        entropy((pos, neg, neu)), sums.observations, sums.first_exchange, sums.last_exchange, sums.evidence,
    )  # fmt: skip
