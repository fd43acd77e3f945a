"""What is measured where a question asks for a measure of something, and which sentences name one: a price is no answer
to how long. Families of words in English and Chinese. Knows no context."""

from __future__ import annotations

import re
from collections.abc import Set
from typing import Literal

from memfold.text.dates import NAMES_OF_DAYS
from memfold.text.terms import terms

Measure = Literal["money", "duration", "distance", "people", "clock", "colour", "energy", "area", "weight"]

# Measures that Chinese also says without a unit: a price ("两百一晚"), a time ("通宵").
_LOOSE = ("money", "duration", "distance")


# Units that no number alone has.
TIMES = frozenset({"day", "clock"})


def exact(what: Measure | None, language: str) -> bool:
    """Whether a measure is always said with its unit in a language. If so, a question for it has no answer where no
    sentence holds one. (Without this rule eight of nine questions about what was never said were answered.)"""
    return what is not None and not (language == "zh" and what in _LOOSE)


def measure(question: str) -> Measure | None:
    """What a question asks to be measured, None where it does not say."""
    return next((name for name, pattern in _ASKED if pattern.search(question)), None)


def holds(what: Measure, text: str) -> bool:
    """Whether a text names such a measure."""
    return _NAMED[what].search(text) is not None


def unit(value: str) -> str | None:
    """The unit of the value that a text begins with: "money", "day", "clock", the term of the word behind its number,
    or "" where the number stands alone. None for a name."""
    first = _VALUE.search(value)
    return None if first is None or any(map(str.isupper, value[: first.start()])) else _unit(first)


def begins(text: str) -> tuple[str, int] | None:
    """The unit of the value that a text begins with, and where that value ends; None if it begins with none."""
    found = _VALUE.match(text)
    return (_unit(found), found.end()) if found else None


def units(text: str) -> frozenset[str]:
    """The units (`unit`) of a text's values, names aside."""
    return frozenset(map(_unit, _VALUE.finditer(text)))


def alike(of: str, others: Set[str]) -> bool:
    """Whether a value of the unit `of` may have one of the other units. A number alone may be money, or count
    anything."""
    counted = others - TIMES
    return of in others or ("" in counted and of not in TIMES) or (not of and bool(counted))


def _unit(match: re.Match[str]) -> str:
    return next(filter(match.group, ("money", "clock", "day")), next(terms(match["of"] or ""), ""))


_VALUE = re.compile(
    r"(?P<money>[$€£¥￥]\s?\d[\d.,]*k?|\d[\d.,]*\s?k?\s?(?:[$€£]|(?:dollars?|euros?|pounds?|bucks|USD|EUR|GBP)\b))"
    r"|(?P<clock>\b\d{1,2}(?::\d\d)?\s?[ap]\.?m\b|\b\d{1,2}:\d\d\b)"
    rf"|(?P<day>\b\d{{4}}-\d\d-\d\d\b|\b(?:\d{{1,2}}(?:st|nd|rd|th)?\s(?:of\s)?)?(?:{NAMES_OF_DAYS})\b(?:\s\d{{1,2}}\b)?"
    r"|\b\d{1,2}(?:st|nd|rd|th)\b|\b(?:19|20)\d\d\b(?!,\d))"
    r"|\d[\d.,]*(?:\s?(?P<of>%|[^\W\d_]+))?",
    re.IGNORECASE,
)
_ASKED: tuple[tuple[Measure, re.Pattern[str]], ...] = (
    (
        "distance",
        re.compile(
            r"\bhow far\b(?! (?:along|into|have|did))|\b(?:what|which)\b[^?]*\bdistance\b|多远|距离是",
            re.IGNORECASE,
        ),
    ),
    (
        "money",
        re.compile(
            r"\bhow much (?:money|does|do|did|is|are|was|were)\b[^?]*"
            r"\b(?:cost|pay|paid|spend|spent|charge|worth|money|rent)\b"
            r"|\bwhat (?:is|was|are|does|do|did)\b[^?]*\b(?:cost|price|fee|rent|salary|budget|spending limit)\b"
            r"|\bwhat (?:\w+ )?(?:price|fee|rent|salary|budget)\b"
            r"|\bhow (?:high|expensive)\b[^?]*\b(?:payment|cost|price|fee|rent)\b"
            r"|多少钱|(?:票|收费|费用|房租)(?:价|标准)?是?多少|(?:价格?|费用?|资金|预算|租金|房租|上限|工资|花费|薪水)[^，。]{0,4}(?:是|有)?多少",
            re.IGNORECASE,
        ),
    ),
    (
        "duration",
        re.compile(
            r"\bhow long (?:do|does|is|are|will|did it|should|must)\b"
            r"(?![^?]*\b(?:from|between|until|since|before|after)\b)"
            r"|\b(?:lead time|waiting time|warranty period|notice period)\b"
            r"|(?:需要?|质保|保修|等|要)(?:多久|多长时间|什么期限)|周期是多",
            re.IGNORECASE,
        ),
    ),
    (
        "people",
        re.compile(
            r"(?:几|多少)(?:位|名|个?人|口人)|(?:几|多少)个?(?:志愿者|学[生员]|客人|员工|会员|成员|观众|读者|订户|顾客|游客|嘉宾|住户)"
            r"|人数[^，。]{0,4}多少|(?:队伍|团队|班子)有多大|容量[^，。]{0,3}多[少大]|容纳(?:多少|几)"
        ),
    ),
    (
        "clock",
        re.compile(
            r"几点|(?:例会|会议|开会|上课|开门|关门|营业|门诊)[^，。]{0,6}(?:什么时[候间]|何时|星期几|周几)"
        ),
    ),
    ("colour", re.compile(r"(?:什么|哪种|啥)(?:颜?色|色调)")),
    ("energy", re.compile(r"(?:用电|耗电|能耗|电量|电力)[^，。]{0,4}多少|多少(?:度电|电[力量]?)")),
    ("area", re.compile(r"面积[^，。]{0,4}多[少大]|多少平")),
    ("weight", re.compile(r"多重|体?重量?[^，。]{0,3}多少|多少(?:公?斤|千克)")),
)
_NAMED = {
    "money": re.compile(
        r"[$€£¥￥]\s?\d|\b(?:for free|free of charge|is free|no (?:charge|fee|cost))\b"
        r"|\b(?:costs?|pays?|paid|charges?) (?:about |around )?\d|\d (?:a|per) (?:month|year|week|night|head|person)\b"
        r"|\d\s?(?:dollars?|euros?|pounds?|bucks|cents|USD|EUR|GBP|元|块|美元|欧元)|\d万",
        re.IGNORECASE,
    ),
    "duration": re.compile(
        r"\b(?:\d[\d.]*|an?|one|two|three|four|five|six|seven|eight|nine|ten|several|few)[ -]"
        r"(?:second|minute|hour|day|week|fortnight|month|quarter|year|decade)s?\b"
        r"|\b(?:until|till|overnight|forever|for (?:life|good)|lifetime|all (?:day|night|week|month|year))\b"
        r"|[\d一二两三四五六七八九十半几]\s?(?:秒|分钟|个?小时|个?钟头|天|日|周|个?星期|个?月|年)",
        re.IGNORECASE,
    ),
    "distance": re.compile(
        r"\d\s?(?:km|kilomet(?:re|er)s?|miles?|met(?:re|er)s?|m|yards?|blocks?|feet|ft)\b"
        r"|\b(?:minutes|hours?) (?:away|from)\b|\d\s?(?:公里|千米|里|米|站)",
        re.IGNORECASE,
    ),
    "people": re.compile(r"[\d一二两三四五六七八九十百]\s?(?:来|多|几)?(?:个人|个?名|人|位(?!置)|口人)"),
    "clock": re.compile(
        r"(?:周|星期|礼拜)[一二三四五六日天末]|[\d一二两三四五六七八九十]\s?点(?![儿什心个])|\d{1,2}[:：]\d\d"
    ),
    "colour": re.compile(r"[红橙黄绿蓝紫黑白灰粉棕褐金银青赭]|颜?色"),
    "energy": re.compile(r"[\d一二两三四五六七八九十百千万]\s?(?:多)?(?:度(?!假)|千瓦时|kWh)", re.IGNORECASE),
    "area": re.compile(r"[\d一二两三四五六七八九十百千万]\s?(?:多)?(?:个?平(?:方米|米|方)?|亩|㎡)"),
    "weight": re.compile(r"[\d一二两三四五六七八九十百千半]\s?(?:多)?(?:公?斤|千克|克|吨|kg)", re.IGNORECASE),
}
