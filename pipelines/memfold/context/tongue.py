"""The language that an answer is to be in: the one the user asked for, where the profile in the context says so, else
that of the question."""

from __future__ import annotations

import re

from memfold.context.types import Context
from memfold.llm.prompts import LANGUAGES
from memfold.retrieve.query import analyse
from memfold.text.language import language, likelier

_CODES = {"English": "en", "Mandarin": "zh", **{name: code for code, name in LANGUAGES.items()}}
_WISH = re.compile(r"answer language: (\w+)")
# A letter that no language in Latin script has.
_OTHER_SCRIPT = re.compile(r"[^\W\d_\u0000-\u024f]")


def wished(context: Context) -> str | None:
    """The code of the language that the user wants answers in, of those that memfold can name; None where they did not
    say."""
    for part in context.parts:
        for piece in part.pieces:
            wish = _WISH.match(piece.text) if piece.role == "profile" else None
            if wish:
                return _CODES.get(wish[1])
    return None


def asked_in(question: str, context: Context) -> str:
    """The code of the question's language. A question too short to tell is taken to be in the language of what the user
    says in the context."""
    if analyse(question).language == "zh":
        return "zh"
    said = [piece.text for part in context.parts for piece in part.pieces if piece.role == "user"]
    return likelier(question, language(" ".join(said)))


def named(question: str, context: Context) -> str:
    """The name of the language for a model that is told to answer in it; empty where it would not stray: where all is
    in the language of its instructions."""
    code = wished(context) or asked_in(question, context)
    if code == "en" and not _OTHER_SCRIPT.search(question + context.text):
        return ""
    return "English" if code == "en" else LANGUAGES.get(code, "")
