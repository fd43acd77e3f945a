"""A rule for notes: what a sentence must hold to be one, and what of it is kept.

Knows no language: `en`, `de` and `zh` have tables of these.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from memfold.extract.engines.rules.text import shorten
from memfold.schema import Note, NoteKind
from memfold.text.cued import Cued
from memfold.text.sentences import Sentence

# A note is a statement, not a paragraph.
NOTE = 260
GOVERNED = 4
# Notes of these kinds need an object.
_DONE = frozenset[NoteKind](("decision", "excluded", "fact"))


@dataclass(frozen=True, slots=True)
class Rule:
    """A sentence that holds one of `cues`, matches `pattern` (and `needs`), and not `unless`, gives a note of `kind`.

    `about` patterns are tried in turn on the note's text, `reason` on what follows the match (on all of it for a
    `whole` one); the first group that took part is what was found.
    `whole` keeps the sentence from its start, else from the clause the match stands in, or from an earlier one
    if fewer than `least` characters would stand before the match's end.
    `listed` is False where a line of a list is more likely quoted advice than the user's own word.
    `alone` rules are for a sentence that is all of a message: beside others it may be of one task.
    """

    kind: NoteKind
    cues: frozenset[str]
    pattern: re.Pattern[str] | Cued
    needs: re.Pattern[str] | None = None
    unless: re.Pattern[str] | None = None
    about: tuple[re.Pattern[str], ...] = ()
    reason: re.Pattern[str] | None = None
    whole: bool = False
    least: int = 0
    listed: bool = True
    alone: bool = False


class Clauses(NamedTuple):
    """How a language parts its clauses: where one begins before a match, and where another takes over behind it. One
    that `points` matches needs the clause before it: its note holds that too."""

    starts: re.Pattern[str]
    ends: re.Pattern[str]
    points: re.Pattern[str] | None = None


_GROUND = re.compile(
    r"\A(?:(?:and|but|so|also)\s+)?(?:especially\s+since|(?:considering|given|now)(?:\s+that)?|taking\s+into\s+account"
    r"|as|and|but|so|also)\s+(?=(?:I|we|my|our|I'm|I've|I'd|I'll|we're|we've|we'd|we'll)\b)"
    # "As I chose Redis, I need a cluster" goes on.
    r"(?![^,]*,\s+(?:I|we)\b)",
    re.IGNORECASE,
)


def compiled(pattern: str) -> re.Pattern[str]:
    """`pattern`, verbose and without case."""
    return re.compile(pattern, re.IGNORECASE | re.VERBOSE)


def at_words(pattern: str, first: str = "") -> re.Pattern[str]:
    """`pattern`, tried at the edges of words (`\\b`) alone. `first` holds every character that one of its alternatives
    may begin with; give it if most words begin with another.

    The pattern of preferences takes 14 us per sentence, and 63 if each alternative begins with a `\\b` of its own.
    """
    return compiled(rf"\b{f'(?=[{first}])' if first else ''}(?:{pattern})")


def apply(
    rules: tuple[Rule, ...], sentence: Sentence, clauses: Clauses, *, alone: bool = False
) -> Iterator[Note]:
    """The notes `rules` find in `sentence`, at most one of a kind, the first rule winning; `alone` says that the
    message has no other sentence."""
    text, done = sentence.text, set[NoteKind]()
    for rule in rules:
        if rule.kind in done or (sentence.listed and not rule.listed) or (rule.alone and not alone):
            continue
        cued = (
            any(cue in text for cue in rule.cues)
            if sentence.chinese
            else not sentence.words.isdisjoint(rule.cues)
        )
        if not cued:
            continue
        match = rule.pattern.search(text)
        needed = rule.needs.search(text) if match and rule.needs else match
        if match is None or needed is None:
            continue
        # "From now on, please answer …" says nothing without what is needed.
        end = max(match.end(), needed.end())
        kept = clause(text, 0 if rule.whole else match.start(), end, clauses, rule.least)
        if rule.unless and rule.unless.search(kept):
            continue
        if clauses.points is not None and rule.kind in _DONE and clauses.points.search(stated(kept)):
            longer = clause(text, match.start(), end, clauses, rule.least, before=1)
            # "Nate: I chose it": a name is no clause.
            if " " in longer.removesuffix(kept).strip():
                kept = longer
        done.add(rule.kind)
        yield Note(
            kind=rule.kind,
            text=shorten(stated(kept), NOTE),
            about=next(filter(None, (_found(pattern, kept) for pattern in rule.about)), None),
            reason=_reason(rule, kept, kept.find(match[0]) + len(match[0])),
        )


def stated(text: str) -> str:
    """A clause without the conjunction that makes it a reason: "I chose Redis" for "considering I chose Redis"."""
    return _GROUND.sub("", text)


def clause(text: str, start: int, end: int, clauses: Clauses, least: int = 0, before: int = 0) -> str:
    """The part of `text` around a match, in whole clauses, with up to `before` more in front."""
    starts = (mark.end() for mark in clauses.starts.finditer(text, 0, start))
    begins = [0, *(at for at in starts if end - at >= least)]
    begin = begins[max(0, len(begins) - 1 - before)]
    stop = clauses.ends.search(text, end)
    return text[begin : stop.start() if stop else len(text)].strip(" ,，;；:：-–—.。")


def _reason(rule: Rule, text: str, after: int) -> str | None:
    if rule.reason is None:
        return None
    # "decided to reduce …" gives no reason: what a match governs starts a few characters after it.
    return _found(rule.reason, text, after + GOVERNED) or (_found(rule.reason, text) if rule.whole else None)


def _found(pattern: re.Pattern[str], text: str, start: int = 0) -> str | None:
    match = pattern.search(text, max(start, 0))
    if match is None:
        return None
    found = next((group for group in match.groups() if group), "")
    return found.strip(" ,，.。!！?？\"'“”") or None
