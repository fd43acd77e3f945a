"""The sentences of a reading compared with its question: how much each is worth as an answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from memfold.context.readers.quoting import apart, days, worth
from memfold.context.readers.quoting.candidates import Candidate
from memfold.context.readers.quoting.choose import Ranked, Worths
from memfold.context.readers.quoting.reading import BY_NAMED, MEASURED, NAMED, REPLIED, Reading
from memfold.context.tongue import asked_in
from memfold.embed.contract import Encode, Vectors
from memfold.embed.likeness import cosines
from memfold.retrieve.sought import demanded
from memfold.text.language import or_english

# Characters of a sentence that are embedded: the time goes into tokens, and what is asked for is named before its end.
EMBEDDED = 260

# A sentence gains this if it holds what a standing order wants in the answer: a version, a date, a figure.
DEMANDED = 0.25


@dataclass(frozen=True, eq=False)
class Compared:
    """A `reading` and its `few` sentences, which are `ranked`. `fits` says how near each of its orders comes to the
    question. `datings` are the days that may be those of its ends; `ends` and `around` are the vectors of the ends, and
    of what stands around the days."""

    reading: Reading
    few: Sequence[Candidate]
    ranked: Ranked
    fits: NDArray[np.floating]
    datings: Sequence[apart.Dating]
    ends: Vectors
    around: Vectors


def compare(reading: Reading, rows: Sequence[Candidate], encode: Encode) -> Compared:
    """One batch: the question, the standing orders, the ends of a span, the sentences."""
    query, orders, datings = reading.query, reading.orders, _datings(reading)
    common = worth.common(rows, reading.weight)
    # Pairs of ideographs are left out of the texts; words of the question's vector alone (`worth`).
    gone = common if query.language == "zh" else frozenset[str]()
    shared = "" if gone else worth.named(query.text, common)
    texts = [
        *(worth.without(text, gone) for text in (query.text, query.topic)),
        query.text,
        *((shared,) if shared else ()),
        *reading.ends,
        *(_about(row.text) for row in orders),
        *(one.around for one in datings),
        *(
            row.text[:EMBEDDED] if row.terms.isdisjoint(gone) else worth.without(row.text[:EMBEDDED], gone)
            for row in rows
        ),
    ]
    sizes = [2, 1, bool(shared), len(reading.ends), len(orders), len(datings)]
    asked, plain, named_by_most, ends, ordered, around, said = np.split(encode(texts), np.cumsum(sizes))
    rest = worth.apart(asked, named_by_most)
    # What most exchanges name counts where two statements about it are held against each other, unless it is the
    # name of the one thing that is asked about, which all of its sentences have.
    value, near = _worth(reading, rows, said, rest, rest if reading.thing else asked)
    keyed = np.array([reading.keyed(row) for row in rows])
    value += keyed
    fits = _fits(reading, ordered, plain[0])
    # What an order asks to be included is asked for too: the version beside the library.
    if len(orders) and fits.max() >= reading.how.order:
        best = int(fits.argmax())
        value += 0.15 * cosines(said, ordered[best])
        if held := demanded(orders[best].text):
            value += DEMANDED * np.array([held.search(row.text) is not None for row in rows])
    return Compared(reading, rows, Ranked(rows, said, value, near, keyed), fits, datings, ends, around)


def _datings(reading: Reading) -> list[apart.Dating]:
    """The days that may be those of the ends. They come from sentences about the one thing that the question names, if
    these tell a day; from all sentences if the question names both ends and fewer than two exchanges have such ones."""
    if not reading.ends:
        return []
    both = bool(reading.want.ends)
    rows = [row for row in reading.rows if reading.about(row) and _tells_a_day(row, to_come=both)]
    if both and len({row.exchange for row in rows}) < 2:
        rows = [*reading.rows]
    return apart.datings(rows, reading.ends, reading.how.considered // 2)


def _tells_a_day(row: Candidate, *, to_come: bool) -> bool:
    """Whether a sentence states something and names a day, one that had been or `to_come` too."""
    told = () if worth.states_nothing(row.text) else [one.day for one in days.named(row.text, row.day)]
    return bool(told) and (to_come or row.day is None or max(told) < row.day)


def _worth(
    reading: Reading, rows: Sequence[Candidate], said: Vectors, asked: Vectors, compared: Vectors
) -> tuple[Worths, Worths]:
    """How well each sentence answers, and how near it is to the question. The two differ in the vectors of the
    question, and in what does not depend on them."""
    how, want = reading.how, reading.want
    dense = how.chinese_dense if reading.query.language == "zh" else how.dense
    carried = (1 - dense) * np.array([worth.carried(row.terms, reading.weight) for row in rows])
    value = dense * cosines(said, asked.mean(axis=0)).astype(np.float64) + carried
    near = dense * cosines(said, compared.mean(axis=0)).astype(np.float64) + carried
    value += how.rank * np.array([row.standing for row in rows])
    value -= how.request * np.array([worth.states_nothing(row.text) for row in rows])
    value -= how.derived * np.array([not (row.spoken or row.data) for row in rows])
    if not want.advice:
        value += how.user * np.array([reading.preferred(row) for row in rows])
    value += MEASURED * np.array([reading.measured(row) for row in rows])
    nearness = dict(zip(map(id, rows), near.tolist(), strict=True))
    asked_for = [[nearness.get(id(one), 0.0) for one in reading.before(row)] for row in rows]
    value += REPLIED * np.array([max(each, default=0.0) for each in asked_for])
    value += BY_NAMED * np.array([reading.by_named(row) for row in rows])
    if reading.thing:
        about = NAMED * np.array([reading.about(row) for row in rows])
        value, near = value + about, near + about
    return value, near


def _fits(reading: Reading, ordered: Vectors, plain: Vectors) -> NDArray[np.floating]:
    """How near each order comes to the question."""
    fits: NDArray[np.floating] = cosines(ordered, plain)
    # How near an order comes tells only in English: to the embedder most of German is near to the rest.
    if or_english(asked_in(reading.query.text, reading.context)) != "en":
        fits = np.array([worth.carried(row.terms, reading.weight) for row in reading.orders])
    if reading.thing:
        users = [row for row in reading.rows if row.piece.role == "user"]
        shown = {row.exchange: row.piece.text for row in reversed(users)}
        applies = [reading.thing.about(row.text, shown.get(row.exchange, "")) for row in reading.orders]
        fits = fits + NAMED * np.array(applies, np.float32)
    return fits


# An order comes again with most questions.
@lru_cache(maxsize=1024)
def _about(order: str) -> str:
    """What a standing order applies to, where it says so; else all of it, but for its exception."""
    order = _EXCEPT.split(order, maxsplit=1)[0] or order
    match = _APPLIES.search(order)
    return match[match.lastindex or 0] if match else order


# "TypeScript, unless it is Tidewater" is no order about Tidewater.
_EXCEPT = re.compile(r"\s*,?\s*\b(?:unless|except|but not|außer|es sei denn)\b|[，,]?除非", re.IGNORECASE)
_APPLIES = re.compile(r"\b(?:when(?:ever)?|if|for|in) ((?:I|we|you|my|our)\b.+)|当(.+?)时", re.IGNORECASE)
