"""What kind of answer a question asks for, read from its words alone, in English and Chinese.

Only what a quoting reader can do differently is told apart. Knows no context. Families of phrases, not whole questions;
what fits none of them is a fact.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from memfold.text.numbers import CHINESE, ENGLISH
from memfold.text.scripts import IDEOGRAPHS

Kind = Literal["order", "summary", "whether", "between", "advice", "count", "when", "fact"]
Unit = Literal["day", "week", "month", "year"]
Point = Literal["reason", "date", "figure", "person", "place"]


@dataclass(frozen=True, slots=True)
class Wanted:
    """`items` is how many things are to be listed, where the question says so. `ends` are the two happenings whose
    distance a question of kind "between" asks for, in `unit`. `first` asks for the earliest value of a thing. `point`
    is what a sentence that answers must hold. `several` asks for many things, not for the newest value of one. `told`
    asks for what the assistant said; `manner` asks how something went and names no one thing that an answer must
    hold."""

    kind: Kind
    items: int | None = None
    ends: tuple[str, str] | None = None
    unit: Unit = "day"
    first: bool = False
    point: Point | None = None
    several: bool = False
    told: bool = False
    manner: bool = False


def wanted(question: str) -> Wanted:
    """Read a question; of two kinds the one that says more about the answer's shape."""
    text = " ".join(question.split())
    if _ORDER.search(text):
        return Wanted("order", items(text))
    if _SUMMARY.search(text):
        return Wanted("summary", items(text))
    if (unit := _DISTANCE.search(text)) and (ends := _ends(text)):
        return Wanted("between", None, ends, _unit(unit[0]))
    first, told = bool(_FIRST.search(text)), bool(_TOLD.search(text))
    if _ADVICE.search(text) and not told and not _FIGURE.search(text):
        return Wanted("advice")
    if _WHETHER.search(text):
        return Wanted("whether")
    if _COUNT.search(text):
        return Wanted("count", first=first, point="figure", several=bool(_SEVERAL.search(text)))
    if _WHEN.search(text):
        return Wanted("when", first=first, point="date")
    point = next((name for name, pattern in _POINTS if pattern.search(text)), None)
    if _FIGURE.search(text):
        point = "figure"
    return Wanted("fact", first=first, point=point, told=told, manner=bool(_MANNER.search(text)))


def items(question: str) -> int | None:
    """How many things a question says to list: "mention only five items", "只列出三个"."""
    match = _ITEMS.search(question)
    if match is None:
        return None
    word = next(group for group in match.groups() if group).lower()
    number = int(word) if word.isdecimal() else _NUMBERS[word]
    return number if 0 < number <= _MOST else None


def _ends(text: str) -> tuple[str, str] | None:
    """The two happenings between which a time lies, as the question puts them."""
    for pattern in _ENDS:
        if match := pattern.search(text):
            one, other = (match[name].strip(_EDGE) for name in ("a", "b"))
            if one and other:
                return one, other
    return None


def _unit(text: str) -> Unit:
    return next((unit for unit, pattern in _UNITS if pattern.search(text)), "day")


_EDGE = " ,.?!;:，。？！；："
_MOST = 30
_NUMBERS = ENGLISH | CHINESE
_NUMBER = rf"\d{{1,2}}|{'|'.join(sorted((w for w in _NUMBERS if w.isascii()), key=len, reverse=True))}"
_ITEMS = re.compile(
    rf"\b({_NUMBER})\b (?:\w+ )?(?:items?|things|points|steps|aspects|events|topics)\b"
    r"|([0-9]{1,2}|[一二两三四五六七八九十]{1,2})\s*(?:个|项|条|点|件|步)",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"\b(?:in|the) (?:\w+ )?orde?r?\b(?! (?:to|that|number|id|form)\b)|\bin sequence\b"
    r"|\bsequence (?:in which|of events)\b"
    r"|\bchronolog|\bin what order\b|\bin which order\b|先后|顺序",
    re.IGNORECASE,
)
_SUMMARY = re.compile(
    r"\b(?:summar|overview|recap\b|timeline of)|总结|概述|概括|概览|概况|回顾|梳理|来龙去脉"
    r"|\bhow (?:has|have|did) (?:my|our|the)\b.*\b(?:evolved?|progress(?:ed)?|develop(?:ed)?|changed?)\b.*"
    r"\b(?:over time|throughout|over the|across)\b",
    re.IGNORECASE,
)
_TIME = r"(?:days?|weeks?|months?|years?)"
_DISTANCE = re.compile(
    rf"\bhow many (?:\w+ )?{_TIME}\b|\bhow (?:long|much time)\b|(?:多少|几)\s*个?(?:天|日|周|星期|礼拜"
    rf"|月|年)|多久|多长时间",
    re.IGNORECASE,
)
_UNITS: tuple[tuple[Unit, re.Pattern[str]], ...] = (
    ("week", re.compile("week|周|星期|礼拜", re.IGNORECASE)),
    ("month", re.compile("month|月", re.IGNORECASE)),
    ("year", re.compile("year|年", re.IGNORECASE)),
)
# "and" joins the two ends, and may stand inside each: first where it begins a new clause, then wherever it is.
_JOINED = r"\s+and\s+(?:then\s+)?"
_CLAUSE = r"(?:when|the|my|our|his|her|their|on|it|I|we|a|an|[A-Z]\w+['’]s)\b"
_ENDS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\bbetween\s+(?P<a>.+?){_JOINED}(?P<b>when\b.+)",
        rf"\bbetween\s+(?P<a>.+?){_JOINED}(?P<b>{_CLAUSE}.+)",
        rf"\bbetween\s+(?P<a>.+?){_JOINED}(?P<b>.+)",
        r"\bfrom\s+(?P<a>.+?)\s+(?:to|until|till)\s+(?P<b>.+)",
        r"\bafter\s+(?P<a>.+?)(?:,\s*|\s+)(?:did|do|does|will|was|were|is|before)\s+(?P<b>.+)",
        r"\bdid (?P<b>.+?)\s+after\s+(?P<a>.+)",
        r"\b(?:have|had|left|was it|is it|are there|were there|passed) (?P<a>.+?)\s+(?:before|until"
        r"|till)\s+(?P<b>.+)",
        r"从(?P<a>.+?)(?:到|至)(?P<b>.+?)(?:一共|总共|共|之间|中间|过|隔|相隔|间隔|有)?(?:了)?(?:多少|几|多久|多长)",
        r"(?P<a>.+?)(?:和|与|跟|到|距离)(?P<b>.+?)(?:之间)?(?:一共|总共|共)?(?:相?隔|相差|过)?(?:了"
        r"|有)?(?:多少|几|多久|多长)",
        r"(?P<a>.+?)(?:之?后|以后)(?:过了?)?(?:多少|几|多久|多长)[个天日周星期礼拜月年时间]*(?:才|就)?(?P<b>.+)",
    )
)
_ADVICE = re.compile(
    r"\b(?:can|could|would|will) you (?:please )?(?:also )?(?:help|show|teach|suggest|recommend|write"
    r"|draft|create|design|put together|plan"
    r"|prepare|organi[sz]e|pick|choose|find|make|come up with"
    r"|give me (?:\w+ )?(?:tips|advice|ideas|suggestions|examples?)"
    r"|(?:walk me through|explain|tell me|describe)(?: \w+){0,4} how (?:to|do|does|is|are|should|can)\b)"
    r"|\bhow (?:should|shall|can|could|might|would) (?:I|we|one|the|my|our)\b|\bhow (?:do|to)\b(?! (?:I"
    r"|we) (?:usually|feel))"
    r"|\bhow would you\b|\b(?:would|do|can) you (?:suggest|recommend|advise|think)\b|\bwhat (?:should"
    r"|shall|must) (?:I|we)\b"
    r"|\bwhere should (?:I|we)\b|\bwhich .{0,60}\bshould (?:I|we)\b"
    r"|\bwhat are (?:some|good|the best|typical|common)\b|\bshould (?:I|we)\b"
    r"|^(?:please )?(?:help me|suggest|recommend|write|draft|pick|choose|find|plan|prepare|make|design"
    r"|show me how|explain how)\b"
    r"|(?:应该|该)(?:怎么|如何|怎样|用|选)|(?:怎么|如何|怎样)(?:做|办|写|安排|处理|才)|建议|推荐|(?:帮我"
    r"|替我?|给我)[^。？?]{0,12}(?:写|做|想|安排|设计|起草|准备|找|挑|出)"
    r"|^(?:请)?(?:布置|安排|设计|起草|挑|写)|有(?:什么)?主意",
    re.IGNORECASE,
)
_WHETHER = re.compile(
    r"^(?i:(?:so,? |and |now,? )?(?:have|has|had|did|do|does|am|was|were|is|are)(?:n't|n’t)?) (?:(?:I|we"
    r"|my|our|you|he|she|they|it)\b|[A-Z])"
    r"|^how (?:experienced|familiar) (?:am I|are we)\b|^(?i:is it true|is it so)\b"
    rf"|(?:是否|有没有|是不是|会不会|能不能|(?:[{IDEOGRAPHS}]过)?没有?)[^。]*[？?]?$|吗[？?]?\s*$"
)
_COUNT = re.compile(
    r"\bhow (?:many|much|often)\b|\bwhat (?:is|was) the (?:total|number|count)\b|多少|几(?:个|次|种|位|条|项)",
    re.IGNORECASE,
)
_SEVERAL = re.compile(
    r"\b(?:different|distinct|across|in total|altogether|overall|all (?:of )?my)\b|一共|总共|共有|哪些",
    re.IGNORECASE,
)
_WHEN = re.compile(
    r"^(?:and |so )?when\b(?! \w+ing\b)|\b(?:what|which|on what) (?:dates?|days?)\b|哪天|哪一天|什么时候"
    r"|何时|几号|哪个月|哪年",
    re.IGNORECASE,
)
_TOLD = re.compile(
    r"\b(?:did|have|had) you (?:\w+ )?(?:recommend|suggest|advise|propose|explain|tell|say|break|guide|list|describe)"
    r"|\byou (?:recommended|suggested|advised|proposed|explained|told|listed)\b|你(?:之前|曾经|曾|当时"
    r"|上次)?(?:建议|推荐|告诉|解释|说过|列)",
    re.IGNORECASE,
)
_MANNER = re.compile(
    r"^(?:and |so )?how (?:did|does|do|has|have|had|is|was|were)\b|怎么样|如何|怎样", re.IGNORECASE
)
# What is asked for is a number or a date by its name.
_FIGURE = re.compile(
    r"\b(?:what|which)\b(?: (?:is|was|are|were|'s|my|the|our|current|new|latest|average|total|weekly|daily|monthly))*"
    r"(?: [\w-]+){0,4}? (?:rate|percentage|score|accuracy|number|amount|size|time|deadline|date|budget"
    r"|price|cost|salary|target"
    r"|quota|usage|version|weights?|coverage|latency|limit|count|height|length|age|year|fee|setting|probability)\b",
    re.IGNORECASE,
)
_FIRST = re.compile(
    r"\b(?:first|initial(?:ly)?|original(?:ly)?|at the start|in the beginning|to begin with)\b|最初|起初"
    r"|一开始|原来|第一次",
    re.IGNORECASE,
)
_POINTS: tuple[tuple[Point, re.Pattern[str]], ...] = (
    (
        "reason",
        re.compile(r"\bwhy\b|\b(?:reasons?|rationale|motivation)\b|为什么|为何|原因|理由", re.IGNORECASE),
    ),
    ("person", re.compile(r"^who\b|\bwho (?:is|was|did)\b|谁", re.IGNORECASE)),
    ("place", re.compile(r"^where\b|哪里|哪儿|在哪", re.IGNORECASE)),
)
