"""Which of several things a question means, by a name, an identifier or a time, and which sentences are about another.
Knows no ranking."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from memfold.context.readers.quoting.candidates import Candidate, call_of
from memfold.context.types import Context
from memfold.retrieve.named import Thing, named
from memfold.text.machine import readable


@dataclass(frozen=True, slots=True)
class Meant:
    """What a question names: the one `thing` of several of a kind, `identifiers` (LO-70111), and the one `time` of day,
    if a line of a log has that stamp, else empty. `told` are the identifiers in the context, where it names any."""

    thing: Thing | None
    identifiers: frozenset[str]
    told: frozenset[str]
    time: str

    @staticmethod
    def by(question: str, rows: Sequence[Candidate], context: Context) -> Meant:
        """What a question means among the sentences of a context."""
        found = identifiers(question)
        told = frozenset[str]().union(*(identifiers(piece.text) for piece in context.pieces) if found else ())
        return Meant(named(question, [row.text for row in rows]), found, told, _time(question, rows))

    def another(self, row: Candidate) -> bool:
        """Whether a sentence is about another one."""
        if self.thing is not None and self.thing.another(row.text):
            return True
        return row.data and (
            (bool(self.identifiers) and self._identifies_another(row))
            or (bool(self.time) and self.time not in row.terms and _stamped(row))
        )

    def _identifies_another(self, row: Candidate) -> bool:
        """Whether a record has another identifier of a kind that the question names, or the context lacks that one."""
        here = identifiers(row.text) | identifiers(call_of(row.piece.text)[1])
        alike = {shape(each) for each in here}
        return any(shape(each) in alike or each not in self.told for each in self.identifiers - here)


def _time(question: str, rows: Sequence[Candidate]) -> str:
    if len(_CLOCK.findall(question)) != 1 or _AROUND.search(question):
        return ""
    logged = frozenset[str]().union(*(row.terms for row in rows if row.data and _stamped(row)))
    times = sorted(_CLOCK.findall(readable(question)), key=len, reverse=True)
    return next((time for time in times if time in logged), "")


@lru_cache(maxsize=8192)
def identifiers(text: str) -> frozenset[str]:
    """The identifiers in a text, in small letters: words with letters and digits, long numbers that are no year."""
    return frozenset(map(str.lower, _IDENTIFIER.findall(text)))


def shape(value: str) -> str:
    """An identifier or a figure with each number replaced by 0: "2.3.1" and "2.2.3" have one shape."""
    return re.sub(r"\d+", "0", value)


def _stamped(row: Candidate) -> bool:
    """Whether a stretch of data begins with a time, as lines of logs do. Other times are values: whoever asks for a
    table at 19:00 also wants to hear of 19:30."""
    return _STAMPED.match(row.text) is not None


_IDENTIFIER = re.compile(
    r"(?<![\w.,:/-])(?:(?=[A-Za-z_-]*\d[\w-]*\d)[A-Za-z]+[\w-]*\d[\w-]*|(?!(?:19|20)\d\d\b)\d{4,})(?![\w:/]|[.,]\d)"
)
_CLOCK = re.compile(r"(?<![\d:])\d\d:\d\d(?::\d\d)?(?![\d:])")
_STAMPED = re.compile(
    r"\W*(?:\w{1,10}\W{1,4})?(?:\d{4}[-/]\d\d[-/]\d\d[T ]|[A-Z][a-z]{2} +\d{1,2} )?\d\d:\d\d(?::\d\d)?(?![\d:])"
)
# A time that bounds what is asked for.
_AROUND = re.compile(
    r"\b(?:between|before|after|since|until|till|from|vor|nach|seit|bis)\b|之前|之后|以前|以后", re.IGNORECASE
)
