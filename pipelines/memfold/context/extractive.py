"""A reader without a model: it answers in sentences of the conversation, or says that they are not there.

A sentence is worth the share of the question's weight that its terms carry; a term weighs by how rare it is among
the context's sentences. What is answered are the few sentences that together carry most, quoted verbatim and
cited. It cannot count, compare or conclude: that is what a language model reads the same context for.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from memfold.context.types import Answer, Citation, Context, Piece
from memfold.errors import UserError
from memfold.retrieve.lexical import terms
from memfold.retrieve.query import analyse

NOT_THERE = {"en": "The conversation does not say.", "zh": "对话中没有提到。"}


@dataclass(frozen=True)
class Extractive:
    """At most `spans` sentences of together at most `characters`; an answer needs sentences that carry at least
    `threshold` of the question's weight. `rank` is how much the best hit's sentences gain over one that was not
    among the hits, `user` how much the user's words gain over the assistant's."""

    spans: int = 3
    characters: int = 900
    threshold: float = 0.4
    rank: float = 0.5
    user: float = 0.2

    def __post_init__(self) -> None:
        if self.spans < 1:
            raise UserError(f"reader.spans is {self.spans}: give at least 1")
        if self.characters < 40:
            raise UserError(f"reader.characters is {self.characters}: give at least 40")
        if not 0 <= self.threshold <= 1:
            raise UserError(f"reader.threshold is {self.threshold}: give a share from 0 to 1")
        for name in ("rank", "user"):
            if getattr(self, name) < 0:
                raise UserError(f"reader.{name} is {getattr(self, name)}: give 0 or more")

    def read(self, question: str, context: Context) -> Answer:
        """The answer to `question` from `context` alone; without citations where the evidence is not there."""
        query = analyse(question)
        chosen, support = self._choose(query.topic, context)
        usage = {"context_tokens": float(context.tokens), "support": round(support, 4)}
        if support < self.threshold:
            return Answer(NOT_THERE[query.language], (), context, usage)
        citations = tuple(Citation(piece.exchange_id, piece.message_ids, span) for piece, span in chosen)
        text = "\n".join(f"{citation.quote} [{citation.exchange_id}]" for citation in citations)
        return Answer(text, citations, context, usage)

    def _choose(self, topic: str, context: Context) -> tuple[list[tuple[Piece, str]], float]:
        """The spans of the answer in the order they were said, and the share of the question that they carry."""
        spans = [
            (piece, span) for part in context.parts for piece in part.pieces for span in sentences(piece.text)
        ]
        asked = set(terms(topic))
        found = [asked.intersection(terms(span)) for _, span in spans]
        common = Counter(term for one in found for term in one)
        weight = {term: math.log1p(len(spans) / (1 + common[term])) for term in asked}
        total = sum(weight.values())
        if not spans or not total:
            return [], 0.0
        top = max((hit.score for hit in context.hits), default=0.0)
        near = {hit.exchange_id: max(hit.score, 0.0) / top for hit in context.hits} if top > 0 else {}

        def worth(i: int, still: set[str]) -> float:
            piece = spans[i][0]
            said = self.user if piece.role != "assistant" else 0.0
            carried = sum(weight[term] for term in found[i] & still) / total
            return carried + self.rank * near.get(piece.exchange_id, 0.0) + said

        chosen: list[int] = []
        left, room = set(asked), self.characters
        while len(chosen) < self.spans:
            fitting = [i for i in range(len(spans)) if i not in chosen and len(spans[i][1]) <= room]
            best = max(fitting, key=lambda i: worth(i, left), default=None)
            if best is None or not found[best] & left:
                break
            chosen.append(best)
            left -= found[best]
            room -= len(spans[best][1])
        support = 1 - sum(weight[t] for t in left) / total
        return [spans[i] for i in sorted(chosen, key=lambda i: spans[i][0].exchange_id)], support


def sentences(text: str) -> Iterator[str]:
    """The sentences of `text` verbatim: cut at line ends, after 。！？；, and after . ! ? before a new beginning."""
    for line in text.splitlines():
        start = 0
        for match in _END.finditer(line):
            if span := line[start : match.end()].strip():
                yield span
            start = match.end()
        if span := line[start:].strip():
            yield span


# Not after a single capital ("J. Smith"), a list number at the line's start, or the commonest abbreviations.
_END = re.compile(
    r"[。！？；]+[”’」』）]*"
    r"|(?<!\b[A-Z])(?<!^\d)(?<!^\d\d)(?<!\b[Dd]r)(?<!\bMrs)(?<!\bM[rs])(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!\betc)"
    r"[.!?]+[\"'”’)\]]*(?=\s+[^\sa-z])"
)
