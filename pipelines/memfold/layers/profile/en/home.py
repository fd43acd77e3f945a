"""What English speakers say of where they live, moved to, and come from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from memfold.layers.profile.claim import Claim, moved, of_late
from memfold.layers.profile.en.capitals import CAPS, NOT_OLD, PLACE, place
from memfold.layers.profile.en.lately import (
    ADVERB,
    HAVE,
    LASTS,
    LATELY,
    LONG_AGO,
    NO_HEADING,
    NO_SUBJECT,
    NOT_ASKED,
)
from memfold.layers.profile.en.matching import I_AM, told
from memfold.layers.profile.places import known

_HOUSE = r"(?:flat|apartment|house|home|place|studio|condo|townhouse|bungalow|cottage|loft)"
_DAY = r"(?:night|morning|evening|day|weekend|week)"
# "Near Boston" is no less a home than Boston.
_IN = r"(?:in\s+|(?P<near>(?:just\s+)?(?:near|outside)(?:\s+of)?)\s+)"
_HOME = (
    re.compile(
        # "We live in America, where ..." is of everybody.
        r"\b(?:I|[Ww]e(?!\s+live\s+in\s+(?:America|Europe|Asia|Africa|Earth)\b))"
        r"(?:\s+(?:currently|now|actually|still|do))*\s+live\s+(?:(?:here|alone|now"
        rf"|with\s+[a-z ]{{2,24}}?)\s+)?{_IN}(?:an?\s+[a-z -]{{2,30}}?\s+(?:in|near|outside"
        rf"|of)\s+)?(?P<home>{PLACE})" + NOT_OLD
    ),
    re.compile(
        rf"{I_AM}\s+(?:(?:currently|now|actually|still|a\s+\w+)\s+)*(?:living|based|residing)\s+{_IN}"
        rf"(?P<home>{PLACE})" + NOT_OLD
    ),
    re.compile(rf"{I_AM}\s+\d{{1,3}}\s+(?:years\s+old\s+)?and\s+(?:living|based)\s+in\s+(?P<home>{PLACE})"),
    re.compile(rf"^\W*Living\s+in\s+(?P<home>{PLACE}),\s+I\b"),
    re.compile(rf"\b[Mm]y\s+(?:new\s+)?home(?:\s+city)?\s+is\s+(?:now\s+)?(?:in\s+)?(?P<home>{PLACE})"),
    re.compile(
        r"\bI(?:(?:'m|\s+am)\s+(?:originally\s+)?from|\s+(?:grew\s+up|was\s+born)\s+in)\s[^.!?;]{2,50}?\s(?:but|and)\s+"
        rf"(?:(?:now|currently)\s+)?(?:live|living|based)\s+(?:now\s+)?{_IN}(?P<home>{PLACE})"
    ),
    re.compile(
        rf"\bI{HAVE}\s+(?:(?:always|also|now)\s+)?(?:been\s+)?(?:lived|living|based)\s+{_IN}(?P<home>{PLACE})"
        r"(?=,?\s+(?:since\b|for\s+(?:(?!a\s+while)[\w-]+\s+){1,4}?(?:months?|years?|decades?)\b|(?:all|most\s+of|for)\s+my\b)"
        r"(?![^.!?]{0,60}\b(?:but|before|until|then|moved|moving)\b))"
    ),
    re.compile(
        rf"\bI\s+(?:no\s+longer|don't|do\s+not)\s+live\s+in\s+(?P<old>{CAPS})(?:\s+any\s?more)?\s*[,;.–—-]?\s+"
        rf"(?:and\s+|but\s+)?I(?:'m|\s+am)(?=[^.!?]*\bnow\b)\s+(?:now\s+)?in\s+(?P<home>{PLACE})"
    ),
    re.compile(rf"\b[Ff]irst\s+{_DAY}\s+in\s+(?:my|our)\s+new\s+{_HOUSE}\s+in\s+(?P<home>{PLACE})"),
    re.compile(
        rf"\b(?:[Mm]y|[Oo]ur)\s+new\s+{_HOUSE}(?:\s+is)?\s+in\s+(?P<home>{PLACE})"
        rf"\s*[,;.!–—-]+\s*(?:and\s+)?(?:it's\s+)?"
        rf"(?:my\s+|our\s+|the\s+)?first\s+{_DAY}\s+(?:here|in\s+it|there)\b"
    ),
)
# A street with its number, in capitals or ending as streets do: "41B Marden Road", "12 elm st".
_STREET = (
    rf"(?:\d{{1,5}}[A-Za-z]?,?\s+(?:{CAPS}|(?:[a-z]+\s){{1,3}}(?:road|rd|street|st|avenue|ave|lane|drive|close|court|way|place"
    rf"|square|terrace|crescent|gardens|row|grove|hill|park)\b)|[A-ZÀ-Þ][a-zß-ÿ]+(?:stra(?:ss|ß)e|str\.|weg|gasse|platz|allee"
    r"|laan|straat|gade|gatan)\s+\d{1,4}(?:\s?[a-z])?\b)"
)
_ADDRESS = re.compile(
    r"\b(?:[Mm]y|[Oo]ur)\s+(?:(?:new|home|current|postal)\s+)*address\s*(?::|is|will\s+be)\s+(?:now\s+|going\s+to\s+be\s+)?"
    rf"(?P<home>{_STREET})"
    rf"|\b(?:I|[Ww]e)\s+(?:(?:currently|now|actually|still)\s+)*live\s+at\s+(?P<home2>{_STREET})"
)
_NEWS_ADDRESS = re.compile(rf"{NO_SUBJECT}(?i:new\s+address)\s*(?:is|:|[–—-])?\s*(?P<home>{_STREET})")
_FROM = re.compile(
    rf"{I_AM}\s+(?:originally\s+|actually\s+)?from\s+(?P<origin>{PLACE})|\bI\s+(?:come\s+from"
    rf"|grew\s+up\s+in|was\s+born\s+in)\s+(?P<origin2>{PLACE})"
    rf"|\bmy\s+home\s?town\s+is\s+(?:in\s+)?(?P<origin4>{PLACE})|^\W*My\s+home\s?town\s+is\s+(?:in\s+)?(?P<origin5>{PLACE})"
    rf"|{I_AM}\s+\d{{1,3}}\s+years\s+old\s+and\s+from\s+(?P<origin3>{PLACE})"
)
_NO_MORE = re.compile(
    rf"\bI\s+(?:don't|do\s+not)\s+(?P<verb>live|work)\s+(?:in|at|for)\s+(?P<a>{CAPS})"
    rf"(?:\s+any\s?more)?|\bI\s+no\s+longer\s+(?P<verb2>live|work)\s+(?:in|at"
    rf"|for)\s+(?P<b>{CAPS})"
)


def homes(text: str) -> Iterator[Claim]:
    """Where a sentence says that its speaker lives or comes from, or no longer lives or works."""
    yield from _live(told(_HOME, text))
    for match in told((_ADDRESS,), text):
        yield Claim("home", match["home"] or match["home2"], match.start())
    for match in told((_FROM,), text):
        if where := place(next(filter(None, match.groups()), None)):
            yield Claim("from", where, match.start())
    for match in told((_NO_MORE,), text):
        attribute = "home" if (match["verb"] or match["verb2"]) == "live" else "employer"
        yield Claim(attribute, None, match.start(), instead_of=match["a"] or match["b"], correction=True)


def _live(matches: Iterable[re.Match[str]]) -> Iterator[Claim]:
    for match in matches:
        if where := place(match["home"]):
            near = match.groupdict().get("near")
            value = " ".join((near, where)) if near else where
            yield Claim("home", value, match.start(), None, match.groupdict().get("old"))


_INTO = (
    rf"moved\s+(?:in)?to\s+(?:an?|my|our|the)\s+(?:[a-z-]+\s+){{0,3}}?{_HOUSE}\s+(?:here\s+)?in\s+"
    rf"(?P<home>(?>{PLACE})){LASTS}"
)
_MOVES = (
    r"(?:(?:moved|relocated)\s+(?:(?:house|home|away|back|here|out|over|down|up)\s+){0,2}"
    r"(?:with\s+(?:my|our|the)\s+[a-z ]{2,24}?\s+)?"
    rf"(?:from\s+(?P<old>{CAPS})\s+)?to|settled\s+(?:down\s+)?in)\s+(?P<moved>(?>{PLACE}))"
    # "Oxford commas": a place stands before a mark or a word that goes on.
    r"(?=\s*(?:[^\w\s'’-]|[–-]\s|$)|\s+(?:and|but|so|with|where|which|for|from|since|now|right|because|as|on|in|at"
    r"|to|last|this|today|yesterday|tonight|recently|already|too|together|permanently|just|about|over|after|when|while"
    r"|an?|two|three|four|five|six|some|\d+|early|earlier|by|during|finally|again|here)\b)"
    rf"(?>(?:\s+from\s+(?P<left>{CAPS}))?){LASTS}"
)
_MOVED_IN = re.compile(rf"{NOT_ASKED}\b(?:[Ww]e|[Ii])(?:{HAVE})?(?:\s+{ADVERB})*\s+{_INTO}")
# "We moved to Hamburg", "We moved to React": told by the place, and by what stands beside it.
_MOVED = re.compile(rf"{NOT_ASKED}\b(?:[Ww]e|(?P<i>[Ii]))(?P<late>(?:{HAVE})?(?:\s+{ADVERB})*)\s+{_MOVES}")
_HOUSEHOLD = re.compile(
    r"\b(?:(?:my|our|new)\s+(?:flat|apartment)(?!\s+(?:config|file|structure))|(?:the|our|moving)\s+boxes"
    r"|(?:still|already|done|busy)\s+unpack\w*|movers|landlord|landlady|neighbou?r(?:s|hood)"
    r"|(?:the|my|our)\s+(?:kids|children)|new\s+(?:house|home|place|address)"
    r"|(?:have|got|picked\s+up)\s+the\s+keys)\b",
    re.IGNORECASE,
)
_AT_WORK = re.compile(
    r"\b(?:servers?|regions?|clusters?|latency|(?:lower|better|less)\s+(?:ping|lag)"
    r"|host(?:s|ed|ing)|deploy\w*|data\s?cent(?:er|re)s?|cloud|instances?|database"
    r"|AWS|GCP|Azure|offices?|headquarters|HQ|"
    r"(?:event|exhibition|festival|conference|wedding|meeting|venue|stor(?:y|ies))s?)\b",
    re.IGNORECASE,
)
_NEWS_HOME = (
    re.compile(rf"{NO_SUBJECT}(?i:{LATELY})\s+{_INTO}{NO_HEADING}"),
    re.compile(
        rf"{NO_SUBJECT}(?i:(?:an?\s+|the\s+)?new)\s+{_HOUSE}\s+in\s+(?P<home>{PLACE})\s*[,;.!–—-]+\s*"
        rf"(?:(?:my|our|the)\s+)?first\s+{_DAY}\s+(?:here|in\s+it)\b"
    ),
)
_NEWS_MOVED = re.compile(rf"{NO_SUBJECT}(?i:{LATELY})\s+{_MOVES}{NO_HEADING}")


def changes_of_home(text: str) -> Iterator[Claim]:
    """Where a sentence says that its speaker has moved to of late."""
    yield from _live(of_late(told((_MOVED_IN,), text), LONG_AGO))
    yield from _moves(of_late(told((_MOVED,), text), LONG_AGO), text)


def news(text: str) -> Iterator[Claim]:
    """A new home at the beginning of a message, without a subject: "Just moved to Oslo!"."""
    yield from _live(told(_NEWS_HOME, text))
    for match in told((_NEWS_ADDRESS,), text):
        yield Claim("home", match["home"], match.start())
    yield from _moves(told((_NEWS_MOVED,), text), text)


def _moves(matches: Iterable[re.Match[str]], text: str) -> Iterator[Claim]:
    for match in matches:
        if (where := place(match["moved"])) is None:
            continue
        old = match["old"] or match["left"]
        sure = bool(known(where) or _HOUSEHOLD.search(text)) and not _AT_WORK.search(text)
        own, late = bool(match.groupdict().get("i")), bool(match.groupdict().get("late"))
        if key := moved(own=own, sure=sure, old=old):
            # "I just moved to Canada" says so of somebody of whom no home is known, too.
            yield Claim(
                "home", where, match.start(), None if own and late and sure and known(where) else key, old
            )
