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


def entries(question: str, context: Context) -> tuple[list[Candidate], str]:
    """The entries of the profile that answer a question or parts of it, and the parts that they leave open."""
    found, left, when = list[Candidate](), list[str](), days.said(context)
    for part, attribute in asked_for(question).items():
        if attribute is None:
            left.append(part)
            continue
        labels = tuple(f"{label}: " for label in _LABELS.get(attribute, (attribute,)))
        known = [
            Candidate(piece, piece.text, frozenset(terms(piece.text)), when.get(piece.exchange_id), 1.0)
            for piece in context.pieces
            if piece.role == "profile" and piece.text.startswith(labels)
        ]
        found += known
        left += [] if known else [part]
    return found, " and ".join(left)
