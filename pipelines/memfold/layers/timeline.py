"""The timeline: what happens on which day, one row per date that was said, with its sentence, verbatim.

All dates in the user's text give rows, resolved against the day they were said. Left out are bare questions and
farewells ("What did you do yesterday?", "See you tomorrow!") and sentences that add nothing to an earlier row. Of the
assistant's dates only those written out give rows, since its "next week" is advice; a date that stands alone, as in a
heading ("Day 2: July 21"), and one beside a weekday on which it does not fall give none. An event that an engine noted
gives a row if the exchange's text has no such date. Anything without a date happened, as far as known, on the day it
was said: the episodes hold it already, and it needs no row.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from operator import itemgetter
from typing import Any

import pyarrow as pa

from memfold.layers.layer import Leaves, Span, Tools, messages, notes, tabled
from memfold.schema import USERS, StoredMessage, required, said_at
from memfold.text.dates import MONTHS, contradicted, iso, ranges, untold
from memfold.text.dates.idle import bare, idle, says_again
from memfold.text.fences import without_code
from memfold.text.sentences import around
from memfold.text.terms import terms

# To be raised when rows of the same messages and notes come out otherwise.
VERSION = "timeline-13"

# A row's sentence is cut around its date to so many characters, and an exchange gives its first so many rows: more are
# a pasted table.
SENTENCE = 320
ROWS = 24

# Where a row's date comes from: written out; resolved against the day it was said; or that day itself.
SAID, RESOLVED, DAY = "said", "resolved", "day"

TABLE = pa.schema(
    [
        required("segment", pa.string()),
        required("exchange_id", pa.int64()),
        required("n", pa.int32()),
        required("conversation_id", pa.string()),
        pa.field("message_id", pa.string()),
        required("first", pa.date32()),
        required("last", pa.date32()),
        required("source", pa.string()),
        required("said_by", pa.string()),
        required("literal", pa.string()),
        required("text", pa.string()),
    ]
)

# The assistant writes nine tenths of all text, and few dates: with this look before it is read it costs as much as the
# user's text does, .4 s of CPU over 10M tokens.
_WRITTEN_OUT = (*(name.capitalize() for name in MONTHS if len(name) > 4), "May", "June", "July", "20", "月")
_DIGITS = re.compile(r"\b(?:19|20)\d\d(?:[-/]|\s?年\s?)\d|月\s?\d|[A-Z][a-z]{2,8}\.? \d|\d [A-Z][a-z]{2,8}\b")

# The speaker, the day of saying, and the first and last day that the sentence is about.
Told = tuple[str | None, date | None, date, date]


@dataclass(frozen=True)
class Timeline(Leaves):
    """The layer (`memfold.layers.layer.Layer`) and its setting: whether the assistant's dates are taken too."""

    assistant: bool = True

    name = "timeline"
    table = TABLE
    reads = ("messages", "notes")

    @property
    def version(self) -> str:
        """See `Layer`."""
        return f"{VERSION}:{self.assistant}"

    def equip(self, tools: Tools) -> Timeline:
        """The layer itself: it needs nothing."""
        return self

    def leaves(self, spans: Sequence[Span]) -> Sequence[pa.Table]:
        """One row a dated thing, in order of exchanges and of their place in them."""
        return tabled([sorted(self._rows(span), key=itemgetter("exchange_id", "n")) for span in spans], TABLE)

    def _rows(self, span: Span) -> Iterator[dict[str, Any]]:
        # By exchange, first and last day: an exchange has each once.
        found: dict[tuple[int, date, date], dict[str, Any]] = {}
        ends: set[tuple[int, date]] = set()
        told: dict[Told, list[frozenset[str]]] = {}
        for each in span.once(messages):
            if each.current and (each.role in USERS or (self.assistant and each.role == "assistant")):
                for dated in _dated(each):
                    of, first, last = each.exchange_id, dated["first"], dated["last"]
                    ends |= {(of, first), (of, last)}
                    shown = (of, first, last) in found
                    if each.role == "assistant" or _adds(told, each, dated, shown):
                        found.setdefault((of, first, last), dated)
        for note in span.once(notes):
            event = _noted(note) if note["kind"] == "event" else None
            # Of a date that was said in a sentence that adds nothing, an engine's event adds nothing either.
            if event is not None and (event["exchange_id"], event["first"]) not in ends:
                of, first, last = event["exchange_id"], event["first"], event["last"]
                ends |= {(of, first), (of, last)}
                found.setdefault((of, first, last), event)
        count: Counter[int] = Counter()
        for row in found.values():
            n = count[row["exchange_id"]]
            count[row["exchange_id"]] += 1
            if n < ROWS:
                yield {**row, "segment": span.name, "n": n}


def _dated(said: StoredMessage) -> Iterator[dict[str, Any]]:
    """A message's dates, each with its sentence; code blocks hold none."""
    text = said.content
    written_out = said.role == "assistant"
    if written_out and not (any(map(text.__contains__, _WRITTEN_OUT)) and _DIGITS.search(text)):
        return
    text = without_code(text, lambda block: " " * len(block[0]))
    for found in ranges(text, said.time.date() if said.time else None):
        if not (found.first and found.last) or (
            written_out and (found.relative or contradicted(text, found))
        ):
            continue
        sentence = around(said.content, found.start, found.end, SENTENCE)
        if not (written_out and bare(sentence)):
            yield {
                "exchange_id": said.exchange_id,
                "conversation_id": said.conversation_id,
                "message_id": said.message_id,
                "first": found.first,
                "last": found.last,
                "source": RESOLVED if found.relative else SAID,
                "said_by": said.role,
                "literal": found.literal,
                "text": sentence,
            }


def _adds(
    told: dict[Told, list[frozenset[str]]], said: StoredMessage, found: Mapping[str, Any], shown: bool
) -> bool:
    """Whether a sentence tells something about its date. With a relative date it must tell more than the same speaker
    `told` about that date on the same day, and more than joy about it. If the exchange's row for that date is
    `shown` already, the sentence adds nothing. Adds the sentence to `told`."""
    if idle(found["text"]):
        return False
    if found["source"] == SAID:
        return True
    key = said.speaker, said.time.date() if said.time else None, found["first"], found["last"]
    words, before = frozenset(terms(found["text"])), told.setdefault(key, [])
    # A pasted list names "last week" thousands of times: comparing all of them takes minutes.
    known = shown or says_again(found["text"], words, before)
    before.append(words)
    return not known


def _noted(note: Mapping[str, Any]) -> dict[str, Any] | None:
    """An event of an engine: on the day, month or year it names, or on the day it was said if it names none. None if
    that day, or a day in its text, cannot be resolved: it was not the day of saying."""
    time, named = said_at(note), note["date"]
    said = (time.date(), time.date()) if time else None
    days = said if named is None else _days(named)
    if named is None and said and untold(note["text"], said[0]):
        return None
    if days is None:
        return None
    return {
        "exchange_id": note["exchange_id"],
        "conversation_id": note["conversation_id"],
        "message_id": None,
        "first": days[0],
        "last": days[1],
        "source": DAY if named is None else RESOLVED,
        "said_by": note["said_by"] or "user",
        "literal": named or "",
        "text": note["text"],
    }


def _days(named: str) -> tuple[date, date] | None:
    """The first and the last day of a day, month or year of ISO 8601."""
    if day := iso(named):
        return day, day
    first = iso(f"{named}-01-01"[:10])
    if first is None:
        return None
    month = first.month if "-" in named else 12
    return first, date(first.year, month, monthrange(first.year, month)[1])
