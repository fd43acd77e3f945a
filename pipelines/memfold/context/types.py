"""The values that a context and an answer are made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from memfold.retrieve.search import Hit


@dataclass(frozen=True, slots=True)
class Citation:
    """Where something was said. `quote` is the span an answer took from there, verbatim."""

    exchange_id: int
    message_ids: tuple[str, ...]
    quote: str = ""


@dataclass(frozen=True, slots=True)
class Piece:
    """One stretch of a context's text: what it says, who said it, and where it comes from."""

    exchange_id: int
    message_ids: tuple[str, ...]
    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Part:
    """A labelled section of a context. `tokens` counts the section with its label and its pieces' labels."""

    label: str
    text: str
    exchange_ids: tuple[int, ...]
    tokens: int
    pieces: tuple[Piece, ...] = ()


@dataclass(frozen=True, slots=True)
class Context:
    """`text` is what the reader gets, `tokens` its length in Qwen2.5 tokens, `hits` the search behind it.

    In `text` a piece begins with its exchange's number in brackets; `cite` says which messages that is.
    """

    text: str
    tokens: int
    parts: tuple[Part, ...]
    hits: tuple[Hit, ...]

    def cite(self, exchange_id: int) -> Citation:
        """The messages behind an exchange number that stands in the text; KeyError if it does not."""
        for part in self.parts:
            for piece in part.pieces:
                if piece.exchange_id == exchange_id:
                    return Citation(exchange_id, piece.message_ids)
        raise KeyError(f"no exchange {exchange_id} in this context")


@dataclass(frozen=True, slots=True)
class Answer:
    """`text` answers the probe and `citations` say on what it rests: none means that the evidence is not there."""

    text: str
    citations: tuple[Citation, ...]
    context: Context
    usage: Mapping[str, float] = field(default_factory=dict)
