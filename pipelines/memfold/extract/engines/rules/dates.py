"""Dates in English and Chinese text, resolved to ISO 8601 against the time something was said.

A date that could be read in two ways stays literal: nothing is guessed but the year of a date without one, which
is the year that brings it nearest to the time of saying. "Next Friday" and 下周五 are the Friday of the
following week, weeks beginning on Monday. Times are UTC: near midnight a relative date may be off by a day.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from memfold.extract.engines.rules.text import lexicon
from memfold.text.dates import month

_DAYS = {name: i for i, name in enumerate(["mon", "tue", "wed", "thu", "fri", "sat", "sun"])}
_NUMBERS = (
    {
        "a": 1,
        "an": 1,
        "one": 1,
        "two": 2,
        "couple of": 2,
        "a couple of": 2,
        "three": 3,
        "four": 4,
        "five": 5,
        "six": 6,
    }
    | {"seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12}
    | {character: i + 1 for i, character in enumerate("一二三四五六七八九十")}
    | {"两": 2, "十一": 11, "十二": 12}
)
_ZH_DAYS = {c: i for i, c in enumerate("一二三四五六日")} | {"天": 6}

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|"
    r"oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_DAY = (
    r"(?:mon(?:day)?|tues?(?:day)?|wed(?:nesday)?|thu(?:rs)?(?:day)?|fri(?:day)?|sat(?:urday)?"
    r"|sun(?:day)?)"
)
_WEEKDAY = r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
_COUNT = r"(?:\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:a )?couple of)"

_ENGLISH = re.compile(
    rf"""(?<![/\w])(?:
      (?P<iso>(?P<y1>(?:19|20)\d\d)[-/](?P<m1>\d{{1,2}})[-/](?P<d1>\d{{1,2}}))
    | (?P<num>(?P<a>\d{{1,2}})/(?P<b>\d{{1,2}})/(?P<y2>(?:19|20)\d\d))
    | (?P<md>(?P<mon1>{_MONTH})\.?[ -](?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?!\d|:|\.\d
      |%)(?:,?[ -](?P<y3>(?:19|20)\d\d))?)
    | (?P<dm>(?P<d3>\d{{1,2}})(?:st|nd|rd|th)?\ (?:of\ )?(?P<mon2>{_MONTH})(?:,?\ (?P<y4>(?:19|20)\d\d))?)
    | (?P<rel>(?P<which>next|this|last|on|by|coming)\ (?:coming\ )?(?P<day>{_WEEKDAY}))
    | (?P<near>today|tonight|tomorrow|yesterday|the\ day\ after\ tomorrow|the\ day\ before\ yesterday)
    | (?P<off>in\ (?P<n1>{_COUNT})\ (?P<u1>days?|weeks?)(?:'\ time)?)
    | (?P<ago>(?P<n2>{_COUNT})\ (?P<u2>days?|weeks?)\ ago)
    | (?P<off2>(?P<n3>{_COUNT})\ (?P<u3>days?|weeks?)\ from\ (?:now|today))
    )\b""",
    re.IGNORECASE | re.VERBOSE,
)
# One cheap look decides whether the pattern above is run at all.
ENGLISH_CUES = lexicon(
    "january february march april may june july august september october november "
    "december jan feb mar apr jun "
    "jul aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday "
    "sunday today tonight tomorrow "
    "yesterday day days week weeks"
)
_NUMERIC = re.compile(r"\d{1,4}[-/]\d{1,2}[-/]\d{1,4}")
_CHINESE = re.compile(
    r"(?P<full>(?:(?P<y>(?:19|20)\d\d)年)?(?P<m>\d{1,2})月(?P<d>\d{1,2})[日号]?)"
    r"|(?P<iso>(?P<y1>(?:19|20)\d\d)[-/.](?P<m1>\d{1,2})[-/.](?P<d1>\d{1,2}))"
    r"|(?P<week>(?P<which>下下|下|上|这|本)?个?(?:周|星期|礼拜)(?P<day>[一二三四五六日天]))(?!年)"
    r"|(?P<near>今天|今晚|明天|明晚|后天|大后天|昨天|昨晚|前天)"
    r"|(?P<off>(?P<n>\d{1,3}|十[一二]?|[一二两三四五六七八九])(?P<u>天|个?星期"
    r"|周)(?P<dir>前|之前|以前|后|之后|以后))"
    r"|(?P<dom>(?P<mw>下|上|这|本)个?月(?P<d2>\d{1,2})[日号])"
)
_NEAR = {
    "today": 0, "tonight": 0, "tomorrow": 1, "yesterday": -1,
    "the day after tomorrow": 2, "the day before yesterday": -2,
    "今天": 0, "今晚": 0, "明天": 1, "明晚": 1, "后天": 2, "大后天": 3, "昨天": -1, "昨晚": -1, "前天": -2,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Found:
    """A date in a text: where it stands, how it was written, and its ISO form where that is certain.

    `relative` dates ("tomorrow") mean nothing without the time they were said at.
    """

    start: int
    end: int
    literal: str
    iso: str | None
    relative: bool


def english(text: str, words: frozenset[str], said: date | None) -> Iterator[Found]:
    """The dates in an English sentence of these lower-cased `words`, resolved against the day it was `said`."""
    if words.isdisjoint(ENGLISH_CUES) and not _NUMERIC.search(text):
        return
    for m in _ENGLISH.finditer(text):
        if m["iso"]:
            day = _day(m["y1"], m["m1"], m["d1"])
        elif m["num"]:
            first, second = int(m["a"]), int(m["b"])
            # 03/04 is March in one country and April in another.
            both = first <= 12 and second <= 12 and first != second
            day = (
                None
                if both
                else _day(
                    m["y2"], min(first, second) if max(first, second) > 12 else first, max(first, second)
                )
            )
        elif m["md"]:
            day = _year(m["y3"], month(m["mon1"]), int(m["d2"]), said)
        elif m["dm"]:
            day = _year(m["y4"], month(m["mon2"]), int(m["d3"]), said)
        else:
            yield Found(m.start(), m.end(), m[0], _iso(_relative(m, said)), True)
            continue
        yield Found(m.start(), m.end(), m[0], _iso(day), False)


def chinese(text: str, said: date | None) -> Iterator[Found]:
    """The dates in a Chinese sentence, resolved against the day it was `said`."""
    for m in _CHINESE.finditer(text):
        day: date | None = None
        relative = True
        if m["full"]:
            day, relative = _year(m["y"], int(m["m"]), int(m["d"]), said), False
        elif m["iso"]:
            day, relative = _day(m["y1"], m["m1"], m["d1"]), False
        elif said and m["week"]:
            week = {"下下": 2, "下": 1, "上": -1}.get(m["which"] or "", 0)
            day = _weekday(said, _ZH_DAYS[m["day"]], week)
        elif said and m["near"]:
            day = _plus(said, _NEAR[m["near"]])
        elif said and m["off"]:
            days = _number(m["n"]) * (1 if m["u"] == "天" else 7)
            day = _plus(said, -days if m["dir"].endswith("前") else days)
        elif said and m["dom"]:
            month = said.month - 1 + {"下": 1, "上": -1}.get(m["mw"], 0)
            day = _day(said.year + month // 12, month % 12 + 1, m["d2"])
        yield Found(m.start(), m.end(), m[0], _iso(day), relative)


def _relative(m: re.Match[str], said: date | None) -> date | None:
    if said is None:
        return None
    if m["near"]:
        return _plus(said, _NEAR[m["near"].lower()])
    if m["rel"]:
        which, weekday = m["which"].lower(), _DAYS[m["day"][:3].lower()]
        if which == "last":
            return _plus(said, -((said.weekday() - weekday - 1) % 7 + 1))
        if which in ("next", "this"):
            return _weekday(said, weekday, 1 if which == "next" else 0)
        return _plus(said, (weekday - said.weekday()) % 7)
    count, unit = (m["n1"] or m["n2"] or m["n3"]).lower(), (m["u1"] or m["u2"] or m["u3"]).lower()
    days = _number(count) * (7 if unit.startswith("week") else 1)
    return _plus(said, -days if m["ago"] else days)


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else _NUMBERS[text]


def _weekday(said: date, weekday: int, weeks: int) -> date | None:
    return _plus(said, weekday - said.weekday() + 7 * weeks)


def _plus(day: date, days: int) -> date | None:
    try:
        return day + timedelta(days=days)
    except OverflowError:
        return None


def _day(year: str | int, month: str | int, day: str | int) -> date | None:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None


def _year(year: str | None, month: int, day: int, said: date | None) -> date | None:
    if year or said is None:
        return _day(year, month, day) if year else None
    near = [_day(said.year + offset, month, day) for offset in (-1, 0, 1) if 1 <= said.year + offset <= 9999]
    known = [found for found in near if found]
    return min(known, key=lambda found: abs((found - said).days), default=None)


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day else None
