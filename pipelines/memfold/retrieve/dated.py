"""The timeline of an open conversation: its dated rows, ready to be searched, and which exchanges belong to a
time. Knows nothing of files or models."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from memfold.once import derived, kept
from memfold.retrieve.episodes import Episodes
from memfold.retrieve.lexical import BM25, Bags
from memfold.retrieve.moved import Move, moved
from memfold.retrieve.stretch import Stretch
from memfold.retrieve.times import Time, times
from memfold.retrieve.view import View
from memfold.text.terms import has_terms, hashed, terms

_MONTH = np.timedelta64(31, "D")


@dataclass(frozen=True, slots=True)
class Dated:
    """One dated thing: its first and last day, the sentence it was said in, how the date was written there (empty where
    it is the day on which it was said), by whom, and in which exchange; `score` compares within one search."""

    first: date
    last: date
    text: str
    literal: str
    said_by: str
    exchange_id: int
    message_ids: tuple[str, ...]
    score: float = 0.0

    @property
    def written(self) -> str:
        """Its date in ISO 8601, or both where it has two."""
        return str(self.first) if self.first == self.last else f"{self.first}/{self.last}"


@dataclass(frozen=True)
class DatedRows:
    """`rows` of a timeline in the order they were said, each with the position of its exchange in the episodes."""

    rows: tuple[Dated, ...]
    positions: NDArray[np.int64]

    @staticmethod
    def of(table: pa.Table | None, episodes: Episodes) -> DatedRows:
        """From rows of `memfold.layers.timeline`. What is of no exchange among the episodes is left out."""
        kept_rows: list[dict[str, Any]] = [] if table is None else table.sort_by(
            [("exchange_id", "ascending"), ("n", "ascending")]
        ).to_pylist()  # fmt: skip
        kept_rows = [row for row in kept_rows if row["exchange_id"] in episodes]
        positions = [episodes.position(row["exchange_id"]) for row in kept_rows]
        return DatedRows(
            tuple(
                Dated(
                    row["first"], row["last"], row["text"], row["literal"], row["said_by"], row["exchange_id"],
                    (row["message_id"],) if row["message_id"] is not None else episodes.message_ids[position],
                )
                for row, position in zip(kept_rows, positions, strict=True)
            ),
            np.array(positions, np.int64),
        )  # fmt: skip

    @kept
    def proposed(self) -> NDArray[np.bool_]:
        """Whether the assistant said each row, (n,)."""
        return np.array([row.said_by == "assistant" for row in self.rows], np.bool_)

    @kept
    def by_user(self) -> frozenset[int]:
        """The exchanges in which somebody other than the assistant named a day."""
        return frozenset(row.exchange_id for row in self.rows if row.said_by != "assistant")

    def of_time(self, first: date, last: date) -> NDArray[np.bool_]:
        """The rows that belong to the days from `first` to `last`, both included, (n,): rows within them, and rows
        of at most a month that overlap them."""
        begin, end = np.datetime64(first, "D"), np.datetime64(last, "D")
        firsts, lasts = self._spans
        within = (firsts >= begin) & (lasts <= end)
        return within | ((lasts - firsts <= _MONTH) & (firsts <= end) & (begin <= lasts))

    @kept
    def _spans(self) -> tuple[NDArray[np.datetime64], NDArray[np.datetime64]]:
        return (
            np.array([row.first for row in self.rows], "datetime64[D]"),
            np.array([row.last for row in self.rows], "datetime64[D]"),
        )

    @kept
    def terms(self) -> tuple[frozenset[str], ...]:
        """The terms of each row's clause."""
        return tuple(frozenset(terms(each)) for each in self.clauses)

    @kept
    def bm25(self) -> BM25:
        """Over the rows' clauses."""
        return BM25(Bags.of([hashed(each) for each in self.clauses]))

    @kept
    def clauses(self) -> tuple[str, ...]:
        """What each row's sentence says of its date; see `clause`."""
        literals: dict[tuple[int, str], list[str]] = {}
        for row in self.rows:
            literals.setdefault((row.exchange_id, row.text), []).append(row.literal)
        return tuple(clause(row.text, row.literal, literals[row.exchange_id, row.text]) for row in self.rows)

    @kept
    def partly(self) -> NDArray[np.bool_]:
        """Whether each row's sentence tells of a part that was done ("90% of the draft by April 4"), (n,)."""
        return np.array([_PARTLY.search(row.text) is not None for row in self.rows], np.bool_)

    @kept
    def moves(self) -> Mapping[int, Move]:
        """The rows in which a user says that something was moved to their day, and what, in the order they were
        said."""
        found = {
            i: moved(row.text, row.literal) for i, row in enumerate(self.rows) if row.said_by != "assistant"
        }
        return {i: move for i, move in found.items() if move is not None}

    @kept
    def days(self) -> NDArray[np.datetime64]:
        """The first day of each row, (n,) datetime64[D], or the last where it says both the old and the new day."""
        both = {i for i, move in self.moves.items() if move.both}
        return np.array(
            [row.last if i in both else row.first for i, row in enumerate(self.rows)], "datetime64[D]"
        )


def clause(text: str, literal: str, literals: Sequence[str]) -> str:
    """What a sentence with the dates `literals` says of one of them: how the sentence begins, which all of them share,
    and the date's own clause, so "I signed the lease on January 10 and moved in on February 3" without what is said of
    other dates between the two. The whole sentence where the date is not in it. Without the clauses that say what never
    happened: "it had 900 words by May 13, and I've never missed a session" dates no missed session.

    Between two dates the sentence is cut once: where the first clause ends, or where the last one begins if the
    sentence begins with a date ("On January 10, I signed it, and on February 3, I moved in"). Where no clause ends
    there, what stands between belongs to both.
    """
    if "never" in text and literal and literal in text:
        text = _that_happened(text, literal)
    places = sorted((at, at + len(each)) for each in set(literals) if each and (at := text.find(each)) >= 0)
    own = next((i for i, (start, stop) in enumerate(places) if text[start:stop] == literal), None)
    if own is None or len(places) == 1:
        return text
    begins, ends = [0], list[int]()
    place = 0 if has_terms(text[: places[0][0]]) else -1
    for (_, stop), (start, _) in pairwise(places):
        found = [match.end() for match in _CLAUSE_END.finditer(text, stop, start)]
        ends.append(found[place] if found else start)
        begins.append(found[place] if found else stop)
    ends.append(len(text))
    return text[: ends[0]] + text[max(begins[own], ends[0]) : ends[own]]


def _that_happened(text: str, literal: str) -> str:
    """A text without the clauses that say what never happened, but for the one that holds the date."""
    first = text.index(literal)
    cuts = [0, *(match.end() for match in _CLAUSE_END.finditer(text)), len(text)]
    return "".join(
        text[start:stop]
        for start, stop in pairwise(cuts)
        if (start < first + len(literal) and first < stop) or not _NEVER.search(text, start, stop)
    )


_PARTLY = re.compile(
    r"\b\d{1,2}\s?(?:%|percent\b) of (?:the|my|our|it)\b|\bhalf of (?:the|my|our|it)\b", re.IGNORECASE
)
_NEVER = re.compile(r"\bnever\b")
_CLAUSE_END = re.compile(
    r"[,:](?!\d)|[;，；：、。]|\s(?:[-–—]|(?=(?:and|but|then|while|before|after)\s))|(?=[并再又才])|(?=然后|之后|随后)"
)


@derived
def dated_of(view: View) -> DatedRows:
    """The rows of the timeline; none where there is no such layer."""
    return DatedRows.of(view.leaves("timeline"), view.episodes)


def outside(view: View, stretch: Stretch) -> NDArray[np.int64]:
    """The positions of the exchanges that a question for everything in a stretch of time is not about. What was said at
    an unknown time counts by the days that it names."""
    said, dated = view.episodes.said_from(stretch.first, stretch.last), dated_of(view)
    meant = dated.of_time(stretch.first, stretch.last)
    if stretch.said:
        meant &= np.isnat(view.episodes.said[dated.positions])
    said[dated.positions[meant]] = True
    return np.flatnonzero(~said)


def of_times(view: View, times: Sequence[Time]) -> NDArray[np.bool_]:
    """Which exchanges were said within one of the times, or name a day within it, (n,)."""
    found, dated = np.zeros(len(view.episodes), np.bool_), dated_of(view)
    for first, last in times:
        found |= view.episodes.said_from(first, last)
        found[dated.positions[dated.of_time(first, last)]] = True
    return found


def times_of(view: View, question: str, now: datetime | None, *, within: bool) -> tuple[Time, ...]:
    """The times that a question asked at `now` may mean (`memfold.retrieve.times`); none if the source gives no
    times."""
    if view.lasted is None:
        return ()
    return times(question, view.lasted, now.date() if now else None, within=within)
