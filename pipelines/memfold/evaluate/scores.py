"""What a ranking and a context are worth, against the evidence that a probe cites."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from memfold.schema import StoredMessage

# An excerpt stands for its message from so many characters up (or all of it): an assistant's opening of 600
# characters says what it answers; a user's of 240 what is asked or told.
ENOUGH = {"user": 240, "assistant": 600}


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
    """The share of the evidence messages whose text stands in `context`.

    A message stands there with its first `ENOUGH` characters, or with those it has; white space does not count,
    and code blocks may have been left out.
    """
    text = _squeezed(context)
    return sum(any(opening in text for opening in _openings(message)) for message in evidence) / len(evidence)


def _openings(message: StoredMessage) -> list[str]:
    enough = ENOUGH["assistant" if message.role == "assistant" else "user"]
    prose = _CODE.sub(" ", message.text)
    forms = [message.text.strip()[:enough]]
    if message.role != "assistant" and prose.strip():
        forms.append(" ".join(prose.split())[:enough])
    return [_squeezed(form) for form in forms]


_CODE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_SPACE = re.compile(r"\s+")


def _squeezed(text: str) -> str:
    return _SPACE.sub("", text)
