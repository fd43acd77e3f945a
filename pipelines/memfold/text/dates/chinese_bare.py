"""Chinese days without a month, months without a year, and feasts: 17号, 月底, 7月再去, 国庆. The tense tells whether
the next or the last one is meant. Without a tense, a day that is still to come this month is that day. Everything else
stays unresolved: a wrong day is worse than none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date

from memfold.text.dates.days import UNKNOWN, Days, day_of, one_day, shifted_months, whole_month
from memfold.text.dates.mention import NEARBY, Mention
from memfold.text.dates.vague import third
from memfold.text.dates.vocabulary import WHICH, YEAR, number_of
from memfold.text.surnames import SURNAMES
from memfold.text.tense import Tense, chinese_tense

_B = r"[ \u00a0\u3000]?"
# 号 also numbers houses, lines, rooms, sizes and players.
_NO_DAY_BEFORE = (
    r"(?<![\d第.:：/#A-Za-z路街巷弄村幢座栋楼层码号大小住穿每月-])"
    r"(?<![路街巷弄月][ \u00a0\u3000])(?<!大道)(?<!街道)"
)
_NO_DAY_BEHIND = (
    r"(?![线線](?!上)|[楼樓门門桌厅廳馆館床窗码碼仓倉库庫柜铺站坑位字色箱袋井院棚台球员員区區]"
    r"|房(?![租东贷])|[机機](?!票)|[车車](?![票险检])|店(?!里)|选手|文件|汽?油|柴油|电池|服[务装]|公[寓路馆]|地[块铁])"
)
_MONTH = r"(?:1[0-2]|[1-9]|十[一二]?|[二三四五六七八九])"
# Month, day and number of holidays. 清明 falls between April 4 and 6. Feasts of the lunar calendar are left out.
_FEASTS = {
    "元旦": (1, 1, 1),
    "情人节": (2, 14, 1),
    "妇女节": (3, 8, 1),
    "清明": (4, 4, 3),
    "五一": (5, 1, 5),
    "劳动节": (5, 1, 5),
    "六一": (6, 1, 1),
    "儿童节": (6, 1, 1),
    "教师节": (9, 10, 1),
    "国庆": (10, 1, 7),
    "双十一": (11, 11, 1),
    "双11": (11, 11, 1),
    "平安夜": (12, 24, 1),
    "圣诞": (12, 25, 1),
}
_ANY_FEAST = "|".join(_FEASTS)
# Behind a year: the feast of that year.
BEFORE_FEAST = rf"的?(?:{_ANY_FEAST})"
_BARE = re.compile(
    rf"(?P<day>{_NO_DAY_BEFORE}(?P<d>3[01]|[12]?\d){_B}[号號]{_NO_DAY_BEHIND})"
    rf"|(?<![\d个個第几每/.一二三四五六七八九十-])(?P<m>{_MONTH}){_B}月"
    r"(?:(?P<part>底|末(?!考)|初|中旬|上旬|下旬)"
    r"|(?=(?P<will>再|就|要)|(?P<past>那[次回会时]|的时候)|(?:份?开始|起(?![初码])|[之以]?[前后]|到期|入职|开学|开业|结束|去|回))"
    # Behind "from" or "to" a month needs no other word.
    r"|(?<=[从自等到至]\d月)|(?<=[从自等到至]1\d月))"
    r"|(?P<end>(?<![年个個每\d一二三四五六七八九十这這本上下两])月[底末](?!考))"
    rf"|(?:(?P<y>{YEAR})年|(?P<yw>[去今明前后後])年)?的?(?P<feast>(?<![每往]年)(?<![{SURNAMES}建志智政])"
    rf"(?<![周週期拜十二三四五六七八九\d])(?:{_ANY_FEAST}))"
    r"(?!上河图|[路街村桥广校班起个次些点共百千万词生])(?:节|假期?|长假|期间)*"
)
_THIRDS = {"初": 0, "上旬": 0, "中旬": 1, "下旬": 2, "底": 2, "末": 2}
_LISTED = re.compile(r"\s?(?:[、，,和與与及到至~～–—-]|还有|或者?)\s?")
# `joining` reads the further days of a whole date: 3月5日到9号, 3月5号、9号.
_JOINED = re.compile(r"\s?[-–—~至到、和與与及]\s?")
_OF_A_DAY = re.compile(r"[日号號\d]\Z")
_EVERY = re.compile(r"(?:每|逢)[^，。；！？\n]{0,6}\Z")
_SET = re.compile(
    r"(?:改|推迟?|延期?|提前|挪|[预]?约|定|订|安?排|顺延|预计|计划|打算|准备|等)(?:了|好)?[到在至成为于]?(?:了)?\Z"
)
_ONCE = re.compile(r"本来|本來|原来|原定|原本|上次|上回|当时|那时|之前[^，。]{0,4}\Z")
_CLAUSE = re.compile(r"[^，,。！？!?；;\n]*[？?]?")
# A past event or a question: a day there is not taken for the coming one.
_NOT_SURE = re.compile(r"了|过(?!来|去|敏|期)|的\Z|刚|昨|曾|没|[吗呢么？?几哪谁]|什么|怎")
_CANNOT = re.compile(r"不了了?")
_FAR = 70


def bare(text: str, own: str, said: date | None, known: Sequence[Mention]) -> Iterator[Mention]:
    """The days without a month, months without a year and feasts in a text, besides its `known` dates. `own` is the
    text as it was typed."""
    before: list[Mention] = []
    rest = sorted(known, key=lambda each: each.start)
    listed = -1
    for m in _BARE.finditer(text):
        while rest and rest[0].start < m.end():
            before.append(rest.pop(0))
        if any(each.end > m.start() for each in before[-2:]):
            continue
        last = before[-1] if before and m.start() - before[-1].end < NEARBY else None
        if m["day"]:
            gap_from = max(listed, last.end if last and last.relative is False else -1)
            if gap_from >= 0 and _JOINED.fullmatch(text, gap_from, m.start()):
                listed = m.end()
                continue
        first, final = _days(text, m, said, last)
        found = Mention(m.start(), m.end(), own[m.start() : m.end()], first, final, True)
        before.append(found)
        if first is not None:
            yield found


def _days(text: str, m: re.Match[str], said: date | None, last: Mention | None) -> Days:
    """The days that a match of `_BARE` names."""
    if said is None or _EVERY.search(text, max(m.start() - 8, 0), m.start()):
        return UNKNOWN
    if m["day"]:
        return one_day(_day(text, m, said, last))
    told = _told(text, m)
    if m["feast"]:
        month, day, count = _FEASTS[m["feast"]]
        year = int(m["y"]) if m["y"] else said.year + WHICH[m["yw"]] if m["yw"] else None
        first = day_of(year, month, day) if year else _nearest(month, day, said, told)
        return (first, first.replace(day=day + count - 1)) if first else UNKNOWN
    if m["end"]:
        if told is None and _NOT_SURE.search(_clause(text, m)):
            return UNKNOWN
        back = told is Tense.PAST and said.day < 21
        ending = shifted_months(said, -1) if back else said
        return third(ending, 2) if ending else UNKNOWN
    first = _nearest(number_of(m["m"]), 1, said, told)
    if first is None:
        return UNKNOWN
    return third(first, _THIRDS[m["part"]]) if m["part"] else whole_month(first.year, first.month)


def _day(text: str, m: re.Match[str], said: date, last: Mention | None) -> date | None:
    """A day without its month."""
    number = int(m["d"])
    anchor = last.day if last and _OF_A_DAY.search(last.literal) else None
    if anchor and last and _LISTED.fullmatch(text, last.end, m.start()):
        return _from(number, anchor, 1)
    told = _told(text, m)
    if told is Tense.PAST:
        return _from(number, said, -1)
    start = anchor if anchor and (anchor.year, anchor.month) > (said.year, said.month) else said
    if told is Tense.FUTURE:
        return _from(number, start, 1)
    if _NOT_SURE.search(_CANNOT.sub("", _clause(text, m))) or number < start.day:
        return None
    return day_of(start.year, start.month, number)


def _from(number: int, start: date, step: int) -> date | None:
    """The next (`step` 1) or the last (-1) day with a number, from a day on."""
    for away in (0, step, 2 * step):
        month = shifted_months(start, away)
        found = day_of(month.year, month.month, number) if month else None
        if found and (found >= start if step > 0 else found <= start):
            return found
    return None


def _told(text: str, m: re.Match[str]) -> Tense | None:
    """Whether the text places a day in the past or in the future; None if it does not say."""
    if m["past"]:
        return Tense.PAST
    if m["will"]:
        return Tense.FUTURE
    near = max(m.start() - 12, 0)
    if _SET.search(text, near, m.start()) and not _ONCE.search(text, near, m.start()):
        return Tense.FUTURE
    told = chinese_tense(text, *m.span())
    return told if told in (Tense.PAST, Tense.FUTURE) else None


def _nearest(month: int, day: int, said: date, told: Tense | None) -> date | None:
    """The day in the year that the tense tells; without one the nearest, unless it is far away."""
    days = [found for away in (-1, 0, 1) if (found := day_of(said.year + away, month, day))]
    if told is Tense.PAST:
        return max((each for each in days if each <= said), default=None)
    if told is Tense.FUTURE:
        return min((each for each in days if each >= said.replace(day=1)), default=None)
    closest = min(days, key=lambda each: abs(each - said), default=None)
    return closest if closest and abs((closest - said).days) <= _FAR else None


def _clause(text: str, m: re.Match[str]) -> str:
    """The clause around a day, without the day."""
    start = max(text.rfind(mark, max(m.start() - NEARBY, 0), m.start()) for mark in "，,。！？!?；;\n ") + 1
    behind = _CLAUSE.match(text, m.end(), m.end() + NEARBY)
    return text[max(start, m.start() - NEARBY) : m.start()] + (behind[0] if behind else "")
