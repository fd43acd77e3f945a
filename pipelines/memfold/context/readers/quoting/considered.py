"""Which sentences are embedded and compared with a question: those whose words and place promise most.
Knows no vectors."""

from __future__ import annotations

from functools import partial

from memfold.context.readers.quoting import abstain, worth
from memfold.context.readers.quoting.candidates import Candidate
from memfold.context.readers.quoting.choose import denied
from memfold.context.readers.quoting.reading import BY_NAMED, MEASURED, NAMED, REPLIED, Reading


def considered(reading: Reading) -> list[Candidate]:
    """The sentences to embed; none where the question has no terms. Where the answer is a list, each exchange has one:
    its best."""
    if not reading.weight:
        return []
    limit = reading.how.considered // 2 if reading.ends else reading.how.considered
    promise = partial(_promise, reading, frozenset(hit.exchange_id for hit in reading.context.hits))
    if not reading.query.broad:
        few = worth.nearest(reading.rows, promise, limit)
        if not reading.want.advice:
            return few
        # More of the assistant's, because they choose the exchange that is quoted.
        answers = [row for row in reading.rows if row.piece.role == "assistant"]
        return list(dict.fromkeys([*few, *worth.nearest(answers, promise, limit)]))
    first: dict[int, tuple[float, Candidate]] = {}
    for row in reading.rows:
        found = promise(row)
        if row.exchange not in first or found > first[row.exchange][0]:
            first[row.exchange] = found, row
    return worth.nearest([row for _, row in first.values()], promise, limit)


def _promise(reading: Reading, hits: frozenset[int], row: Candidate) -> float:
    """How much a sentence promises by its words and its place alone."""
    found = worth.carried(row.terms, reading.weight) + 0.2 * row.standing + 0.1 * (row.exchange in hits)
    found += 0.15 * abstain.holds_point(reading.want.point, row.text)
    found += 0.2 * reading.preferred(row) + MEASURED * reading.measured(row)
    found += NAMED * (reading.query.broad and reading.about(row))
    if reading.want.kind == "contradiction":
        found += 0.3 * denied(row.text, reading.weight.keys())
    before = (worth.carried(one.terms, reading.weight) for one in reading.before(row))
    found += REPLIED * max(before, default=0.0) + BY_NAMED * reading.by_named(row)
    found += reading.keyed(row) - 0.2 * (not (row.spoken or row.data))
    return found - (0.5 if reading.query.broad else 0.1) * worth.states_nothing(row.text)
