"""Text typed without capitals and apostrophes ("im 20, i live in leeds") as the patterns expect it, and what they find
in it as it was typed. Knows names and places that are surely such, and nothing of what is claimed."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, replace

from memfold.layers.profile.claim import Claim
from memfold.layers.profile.en.titles import TITLE
from memfold.layers.profile.places import known
from memfold.text.language import UNKNOWN

# It begins with a space, which is looked for fast: with the edge of a word it takes four times as long.
_CUE = re.compile(r" (?:i[ '’]|[Ii](?:m|ve) |dont |cant )")
_EXPECTED = {"i": "I", "im": "I'm", "ive": "I've", "dont": "don't", "cant": "can't"}
_BARE = re.compile(r"(?<![\w'./@-])(?:i(?=\s|'(?:m|ve|d|ll)\b)|(?:[Ii](?:m|ve)|[Dd]ont|[Cc]ant)(?=\s))")
# "Im" stands before a noun or an ordinal in German ("wohne im 3. Stock"), and other languages have the word too. Where
# the language is a guess, it begins a clause, nothing follows an ordinal, and no German word stands beside it.
_FOLLOWS = re.compile(r"\s+(?:[a-z]|\d+(?!\d|\.\s*[A-ZÀ-Þ]))")
_BEGINS = re.compile(
    r"(?:^|[^\w\s']|\b(?:hi|hey|hello|there|and|so|but|btw|okay|well|yes|yeah|now|cos|because|lol))\s*\Z",
    re.IGNORECASE,
)
_ORDINAL = re.compile(r"\s+\d+\.\s*\w")
_GERMAN = re.compile(r"\b(?:ich|nein|hallo|und|der|das|ist|bin|wir|oder|mit|dem|den|nicht)\b", re.IGNORECASE)
# The language of a shorter text is a guess: "im 7. bezirk in wien" has one word that is English too.
_SURE = 40

# "im noor, a student": a name where what follows says who it is, and the word says nothing of how one is.
_NAMED = re.compile(
    r"\b[Ii](?:'?m|\s+am)\s+(?P<name>(?!(?:not|now|just|home|late|early|ill|sick|broke|skint|poor|rich|old|older|young"
    r"|younger|free|off|out|away|alone|abroad|online|dyslexic|female|male|busy|hungry|lazy|shy|healthy|unemployed"
    r"|local|self|only|mainly|basically|actually|currently|originally|technically|pretty|really|from|in|at|on|with)\b)"
    rf"[a-z]{{3,12}})(?=,\s+(?:(?:an?\s+)?\d\d(?=\s*[,.;!]|\s+(?:and\b|from\b|years\b)|[ -]year|$)|an?\s+{TITLE}"
    r"|(?:starting|doing|in)\s+(?:(?:my|the)\s+)?(?:\d(?:st|nd|rd|th)|first|second|third|final|last)\s+year\b))"
)
_LIVES = re.compile(
    r"\b[Ii](?:\s+(?:currently|now|actually))?\s+live\s+in\s+(?P<place>[a-z]{3,}(?:\s[a-z]{3,})?)"
    r"(?=\s*(?:[.,!;]|$))"
)
_NO_PLACE = re.compile(
    r"\b(?:fear|denial|peace|poverty|hope|harmony|pain|silence|exile|misery|luxury|hell|heaven"
    r"|isolation|chaos|doubt|terror|darkness|sin|squalor|agony|constant|pajamas|jeans|the|my"
    r"|his|her|our|their|an?|one|this|that|two|small|big|comfort|anxiety|regret|shame|solitude"
    r"|style|sweatpants|town|country|countryside|city|suburbs?|dorms?)\b"
)
_PLACED = re.compile(r"\b(?:from|in|to)\s+(?P<place>[a-z]{4,}(?:\s[a-z]{4,}){0,2}|usa|uk|nyc)\b")


@dataclass(frozen=True, slots=True)
class Typed:
    """A message in two ways: `own` as it was typed, with capitals for names alone; `text` as the patterns expect it,
    which is longer by an apostrophe at each of the places `added`."""

    own: str
    text: str
    added: tuple[int, ...]

    def as_typed(self, claim: Claim) -> Claim:
        """A claim of `text` where it stands in `own`, with the words that are there."""
        return replace(
            claim,
            start=self._place(claim.start),
            value=self._words(claim.value, claim.start),
            instead_of=self._words(claim.instead_of, claim.start),
        )

    def _place(self, at: int) -> int:
        return at - bisect_left(self.added, at)

    def _words(self, value: str | None, start: int) -> str | None:
        at = -1 if value is None else self.text.find(value, start)
        return value if value is None or at < 0 else self.own[self._place(at) : self._place(at + len(value))]


def typed(text: str, spoken: str) -> Typed | None:
    """The two ways of a message in the language `spoken`; None where it is typed as is expected."""
    if not _CUE.search(f" {text}") and not ("\n" in text and _CUE.search(text.replace("\n", " "))):
        return None
    own = text.replace("’", "'")
    found = [match for match in _BARE.finditer(own) if match[0] == "i" or _shortens(match, spoken)]
    if not found:
        return None
    for named in (_NAMED, _LIVES, _PLACED):
        own = named.sub(_capitals, own)
    parts: list[str] = []
    added: list[int] = []
    end = 0
    for match in found:
        word, expected = match[0], _EXPECTED[match[0].lower()]
        if "'" in expected:
            added.append(match.start() + expected.index("'") + len(added))
        parts += (own[end : match.start()], word[0] + expected[1:] if word[0].isupper() else expected)
        end = match.end()
    return Typed(own, "".join((*parts, own[end:])), tuple(added))


def _shortens(match: re.Match[str], spoken: str) -> bool:
    """Whether a word without an apostrophe is an English one that should have it."""
    if spoken not in ("en", UNKNOWN):
        return False
    if match[0] not in ("im", "Im"):
        return True
    text, start, end = match.string, match.start(), match.end()
    if not _FOLLOWS.match(text, end):
        return False
    if spoken == "en" and len(text) >= _SURE:
        return True
    begins = _BEGINS.search(text, max(0, start - 40), start) is not None
    return begins and not _ORDINAL.match(text, end) and not _GERMAN.search(text)


def _capitals(match: re.Match[str]) -> str:
    """A name with its capitals; a place that is not said to be lived in only as far as it is known."""
    start = match.start(1) - match.start()
    words = match[1].split(" ")
    many = len(words)
    if match.re is _PLACED:
        many = next((n for n in range(many, 0, -1) if known(" ".join(words[:n]))), 0)
    elif match.re is _LIVES and _NO_PLACE.search(match[1]):
        many = 0
    named = (word.upper() if word in ("usa", "uk", "nyc") else word.capitalize() for word in words[:many])
    return match[0][:start] + " ".join((*named, *words[many:]))
