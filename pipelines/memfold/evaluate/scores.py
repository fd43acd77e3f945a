"""What a ranking and a context are worth, against the evidence that a probe cites."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Sequence

from memfold.schema import StoredMessage
from memfold.text.fences import without_code
from memfold.text.language import language
from memfold.text.sentences import sentences

# So many characters of a message's own sentences, whichever they are, stand for it; or all that it has.
ENOUGH = 150
# A part of a sentence counts if it has at least this many characters: fewer occur in other texts too.
PART = 40
# By its opening a message stands in a context from so many characters up (or all of it): an assistant's 600 say what it
# answers, a user's 240 what is asked or told.
OPENING = {"user": 240, "assistant": 600}


def recall(ranked: Sequence[int], evidence: Collection[int], k: int) -> float:
    """The share of the evidence exchanges among the first k."""
    return len(set(ranked[:k]) & set(evidence)) / len(set(evidence))


def hit(ranked: Sequence[int], evidence: Collection[int], k: int) -> bool:
    """Whether any evidence is among the first k."""
    return recall(ranked, evidence, k) > 0


def everything(ranked: Sequence[int], evidence: Collection[int], k: int) -> bool:
    """Whether all evidence is among the first k."""
    return recall(ranked, evidence, k) == 1


def coverage(context: str, evidence: Sequence[StoredMessage]) -> float:
    """The share of the evidence messages of which at least `ENOUGH` characters stand in `context`, in sentences or
    stretches of sentences that begin with a clause, or all of a shorter one; white space does not count."""
    text = _squeezed(context)
    return sum(_stands(message.text, text) for message in evidence) / len(evidence)


def coverage_opening(context: str, evidence: Sequence[StoredMessage]) -> float:
    """The share of the evidence messages whose beginning stands in `context`: the first `OPENING` characters, or those
    it has; white space does not count, and code blocks may have been left out."""
    text = _squeezed(context)
    return sum(any(opening in text for opening in _openings(message)) for message in evidence) / len(evidence)


def _stands(message: str, text: str) -> bool:
    said = dict.fromkeys(filter(None, map(_squeezed, sentences(message, language(message)))))
    enough = min(ENOUGH, sum(map(len, said)))
    return _squeezed(message) in text or sum(_shown(sentence, text) for sentence in said) >= enough


def _shown(sentence: str, text: str) -> int:
    """How many characters of a sentence stand in `text`: all, or those of stretches that begin with a clause."""
    if sentence in text:
        return len(sentence)
    clauses = _CLAUSE.findall(sentence)
    total = at = 0
    while at < len(clauses):
        stretch = ""
        while at < len(clauses) and stretch + clauses[at] in text:
            stretch += clauses[at]
            at += 1
        if at < len(clauses):
            stretch += _beginning(stretch, clauses[at], text)
            at += 1
        total += len(stretch) if len(stretch) >= PART else 0
    return total


def _beginning(before: str, clause: str, text: str) -> str:
    """The longest beginning of `clause` that stands in `text` right behind `before`."""
    size = bisect_left(range(1, len(clause) + 1), True, key=lambda n: before + clause[:n] not in text)
    return clause[:size]


def _openings(message: StoredMessage) -> list[str]:
    enough = OPENING["assistant" if message.role == "assistant" else "user"]
    prose = without_code(message.text, " ")
    forms = [message.text.strip()[:enough]]
    if message.role != "assistant" and prose.strip():
        forms.append(" ".join(prose.split())[:enough])
    return [_squeezed(form) for form in forms]


_CLAUSE = re.compile(r"[^,;:，、；：]*[,;:，、；：]+|[^,;:，、；：]+")
_SPACE = re.compile(r"\s+")


def _squeezed(text: str) -> str:
    return _SPACE.sub("", text)
