"""The language that an answer is to be in: the one the user asked for, where the profile in the context says so, else
that of the question."""

from __future__ import annotations

import re

from memfold.context.types import Context
from memfold.layers.orders import STANDING
from memfold.llm.prompts import LANGUAGES, language_name
from memfold.retrieve.query import analyse
from memfold.text.language import UNKNOWN, language, likelier

_CODES = {"English": "en", "Mandarin": "zh", **{name: code for code, name in LANGUAGES.items()}}
_WISH = re.compile(r"answer language: (\w+)")
# What orders and questions say that speak of languages: "language" and the names of languages, in a few of them.
_SPEAKS_OF = re.compile(
    r"\b(?:language|sprache|langue|idioma|lingua|bilingual|translat|übersetz|tradu|engl|angl|ingl|span|español|fren|franz"
    r"|fran[cç]|germ|deutsch|chin|mandarin|cantonese|japan|korea|russ|ukrain|serb|arab|persi|farsi|urdu|hebr|ivrit"
    r"|greek|griech|grec|grieg|hindi|marathi|bengal|bangla|tamil|telugu|thai|georgi|armen)"
    r"|[中英日法德俄韩汉国外][文语語]|普通话|粤语|西班牙|阿拉伯|希腊|希伯来|印地|泰[文语]|语言|双语|翻译|译成",
    re.IGNORECASE,
)
# A letter that no language in Latin script has.
_OTHER_SCRIPT = re.compile(r"[^\W\d_\u0000-\u024f]")


def wished(context: Context) -> str | None:
    """The code of the language that the user wants answers in, of those that memfold can name; None where they did not
    say."""
    for piece in context.pieces:
        wish = _WISH.match(piece.text) if piece.role == "profile" else None
        if wish:
            return _CODES.get(wish[1])
    return None


def asked_in(question: str, context: Context) -> str:
    """The code of the question's language. A question too short to tell is taken to be in the language of what the user
    says in the context."""
    if analyse(question).language == "zh":
        return "zh"
    said = [piece.text for piece in context.pieces if piece.role == "user"]
    return likelier(question, language(" ".join(said)))


def answer_in(question: str, context: Context) -> str:
    """The code of the language that the user wants an answer in, or else asks in."""
    return wished(context) or asked_in(question, context)


def due(question: str, context: Context) -> str | None:
    """The code of the language that an answer must be in. None where it may be in another, because the question or an
    order in the context speaks of languages, or where the question does not tell."""
    orders = [piece.text for piece in context.pieces if piece.role in STANDING]
    if any(map(_SPEAKS_OF.search, [question, *orders])):
        return None
    code = answer_in(question, context)
    return None if code == UNKNOWN else code


def named(question: str, context: Context) -> str:
    """The name of the language for a model that is told to answer in it; empty where it would not stray: where all is
    in the language of its instructions."""
    code = answer_in(question, context)
    if code == "en" and not _OTHER_SCRIPT.search(question + context.text):
        return ""
    return language_name(code) or ""
