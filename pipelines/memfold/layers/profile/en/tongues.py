"""What English speakers say of the languages they speak, and in which they wish to be answered."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memfold.layers.profile.claim import Claim
from memfold.layers.profile.en.matching import I_AM, told
from memfold.text.reported import in_earnest
from memfold.text.tongues import ENGLISH_NAMES
from memfold.text.withdrawn import withdrawal, words

# Many users write "german".
_TONGUE = rf"(?i:{ENGLISH_NAMES})"
_SPEAKS = (
    (
        None,
        re.compile(
            r"\bI(?:\s+also|\s+can)?\s+speak\s+(?:fluent\s+|some\s+|a\s+(?:bit|little)\s+(?:of\s+)?"
            rf"|both\s+)?(?P<many>{_TONGUE}(?:(?:,\s+|,?\s+and\s+)(?:some\s+)?{_TONGUE})*)"
            rf"|{I_AM}\s+(?:also\s+)?fluent\s+in\s+(?P<many2>{_TONGUE}(?:(?:,\s+"
            rf"|,?\s+and\s+){_TONGUE})*)"
        ),
    ),
    (
        "native",
        re.compile(
            r"\b[Mm]y\s+(?:native\s+language|mother\s+tongue|first\s+language|native\s+tongue)\s+is\s+"
            rf"(?P<many>{_TONGUE})|{I_AM}\s+a\s+native\s+(?P<many2>{_TONGUE})\s+speaker"
            rf"|{I_AM}\s+a\s+native\s+speaker\s+of\s+(?P<many3>{_TONGUE})"
        ),
    ),
    (
        "learning",
        re.compile(
            rf"{I_AM}\s+(?:also\s+|currently\s+|now\s+)?(?:learning|studying)\s+(?P<many>{_TONGUE})\b"
            r"(?!\s+(?:history|literature|law|cuisine|cooking|grammar))"
        ),
    ),
)
_ONE_LANGUAGE = re.compile(_TONGUE)
# "Then back to English" is a plan, so "then" is no lead here.
_LEAD = (
    r"\W*(?:(?:please|now|ok(?:ay)?|sorry|actually|alright|well|oh|hey|thanks|by\s+the\s+way|btw|ha(?:ha)?)"
    r"[,;.!]?\s+)*"
)
_ANSWER = r"(?i:answer|reply|respond|write|talk|speak|communicate)(?:\s+(?:to\s+)?me)?"
# Behind a language's name: a case, or a thing of that language.
_NO_LANGUAGE = r"(?:for|when|if|to|letters|numerals|spelling|class|lessons?|crowns|characters|script)\b"
_ANSWER_IN = re.compile(
    rf"\b{_ANSWER}(?:\s+back)?"
    rf"(?:\s+only|\s+always)?\s+in\s+(?P<value>{_TONGUE})\b(?!\s+{_NO_LANGUAGE})"
    rf"|\b(?i:answers|replies|responses)\s+(?:to\s+be\s+)?in\s+(?P<value2>{_TONGUE})\b"
    # Gone back to: "you can go back to English", not "then I can go back to English".
    rf"|^(?i:{_LEAD})(?:(?i:(?:(?:you\s+(?:can|may)|let's|(?:can|could)\s+(?:you|we))\s+)?"
    rf"(?:(?:go|switch|change|come)\s+)?back\s+to)\s+(?P<value3>{_TONGUE})(?=(?i:\s+(?:please|again|now))*\W*$)"
    rf"|(?i:in\s+)?(?P<value4>{_TONGUE})\s+(?i:again),?\s+(?i:please)\b)"
    rf"|^(?i:{_LEAD}you\s+(?:can|may)\s+{_ANSWER}\s+in)\s+(?P<value5>{_TONGUE})"
    r"(?=(?i:\s+(?:now|again|from\s+now\s+on)(?:,?\s+(?:fully|completely|please|too))*[\s.!]*$))",
)
_ANSWER_BY = re.compile(
    r"(?:^|[,.;!?:–—-]\s*|\b(?:please|always|you|should|must|only|can|could|and|but|now|on"
    r"|want|prefer|like|your|all))\s*(?:always\s+|only\s+|to\s+|please\s+)*$",
    re.IGNORECASE,
)

# The wish is negated, or somebody else does it: "my kids always speak in English".
_UNWANTED = re.compile(
    r"\b(?:don't|do\s+not|no\s+longer|never)\s+(?:want|need|expect|like)\s+(?:you\s+to|your|to)\s*$"
    r"|\b(?:I|we|they|he|she|(?!always|answers|replies|responses)[a-z]+s)\s+(?:always|only|must|should)\s+$",
    re.IGNORECASE,
)


def tongues(text: str) -> Iterator[Claim]:
    """The languages that a sentence says its speaker speaks, or wishes answers in."""
    for key, pattern in _SPEAKS:
        for match in told((pattern,), text):
            named = next(value for value in match.groups() if value)
            for language in _ONE_LANGUAGE.findall(named):
                yield Claim("language", language.capitalize(), match.start(), key)
    for key, pattern in _SPEAKS_NOT:
        for match in told((pattern,), text):
            old = match["tongue"].capitalize()
            yield Claim("language", None, match.start(), key, old, correction=True)
    for match in _ANSWER_IN.finditer(text):
        before = text[: match.start()]
        if _ANSWER_BY.search(before) and not _UNWANTED.search(before) and in_earnest(text, match.start()):
            named = next(filter(None, match.groups()))
            yield Claim("answer language", named.capitalize(), match.start())


_SPEAKS_NOT = (
    (
        None,
        re.compile(
            r"\bI\s+(?:don't|do\s+not|can't|cannot|no\s+longer|can\s+no\s+longer)\s+speak\s+(?:any\s+)?"
            rf"(?P<tongue>{_TONGUE})(?=(?:\s+(?:any\s?more|any\s+longer|now|at\s+all))?\s*(?:[.,;!\n]|$))"
        ),
    ),
    (
        "learning",
        re.compile(
            r"\bI(?:'m|\s+am|'ve|\s+have)?\s+(?:(?:no\s+longer|not)\s+(?:learning|studying)|(?:stopped|quit)\s+(?:learning"
            rf"|studying)|gave\s+up(?:\s+on)?(?:\s+learning)?|given\s+up(?:\s+on)?(?:\s+learning)?)\s+(?P<tongue>{_TONGUE})"
            r"(?=\s*(?:[.,;!\n]|$)|\s+(?:lessons?|class(?:es)?|courses?|and|but|so|for|because|last|after|altogether)\b)"
        ),
    ),
)
_NO_MORE_OF = re.compile(rf"(?i:{_LEAD}no\s+more)\s+{_TONGUE}(?i:,?\s+(?:please|thanks|now))*\W*$")
_OF_ANSWERS = re.compile(r"\b(?:answer|repl|respond|response|writ|speak|talk)", re.IGNORECASE)


def language_left(text: str, opens: bool) -> Iterator[Claim]:
    """A claim for each language in which the sentence no longer wants answers. "No more German" behind another sentence
    may be about school."""
    if text.rstrip().endswith("?") or not (_OF_ANSWERS.search(text) or (opens and _NO_MORE_OF.match(text))):
        return
    back = withdrawal(text)
    if back is None or back.takes == "ban":
        return
    for language in _ONE_LANGUAGE.findall(text):
        if words(language) == back.words:
            yield Claim("answer language", None, 0, instead_of=language.capitalize(), correction=True)
