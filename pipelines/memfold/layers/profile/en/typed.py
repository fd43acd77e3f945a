"""A message typed without capitals and apostrophes ("im noor, a student from leeds") as the patterns expect it. Knows
names and places that are surely such, and nothing of what is claimed."""

from __future__ import annotations

import re
from dataclasses import replace

from memfold.layers.profile.claim import Claim
from memfold.layers.profile.en.titles import TITLE
from memfold.layers.profile.places import known
from memfold.text.typed import Typed, bare, spelled

# "im noor, a student": a name where what follows says who it is, and the word says nothing of how one is.
_NAMED = re.compile(
    r"\b[Ii](?:'?m|\s+am)\s+(?P<name>(?!(?:not|now|just|home|late|early|ill|sick|broke|skint|poor|rich|old|older|young"
    r"|younger|free|off|out|away|alone|abroad|online|dyslexic|female|male|busy|hungry|lazy|shy|healthy|unemployed"
    r"|local|self|only|mainly|basically|actually|currently|originally|technically|pretty|really|from|in|at|on|with)\b)"
    rf"[a-z]{{3,12}})(?=,\s+(?:an?\s+{TITLE}"
    r"|(?:starting|doing|in)\s+(?:(?:my|the)\s+)?(?:\d(?:st|nd|rd|th)|first|second|third|final|last)\s+year\b))"
)
_LIVES = re.compile(
    r"\b[Ii](?:\s+(?:currently|now|actually))?\s+live\s+in\s+(?P<place>[a-z]{3,}(?:\s[a-z]{3,})?)"
    r"(?P<wider>,\s(?:[a-z]{4,}(?:\s[a-z]{4,})?|usa?|uk))?(?=\s*(?:[.,!;]|$))"
)
_WORKS = re.compile(
    r"\b[Ii](?:\s+(?:currently|now|actually))?\s+work\s+(?:at|for)\s+(?P<firm>[a-z]{3,}(?:\s[a-z]{3,})?)"
    r"(?=\s*(?:[.,!;]|$)|\s+(?:and|as)\b)"
)
_NO_FIRM = re.compile(
    r"\b(?:home|nights?|work|school|university|college|uni|sea|free|money|peanuts|myself|cash|tips|food|fun|dawn|dusk|noon"
    r"|midnight|weekends?|the|my|his|her|our|their|your|this|that|it|them|him|you|us|one|two|least|once|all|another|someone"
    r"|somebody|both|several|various|many|some|any|first|full|half|speed|hours?|minimum|wage|church|government|startups?"
    r"|clients?|companies|people|now|long|short|years|weeks|months|days|ever|what|where|who|height|scale|heights|pay)\b"
)
_NO_PLACE = re.compile(
    r"\b(?:fear|denial|peace|poverty|hope|harmony|pain|silence|exile|misery|luxury|hell|heaven"
    r"|isolation|chaos|doubt|terror|darkness|sin|squalor|agony|constant|pajamas|jeans|the|my"
    r"|his|her|our|their|an?|one|this|that|two|small|big|comfort|anxiety|regret|shame|solitude"
    r"|style|sweatpants|town|country|countryside|city|suburbs?|dorms?)\b"
)
_PLACED = re.compile(r"\b(?:from|in|to)\s+(?P<place>[a-z]{4,}(?:\s[a-z]{4,}){0,2}|usa|uk|nyc)\b")


def typed(text: str, spoken: str) -> Typed | None:
    """The two ways of a message in the language `spoken`, both with capitals for names; None where it is typed as is
    expected."""
    own = text.replace("’", "'")
    found = bare(own, spoken)
    if not found:
        return None
    for named in (_NAMED, _LIVES, _WORKS, _PLACED):
        own = named.sub(_capitals, own)
    return spelled(own, found)


def as_typed(ways: Typed, claim: Claim) -> Claim:
    """A claim of the expected text where it stands as it was typed, with the words that are there."""
    value, before = (
        None if each is None else ways.words(each, claim.start) for each in (claim.value, claim.instead_of)
    )
    return replace(claim, start=ways.place(claim.start), value=value, instead_of=before)


def _capitals(match: re.Match[str]) -> str:
    """A name with its capitals; a place that is not said to be lived in only as far as it is known."""
    start = match.start(1) - match.start()
    words = match[1].split(" ")
    many = len(words)
    if match.re is _PLACED:
        many = next((n for n in range(many, 0, -1) if known(" ".join(words[:n]))), 0)
    elif (match.re is _LIVES and _NO_PLACE.search(match[1])) or (
        match.re is _WORKS and _NO_FIRM.search(match[1])
    ):
        many = 0
    wider = match.groupdict().get("wider") or ""
    if many and known(wider.removeprefix(",")):
        wider = " ".join(map(_capital, wider.split(" ")))
    return match[0][:start] + " ".join((*map(_capital, words[:many]), *words[many:])) + wider


def _capital(word: str) -> str:
    return word.upper() if word in ("us", "usa", "uk", "nyc") else word.capitalize()
