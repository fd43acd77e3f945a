"""A total that is asked for, as the context reckons it (`memfold.context.sections.counts`), with the sentences that
name its terms. Reckons nothing itself."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from memfold.context.readers.quoting.candidates import Candidate
from memfold.context.sections.counts import RECKONED
from memfold.context.types import Context
from memfold.text.scripts import IDEOGRAPH


@dataclass(frozen=True, slots=True)
class Total:
    """`said` is the sum with its unit, `terms` how it is made, `rows` the sentence of each term."""

    said: str
    terms: str
    rows: tuple[Candidate, ...]


def total(context: Context, rows: Sequence[Candidate]) -> Total | None:
    """The sum of the most terms that the context reckons, where each of them stands in a sentence of `rows`; None where
    there are not two."""
    best: Total | None = None
    lines = [piece.text for part in context.parts if part.label == RECKONED for piece in part.pieces]
    for match in filter(None, map(_TALLY.match, lines)):
        terms = [(number, set(map(int, ids.split(", ")))) for number, ids in _TERM.findall(match["terms"])]
        found = [_named(number, ids, rows) for number, ids in terms]
        if len(found) < 2 or None in found or (best and len(found) <= len(best.rows)):
            continue
        gap = "" if IDEOGRAPH.search(match["unit"]) else " "
        how = " + ".join(number for number, _ in terms)
        best = Total(f"{match['sum']}{gap}{match['unit']}", how, tuple(row for row in found if row))
    return best


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


_TALLY = re.compile(r"(?P<unit>[^,]+), \d+ mentions?: (?P<terms>.+) = (?P<sum>[\d.]+); latest")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_TERM = re.compile(r"([\d.]+) \[([\d, ]+)\]")
