"""What a probe may ask for: least and greatest values. Imports little: who is within them need not load `wire`."""

from __future__ import annotations

import re

QUESTION_CHARACTERS = 10_000
BUDGET = (1, 128_000)
K = (1, 100)
_SURROGATE = re.compile("[\ud800-\udfff]")


def within(question: str, budget: object, k: object) -> bool:
    """Whether a probe of these values is in order; of any other `wire.parse` says what is wrong."""
    numbers = [(k, K), *([] if budget is None else [(budget, BUDGET)])]
    return (
        bool(question.strip())
        and len(question) <= QUESTION_CHARACTERS
        and not _SURROGATE.search(question)
        and all(type(value) is int and least <= value <= most for value, (least, most) in numbers)
    )
