"""Whether an answer in quotes to a made-up probe is right, told without a judge.

It is if it holds every value (a name, a date, a number, a sum) that was planted in the messages the probe rests on, or
follows from them, and, where what was planted is no value but statements (an order, a summary, a contradiction), if it
cites every one of them; an abstention, if nothing is cited.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from memfold.context.types import Answer
from memfold.evaluate.probe import Probe


def planted(probe: Probe, evidence: Sequence[str]) -> list[str]:
    """The values a right answer holds: those said in so many words in the texts of the probe's evidence, and the
    numbers that follow from them."""
    return [
        value
        for value in probe.rubric
        if any(value in content for content in evidence) or any(map(str.isdigit, value))
    ]


def is_right(answer: Answer, evidence: Sequence[str], planted: Sequence[str]) -> bool:
    """Whether an answer to a probe that rests on these messages holds the planted values, or, where none is a value,
    cites all of the messages; without evidence, whether it cites nothing."""
    if not evidence:
        return not answer.citations
    if planted:
        said = [answer.text, *(citation.quote for citation in answer.citations)]
        return all(any(holds(text, value) for text in said) for value in planted)
    return {each for citation in answer.citations for each in citation.message_ids}.issuperset(evidence)


def holds(text: str, value: str) -> bool:
    """Whether a text names a value as a whole word or number: "120" and "2024-12-05" do not name "12". The day and the
    exchange's number around a quote do not count."""
    return re.search(f"{_BEFORE}{re.escape(value)}{_BEHIND}", _PLACED.sub("", text)) is not None


# What an answer puts around a quote: the day on which it was said, and the exchange's number.
_PLACED = re.compile(r"^[^\S\n]*(?:-|\d+\.) (?:\d{4}-\d\d-\d\d\b)?|\[\d+\](?=:?$)", re.MULTILINE)
_BEFORE, _BEHIND = r"(?<![0-9A-Za-z])(?<!\d[-.,:/])", r"(?![0-9A-Za-z]|[-.,:/]\d)"
