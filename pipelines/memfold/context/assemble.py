"""Packing a context: as much evidence as a token budget holds, wide and shallow.

Sections are filled in their order: what always holds first (standing orders, who the user is), then what the kind of
question asks for (beliefs, the state, notes, spans, counts, a time line), then the ranking, in layers: the best
exchanges with some of what the assistant answered, more of them with what the user said, and the rest of the ranking
with a line of the user's until the budget is full. Where a message does not fit whole, what bears on the question is
shown (decision 17). On BEAM this covers 87 % of the evidence messages in 14,000 tokens, where whole exchanges cover
71 %. A smaller budget has thinner layers in the same proportions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from memfold.context.page import Page
from memfold.context.sections.also import AlsoSaid
from memfold.context.sections.beliefs import HeldBeliefs
from memfold.context.sections.chronicle import Chronicle
from memfold.context.sections.closest import Closest
from memfold.context.sections.counts import RECKONED as ADDED
from memfold.context.sections.counts import Counts
from memfold.context.sections.notes import ScratchpadNotes
from memfold.context.sections.passages import FoundPassages
from memfold.context.sections.profile import WhoTheUserIs
from memfold.context.sections.recent import Recent
from memfold.context.sections.section import Probed, Section
from memfold.context.sections.spans import RECKONED, Spans
from memfold.context.sections.standing import StandingOrders
from memfold.context.sections.state import StateOfThings
from memfold.context.sections.timeline import TimeLine
from memfold.context.sections.tools import FromTools
from memfold.context.template import Template
from memfold.context.types import Context
from memfold.errors import SettingError, UserError
from memfold.given import check_least
from memfold.retrieve.by_kind import changed, check_kinds, check_names
from memfold.retrieve.kinds import KINDS, Kind
from memfold.retrieve.ranking import hits
from memfold.text import tokens


def _sections() -> dict[str, Section]:
    return {
        "standing": StandingOrders(),
        "profile": WhoTheUserIs(),
        "beliefs": HeldBeliefs(),
        "state": StateOfThings(),
        "notes": ScratchpadNotes(),
        "spans": Spans(),
        "counts": Counts(),
        "chronicle": Chronicle(),
        "timeline": TimeLine(),
        "tools": FromTools(),
        "closest": Closest(),
        "passages": FoundPassages(),
        "recent": Recent(),
        "also": AlsoSaid(),
    }


# What is reckoned stands under labels of its own.
RECKONINGS = {"reckoned": RECKONED, "added": ADDED}


@dataclass(frozen=True)
class Packed:
    """What is different for one kind of question: the `sections` there are (None: all), the `budget` in tokens where
    none is asked for (None: as for others), and other settings of sections, by their names."""

    sections: tuple[str, ...] | None = None
    budget: int | None = None
    settings: dict[str, dict[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.sections is not None:
            object.__setattr__(self, "sections", tuple(self.sections))  # a config has no tuples
        if self.budget is not None:
            check_least(self, budget=1)


@dataclass(frozen=True)
class Shape:
    """What a context for one question is made of."""

    sections: Mapping[str, Section]
    budget: int


def _kinds() -> dict[str, Packed]:
    different = {
        "smalltalk": Packed(sections=("standing",)),
        "order": Packed(settings={"timeline": {"share": 0.9}}),
        "summary": Packed(settings={"timeline": {"share": 0.9, "told": 300}}),
        "preference": Packed(settings={"passages": {"unsaid": 0}, "standing": {"bearing": -1.0}}),
        "said": Packed(
            settings={"closest": {"points": True}, "passages": {"around": 250}, "also": {"told": 300}}
        ),
    }
    return {kind: different.get(kind, Packed()) for kind in KINDS}


@dataclass(frozen=True)
class Packing:
    """The `sections` of a context, in the order in which they are filled and stand; their numbers are those for a
    budget of `reference` tokens. `budget` is what a context has where nothing else is asked for. `listed` hits are
    returned with the context. `kinds` says what is different for questions of a kind (`memfold.retrieve.kinds`).

    `template` says how the page looks. `window` is how many tokens the reader can take in all, None where that is not
    known: a context takes at most `window_share` of it, the rest is for the question and the answer."""

    reference: int = 14_000
    budget: int = 14_000
    listed: int = 15
    template: Template = field(default_factory=Template)
    window: int | None = None
    window_share: float = 0.7
    sections: Mapping[str, Section] = field(default_factory=_sections)
    kinds: Mapping[str, Packed] = field(default_factory=_kinds)
    _by_kind: Mapping[str, Shape] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        check_least(self, reference=1, budget=1, listed=1)
        if self.window is not None and self.window < 1:
            raise SettingError(
                self, f"window is {self.window}: give the reader's tokens, or null if it is not known"
            )
        if not 0 < self.window_share <= 1:
            raise SettingError(self, f"window_share is {self.window_share}: give more than 0, and 1 at most")
        check_names(
            self.template.labels, [*_sections(), *self.sections, *RECKONINGS], "context.template.labels"
        )
        for name, section in self.sections.items():
            if not callable(getattr(section, "fill", None)):
                raise UserError(f"context.sections.{name} is no section: it has no method fill")
        check_kinds(self.kinds, "context.kinds")
        made = {kind: self._made(how, f"context.kinds.{kind}") for kind, how in self.kinds.items()}
        object.__setattr__(self, "_by_kind", made)

    def of(self, kind: Kind) -> Shape:
        """What the context for a question of a kind is made of."""
        return self._by_kind.get(kind) or Shape(self.sections, self.budget)

    def within(self, budget: int) -> int:
        """`budget`, or the context's share of the reader's window where that is less."""
        return budget if self.window is None else min(budget, int(self.window * self.window_share))

    def _made(self, one: Packed, place: str) -> Shape:
        known = {**_sections(), **self.sections}
        check_names(one.sections or (), known, f"{place}.sections")
        check_names(one.settings, known, f"{place}.settings")
        sections = changed(self.sections, one.settings, f"{place}.settings")
        shown = {
            name: part for name, part in sections.items() if one.sections is None or name in one.sections
        }
        return Shape(shown, self.budget if one.budget is None else one.budget)


def assemble(probed: Probed, budget: int, packing: Packing) -> Context:
    """The context for a probe, of at most `budget` Qwen2.5 tokens."""
    query = probed.asked.query
    sections = packing.of(query.typed.kind).sections
    template = packing.template
    labels = template.shown({**{name: part.label for name, part in sections.items()}, **RECKONINGS})
    before, behind = template.before, template.behind
    # What stands around the sections takes its room first; where it would leave none, it is left out.
    frame = tokens.count(before) + tokens.count(behind)
    frame *= frame < budget
    page = Page(
        budget - frame,
        (budget - frame) / packing.reference,
        template,
        labels,
        probed.forgotten | probed.outside,
        probed.view.speaks,
        probed.view.unspoken,
    )
    for section in sections.values():
        page.begin(section.label, section.share)
        section.fill(probed, page)
    parts = tuple(page.parts())
    text = "".join(part.text for part in parts)
    frame *= bool(parts)
    return Context(
        f"{before}{text}{behind}" if frame else text,
        sum(part.tokens for part in parts) + frame,
        parts,
        tuple(hits(probed.view.episodes, probed.ranking, packing.listed)),
        page.usage,
        budget,
        page.left_out,
        len(probed.forgotten),
        labels,
        typed=query.typed if query.typed.by_model else None,
        stretch=query.stretch,
        speakers=probed.view.speakers,
        worked=frozenset(probed.view.tools.keys() & {each for part in parts for each in part.exchange_ids}),
    )
