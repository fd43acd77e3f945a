"""What is measured where a question asks for a measure of something, and which sentences name one: a price is no answer
to how long. Families of words in English and Chinese. Knows no context."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from typing import Literal

from memfold.text.dates import NAMES_OF_DAYS
from memfold.text.numbers import ENGLISH
from memfold.text.terms import terms

Measure = Literal["money", "duration", "distance", "people", "clock", "colour", "energy", "area", "weight"]

# Measures that Chinese also says without a unit: a price ("两百一晚"), a time ("通宵").
_LOOSE = ("money", "duration", "distance")


# What Chinese counts things by, and a number.
_BY = "个台箱把本件张条斤袋瓶盒套份位只次米平吨辆间晚"
_COUNT = r"(?:\d[\d.,]*|[一二两三四五六七八九十百千万半]+)"
# "138一台", "一箱102": a number for one of a kind is its price.
_FOR_ONE = rf"\d\s?一(?=[{_BY}])|一(?:个月|[{_BY}年月])\s?\d[\d.,]*(?![\d.,]*\s?[{_BY}天年月日号点分秒岁%])"

# Units that no number alone has.
TIMES = frozenset({"day", "clock"})
# Units of which no value is a count or an amount too: 92% is no newer value than 19 of 20, and 9 hours are no day.
_APART = frozenset({"day", "percent"})
_FROM_NOW = re.compile(
    rf"\bin (?:an? |a few |\d+ |(?:{'|'.join(ENGLISH)}) )(?:day|week|month|year)s?\b", re.IGNORECASE
)


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
    """The unit of the value that a text begins with: "money", "day", "clock", "percent", the term of the word behind
    its number, or "" where the number stands alone. None for a name."""
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


def same_kind(text: str, other: str) -> bool:
    """Whether a value of one text may be a newer one of the other's: both name a day ("in 3 weeks" is one), or both a
    share, or both something else."""
    one, two = (
        {of if of in _APART else "" for of in units(each)} | ({"day"} if _FROM_NOW.search(each) else set())
        for each in (text, other)
    )
    return not one.isdisjoint(two)


def fits(question: str, text: str) -> bool:
    """Whether a text has a value in the unit that a question in Chinese names: "46台" does not answer "how much does
    one cost". A bare number may be a price or a count. True if the question names no unit."""
    of = next((of for of, pattern in _UNIT_ASKED if pattern.search(question)), None)
    if of is not None:
        return _UNITS_TOLD[of].search(text) is not None
    by = _COUNTED_BY.search(question)
    if by is None:
        return True
    return re.search(rf"{_COUNT}\s?[多来几]?{by[1]}|{_ALONE}", text) is not None


def lacks(question: str, quoted: Sequence[str], context: Iterable[str]) -> bool:
    """Whether a question in Chinese asks for money or a size that was not told: no `quoted` text has a fitting number,
    and, for a size, no text of the `context` has its unit."""
    if asked := _SIZE_ASKED.search(question):
        named = re.compile(rf"{_COUNT}\s?[多来几]?{asked[1]}")
        told = re.compile(rf"{_ALONE}|{_BORN}")
        return not (any(map(named.search, context)) or any(map(told.search, quoted)))
    return _MONEY_ASKED.search(question) is not None and not any(map(_UNITS_TOLD["money"].search, quoted))


def habit(text: str) -> bool:
    """Whether a text in Chinese tells a habit: "每天", "一周两次"."""
    return _HABIT.search(text) is not None


def one_day(text: str) -> bool:
    """Whether a text in Chinese tells a single event and no habit: "今天才跑了3公里"."""
    return _ONE_DAY.search(text) is not None and not habit(text)


def _unit(match: re.Match[str]) -> str:
    return next(filter(match.group, ("money", "clock", "day", "percent")), next(terms(match["of"] or ""), ""))


_VALUE = re.compile(
    r"(?P<money>[$€£¥￥]\s?\d[\d.,]*k?|\d[\d.,]*\s?k?\s?(?:[$€£]|(?:dollars?|euros?|pounds?|bucks|USD|EUR|GBP)\b))"
    r"|(?P<clock>\b\d{1,2}(?::\d\d)?\s?[ap]\.?m\b|\b\d{1,2}:\d\d\b)"
    rf"|(?P<day>\b\d{{4}}-\d\d-\d\d\b|\b(?:\d{{1,2}}(?:st|nd|rd|th)?\s(?:of\s)?)?(?:{NAMES_OF_DAYS})\b(?:\s\d{{1,2}}\b)?"
    r"|\b\d{1,2}(?:st|nd|rd|th)\b|\b(?:19|20)\d\d\b(?!,\d))"
    r"|(?P<percent>\d[\d.,]*\s?(?:[%％]|per ?cent\b))"
    rf"|\d[\d.,]*(?:\s?(?P<of>[{_BY}]|[^\W\d_]+))?",
    re.IGNORECASE,
)
_ALONE = (
    rf"(?<![\dA-Za-z.:：-])\d[\d.,]*(?![\d.,:：A-Za-z%-]|\s?[多来几]?"
    rf"[{_BY}天年月日号点分秒岁周人公千毫克层楼级度页码瓦升名口])"
)
_MONEY_TOLD = rf"[$€£¥￥]\s?\d|{_COUNT}\s?(?:多|来)?(?:[元块万千]|[美欧日港]元|毛钱)|{_FOR_ONE}|免费|{_ALONE}"
_DAY_TOLD = (
    rf"{_COUNT}\s?[月号日](?![线楼])|(?:周|星期|礼拜)[一二三四五六日天末\d]|[今明后昨前]天|[本上下这]个?(?:周|星期|礼拜|月)"
    r"|月[底初中末]|\d{1,2}[-/]\d{1,2}|国庆|五一|春节|元旦|清明|端午|中秋|节(?![省约奏目])"
)
_CLOCK_TOLD = rf"{_COUNT}\s?点(?![儿什心个])|\d{{1,2}}[:：]\d\d|(?:凌晨|早上|上午|中午|下午|傍晚|晚上|半夜)"
_LENGTH_TOLD = rf"{_COUNT}\s?多?个?(?:秒|分钟|小时|钟头|天|日|周|星期|礼拜|月|年)|通宵|全天|整[天夜]"
# What a question names the unit of, and how a text gives such a value; and the word that it counts by.
_UNIT_ASKED = tuple(
    (of, re.compile(pattern))
    for of, pattern in (
        ("clock", r"几点|几时"),
        ("day", r"哪[一]?[天日]|几[月号]|什么时[候间]|何时|(?:周|星期|礼拜)几|(?:日期|日子)是"),
        ("length", r"(?:几|多少)个?(?:天|周|星期|礼拜|月(?!份)|年|小时|钟头|分钟)|多久|多长时间"),
        (
            "money",
            r"多少(?:钱|元|块)|[价租薪][^，。？]{0,3}(?:是|要|有)?多少|(?:费|金|款|工资|收入|花销|预算)(?:是|要|有)?多少",
        ),
    )
)
_MONEY_ASKED = next(pattern for of, pattern in _UNIT_ASKED if of == "money")
# Sizes; things are counted by telling each of them. An age is told by a year too.
_BORN = r"年(?:出?生|的)|属[鼠牛虎兔龙蛇马羊猴鸡狗猪]|\d0后|出生|满月"
_SIZE_ASKED = re.compile(r"(?:多少|几)([度岁楼层页级寸码瓦升])")
_UNITS_TOLD = {
    "clock": re.compile(_CLOCK_TOLD),
    "day": re.compile(_DAY_TOLD),
    "length": re.compile(_LENGTH_TOLD),
    "money": re.compile(_MONEY_TOLD),
}
_COUNTED_BY = re.compile(rf"(?:多少|几)([{_BY}])")
_PERIOD = r"(?:天|日|周|星期|礼拜|个?月|年|晚上?|早上?|次|顿)"
_HABIT = re.compile(rf"每{_PERIOD}|[一两三](?:天|周|星期|个月|年)(?![半前后内])|平时|通常|一般(?!般)")
_ONE_DAY = re.compile(r"今[天早晚]|昨[天晚]|前天|刚[才刚]|这[次回]|那[天次]|上[次回]")
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
        r"|\d\s?(?:dollars?|euros?|pounds?|bucks|cents|USD|EUR|GBP|元|块|美元|欧元)|\d万"
        rf"|{_FOR_ONE}",
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
