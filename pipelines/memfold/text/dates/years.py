"""The year that is meant where a date names none: the one that brings it nearest to the day it was said, unless what
stands around it tells otherwise. Knows no pattern of dates."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta

from memfold.text.dates.days import day_of
from memfold.text.dates.mention import AROUND, NEARBY, Mention
from memfold.text.dates.vocabulary import (
    BESIDE,
    CHINESE_WEEKDAY_NUMBERS,
    WHICH,
    any_of,
    folded,
)
from memfold.text.tense import Tense, looks_back_abroad

# The weekday beside a date: "Sunday 14 April", "April 14 (Sunday)", 4月14日（星期日）.
_WEEKDAY_BEFORE = re.compile(rf"\b({any_of(BESIDE)})\.?,?\ (?:the\ |den\ )?\Z", re.IGNORECASE)
_WEEKDAY_AFTER = re.compile(
    rf"(?:,\ ({any_of(BESIDE)})(?=[.;!?)]|\Z)|\ \(({any_of(BESIDE)})\b"
    r"|[ （(,，]*(?:周|週|星期|礼拜|禮拜)([一二三四五六日天]))",
    re.IGNORECASE,
)
# The same with any marks between them, as in headings and tables: "**Monday** (May 18)", "| Mar 7 | Tue |". "May 6 -
# Friday" ends on another day.
_MARKED_BEFORE = re.compile(rf"\b({any_of(BESIDE)})\.?[ ,|(:*–-]{{1,12}}\Z", re.IGNORECASE)
_MARKED_AFTER = re.compile(rf"[ |(,:*]{{1,12}}({any_of(BESIDE)})\b", re.IGNORECASE)
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
# "Last year on 3 May", and where it opens the sentence "el año pasado, el 3 de mayo".
_YEAR_BEFORE = re.compile(
    r"(?P<opens>(?:\A|[.!?:\n])[\s\"“*(-]*)?\b(?:(last|next|this)\ year|(letztes|voriges|nächstes|dieses)\ jahr"
    r"|(?:el\ año|o\ ano|l['’]an(?:née|no)?)\ (pasado|passado|próximo|derni(?:er|ère)|prochaine?|scorso|prossimo))"
    r"(?(opens),?)\ (?:(?:on|the|am|el|le|il|em|in)\ ){0,2}\Z",
    re.IGNORECASE,
)
# "El pasado 20 de diciembre" is the last such day, of whatever year.
_WHICH_BEFORE = re.compile(
    r"\b(letzten|vorigen|nächsten|dernier|prochain|pasado|passado|próximo|scorso|prossimo)\ (?:d[ií]a\ )?\Z",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")
# A year of two figures is at most so many years ahead.
_AHEAD = 10
# What was chosen or got may lie ahead: "we picked saturday 3 october".
_CHOSEN = re.compile(r"\b(?:chose|picked|got|took|gave|booked|fixed)\b[^.!?;\n]*\Z", re.IGNORECASE)


def nearest(
    year: str | None,
    month: int,
    day: int,
    said: date | None,
    m: re.Match[str],
    tense_of: Callable[[re.Match[str]], Tense | None],
    *,
    abroad: bool = False,
) -> date | None:
    """A day of a year, as it was written beside it, or of the year that brings it nearest to the day it was said; None
    where that is not known. If it is `_FAR` away, the tense of what is said of its match tells on which side it is.
    `abroad`, far behind it is not known unless its sentence tells of the past: the one ahead may be meant as well."""
    if year:
        return _named(year, month, day, said)
    if said is None:
        return None
    if before := _YEAR_BEFORE.search(m.string, max(m.start() - AROUND, 0), m.start()):
        return day_of(said.year + WHICH[folded(before[before.lastindex or 0])], month, day)
    if which := _WHICH_BEFORE.search(m.string, max(m.start() - AROUND, 0), m.start()):
        return _named(which[1], month, day, said)
    known = [found for offset in (-1, 0, 1) if (found := day_of(said.year + offset, month, day))]
    told = tense_of(m)
    closest = min(known, key=lambda found: abs(found - said), default=None)
    far = closest is not None and abs(closest - said) > _FAR
    # A weekday tells of another year on the side that the tense tells, which is ahead if it tells none; on the other
    # only if the date is far away: of the days that assistants propose in BEAM, 19 had the weekday of the year before.
    if (weekday := _weekday(m)) is not None:
        for found in known:
            if found.weekday() == weekday and (
                (far and told is not Tense.PAST) or (found < said) == (told is Tense.PAST)
            ):
                return found
        ahead = next((found for found in known if found.weekday() == weekday), None)
        if far and ahead and _CHOSEN.search(m.string, max(m.start() - NEARBY, 0), m.start()):
            return ahead
    if told is not Tense.PAST and _REMIND.search(m.string, max(m.start() - NEARBY, 0), m.start()):
        known = [found for found in known if (found.year, found.month) >= (said.year, said.month)]
    closest = min(known, key=lambda found: abs(found - said), default=None)
    if closest is None or abs(closest - said) <= _FAR:
        return closest
    if told is Tense.PAST:
        known = [found for found in known if found < said]
    elif told is Tense.FUTURE:
        known = [found for found in known if found > said]
    elif abroad and closest < said and not looks_back_abroad(m.string, *m.span()):
        return None
    return min(known, key=lambda found: abs(found - said), default=None)


def away(year: str) -> bool:
    """Whether a year that stands beside a date is told by how far away it is."""
    return not year[-1].isdecimal()


def _named(year: str, month: int, day: int, said: date | None) -> date | None:
    """A day of the year that stands beside it: 1985, '85, "last year". A word alone ("dernier") is of the last or the
    coming such day."""
    if year.isdecimal():
        return day_of(year, month, day)
    if said is None:
        return None
    if not away(year):
        number = said.year // 100 * 100 + int(year[1:])
        return day_of(number - 100 if number > said.year + _AHEAD else number, month, day)
    words = _WORD.findall(folded(year))
    which = next(WHICH[word] for word in words if word in WHICH)
    if len(words) > 1:
        return day_of(said.year + which, month, day)
    near = [found for offset in (-1, 0, 1) if (found := day_of(said.year + offset, month, day))]
    return next((found for found in near[::which] if (found - said).days * which > 0), None)


def contradicted(text: str, found: Mention) -> bool:
    """Whether a weekday is written beside a date that is of another: "Monday, July 24" of a Wednesday."""
    before = _MARKED_BEFORE.search(text, max(found.start - AROUND, 0), found.start)
    after = _MARKED_AFTER.match(text, found.end)
    return any(
        named is not None and day is not None and BESIDE[folded(named[1])] - 1 != day.weekday()
        for named, day in ((before, found.first), (after, found.last))
    )


def _weekday(m: re.Match[str]) -> int | None:
    """The weekday that is named beside a date, from 0 for Monday."""
    before = _WEEKDAY_BEFORE.search(m.string, max(m.start() - AROUND, 0), m.start())
    after = _WEEKDAY_AFTER.match(m.string, m.end())
    named = before[1] if before else after and (after[1] or after[2] or after[3])
    return None if not named else (CHINESE_WEEKDAY_NUMBERS.get(named) or BESIDE[folded(named)]) - 1
