"""What becomes of units as they stand: which are held, which are merged into another, which are dropped as noise.

Entropy drives it, as in arXiv 2510.27418, within bounds: only light aspects of one thing that point the same way merge,
and into a unit no more confused than the most confused of them; only units of high entropy and low weight are dropped,
and at most a share of all. Nothing is lost: the sums stay in their rows, beside what became of them and why, so more
observations bring a unit back, and any earlier message shows what was held then. A pure function of the units.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Literal

from memfold.errors import UserError
from memfold.layers.beliefs.units import ONE, Key, Sums, added

State = Literal["held", "merged", "dropped"]
MOST_BITS = math.log2(3)


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a unit; `into` is the aspect of the same thing that it was merged into."""

    state: State = "held"
    into: str | None = None
    why: str | None = None


@dataclass(frozen=True)
class Bounds:
    """Aspects below the weight `light` merge (0: none do). Units of at least `noise_bits` and at most `noise_weight`
    from two observations or more are dropped, up to the share `noise_share` of all units, and so is what is beyond
    `most` units, the least telling first."""

    light: float = 2.0
    noise_bits: float = 1.2
    noise_weight: float = 1.5
    noise_share: float = 0.25
    most: int = 1_000

    def __post_init__(self) -> None:
        limits = {"noise_bits": MOST_BITS, "noise_share": 1.0}
        for each in fields(self):
            value, limit = getattr(self, each.name), limits.get(each.name, math.inf)
            if not 0 <= value <= limit or (each.name == "most" and value < 1):
                least = 1 if each.name == "most" else 0
                end = f" to {limit:.3g}" if limit < math.inf else " or more"
                raise UserError(f"layers.beliefs.{each.name} is {value}: give {least}{end}")


def settle(units: Mapping[Key, Sums], bounds: Bounds) -> dict[Key, Fate]:
    """What becomes of each unit."""
    fates = {key: Fate() for key in units}
    fates |= _merged(units, bounds)
    held = [key for key, fate in fates.items() if fate.state == "held"]
    fates |= _noise(units, held, bounds, int(bounds.noise_share * len(units)))
    targets = {(key.type, key.object, fate.into) for key, fate in fates.items() if fate.state == "merged"}
    left = [
        key
        for key in held
        if fates[key].state == "held" and (key.type, key.object, key.aspect) not in targets
    ]
    beyond = len({*left}) + len(targets) - bounds.most
    worth = sorted(left, key=lambda key: (_worth(units[key]), units[key].last_exchange, key))
    fates |= {key: Fate("dropped", None, f"more than {bounds.most} units") for key in worth[: max(beyond, 0)]}
    return fates


def _merged(units: Mapping[Key, Sums], bounds: Bounds) -> dict[Key, Fate]:
    """Light aspects of one thing that lead the same way go into what is thought of it as a whole."""
    by_thing: dict[tuple[str, str], list[Key]] = {}
    for key in sorted(units):
        by_thing.setdefault((key.type, key.object), []).append(key)
    fates: dict[Key, Fate] = {}
    for (kind, name), keys in by_thing.items():
        general = units.get(Key(kind, name, ""))
        for lead in ("pos", "neg"):
            if general is not None and general.lead != lead:
                continue
            light = [
                key
                for key in keys
                if key.aspect and units[key].lead == lead and units[key].weight < bounds.light * ONE
            ]
            into = [units[key] for key in light] + ([] if general is None else [general])
            if len(into) < 2 or not light:
                continue
            bits = added(into).millibits
            if bits > max(each.millibits for each in into):
                continue
            why = f"{len(into)} light aspects lead the same way; together {bits / ONE:.2f} bits"
            fates |= {key: Fate("merged", "", why) for key in light}
            break  # the whole of a thing leads one way
    return fates


def _noise(units: Mapping[Key, Sums], held: Iterable[Key], bounds: Bounds, at_most: int) -> dict[Key, Fate]:
    noisy = [
        key
        for key in held
        if units[key].observations > 1
        and units[key].millibits >= bounds.noise_bits * ONE
        and units[key].weight <= bounds.noise_weight * ONE
    ]
    noisy.sort(key=lambda key: (-units[key].millibits, units[key].weight, key))
    return {
        key: Fate(
            "dropped",
            None,
            f"{units[key].millibits / ONE:.2f} bits at a weight of {units[key].weight / ONE:g}",
        )
        for key in noisy[:at_most]
    }


def _worth(unit: Sums) -> int:
    """How telling a unit is: its weight, by how sure it is."""
    return unit.weight * (round(ONE * MOST_BITS) - unit.millibits)
