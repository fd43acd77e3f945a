"""The thing that a sentence moves to another day, and whether a phrase of a question names it: read from the words
alone, in English and in Chinese. Looks nothing up.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from memfold.retrieve.sought import asks_for_first, untrue
from memfold.text.terms import terms


@dataclass(frozen=True, slots=True)
class Noun:
    """What a noun phrase names: its terms, and which of them is its head, "defens" of "my thesis defense"."""

    terms: frozenset[str]
    head: str

    def likely(self, other: Noun) -> bool:
        """Whether two phrases may name one thing, of which one says more: "the defense" and "my thesis defense", but
        neither "my defense rehearsal" nor "my master's defense"."""
        return self.head == other.head and (self.terms <= other.terms or other.terms <= self.terms)


@dataclass(frozen=True, slots=True)
class Move:
    """`what` was moved; `both` says that the date behind it is both the old and the new one ("from May 3 to May 9")."""

    what: Noun
    both: bool


def asks_for_old(phrase: str) -> bool:
    """Whether a phrase names something as it was at first, or as it was planned, and not as it is now."""
    return asks_for_first(phrase) or _OLD.search(phrase) is not None


def moved(text: str, literal: str) -> Move | None:
    """What a sentence says was moved to the date that is written as `literal`. None where it does not say that, where
    it only asks, wishes or supposes it, and where "it" or "her flight" does not tell what was moved."""
    at = text.find(literal) if literal else -1
    before = STOP.split(text[:at])[-1] if at > 0 else ""
    near = before[-REACH:]
    if not _MAYBE.search(near):  # most sentences
        return None
    match = next((match for pattern in _MOVED if (match := pattern.search(near))), None)
    if match is None or UNSURE.search(before) or untrue(text):
        return None
    both = bool(match["both"])
    if UNTRUE.search(match["what"]) or (both and len(_NUMBER.findall(literal)) < 2):
        return None
    what = BEGINS.split(match["what"])[-1]
    # "My exam was on May 3, but it got moved to May 10": what the sentence begins with.
    named = None if OTHERS.match(what) else noun(before if IT.fullmatch(what) else what)
    return None if named is None else Move(named, both)


def noun(phrase: str) -> Noun | None:
    """What a noun phrase names; None for one that names an action ("finishing the kitchen") or nothing."""
    phrase = _GENERIC.sub("", _VERB.split(phrase.strip(" ,.?!;:，。？！；：“”\"'"))[0])
    if _ACTION.match(phrase):
        return None
    head = list(terms(_BEHIND.split(phrase)[0]))
    return Noun(frozenset(terms(phrase)), head[-1]) if head else None


MOVE = r"moved|changed|switched|postponed|rescheduled|pushed"
DATE_MOVE = rf"(?:{MOVE}|delayed|shifted|brought forward|put off)"
BEEN = (
    r"(?:(?:is|was|were|are|has|have|had|been|got|gets|being|will|be|just|now|again|finally|already|even) )*"
)
# The new day stands right behind. "By two weeks" or "from Friday" may stand before it.
_TO = (
    r"(?:,? (?:back|forward|ahead|up|out|again|by|from)\b.{0,30}?)?"
    r",? (?:to|until|till|for|(?P<both>from)) (?:the )?\Z"
)
_MOVED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b{DATE_MOVE} (?P<what>(?:the|my|our) [^,]{{1,60}}?){_TO}",
        rf"(?P<what>[^,()—–]{{2,80}}?) {BEEN}{DATE_MOVE}{_TO}",
        # What else is extended begins on the same day.
        rf"(?P<what>[^,()—–]{{0,60}}?\bdeadline\b[^,()—–]{{0,40}}?) {BEEN}extended{_TO}",
        r"(?P<what>[^,()—–]{2,80}?) (?:is|are) now (?:(?:set|scheduled|planned) )?(?:on|for) (?P<both>)\Z",
        r"(?P<what>[^，、]{0,20}?)(?:从[^，、]{1,12}?)?(?:又|再次?|已经?|被|临时|突然)*(?P<both>)"
        r"(?:(?:改期?|推迟|延期|延后|延迟|提前|挪|换|调整?|推|顺延)[到至成为在]了?|现在(?:定在|定于|改在))\Z",
    )
)
_MAYBE = re.compile(
    rf"\b(?:{DATE_MOVE}|extended|(?:is|are) now)\b|[改推延挪换调]|顺延|提前|现在", re.IGNORECASE
)
# What was moved stands within so many characters before the new day: the patterns take the cube of their length.
REACH = 160
STOP = re.compile(r"[.;:!?。；：！？]")
UNSURE = re.compile(
    r"\b(?:if|whether|might|could|would|should|can|unless|maybe|perhaps|hope|want|wish|ask|propose|suggest)\b"
    r"|如果|要是|假如|可能|也许|或许|希望|打算|能不能|能否|可以|可不可以|建议",
    re.IGNORECASE,
)
UNTRUE = re.compile(r"\b(?:not|never)\b|n['’]t\b|[没不未想]", re.IGNORECASE)
# What a clause begins with before it names a thing, and things of others.
BEGINS = re.compile(
    r"\b(?:and|but|so|because|that|since|as|says?|said|then|about)\b|说|把|将|因为|所以|但是?|不过|通知",
    re.IGNORECASE,
)
OTHERS = re.compile(r"\W*(?:(?:his|her|their|your|its)\b|[他她它你您])", re.IGNORECASE)
IT = re.compile(r"(?:\W|(?:it|this|that|later|then|has|['’]s)\b|[它这后来])*", re.IGNORECASE)
_NUMBER = re.compile(r"\d+")
# What says which day of a thing is meant, or that it is a day.
WHICH = r"(?:new|current|latest|updated|actual|original|initial|first|planned|old|previous|former|scheduled)"
_GENERIC = re.compile(
    rf"^(?:(?:the|my|our) )?(?:{WHICH} )*(?:date|day|time|start|beginning|number|volume|amount) (?:of|for) "
    rf"|\b{WHICH}\b|(?<=\w) (?:volume|count|numbers?)$"
    r"|^(?:我们?的?|(?:新|原来|原定|原先|最初|现在)的?)+|的?(?:日期|时间|日子|那天|当天)$",
    re.IGNORECASE,
)
_ACTION = re.compile(
    r"(?:I|we|he|she|they|it)\b|\w+ing (?:the|my|our|an?|his|her|their|your)\b", re.IGNORECASE
)
_VERB = re.compile(r"\b(?:is|was|were|are|will|has|had)\b|本来|原[本定来先]|[是在]|定[在于]", re.IGNORECASE)
_BEHIND = re.compile(
    r"\b(?:of|for|to|with|by|in|on|at|from|about|and|that|which|when|where)\b", re.IGNORECASE
)
_OLD = re.compile(
    r"\b(?:planned|old|previous(?:ly)?|earlier|former(?:ly)?|scheduled|supposed|intended)\b"
    r"|原定|原计划|原先|旧|之前|以前|本来|计划",
    re.IGNORECASE,
)
