"""The kind of a question, by a model: one short request, for whatever the rules do not call small talk.

The instructions are `prompts/kind.md`, the answer's shape is `kind.schema.json`. Where there is no valid answer the
kind is what the rules told, and the usage says so.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from memfold.context.readers.by_model.asking import Asking
from memfold.llm.answers import answered, validator
from memfold.llm.generator import Generation, Prompt
from memfold.llm.prompts import free_mark, harmless, instructed, prompt_of
from memfold.retrieve.kinds import Told, Typed, ends_of

INSTRUCTIONS, _KIND = instructed(Path(__file__).parent / "prompts", "kind", 1)
# The longest answer of the schema is 22 tokens, and as many more where a model writes it over several lines.
KIND = replace(_KIND, max_tokens=48)

_VALIDATOR = validator(KIND.schema)


@dataclass(frozen=True)
class ModelTeller:
    """A teller (`memfold.retrieve.kinds.Teller`) that asks for every question."""

    asking: Asking

    def tell(self, conversation_id: str, question: str) -> Told:
        """See `memfold.retrieve.kinds.Teller`."""
        prompt = prompted(conversation_id, question)
        asked = self.asking.answer(lambda _: prompt, told)
        if asked.value is None:
            return Told(None, {**asked.usage, "untyped": 1.0})
        return Told(asked.value, asked.usage)


def prompted(conversation_id: str, question: str) -> Prompt:
    """The request: the question, of a long one what the rules look at."""
    text = ends_of(question)
    mark = free_mark([text], stable=True)
    lines = f"{mark} question", harmless(text), f"{mark} end"
    return prompt_of(INSTRUCTIONS, lines, KIND, conversation_id)


def told(made: Generation) -> Typed:
    """The kind that an answer holds; Invalid if it is none. What its kind rules out is not taken from it."""
    value = answered(made.text, made.finish_reason, _VALIDATOR)
    kind = value["kind"]
    said = kind == "said" or (value["answered"] and kind != "smalltalk")
    advice = value["advice"] and not said and kind in ("preference", "instruction")
    return Typed(kind, said, advice, by_model=True)
