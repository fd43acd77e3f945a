"""What a probe may ask for: least and greatest values. Imports little: who is within them need not load `wire`."""

from __future__ import annotations

from memfold.given import storable

QUESTION_CHARACTERS = 10_000
BUDGET = (1, 128_000)
K = (1, 100)


def within(question: str, budget: object, k: object) -> bool:
    """Whether a probe of these values is in order; of any other `wire.parse` says what is wrong."""
    numbers = [(k, K), *([] if budget is None else [(budget, BUDGET)])]
    return (
        bool(question.strip())
        and len(question) <= QUESTION_CHARACTERS
        and storable(question)
        and all(type(value) is int and least <= value <= most for value, (least, most) in numbers)
    )
