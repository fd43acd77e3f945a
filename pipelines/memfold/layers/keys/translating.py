"""Keys in a second language, by a model: one request for each exchange that has any, so that what an exchange is found
by depends on that exchange alone.

The instructions are `translating.md`, the answer's shape is `translating.schema.json`. What a model wrote is only a
key: it is compared with questions and shown to nobody. Where there is no valid answer an exchange has its keys in its
own language.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from memfold.extract.contract import clean
from memfold.layers.keys.wanted import MOST, Wanted
from memfold.llm.answers import Invalid, answered, check_language, check_texts, validator
from memfold.llm.asker import Asker
from memfold.llm.generator import Generation, Prompt, Task
from memfold.llm.judged import Question, judged
from memfold.llm.prompts import (
    instructed,
    language_name,
    listed,
    longest_translation,
    numbered,
    prompt_of,
)
from memfold.text import tokens

INSTRUCTIONS, TRANSLATING = instructed(Path(__file__).parent, "translating", 1)
# To be raised when an answer is judged in another way.
_JUDGING = 2

log = logging.getLogger(__name__)

_VALIDATOR = validator(TRANSLATING.schema)


@dataclass(frozen=True)
class Translating:
    """Says texts in another language. For any number of threads. BudgetSpent, and UserError where nobody answers any
    more; an exchange whose answers are of no use is left without."""

    asker: Asker

    @property
    def signature(self) -> str:
        """All that a translation depends on besides the texts: the model, the prompt, the settings."""
        return self.asker.generator.signed(f"keys-{_JUDGING}", task(1), _JUDGING, MOST)

    def __call__(self, wanted: Sequence[Wanted]) -> list[tuple[str, ...]]:
        """The texts of each in its language, in order; none where there is no valid answer."""
        made = judged(
            self.asker,
            [Question(partial(request, each), partial(_read, each), each.exchange_id) for each in wanted],
        )
        if lacking := made.count(None):
            log.warning("%d of %d exchanges have no keys in a second language", lacking, len(made))
        return [texts or () for texts in made]


def _read(wanted: Wanted, made: Generation) -> tuple[str, ...]:
    return translated(wanted, answered(made.text, made.finish_reason, _VALIDATOR)["texts"])


@cache
def task(texts: int) -> Task:
    """The kind of request about so many texts: its answer has exactly as many."""
    schema: Any = deepcopy(TRANSLATING.schema)
    schema["properties"]["texts"] |= {"minItems": texts, "maxItems": texts}
    return replace(TRANSLATING, schema=schema)


def request(wanted: Wanted, problem: str = "") -> Prompt:
    """The request about the texts of an exchange. `problem` is what was wrong with the answer before, in words of this
    project."""
    notes = [numbered(n, text) for n, text in enumerate(wanted.texts, start=1)]
    lines = listed("notes", notes, f", translate into {language_name(wanted.into)}", stable=True)
    longest = sum(longest_translation(tokens.count(text)) for text in wanted.texts)
    of = replace(task(len(wanted.texts)), max_tokens=longest)
    return prompt_of(INSTRUCTIONS, lines, of, wanted.conversation_id, problem)


def translated(wanted: Wanted, texts: Sequence[str]) -> tuple[str, ...]:
    """The texts of an answer, each on one line; Invalid where they are not those of the exchange in its second
    language."""
    lines = [" ".join(clean(text).split()) for text in texts]
    if len(lines) != len(wanted.texts):
        raise Invalid("it had another number of texts")
    if not all(lines):
        raise Invalid("a text in it was empty")
    bounds = [longest_translation(len(text)) for text in wanted.texts]
    check_texts(list(zip(lines, bounds, strict=True)), [])
    check_language(" ".join(lines), wanted.into, ())
    return tuple(line[:bound] for line, bound in zip(lines, bounds, strict=True))
