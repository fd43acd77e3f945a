"""Notes of the scratchpad, the nearest to the question first, or those that a model chose."""

from __future__ import annotations

from dataclasses import dataclass

from memfold.context.page import Page
from memfold.context.sections.section import Probed, Shared
from memfold.context.types import Piece, added
from memfold.layers.scratchpad.items import render

# A note that stands for its twins cites this many of their exchanges beside its own, the newest.
TWINS = 3


@dataclass(frozen=True)
class ScratchpadNotes(Shared):
    """The notes that the probe chose (`Probed.notes`)."""

    share: float = 0.025

    label = "Notes"

    def fill(self, probed: Probed, page: Page) -> None:
        """Offer the notes that bear on the question, the nearest first."""
        episodes = probed.view.episodes
        page.usage = added(page.usage, probed.notes.usage)
        for item in page.patiently(probed.notes.items):
            said = (item.exchange_id, *item.also[-TWINS:])
            ids = tuple(i for exchange in said for i in episodes.ids_of(exchange))
            page.add(Piece(item.exchange_id, ids, item.kind, render(item)))
