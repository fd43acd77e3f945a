"""The thing that a sentence moves to another day or gives another value, and whether a phrase of a question names it:
read from the words alone, in English, and in Chinese for days. Looks nothing up.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from memfold.retrieve.sought import asks_for_first, untrue
from memfold.text.dates import NAMES_OF_DAYS
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
    before = _STOP.split(text[:at])[-1] if at > 0 else ""
    near = before[-_REACH:]
    if not _MAYBE.search(near):  # most sentences
        return None
    match = next((match for pattern in _MOVED if (match := pattern.search(near))), None)
    if match is None or _UNSURE.search(before) or untrue(text):
        return None
    both = bool(match["both"])
    if _UNTRUE.search(match["what"]) or (both and len(_NUMBER.findall(literal)) < 2):
        return None
    what = _BEGINS.split(match["what"])[-1]
    # "My exam was on May 3, but it got moved to May 10": what the sentence begins with.
    named = None if _OTHERS.match(what) else noun(before if _IT.fullmatch(what) else what)
    return None if named is None else Move(named, both)


@dataclass(frozen=True, slots=True)
class Revalued:
    """`what` is given another figure or day; `value` is the rest of the sentence, which begins with it."""

    what: Noun
    value: str


def revalued(text: str) -> Revalued | None:
    """What a sentence gives another figure, day or name: "the budget" in "The budget is now 15,000 euros", "the
    opening" in "The opening moved to 21 June", "the contact" in "The contact is now Bob". None where it gives none,
    where it only supposes it, and where "it" or "her flight" does not tell which thing."""
    for match in _REVALUED.finditer(text):
        near = text[max(match.start() - _REACH, 0) : match.start()]
        clause, _, before = _STOP.split(near)[-1].rpartition(",")
        what = _BEGINS.split(_AUXILIARIES.sub("", before))[-1]
        if _IT.fullmatch(what):
            # "The launch was delayed, it's now 3 May."
            what = _DONE.sub("", _BEGINS.split(clause)[-1])
        sure = not (_UNSURE.search(before) or _UNTRUE.search(before + match[0]))
        if sure and not (_OTHERS.match(what) or _IT.fullmatch(what)):
            thing = None if untrue(text) else noun(what)
            return None if thing is None else Revalued(thing, text[match.end() :])
    return None


def owners(text: str, head: str) -> frozenset[str]:
    """The owners of a thing that a text names by its `head`, as terms: "sister" of "my sister's rent", "her" of "her
    rent". Nobody's where it is the user's own, or only "the rent"."""
    return frozenset(
        term for match in _OWNED.finditer(text) if head in terms(match[2]) for term in terms(match[1])
    )


def heads(text: str, head: str) -> frozenset[str]:
    """The terms of the words right behind `head`: "goal" in "my weight goal", which then is the head."""
    words = _WORD.findall(text)
    return frozenset(
        term
        for word, behind in pairwise(words)
        if head in terms(word) and not word.endswith(",")
        for term in terms(behind)
    )


def qualified(text: str, head: str) -> frozenset[str]:
    """The words between an article and the `head`, as terms: "sale" in "the sales team". None where the text also names
    the thing without any."""
    found = [match[1] or "" for match in _QUALIFIED.finditer(text) if [*terms(match[2])][-1:] == [head]]
    return (
        frozenset(terms(_WHICH_ONE.sub(" ", " ".join(found)))) if all(map(str.strip, found)) else frozenset()
    )


def noun(phrase: str) -> Noun | None:
    """What a noun phrase names; None for one that names an action ("finishing the kitchen") or nothing."""
    phrase = _GENERIC.sub("", _VERB.split(phrase.strip(" ,.?!;:，。？！；：“”\"'"))[0])
    if _ACTION.match(phrase):
        return None
    head = list(terms(_BEHIND.split(phrase)[0]))
    return Noun(frozenset(terms(phrase)), head[-1]) if head else None


_MOVE = r"moved|changed|switched|postponed|rescheduled|pushed"
_CHANGE = rf"(?:{_MOVE}|raised|lowered|cut)"
CHANGED = re.compile(
    r"\bnow it(?:['’]s| is)\b|\bnot .{1,30} any ?more\b|\bno longer\b|\bturn(?:s|ed) out\b"
    rf"|\b{_CHANGE} (?:it|that|this|them|the|my|our)\b"
    rf"|\b(?:is|was|were|got|been) {_CHANGE}\b"
    r"|\bjetzt doch\b|\bdoch erst\b|\bverschoben\b|\bverlegt\b|\bgeändert\b|\bnicht mehr\b"
    r"|改成|改为|改到|换成|推迟到|提前到|涨到|降到",
    re.IGNORECASE,
)
_DATE_MOVE = rf"(?:{_MOVE}|delayed|shifted|brought forward|put off)"
_BEEN = (
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
        rf"\b{_DATE_MOVE} (?P<what>(?:the|my|our) [^,]{{1,60}}?){_TO}",
        rf"(?P<what>[^,()—–]{{2,80}}?) {_BEEN}{_DATE_MOVE}{_TO}",
        # What else is extended begins on the same day.
        rf"(?P<what>[^,()—–]{{0,60}}?\bdeadline\b[^,()—–]{{0,40}}?) {_BEEN}extended{_TO}",
        r"(?P<what>[^,()—–]{2,80}?) (?:is|are) now (?:(?:set|scheduled|planned) )?(?:on|for) (?P<both>)\Z",
        r"(?P<what>[^，、]{0,20}?)(?:从[^，、]{1,12}?)?(?:又|再次?|已经?|被|临时|突然)*(?P<both>)"
        r"(?:(?:改期?|推迟|延期|延后|延迟|提前|挪|换|调整?|推|顺延)[到至成为在]了?|现在(?:定在|定于|改在))\Z",
    )
)
# "Now at 15", "went up from 12 to 15": the value stands right behind. "The team moved to Slack" gives no other name.
_BEFORE = r"(?:(?:the|about|around|only|just|at|on|for|set|(?:week|weekend|month) of) )*"
_DAY = rf"(?:{NAMES_OF_DAYS})\b"
_VALUE = rf"(?={_BEFORE}(?:[$€£¥]?\d|{_DAY}))"
_REVALUED = re.compile(
    rf"\b(?:now (?={_BEFORE}(?:[$€£¥]?\d|{_DAY}|(?-i:[A-Z])))|(?:{_DATE_MOVE}|{_CHANGE}|extended|reduced"
    r"|increased|decreased|slipped|(?:is|are) (?:now )?(?:down|up)|(?:went|goes|gone|going) (?:up|down)|rises?|rose"
    r"|climbed|grew|grown|fell|dropped|jumped)\b"
    rf"(?:,? (?:back|forward|ahead|up|down|again|by|from)\b[^.;]{{0,30}}?)?,? (?:to|until|till) {_VALUE})",
    re.IGNORECASE,
)
_DONE = re.compile(r"(?: (?:is|was|were|has|have|had|been|got|just|slipped|\w+ed))+\Z", re.IGNORECASE)
_AUXILIARIES = re.compile(rf" {_BEEN}\Z", re.IGNORECASE)
_MAYBE = re.compile(
    rf"\b(?:{_DATE_MOVE}|extended|(?:is|are) now)\b|[改推延挪换调]|顺延|提前|现在", re.IGNORECASE
)
# What was moved stands within so many characters before the new day: the patterns take the cube of their length.
_REACH = 160
_STOP = re.compile(r"[.;:!?。；：！？]")
_UNSURE = re.compile(
    r"\b(?:if|whether|might|could|would|should|can|unless|maybe|perhaps|hope|want|wish|ask|propose|suggest)\b"
    r"|如果|要是|假如|可能|也许|或许|希望|打算|能不能|能否|可以|可不可以|建议",
    re.IGNORECASE,
)
_UNTRUE = re.compile(r"\b(?:not|never)\b|n['’]t\b|[没不未想]", re.IGNORECASE)
# What a clause begins with before it names a thing, and things of others.
_BEGINS = re.compile(
    r"\b(?:and|but|so|because|that|since|as|says?|said|then|about)\b|说|把|将|因为|所以|但是?|不过|通知",
    re.IGNORECASE,
)
_OTHERS = re.compile(r"\W*(?:(?:his|her|their|your|its)\b|[他她它你您])", re.IGNORECASE)
_IT = re.compile(r"(?:\W|(?:it|this|that|later|then|has|['’]s)\b|[它这后来])*", re.IGNORECASE)
_NUMBER = re.compile(r"\d+")
# What says which day of a thing is meant, or that it is a day.
_WHICH = r"(?:new|current|latest|updated|actual|original|initial|first|planned|old|previous|former|scheduled)"
# Whose the next three words are; no "it's" and no "let's".
_OWNED = re.compile(
    r"\b((?!(?:it|that|what|who|he|she|there|here|where|how|let|this|everything)['’])[^\W\d_]+['’]s?|his|her|their)"
    r"((?:\s+[\w-]+){1,3})",
    re.IGNORECASE,
)
_WORD = re.compile(r"[\w'’-]+,?")
_JOINS = r"(?:of|for|to|with|by|in|on|at|from|about|and|or|that|which|is|was|are|were|has|had|will)"
_QUALIFIED = re.compile(
    rf"\b(?:the|my|our|this|that|an?)\s+((?:(?!{_JOINS}\b)[\w-]+\s+){{0,2}}?)([\w-]+)"
    rf"(?=\s+(?:{_JOINS}|now|went|goes|moved|got|rose|fell|changed)\b|\W*$)",
    re.IGNORECASE,
)
# What says nothing of which one of a kind.
_WHICH_ONE = re.compile(
    rf"\b(?:{_WHICH}|final|own|whole|entire|total|overall|full|daily|weekly|monthly|yearly|annual)\b",
    re.IGNORECASE,
)
_GENERIC = re.compile(
    rf"^(?:(?:the|my|our) )?(?:{_WHICH} )*(?:date|day|time|start|beginning|number|volume|amount) (?:of|for) "
    rf"|\b{_WHICH}\b|(?<=\w) (?:volume|count|numbers?)$"
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
