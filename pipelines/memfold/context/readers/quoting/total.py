"""A total that is asked for, as the context reckons it (`memfold.context.sections.counts`), with the sentences that
name its terms. Reckons nothing itself."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from decimal import Decimal

from memfold.context.readers.quoting.candidates import Candidate
from memfold.context.sections.counts import RECKONED
from memfold.context.types import Context
from memfold.retrieve.reckon import adds
from memfold.text.scripts import IDEOGRAPH
from memfold.text.terms import terms


@dataclass(frozen=True, slots=True)
class Total:
    """`said` is the sum with its unit, `terms` how it is made, `rows` the sentence of each term, `exchanges` all that
    name one."""

    said: str
    terms: str
    rows: tuple[Candidate, ...]
    exchanges: frozenset[int] = frozenset()


def sure(found: Total, rows: Sequence[Candidate], question: str, asked: Set[str]) -> bool:
    """Whether the terms of a sum are what is asked for, and all of it. Each is a sentence of its own, the user's (and
    of the user alone, if the question is), which has all of the `asked` words and states what has happened; each but
    the first says that it adds. No other sentence of the user's has those words with a number. Told for English."""
    # "How many books do I have?" names no more than the unit: read, bought and lent books are no sum.
    if not asked - set(terms(found.said)) or len(set(found.rows)) < len(found.rows):
        return False
    of = [row for row in rows if row.piece.role == "user" and asked <= row.terms]
    named = [row for row in of if _NUMBER.search(row.text)]
    repeated = [row for row in named if row not in found.rows]
    own = _ME.search(question) is not None
    return (
        all(row in of and not _OTHERWISE.search(row.text) for row in found.rows)
        and all(not own or (_ME.search(row.text) and not _THEY.search(row.text)) for row in found.rows)
        and all(adds(row.text) for row in found.rows[1:])
        and all(row.exchange in found.exchanges and not adds(row.text) for row in repeated)
    )


def total(context: Context, rows: Sequence[Candidate]) -> Total | None:
    """The sum of the most terms that the context reckons, where each of them stands in a sentence of `rows`; None where
    there are not two, where something is left out, and where there is money of several signs."""
    best: Total | None = None
    lines = [piece.text for part in context.parts if part.label == RECKONED for piece in part.pieces]
    tallies = [match for match in map(_TALLY.match, lines) if match]
    if len(tallies) < len(lines) or sum(_SIGN.fullmatch(each["unit"]) is not None for each in tallies) > 1:
        return None
    for match in tallies:
        parts = [(number, set(map(int, ids.split(", ")))) for number, ids in _TERM.findall(match["terms"])]
        found = [_named(number, ids, rows) for number, ids in parts]
        if len(found) < 2 or None in found or (best and len(found) <= len(best.rows)):
            continue
        said = _said(match["sum"], match["unit"])
        how = " + ".join(number for number, _ in parts)
        exchanges = frozenset[int]().union(*(ids for _, ids in parts))
        best = Total(said, how, tuple(row for row in found if row), exchanges)
    return best


def _said(number: str, unit: str) -> str:
    """A sum with its unit; one of money with its sign."""
    if _SIGN.fullmatch(unit):
        return f"{unit}{number if Decimal(number) % 1 == 0 else f'{Decimal(number):.2f}'}"
    return f"{number}{'' if IDEOGRAPH.search(unit) else ' '}{unit}"


def _named(number: str, exchanges: set[int], rows: Sequence[Candidate]) -> Candidate | None:
    """The sentence of some exchanges that names a number, in the user's words where they do."""
    wanted = Decimal(number)
    naming = [
        row
        for row in rows
        if row.exchange in exchanges
        and row.piece.role in ("user", "assistant")
        and wanted in map(Decimal, _NUMBER.findall(row.text.replace(",", "")))
    ]
    return min(naming, key=lambda row: row.piece.role != "user", default=None)


_TALLY = re.compile(r"(?P<unit>[^,]+), \d+ mentions?: (?P<terms>.+) = (?P<sum>[\d.]+)\Z")
_SIGN = re.compile(r"[A-Z]{0,3}[$€£¥]")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_TERM = re.compile(r"([\d.]+) \[([\d, ]+)\]")
_ME = re.compile(r"\b(?:I|[Ww]e)\b")
_THEY = re.compile(r"\b(?:he|she|they|his|hers?|their|you)\b", re.IGNORECASE)
# What may be no such term: a plan or a wish, what is denied or taken back, a rate, a state that holds the terms before
# it already; a figure that is read otherwise ("1 200", "84,30").
_OTHERWISE = re.compile(
    r"\b(?:will|would|shall|should|could|might|may|can|going to|want\w*|need\w*|plan\w*|goal|target|aim\w*|hop(?:e|ing)"
    r"|wish|try\w*|trying|intend\w*|if|unless|per|each|every|than|total|altogether|overall|combined|so far|now|by now"
    r"|up to|reach\w*|left|remain\w*|no|not|never|none|without|instead|back|refund\w*|return\w*|cancel\w*|almost"
    r"|nearly|about|around|between)\b|n['’]t\b|['’](?:ll|d)\b|\d \d{3}\b|\d,\d{1,2}(?!\d)|[?]",
    re.IGNORECASE,
)
