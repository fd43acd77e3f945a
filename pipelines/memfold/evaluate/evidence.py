"""How much of the cited evidence a search finds and a context holds, beside plain BM25 and plain vectors.

Asks a store as any user would, by `search` and `context`; knows nothing of how they work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from memfold.api import Store
from memfold.embed.contract import Embedder
from memfold.evaluate.probe import Probe
from memfold.evaluate.scores import coverage, coverage_opening, everything, hit, recall
from memfold.retrieve.best import best_first
from memfold.retrieve.lexical import BM25, Bags
from memfold.text.terms import hashed

RECALL_AT = (5, 15, 50)
BUDGETS = (2_000, 4_000, 5_000, 14_000)

# A system to compare with: the exchanges it finds for a question, best first.
Baseline = Callable[[str], Sequence[int]]


@dataclass(frozen=True)
class Subject:
    """One stored conversation and what is asked of it. `size` names its group in tables, `system` what is asked."""

    size: str
    store: Store
    conversation_id: str
    probes: Sequence[Probe]
    system: str = "memfold"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one system made of one probe: `values` by measure, e.g. "recall@15"."""

    system: str
    probe: Probe
    size: str
    values: Mapping[str, float]


def outcomes(subject: Subject, baselines: Mapping[str, Baseline]) -> Iterator[Outcome]:
    """An outcome for each system and each probe whose evidence is in the conversation."""
    store, conversation = subject.store, subject.conversation_id
    said = {message.message_id: message for message in store.messages(conversation)}
    for probe in subject.probes:
        evidence = [said[message] for message in probe.evidence if message in said]
        if not evidence:
            continue
        exchanges = {message.exchange_id for message in evidence}
        found = store.search(conversation, probe.question, k=max(RECALL_AT))
        values = _ranked([hit.exchange_id for hit in found], exchanges)
        for budget in BUDGETS:
            text = store.context(conversation, probe.question, budget).text
            values[f"coverage@{budget}"] = coverage(text, evidence)
            values[f"coverage_opening@{budget}"] = coverage_opening(text, evidence)
        yield Outcome(subject.system, probe, subject.size, values)
        for system, rank in baselines.items():
            yield Outcome(system, probe, subject.size, _ranked(rank(probe.question), exchanges))


def baselines(subject: Subject, embedder: Embedder, *, dense_whole: bool) -> dict[str, Baseline]:
    """BM25 and cosine over the user text, BM25 over whole exchanges, and on request cosine over those too
    (the retrieval of BEAM's paper; it embeds ten times the text)."""
    episodes = subject.store.episodes(subject.conversation_id)
    current = (m for m in subject.store.messages(subject.conversation_id) if m.current)
    whole = ["\n".join(m.text for m in group) for _, group in groupby(current, key=lambda m: m.exchange_id)]
    ids = episodes.exchange_id
    found = {
        "bm25 whole exchange": _lexical(BM25(Bags.of([hashed(text) for text in whole])), ids),
        "bm25 user text": _lexical(episodes.bm25, ids),
        "dense user text": _dense(episodes.vectors, ids, embedder),
    }
    if dense_whole:
        found["dense whole exchange"] = _dense(embedder.encode(whole), ids, embedder)
    return found


def _ranked(found: Sequence[int], evidence: set[int]) -> dict[str, float]:
    values = {f"recall@{k}": recall(found, evidence, k) for k in RECALL_AT}
    return {
        **values,
        "hit@15": float(hit(found, evidence, 15)),
        "all@15": float(everything(found, evidence, 15)),
    }


def _lexical(index: BM25, ids: NDArray[np.int64]) -> Baseline:
    return lambda question: _best(index.score(hashed(question)[0]), ids)


def _dense(vectors: NDArray[np.float32], ids: NDArray[np.int64], embedder: Embedder) -> Baseline:
    return lambda question: _best(vectors @ embedder.encode([question])[0], ids)


def _best(scores: NDArray[np.floating], ids: NDArray[np.int64]) -> list[int]:
    return [int(i) for i in ids[best_first(scores)[: max(RECALL_AT)]]]
