"""Dates in Latin script: English ones with the relative dates, and the days of months in German, French, Spanish,
Italian and Portuguese. A date that could be read in two ways is not certain."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from memfold.text.dates.cues import stretches
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
from memfold.text.dates.vague import few_ago, season, third
from memfold.text.dates.vocabulary import (
    ABROAD,
    BESIDE,
    MONTHS,
    NEAR,
    SEASONS,
    SHORT_WEEKDAYS,
    SHORT_YEAR,
    TENS,
    TO,
    WEEKDAY_NUMBERS,
    WHICH,
    YEAR,
    YEAR_AWAY,
    YEAR_AWAY_ABROAD,
    YEAR_OR_HOUR,
    any_of,
    folded,
    month,
    number_of,
)
from memfold.text.dates.years import away, nearest
from memfold.text.numbers import ENGLISH
from memfold.text.tense import Tense, arranged, looks_back, plans, tense
from memfold.text.terms import lexicon

# What may follow "on the 22nd": no noun, as in "on the 2nd floor".
_AFTER_DAY = "at|in|for|from|with|because|so|but|i|we|he|she|they|it|is|was|will|as|when|after|before"
_MONTH = rf"(?:{any_of(MONTHS)})"
_ANY_MONTH = rf"(?:{any_of(ABROAD, MONTHS)})"
# Short forms are left out where no day stands beside them.
_MONTH_WORD = "May|" + any_of({name.title(): 0 for name in MONTHS if len(name) > 3})
# "19-31 August": a day right behind a hyphen.
_DAY_MONTH = rf"\d{{1,2}}(?:st|nd|rd|th|\.)?\ (?:of\ |de\ )?{_ANY_MONTH}\b"
_ONES = any_of({word: 0 for word, number in ENGLISH.items() if number < 10})
_COUNT = rf"(?:\d{{1,3}}|an?|(?:{any_of(TENS)})(?:[ -](?:{_ONES}))?|{any_of(ENGLISH)}|(?:a\ )?couple\ of)"
_UNIT = r"(?:days?|weeks?|fortnights?|months?|years?)"
# Behind a month, and behind no modal verb: "from 3 to 5 may in Rome", but "from 9 to 5 may suit me".
_ENDS = r"\s*(?:[.,;:!?)]|\n|\Z)"
_ENDS_OR_GOES_ON = (
    rf"{_ENDS}|\ (?:on|onwards?|at|in|for|with|until|till|to|next|this|and|but|so|because|if|when|then)\b"
)
# Behind a season, no noun: "this summer dress".
_SEASON_ENDS = (
    rf"{_ENDS_OR_GOES_ON}"
    r"|\ (?:i|we|he|she|they|it|is|was|has|had|will|the|my|our|as|before|after|while|from|by)\b"
)
_WEEKDAY = any_of(WEEKDAY_NUMBERS)
# "On thurs", "next tues at 5"; but "based on sun exposure" and "the last sat down" are of no day.
_SHORT = (
    rf"(?:{any_of(SHORT_WEEKDAYS)})"
    rf"(?={_ENDS_OR_GOES_ON}|\ (?:i|we|he|she|they|it|is|was|morning|afternoon|evening|night|\d)\b)"
)
# "Deploy it thursday", "it went live thursday, 43 people looked"; "a Saturday limit" is no day.
_BARE_ENDS = (
    r"\s*(?:[.,;!?)]|\n|\Z)"
    r"|\ (?:morning|afternoon|evening|night|at|with|because|so|but|if|when|then|after|before)\b"
)
_LATIN = re.compile(
    rf"""(?:(?<![/\w.,-])|(?<=\bmid-)|(?:(?<=(?<![/\w.,-])\d[-/])|(?<=(?<![/\w.,-])\d\d[-/]))(?={_DAY_MONTH}))(?:
      (?P<iso>(?P<y1>{YEAR})(?P<dash>[-/])(?P<m1>\d{{1,2}})(?P=dash)(?P<d1>\d{{1,2}})(?![-/]?\d))
    | (?P<num>(?P<a>\d{{1,2}})(?P<stroke>[/.])(?P<b>\d{{1,2}})(?P=stroke)(?P<y2>{YEAR}))
    | (?P<short>(?:(?<=on\ )|(?<=by\ )|(?<=until\ )|(?<=till\ )|(?<=due\ )|(?<=since\ )|(?<=before\ )|(?<=after\ ))
      (?P<sa>\d{{1,2}})/(?P<sb>\d{{1,2}})(?![/\d]|\.\d|\ (?:of|cup|tsp|tbsp|inch|{_MONTH}\b)))
    | (?P<md>(?P<mon1>{_MONTH})(?!(?<=\bmar)\.?\ \d\d?\ (?:de\ )?(?:{any_of(ABROAD)})\b)
      \.?[ -](?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?!\d|:\d|\.\d|%)
      (?:,?[ -](?:of\ )?(?P<y3>{YEAR}|(?<=,\ ){YEAR_OR_HOUR}|{SHORT_YEAR}|(?<!,\ ){YEAR_AWAY}))?)
    | (?P<dm>(?P<d3>\d{{1,2}})(?:st|nd|rd|th)?[ -](?:of\ )?(?P<mon2>{_MONTH})
      (?:,?[ -](?:of\ )?(?P<y4>{YEAR}|{YEAR_OR_HOUR}|{SHORT_YEAR}|(?<!,\ ){YEAR_AWAY}))?)
    | (?P<far>(?P<d4>\d{{1,2}})(?:\.|er|º)?\ (?:de\ |d')?(?P<mon3>{_ANY_MONTH})
      (?:\ (?:(?:(?:del?|do|of)(?:\ a[ñn]o)?|de\ l['’]an(?:née)?|dell['’]anno)\ (?=[\d'’]))?
      (?P<y5>{YEAR}|{YEAR_OR_HOUR}|{SHORT_YEAR}|{YEAR_AWAY_ABROAD}|{YEAR_AWAY}))?)
    | (?P<my>(?P<mon4>{_MONTH})\.?,?\ (?:of\ )?(?P<y6>{YEAR}))
    | (?P<im>(?:(?<=in\ )|(?<=by\ )|(?<=since\ )|(?<=until\ )|(?<=till\ )|(?<=from\ )(?!\w+\ +\d)|(?<=during\ )
      |(?<=end\ of\ )|(?<=beginning\ of\ )|(?<=start\ of\ )|(?<=middle\ of\ )|(?<=early\ )|(?<=mid[- ])|(?<=late\ ))
      (?P<mon5>{any_of({name: 0 for name in MONTHS if len(name) > 3})}|(?-i:May)
      |may(?={_ENDS_OR_GOES_ON})|(?:(?<=in\ )|(?<=of\ ))may(?=\ (?:i|we|he|she|they)\b)))
    | (?P<quarter>Q(?P<q>[1-4])\ (?:of\ )?(?P<y7>{YEAR}))
    | (?P<week>(?:(?:on|by|until|till|before|since|due)\ )?(?P<day2>{any_of(WEEKDAY_NUMBERS)}),?\ (?:of\ )?
      (?P<which3>next|this|last)\ week)
    | (?P<week2>(?P<which4>next|this|last)\ week,?\ (?:on\ )?(?P<day3>{any_of(WEEKDAY_NUMBERS)}))
    | (?P<both>(?:(?:on|by|until|till|before|since|due)\ )?(?P<day4>{any_of(WEEKDAY_NUMBERS, SHORT_WEEKDAYS)}),?
      \ (?:the\ )?(?P<d6>\d{{1,2}})(?:st|nd|rd|th)(?!,?\ (?:of\ )?(?:{_ANY_MONTH}|the\ month|each|every)\b))
    | (?P<nth>(?:on|by|until|till|from)\ the\ (?P<d5>\d{{1,2}})(?:st|nd|rd|th)
      (?=\s*(?:[.,;!?)\n]|\Z)|\ (?:{_AFTER_DAY})\b))
    | (?P<which_month>(?P<which5>next|this|last)\ (?P<mon6>(?-i:{_MONTH_WORD}))
      (?!,?\ \d))
    | (?P<rel>(?<!\bweek\ )(?P<which>(?:this|the)\ past|next|this|last|on|by|coming|until|till|before|since|due)\ 
      (?P<coming>coming\ )?(?P<day>{_WEEKDAY}|{_SHORT})(?P<later>\ week(?={_ENDS_OR_GOES_ON}|\ (?:we|i|they)\b))?)
    | (?P<bare>(?<=[a-z]\ )(?P<day5>{_WEEKDAY})(?={_BARE_ENDS}))
    | (?P<weekend>(?:on|over|at|during)\ the\ weekend)
    | (?P<near>{any_of({name: 0 for name in NEAR if name.isascii()}).replace(" ", "[ ]")})
    | (?P<span>(?P<which2>this|coming|(?<!\bthe\ )(?:next|last|past|previous))\ (?P<what>weekend|week|month|year))
    | (?P<off>in\ (?P<n1>{_COUNT})\ (?P<u1>{_UNIT})(?:'\ time)?)
    | (?P<ago>(?P<n2>{_COUNT})\ (?P<u2>{_UNIT})\ ago)
    | (?P<few>(?<!\bquite\ )a\ few\ (?P<u4>{_UNIT})\ ago)
    | (?P<season>(?<!\bthe\ )(?<!\bmy\ )(?<!\bhis\ )(?<!\bher\ )(?P<which6>next|this|last)\ (?P<name>{any_of(SEASONS)})
      (?={_SEASON_ENDS}))
    | (?P<off2>(?P<n3>{_COUNT})\ (?P<u3>{_UNIT})\ from\ (?:now|today))
    )(?:\b|(?=T\d))""",
    re.IGNORECASE | re.VERBOSE,
)
# Those of its groups that name days of the calendar; the others mean nothing without the day of saying.
_ABSOLUTE = lexicon("iso num short md dm far my im quarter")
# "On Friday the 23rd", "on Friday, March 23" and "on Friday mornings" are not the next Friday.
_OTHER_DAY = re.compile(
    rf",? (?:\(?{_MONTH}\.? \d|(?:the )?\d{{1,2}}(?:st|nd|rd|th)|\d{{1,2}} {_MONTH}\b)"
    r"| (?:morning|afternoon|evening|night)s\b",
    re.IGNORECASE,
)
# What makes a weekday behind it another's, a habit or a name: "our tech-free Sunday", "Monday to Friday", "it's
# friday", "Black Friday". Of the 7 bare weekdays of BEAM's users that end a clause it leaves none.
_NOT_BARE = re.compile(
    r"\b(?:(?:the|an?|my|our|your|his|her|their|its|this|that|these|those|every|each|some|any|no|one|another|weekly"
    r"|per|\d+)\ (?:[\w'’-]+\ )?"
    r"|(?:it|today|tomorrow|yesterday|day)\ (?:is|was)\ |(?:it['’]?s|that['’]?s)\ "
    r"|(?:on|by|until|till|since|before|due|coming|and|or|to|of|for|from|in|with|like|than|about|through|thru|between"
    r"|next|last|this|past|every|most|all|both|not|only|usually|always|closed|open|week|black|good|happy|easter|palm"
    r"|ash|holy|casual|super|cyber|taco|early|late)\ )\Z",
    re.IGNORECASE,
)
_NAME_BEFORE = re.compile(r"\b[A-Z]\w* \Z")
# "Friday the 13th" that is watched, and who "sat 20th in the row".
_NO_DAY = re.compile(
    r"\b(?:(?:watch\w*|saw|seen|film|movie|called)\ (?:the\ )?|(?:i|he|she|it|we|they|you|who)\ )\Z",
    re.IGNORECASE,
)
# How many days from the day of saying a weekday with its number lies at most, and how many behind it if it is not told
# in the past; and within how many it is ahead then, even if another is nearer behind. The next such day is months away.
_BOTH_WITHIN, _BOTH_BEHIND, _BOTH_AHEAD = 75, 31, 45
# A count behind this is the tail of an amount: "half a year ago", "two or three days ago", "a year and two months ago".
_AMOUNT = re.compile(
    rf"(?:\b(?:half|hundred|{_COUNT}\ (?:or|to)|(?:{_UNIT}|hundred)\ and)\ |\d\s?[–—]\s?)\Z",
    re.IGNORECASE | re.VERBOSE,
)
# "It feels like just yesterday", but "it seems like yesterday's test failed".
_SEEMS = re.compile(
    r"\b(?:(?:feels?|felt|seems?|seemed)\ (?:like|as\ if|as\ though)|(?:like|as\ if|as\ though)\ it\ (?:was|were))"
    r"\ (?:it\ (?:was|were|happened)\ )?(?:only\ |just\ )?\Z",
    re.IGNORECASE,
)
_GOES_ON = re.compile(r"['’]s\b|\ (?:was|were|will|is|did|had|has)\b")
# "It is still a part of my work today", "even today"; but "I'm still waiting for it today".
_NOWADAYS = re.compile(
    r"(?:\b(?:is|are|am|was|were|remains?)|['’](?:s|re|m))\ still\ (?:an?|the|my|our|his|her|their|one|part"
    r"|around|alive|used|true)\b[^.!?;,\n]*\Z|\beven\ \Z",
    re.IGNORECASE,
)
# "The next to last Tuesday".
_BACKWARDS = re.compile(r"\b(?:next|second|third)[- ]to[- ]\Z", re.IGNORECASE)
# A date in figures is a name of something before or within this: "API version 2024-03-20", "?since=2024-03-20",
# "org/app:2024-03-20", "2024-03-20.log", "2024-03-20-preview", "2024/03/20/index.html".
_NAMES_BY_DATE = re.compile(
    r"(?:(?:versions?|\bver\.?|\btag|\bimage|\brevision|\bsnapshot|\bschema)[\s:='\"`]{1,4}|[=@]|/[\w.-]{1,40}:)\Z",
    re.IGNORECASE,
)
_NAME_GOES_ON = re.compile(r"[-_/][a-z]|\.[a-z]{2,4}\b")
# A word stands right before it.
_NO_BEGINNING = re.compile(r"\w \Z")
# "2 to 3 may work", "5 to 10 march past": such a month in lower case is none unless its clause ends, or behind "from"
# goes on.
_MAY_BE_VERB = re.compile(r"\d{1,2} (?:may|march)")
_UP_TO = re.compile(
    r"(?P<begun>\b(?:from|between)\ )?\b\d{1,2}\s?(?:to|or|and|until|till|[-–—])\s?\Z", re.IGNORECASE
)
_CLAUSE_ENDS = re.compile(_ENDS)
_CLAUSE_GOES_ON = re.compile(_ENDS_OR_GOES_ON)
_DAY_BEFORE = re.compile(r"(\d{1,2})/\Z")
# Of how many parts a fraction that people write with figures may be.
_FRACTION = 12
_MONTH_GOES_ON = re.compile(rf"{_ENDS_OR_GOES_ON}|\s*[-–—(]|\ (?:we|i|they)\b")
# "A letter from April", "songs from June Carter".
_NAME = re.compile(rf"(?:april|may|june)(?!{_ENDS_OR_GOES_ON})", re.IGNORECASE)
# A part of a month, before it; "until the end of May" is its last day, "at the end of May" its last third.
_PART = re.compile(
    r"\b(?:(?P<end>(?:by|until|till|before|due)\ (?:the\ )?end\ of)|(?P<early>early(?:\ in)?|(?:beginning|start)\ of)"
    r"|(?P<mid>mid|middle\ of)|late(?:\ in)?|end\ of)[ -]\Z",
    re.IGNORECASE,
)
_AIMED = re.compile(
    r"\b(?:how\ (?:can|do|to)|to|can|must|should|will|need|want|goal|target|aim|plan|deadline|due|finish|ready|get)\b",
    re.IGNORECASE,
)
_BY = re.compile(
    r"\b(?:by|until|till|due)\ (?:(?:the\ )?(?:end|middle|beginning|start)\ of\ |(?:early|mid|late)[ -])?\Z",
    re.IGNORECASE,
)
# "On the 22nd" may be of a month that is named near it.
_SOME_MONTH = re.compile(
    rf"\b(?:months?|(?-i:{_MONTH_WORD})|\d (?:may|march)|"
    + any_of({name: 0 for name in MONTHS if len(name) > 3 and name != "march"})
    + r")\b",
    re.IGNORECASE,
)
_DAY_OF_MONTH = re.compile(
    rf"\b(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\ (?:of\ )?(?P<name>{_MONTH})"
    rf"|(?P<named>{_MONTH})\.?\ (?P<after>\d{{1,2}})(?:st|nd|rd|th)?)\b",
    re.IGNORECASE,
)
# "Calle 25 de Mayo", "Straße des 17. Juni".
_STREET = re.compile(
    r"(?:\b(?:rue|avenue|boulevard|calle|avenida|via|viale|piazza|rua|praça|platz|allee)|stra(?:ß|ss)e)"
    r"\ (?:(?:du|del?|des|do|da)\ )?\Z",
    re.IGNORECASE,
)
# What stands for a year may be an hour: "12 June 1345."
_HOUR = re.compile(r"1[0-8][0-5]\d")
# "Sales in January: 4,300".
_FIGURE = re.compile(r"[\s:,=–-]{1,3}[$€£]?\d")
# "The October 5 meeting", "photos from October 5": the verb is not the date's.
_OF_A_THING = re.compile(
    r"\b(?:the|an?|my|our|his|her|their|your|its|this|that|from|for|about|with|like|between"
    r"|(?<!end )(?<!middle )(?<!beginning )(?<!start )of)\s\Z",
    re.IGNORECASE,
)


def latin(text: str, said: date | None) -> Iterator[Mention]:
    """The dates in Latin script in a text, each read by itself, resolved against the day it was `said`, if known."""
    known = -1
    for start, end in stretches(text):
        for m in _LATIN.finditer(text, start, end):
            if (
                m.lastgroup == "near"
                and m[0].istitle()
                and _NO_BEGINNING.search(text, max(start, m.start() - 2), m.start())
            ):
                continue  # the song "Yesterday", USA Today
            if m.lastgroup in ("near", "span") and _of_no_day(m):
                continue
            if m.lastgroup == "bare" and _of_another(m):
                continue
            if m.lastgroup == "both" and _NO_DAY.search(text, max(m.start() - AROUND, 0), m.start()):
                continue
            if m.lastgroup in ("dm", "far", "im") and not _of_calendar(m):
                continue
            if m.lastgroup == "far" and _STREET.search(text, max(m.start() - AROUND, 0), m.start()):
                continue
            if m.lastgroup in ("iso", "num") and _of_a_version(m):
                yield Mention(m.start(), m.end(), m[0], None, None, relative=True)
                continue
            before = max(start, m.start() - AROUND)
            if m.lastgroup in ("rel", "span") and _BACKWARDS.search(text, before, m.start()):
                continue
            year = m["y3"] or m["y4"] or m["y5"]
            relative = m.lastgroup not in _ABSOLUTE or (year is not None and away(year))
            first, last = UNKNOWN if year and _HOUR.fullmatch(year) else _days(m, said, known)
            # Where nothing tells which weekend or summer it is, it may be any; "sat 20th" of no such day is a verb.
            verb = m.lastgroup == "both" and folded(m["day4"]) in SHORT_WEEKDAYS
            if (verb or m.lastgroup in ("weekend", "season", "bare")) and first is None:
                continue
            yield Mention(m.start(), m.end(), m[0], first, last, relative)
            known = m.end() if last else -1


def _of_calendar(m: re.Match[str]) -> bool:
    """Whether what looks like a day of a month or a month is one: no verb, no name and no fraction."""
    before = m.string[max(m.start() - AROUND, 0) : m.start()]
    if m.lastgroup == "im":
        return not (before[-5:].lower() == "from " and _NAME.match(m.string, m.start()))
    if day := _DAY_BEFORE.search(before):  # 17/18 October are two days, 17/20 a mark
        first, second = int(day[1]), int(m["d3"] or m["d4"])
        # "1/2 may be wrong"; there is no 17/18.
        verb = second <= _FRACTION and _MAY_BE_VERB.fullmatch(m[0])
        return 0 < first == second - 1 and not (verb and not _MONTH_GOES_ON.match(m.string, m.end()))
    if not _MAY_BE_VERB.fullmatch(m[0]) or not (range_ := _UP_TO.search(before)):
        return True
    return (_CLAUSE_GOES_ON if range_["begun"] else _CLAUSE_ENDS).match(m.string, m.end()) is not None


def _of_no_day(m: re.Match[str]) -> bool:
    """Whether "yesterday" tells how short a time seems, or "today" what is so in our days."""
    first = max(m.start() - 2 * AROUND, 0)
    if folded(m[0]) == "today":
        return _NOWADAYS.search(m.string, first, m.start()) is not None
    seems = _SEEMS.search(m.string, first, m.start())
    return seems is not None and _GOES_ON.match(m.string, m.end()) is None


def _of_a_version(m: re.Match[str]) -> bool:
    """Whether a date in figures names a version, a file or a value of a program, and no day of a life."""
    named = _NAMES_BY_DATE.search(m.string, max(m.start() - 2 * AROUND, 0), m.start())
    return named is not None or _NAME_GOES_ON.match(m.string, m.end()) is not None


def _days(m: re.Match[str], said: date | None, known: int) -> Days:
    """What a match of `_LATIN` names; the date before it ends at `known`, if that is certain."""
    match m.lastgroup:
        case "iso":
            return one_day(day_of(m["y1"], m["m1"], m["d1"]))
        case "num":
            # 03/04 is March in one country and April in another; 03.04. is the day before the month everywhere.
            return one_day(_either(int(m["a"]), int(m["b"]), m["y2"], said, m, certain=m["stroke"] == "."))
        case "short":
            return one_day(_either(int(m["sa"]), int(m["sb"]), None, said, m))
        case "md":
            return one_day(nearest(m["y3"], month(m["mon1"]), int(m["d2"]), said, m, _tense_of))
        case "dm":
            return one_day(nearest(m["y4"], month(m["mon2"]), int(m["d3"]), said, m, _tense_of))
        case "far":
            name = folded(m["mon3"])
            number = ABROAD.get(name) or MONTHS[name]
            # The end of a range follows its beginning.
            alone = known < 0 or not TO.fullmatch(m.string, known, m.start())
            return one_day(nearest(m["y5"], number, int(m["d4"]), said, m, _tense_of, abroad=alone))
        case "my":
            return _part_of_month(m, int(m["y6"]), month(m["mon4"]))
        case "im":
            first = nearest(None, month(m["mon5"]), 1, said, m, _tense_of_month)
            return _part_of_month(m, first.year, first.month) if first else UNKNOWN
        case "quarter":
            start, end = 3 * int(m["q"]) - 2, 3 * int(m["q"])
            return whole_month(int(m["y7"]), start)[0], whole_month(int(m["y7"]), end)[1]
    if said is None:
        return UNKNOWN
    match m.lastgroup:
        case "near":
            return one_day(plus(said, NEAR[" ".join(folded(m["near"]).split())]))
        case "rel":
            return one_day(_weekday(said, m))
        case "bare":
            told = tense(m.string, *m.span())
            if told not in (Tense.PAST, Tense.FUTURE) and not _ahead(m):
                return UNKNOWN
            return one_day(_coming_or_last(said, _away(said, m["day5"]), told))
        case "both":
            return one_day(_both(said, int(m["d6"]), m))
        case "weekend":
            return _weekend(said, tense(m.string, *m.span()))
        case "week" | "week2":
            which, weekday = m["which3"] or m["which4"], WEEKDAY_NUMBERS[folded(m["day2"] or m["day3"])] - 1
            return one_day(plus(said, weekday - said.weekday() + 7 * WHICH[folded(which)]))
        case "nth":
            return one_day(_nth(said, int(m["d5"]), m))
        case "which_month":
            return _which_month(said, WHICH[folded(m["which5"])], month(m["mon6"]))
        case "season":
            return season(said, folded(m["which6"]), folded(m["name"]), tense(m.string, *m.span()))
        case "few":
            return few_ago(said, folded(m["u4"]).rstrip("s"))
        case "span":
            return unit_away(said, folded(m["what"]), WHICH[folded(m["which2"])])
    count, unit = (folded(m["n1"] or m["n2"] or m["n3"]), folded(m["u1"] or m["u2"] or m["u3"]))
    number = number_of(count.removeprefix("a ").removesuffix(" of"))
    if m["off"]:
        if tense(m.string, *m.span()) is Tense.PAST:  # "I finished it in two days" says how long it took
            return UNKNOWN
    elif _AMOUNT.search(m.string, max(m.start() - AROUND, 0), m.start()):
        return UNKNOWN
    return counted(said, unit.rstrip("s"), -number if m["ago"] else number)


def _weekday(said: date, m: re.Match[str]) -> date | None:
    """The day of a week that is named with a word as "on" or "next"."""
    which, away = folded(m["which"]), _away(said, m["day"])
    if _OTHER_DAY.match(m.string, m.end()):
        return None
    if m["coming"] or which == "coming":
        return plus(said, away or 7)
    if which.endswith(("last", "past")):
        return plus(said, away - 7)
    if which == "next":
        return plus(said, away + (7 if said.weekday() + away < 7 else 0))
    if which == "since":  # what happened since a day was before it
        return plus(said, away - 7 if away else 0)
    told = tense(m.string, *m.span()) if which in ("on", "by", "this") else None
    if which == "this":
        # On a Thursday "this Tuesday" has been, or is the coming one, as the tense tells; "this Friday" is tomorrow.
        if said.weekday() + away < 7:
            return plus(said, away)
        ahead = told in (Tense.FUTURE, Tense.OTHER)
        return plus(said, away) if ahead else plus(said, away - 7) if told is Tense.PAST else None
    # "On Tuesday week" is a week behind the coming one.
    return _coming_or_last(said, away + 7 if m["later"] and told is not Tense.PAST else away, told)


def _away(said: date, weekday: str) -> int:
    """In how many days a weekday comes, 0 to 6."""
    return (BESIDE[folded(weekday)] - 1 - said.weekday()) % 7


def _coming_or_last(said: date, away: int, told: Tense | None) -> date | None:
    """A weekday that comes in so many days, or the last one as the tense tells; None where it may be either."""
    if told is Tense.UNCLEAR or (told is Tense.PAST and not away):
        return None  # said on that very weekday it may be today or a week ago
    return plus(said, away - 7 if told is Tense.PAST else away)


def _both(said: date, number: int, m: re.Match[str]) -> date | None:
    """The day with a number in its month that is a weekday, as the tense tells; None if none is near."""
    weekday, told = BESIDE[folded(m["day4"])] - 1, _tense_of(m)
    months = filter(None, (shifted_months(said, offset) for offset in range(-3, 4)))
    days = [found for first in months if (found := day_of(first.year, first.month, number))]
    away = [(day - said).days for day in days if day.weekday() == weekday]
    if told is Tense.PAST:
        away = [each for each in away if -_BOTH_WITHIN <= each <= 0]
    else:
        away = [each for each in away if -_BOTH_BEHIND <= each <= _BOTH_WITHIN]
        away = [each for each in away if 0 <= each <= _BOTH_AHEAD] or away
    return plus(said, min(away, key=abs)) if away else None


def _weekend(said: date, told: Tense | None) -> Days:
    """The weekend that has been or that comes, as the tense tells; within one it may be that."""
    if said.weekday() >= 5 or told not in (Tense.PAST, Tense.FUTURE):
        return UNKNOWN
    return unit_away(said, "weekend", -1 if told is Tense.PAST else 0)


def _part_of_month(m: re.Match[str], year: int, number: int) -> Days:
    """A month, or the third or the last day of it that is named before it."""
    first, last = whole_month(year, number)
    part = _PART.search(m.string, max(m.start() - AROUND, 0), m.start())
    if not (first and last and part):
        return first, last
    if part["end"]:
        return one_day(last)
    return third(first, 0 if part["early"] else 1 if part["mid"] else 2)


def _either(
    one: int, other: int, year: str | None, said: date | None, m: re.Match[str], *, certain: bool = False
) -> date | None:
    """A day of which it is not said which number is the month; None where both could be, unless the first is the day
    for `certain`."""
    if certain:
        one, other = other, one
    elif one <= 12 and other <= 12 and one != other:
        return None
    elif one > 12:
        one, other = other, one
    return nearest(year, one, other, said, m, _tense_of)


def _nth(said: date, number: int, m: re.Match[str]) -> date | None:
    """The last or the coming day with a number in its month, as the tense tells, the coming one if nothing is told of
    the past. Where a month is named, it is of the one whose earlier day its sentence names: "6 june, back on the 16th";
    else it is not known."""
    told = tense(m.string, *m.span())
    if _SOME_MONTH.search(m.string, max(m.start() - NEARBY, 0), m.end() + NEARBY):
        near = max(m.start() - NEARBY, 0)
        begun = max(near, *(m.string.rfind(mark, near, m.start()) + 1 for mark in ".!?;\n"))
        named = list(_DAY_OF_MONTH.finditer(m.string, begun, m.start()))[-1:]
        before = [
            nearest(
                None,
                month(one["name"] or one["named"]),
                int(one["day"] or one["after"]),
                said,
                one,
                _tense_of,
            )
            for one in named
        ]
        return next((day_of(day.year, day.month, number) for day in before if day and day.day < number), None)
    if told is Tense.PAST:
        first = shifted_months(said, -1 if number > said.day else 0)
    elif told is Tense.FUTURE or (told is not Tense.UNCLEAR and _ahead(m)):
        first = shifted_months(said, 1 if number < said.day else 0)
    else:
        return None
    return day_of(first.year, first.month, number) if first else None


def _which_month(said: date, which: int, number: int) -> Days:
    """The month with a number that is the last, this year's or the next. In March "last May" is last year's, but "last
    January" may be this year's; so may "this January" in December be next year's."""
    ahead = number - said.month
    certain = which * ahead <= 0 if which else abs(ahead) < 10
    return whole_month(said.year + which, number) if certain else UNKNOWN


def _tense_of_month(m: re.Match[str]) -> Tense | None:
    """The tense of what is said of a month: what is to be done by it lies ahead, whatever the verb, if it is no past
    one: "how can I get fit by June?"; not "the total by June was 500"."""
    told = _tense_of(m)
    by = _BY.search(m.string, max(m.start() - AROUND, 0), m.start())
    aimed = by and (
        by[0][0] not in "bB" or _AIMED.search(m.string, max(m.start() - 2 * AROUND, 0), m.start())
    )
    return Tense.FUTURE if aimed and told in (None, Tense.OTHER) else told


def _of_another(m: re.Match[str]) -> bool:
    """Whether a weekday without a word as "on" is a habit, a name, or of a thing: "our tech-free Sunday"."""
    first = max(m.start() - AROUND, 0)
    named = m[0][0].isupper() and _NAME_BEFORE.search(m.string, first, m.start())
    return bool(named or _NOT_BARE.search(m.string, first, m.start()) or _OTHER_DAY.match(m.string, m.end()))


def _tense_of(m: re.Match[str]) -> Tense | None:
    """The tense of what is said of a date, if it is said of that and not of a thing of the date. What is planned
    without a verb or in the present ("12 sept is not possible", "then 5 september") is of a day ahead, unless its
    sentence looks back, or the date begins a range, which may be under way."""
    if m.lastgroup == "far":
        return None
    before = m.string[max(m.start() - AROUND, 0) : m.start()].lower()
    if before.endswith("since "):
        return Tense.PAST
    if arranged(m.string, *m.span()):
        return Tense.FUTURE
    to = TO.match(m.string, m.end())
    if _OF_A_THING.search(before) and not (to and before.endswith("from ")):
        return None
    told = tense(m.string, *m.span())
    reports = m.lastgroup == "im" and _FIGURE.match(m.string, m.end())
    ahead = told in (None, Tense.OTHER) and not (to or reports) and _ahead(m)
    return Tense.FUTURE if ahead else told


def _ahead(m: re.Match[str]) -> bool:
    """Whether a date in the present or without a verb is of something to come."""
    return plans(m.string, *m.span()) and not looks_back(m.string, *m.span())
