"""The notes that a model keeps for a question: one request, in which it is shown the nearest chunks.

The instructions are `prompts/filter.md`, the answer's shape is `filter.schema.json`. Where there is no valid
answer nothing is left out, and the usage says so.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from memfold.context.readers.by_model.asking import Asking
from memfold.layers.scratchpad.items import Item, render
from memfold.llm.answers import Invalid, answered, validator
from memfold.llm.generator import Generation, Prompt, Task
from memfold.llm.prompts import free_mark, harmless, instructed, prompt_of
from memfold.retrieve.notes import Near, Notes
from memfold.text import tokens

INSTRUCTIONS, FILTER = instructed(Path(__file__).parent / "prompts", "filter", 3)
# Blanks around brackets, and the token that ends an answer.
SPARE = 8

_VALIDATOR = validator(FILTER.schema)


@dataclass(frozen=True)
class ModelFilter:
    """A filter (`memfold.retrieve.notes.Filter`) that shows the model the nearest `shown` chunks."""

    asking: Asking
    shown: int

    def choose(self, near: Near) -> Notes:
        """The items of the chunks that are kept, the nearest first; those of chunks not shown are not."""
        chunks = near.chunks[: self.shown]
        if not chunks:
            return near.all()
        groups = [[near.items[place] for place in chunk] for chunk in chunks]
        prompt = prompted(near.conversation_id, near.question, groups)
        asked = self.asking.answer(
            lambda _: prompt, lambda made: kept(made, len(groups)), shorter="set reader.shown to less"
        )
        if asked.value is None:
            return Notes(near.items, {**asked.usage, "unfiltered": 1})
        return Notes(near.only(asked.value), asked.usage)


def prompted(conversation_id: str, question: str, groups: Sequence[Sequence[Item]]) -> Prompt:
    """The request: the groups, numbered from 1, and the question."""
    noted = [[" ".join(render(item).split()) for item in group] for group in groups]
    mark = free_mark([question, *(line for lines in noted for line in lines)])
    text = [
        *(line for n, lines in enumerate(noted, start=1) for line in (f"{mark} {n}", *lines)),
        f"{mark} question",
        question,
        f"{mark} end",
    ]
    return prompt_of(INSTRUCTIONS, map(harmless, text), choice(len(groups)), conversation_id)


@cache
def choice(groups: int) -> Task:
    """The kind of request about so many groups: its answer has no more numbers and tokens than all of them."""
    schema: Any = deepcopy(FILTER.schema)
    schema["properties"]["keep"]["maxItems"] = groups
    most = json.dumps({"keep": list(range(1, groups + 1))})
    return replace(FILTER, schema=schema, max_tokens=tokens.count(most) + SPARE)


def kept(made: Generation, groups: int) -> list[int]:
    """The groups an answer keeps, counted from 0; Invalid if it is no answer or names one that there is not."""
    numbers = sorted(set(map(int, answered(made.text, made.finish_reason, _VALIDATOR)["keep"])))
    if numbers and not 1 <= numbers[0] <= numbers[-1] <= groups:
        raise Invalid("a number in it was of no group")
    return [number - 1 for number in numbers]
