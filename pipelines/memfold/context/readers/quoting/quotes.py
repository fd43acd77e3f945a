"""What is shown of a sentence: with what else its message says, or the part of it that bears on the question."""

from __future__ import annotations

import re

from memfold.context.readers.quoting import compose, worth
from memfold.context.readers.quoting.candidates import Candidate, clause, clause_ends
from memfold.context.readers.quoting.compose import Shown
from memfold.context.readers.quoting.reading import Reading


def quote(reading: Reading, row: Candidate) -> Shown:
    """A sentence with what else its message says, if that is short; of a long one the stretch that carries most of the
    question."""
    how = reading.how
    whole = _whole(reading, row, how.item)
    return row, whole or compose.part(row.text, reading.weight, how.quote, clause_ends(row.text))


def message(reading: Reading, row: Candidate) -> Shown:
    """The same, but with what else a longer message says."""
    whole = _whole(reading, row, reading.how.quote)
    return (row, whole) if whole else quote(reading, row)


def item(reading: Reading, row: Candidate) -> Shown:
    """What a list shows of a sentence: its beginning, or its short message if that says more."""
    most = reading.how.item
    whole = _whole(reading, row, most)
    return row, whole if len(whole) > len(row.text) else clause(row.text, most // 3, most)


def _whole(reading: Reading, row: Candidate, most: int) -> str:
    """A sentence with the other statements of its message, verbatim, if the user or an agent wrote it and they are
    together of at most `most` characters: the next sentence often says what "it" is, and why. Else empty."""
    if row.piece.role != "user" and not (reading.context.agent and row.piece.role == "assistant"):
        return ""
    said, rows = row.piece.text, reading.rows if row.piece.role == "user" else reading.answers
    others = (one for one in rows if one.piece is row.piece and one is not row)
    told = [row, *(one for one in others if not worth.states_nothing(one.text))]
    start = min(said.find(one.text) for one in told)
    whole = said[start : max(said.rfind(one.text) + len(one.text) for one in told)]
    fits = len(whole) <= most and not _BROKEN.search(whole) and not any(one.cut for one in told)
    return whole if fits else ""


# Left out, on several lines, or code.
_BROKEN = re.compile(r"…|\n|```")
