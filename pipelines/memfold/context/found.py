"""One probe, one reading: what was found for a question, from which hits, contexts and answers are read.

Knows no store: it is given a view of the conversation and what reads it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime

import numpy as np

from memfold.context.assemble import Packing, assemble
from memfold.context.dated import dated
from memfold.context.types import Answer, Context, Reader
from memfold.given import check_number
from memfold.once import kept
from memfold.retrieve.fuse import Retrieval, rank
from memfold.retrieve.notes import Filter, Notes
from memfold.retrieve.query import Asked, pose
from memfold.retrieve.ranking import Hit, Ranking, hits
from memfold.retrieve.remember import Remembered
from memfold.retrieve.view import View

# Contexts of one probe that are kept, by budget: whoever asks for an answer has often asked for its context.
BUDGETS = 4


@dataclass(frozen=True)
class Means:
    """By what means probes are answered: how exchanges are ranked, how a context is packed, who reads it, and, where a
    model chooses the notes in it, who that is."""

    retrieval: Retrieval
    packing: Packing
    reader: Reader
    filter: Filter | None = None


@dataclass(frozen=True, eq=False)
class Found:
    """A question that was embedded once and the exchanges that were ranked for it once, over one snapshot. From any
    number of threads; a context is packed once a budget, and the model that chooses notes, if there is one, is asked
    with the first. The exchanges that are `forgotten` are in no hit and no context (`memfold.retrieve.forgetting`)."""

    view: View
    asked: Asked
    ranking: Ranking
    means: Means
    forgotten: frozenset[int] = field(default_factory=frozenset)

    def hits(self, k: int = 15) -> list[Hit]:
        """The `k` exchanges most likely to hold the answer, best first; UserError for less than 1."""
        check_number("k", k, 1)
        return hits(self.view.episodes, self.ranking, k)

    def context(self, budget: int | None = None) -> Context:
        """The text a reader is given: at most `budget` Qwen2.5 tokens, with citations; None leaves it to the packing
        (14,000 unless the config says otherwise), which never fills more of the reader's window than its share.
        UserError for less than 0."""
        if budget is not None:
            check_number("budget", budget, 0, "tokens")
        packing = self.means.packing
        budget = packing.within(packing.of(self.asked.query.typed.kind).budget if budget is None else budget)
        return self._contexts.get([budget])[budget]

    def answer(self, budget: int | None = None) -> Answer:
        """An answer from the context of that budget, with citations; it says so when the evidence is not there."""
        answer = self.means.reader.read(self.asked.query.text, self.context(budget), self.view.vectors)
        return dated(answer, self.view.episodes.day_of)

    @kept
    def notes(self) -> Notes:
        """The notes for the context, the nearest first: those a model keeps, or without one all, of which as many are
        shown as fit."""
        retrieval = self.means.retrieval
        reach = retrieval.of(self.asked.query.typed.kind).reach
        seen = self.asked.query.text, self.ranking, reach, retrieval.subjects
        if self.means.filter is None:
            return Notes(self.view.nearest(*seen))
        return self.means.filter.choose(self.view.near(*seen))

    @kept
    def _contexts(self) -> Remembered[int, Context]:
        return Remembered(lambda budgets: [assemble(self, b, self.means.packing) for b in budgets], BUDGETS)


def probe(
    view: View, question: str, means: Means, now: datetime | None = None, *, forgotten: bool = False
) -> Found:
    """Embed the question and rank the conversation's exchanges for it. `now` is when it is asked, in the course of the
    conversation; without it the conversation is looked back on from its end. With `forgotten` what is forgotten is
    found too."""
    asked = pose(question, view.questions, now)
    ranking = rank(view, asked, means.retrieval)
    gone = () if forgotten else means.retrieval.forgetting.archived(view, now)
    if not len(gone):
        return Found(view, asked, ranking, means)
    ranking = replace(ranking, placed=ranking.order[~np.isin(ranking.order, gone)])
    return Found(view, asked, ranking, means, frozenset(view.episodes.exchange_id[gone].tolist()))
