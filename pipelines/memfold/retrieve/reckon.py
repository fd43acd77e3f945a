"""Reckoning with what was found: the time between two dates, and numbers counted and summed. Knows no search, no page.

What is reckoned is said with its terms, so that who reads it can take another.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from itertools import chain

from memfold.retrieve.dated import Dated
from memfold.retrieve.kinds import LOOKED_AT
from memfold.text.numbers import CHINESE, ENGLISH
from memfold.text.paid import paid
from memfold.text.sentences import around
from memfold.text.terms import terms

# -------------------------------------------------------------------------------------- spans


@dataclass(frozen=True, slots=True)
class Elapsed:
    """The time between two dated things, of which `start` is the earlier."""

    start: Dated
    end: Dated

    @property
    def days(self) -> int:
        """From the first day of the one to the first day of the other."""
        return (self.end.first - self.start.first).days

    def __str__(self) -> str:
        weeks, days = divmod(self.days, 7)
        # Always: where only some have their weeks, whoever is asked for weeks takes those.
        rest = f" + {_plural(days, 'day')}" if days else ""
        shown = f" = {_plural(weeks, 'week')}{rest}" if weeks else ""
        return f"{_end(self.start)} to {_end(self.end)}: {_plural(self.days, 'day')}{shown}"


def spans(one: Sequence[Dated], other: Sequence[Dated], most: int) -> list[Elapsed]:
    """The time between the things of two lists: the best pairs first, each two days once.

    A month or a year has no day to count from. What stands in both lists is rather the end of which it is the better;
    and of two equal pairs the one comes first in which the thing named first was first.
    """
    here, there = ({(each.exchange_id, each.first): each.score for each in side} for side in (one, other))
    pairs = []
    for a in filter(names_a_day, one):
        for b in filter(names_a_day, other):
            loss = max(there.get((a.exchange_id, a.first), 0.0) - a.score, 0.0)
            loss += max(here.get((b.exchange_id, b.first), 0.0) - b.score, 0.0)
            pairs.append((a.score + b.score - 2 * loss + _IN_ORDER * (a.first < b.first), a, b))
    found: dict[tuple[date, date], Elapsed] = {}
    for _, a, b in sorted(pairs, key=lambda pair: -pair[0]):
        if a.first != b.first:
            start, end = (a, b) if a.first < b.first else (b, a)
            found.setdefault((start.first, end.first), Elapsed(start, end))
    return list(found.values())[:most]


def names_a_day(one: Dated) -> bool:
    """Whether its time is told by days: a month or a year, which begins and ends with one, is not, nor what was "a few
    weeks ago", nor what is told by a third of a month (月底)."""
    last = monthrange(one.last.year, one.last.month)[1]
    roughly = one.literal.endswith(_ROUGHLY) or (one.first.day == 1 and one.last.day == last)
    return one.first == one.last or not roughly


def _end(one: Dated) -> str:
    """Its day and exchange, who gave the date, and what happens on it: so a reader sees which event the date is for."""
    at = max(one.text.find(one.literal), 0)
    what = _MARKUP.sub(
        " ", around(one.text, at, at + len(one.literal), END) if one.literal else one.text[:END]
    )
    what = " ".join(what.replace("…", " ").split())
    who = "the assistant: " if one.said_by == "assistant" else ""
    return f"{one.first} [{one.exchange_id}] ({who}“{what}”)"


def sides(question: str) -> tuple[str, str] | None:
    """The two things between which a question asks for the time; None where it does not name two.

    The end of a question is looked at: some patterns take the cube of its length, at 3,846 characters 10 s.
    """
    asked = question[-LOOKED_AT:]
    for pattern in _SIDES:
        if match := pattern.search(asked):
            one, other = match["a"].strip(_EDGE), match["b"].strip(_EDGE)
            if one and other:
                # "做雾化从开始到停": what begins is named once, before both.
                whole = _WHOLE_ZH.search(asked[: match.start()]) if _PHASE_ZH.fullmatch(one) else None
                return (whole[1] + one, whole[1] + other) if whole else (one, other)
    return None


def _plural(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"


_IN_ORDER = 0.2
_ROUGHLY = ("ago", "月底", "月末", "月初", "旬")
# How many characters tell what happens on a day.
END = 64
_MARKUP = re.compile(r"[*#`>|\s]+|^\s*(?:-|\d+\.)\s")
_EDGE = " ,.?!;:，。？！；："
# "And" joins the two, and may stand inside each: where the second thing begins, the surest sign first.
_AND = r",?\s+and\s+(?:then\s+)?"
_CLAUSE = r"(?:my|the|our|his|her|their|its|on|it|I|we|a|an|finally|that|[A-Z]\w+['’]s)\b"
_PHASE_ZH = re.compile(r"(?:一?开始|起[头初]|开头|动工|启动|头一[天次]|第一[天次])")
_WHOLE_ZH = re.compile(r"(?:^|[，。？！,\s])(?:请问|那么?)?([^，。？！,\s]{2,14})$")
_SIDES = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\bbetween (?:when )?(?P<a>.+?){_AND}when (?P<b>.+)",
        rf"\bbetween (?P<a>.+?){_AND}(?P<b>{_CLAUSE}.+)",
        rf"\bbetween (?P<a>.+?){_AND}(?P<b>.+)",
        r"\bfrom (?:when )?(?P<a>.+?),? (?:to|until|till|up to)(?: when)? (?P<b>.+)",
        r"\b(?:after|since) (?:when )?(?P<a>.+?),? (?:did|do|does|will|was|were|until|before|is|are|had|have)\b"
        r"(?P<b>.+)",
        r"\bdid (?P<b>.+?) (?:after|since) (?:when )?(?P<a>.+)",
        r"\b(?:did|do|does|will|was|were|is|are|had|have|left|passed) (?P<a>.+?) (?:before|until|till|after"
        r"|since) (?P<b>.+)",
        r"\bbefore (?:when )?(?P<b>.+?),? (?:did|do|does|will|was|were|is|are|had|have) (?P<a>.+)",
        r"(?P<a>[^，。？！]{2,30}?)[，,]?(?<![脱分撤偏])(?:距?离)(?P<b>[^，。？！]{2,20}?)(?:还|一共|大概)*(?:[有剩差隔])?(?:多少|几个?)"
        r"(?:天|日|周|星期|礼拜|月)",
        r"从(?P<a>.+?)[到至](?P<b>.+?)(?:之间|中间|一共|总共|共|有|经过|过|用|花|隔|相隔|间隔|需|要|是|多|几|$)",
        r"(?P<a>.+?)(?:和|与|跟|距离)(?P<b>.+?)(?:之间|相隔|间隔|相差|隔|一共|总共|有?多少|有?几|有?多久|有?多长)",
        r"(?P<a>.+?)(?:之后|以后|后)(?:过了|隔了|过)?(?:多久|多少个?[天日周年月]|几个?[天日周年月]|多长时间)[星期礼拜月]*(?:才|就)?"
        r"(?P<b>.+)",
        r"(?P<a>.+?)到(?P<b>.+?)(?:(?:中间|之间|前后|一共|总共|大概|相隔|间隔|经过|[有隔是过用花])了?)*"
        r"(?:多久|多少|几|多长时间)",
    )
]

# ------------------------------------------------------------------------------------ numbers

# A sentence with a number is cut to this many characters around it.
SENTENCE = 240


@dataclass(frozen=True, slots=True)
class Amount:
    """A number of some unit, the sentence that names it, and its exchange. It is not `whole` if it is a part of another
    number ("$2 million", "2 hours and 15 minutes"), and not `once` if it is a rate ("$80 each") or came back."""

    value: Decimal
    unit: str
    text: str
    exchange_id: int
    whole: bool = True
    once: bool = True


@dataclass(frozen=True, slots=True)
class Tally:
    """Amounts of one unit in the order they were said; mentions of one and the same thing are one, with their ids.
    `left` are the exchanges of amounts that add to no sum."""

    unit: str
    mentions: tuple[tuple[Decimal, tuple[int, ...]], ...]
    left: tuple[int, ...] = ()

    @property
    def total(self) -> Decimal:
        """The sum."""
        return sum((value for value, _ in self.mentions), Decimal(0))

    def __str__(self) -> str:
        terms = [f"{_shown(value)} [{', '.join(map(str, ids))}]" for value, ids in self.mentions]
        count = _plural(len(terms), "mention")
        left = f"; not added: [{', '.join(map(str, self.left))}]" if self.left else ""
        return f"{self.unit}, {count}: {' + '.join(terms)} = {_shown(self.total)}{left}"


def amounts(text: str, exchange_id: int, unit: str) -> Iterator[Amount]:
    """The numbers in a text that stand right before a unit, each with its sentence: 45 of "45 minutes", 4 of "4 out of
    20 questions". For the unit "$" sums of money, each of the sign or the word it has: 34 dollars of a collection are
    no part of a budget of $9,000."""
    for number, named, start, end in (
        chain(_money(text), _worded(text)) if unit == MONEY else _counted(text, unit)
    ):
        if (value := _value(number)) is not None:
            said = " ".join(around(text, start, end, SENTENCE).split())
            whole, once = _whole(text, number, start, end, unit), _once(text, start, end, unit)
            yield Amount(value, named, said, exchange_id, whole, once)


def _whole(text: str, number: str, start: int, end: int, unit: str) -> bool:
    """Whether a number of a unit, from `start` to `end` of a text, is no part of another number."""
    before, rest = _near(text, start, end)
    behind = text.index(number, start) + len(number)
    if _PART_BEFORE.search(before) or _PART_BEHIND.match(text, behind):
        return False
    beside = (_TIME_BEFORE.search(before), _TIME_BEHIND.match(rest)) if _TIME.fullmatch(unit) else ()
    return all(each is None or singular(each["of"])[:3] == singular(unit)[:3] for each in beside)


def _once(text: str, start: int, end: int, unit: str) -> bool:
    """Whether a number of a unit is no rate, and money that did not come back."""
    before, rest = _near(text, start, end)
    back = unit == MONEY and (_BACK_BEFORE.search(before) or _BACK_BEHIND.match(rest))
    return not (back or _RATE_BEFORE.search(before) or _RATE_BEHIND.match(rest))


def _near(text: str, start: int, end: int) -> tuple[str, str]:
    """What stands right before and right behind a place."""
    return text[max(start - _REACH, 0) : start], text[end : end + _REACH]


def further(text: str, exchange_id: int, unit: str) -> Iterator[Amount]:
    """The numbers of sentences that add to what was counted before and name no other unit: 21 of "another 21 of them
    were in the attic"."""
    for match in _BARE.finditer(text):
        said = " ".join(around(text, match.start(), match.end(), SENTENCE).split())
        if adds(said) and len(_BARE.findall(said)) == 1 and (value := _value(match[0])) is not None:
            start, end = match.span()
            whole, once = _whole(text, match[0], start, end, unit), _once(text, start, end, unit)
            yield Amount(value, unit, said, exchange_id, whole, once)


def is_level(text: str, question: str) -> bool:
    """Whether the number in a Chinese sentence is a rate or a new level ("每人", "改收") and so adds to no sum. False
    if the question itself asks for one."""
    return _LEVEL.search(text) is not None and _LEVEL.search(question) is None


def adds(text: str) -> bool:
    """Whether a text says that it adds to what was told before: "I also donated $120"."""
    return _ADDS.search(text) is not None


def on_top(text: str) -> bool:
    """Whether a text says that its number comes on top of what was counted before: "another 150 euros", "5 more"."""
    return _ON_TOP.search(text) is not None


def asks_total(question: str) -> bool:
    """Whether it is asked what several numbers come to."""
    return _ASKS_TOTAL.search(question) is not None


def asks_sum(question: str) -> bool:
    """Whether the numbers of what is asked add up: a total is asked for, or how much of something was done ("how many
    chairs did I buy", "how much have we spent"). What is, or has been reached, is told by its newest number instead."""
    return asks_total(question) or _ASKS_DONE.search(question) is not None


def _money(text: str) -> Iterator[tuple[str, str, int, int]]:
    """Sums of money with the sign of their currency."""
    for match in _MONEY.finditer(text):
        yield match["number"], match["sign"].replace("￥", "¥"), match.start(), match.end()


def _worded(text: str) -> Iterator[tuple[str, str, int, int]]:
    """Sums of money with their currency: those that name it in words, and bare sums that were paid."""
    for match in _WORDED.finditer(text):
        yield match["number"], _currency(match["unit"].lower()), match.start(), match.end()
    for number, _, start, end in paid(text):
        yield number, YUAN, start, end


def _counted(text: str, unit: str) -> Iterator[tuple[str, str, int, int]]:
    """By the unit and then backwards: most text holds numbers, and little of it this unit."""
    pattern = _NUMBER_BEFORE if unit.isascii() else _ZH_NUMBER_BEFORE
    # Looked for as it stands first: that is ten times as quick, and in few texts is it found.
    stem, words = _word(unit)
    for word in words.finditer(text) if stem in text else ():
        begin = max(word.start() - _REACH, 0)
        if match := pattern.search(text[begin : word.start()]):
            yield match["number"], unit, begin + match.start(), word.end()


def _currency(unit: str) -> str:
    """The plural of a currency's name, as it is in English; 块 are 元."""
    if unit == "块":
        return YUAN
    return unit if not unit.isascii() or unit.endswith("s") or unit == "yuan" else f"{unit}s"


@lru_cache(maxsize=256)
def _word(unit: str) -> tuple[str, re.Pattern[str]]:
    """How a unit begins, and the pattern of its singular and plural."""
    if not unit.isascii():
        several = _COUNTED_BY.get(unit)
        return "" if several else unit, re.compile(several or re.escape(unit))
    one = singular(unit)
    stem, ends = (one[:-1], "y|ies") if one.endswith("y") else (one, "|s|es")
    return stem, re.compile(rf"{re.escape(stem)}(?:{ends})\b")


def tallies(found: Sequence[Amount], question: str = "") -> list[Tally]:
    """Amounts counted and added up by unit. Of equal value, those whose sentences share half of their words are one.
    Left out are those that are not whole, and rates and money that came back unless the question asks for such."""
    by_unit: dict[str, list[tuple[Decimal, frozenset[str], list[int]]]] = {}
    left: dict[str, dict[int, None]] = {}
    rates = _ASKS_RATE.search(question) is not None
    for each in sorted(found, key=lambda amount: amount.exchange_id):
        if not (each.whole and (each.once or rates)):
            left.setdefault(each.unit, {})[each.exchange_id] = None
            continue
        words, known = frozenset(terms(each.text)), by_unit.setdefault(each.unit, [])
        for value, others, ids in known:
            if value == each.value and 2 * len(words & others) >= max(len(words), len(others)):
                if each.exchange_id not in ids:
                    ids.append(each.exchange_id)
                break
        else:
            known.append((each.value, words, [each.exchange_id]))
    return [
        Tally(unit, tuple((value, tuple(ids)) for value, _, ids in mentions), tuple(left.get(unit, ())))
        for unit, mentions in by_unit.items()
    ]


def asked_unit(question: str) -> str | None:
    """What a question asks how many of ("how many total minutes", 多少分钟), "$" for money; None if it does not say."""
    if (counted := _COUNTED_IN.search(question)) and (unit := counted["en"] or counted["zh"]):
        return unit.lower()
    if match := _TIME_SPENT.search(question):
        return "hours" if match[0].isascii() else HOURS
    match = _ASKED.search(question)
    words = (
        [
            word
            for word in (match["en"] or match["zh"] or match["few"]).lower().split()
            if word not in _NO_UNIT
        ]
        if match
        else []
    )
    if words and words[-1] in ("钱", "元", "块", "块钱", "元钱"):
        return MONEY
    if words and not words[-1].isascii() and not (match and match["few"]):
        return _classifier(words[-1]) or words[-1]
    if not words and (named := _SUM_OF.search(question)) and (unit := _classifier(named[1])):
        return unit
    return words[-1] if words else MONEY if _HOW_MUCH.search(question) else None


def _classifier(noun: str) -> str | None:
    return next((by for kind, by in _CLASSIFIED if kind.search(noun)), None)


MONEY, HOURS, YUAN = "$", "小时", "元"
# What Chinese counts a thing by, by the noun that a question names: whoever is asked for 家庭 says 户 or 家. The first
# is what the sum is said in.
_CLASSIFIED = tuple(
    (re.compile(kind), by)
    for kind, by in (
        (r"^(?:家庭|住户|人家|农户|商户)", "户"),
        (r"[树苗]$|^(?:植物|灌木)", "棵"),
        (
            r"^(?:人|志愿|学[生员]|客[人户]|员工|会员|成员|同学|同事|老师|朋友|观众|读者|顾客|游客|嘉宾|家长|孩子)",
            "人",
        ),
        (r"椅|凳|^(?:雨伞|钥匙)", "把"),
        (r"^(?:书|小说|杂志|画册)", "本"),
        (r"^(?:汽?车|卡车|单车|自行)", "辆"),
        (r"^(?:机器|电脑|设备|手机|电视|空调)", "台"),
        (r"^(?:衣服|衬衫|外套|毛衣|家具|礼物|行李)", "件"),
        (r"^(?:票|门票|车票|照片|桌子|床)", "张"),
        (r"^(?:信|邮件|来信)", "封"),
    )
)
_COUNTED_BY = {
    HOURS: "小时|钟头",
    "户": "户(?![口外])|家(?![里人具长乡中])",
    "棵": "棵|株",
    "人": "人|位(?!置)|名(?!字|单|称)",
    "本": "本(?!来|地)|册",
    "辆": "辆|台",
    "台": "台(?!阶)|部",
    "张": "张|幅",
}
_SUM_OF = re.compile(r"(?:^|[的了，])([^的了，。？]{1,4})总(?:数|量)")
# Words of a rate ("per person") or of a new level ("from now on"): such a number adds to no sum.
_LEVEL = re.compile(
    r"每(?:个?[月年天周人位次张晚户]|小时|个?星期|季度)|凡是|一律|改[收成为到]|变成|[涨降调]到|[涨降]价|单价|定价|票价|房租|租金|预算|封顶|上限"
)
# Larger ones are written in figures.
_NUMBER_WORDS = {word: number for word, number in ENGLISH.items() if number <= 12} | {
    word: number for word, number in CHINESE.items() if len(word) == 1
}
# Read as in English and never in part: "1.200" and "84,30" are no 1.2 and no 8430.
_DIGITS = r"(?>(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d{1,2})?(?![.,]?\d))"
_SIGN = r"(?:\b[A-Z]{1,3})?[$€£¥￥]"
_SCALE = r"(?:hundred|thousand|million|billion|trillion|grand|half|quarter)"
_PART_BEFORE = re.compile(
    rf"(?:[-–/]|\b(?:(?:twen|thir|for|fif|six|seven|eigh|nine)ty|{_SCALE})(?:\sand)?\s|(?<![\w.,])\d{{1,3}}\s)\Z",
    re.IGNORECASE,
)
_PART_BEHIND = re.compile(
    rf"\s\d{{3}}\b|\s?[-–]\s?(?:{_SIGN})?\d|\s?(?:k|m|mn|bn?)\b|[\s-](?:and\s)?(?:an?\s)?{_SCALE}\b|[百千万亿]",
    re.IGNORECASE,
)
# "2 hours and 15 minutes": neither is the time.
_TIME = re.compile(r"(?:second|minute|min|hour|hr|day|week|month|year)s?|小时|分钟", re.IGNORECASE)
_TIMED = rf"(?:\d|\b(?:{'|'.join(ENGLISH)}))[\s-]?个?(?P<of>{_TIME.pattern}|钟头|分)"
_TIME_BEFORE = re.compile(rf"{_TIMED}(?:,?\sand|,)?\s?零?\Z", re.IGNORECASE)
_TIME_BEHIND = re.compile(rf"(?:,?\sand|,)?\s?零?\d*{_TIMED}", re.IGNORECASE)
_PERIOD = r"(?:hour|day|night|week|month|quarter|year)"
_EACH = (
    r"(?:each|apiece|every|per|daily|annually|(?:hour|night|week|month|quarter|year)ly"
    rf"|an?\s(?:{_PERIOD}(?!\s(?:ago|later|earlier|before|after)\b)|person|head|piece))"
)
_WORD = r"\s(?!(?:and|but|or|so|then)\b)[a-z]+"
_RATE_BEFORE = re.compile(rf"\b(?:each|every|per)(?:{_WORD}){{0,2}}\s\Z", re.IGNORECASE)
_RATE_BEHIND = re.compile(rf"\s?/\s?[a-z]|(?:{_WORD})?\s{_EACH}\b", re.IGNORECASE)
_BACK_BEFORE = re.compile(
    r"\b(?:refund(?:ed)?(?:\sof)?|reimbursed|(?:got|gave|paid|given|received)\sback)(?:\s[a-z]+)?\s\Z",
    re.IGNORECASE,
)
_BACK_BEHIND = re.compile(
    r"(?:\s[a-z]+)?\s(?:back(?!\s(?:in|on|then|when)\b)|refund(?:s|ed)?\b|reimburse\w*)", re.IGNORECASE
)
_ASKS_RATE = re.compile(rf"\b(?:{_EACH}|back|refund\w*)\b", re.IGNORECASE)
# A number and its unit stand within this many characters.
_REACH = 48
_NUMBER_BEFORE = re.compile(
    rf"(?<![\w.,])(?P<number>{_DIGITS}|{'|'.join(word for word in _NUMBER_WORDS if word.isascii())})[\s-]"
    r"(?:(?:out )?of (?:the |all )?\d[\d,]*\s)?(?:[a-z-]+\s){0,2}\Z",
    re.IGNORECASE,
)
_ZH_NUMBER_BEFORE = re.compile(
    rf"(?<![\d.,一二两三四五六七八九十百千万零])(?P<number>{_DIGITS}|[一二两三四五六七八九十])\s?多?个?\Z"
)
# An amount in thousands or millions is found, though it is not whole.
_MONEY = re.compile(rf"(?P<sign>{_SIGN})\s?(?P<number>{_DIGITS})(?!%|(?!(?i:k|m|mn|bn?)\b|[百千万亿])\w)")
_WORDED = re.compile(
    rf"(?<![a-zA-Z_\d.,])(?P<number>{_DIGITS})\s?(?P<unit>(?:dollars?|euros?|pounds?|francs?|yuan)\b"
    r"|欧元|美元|元|块(?=钱|[买左多]|[^\u4e00-\u9fff]|$))",
    re.IGNORECASE,
)
# A number by itself: no date, no time, no part of a name, of no measure.
_BARE = re.compile(
    r"(?<![a-zA-Z_\d$€£¥.,:/-])\d{1,3}(?:,\d{3})*(?![\d%:/.,-]*\d)(?!\s?(?:%|am|pm|o'clock|[ap]\.m\."
    r"|(?:second|minute|hour|day|week|month|year|km|mile|metre|meter|kg|kWh|dollar|euro|pound)s?\b"
    r"|[年月日号点分秒天周岁元块度%]|个?(?:月|小时|钟头|星期)|公里|公斤))"
)
_ADDS = re.compile(
    r"\b(?:another|further|additional|(?<!no )more(?! than)|extra|as well|too|also|on top|second|third|last)\b"
    r"|[又再另添]|还(?![剩是没不])|加上",
    re.IGNORECASE,
)
_NUMBER = rf"(?:{_SIGN}\s?)?(?:{_DIGITS}|{'|'.join(word for word in _NUMBER_WORDS if word.isascii())})"
_ON_TOP = re.compile(
    rf"\b(?:another|additional|further|extra)\s(?:[a-z]+\s){{0,2}}{_NUMBER}\b"
    rf"|(?<![\w.,]){_NUMBER}(?:\s(?!(?:to|or|and|is|was)\s)[a-z-]+)?\s(?:more(?! than)|on top)\b"
    r"|[又再另][^，。；]{0,6}?[\d一二两三四五六七八九十]",
    re.IGNORECASE,
)
_HOW_MUCH = re.compile(
    r"\bhow much\b[^?]*\b(?:money|spen[dt]|pa(?:y|id)|costs?|prices?|earn(?:ed)?|saved?|budget|donat\w+|receive[ds]?"
    r"|raised?|collect(?:ed)?)\b|多少钱|多少(?:元|块)|(?:捐|募|善款|收入|收到|赚|挣|花)[^，。？]{0,10}多少[？?]?$"
    # A sum of costs, each of them named behind it or not.
    r"|(?:费用?|开销|花销|支出|款)[^，。？]{0,4}(?:一共|总共|合计|总计|加起来)(?:是|有|要|花了?)?多少(?=[\s（(？?，。]|$)",
    re.IGNORECASE,
)
_ASKED = re.compile(
    r"\bhow many (?P<en>(?:[a-z-]+ ){0,4}?[a-z-]+?)(?= (?:did|do|does|have|has|had|am|are|were|was|is"
    r"|will|would|can|in|of|for|on|i|we|my)\b|\?|$)|多少个?(?P<zh>[\u4e00-\u9fff]{1,2})"
    r"|几(?P<few>[把张本只件家套篇份趟场道门顿遍名辆条棵罐瓶箱袋位户](?:[\u4e00-\u9fff]{1,2}(?=$|\W))?)",
    re.IGNORECASE,
)
_COUNTED_IN = re.compile(
    r"\bcounted in (?P<en>[a-z]+)|按(?P<zh>(?![照原设预估])[\u4e00-\u9fff]{1,2}?)来?(?:算|计(?!划))",
    re.IGNORECASE,
)
_TIME_SPENT = re.compile(r"\b(?:total|how much) time (?=(?:did|have|has|was|I|we)\b)|多少时间", re.IGNORECASE)
_ASKS_TOTAL = re.compile(
    r"\b(?:in total|total|altogether|all together|all told|in sum|overall|combined|over all)\b"
    r"|总共|一共|合计|总计|加起来|总数",
    re.IGNORECASE,
)
_ASKS_DONE = re.compile(
    # "How much did the filling cost" asks for a price, "how much did the whole trip cost" for what it comes to.
    r"\bhow (?:many|much)\b(?! more\b)"
    r"(?!(?:(?!\b(?:all|entire|everything|whole)\b)[^?]){0,200}?\bcost(?: (?:me|us|you))?\W*\Z)[^?]{0,200}?"
    r"\bdid (?!(?:I|we) (?:say|mention|tell|want|plan|try|need)\b)"
    r"|\bhow (?:many|much)\b[^?]{0,200}?\b(?:have|has) (?:[a-z]+ ){1,2}"
    r"(?:spent|paid|bought|planted|raised|earned|donated|run)\b|(?<![到成为])了(?:多少|几)",
    re.IGNORECASE,
)
_NO_UNIT = {
    "total",
    "different",
    "new",
    "more",
    "other",
    "additional",
    "of",
    "the",
    "unique",
    "distinct",
    "times",
}


def singular(word: str) -> str:
    """An English noun without its plural, roughly."""
    word = word.lower()
    return (
        word[:-3] + "y"
        if word.endswith("ies")
        else word[:-1]
        if word.endswith("s") and len(word) > 3
        else word
    )


def _value(text: str) -> Decimal | None:
    if text.lower() in _NUMBER_WORDS:
        return Decimal(_NUMBER_WORDS[text.lower()])
    try:
        return Decimal(text.replace(",", ""))
    except InvalidOperation:
        return None


def _shown(value: Decimal) -> str:
    return f"{value.normalize():f}"
