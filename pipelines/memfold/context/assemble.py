"""Packing a context: as much evidence as a token budget holds, wide and shallow.

Standing orders come first, always, then who the user is, and after that notes of the scratchpad. Then the ranking, in
layers: the best exchanges with some of what the assistant answered, more of them with what the user said, and the rest
of the ranking with a line of the user's until the budget is full. Where a message does not fit whole, what bears on
the question is shown (decision 17). On BEAM this covers 87 % of the evidence messages in 14,000 tokens, where whole
exchanges cover 71 %. A smaller budget has thinner layers in the same proportions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from memfold.context.page import Page
from memfold.context.sections.also import AlsoSaid
from memfold.context.sections.chronicle import Chronicle
from memfold.context.sections.closest import Closest
from memfold.context.sections.counts import Counts
from memfold.context.sections.notes import ScratchpadNotes
from memfold.context.sections.passages import FoundPassages
from memfold.context.sections.profile import WhoTheUserIs
from memfold.context.sections.recent import Recent
from memfold.context.sections.section import Probed, Section
from memfold.context.sections.spans import Spans
from memfold.context.sections.standing import StandingOrders
from memfold.context.sections.timeline import TimeLine
from memfold.context.types import Context
from memfold.errors import UserError
from memfold.retrieve.ranking import hits


def _sections() -> dict[str, Section]:
    return {
        "standing": StandingOrders(),
        "profile": WhoTheUserIs(),
        "notes": ScratchpadNotes(),
        "spans": Spans(),
        "counts": Counts(),
        "timeline": TimeLine(),
        "chronicle": Chronicle(),
        "closest": Closest(),
        "passages": FoundPassages(),
        "recent": Recent(),
        "also": AlsoSaid(),
    }


@dataclass(frozen=True)
class Packing:
    """The `sections` of a context, in the order in which they are filled and stand; their numbers are those for a
    budget of `reference` tokens. `listed` hits are returned with the context."""

    reference: int = 14_000
    listed: int = 15
    sections: Mapping[str, Section] = field(default_factory=_sections)

    def __post_init__(self) -> None:
        for name in ("reference", "listed"):
            if getattr(self, name) < 1:
                raise UserError(f"context.{name} is {getattr(self, name)}: give at least 1")
        for name, section in self.sections.items():
            if not callable(getattr(section, "fill", None)):
                raise UserError(f"context.sections.{name} is no section: it has no method fill")


def assemble(probed: Probed, budget: int, packing: Packing) -> Context:
    """The context for a probe, of at most `budget` Qwen2.5 tokens; UserError where that is below 0."""
    if budget < 0:
        raise UserError(f"budget is {budget}: give 0 or more tokens")
    page = Page(budget, budget / packing.reference, probed.view.sizes)
    for section in packing.sections.values():
        page.begin(section.label, section.share)
        section.fill(probed, page)
    parts = tuple(page.parts())
    return Context(
        "".join(part.text for part in parts),
        sum(part.tokens for part in parts),
        parts,
        tuple(hits(probed.view.episodes, probed.ranking, packing.listed)),
        page.usage,
    )
