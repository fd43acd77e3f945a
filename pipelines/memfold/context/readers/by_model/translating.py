"""A question in the conversation's language, by a model: one request, and none where question and conversation have one
language.

The instructions are `prompts/translate.md`, the answer's shape is `translate.schema.json`. What a model wrote is only
searched for; where there is no valid answer the question is searched as it was put, and the usage says so.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from memfold.context.readers.by_model.asking import Asking
from memfold.llm.answers import Invalid, answered, check_language, check_texts, validator
from memfold.llm.generator import Generation, Prompt
from memfold.llm.prompts import free_mark, harmless, instructed, language_name, longest_translation, prompt_of
from memfold.retrieve.translated import Translation
from memfold.text import tokens

INSTRUCTIONS, TRANSLATE = instructed(Path(__file__).parent / "prompts", "translate", 1)
# Tokens of a question that is translated at most: a longer one is a text, and searched as it was put.
LONGEST = 400

_VALIDATOR = validator(TRANSLATE.schema)


@dataclass(frozen=True)
class ModelTranslator:
    """A translator (`memfold.retrieve.translated.Translator`) into English and the languages that `LANGUAGES` names."""

    asking: Asking

    def translate(self, conversation_id: str, question: str, into: str) -> Translation:
        """See `memfold.retrieve.translated.Translator`."""
        name = language_name(into)
        if name is None:
            return Translation(None)
        if tokens.count(question) > LONGEST:
            return Translation(None, {"untranslated": 1.0})
        prompt = prompted(conversation_id, question, name)
        asked = self.asking.answer(lambda _: prompt, lambda made: translation(made, question, into))
        if asked.value is None:
            return Translation(None, {**asked.usage, "untranslated": 1.0})
        return Translation(asked.value, asked.usage)


def prompted(conversation_id: str, question: str, tongue: str) -> Prompt:
    """The request: the question, and the name of the language that it is wanted in."""
    mark = free_mark([question], stable=True)
    lines = f"{mark} question", harmless(question), f"{mark} end, translate into {tongue}"
    task = replace(TRANSLATE, max_tokens=longest_translation(tokens.count(question)))
    return prompt_of(INSTRUCTIONS, lines, task, conversation_id)


def translation(made: Generation, question: str, into: str) -> str:
    """The question that an answer holds, on one line; Invalid if it is none."""
    text = " ".join(answered(made.text, made.finish_reason, _VALIDATOR)["question"].split())
    if not text:
        raise Invalid("it said nothing")
    check_texts([(text, longest_translation(len(question)))], [])
    check_language(text, into, ())
    return text
