"""The shape of a phrase bank: what one language brings so that conversations can be written in it.

Slots in sentences: `{e}` the venture meant, `{v}` a value, `{o}` the value before it, `{n}` a number.
A bank holds words only; what is planted where, and what is true, is the business of `plan`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from math import gcd
from typing import TypeVar

T = TypeVar("T")
Draw = Callable[[], float]
"""Uniform in [0, 1). The only source of chance here: its stream is the same in every Python release."""


def pick(draw: Draw, options: Sequence[T]) -> T:
    """One of `options`, each as likely."""
    return options[int(draw() * len(options))]


def shuffled(draw: Draw, options: Sequence[T]) -> list[T]:
    """`options` in a random order (Fisher-Yates)."""
    left = list(options)
    for last in range(len(left) - 1, 0, -1):
        other = int(draw() * (last + 1))
        left[last], left[other] = left[other], left[last]
    return left


def dealt(draw: Draw, options: Sequence[T]) -> Iterator[T]:
    """All of `options` before any comes again, from a random start by a random stride."""
    size = len(options)
    at, stride = int(draw() * size), 1 + int(draw() * (size - 1))
    while gcd(stride, size) > 1:
        stride += 1
    while True:
        yield options[at]
        at = (at + stride) % size


def words(text: str, separator: str | None = None) -> tuple[str, ...]:
    """A list of short phrases written as one string."""
    return tuple(text.split(separator))


Sentences = tuple[str, ...]


@dataclass(frozen=True)
class Attribute:
    """Something with one value at a time. `ask` avoids the words of `say` where the language has others."""

    label: str
    value: str
    say: Sentences
    change: Sentences
    ask: Sentences


@dataclass(frozen=True)
class Exclusion:
    """An option ruled out, and the reasons one may have had."""

    option: str
    say: str
    ask: str
    reasons: Sentences


@dataclass(frozen=True)
class Claim:
    """Something said to have been done, and said never to have been done."""

    did: str
    never: str
    ask: str
    gist: str


@dataclass(frozen=True)
class Tally:
    """A number that grows in three steps, told at three times; `thing` is what is counted."""

    thing: str
    say: tuple[str, str, str]
    ask: str


@dataclass(frozen=True)
class Interval:
    """Two dated happenings; `rumour` gives a date for the second that is not the true one."""

    first: str
    second: str
    rumour: str
    ask: str
    labels: tuple[str, str]


@dataclass(frozen=True)
class Series:
    """Things told one after another, in any order: (label, sentence) each. `ask` takes their number as `{n}`."""

    topic: str
    ask: str
    steps: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Order:
    """A topic a standing instruction may be about, and a request that falls under it."""

    topic: str
    ask: str


@dataclass(frozen=True)
class Taste:
    """A choice between two things; `ask` is a request it bears on without naming either."""

    liked: str
    other: str
    say: str
    ask: str


@dataclass(frozen=True)
class Bank:
    """All the words of one language."""

    language: str
    gap: str  # what stands between two sentences
    places: Sentences
    nouns: Sentences
    name: str  # {place} {noun}
    short: str  # {noun}: the second time in a message
    value: Callable[[str, Draw, date], str]
    day: Callable[[date], str]

    attributes: tuple[Attribute, ...]
    exclusions: tuple[Exclusion, ...]
    claims: tuple[Claim, ...]
    tallies: tuple[Tally, ...]
    spans: tuple[Interval, ...]
    orderings: tuple[Series, ...]
    moods: tuple[Series, ...]
    orders: tuple[Order, ...]
    formats: tuple[tuple[str, str], ...]  # (clause of the instruction, what an answer then shows)
    order_frames: Sentences  # {e} {topic} {format}
    tastes: tuple[Taste, ...]

    others_taste: Sentences  # {e} {v}: what others like
    hearsay: Sentences  # {e} {label} {v}: a value that is nobody's
    advice: Sentences  # {label} {v}: a value only the assistant names
    answers: dict[str, str]  # how the reference answer of each ability is put

    openers: Sentences
    asides: Sentences  # {e}
    people: Sentences  # small talk, of no account: somebody …
    doings: Sentences  # … and what they did
    gossip: str  # {who} {did}
    tails: Sentences  # hung on a sentence, before its stop
    stop: str  # ends a sentence
    join: str  # before a tail
    days: str  # {n}: a number of days
    amount: str  # {n} {thing}
    comma: str  # between the steps of an answer
    requests: Sentences  # {e}
    afterthoughts: Sentences  # how a planted sentence is tacked on after the request

    greetings: Sentences  # {e}
    leads: Sentences
    acts: Sentences
    reasons: Sentences
    conditions: Sentences
    risks: Sentences
    headings: Sentences
    shapes: Sentences  # {lead} {act} {other} {reason} {condition} {risk}
    closers: Sentences
    code: Sentences  # {n} {m}
