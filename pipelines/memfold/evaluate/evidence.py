"""How much of the cited evidence a search finds and a context holds, beside plain BM25 and plain vectors.

Works on `Subject`s, wherever their episodes come from; `in_memory` makes one without a store.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from memfold import tokens
from memfold.context.assemble import Packing, assemble
from memfold.embed.contract import Embedder
from memfold.evaluate.probe import Probe
from memfold.evaluate.scores import coverage, everything, hit, recall
from memfold.extract.contract import Engine
from memfold.ingest.language import language
from memfold.layers import episodic
from memfold.retrieve.episodes import Episodes
from memfold.retrieve.lexical import BM25, Bags, hashed
from memfold.retrieve.query import analyse
from memfold.retrieve.search import Encode, Retrieval, Standing, search
from memfold.schema import DeadLetter, Extraction, Message, StoredMessage
from memfold.windows import number, windows

RECALL_AT = (5, 15, 50)
BUDGETS = (2_000, 4_000, 14_000)
STANDING_KINDS = ("instruction", "preference")

# A baseline ranks all exchanges of its subject for a question: positions, best first.
Baseline = Callable[[str], NDArray[np.int64]]


@dataclass(frozen=True)
class Subject:
    """One conversation and what is asked of it. `messages` are by exchange; `size` names its group in tables."""

    size: str
    episodes: Episodes
    standing: Standing
    messages: Mapping[int, Sequence[StoredMessage]]
    probes: Sequence[Probe]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one system made of one probe: `values` by measure, e.g. "recall@15"."""

    system: str
    probe: Probe
    size: str
    values: Mapping[str, float]


def outcomes(
    subject: Subject,
    encode: Encode,
    retrieval: Retrieval,
    packing: Packing,
    baselines: Mapping[str, Baseline],
) -> Iterator[Outcome]:
    """An outcome for each system and each probe whose evidence is in the conversation."""
    said = {m.message_id: m for group in subject.messages.values() for m in group}
    for probe in subject.probes:
        evidence = [said[message] for message in probe.evidence if message in said]
        if not evidence:
            continue
        positions = {subject.episodes.position(message.exchange_id) for message in evidence}
        ranking = search(
            subject.episodes, analyse(probe.question), encode, standing=subject.standing, settings=retrieval
        )
        values = _ranked(ranking.order, positions)
        for budget in BUDGETS:
            context = assemble(
                subject.episodes,
                ranking,
                lambda exchanges: {e: subject.messages[e] for e in exchanges},
                budget=budget,
                standing=subject.standing,
                packing=packing,
            )
            values[f"coverage@{budget}"] = coverage(context.text, evidence)
        yield Outcome("memfold", probe, subject.size, values)
        for system, rank in baselines.items():
            yield Outcome(system, probe, subject.size, _ranked(rank(probe.question), positions))


def baselines(subject: Subject, embedder: Embedder, *, dense_whole: bool) -> dict[str, Baseline]:
    """BM25 and cosine over the user text, BM25 over whole exchanges, and on request cosine over those too
    (the retrieval of BEAM's paper; it embeds ten times the text)."""
    whole = [
        "\n".join(m.text for m in subject.messages[int(e)] if m.current) for e in subject.episodes.exchange_id
    ]
    by_terms = BM25(Bags.of([hashed(text) for text in whole]))
    found = {
        "bm25 whole exchange": _lexical(by_terms),
        "bm25 user text": _lexical(subject.episodes.bm25),
        "dense user text": _dense(subject.episodes.vectors, embedder),
    }
    if dense_whole:
        found["dense whole exchange"] = _dense(embedder.encode(whole), embedder)
    return found


def in_memory(
    size: str,
    messages: Iterable[Message | DeadLetter],
    probes: Sequence[Probe],
    embedder: Embedder,
    engine: Engine,
) -> Subject:
    """A subject from a reader's messages, all of one conversation."""
    read = (message for message in messages if isinstance(message, Message))
    stored = [_stored(seq, exchange, message) for seq, (exchange, message) in enumerate(number(read))]
    by_exchange = {exchange: list(group) for exchange, group in groupby(stored, key=lambda m: m.exchange_id)}
    seen = windows(stored, (), history_tokens=engine.history_tokens, assistant_tokens=engine.assistant_tokens)
    orders = [
        (window.exchange_id, note.kind, note.text, note.about)
        for window, extraction in zip(seen, engine.extract(seen), strict=True)
        if isinstance(extraction, Extraction)
        for note in extraction.notes
        if note.kind in STANDING_KINDS
    ]
    episodes = Episodes.from_table(episodic.rows(stored, "", embedder.encode))
    return Subject(size, episodes, Standing.of(orders, embedder.encode), by_exchange, probes)


def _ranked(order: NDArray[np.int64], evidence: set[int]) -> dict[str, float]:
    first = [int(i) for i in order[: max(RECALL_AT)]]
    values = {f"recall@{k}": recall(first, evidence, k) for k in RECALL_AT}
    return {
        **values,
        "hit@15": float(hit(first, evidence, 15)),
        "all@15": float(everything(first, evidence, 15)),
    }


def _lexical(index: BM25) -> Baseline:
    return lambda question: np.argsort(-index.score(hashed(question)[0]), kind="stable")


def _dense(vectors: NDArray[np.float32], embedder: Embedder) -> Baseline:
    return lambda question: np.argsort(-(vectors @ embedder.encode([question])[0]), kind="stable")


def _stored(seq: int, exchange: int, message: Message) -> StoredMessage:
    return StoredMessage(
        conversation_id=message.conversation_id,
        seq=seq,
        message_id=message.message_id if message.message_id is not None else str(seq),
        exchange_id=exchange,
        role=message.role,
        content=message.content,
        time=message.time,
        session=message.session,
        speaker=message.speaker,
        attachments=message.attachments,
        current=message.current,
        language=language(message.content),
        tokens=tokens.count(message.content),
    )
