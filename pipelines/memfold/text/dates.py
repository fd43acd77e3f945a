"""Dates in text, resolved against the day it was said: `mentions` one by one, `ranges` with from and to joined.

Reads English and Chinese (in either script) with their relative dates, and the days of months in German, French,
Spanish, Italian and Portuguese. A date that could be read in two ways stays unresolved. A date without a year is of
the year that brings it nearest to the day it was said, unless a tense tells otherwise. "Next Friday" and 下周五 are the
Friday of the following week, weeks beginning on Monday; "on Friday" is the one that comes, or after a verb in the past
tense the last one. Times are UTC: near midnight a relative date may be off by a day. Knows no conversation.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from memfold.text.calendar import MONTH_NAMES, SHORT_NAMES, WEEKDAYS
from memfold.text.chunks import by_chunk
from memfold.text.numbers import CHINESE, ENGLISH
from memfold.text.scripts import IDEOGRAPH
from memfold.text.tense import Tense, chinese_tense, tense


@dataclass(frozen=True, slots=True)
class Mention:
    """A date in a text: where it stands, how it was written, and its first and last day, which are one where it names
    a day; both None where they are not certain. A `relative` one means nothing without the day it was said."""

    start: int
    end: int
    literal: str
    first: date | None
    last: date | None
    relative: bool

    @property
    def day(self) -> date | None:
        """The day it names; None where it names more than one or is not certain."""
        return self.first if self.first == self.last else None


# ---------------------------------------------------------------------------------------- tables


def _numbered(*names: str) -> dict[str, int]:
    return {name: number for number, row in enumerate(names, start=1) for name in row.split()}


MONTHS = _numbered(*(f"{name} {short}" for name, short in zip(MONTH_NAMES, SHORT_NAMES, strict=True)))
# A pattern of the names that say which day is meant, in English.
NAMES_OF_DAYS = "|".join((*MONTHS, *WEEKDAYS))
# Where the day comes before the month and nothing else is read: German, French, Spanish, Italian, Portuguese.
_ABROAD = _numbered(
    "januar jänner janvier enero gennaio janeiro", "februar février febrero febbraio fevereiro",
    "märz mars marzo março", "avril abril aprile", "mai mayo maggio maio", "juni juin junio giugno junho",
    "juli juillet julio luglio julho", "août agosto", "septembre septiembre settembre setembro",
    "oktober octobre octubre ottobre outubro", "novembre noviembre novembro",
    "dezember décembre diciembre dicembre dezembro",
)  # fmt: skip
_DAYS = _numbered(*WEEKDAYS)
# As they stand beside a date, where they tell its year.
_BESIDE = _DAYS | _numbered(
    "mon montag", "tue tues dienstag", "wed mittwoch", "thu thur thurs donnerstag", "fri freitag",
    "sat samstag sonnabend", "sun sonntag",
)  # fmt: skip
_ZH_DAYS = _numbered("一", "二", "三", "四", "五", "六", "日 天")
_TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
_NUMBERS = ENGLISH | CHINESE | _TENS | {"a": 1, "an": 1, "couple": 2, "兩": 2}
_NEAR = {
    "today": 0, "tonight": 0, "this morning": 0, "this afternoon": 0, "this evening": 0, "tomorrow": 1, "yesterday": -1,
    "last night": -1, "the day after tomorrow": 2, "the day before yesterday": -2,
    "今天": 0, "今晚": 0, "今早": 0, "明天": 1, "明晚": 1, "明早": 1, "后天": 2, "後天": 2, "大后天": 3, "大後天": 3,
    "昨天": -1, "昨晚": -1, "前天": -2, "大前天": -3,
}  # fmt: skip
_WHICH = {
    "next": 1, "coming": 1, "this": 0, "last": -1, "past": -1, "previous": -1,
    "下下": 2, "下": 1, "上上": -2, "上": -1, "明": 1, "去": -1, "前": -2, "后": 2, "後": 2,
}  # fmt: skip


def iso(text: str | None) -> date | None:
    """The day that `text` is as YYYY-MM-DD; None where it is none."""
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        return None


def _folded(word: str) -> str:
    """A word as the tables have it: `re.IGNORECASE` also takes the i of Turkish and the long s for theirs."""
    return word.casefold().replace("\u0307", "").replace("ı", "i")


def month(word: str) -> int:
    """The number of the month that `word` begins like, in any case: three letters tell. ValueError if none does."""
    number = MONTHS.get(_folded(word)[:3])
    if number is None:
        raise ValueError(f"no month: {word!r}")
    return number


# -------------------------------------------------------------------------------------- patterns


def _any(*tables: dict[str, int]) -> str:
    """A pattern for the words of some tables, the longest first."""
    return "|".join(sorted((word for table in tables for word in table), key=len, reverse=True))


_YEAR = r"(?:19|20)\d\d"
# What may follow "on the 22nd": no noun, as in "on the 2nd floor".
_AFTER_DAY = "at|in|for|from|with|because|so|but|i|we|he|she|they|it|is|was|will|as|when|after|before"
_MONTH = rf"(?:{_any(MONTHS)})"
_ANY_MONTH = rf"(?:{_any(_ABROAD, MONTHS)})"
# Short forms are left out where no day stands beside them.
_MONTH_WORD = "May|" + _any({name.title(): 0 for name in MONTHS if len(name) > 3})
# "19-31 August": a day right behind a hyphen.
_DAY_MONTH = rf"\d{{1,2}}(?:st|nd|rd|th|\.)?\ (?:of\ |de\ )?{_ANY_MONTH}\b"
_ONES = _any({word: 0 for word, number in ENGLISH.items() if number < 10})
_COUNT = rf"(?:\d{{1,3}}|an?|(?:{_any(_TENS)})(?:[ -](?:{_ONES}))?|{_any(ENGLISH)}|(?:a\ )?couple\ of)"
_UNIT = r"(?:days?|weeks?|fortnights?|months?|years?)"
_LATIN = re.compile(
    rf"""(?:(?<![/\w.,-])|(?:(?<=(?<![/\w.,-])\d-)|(?<=(?<![/\w.,-])\d\d-))(?={_DAY_MONTH}))(?:
      (?P<iso>(?P<y1>{_YEAR})(?P<dash>[-/])(?P<m1>\d{{1,2}})(?P=dash)(?P<d1>\d{{1,2}})(?![-/]?\d))
    | (?P<num>(?P<a>\d{{1,2}})(?P<stroke>[/.])(?P<b>\d{{1,2}})(?P=stroke)(?P<y2>{_YEAR}))
    | (?P<short>(?:(?<=on\ )|(?<=by\ )|(?<=until\ )|(?<=till\ )|(?<=due\ )|(?<=since\ )|(?<=before\ )|(?<=after\ ))
      (?P<sa>\d{{1,2}})/(?P<sb>\d{{1,2}})(?![/\d]|\.\d|\ (?:of|cup|tsp|tbsp|inch)))
    | (?P<md>(?P<mon1>{_MONTH})\.?[ -](?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?!\d|:|\.\d|%)(?:,?[ -](?P<y3>{_YEAR}))?)
    | (?P<dm>(?P<d3>\d{{1,2}})(?:st|nd|rd|th)?[ -](?:of\ )?(?P<mon2>{_MONTH})(?:,?[ -](?P<y4>{_YEAR}))?)
    | (?P<far>(?P<d4>\d{{1,2}})(?:\.|er|º)?\ (?:de\ |d')?(?P<mon3>{_ANY_MONTH})
      (?:\ (?:de\ )?(?P<y5>{_YEAR}))?)
    | (?P<my>(?P<mon4>{_MONTH})\.?,?\ (?:of\ )?(?P<y6>{_YEAR}))
    | (?P<im>(?:(?<=in\ )|(?<=by\ )|(?<=since\ )|(?<=until\ )|(?<=during\ )|(?<=end\ of\ )
      |(?<=early\ )|(?<=mid-)|(?<=late\ ))
      (?P<mon5>{_any({name: 0 for name in MONTHS if len(name) > 3})}|(?-i:May)))
    | (?P<quarter>Q(?P<q>[1-4])\ (?:of\ )?(?P<y7>{_YEAR}))
    | (?P<week>(?:(?:on|by|until|till|before|since|due)\ )?(?P<day2>{_any(_DAYS)}),?\ (?:of\ )?
      (?P<which3>next|this|last)\ week)
    | (?P<week2>(?P<which4>next|this|last)\ week,?\ (?:on\ )?(?P<day3>{_any(_DAYS)}))
    | (?P<nth>on\ the\ (?P<d5>\d{{1,2}})(?:st|nd|rd|th)(?=\s*(?:[.,;!?)]|\Z)|\ (?:{_AFTER_DAY})\b))
    | (?P<which_month>(?P<which5>next|this|last)\ (?P<mon6>(?-i:{_MONTH_WORD}))
      (?!,?\ \d))
    | (?P<rel>(?<!\bweek\ )(?P<which>next|this|last|on|by|coming|until|till|before|since|due)\ (?:coming\ )?
      (?P<day>{_any(_DAYS)}))
    | (?P<near>{_any({name: 0 for name in _NEAR if name.isascii()}).replace(" ", "[ ]")})
    | (?P<span>(?P<which2>this|coming|(?<!\bthe\ )(?:next|last|past|previous))\ (?P<what>weekend|week|month|year))
    | (?P<off>in\ (?P<n1>{_COUNT})\ (?P<u1>{_UNIT})(?:'\ time)?)
    | (?P<ago>(?P<n2>{_COUNT})\ (?P<u2>{_UNIT})\ ago)
    | (?P<off2>(?P<n3>{_COUNT})\ (?P<u3>{_UNIT})\ from\ (?:now|today))
    )(?:\b|(?=T\d))""",
    re.IGNORECASE | re.VERBOSE,
)
# Those of its groups that mean nothing without the day of saying.
_RELATIVE = frozenset(["week", "week2", "nth", "which_month", "rel", "near", "span", "off", "ago", "off2"])
# Each of its dates holds one of these words or figures. Most text holds none, so the pattern above, which costs 1 µs a
# character, is run around them only: over what a user says in 10M tokens of BEAM that is a quarter of the time.
_TOKEN = re.compile(
    r"[^\W\d_]{3,10}|\d{1,4}[-/]\d{1,2}(?!\d)|\d\.\d\d?\.(?=\d{4})|q[1-4]|(?<=the )\d\d?(?:st|nd|rd|th)"
)
# What stands in each of its figures.
_FIGURES = re.compile(r"\d[-/.]\d|\d(?:st|nd|rd|th)\b")
_CUES = frozenset(
    MONTHS.keys()
    | _ABROAD.keys()
    | _DAYS.keys()
    | {"today", "tonight", "tomorrow", "yesterday", "morning", "afternoon", "evening", "night", "weekend"}
    | {unit + s for unit in ("day", "week", "fortnight", "month", "year") for s in ("", "s")}
    | {"q1", "q2", "q3", "q4"}
)
# No date is longer ("a couple of months ago", "the day before yesterday").
_AROUND = 32
_ZH_DIGIT = "一二三四五六七八九"
# Neither the tail of a longer amount (二百五十天, 两三天, 十几天, 3-5天) nor a number in a row (第三天).
_ZH_COUNT = (
    rf"(?<![\d{_ZH_DIGIT}两兩十百千万萬几幾数數第])(?<![\d{_ZH_DIGIT}两兩十][.,、~～到至或-])"
    rf"(?:\d{{1,3}}|[{_ZH_DIGIT}]?十[{_ZH_DIGIT}]?|[{_ZH_DIGIT}两兩])"
)
_CHINESE = re.compile(
    rf"(?P<full>(?:(?P<y>{_YEAR})年|(?P<yw>去|今|明|前|后|後)年)?(?P<m>\d{{1,2}}|十[一二]?|[一二三四五六七八九])月(?:份|(?P<d>\d{{1,2}}"
    r"|三十一?|二?十[一二三四五六七八九]?|[一二三四五六七八九])[日号號]?)?)"
    rf"|(?P<iso>(?P<y1>{_YEAR})[-/.](?P<m1>\d{{1,2}})[-/.](?P<d1>\d{{1,2}}))"
    # Words are cut right: not 下周一|起, 上周天|气, 晚|上周|围, 以|前天, 下班|后天, 说|明天|气.
    r"|(?P<week>(?P<which>下下|上上|下|(?<![晚早路])上|这|這|本)?[个個]?(?:周|週|星期|礼拜|禮拜)"
    r"(?P<day>[二三四五六末]|一(?!起(?![飞飛床草诉訴步航]))|日(?![程报報志誌常])|天(?![气氣天])))(?![年期])"
    r"|(?P<near>大[前后後]天|(?<![班课課饭飯学學会會之以然最])[后後]天|(?<![以之目])前天|今[天晚早]|昨[天晚]"
    r"|明(?:[晚早]|天(?![气氣])|(?<![说說表证證]明)天))"
    rf"|(?P<off>(?P<n>{_ZH_COUNT})(?P<u>天|[个個]?(?:星期|礼拜|禮拜)|周|週|[个個]月|年)(?:之|以)?(?P<dir>[前后後]))"
    r"|(?P<dom>(?P<mw>下|上|这|這|本)[个個]?月(?P<d2>\d{1,2})[日号號])"
    r"|(?P<span>(?P<sw>下下|上上|下|(?<![晚早路])上|这|這|本)(?P<su>[个個]?(?:周(?![围圍边邊])|週|星期|礼拜|禮拜)|[个個]?月))"
    r"|(?P<year>(?P<yy>去|今|明)年)"
)
# What stands between the two ends of a range.
_TO = re.compile(
    r"\s?(?:-|–|—|~|～|to|until|till|through|thru|and ending|bis|au|al?|至|到)\s?(?:on |the |zum )?",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"(?:between\s|zwischen\s|在)$", re.IGNORECASE)
# "Moved from 20 June to 5 June" looks back.
_MOVED = re.compile(
    r"\b(?:moved|changed|switched|rescheduled|shifted|pushed|brought|pulled|verlegt|verschoben)\b",
    re.IGNORECASE,
)
_AND = re.compile(r"\s?(?:and|und|和|与)\s?", re.IGNORECASE)
# A day that shares the month of the one it stands behind ("March 5-10") or before ("vom 19. bis 31. August").
_DAY_AFTER = re.compile(
    r"\s?(?:-|–|—|~|(?:to|through|thru)(?:\ the(?=\ \d\d?(?:st|nd|rd|th)))?|至|到)\s?"
    r"(\d{1,2})(?:st|nd|rd|th|日|号|號)?"
    rf"(?![\d:/%]|[.-]\d|\s?(?:[ap]\.?m|hours?|days?|weeks?|months?)\b)(?:,? ({_YEAR})\b)?",
    re.IGNORECASE,
)
# A bare number is a day only behind one of these words or marks, or right before a dash: neither "phase 2 to 14
# September", nor "Session 2 - 14 June", nor the number of a line.
_DAY_BEFORE = re.compile(
    r"(?:(?P<led>\b(?:from|between|on|the|closed|open|away|off|vom|zwischen|am|du|del?|dal)\s|[(:;,]\s?)|\b)"
    r"(?<![\w.,:/$€£¥-])(?P<day>\d{1,2})(?P<nth>st|nd|rd|th|\.|er|º)?"
    r"(?P<gap>\s?(?:(?P<and>and|und|et|y|e)|[-–—~]|to|until|till|through|thru|bis|au|al?)\s?(?:the |zum )?)\Z",
    re.IGNORECASE,
)
_DASHES = ("-", "–", "—")
_DAY_FIRST = re.compile(r"\d{1,2}(?:st|nd|rd|th|\.|er|º)?[ -](?:of |de |d')?[^\W\d]", re.IGNORECASE)
# "On Friday the 23rd", "on Friday, March 23" and "on Friday mornings" are not the next Friday.
_OTHER_DAY = re.compile(
    rf",? (?:\(?{_MONTH}\.? \d|(?:the )?\d{{1,2}}(?:st|nd|rd|th)|\d{{1,2}} {_MONTH}\b)"
    r"| (?:morning|afternoon|evening|night)s\b",
    re.IGNORECASE,
)
# A count behind this is the tail of an amount: "half a year ago", "two or three days ago", "a year and two months ago".
_AMOUNT = re.compile(
    rf"(?:\b(?:half|hundred|{_COUNT}\ (?:or|to)|(?:{_UNIT}|hundred)\ and)\ |\d\s?[–—]\s?)\Z",
    re.IGNORECASE | re.VERBOSE,
)
# A word stands right before it.
_NO_BEGINNING = re.compile(r"\w \Z")
# "On the 22nd" may be of a month that is named so far around it, in characters.
_SOME_MONTH = re.compile(rf"\b(?:months?|(?-i:{_MONTH_WORD}))\b", re.IGNORECASE)
_NEARBY = 300
# "The October 5 meeting", "photos from October 5": the verb is not the date's.
_OF_A_THING = re.compile(
    r"\b(?:the|an?|my|our|his|her|their|your|its|this|that|from|for|about|with|like|between"
    r"|(?<!end )(?<!middle )(?<!beginning )of)\s\Z",
    re.IGNORECASE,
)
# The weekday beside a date: "Sunday 14 April", "April 14 (Sunday)", 4月14日（星期日）.
_WEEKDAY_BEFORE = re.compile(rf"\b({_any(_BESIDE)})\.?,?\ (?:the\ |den\ )?\Z", re.IGNORECASE)
_WEEKDAY_AFTER = re.compile(
    rf"(?:,\ ({_any(_BESIDE)})(?=[.;!?)]|\Z)|\ \(({_any(_BESIDE)})\b"
    r"|[ （(,，]*(?:周|週|星期|礼拜|禮拜)([一二三四五六日天]))",
    re.IGNORECASE,
)
_ZH_DATED = re.compile(r"[\d一二三四五六七八九十][日号號][ （(,，]*\Z")
# What is asked for on a date lies ahead: "remind me in September", said in December.
_REMIND = re.compile(
    r"(?:\bremind (?:me|us)|\blet (?:me|us) forget)\b"
    r"(?:(?!\b(?:about|of|what|when|who|where|which|how|why|that|if|from|since|was|were|did|\w+ed)\b)[^.!?;\n])*\Z"
    r"|提醒我[^。！？；，\n]{0,9}\Z",
    re.IGNORECASE,
)
# A date without a year is moved to the side of the day of saying that its tense tells only if it is further away. Of
# the 18 dates of BEAM's users that the tense would move by more than 10 days, it was right of two, 71 and 80 days away.
_FAR = timedelta(days=70)
_YEAR_END = re.compile(rf"{_YEAR}(?:$|[-/年])")


# -------------------------------------------------------------------------------------- readings


def mentions(text: str, said: date | None) -> list[Mention]:
    """The dates in a text in the order in which they stand, resolved against the day it was `said`, if known."""
    found = [mention for start, end in _stretches(text) for mention in _latin(text, start, end, said)]
    if IDEOGRAPH.search(text):
        found += _chinese(text, said)
    found.sort(key=lambda each: each.start)
    for n in range(len(found) - 1):
        if _joined(text, *found[n : n + 2]):
            found[n : n + 2] = _in_order(text, *found[n : n + 2])
    return found


def ranges(text: str, said: date | None) -> list[Mention]:
    """`mentions`, of which those that are one range are `joined`."""
    return joined(text, mentions(text, said))


def joined(text: str, found: Sequence[Mention]) -> list[Mention]:
    """The `mentions` of a text, of which two that are the ends of one range ("from 5 May to 9 May", 3月5日至9日) are
    one, as is a day with another of its month that stands beside it ("5-9 May").

    Its first day is the first end's, and its last day the second's."""
    out: list[Mention] = []
    for n, each in enumerate(found):
        before = out[-1] if out else None
        if before is not None and before.start <= each.start < before.end:
            continue
        if before is not None and _joined(text, before, each) and _first(before) <= _last(each):
            relative = before.relative or each.relative
            whole = text[before.start : each.end]
            out[-1] = Mention(before.start, each.end, whole, before.first, each.last, relative)
        else:
            after = found[n + 1].start if n + 1 < len(found) else len(text)
            out.append(_with_other_day(text, each, before.end if before else 0, after))
    return out


def _first(each: Mention) -> date:
    return each.first or date.max


def _last(each: Mention) -> date:
    return each.last or date.min


def _joined(text: str, one: Mention, other: Mention) -> bool:
    """Whether two dates, both resolved, stand as the ends of one range."""
    gap = text[one.end : other.start]
    if not (one.first and other.last) or len(gap) > 16:
        return False
    return bool(
        _TO.fullmatch(gap)
        or (_AND.fullmatch(gap) and _BETWEEN.search(text[max(one.start - 9, 0) : one.start]))
    )


def _in_order(text: str, one: Mention, other: Mention) -> tuple[Mention, Mention]:
    """The ends of a range in the years that are meant, read one by one: a second end without a year is the first such
    day behind the first end ("December 20 to January 5"), and a year said at the second alone is the first's too."""
    if not other.relative and not _YEAR_END.search(other.literal):
        after = _in_year(other, _first(one).year)
        if _first(one) <= _last(after):
            return one, after
        if _MOVED.search(text, max(one.start - _AROUND, 0), one.start):
            return one, other
        return one, _in_year(other, _first(one).year + 1)
    if not one.relative and not _YEAR_END.search(one.literal):
        before = _in_year(one, _last(other).year)
        return before if _first(before) <= _last(other) else _in_year(one, _last(other).year - 1), other
    return one, other


def _in_year(each: Mention, year: int) -> Mention:
    """A date in another year, if that has it."""
    first, last = (day and _day(year, day.month, day.day) for day in (each.first, each.last))
    return replace(each, first=first, last=last) if first and last else each


def _with_other_day(text: str, each: Mention, floor: int, ceiling: int) -> Mention:
    """A day with the number beside it in "March 5-10" or "5-10 March", between two places of its text."""
    if each.day is None or each.relative:
        return each
    if _DAY_FIRST.match(each.literal):
        before = _DAY_BEFORE.search(text, max(floor, each.start - _AROUND), each.start)
        return each if before is None else _from_day(text, each, before)
    after = None if _YEAR_END.search(each.literal) else _DAY_AFTER.match(text, each.end)
    if after is None or after.end() > ceiling:
        return each
    year = after[2] or each.day.year
    first, last = (_day(year, each.day.month, day) for day in (each.day.day, after[1]))
    if first is None or last is None or last <= first:
        return each
    return replace(each, end=after.end(), literal=text[each.start : after.end()], first=first, last=last)


def _from_day(text: str, each: Mention, before: re.Match[str]) -> Mention:
    """A day from the number before it on."""
    assert each.first
    first = _day(each.first.year, each.first.month, before["day"])
    sure = before["led"] or before["nth"] or before["gap"] in _DASHES
    # "The 5th and 20th of May" are two days, of which the second stays.
    apart = before["and"] and not (before["led"] or "").lower().startswith(("between", "zwischen"))
    if not sure or first is None or first >= each.first or (apart and (each.first - first).days > 1):
        return each
    start = before.start("day")
    return replace(each, start=start, literal=text[start : each.end], first=first)


Days = tuple[date | None, date | None]
_UNKNOWN: Days = None, None


def _stretches(text: str) -> list[list[int]]:
    """Where in a text, from and to, dates may stand."""
    lowered = text.lower()
    if len(lowered) != len(text):  # a letter of two in lower case: places are not those of the text
        return [[0, len(text)]]
    found: list[list[int]] = []
    if not any(_dated(lowered)):
        return found
    for m in _TOKEN.finditer(lowered):
        if m[0] in _CUES or m[0][0].isdecimal():
            start, end = max(m.start() - _AROUND, 0), m.end() + _AROUND
            # What is covered is not looked through again: text without blanks has one stretch and many cues.
            if found and end <= found[-1][1]:
                continue
            while end < len(text) and not text[end].isspace():
                end += 1
            if found and start <= found[-1][1]:
                found[-1][1] = end
            else:
                found.append([start, end])
    return found


@by_chunk
def _dated(text: str) -> bool:
    """Whether a lower-cased text holds a word or a figure of a date. None of them holds a blank."""
    return not _CUES.isdisjoint(_TOKEN.findall(text)) or _FIGURES.search(text) is not None


def _latin(text: str, start: int, end: int, said: date | None) -> Iterator[Mention]:
    for m in _LATIN.finditer(text, start, end):
        if m.lastgroup == "near" and m[0].istitle() and _NO_BEGINNING.search(text, start, m.start()):
            continue  # the song "Yesterday", USA Today
        relative = m.lastgroup in _RELATIVE
        first, last = _latin_days(m, said)
        yield Mention(m.start(), m.end(), m[0], first, last, relative)


def _latin_days(m: re.Match[str], said: date | None) -> Days:
    """What a match of `_LATIN` names."""
    match m.lastgroup:
        case "iso":
            return _one(_day(m["y1"], m["m1"], m["d1"]))
        case "num":
            # 03/04 is March in one country and April in another; 03.04. is the day before the month everywhere.
            return _one(_either(int(m["a"]), int(m["b"]), m["y2"], said, certain=m["stroke"] == "."))
        case "short":
            return _one(_either(int(m["sa"]), int(m["sb"]), None, said, m))
        case "md":
            return _one(_nearest(m["y3"], month(m["mon1"]), int(m["d2"]), said, m))
        case "dm":
            return _one(_nearest(m["y4"], month(m["mon2"]), int(m["d3"]), said, m))
        case "far":
            name = _folded(m["mon3"])
            return _one(_nearest(m["y5"], _ABROAD.get(name) or MONTHS[name], int(m["d4"]), said, m))
        case "my":
            return _month(int(m["y6"]), month(m["mon4"]))
        case "im":
            first = _nearest(None, month(m["mon5"]), 1, said, m)
            return _month(first.year, first.month) if first else _UNKNOWN
        case "quarter":
            start, end = 3 * int(m["q"]) - 2, 3 * int(m["q"])
            return _month(int(m["y7"]), start)[0], _month(int(m["y7"]), end)[1]
    if said is None:
        return _UNKNOWN
    match m.lastgroup:
        case "near":
            return _one(_plus(said, _NEAR[" ".join(_folded(m["near"]).split())]))
        case "rel":
            which, weekday = _folded(m["which"]), _DAYS[_folded(m["day"])] - 1
            if _OTHER_DAY.match(m.string, m.end()):
                return _UNKNOWN
            if which == "last":
                return _one(_plus(said, -((said.weekday() - weekday - 1) % 7 + 1)))
            if which in ("next", "this"):
                return _one(_plus(said, weekday - said.weekday() + 7 * _WHICH[which]))
            away = (weekday - said.weekday()) % 7
            if which == "since":  # what happened since a day was before it
                return _one(_plus(said, away - 7 if away else 0))
            match tense(m.string, *m.span()) if which in ("on", "by") else None:
                case Tense.PAST:  # said on that very weekday it may be today or a week ago
                    return _one(_plus(said, away - 7)) if away else _UNKNOWN
                case Tense.UNCLEAR:
                    return _UNKNOWN
            return _one(_plus(said, away))
        case "week" | "week2":
            which, weekday = m["which3"] or m["which4"], _DAYS[_folded(m["day2"] or m["day3"])] - 1
            return _one(_plus(said, weekday - said.weekday() + 7 * _WHICH[_folded(which)]))
        case "nth":
            return _one(_nth(said, int(m["d5"]), m))
        case "which_month":
            return _which_month(said, _WHICH[_folded(m["which5"])], month(m["mon6"]))
        case "span":
            return _unit(said, _folded(m["what"]), _WHICH[_folded(m["which2"])])
    count, unit = (_folded(m["n1"] or m["n2"] or m["n3"]), _folded(m["u1"] or m["u2"] or m["u3"]))
    number = _number(count.removeprefix("a ").removesuffix(" of"))
    if m["off"]:
        if tense(m.string, *m.span()) is Tense.PAST:  # "I finished it in two days" says how long it took
            return _UNKNOWN
    elif _AMOUNT.search(m.string, max(m.start() - _AROUND, 0), m.start()):
        return _UNKNOWN
    return _away(said, unit.rstrip("s"), -number if m["ago"] else number)


def _chinese(text: str, said: date | None) -> Iterator[Mention]:
    for m in _CHINESE.finditer(text):
        # 一月 alone is a month, 个一月 or 3月 of a version is none: a month needs a year or a day beside it.
        if m["full"] and not (m["y"] or m["yw"] or m["d"] or m["full"].endswith("份")):
            continue
        relative = not (m["iso"] or (m["full"] and not m["yw"]))
        first, last = _chinese_days(m, said)
        yield Mention(m.start(), m.end(), m[0], first, last, relative)


def _chinese_days(m: re.Match[str], said: date | None) -> Days:
    """What a match of `_CHINESE` names."""
    if m["iso"]:
        return _one(_day(m["y1"], m["m1"], m["d1"]))
    if m["full"]:
        if m["yw"] and said is None:
            return _UNKNOWN
        year = str(said.year + _WHICH.get(m["yw"], 0)) if m["yw"] and said else m["y"]
        number = _number(m["m"])
        if m["d"]:
            return _one(_nearest(year, number, _number(m["d"]), said, m))
        first = _nearest(year, number, 1, said, m)
        return _month(first.year, first.month) if first else _UNKNOWN
    if said is None:
        return _UNKNOWN
    if m["week"]:
        # 4月14日（周日） names that day.
        if not m["which"] and _ZH_DATED.search(m.string, max(m.start() - 8, 0), m.start()):
            return _UNKNOWN
        weeks, weekday = _WHICH.get(m["which"] or "", 0), 5 if m["day"] == "末" else _ZH_DAYS[m["day"]] - 1
        if not m["which"]:
            match chinese_tense(m.string, *m.span()):
                case Tense.PAST if weekday == said.weekday():
                    return _UNKNOWN
                case Tense.PAST if weekday > said.weekday():
                    weeks = -1
                case Tense.FUTURE if weekday < said.weekday() and m["day"] != "末":
                    weeks = 1
        if m["day"] == "末":
            return _unit(said, "weekend", weeks)
        return _one(_plus(said, weekday - said.weekday() + 7 * weeks))
    if m["near"]:
        return _one(_plus(said, _NEAR[m["near"]]))
    if m["off"]:
        unit = _zh_unit(m["u"])
        number = _number(m["n"])
        return _away(said, unit, -number if m["dir"] == "前" else number)
    if m["dom"]:
        first = _shifted_months(said, _WHICH.get(m["mw"], 0))
        return _one(_day(first.year, first.month, m["d2"])) if first else _UNKNOWN
    if m["span"]:
        return _unit(said, _zh_unit(m["su"]), _WHICH.get(m["sw"], 0))
    return _unit(said, "year", _WHICH.get(m["yy"], 0))


def _zh_unit(word: str) -> str:
    return "day" if word == "天" else "year" if word == "年" else "month" if word.endswith("月") else "week"


# ------------------------------------------------------------------------------------ reckonings


def _number(word: str) -> int:
    """A number as it was written: digits, English words, or Chinese numerals, up to 99."""
    if word.isdecimal():
        return int(word)
    if word in _NUMBERS:
        return _NUMBERS[word]
    if word.isascii():
        return sum(_NUMBERS[part] for part in re.split("[ -]", word))
    tens, _, ones = word.partition("十")
    return 10 * _NUMBERS.get(tens, 1) + _NUMBERS.get(ones, 0)


def _one(day: date | None) -> Days:
    return day, day


def _away(said: date, unit: str, number: int) -> Days:
    """So many units from a day: days and weeks lead to a day, months and years only to the month or the year."""
    if unit == "day":
        return _one(_plus(said, number))
    if unit in ("week", "fortnight"):
        return _one(_plus(said, (7 if unit == "week" else 14) * number))
    return _unit(said, unit, number)


def _unit(said: date, unit: str, away: int) -> Days:
    """The week, weekend, month or year that lies so many of them away from a day."""
    if unit in ("week", "weekend"):
        monday = 7 * away - said.weekday()
        return _plus(said, monday + 5 * (unit == "weekend")), _plus(said, monday + 6)
    if unit == "month":
        first = _shifted_months(said, away)
        return _month(first.year, first.month) if first else _UNKNOWN
    return _day(said.year + away, 1, 1), _day(said.year + away, 12, 31)


def _plus(day: date, days: int) -> date | None:
    try:
        return day + timedelta(days=days)
    except OverflowError:
        return None


def _shifted_months(day: date, months: int) -> date | None:
    """The first day of the month that lies so many months away."""
    count = day.year * 12 + day.month - 1 + months
    return _day(count // 12, count % 12 + 1, 1)


def _month(year: int, number: int) -> Days:
    first = _day(year, number, 1)
    return (first, first.replace(day=monthrange(year, number)[1])) if first else _UNKNOWN


def _day(year: str | int, month: str | int, day: str | int) -> date | None:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None


def _either(
    one: int,
    other: int,
    year: str | None,
    said: date | None,
    m: re.Match[str] | None = None,
    *,
    certain: bool = False,
) -> date | None:
    """A day of which it is not said which number is the month; None where both could be, unless the first is the day
    for `certain`."""
    if certain:
        one, other = other, one
    elif one <= 12 and other <= 12 and one != other:
        return None
    elif one > 12:
        one, other = other, one
    return _nearest(year, one, other, said, m)


def _nth(said: date, number: int, m: re.Match[str]) -> date | None:
    """The last or the coming day with a number in its month, as the tense tells; None where it does not, or where a
    month is named."""
    told = tense(m.string, *m.span())
    if _SOME_MONTH.search(m.string, max(m.start() - _NEARBY, 0), m.end() + _NEARBY):
        return None
    if told is Tense.PAST:
        first = _shifted_months(said, -1 if number > said.day else 0)
    elif told is Tense.FUTURE:
        first = _shifted_months(said, 1 if number < said.day else 0)
    else:
        return None
    return _day(first.year, first.month, number) if first else None


def _which_month(said: date, which: int, number: int) -> Days:
    """The month with a number that is the last, this year's or the next. In March "last May" is last year's, but "last
    January" may be this year's; so may "this January" in December be next year's."""
    ahead = number - said.month
    certain = which * ahead <= 0 if which else abs(ahead) < 10
    return _month(said.year + which, number) if certain else _UNKNOWN


def _nearest(
    year: str | None, month: int, day: int, said: date | None, m: re.Match[str] | None = None
) -> date | None:
    """A day of a year, or of the year that brings it nearest to the day it was said; None where that is not known. If
    it is `_FAR` away, the tense around its match tells on which side it is."""
    if year or said is None:
        return _day(year, month, day) if year else None
    known = [found for offset in (-1, 0, 1) if (found := _day(said.year + offset, month, day))]
    if m is None:
        return min(known, key=lambda found: abs(found - said), default=None)
    told = _side(m)
    # A weekday tells of another year ahead, or of one before if so does the tense: of the days that assistants propose
    # in BEAM, 19 had the weekday of the year before.
    if (weekday := _weekday(m)) is not None:
        for found in known:
            if found.weekday() == weekday and (found < said) == (told is Tense.PAST):
                return found
    if told is not Tense.PAST and _REMIND.search(m.string, max(m.start() - _NEARBY, 0), m.start()):
        known = [found for found in known if (found.year, found.month) >= (said.year, said.month)]
    nearest = min(known, key=lambda found: abs(found - said), default=None)
    if nearest is None or abs(nearest - said) <= _FAR:
        return nearest
    if told is Tense.PAST:
        known = [found for found in known if found < said]
    elif told is Tense.FUTURE:
        known = [found for found in known if found > said]
    return min(known, key=lambda found: abs(found - said), default=None)


def _weekday(m: re.Match[str]) -> int | None:
    """The weekday that is named beside a date, from 0 for Monday."""
    before = _WEEKDAY_BEFORE.search(m.string, max(m.start() - _AROUND, 0), m.start())
    after = _WEEKDAY_AFTER.match(m.string, m.end())
    named = before[1] if before else after and (after[1] or after[2] or after[3])
    return None if not named else (_ZH_DAYS.get(named) or _BESIDE[_folded(named)]) - 1


def _side(m: re.Match[str]) -> Tense | None:
    """The tense of what is said of a date, if it is said of that and not of a thing of the date."""
    if m.lastgroup == "far":
        return None
    if m.re is _CHINESE:
        return chinese_tense(m.string, *m.span())
    before = m.string[max(m.start() - _AROUND, 0) : m.start()].lower()
    if before.endswith("since "):
        return Tense.PAST
    ranged = before.endswith("from ") and _TO.match(m.string, m.end())
    return None if _OF_A_THING.search(before) and not ranged else tense(m.string, *m.span())
