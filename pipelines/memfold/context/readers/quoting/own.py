"""Questions about the one who asks, answered from the profile in the context. Knows no ranking."""

from __future__ import annotations

from memfold.context.readers.quoting.candidates import Candidate, of_roles
from memfold.context.types import Context
from memfold.layers.profile.asked import asked_for

# Labels of entries that answer a question for an attribute, where they are not its name.
_LABELS = {
    "name": ("name", "name in Chinese"),
    "language": ("language", "native language", "learning language"),
}


def entries(question: str, context: Context) -> tuple[list[Candidate], str]:
    """The entries of the profile that answer a question or parts of it, and the parts that they leave open."""
    found, left, profile = list[Candidate](), list[str](), of_roles(context, ("profile",))
    for part, attribute in asked_for(question).items():
        if attribute is None:
            left.append(part)
            continue
        labels = tuple(f"{label}: " for label in _LABELS.get(attribute, (attribute,)))
        known = [row for row in profile if row.text.startswith(labels)]
        found += known
        left += [] if known else [part]
    return found, " and ".join(left)
