"""The shape of the answer that a question asks for: what a quoting reader does differently beside its kind.

The kind is told in `memfold.retrieve.kinds`, what an answer must hold in `memfold.retrieve.sought`, the two ends of a
span in `memfold.retrieve.reckon`. Knows no context.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from memfold.retrieve.kinds import LOOKED_AT, Kind
from memfold.retrieve.query import Query
from memfold.retrieve.reckon import HOURS, MONEY, asked_unit, sides
from memfold.retrieve.sought import Point, asks_for_first, asks_how_to_answer, point
from memfold.text.numbers import CHINESE, ENGLISH

Unit = Literal["day", "week", "month", "year"]


@dataclass(frozen=True, slots=True)
class Wanted:
    """`items` is how many things are to be listed, where the question says so. `ends` are the two happenings whose
    distance a question for a span asks for, in `unit`. `first` asks for the earliest value of a thing. `point` is what
    a sentence that answers must hold. `several` asks for many things, not for the newest value of one. `told` asks for
    what the assistant said, `advice` for something new; `things` names things of a kind in the plural; `manner` asks
    how something went and names no one thing that an answer must hold; `orders` asks which standing orders there are,
    and nothing else; `bound` asks what the assistant shall do, which an order may say."""

    kind: Kind
    items: int | None = None
    ends: tuple[str, str] | None = None
    unit: Unit = "day"
    first: bool = False
    point: Point | None = None
    several: bool = False
    told: bool = False
    advice: bool = False
    things: bool = False
    manner: bool = False
    orders: bool = False
    bound: bool = False
    counted: str = ""


def wanted(query: Query) -> Wanted:
    """What is asked for, beside the kind."""
    text, kind = " ".join(query.text[-LOOKED_AT:].split()), query.typed.kind
    ends = sides(text) if kind == "span" else None
    return Wanted(
        kind,
        items(text) if kind in ("order", "summary") else None,
        ends,
        _unit(text) if ends else "day",
        first=asks_for_first(text),
        point=_POINT.get(kind) or point(text),
        several=kind == "count" and bool(_SEVERAL.search(text)),
        told=query.typed.told,
        advice=query.typed.advice,
        things=kind == "recall" and bool(_THINGS.search(text)),
        manner=kind in _MANNERED and bool(_MANNER.search(text)),
        orders=bool(_ORDERS.fullmatch(text)),
        bound=(bool(_BOUND.search(text)) or asks_how_to_answer(text)) and not _SINCE.match(text),
        counted=_counted(text) if kind == "count" else "",
    )


def items(question: str) -> int | None:
    """How many things a question says to list: "mention only five items", "只列出三个"."""
    match = _ITEMS.search(question)
    if match is None:
        return None
    word = next(group for group in match.groups() if group).lower()
    # Ignoring case also takes "ſix", which the table does not hold.
    number = int(word) if word.isdecimal() else _NUMBERS.get(word, 0)
    return number if 0 < number <= _MOST else None


def asks_for_name(question: str) -> bool:
    """Whether a question asks for a name."""
    return _NAME_ASKED.search(question) is not None


def _counted(text: str) -> str:
    """The kind of thing that is counted."""
    unit = asked_unit(text) or ""
    return "" if unit in (MONEY, HOURS) or _MEASURED.fullmatch(unit) else unit


def _unit(text: str) -> Unit:
    """The unit in which a time is asked for."""
    asked = _DISTANCE.search(text)
    return next((unit for unit, pattern in _UNITS if asked and pattern.search(asked[0])), "day")


_MOST = 30
_NUMBERS = ENGLISH | CHINESE
_NUMBER = rf"\d{{1,2}}|{'|'.join(sorted((w for w in _NUMBERS if w.isascii()), key=len, reverse=True))}"
_ITEMS = re.compile(
    rf"\b({_NUMBER})\b (?:\w+ )?(?:items?|things|points|steps|aspects|events|topics)\b"
    r"|([0-9]{1,2}|[一二两三四五六七八九十]{1,2})\s*(?:个|项|条|点|件|步)",
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
_MEASURED = re.compile(
    r"(?:second|minute|hour|day|night|week|month|year|mile|kilomet(?:er|re)|met(?:er|re)|pound|dollar|euro|time|percent)s?"
    r"|秒|分钟?|小时|天|日|周|星期|月|年|公里|米|公?斤|元|块|钱|次",
    re.IGNORECASE,
)
_SEVERAL = re.compile(
    r"\b(?:different|distinct|across|in total|(?:al)?together|overall|all (?:of )?my|each(?=\W*$))\b"
    r"|一共|总共|共有|哪些",
    re.IGNORECASE,
)
# "What activities does she …", "Which new books have I …".
_THINGS = re.compile(
    r"\b(?:what|which) (?:[\w+'’-]+ ){0,3}?[a-z-]{3,}(?<![sui])s (?:has|have|did|does|do|are|were)\b"
    r"|\bwhat are\b|\bin what ways\b|哪些",
    re.IGNORECASE,
)
_MANNER = re.compile(
    r"^(?:and |so )?how (?:did|does|do|has|have|had|is|was|were)\b|怎么样|如何|怎样", re.IGNORECASE
)
_NOUN = r"(?:(?:all|of|the|my|any|your|current|general|ground|standing) ){0,4}(?:orders|rules|instructions|guidelines)"
_GIVEN = (
    r"(?:(?:did|have|had|do) I|(?:that |which )?I(?:['’]ve| have)?)(?: (?:ever|already|so far))?"
    r" (?:give|gave|given|set|make|made|lay down|laid down|tell|told|have)(?: up)?"
)
# Whoever else was given rules, the assistant was not: the question must say that it was, or that the orders stand.
_YOURS = r"your (?:\w+ )?(?:answers?|replies|responses?|messages|explanations|behaviou?r)(?: to me)?"
_SPEAK = r"(?:answer|(?:reply|respond|write|talk|speak)(?: to)?)"
_TO_YOU = (
    rf"(?:(?: (?:to|for|about|on))? (?:you|{_YOURS}|answering me"
    rf"|how (?:to |you (?:should |must |shall )?){_SPEAK} me))+"
)
_SPEAKING = rf"(?: (?:in|for|with) (?:me|{_YOURS})| when(?:ever)? you {_SPEAK} me| from me)"
_STANDING = r"(?:(?:all|of|the|my|your|any|current) ){0,4}standing (?:orders|rules|instructions)"
# The same in other words: how long, in which tone, what never.
_HOW = r"(?:long|short|brief|wordy|detailed|formal|informal|casual|blunt|direct|honest|polite|technical)"
_I_WANT = r"(?:do|did) I (?:want|like|prefer|expect|need)"
_FORMS = (
    r"(?:format|write|word|phrase|structure|style|address|behave|(?:answer|reply|respond|talk|speak)(?: to)?)"
)
_TOLD_YOU = (
    r"(?:(?:did|have|had) I (?:ask|asked|tell|told|say to|said to|forbid|forbidden|order|ordered) you)"
)
_WORDED = (
    r"(?:(?:are there|do you have|do I have|did I (?:give|set|make)(?: you)?|have I (?:given|set"
    r"|made)(?: you)?) )?any (?:\w+ )?"
    r"(?:rules|orders|instructions|guidelines|wishes) (?:for|about|on|regarding)"
    rf" (?:{_YOURS}|how you (?:should|must|shall|are to|have to) {_FORMS}(?: (?:me|things|stuff"
    rf"|your \w+))?(?: for me)?)"
    rf"|how {_HOW} (?:{_I_WANT} (?:{_YOURS}|you)(?: to be)?|should {_YOURS} be|(?:should|must) you be)"
    rf"|(?:in )?(?:what|which) (?:tone|style|format|length|voice|form) (?:{_I_WANT} (?:from you|(?:in|for) {_YOURS}"
    rf"|{_YOURS}"
    rf"(?: in| to (?:have|be in))?|you to (?:use|keep|{_SPEAK})(?: me)?(?: in)?)|should you (?:use|keep"
    rf"|{_SPEAK})(?: me)?(?: in)?)"
    rf"|what {_TOLD_YOU} (?:(?:never|not|always) to (?:do|say|touch|use)|to (?:never|not|stop) (?:do|doing|say"
    rf"|saying|using))"
    r"|what (?:did|have) I (?:say|said|tell you|told you) (?:that )?you (?:should|must|may|can) (?:never|not|always) do"
    r"|what (?:do I not|don['’]t I) (?:want|like) (?:you to (?:do|say)|(?:in|about) your \w+)"
    r"|what (?:are|were) you (?:not|never) (?:allowed|supposed|meant) to (?:do|say|touch)"
    rf"|what do I (?:hate|dislike) (?:in|about) {_YOURS}"
    r"|what (?:should|must|shall) you (?:always )?(?:ask|check with|clear with|tell) me (?:about )?before"
    r"(?: (?:doing|you do|changing|you change|touching)(?: (?:it|anything|something|things))?)?"
)
_NOUN_ZH = r"(?:要求|规矩|规则|规定|指示|指令|吩咐)"
_ORDERS = re.compile(
    r"(?:(?:please )?(?:can|could|would) you )?(?:please )?"
    r"(?:(?:list|show|name|give|tell|remind)(?: me)?(?: of)? )?"
    rf"(?:(?:what|which)(?: (?:are|were))? )?(?:(?:{_NOUN} {_GIVEN}|my (?:\w+ )?(?:orders|rules|instructions)){_TO_YOU}"
    rf"|{_STANDING}(?: {_GIVEN}(?:{_TO_YOU})?|{_TO_YOU}| (?:are there|do you (?:have|follow)|hold|apply))?"
    rf"|(?:rules|orders|instructions) (?:do|must|should) you (?:follow|have|obey){_SPEAKING}?"
    r"|(?:shall|should|must) you (?:always )?do(?: and (?:what )?not(?: do)?|,? and what not)?"
    r"|what (?:did|have|had) I (?:ask|asked|tell|told|instruct|instructed|order|ordered) you to"
    rf" (?:(?:always|never) (?:do|avoid|follow|remember)|(?:stick|keep) to){_SPEAKING}?"
    rf"|how (?:do|did) I (?:want|like|prefer|expect|need) {_YOURS}(?: to (?:look|be|sound|read)(?: like)?)?"
    rf"|how (?:do|did|have) I (?:want|like|ask|tell|told|expect|prefer|say|said)(?: that)? you (?:to|should|must)"
    rf" {_SPEAK}(?: me)?|how (?:should|shall|must) you {_SPEAK} me|{_WORDED})"
    r"(?: so far| until now| right now| now,? and what not| now| again| at the (?:start|beginning)"
    rf"| (?:for|in) this (?:chat|conversation|project|repo)| with me| when you {_SPEAK} me)?\W*"
    r"|(?:请|麻烦)?你?(?:还)?(?:记得|列出|列一下|说说|告诉我)?我(?:之前|以前|曾经?|一共|总共|都|还)*(?:给|对|跟|向)(?:过)?(?:你|您)"
    rf"(?:定|立|提|下|说|有)?(?:下)?(?:过|了)?的?(?:什么|哪些|哪几[条个]|所有|全部)(?:长期|固定|特别)?的?{_NOUN_ZH}(?:有哪些|是什么)?\W*"
    r"|(?:[你您]|以后|今后|平时|应该|应当|该|得|要)*(?:怎么|如何|怎样)(?:回答|回复|答复)我(?:的(?:问题|提问|消息|话))?(?:比较好|呢)?\W*"
    r"|(?:[你您]|以后|今后|平时|在)*(?:回答|回复|答复)我(?:的(?:问题|提问|消息|话))?(?:时候?|的时候)?[，,]?"
    r"(?:[你您]|应该|应当|该|得|要|需要|必须)*(?:注意|遵守|遵循)(?:什么|哪些\w{0,4}|哪几[点条])\W*",
    re.IGNORECASE,
)
# The user's own rule, by that name.
RULE = r"\bmy (?:\w+ )?(?:rule|standing order|instruction)s?\b"
_BOUND = re.compile(
    r"\bin (?:which|what) (?:units?|formats?|languages?|currency|form|style)\b[^?]{0,40}"
    r" I (?:want|like|prefer|need|expect)\b"
    r"|\b(?:should|shall|must|may) you\b|\bare you (?:allowed|supposed|meant) to\b"
    r"|\b(?:rules|orders|instructions) (?:do|should|must) you (?:follow|have|obey)\b(?! to\b)"
    rf"|{RULE} (?:about|on|for|regarding|when|before|as to)\b"
    r"|\b(?:do I want|did I (?:ask|tell)) you to\b|\b(?:sollst|darfst|musst) du\b|[你您](?:应该|该|应当|必须)",
    re.IGNORECASE,
)
# Asks for a day, not for what is to be done.
_SINCE = re.compile(r"\W*(?:since )?when (?:did|have|had) I\b|\W*(?:seit )?wann hab", re.IGNORECASE)
_MANNERED = ("recall", "said", "period")
_POINT: dict[Kind, Point] = {"count": "figure", "span": "figure", "when": "date"}
_NAME_ASKED = re.compile(
    r"\b(?:name|names|named|called)\b|\bwho(?:['’]s| is| was)\b|叫什么|名字|姓名|怎么称呼|是谁", re.IGNORECASE
)
