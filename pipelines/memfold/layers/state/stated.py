"""A state as values: what stands, and what stood, in a conversation. Knows no rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal, get_args

from memfold.layers.state.wording import words_of
from memfold.once import kept

# An entry's exchange, and its place among those of it.
Place = tuple[int, int]

Kind = Literal["requirement", "constraint", "excluded", "conclusion", "fact", "question"]
KINDS: tuple[Kind, ...] = get_args(Kind)
State = Literal["holds", "replaced", "repeated", "withdrawal", "answered", "left"]


@dataclass(frozen=True, slots=True)
class Stated:
    """`state` says whether the entry holds, was replaced by a newer one, only repeats one that holds, of a requirement,
    only takes one back, or, of a question, was answered or left. `replaced` is the text of what it took the place of,
    `by` the exchange that replaced or answered it. `said` is when it was confirmed; None where unknown. `place` is that
    of its row; None where it has none of its own. `who` said it, where the source names several speakers.
    `against` is what else was said that it contradicts: nobody knows which is so."""

    exchange_id: int
    kind: str
    text: str
    about: str | None = None
    reason: str | None = None
    said: datetime | None = None
    state: State = "holds"
    replaced: str | None = None
    by: int | None = None
    place: Place | None = field(default=None, compare=False)
    who: str | None = None
    against: str | None = None


@dataclass(frozen=True, slots=True)
class Topic:
    """What was talked about last, in its exchange's own words."""

    exchange_id: int
    text: str
    said: datetime | None


@dataclass(frozen=True)
class Stand:
    """Where a conversation stands: `entries` in the order they were said, with those that hold no more."""

    topic: Topic | None
    entries: tuple[Stated, ...]
    last_exchange: int

    def holding(self, kind: str) -> list[Stated]:
        """The entries of a kind that hold, oldest first."""
        return [entry for entry in self.entries if entry.kind == kind and entry.state == "holds"]

    def spoken(self, speaks: Mapping[int, str]) -> Stand:
        """The same with who said each entry; `speaks` names who speaks in each exchange, where there are several. What
        one says does not contradict what another says of themselves."""
        if not speaks:
            return self
        said = [(speaks.get(entry.exchange_id), entry) for entry in self.entries]
        told = {(who, entry.text) for who, entry in said}
        entries = (
            replace(entry, who=who, against=entry.against if (who, entry.against) in told else None)
            for who, entry in said
        )
        return replace(self, entries=tuple(entries))

    @kept
    def words(self) -> tuple[frozenset[str], ...]:
        """The terms of each entry and of what it is about."""
        return tuple(words_of(f"{entry.about or ''} {entry.text}") for entry in self.entries)

    @property
    def turns(self) -> list[Stated]:
        """The turning points, oldest first: what replaced something, and options given up."""
        return [
            entry
            for entry in self.entries
            if entry.state in ("holds", "replaced", "withdrawal")
            and (entry.replaced or entry.kind == "excluded")
        ]
