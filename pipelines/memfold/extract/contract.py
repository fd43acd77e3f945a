"""What an engine is, and the bounds on what it may write down.

An engine turns windows into extractions. Whatever it is (a model, an endpoint, rules), its output is data:
`bounded` is the one gate between what was written and what is stored. Nothing here knows how an extraction
came about.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Protocol, Self, TypeVar

from memfold.extract.speaker import Said, Speakers
from memfold.schema import NOTE_KINDS, DeadLetter, Extraction, Fact, Note, Notice, Window

if TYPE_CHECKING:
    from memfold.llm.asker import Asker
    from memfold.llm.generator import Generator

MAX_SUMMARY = 600
MAX_FACTS = 32
MAX_KEY = 80
MAX_VALUE = 240
MAX_NOTES = 32
MAX_TEXT = 400
MAX_ABOUT = 160
MAX_REASON = 240
MAX_ASPECT = 60

# What `made_by` says of an extraction that the engine at hand did not make: another one did (its signature and
# this mark), nobody could, or there was nothing to write down.
FALLBACK = " (fallback)"
DEAD = "dead letter"
NOTHING = "nothing to extract"


def by_rules(made_by: str) -> bool:
    """Whether an extraction repeats the user's words, because the rules wrote it, by choice or in another's place."""
    return made_by.startswith("rules-")


def exchange_place(conversation_id: str, exchange_id: int) -> str:
    """How a dead letter says which exchange it stands for."""
    return f"conversation {conversation_id}, exchange {exchange_id}"


# Windows of segments as they were, in order, each with its extraction.
Before = Callable[[], Sequence[tuple[Window, Extraction]]]


class Modelless:
    """The part of an engine's contract that is the same for all that ask no model."""

    @property
    def in_flight(self) -> int:
        """One exchange: nothing is waited for."""
        return 1

    @property
    def generator(self) -> None:
        """No model is asked."""
        return None

    @property
    def asker(self) -> None:
        """There is no model to ask."""
        return None

    @property
    def fallbacks(self) -> Counter[str]:
        """Empty: nothing stands in for it."""
        return Counter()

    def given(self, conversation_id: str, exchanges: range) -> str:
        """Nothing: it is given windows only."""
        return ""

    def unused(self, exchanges: Mapping[str, int]) -> Iterable[DeadLetter | Notice]:
        """Nothing: it is given windows only."""
        return ()

    def share(self, workers: int) -> Self:
        """This engine: it has nothing to divide."""
        return self

    def retrying(self, failed: Iterable[tuple[str, int]]) -> Self:
        """This engine: it asks no model."""
        return self

    def close(self) -> None:
        """Nothing is open."""


class Engine(Protocol):
    """Turns windows into extractions. Whatever else the other modules need of an engine is declared here too."""

    @property
    def signature(self) -> str:
        """All that the result depends on besides the window and what was `given`: engine, version, settings. It enters
        the hash a segment is stored under, so a change of result is a change of signature. One that begins with
        "rules-" says that extractions repeat the user's words (`by_rules`)."""
        ...

    @property
    def history_tokens(self) -> int:
        """How many tokens of earlier messages a window holds at most."""
        ...

    @property
    def assistant_tokens(self) -> int:
        """How many tokens of an assistant's message a window holds at most."""
        ...

    @property
    def in_flight(self) -> int:
        """How many exchanges each process keeps in flight so that the engine has enough to do: 1 if it works in that
        process. Raises UserError if the engine cannot run (no GPUs)."""
        ...

    @property
    def generator(self) -> Generator | None:
        """The model that the engine asks, with its settings; None if it asks no model."""
        ...

    @property
    def asker(self) -> Asker | None:
        """What asks the engine's model, for callers that want to ask it something else; None if there is no model."""
        ...

    @property
    def fallbacks(self) -> Counter[str]:
        """Why another engine stood in for this one in this process, and how often."""
        ...

    def extract(
        self, windows: Sequence[Window], before: Before | None = None
    ) -> Sequence[Extraction | DeadLetter]:
        """One extraction for each window, in order. Safe to call from any number of threads.

        The windows may belong to several conversations, and to several segments of one: those of one segment stand
        together and in order. An extraction depends on its window, and at most on short ones beside it in its segment;
        so segments given together get what each would get alone. Where there can be no extraction there is a dead
        letter that says why; it does not affect the other windows. An engine that asks a model may reuse what it
        extracted `before` from the same windows. Raises UserError if the model no longer answers, and
        BudgetSpent.
        """
        ...

    def given(self, conversation_id: str, exchanges: range) -> str:
        """The digest of what the engine was given about some exchanges besides windows, on which their extractions
        depend; empty where that is nothing. Called where a job is planned, not on workers."""
        ...

    def unused(self, exchanges: Mapping[str, int]) -> Iterable[DeadLetter | Notice]:
        """What the engine was given besides windows and cannot use in a job over these conversations (`exchanges` is
        how many each has): a dead letter for each broken piece, a notice for the rest."""
        ...

    def share(self, workers: int) -> Engine:
        """This engine for each of `workers` processes (1 or more), with a part of its budget and of what it keeps in
        flight. Raises BudgetSpent if that part is nothing."""
        ...

    def retrying(self, failed: Iterable[tuple[str, int]]) -> Engine:
        """This engine, to be asked for exchanges that failed before, by conversation and number. Where an answer about
        one of them is kept and gave nothing, it asks again. It does not take its model for useless where all fail
        again."""
        ...

    def close(self) -> None:
        """Release what is open; the next call opens it again."""
        ...


# Control characters but newline, lone surrogates (no UTF-8 has them, so no table does), and the marks that
# reorder or hide text on a screen. Joiners stay: emoji and several scripts need them.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
_BLANKS = re.compile(r"[^\S\n]+")
# A year or a month, as ISO 8601 writes them.
_PERIOD = re.compile(r"(?!0000)[0-9]{4}(?:-(?:0[1-9]|1[0-2]))?")

_T = TypeVar("_T")


def bounded(extraction: Extraction, messages: Said) -> Extraction:
    """`extraction` within the bounds of this module: what is too long is cut, what is not valid is dropped, and whose
    words a note was taken from is read from the exchange's `messages` (`memfold.extract.speaker`).

    A fact needs a key and a value, a note a known kind and a text. Of a date with a time the date is kept; one that is
    no day, month or year of ISO 8601 becomes empty. A polarity that is no number and a strength that is not above 0
    become None, a polarity or strength out of range its nearest bound. Repeats are dropped.
    """
    notes = _first(map(_note, extraction.notes), MAX_NOTES, _same)
    speakers = Speakers(messages)
    return Extraction(
        summary=_line(extraction.summary, MAX_SUMMARY),
        facts=_first(map(_fact, extraction.facts), MAX_FACTS, lambda fact: fact),
        notes=tuple(replace(note, said_by=speakers.of(note.text, note.said_by)) for note in notes),
        made_by=extraction.made_by,
    )


def clean(text: str) -> str:
    """`text` without the characters nobody sees: control characters but newline, surrogates, bidi marks."""
    if text.isascii() and text.isprintable():
        return text
    return _UNSEEN.sub("", text.replace("\t", " "))


def _line(text: str, limit: int) -> str:
    # Cut before cleaning: an engine may hand over megabytes, and a line needs at most a few times its length.
    text = clean(text[: 4 * limit])
    # The only blanks that `clean` leaves in ASCII are spaces.
    text = (text if text.isascii() and "  " not in text else _BLANKS.sub(" ", text)).strip()
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def _optional(text: str | None, limit: int) -> str | None:
    return (_line(text, limit) or None) if text else None


def _fact(fact: Fact) -> Fact | None:
    key, value = _line(fact.key, MAX_KEY), _line(fact.value, MAX_VALUE)
    return Fact(key, value) if key and value else None


def _note(note: Note) -> Note | None:
    text = _line(note.text, MAX_TEXT)
    if note.kind not in NOTE_KINDS or not text:
        return None
    return Note(
        kind=note.kind,
        text=text,
        about=_optional(note.about, MAX_ABOUT),
        reason=_optional(note.reason, MAX_REASON),
        date=_date(note.date),
        polarity=_polarity(note.polarity),
        said_by=note.said_by,
        aspect=_optional(note.aspect, MAX_ASPECT),
        strength=_strength(note.strength),
    )


def _same(note: Note) -> Hashable:
    """What makes a note a repeat: one sentence may judge several things."""
    judged = (note.about, note.aspect) if note.polarity is not None else None
    return note.kind, note.text, note.date, judged


def _date(text: str | None) -> str | None:
    if text is None or _PERIOD.fullmatch(text):
        return text
    try:
        # Of a moment the day: it is that of whoever wrote it, whatever the time zone.
        return datetime.fromisoformat(text).date().isoformat()
    except ValueError:
        return ""


def _polarity(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else max(-1.0, min(1.0, value))


def _strength(value: float | None) -> float | None:
    return min(1.0, value) if value is not None and value > 0 else None


def _first(items: Iterable[_T | None], count: int, key: Callable[[_T], Hashable]) -> tuple[_T, ...]:
    distinct: dict[Hashable, _T] = {}
    for item in items:
        if item is not None:
            distinct.setdefault(key(item), item)
            if len(distinct) == count:
                break
    return tuple(distinct.values())
