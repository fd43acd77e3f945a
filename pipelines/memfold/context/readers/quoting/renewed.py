"""Which later statement of the user's renews what the best one tells of: it calls the thing new, or gives it another
value."""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import dataclass

from memfold.context.readers.quoting import measures, worth
from memfold.context.readers.quoting.asked import asks_for_name
from memfold.context.readers.quoting.candidates import Candidate, stretches
from memfold.context.readers.quoting.compared import Compared
from memfold.context.readers.quoting.reading import Reading
from memfold.context.readers.quoting.revalued import (
    CHANGED,
    heads,
    of_another_owner,
    owners,
    qualified,
    revalued,
)
from memfold.retrieve.moved import Noun
from memfold.text.terms import terms

# A statement that something has changed must have at least this share of the best sentence's worth.
CHANGED_WORTH = 0.7


@dataclass(frozen=True, slots=True)
class _Lead:
    """The statement that another one may renew. `asked` are the question's terms that tell exchanges apart, `held` all
    of its terms that the statement holds, and `known` the terms of both."""

    row: Candidate
    asked: Set[str]
    held: Set[str]
    known: Set[str]


def renewed(one: Compared, lead: int) -> tuple[int, list[int]]:
    """The user's latest statement after the `lead` which says that the thing asked about is new, with the lead as the
    earlier one. The lead alone if there is no such statement, or if several people speak. Either the lead does not say
    so itself, and the statement holds all words of the question that the lead holds, or one of them right behind "new"
    ("new contact"). Or it gives another value to the thing that was called so last ("The budget is now 15,000
    euros")."""
    reading, few, value = one.reading, one.few, one.ranked.worth
    row, weight = few[lead], reading.weight.keys()
    if row.piece.role != "user" or row.speaker:
        return lead, []
    first = _Lead(row, weight - worth.common(few, reading.weight), row.terms & weight, row.terms | weight)
    says_so, least = _renews(row.text, first), CHANGED_WORTH * value[lead]
    told = [lead]
    for i in sorted(range(len(few)), key=lambda i: few[i].exchange):
        other = few[i]
        if other.piece.role != "user" or other.exchange <= row.exchange or worth.states_nothing(other.text):
            continue
        calls = not says_so and value[i] >= least and _calls_new(reading, first, other)
        if calls or _revalues(reading, first, other, {few[j].exchange for j in told}):
            told.append(i)
    return told[-1], told[:1] if len(told) > 1 else []


def _renews(text: str, lead: _Lead) -> bool:
    """Whether a clause about what is asked says that something is new."""
    parts = [part for part in stretches(text) if not lead.asked.isdisjoint(terms(part))]
    return any(map(RENEWED.search, parts))


def _calls_new(reading: Reading, lead: _Lead, other: Candidate) -> bool:
    """Whether a sentence calls the thing new, or renews it and holds all that the lead holds."""
    new = (next(terms(match[1] or match[2]), "") for match in _NEW.finditer(other.text))
    if not lead.asked.isdisjoint(new):
        return True
    whole, values = lead.held & lead.asked, values_asked(reading, lead.row)
    return (
        bool(whole)
        and whole <= other.terms
        # "The sales team" and "my email address" are no new team and no new address.
        and all(qualified(other.text, each) <= lead.known for each in whole)
        and not of_another_owner(reading.query.text, other.text)
        and _renews(other.text, lead)
        and (not values or any(measures.alike(each, values) for each in measures.units(other.text)))
    )


def _revalues(reading: Reading, lead: _Lead, other: Candidate, told: Set[int]) -> bool:
    """Whether a sentence gives another value, of what is asked for, to a thing that the question and the lead name, and
    the last sentence before it that names such a thing means the same one: it holds what the lead holds of the
    question, or is of an exchange that `told` a value."""
    new = revalued(other.text)
    if new is None or new.what.head not in lead.held or not new.what.terms <= lead.known:
        return False
    # Of "my weight goal" the weight is not what is asked for.
    if heads(reading.query.text, new.what.head) & heads(lead.row.text, new.what.head):
        return False
    if not (_may_name(new.what, lead.row) and _is_asked(reading, new.value, lead.row)):
        return False
    # "Give times in 24-hour format" is not about the response time.
    called = [
        each
        for each in reading.rows
        if each.piece.role == "user" and _may_name(new.what, each) and new.what.terms <= each.terms
    ]
    before = (each for each in (lead.row, *called) if each.exchange < other.exchange)
    last = max(before, key=lambda each: each.exchange)
    return last.exchange in told or lead.held <= last.terms


def _may_name(what: Noun, row: Candidate) -> bool:
    """Whether a sentence names such a thing, of the same person."""
    return what.head in row.terms and owners(row.text, what.head) <= what.terms


def _is_asked(reading: Reading, value: str, lead: Candidate) -> bool:
    """Whether the value that a text begins with may be what is asked for, and the lead's value before."""
    of, point = measures.unit(value), reading.want.point
    if of is None:
        return point in (None, "person", "place")
    asked = point in (None, "figure") or (point == "date" and of in measures.TIMES)
    return asked and not asks_for_name(reading.query.text) and measures.alike(of, measures.units(lead.text))


def values_asked(reading: Reading, row: Candidate) -> frozenset[str]:
    """The units of a sentence's values, if a figure or a date is asked for."""
    return measures.units(row.text) if reading.want.point in ("figure", "date") else frozenset()


# Words with which a statement says that its value is new.
RENEWED = re.compile(
    rf"{CHANGED.pattern}|\bnow\b|\bchange of plans?\b|(?<!\bno )\bnew\b|\bneu(?:e[rsnm]?)?\b|\bjetzt\b|现在|新的",
    re.IGNORECASE,
)
# A new one of a kind, and of which.
_NEW = re.compile(r"(?<!\bno )\b(?:new|neu(?:e[rsnm]?)?) (\w+)|新(?:的)?([^\W\d_]{2})", re.IGNORECASE)
