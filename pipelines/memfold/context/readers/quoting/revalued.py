"""The thing that a sentence gives another value, and whose and which of a kind it is: read from the words alone, in
English. `CHANGED` tells in German and Chinese too that something has changed. Looks nothing up.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from memfold.retrieve.moved import (
    BEEN,
    BEGINS,
    DATE_MOVE,
    IT,
    MOVE,
    OTHERS,
    REACH,
    STOP,
    UNSURE,
    UNTRUE,
    WHICH,
    Noun,
    noun,
)
from memfold.retrieve.sought import untrue
from memfold.text.dates import NAMES_OF_DAYS
from memfold.text.scripts import IDEOGRAPHS
from memfold.text.terms import terms


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
        near = text[max(match.start() - REACH, 0) : match.start()]
        clause, _, before = STOP.split(near)[-1].rpartition(",")
        what = BEGINS.split(_AUXILIARIES.sub("", before))[-1]
        if IT.fullmatch(what):
            # "The launch was delayed, it's now 3 May."
            what = _DONE.sub("", BEGINS.split(clause)[-1])
        sure = not (UNSURE.search(before) or UNTRUE.search(before + match[0]))
        if sure and not (OTHERS.match(what) or IT.fullmatch(what)):
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


def of_another_owner(question: str, text: str) -> bool:
    """Whether a text in Chinese gives a value that many things have (a time, a price) of another thing than the
    question names: "内测时间" is no 上线时间."""
    asked, told = (
        {found for found in _OF_WHAT.findall(each) if not _NO_OWNER.search(found)}
        for each in (question, text)
    )
    return bool(asked and told) and asked.isdisjoint(told)


_CHANGE = rf"(?:{MOVE}|raised|lowered|cut)"
_LENGTH = r"[\d一二两三四五六七八九十半几]{1,3}\s?个?(?:小时|钟头|天|日|周|星期|礼拜|月|年)"
CHANGED = re.compile(
    r"\bnow it(?:['’]s| is)\b|\bnot .{1,30} any ?more\b|\bno longer\b|\bturn(?:s|ed) out\b"
    rf"|\b{_CHANGE} (?:it|that|this|them|the|my|our)\b"
    rf"|\b(?:is|was|were|got|been) {_CHANGE}\b"
    r"|\bjetzt doch\b|\bdoch erst\b|\bverschoben\b|\bverlegt\b|\bgeändert\b|\bnicht mehr\b"
    r"|改成|改为|改到|换成|涨到|降到"
    # By how much or to when. "提前两天订" changes nothing.
    rf"|(?:推迟|延期|延后|推后|顺延|延长|缩短|提前|往[前后][推移挪]|[推延挪])[到至]"
    rf"|(?:推迟|延期|延后|推后|顺延|延长|缩短|往[前后][推移挪]|[推延挪])了?{_LENGTH}"
    rf"|提前了?{_LENGTH}(?=[\s，。；！了]|$)"
    r"|(?:时间|日期|日子|地点|计划|安排|预算|价格)[^，。！？]{0,4}改(?:一下|动|了|$|[，。！])",
    re.IGNORECASE,
)
# "Now at 15", "went up from 12 to 15": the value stands right behind. "The team moved to Slack" gives no other name.
_BEFORE = r"(?:(?:the|about|around|only|just|at|on|for|set|(?:week|weekend|month) of) )*"
_DAY = rf"(?:{NAMES_OF_DAYS})\b"
_VALUE = rf"(?={_BEFORE}(?:[$€£¥]?\d|{_DAY}))"
_REVALUED = re.compile(
    rf"\b(?:now (?={_BEFORE}(?:[$€£¥]?\d|{_DAY}|(?-i:[A-Z])))|(?:{DATE_MOVE}|{_CHANGE}|extended|reduced"
    r"|increased|decreased|slipped|(?:is|are) (?:now )?(?:down|up)|(?:went|goes|gone|going) (?:up|down)|rises?|rose"
    r"|climbed|grew|grown|fell|dropped|jumped)\b"
    rf"(?:,? (?:back|forward|ahead|up|down|again|by|from)\b[^.;]{{0,30}}?)?,? (?:to|until|till) {_VALUE})",
    re.IGNORECASE,
)
_DONE = re.compile(r"(?: (?:is|was|were|has|have|had|been|got|just|slipped|\w+ed))+\Z", re.IGNORECASE)
_AUXILIARIES = re.compile(rf" {BEEN}\Z", re.IGNORECASE)
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
# Two characters of the owner of a value in Chinese, before a noun that many things have.
_OF_WHAT = re.compile(
    rf"([{IDEOGRAPHS}]{{2}})的?(?:时间|日期|日子|期限|地点|地址|价格|费用|预算|版本|负责人|人数|名单|名字)"
)
_NO_OWNER = re.compile(
    r"[的了是在有没这那什么哪每段花多少长短新旧原个些要把将跟和从]|现在|最[新后终]|目前|具体"
)
# What says nothing of which one of a kind.
_WHICH_ONE = re.compile(
    rf"\b(?:{WHICH}|final|own|whole|entire|total|overall|full|daily|weekly|monthly|yearly|annual)\b",
    re.IGNORECASE,
)
