"""One probe, one reading: what was found for a question, from which hits, contexts and answers are read.

Knows no store: it is given a view of the conversation and what reads it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from memfold.context.assemble import Packing, assemble
from memfold.context.dated import dated
from memfold.context.types import Answer, Context, Reader, added
from memfold.context.verbatim import verbatim
from memfold.extract.filed import filed
from memfold.given import check_number
from memfold.once import kept
from memfold.retrieve.dated import of_times, outside, times_of
from memfold.retrieve.fuse import Retrieval, rank
from memfold.retrieve.kinds import Teller
from memfold.retrieve.notes import AsRead, Filter, Notes
from memfold.retrieve.query import Asked, named_alone, pose
from memfold.retrieve.ranking import Hit, Ranking, hits
from memfold.retrieve.remember import Remembered
from memfold.retrieve.scratchpad import near, nearest
from memfold.retrieve.steps.dates import MINIMUM, Dates
from memfold.retrieve.translated import Translator, foreign
from memfold.retrieve.view import View
from memfold.schema import MEMORY

# Contexts of one probe that are kept, by budget: whoever asks for an answer has often asked for its context.
BUDGETS = 4


@dataclass(frozen=True)
class Means:
    """What answers a probe: the settings of ranking, packing and reading and, if a model is asked for them, the filter
    of notes, the translator of questions and the teller of their kinds."""

    retrieval: Retrieval
    packing: Packing
    reader: Reader
    filter: Filter | None = None
    translator: Translator | None = None
    teller: Teller | None = None


@dataclass(frozen=True, eq=False)
class Found:
    """A question that was embedded once and the exchanges that were ranked for it once, over one snapshot. From any
    number of threads; a context is packed once a budget, and the model that chooses notes, if there is one, is asked
    with the first. The exchanges that are `forgotten` (`memfold.retrieve.forgetting`) or lie `outside` the time of
    which the question asks for everything (`memfold.retrieve.stretch`) are in no hit; of them a context shows standing
    orders and the profile.
    `usage` is what finding cost, where a model was asked for that. Where the question was translated, search and
    sections read it in the conversation's language, and the reader as it was put. `look` raises an error if the
    conversation was erased while a model was answering, or if maintenance took its snapshot away."""

    view: View
    asked: Asked
    ranking: Ranking
    means: Means
    forgotten: frozenset[int] = field(default_factory=frozenset)
    outside: frozenset[int] = field(default_factory=frozenset)
    usage: Mapping[str, float] = field(default_factory=dict)
    look: Callable[[], object] = lambda: None

    def hits(self, k: int = 15) -> list[Hit]:
        """The `k` exchanges most likely to hold the answer, best first; UserError for less than 1."""
        check_number("k", k, 1)
        self.look()
        return hits(self.view.episodes, self.ranking, k)

    def context(self, budget: int | None = None) -> Context:
        """The text a reader is given: at most `budget` Qwen2.5 tokens, with citations; None uses the configured budget
        (14,000 by default). It never fills more of the reader's window than the packing allows.
        UserError for less than 0."""
        if budget is not None:
            check_number("budget", budget, 0, "tokens")
        packing = self.means.packing
        budget = packing.within(packing.of(self.asked.query.typed.kind).budget if budget is None else budget)
        return self._contexts.get([budget])[budget]

    def answer(self, budget: int | None = None) -> Answer:
        """An answer from the context of that budget, with citations; it says so when the evidence is not there."""
        answer = self.means.reader.read(self.asked.question, self.context(budget), self.view.vectors)
        self.look()
        quoted = dict.fromkeys(each.exchange_id for each in answer.citations if each.quote)
        messages = [each for said in self.view.said(list(quoted)).values() for each in said] if quoted else []
        happens = {
            each.exchange_id: date
            for each in messages
            if each.role == MEMORY and (date := filed(each.attachments).get("date"))
        }
        answer = dated(answer, self.view.episodes.day_of, happens)
        return verbatim(answer, {each.message_id: each.content for each in messages})

    @kept
    def notes(self) -> Notes:
        """The notes for the context, the nearest first: those a model keeps, or without one all, of which as many are
        shown as fit."""
        retrieval = self.means.retrieval
        reach = retrieval.of(self.asked.query.typed.kind).reach
        seen = self.asked.query.text, self.ranking, reach, retrieval.subjects
        if self.means.filter is None:
            return Notes(AsRead(lambda: nearest(self.view, *seen)))
        chosen = self.means.filter.choose(near(self.view, *seen))
        self.look()
        return chosen

    @kept
    def _contexts(self) -> Remembered[int, Context]:
        return Remembered(lambda budgets: [self._context(budget) for budget in budgets], BUDGETS)

    def _context(self, budget: int) -> Context:
        context = assemble(self, budget, self.means.packing)
        return replace(context, usage=added(self.usage, context.usage))


def probe(
    view: View, question: str, means: Means, now: datetime | None = None, *, forgotten: bool = False
) -> Found:
    """Embed the question and rank the conversation's exchanges for it. `now` is when it is asked, in the course of the
    conversation; without it the conversation is looked back on from its end. With `forgotten` what is forgotten is
    found too."""
    now = now and view.by_clock(now)
    asked, telling = _told(view, pose(question, view.questions, now, view.speakers), means.teller)
    asked, translating = _translated(view, asked, means.translator)
    usage = added(telling, translating)
    ranking = rank(view, asked, means.retrieval)
    faded = _NONE if forgotten else means.retrieval.forgetting.archived(view, now)
    beside = _beside(view, asked, means.retrieval)
    if not len(faded) and not len(beside):
        return Found(view, asked, ranking, means, usage=usage)
    hidden = np.concatenate([faded, beside])
    ranking = replace(ranking, placed=ranking.order[~np.isin(ranking.order, hidden)])
    return Found(view, asked, ranking, means, _numbers(view, faded), _numbers(view, beside), usage)


_NONE = np.empty(0, np.int64)


def _beside(view: View, asked: Asked, retrieval: Retrieval) -> NDArray[np.int64]:
    """The positions of the exchanges outside the time that the question asks about. If it asks for everything that one
    speaker did then, the exchanges of other speakers too."""
    if asked.query.stretch:
        name = named_alone(asked.question, view.speakers)
        others = view.spoke.of_others(name) if name else ()
        spoken = [view.episodes.position(each) for each in others if each in view.episodes]
        return np.union1d(outside(view, asked.query.stretch), np.array(spoken, np.int64))
    steps = retrieval.of(asked.query.typed.kind).steps.values() if asked.query.broad else ()
    if not any(isinstance(step, Dates) for step in steps):
        return _NONE
    # Fewer exchanges than a range needs make no list.
    inside = of_times(view, times_of(view, asked.question, asked.now, within=True))
    return np.flatnonzero(~inside) if inside.sum() >= MINIMUM else _NONE


def _numbers(view: View, positions: NDArray[np.int64]) -> frozenset[int]:
    return frozenset(view.episodes.exchange_id[positions].tolist())


def ahead(view: View, reader: Reader, at_once: int = 1) -> Iterator[str]:
    """Embed, `at_once` texts at a time, what the reader may compare with a question, and give each text back."""
    texts = unique(reader.compared(_texts(view), view.speakers))
    while few := list(islice(texts, at_once)):
        view.vectors(few)
        yield from few


def _texts(view: View) -> Iterator[str]:
    """What was said: the user's texts first, then the assistant's. Nothing is read before the first is asked for."""
    yield from view.episodes.user_text
    for exchange in view.episodes.exchange_id.tolist():
        for message in view.said([exchange])[exchange]:
            if message.role == "assistant" and message.current:
                yield message.text


def unique(texts: Iterable[str]) -> Iterator[str]:
    """Each text once, in order."""
    seen = set[str]()
    for text in texts:
        if text not in seen:
            seen.add(text)
            yield text


def _told(view: View, asked: Asked, teller: Teller | None) -> tuple[Asked, Mapping[str, float]]:
    """The question with its kind as the teller tells it, if there is one; and what that cost. Nobody is asked about
    small talk and stretches of time, which rules know for certain."""
    if teller is None or asked.query.typed.kind == "smalltalk" or asked.query.stretch:
        return asked, {}
    said = teller.tell(view.conversation_id, asked.question)
    return asked if said.typed is None else asked.of_kind(said.typed), said.usage


def _translated(view: View, asked: Asked, translator: Translator | None) -> tuple[Asked, Mapping[str, float]]:
    """The question in the language of the conversation where that is another one and there is who can say it, else as
    it is; and what that cost."""
    if (
        translator is None
        or asked.query.typed.kind == "smalltalk"
        or not foreign(asked.question, view.language)
    ):
        return asked, {}
    said = translator.translate(view.conversation_id, asked.question, view.language)
    if said.text is None:
        return asked, said.usage
    return asked.translated(said.text, view.questions, view.speakers), said.usage
