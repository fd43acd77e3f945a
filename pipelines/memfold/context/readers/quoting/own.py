"""Questions about the one who asks, answered from the profile in the context. Knows no ranking."""

from __future__ import annotations

from memfold.context.readers.quoting import days
from memfold.context.readers.quoting.candidates import Candidate
from memfold.context.types import Context
from memfold.layers.profile.asked import asked_for
from memfold.text.terms import terms

# Labels of entries that answer a question for an attribute, where they are not its name.
_LABELS = {
    "name": ("name", "name in Chinese"),
    "language": ("language", "native language", "learning language"),
}


def entries(question: str, context: Context) -> list[Candidate]:
    """The entries of the profile that answer a question which asks for nothing else; none where it does, or where
    nothing is known."""
    asked = asked_for(question)
    if asked is None:
        return []
    labels = tuple(f"{label}: " for label in _LABELS.get(asked, (asked,)))
    when = days.said(context)
    return [
        Candidate(piece, piece.text, frozenset(terms(piece.text)), when.get(piece.exchange_id), 1.0)
        for piece in context.pieces
        if piece.role == "profile" and piece.text.startswith(labels)
    ]
