"""What a sentence says of the one who speaks. Knows no language and no table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

# Attributes that have one value at a time; a newer one takes the older one's place. A name has one in each script.
SINGLE = ("name", "age", "address", "job", "employer", "home", "from", "answer language")
# Attributes that have any number of values, each by itself.
MANY = ("language", "taste", "diet", "allergy", "answers", "writes")
ATTRIBUTES = (*SINGLE, *MANY)
# The key of a job that names only what somebody works in; it takes no title's place.
FIELD = "field"


@dataclass(frozen=True, slots=True)
class Claim:
    """What is said of an `attribute`.

    `value` is None where one is only taken back; `key` says more exactly of what: "han" of a name, "likes" of a taste,
    the thing of which something is the favourite. `instead_of` is the value that is said to hold no longer; where only
    two values are set against each other ("Paris, not London"), or one puts right what was said before it ("Wait no,
    Lisbon"), the attribute is "?". `correction` is whether the words
    themselves say that something was wrong or is so no more. `start` is where in the text it stands. `follows` says
    that who is spoken of stands only before it: "and no mutton either"."""

    attribute: str
    value: str | None
    start: int
    key: str | None = None
    instead_of: str | None = None
    correction: bool = False
    follows: bool = False


def marked(claim: Claim, before: str, words: re.Pattern[str], *, corrects: bool) -> Claim:
    """`claim` as a correction where it is one: the sentence before or the claim itself says so, or one of `words` does
    right `before` it."""
    changed = corrects or claim.correction or claim.instead_of is not None or words.search(before) is not None
    return replace(claim, correction=changed)


def of_late(matches: Iterable[re.Match[str]], long_ago: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """Those of `matches` before which their text does not say that it was `long_ago`."""
    return (match for match in matches if not long_ago.search(match.string, 0, match.start()))


def moved(*, own: bool, sure: bool, old: str | None) -> str | None:
    """The key of a home that somebody moved to; None where it is none. "We moved to React" is said of a team, so the
    place must be `sure` to be a household's, unless the speaker moved by themselves (`own`). Only who is known to live
    somewhere "moved"; who "moved from" an `old` place must be known to live there (`history`)."""
    if sure or (own and old is None):
        return "moved"
    return None if old is None else "moved from"


# The ages that people have who write.
_AGES = range(5, 116)


def an_age(value: str) -> bool:
    """Whether a text is an age in figures."""
    return value.isdecimal() and int(value) in _AGES


def is_style(order: str) -> bool:
    """Whether a standing order says how all answers are to be; one that says when is no part of who the user is."""
    return _STYLE.search(order) is not None


_STYLE = re.compile(
    r"^(?:please\s+)?(?:always\s+|from\s+now\s+on,?\s+)?(?:keep|make|give|use|write)\s+"
    r"(?:me\s+)?(?:all\s+)?(?:your\s+|the\s+)?"
    r"(?:answers?|responses?|replies|explanations?|it|short|brief|concise|bullet)\b[^.]{0,60}\.?$"
    r"|^(?:以后|今后)?请?(?:保持|尽量)?[^，。]{0,6}(?:回答|回复)(?:简短|简洁|详细|要短)[^，。]{0,6}。?$",
    re.IGNORECASE,
)
