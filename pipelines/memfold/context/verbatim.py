"""Quotes as they stand in the messages that they are cited from.

A context puts a message on one line, without its blocks of code, and an order with straight apostrophes: of BEAM's
first eight conversations 67 of 1,276 quotes stood in no message that way.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from unicodedata import normalize

from memfold.context.focus import MARK
from memfold.context.types import Answer, Citation
from memfold.text.fences import blocks


def verbatim(answer: Answer, contents: Mapping[str, str]) -> Answer:
    """`answer` with each citation's quote as it stands in one of its messages; empty if it stands in none. `contents`
    are the messages' texts by id."""

    def found(one: Citation) -> str:
        cited = (contents.get(each, "") for each in one.message_ids)
        return next(filter(None, (as_said(one.quote, content) for content in cited)), "")

    return replace(answer, citations=tuple(replace(each, quote=found(each)) for each in answer.citations))


def as_said(quote: str, message: str) -> str:
    """The part of `message` with the same letters as `quote`, whatever white space and code stand between them, and
    without the mark for an omission at the end; empty if there is no such part."""
    if quote in message:
        return quote
    wanted = "".join(letter for _, letter in _letters(quote.removesuffix(MARK), 0))
    for kept in ([(0, len(message))], _prose(message)):
        letters = [each for start, end in kept for each in _letters(message[start:end], start)]
        at = "".join(letter for _, letter in letters).find(wanted)
        if at >= 0 and wanted:
            return message[letters[at][0] : letters[at + len(wanted) - 1][0] + 1]
    return ""


def _prose(message: str) -> list[tuple[int, int]]:
    """Where the stretches between blocks of code begin and end."""
    codes = [match.span() for match in blocks(message)]
    starts, ends = [start for start, _ in codes], [end for _, end in codes]
    return list(zip([0, *ends], [*starts, len(message)], strict=True))


def _letters(text: str, start: int) -> list[tuple[int, str]]:
    """The characters other than white space, each with its place in the message: in lower case, with straight
    apostrophes, and with their accents as characters of their own."""
    return [
        (at, each)
        for at, letter in enumerate(text, start)
        if not letter.isspace()
        for each in ("'" if letter == "’" else normalize("NFD", letter.lower()))
    ]
