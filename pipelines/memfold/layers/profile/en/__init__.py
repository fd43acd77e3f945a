"""What English sentences say of the one who speaks. Tables of patterns, and few: a wrong entry is an error in every
later answer, a missing one is still found by search.

Places, names and employers are told by their capitals, jobs by a list of what people are paid for. What is supposed,
played, quoted or said of somebody else is left out by what stands before it.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator

from memfold.layers.profile.claim import Claim, marked
from memfold.layers.profile.en import diets, home, names, studies, tastes, tongues, work
from memfold.layers.profile.en.capitals import CAPS
from memfold.layers.profile.en.lately import HAIL

_CORRECTS = re.compile(
    r"(?:^|[.!?;,—–-]\s*)[*_]*(?:oh,?\ |oops,?\ |wait,?\ |hm+,?\ |well,?\ |but\ |just\ |a\ |quick\ |small\ )*"
    r"(?:no|nope|nah|actually|sorry|correction|scratch\ that|in\ fact|my\ mistake|to\ correct|I\ was\ wrong"
    r"|I\ misspoke|I\ meant|I\ mean|update|not\ (?:quite|anymore)|that's\ (?:wrong|not\ right"
    r"|incorrect|not\ true)|you(?:'re|\ are)\ wrong)\b",
    re.IGNORECASE,
)
_ANY = re.compile(
    r"\b(?:I|my|me|i|My|[Ww]e|[Oo]ur|As an?|Living in|moved from"
    r"|(?i:answer(?:s|ing)?|repl(?:y|ies|ying)|respond(?:ing)?|responses?|back to|again"
    r"|typo|oops|correction|make that|scratch that|wait)|not)\b"
)


def claims(sentence: str, corrects: bool = False, opens: bool = False) -> Iterator[Claim]:
    """What one sentence, without quotations, says of its speaker; `corrects` is whether the one before says that
    something was wrong, `opens` whether nothing but greetings stands before it in its message."""
    if not opens and not _ANY.search(sentence):
        return
    text = sentence.replace("’", "'")
    for claim in itertools.chain(
        tongues.language_left(text, opens), _claims(text), _news(text) if opens else ()
    ):
        yield marked(claim, text[max(0, claim.start - 60) : claim.start], _CORRECTS, corrects=corrects)


_ELLIPTIC = re.compile(
    r"^\W*(?i:(?:no|nope|actually|sorry|correction|wait|oops|I\s+meant|I\s+mean|it's|it\s+is"
    rf"|in)[,:]?\s+)+(?P<value>{CAPS}|\d{{1,3}}),?\s+not\s+(?:in\s+)?"
    rf"(?P<old>{CAPS}|\d{{1,3}})\s*[.!;:)…]*\s*$"
)
# "Wait no, Lisbon", "Sorry, typo, 42": one value, and words of which one surely puts something right.
_TYPED_WRONG = re.compile(
    r"^\W*(?=[^.]{0,60}?\b(?i:typo|I\s+meant|I\s+mean|make\s+that|correction|scratch\s+that|misspoke|oops|wait,?\s+no"
    r"|no,?\s+wait)\b)"
    r"(?i:(?:oh|ah|ugh|oops|sorry|wait|no|nope|hang\s+on|hold\s+on|actually|I\s+meant(?:\s+to\s+say)?|I\s+mean|make\s+that|rather"
    r"|(?:that\s+was\s+)?(?:a\s+)?typo|correction|scratch\s+that|I\s+misspoke|my\s+bad|my\s+mistake|it's|it\s+is|in|at)[\s,:;.!–—-]+)+"
    rf"(?P<value>{CAPS}|\d{{1,3}})\s*[.!)…]*\s*$"
)


def _claims(text: str) -> Iterator[Claim]:
    low = text.lower()
    for cues, make in _KINDS:
        if any(map(low.__contains__, cues)):
            yield from make(text)
    if match := _ELLIPTIC.search(text):
        yield Claim("?", match["value"], match.start(), instead_of=match["old"])
    elif match := _TYPED_WRONG.search(text):
        yield Claim("?", match["value"], match.start(), correction=True)


def _news(text: str) -> Iterator[Claim]:
    yield from home.news(text)
    yield from work.news(text)


# What to look for, and where one of which words stands: looking for the words first takes a tenth of the time.
_KINDS: tuple[tuple[tuple[str, ...], Callable[[str], Iterator[Claim]]], ...] = (
    (("name", "i'm ", "i am ", "this is "), names.names),
    (tuple("0123456789"), names.ages),
    (("i'm ", "i am ", "as a", "work", "my ", "job", "retired", "team", "been ", " left", " quit", " resigned",
      " fired", " laid off", "let go", " run ", " own ", "department", "division"), work.jobs),
    (("i study ", "studying ", " now study ", " still study ", "year of ", "semester of ", "term of ", "majoring ",
      "i'm doing ", "i am doing "), studies.studies),
    (("became", "become", "promoted", "job as ", "position as ", "role as ", "post as ", "appointed as ", "hired ",
      "employed ", "recruited ", "joined ", "started ", "job at ", "job with ", "position at ", "position with ",
      "role at ", "role with ", "working as ", "qualified as ", "retrained as "), work.changes_of_job),
    (("live", "living", "based", "residing", " home", "hometown", "my new ", "our new ", "address", " from ", "grew up",
      "born in", "no longer work", "not work", "n't work"), home.homes),
    (("moved", "relocated", "settled"), home.changes_of_home),
    (("call", "address me", "go by "), names.ways_of_address),
    (("speak", "native", "tongue", "first language", "fluent", "learning", "studying", " in ", "back to",
      " again", "gave up", "given up"), tongues.tongues),
    (("prefer", "favo", "fave", "love", "like", "enjoy", "adore", "fan of", "hate", "detest", "stand ", " about ",
      "obsessed", " into "), tastes.tastes),
    (("allerg", "vega", "vegetarian", "pescatarian", "intolerant", "celiac", "coeliac", "halal", "kosher", "diabetic",
      "free", "can't ", "cannot ", "avoid ", "eat ", "drink ", "eating ", "drinking "), diets.diets),
)  # fmt: skip


def denies(sentence: str) -> bool:
    """Whether a short sentence says that something was wrong, so that the next one puts it right."""
    return len(sentence) < 60 and bool(
        _CORRECTS.search(sentence)
        or re.search(r"\b(?:wrong|incorrect|mistake|not right|mistaken)\b", sentence)
    )


_GREETS = re.compile(rf"\W*{HAIL}")


def greets(sentence: str) -> bool:
    """Whether a sentence only greets, or says that there is news: who speaks behind it speaks of themselves."""
    return _GREETS.fullmatch(sentence) is not None
