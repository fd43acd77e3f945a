"""Sentences that tell nothing about the date in them: labels and headings of an assistant's plan, questions that people
ask each other, farewells, and joy about what is ahead. Leaving them out changed or removed 603 of the assistant's 1,598
rows of a timeline in BEAM. Reads words and no dates."""

from __future__ import annotations

import re
from collections.abc import Iterable

from memfold.text.dates import BESIDE, MONTHS
from memfold.text.terms import lexicon, terms

# A sentence of only these words and a date tells nothing about the date.
_NAMES = frozenset(MONTHS) | frozenset(BESIDE)
_LABELS = _NAMES | lexicon(
    "date dates day days week weeks month year deadline due start starting end ending begin beginning by on of to at"
    " from until till through the and or phase step sprint session milestone today time timeline schedule target"
    " completion duration am pm est utc gmt cet th st nd rd"
)
_ASKED = _NAMES | lexicon(
    "have has had you u ya we i been be were was are is do did does doing done what whats how hows guess up to anything"
    " something any plans new the a for on this last next so today tonight tomorrow yesterday day night week weekend"
    " month year morning afternoon evening going go and s re ll"
)
_PROPOSED = _NAMES | lexicon("on to till until and or the so then st nd rd th")
_PARTED = _ASKED | lexicon(
    "see catch talk speak then alright ok okay all right well great good bye goodbye thanks thank hey yes sure soon"
)
_PARTING = re.compile(r"\b(?:see|catch|talk\ to|speak\ to)\ (?:you|ya|u)\b", re.IGNORECASE)
_CHEERS = frozenset(
    terms(
        "can't wait let's make it so much fun gonna going to be a blast an awesome amazing great wonderful lovely"
        " exciting unforgettable live up memories memory grand excited pumped happy hope luck best enjoy ready forget"
        " will tomorrow today tonight yesterday next last this week weekend month year good night day see you"
    )
)
_DENIES = re.compile(r"\b(?:not|never|no|cannot|cancel\w*)\b|n['’]t\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")
_DIGIT = re.compile(r"\d")
_CHINESE_DAYS = re.compile(r"[年月日号號第周週星期天一二三四五六七八九十至到]+")


def bare(sentence: str) -> bool:
    """Whether a sentence holds a date and nothing else."""
    return all(
        word in _LABELS or _CHINESE_DAYS.fullmatch(word) for word in map(str.lower, _WORD.findall(sentence))
    )


def idle(sentence: str) -> bool:
    """Whether a sentence only asks about a date, or is a farewell until then."""
    words = set(map(str.lower, _WORD.findall(sentence)))
    asks = sentence.rstrip(' "”)').endswith("?") or "guess" in words
    # "18 to 22 june?" proposes days.
    proposes = words <= _PROPOSED and _DIGIT.search(sentence) is not None
    return (asks and words <= _ASKED and not proposes) or (
        words <= _PARTED and _PARTING.search(sentence) is not None
    )


def says_again(sentence: str, words: frozenset[str], before: Iterable[frozenset[str]]) -> bool:
    """Whether a sentence with the terms `words` tells no more about its date than one of those `before`, but for
    joy."""
    return any(words <= one | _CHEERS for one in before) and _DENIES.search(sentence) is None
