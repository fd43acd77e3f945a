"""The time between two happenings, reckoned from days that the conversation names.

A day is known by the clause that names it, so one sentence may date several things. Knows no frame and no wording of
a question but the two ends it is given.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray

from memfold.context.readers.quoting import days, worth
from memfold.context.readers.quoting.candidates import Candidate
from memfold.context.types import Piece
from memfold.embed.likeness import cosines
from memfold.retrieve.ends import happened
from memfold.retrieve.sought import asks
from memfold.text.dates import untold
from memfold.text.scripts import IDEOGRAPH
from memfold.text.terms import terms

# Characters on both sides of a date that say what happens then.
AROUND = 110
# By how much more of its ends, each from 0 to 1, another span must carry than the one that is reckoned first: with 0 a
# right span of BEAM, which carried .88, gave way to a wrong one with .89.
AHEAD = 0.2
# Days that one sentence may name.
MENTIONED = 4


@dataclass(frozen=True, slots=True)
class Dating:
    """`around` is what is said beside `day`, `place` where of it stands in the row's text. `named` is whether its words
    name the day; else it is the day on which they were said."""

    row: Candidate
    day: date
    around: str
    place: tuple[int, int]
    named: bool


def datings(rows: Sequence[Candidate], ends: Sequence[str], limit: int) -> list[Dating]:
    """The `limit` mentions of a day that share the rarest words with one of the ends."""
    found = []
    for row in rows:
        noted = row.piece.role == "dated" and not row.text.startswith("(said on ")
        if not row.spoken and not noted:
            continue
        named = days.named(row.text, row.day)
        if noted:  # its day stands before the sentence that names it
            said = row.text[: 2 * AROUND]
            found += [Dating(row, one.day, said, (0, len(row.text)), True) for one in named[:1]]
            continue
        stops = [0, *(one.end for one in named)]
        for before, one in zip(stops, named, strict=False):
            after = next((other.start for other in named if other.start >= one.end), len(row.text))
            start, stop = max(before, one.start - AROUND), min(after, one.end + AROUND)
            around = row.text[start:stop]
            found.append(Dating(row, one.day, around.strip(), (start, stop), True))
        if row.day and not named and row.piece.role == "user" and not untold(row.text, row.day):
            found.append(Dating(row, row.day, row.text[: 3 * AROUND], (0, len(row.text)), False))
    weighed = [worth.weights(end, rows) for end in ends]

    def score(one: Dating) -> float:
        said = set(terms(one.around))
        return max(worth.carried(said, weight) for weight in weighed) + 0.15 * one.named

    ranked = sorted(range(len(found)), key=lambda i: -score(found[i]))[:limit]
    return [found[i] for i in sorted(ranked)]


def ends_of(
    found: Sequence[Dating],
    vectors: NDArray[np.float32],
    ends: Sequence[str],
    asked: NDArray[np.float32],
    rows: Sequence[Candidate],
) -> tuple[Dating, Dating] | None:
    """The dating of each end: the nearest by meaning and rare words, of two different days; None where it is not sure
    that these are the two.

    `vectors` are those of what stands around the days, `asked` those of the ends.
    """
    if len(found) < 2:
        return None
    scores = []
    for end, vector in zip(ends, asked, strict=True):
        weight = worth.weights(end, rows)
        carried = np.array([worth.carried(set(terms(one.around)), weight) for one in found])
        # The day of saying is meant where the question is about saying, and else only where no day is named.
        day_said = bool(_SAYING.search(end))
        known = np.array(
            [0.2 * (one.named != day_said) + 0.06 * (one.row.piece.role == "user") for one in found]
        )
        scores.append(0.6 * cosines(vectors, vector) + 0.4 * carried + known)
    day = np.array([one.day.toordinal() for one in found])
    both = scores[0][:, None] + scores[1][None, :]
    both = np.where(day[:, None] == day[None, :], -np.inf, both)
    first, last = np.unravel_index(int(both.argmax()), both.shape)
    if both[first, last] == -np.inf:
        return None
    chosen = found[int(first)], found[int(last)]
    return chosen if _sure(chosen, rows, ends) else None


def reckoned(
    pieces: Sequence[Piece], rows: Sequence[Candidate], ends: Sequence[str]
) -> tuple[Dating, Dating] | None:
    """Of the times that the context reckons and that are surely of the two ends, the first one, or one whose sentences
    carry clearly more of the ends; a later one has its ends in the order of the question. Each end has a sentence that
    gives its day, one that names it before one that was said on it, the user's before the assistant's. None where there
    is none, or no such sentence of its exchange."""
    matches = [match for piece in pieces if (match := _RECKONED.match(piece.text))]
    if any(map(IDEOGRAPH.search, ends)):  # see `reckoned_next`
        matches = matches[:1]
    given = [
        found
        for n, match in enumerate(matches)
        if (found := _given(match, rows, ends)) and _sure(found, rows, ends, turned=n == 0)
    ]
    weighed = [worth.weights(end, rows) for end in ends]

    def share(found: tuple[Dating, Dating]) -> float:
        said = [set(terms(each.around)) for each in found]
        return max(sum(map(worth.carried, order, weighed)) for order in (said, said[::-1]))

    shares = [share(found) + AHEAD * (n == 0) for n, found in enumerate(given)]
    return given[shares.index(max(shares))] if given else None


def reckoned_next(
    pieces: Sequence[Piece], rows: Sequence[Candidate], ends: Sequence[str]
) -> tuple[Dating, Dating] | None:
    """The ends of the first sure span among the later ones that the context reckons, for two ends in Chinese: pairs of
    ideographs rank badly, so the right span may not come first. Neither end may be a plan that changed."""
    if not all(map(IDEOGRAPH.search, ends)):
        return None
    for match in filter(None, (_RECKONED.match(piece.text) for piece in pieces)):
        found = _given(match, rows, ends)
        if found and all(_kept(one, rows) for one in found) and _sure(found, rows, ends):
            return found
    return None


def _kept(one: Dating, rows: Sequence[Candidate]) -> bool:
    """Whether a planned day held, in Chinese: it had passed when it was named, or no later message changes or ends the
    plan."""
    said = one.row.day
    if not one.named or said is None or one.day <= said:
        return True
    told = [row for row in rows if row.exchange > one.row.exchange and row.piece.role == "user" and row.day]
    return not any(_CHANGED_ZH.search(row.text) and len(row.terms & one.row.terms) > 1 for row in told)


def _given(
    match: re.Match[str], rows: Sequence[Candidate], ends: Sequence[str]
) -> tuple[Dating, Dating] | None:
    """The two ends of a span that the context reckons."""
    found = []
    for day, exchange in ((match[1], match[2]), (match[3], match[4])):
        there = [row for row in rows if row.exchange == int(exchange)]
        given = [one for one in datings(there, ends, MENTIONED * len(there)) if one.day.isoformat() == day]
        if not given:
            return None
        found.append(max(given, key=lambda one: (_gives_day(one), one.row.piece.role == "user")))
    return found[0], found[1]


def _gives_day(one: Dating) -> bool:
    """Whether its words name the day. An assistant's question to the user ("… help you with today?") names none."""
    spoken = one.row.piece.role == "assistant" and one.day == one.row.day and asks(one.row.text)
    return one.named and not spoken


# Each end must carry this share of the weight of its words, with what else its user says in the exchange. For 32 spans
# of BEAM 26 times were told, 16 right and 10 wrong; with what `_sure` asks, and no month counted from, 16 and 6.
CARRIED = 0.3


def _sure(
    found: tuple[Dating, Dating], rows: Sequence[Candidate], ends: Sequence[str], *, turned: bool = True
) -> bool:
    """Whether two datings are of the two ends, in this order or (`turned`) the other way round."""
    one, other = (_Side.of(end, beside, rows) for end, beside in zip(ends, ends[::-1], strict=True))
    days_of = {each.day for each in found}
    return any(
        one.means(a, rows, days_of) and other.means(b, rows, days_of)
        for a, b in ((found, found[::-1]) if turned else (found,))
    )


@dataclass(frozen=True, slots=True)
class _Side:
    """One end of a time: its words with their weights, those that name a thing, and which of its kind that is."""

    end: str
    weight: worth.Weights
    things: frozenset[str]
    number: int | None

    @staticmethod
    def of(end: str, other: str, rows: Sequence[Candidate]) -> _Side:
        """The side of an end. In "from the first to the third fall" the other end names the thing."""
        number = next((_ORDINALS[term] for term in terms(end) if term in _ORDINALS), None)
        things = frozenset(terms(end)) - _WHICH
        if number and not things:
            things = frozenset(terms(other)) - _WHICH
            return _Side(end, worth.weights(" ".join(things), rows), things, number)
        return _Side(end, worth.weights(end, rows), things, number)

    def means(self, dating: Dating, rows: Sequence[Candidate], ends: Set[date]) -> bool:
        """Whether a dating is surely of this end. `ends` are the days of both."""
        if not dating.named and happened(dating.row.text, self.end):
            return True
        numbers = self._numbers(dating.row.text)
        if numbers and self.number and self.number not in numbers:  # "demo 2" is not the third
            return False
        beside = (row for row in rows if row.exchange == dating.row.exchange and row.piece.role == "user")
        held = set(terms(dating.row.text)).union(*(row.terms for row in beside))
        held |= {word for word, number in _ORDINALS.items() if number in numbers}
        if worth.carried(held, self.weight) < CARRIED:
            return False
        if not dating.named and IDEOGRAPH.search(self.end) and not _HAPPENED_ZH.search(dating.row.text):
            return False
        if not dating.named and _ELSEWHERE.search(dating.row.text) and not _SAYING.search(self.end):
            return False
        return len(self.things) != 1 or not (self._only_beside(dating) or self._rivalled(dating, rows, ends))

    def _numbers(self, text: str) -> set[int]:
        """The numbers that a sentence gives things of the kind."""
        return {
            number
            for before, thing, named, after in _NUMBERED.findall(text)
            if not self.things.isdisjoint(terms(f"{thing} {named}"))
            and (number := _ORDINALS.get((before or after).lower()))
        }

    def _only_beside(self, dating: Dating) -> bool:
        """Whether the day is told by the thing and is not its own: "20 October, two weeks after the wedding"."""
        beside = _RELATED.findall(dating.around)
        return any(not self.things.isdisjoint(terms(each)) for each in beside)

    def _rivalled(self, dating: Dating, rows: Sequence[Candidate], ends: Set[date]) -> bool:
        """Whether as much is said of another day, where one word is all that tells."""
        if not self.things <= set(terms(dating.around)):
            return False
        return any(
            one.named and one.day not in ends and self.things <= set(terms(one.around))
            for one in datings(rows, (self.end,), MENTIONED * len(rows))
        )


_ORDINALS = {
    word: number
    for number, row in enumerate(
        (
            "first 1st", "second 2nd", "third 3rd", "fourth 4th", "fifth 5th", "sixth 6th", "seventh 7th", "eighth 8th",
            "ninth 9th", "tenth 10th",
        ),
        start=1,
    )
    for word in (*row.split(), str(number))
}  # fmt: skip
# What tells which of its kind a thing is, or that a day is meant.
_WHICH = frozenset(terms(" ".join(_ORDINALS))) | frozenset(
    terms("original initial last final next new latest updated planned day date time")
)
# "The third fitting", "tasting no. 3", "demo 3".
_NUMBERED = re.compile(
    rf"\b({'|'.join(word for word in _ORDINALS if not word.isdecimal())})\s+((?:\w+\s+)?\w+)"
    r"|\b([^\W\d]+)\s+(?:no\.?\s*|#)?(\d{1,2})\b(?![:/.,]\d)",
    re.IGNORECASE,
)
_RELATED = re.compile(
    r"\b(?:before|after|until|till|since|(?:days?|weeks?|months?)\ to)\ ((?:the\ |my\ |our\ )?\w+)",
    re.IGNORECASE,
)
# What is told of a day other than that of saying, or of no day.
_ELSEWHERE = re.compile(
    r"\b(?:will|won't|going to|to do|plan(?:ning|ned)?|want|need|hope|hoping|trying|working on|struggling|wondering"
    r"|(?:before|by|until|till) then|next|last|ago|since|in (?:spring|summer|autumn|fall|winter)"
    r"|(?:weeks?|days?|months?) (?:to|until|before|after)"
    r"|on (?:[\w'’]+ ){1,3}(?:Eve|Day))\b",
    re.IGNORECASE,
)
_HAPPENED_ZH = re.compile(r"[了过啦完]|终于|总算|刚[才刚]?|已经?|今[天早晚]")
_CHANGED_ZH = re.compile(r"[改推延挪提]|成功|完成|结束|取消|不去|了")
_RECKONED = re.compile(r"(\d{4}-\d\d-\d\d) \[(\d+)\] .*? to (\d{4}-\d\d-\d\d) \[(\d+)\] ", re.DOTALL)
_SAYING = re.compile(
    r"\b(?:asked|mentioned|told you|said|brought up|confirm(?:ed)?)\b|问|提到|说", re.IGNORECASE
)
