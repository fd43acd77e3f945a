"""Whether a question is in another language than the conversation, and who can say it in that. Knows no model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from memfold.text.language import UNKNOWN, language, or_english

# So many exchanges, evenly spaced, tell which language a conversation is in.
SAMPLED = 256


@dataclass(frozen=True, slots=True)
class Translation:
    """A question in another language, None where nobody could say it, and what asking for it cost."""

    text: str | None
    usage: Mapping[str, float] = field(default_factory=dict)


class Translator(Protocol):
    """Says a question in another language; from any thread, and it may wait for a model."""

    def translate(self, conversation_id: str, question: str, into: str) -> Translation:
        """`into` is an ISO 639-1 code."""
        ...


def spoken(said: Sequence[str]) -> str:
    """The language of most of a conversation, by what the user said in each exchange; "und" where none is told."""
    found = Counter(map(language, said[:: max(1, len(said) // SAMPLED)]))
    del found[UNKNOWN]
    return found.most_common(1)[0][0] if found else UNKNOWN


def foreign(question: str, to: str) -> bool:
    """Whether a question is in another language than `to`; what is told of neither is English."""
    return or_english(language(question)) != or_english(to)
