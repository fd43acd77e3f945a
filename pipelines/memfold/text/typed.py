"""English typed without capitals and apostrophes ("im late, i dont like it") as patterns expect it, and what they find
in it as it was typed. Knows nothing of what is looked for."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from memfold.text.language import UNKNOWN

# It begins with a space, which is looked for fast: with the edge of a word it takes four times as long.
_CUE = re.compile(r" (?:i[ '’]|[Ii](?:m|ve) |dont |cant )")
_EXPECTED = {"i": "I", "im": "I'm", "ive": "I've", "dont": "don't", "cant": "can't"}
_BARE = re.compile(r"(?<![\w'./@-])(?:i(?=\s|'(?:m|ve|d|ll)\b)|(?:[Ii](?:m|ve)|[Dd]ont|[Cc]ant)(?=\s))")
# "Im" stands before a noun or an ordinal in German ("wohne im 3. Stock"), and other languages have the word too. Where
# the language is a guess, it begins a clause, nothing follows an ordinal, and no German word stands beside it.
_FOLLOWS = re.compile(r"\s+(?:[a-z]|\d+(?!\d|\.\s*[A-ZÀ-Þ]))")
_NAME_FOLLOWS = re.compile(r"\s+[A-Z][a-z]+(?:\s*(?:[,.!;)\n]|\Z)|\s+(?:and|from|but|btw)\b)")
_BEGINS = re.compile(
    r"(?:^|[^\w\s']|\b(?:hi|hey|hello|there|and|so|but|btw|okay|well|yes|yeah|now|cos|because|lol))\s*\Z",
    re.IGNORECASE,
)
_ORDINAL = re.compile(r"\s+\d+\.\s*\w")
_GERMAN = re.compile(r"\b(?:ich|nein|hallo|und|der|das|ist|bin|wir|oder|mit|dem|den|nicht)\b", re.IGNORECASE)
# The language of a shorter text is a guess: "im 7. bezirk in wien" has one word that is English too.
_SURE = 40


@dataclass(frozen=True, slots=True)
class Typed:
    """A text in two ways: `own` as it was typed, and `text` as patterns expect it, which is longer by an apostrophe at
    each of the places `added`."""

    own: str
    text: str
    added: tuple[int, ...]

    def place(self, at: int) -> int:
        """Where in `own` a place in `text` is."""
        return at - bisect_left(self.added, at)

    def words(self, found: str, start: int = 0) -> str:
        """Words that stand in `text` from `start` on, as they stand in `own`; others as they are. A mark of omission
        behind them stays."""
        whole = found.removesuffix("…").rstrip()
        at = self.text.find(whole, start)
        if at < 0:
            return found
        return self.own[self.place(at) : self.place(at + len(whole))] + found[len(whole) :]


def typed(text: str, spoken: str, whole: str | None = None) -> Typed | None:
    """The two ways of a text in the language `spoken`, which is a part of `whole` or all there is; None where it is
    typed as is expected."""
    found = bare(text, spoken, whole) if spoken in ("en", UNKNOWN) else []
    return spelled(text, found) if found else None


def bare(text: str, spoken: str, whole: str | None = None) -> list[re.Match[str]]:
    """The words that lack their capital or apostrophe. The text is a part of `whole`, or all there is; that is in the
    language `spoken`, and the text holds no curly apostrophes. If the language is not English, only "i" counts: the
    language of a few words is a guess, and no pattern looks for "I" alone."""
    if not _CUE.search(f" {text}") and not ("\n" in text and _CUE.search(text.replace("\n", " "))):
        return []
    english = spoken in ("en", UNKNOWN)
    whole = text if whole is None else whole
    sure = spoken == "en" and len(whole) >= _SURE
    # Looked for once: for each "im" it took 5 s for 20,000 characters.
    german = not sure and _GERMAN.search(whole) is not None
    return [
        match
        for match in _BARE.finditer(text)
        if match[0] == "i" or (english and _shortens(match, sure=sure, german=german))
    ]


def spelled(own: str, found: Sequence[re.Match[str]]) -> Typed:
    """A text in which these words are `bare`, in two ways."""
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


def _shortens(match: re.Match[str], *, sure: bool, german: bool) -> bool:
    """Whether a word without an apostrophe is an English one that should have it, in a text that is surely English, or
    that has a word of German."""
    if match[0] not in ("im", "Im"):
        return True
    text, start, end = match.string, match.start(), match.end()
    follows = _FOLLOWS.match(text, end) is not None
    if sure and follows:
        return True
    begins = _BEGINS.search(text, max(0, start - 40), start) is not None
    # "Im" before a name counts only in a text that is surely English: "im Garten" is German.
    if not follows:
        return sure and begins and _NAME_FOLLOWS.match(text, end) is not None
    return begins and not german and not _ORDINAL.match(text, end)
