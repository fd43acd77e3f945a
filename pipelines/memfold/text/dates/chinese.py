"""Dates in Chinese, in either script: days of the calendar, of the week, and relative ones."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from memfold.text.blanks import with_commas
from memfold.text.dates.chinese_bare import BEFORE_FEAST, bare
from memfold.text.dates.days import (
    UNKNOWN,
    Days,
    counted,
    day_of,
    one_day,
    plus,
    shifted_months,
    unit_away,
    whole_month,
)
from memfold.text.dates.mention import AROUND, NEARBY, Mention
from memfold.text.dates.vocabulary import (
    CHINESE_WEEKDAY_NUMBERS,
    ERAS,
    NEAR,
    WHICH,
    YEAR,
    any_of,
    number_of,
)
from memfold.text.dates.years import nearest
from memfold.text.scripts import IDEOGRAPH
from memfold.text.tense import Tense, chinese_tense

_ZH_DIGIT = "一二三四五六七八九"
_IN_FIGURES = str.maketrans(f"〇零{_ZH_DIGIT}", "00123456789")
_B = r"[ \u00a0\u3000]"
# Neither the tail of a longer amount (二百五十天, 两三天, 十几天, 3-5天) nor a number in a row (第三天). Around figures
# many write blanks: "5 月 20 日", "3 天后", "3 到 5 天后".
_ZH_COUNT = (
    rf"(?<![\d{_ZH_DIGIT}两兩十百千万萬几幾数數第])(?<![\d{_ZH_DIGIT}两兩十][.,、~～到至或-])"
    rf"(?<![\d第]{_B})(?<![\d{_ZH_DIGIT}两兩十][~～到至或-]{_B})(?<!\d{_B}[~～到至或-]{_B})"
    rf"(?:\d{{1,3}}|[{_ZH_DIGIT}]?十[{_ZH_DIGIT}]?|[{_ZH_DIGIT}两兩])"
)
_CHINESE = re.compile(
    rf"(?P<full>(?:(?:(?P<era>{any_of(ERAS)}|[公西纪紀]元前){_B}?(?P<nth>\d{{1,4}}|[元{_ZH_DIGIT}十]{{1,4}})"
    rf"|(?P<y>\d{{2,4}}|[〇零{_ZH_DIGIT}]{{4}})){_B}?年{_B}?"
    rf"|(?P<yw>去|今|明|大?[前后後]|一?昨|来|來|再来)年{_B}?[的の]?)?"
    rf"(?:(?P<m>\d{{1,2}}|十[一二]?|[一二三四五六七八九])(?:(?<=\d){_B})?月)"
    # Behind a blank a figure is a day only if it is called one: neither "4 月 20 人" nor "4月20 日本".
    # nor is a figure that goes on (7月93000) or counts (7月30万).
    rf"(?:份|{_B}?(?P<figure>\d{{1,2}}){_B}?[日号號](?!本)|(?P<d>\d{{1,2}}(?![\d%％万千百元块人个台件箱]|\.\d)"
    r"|三十一?|二?十[一二三四五六七八九]?|[一二三四五六七八九])[日号號]?)?)"
    rf"|(?P<iso>(?P<y1>{YEAR})[-/.](?P<m1>\d{{1,2}})[-/.](?P<d1>\d{{1,2}}))"
    # Words are cut right: not 下周一|起, 上周天|气, 晚|上周|围, 以|前天, 下班|后天, 说|明天|气, 3年|前端.
    r"|(?P<week>(?P<which>下下|上上|下|(?<![晚早路])上|这|這|本)?[个個]?(?:周|週|星期|礼拜|禮拜)"
    r"(?P<day>[二三四五六末]|一(?!起(?![飞飛床草诉訴步航]))|日(?![程报報志誌常])|天(?![气氣天])))(?![年期])"
    r"|(?P<near>大[前后後]天|(?<![班课課饭飯学學会會之以然最])[后後]天|(?<![以之目])前天|今[天晚早]|昨[天晚]"
    r"|明(?:[晚早]|天(?![气氣])|(?<![说說表证證]明)天))"
    rf"|(?P<off>(?P<n>{_ZH_COUNT}){_B}?(?P<u>天|[个個]?(?:星期|礼拜|禮拜)|周|週|[个個]月|年)(?:之|以)?(?P<dir>[前后後])(?!端))"
    rf"|(?P<dom>(?P<mw>下|上|这|這|本)[个個]?月{_B}?(?P<d2>\d{{1,2}}){_B}?[日号號])"
    r"|(?P<span>(?P<sw>下下|上上|下|(?<![晚早路])上|这|這|本)(?P<su>[个個]?(?:周(?![围圍边邊])|週|星期|礼拜|禮拜)|[个個]?月))"
    rf"|(?P<year>(?P<yy>去|今|明)年(?!{BEFORE_FEAST}))"
)
_ZH_DATED = re.compile(rf"[\d一二三四五六七八九十]{_B}?[日号號][ （(,，]*\Z")


# What comes again every week is no day (每周三, 每周一到周五), nor are the days of a roster ("值班：周一到周三王芳，
# 周四我"), unless its week is named. A comma is enough behind the roster's own name alone: "排班说好了，周五我去上海，
# 周六回" tells days.
_EVERY = re.compile(r"(?:每[个個逢]?|逢)\Z")
_ALSO = re.compile(rf"{_B}?[、,，和与與及到至~～-]?{_B}?")
_ROSTER = re.compile(
    r"(?:值[班日]|排班|[轮輪][班流值]|班表|[课課]表)"
    rf"(?:[^。！？；\n]{{0,12}}?[：:]|(?<=[值表])[，,]){_B}?(?P<days>周|週|星期|礼拜|禮拜)(?=[^。！？；\n]{{2,30}}?(?P=days)[一二三四五六日天末])"
)
_NAMED_WEEK = re.compile(r"[这這本上下][个個]?(?:周|週|星期|礼拜|禮拜)|[今明昨]天")


def _comes_again(text: str, m: re.Match[str], again: int) -> bool:
    """Whether a weekday is one of every week; the last such one before it ends at `again`."""
    if _EVERY.search(text, max(m.start() - 2, 0), m.start()) or (
        again >= 0 and _ALSO.fullmatch(text, again, m.start())
    ):
        return True
    near = max(m.start() - NEARBY, 0)
    start = max(near, *(text.rfind(end, near, m.start()) + 1 for end in "。！？；\n"))
    roster = _ROSTER.search(text, start, m.start() + AROUND)
    listed = roster is not None and roster.start("days") <= m.start()
    return listed and not _NAMED_WEEK.search(text, start, m.start())


def chinese(text: str, said: date | None) -> Iterator[Mention]:
    """The Chinese dates in a text, each read by itself, resolved against the day it was `said`, if known."""
    if not IDEOGRAPH.search(text):
        return
    again = -1
    found: list[Mention] = []
    # The tense of a date is looked for in its clause.
    own, text = text, with_commas(text)
    for m in _CHINESE.finditer(text):
        if m["week"] and not m["which"] and _comes_again(text, m, again):
            again = m.end()
            continue
        # 一月 alone is a month, 个一月 or 3月 of a version is none: a month needs a year or a day beside it.
        if m["full"] and not (_year(m) or m["yw"] or _day(m) or m["full"].endswith("份")):
            continue
        relative = not (m["iso"] or (m["full"] and not m["yw"]))
        first, last = _days(m, said)
        found.append(Mention(m.start(), m.end(), own[m.start() : m.end()], first, last, relative))
    yield from found
    yield from bare(text, own, said, found)


def _days(m: re.Match[str], said: date | None) -> Days:
    """What a match of `_CHINESE` names."""
    if m["iso"]:
        return one_day(day_of(m["y1"], m["m1"], m["d1"]))
    if m["full"]:
        if m["yw"] and said is None:
            return UNKNOWN
        year = str(said.year + WHICH.get(m["yw"], 0)) if m["yw"] and said else _year(m)
        if year is None and (m["y"] or m["era"]):
            return UNKNOWN
        number = number_of(m["m"])
        if day := _day(m):
            return one_day(nearest(year, number, number_of(day), said, m, _tense_of))
        first = nearest(year, number, 1, said, m, _tense_of)
        return whole_month(first.year, first.month) if first else UNKNOWN
    if said is None:
        return UNKNOWN
    if m["week"]:
        # 4月14日（周日） names that day.
        if not m["which"] and _ZH_DATED.search(m.string, max(m.start() - 8, 0), m.start()):
            return UNKNOWN
        weeks, weekday = (
            WHICH.get(m["which"] or "", 0),
            5 if m["day"] == "末" else CHINESE_WEEKDAY_NUMBERS[m["day"]] - 1,
        )
        if not m["which"]:
            match _tense_of(m):
                case Tense.PAST if weekday == said.weekday():
                    return UNKNOWN
                case Tense.PAST if weekday > said.weekday():
                    weeks = -1
                case Tense.FUTURE if weekday < said.weekday() and m["day"] != "末":
                    weeks = 1
        if m["day"] == "末":
            return unit_away(said, "weekend", weeks)
        return one_day(plus(said, weekday - said.weekday() + 7 * weeks))
    if m["near"]:
        return one_day(plus(said, NEAR[m["near"]]))
    if m["off"]:
        unit = _zh_unit(m["u"])
        number = number_of(m["n"])
        return counted(said, unit, -number if m["dir"] == "前" else number)
    if m["dom"]:
        first = shifted_months(said, WHICH.get(m["mw"], 0))
        return one_day(day_of(first.year, first.month, m["d2"])) if first else UNKNOWN
    if m["span"]:
        return unit_away(said, _zh_unit(m["su"]), WHICH.get(m["sw"], 0))
    return unit_away(said, "year", WHICH.get(m["yy"], 0))


def _year(m: re.Match[str]) -> str | None:
    """The year that a match names by its number. One of two or three figures may be of several eras."""
    if m["era"]:
        return str(ERAS[m["era"]] + number_of(m["nth"].replace("元", "一"))) if m["era"] in ERAS else None
    return m["y"].translate(_IN_FIGURES) if m["y"] and len(m["y"]) == 4 else None


def _day(m: re.Match[str]) -> str | None:
    """The day of a month that a match names."""
    return m["figure"] or m["d"]


def _tense_of(m: re.Match[str]) -> Tense | None:
    """The tense of what is said of a date."""
    return chinese_tense(m.string, *m.span())


def _zh_unit(word: str) -> str:
    return "day" if word == "天" else "year" if word == "年" else "month" if word.endswith("月") else "week"
