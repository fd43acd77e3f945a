"""What English speakers say of their work: jobs and employers, new ones, and ones that are no more."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from memfold.layers.profile.claim import Claim, of_late
from memfold.layers.profile.en.capitals import DAYS, FIRM, NAME, NOT_OLD, PLACE, place
from memfold.layers.profile.en.lately import (
    ADVERB,
    HAVE,
    LASTS,
    LATELY,
    LONG_AGO,
    NO_HEADING,
    NO_SUBJECT,
    NOT_ASKED,
)
from memfold.layers.profile.en.matching import I_AM, told
from memfold.layers.profile.en.titles import ENDS, LEADS, PAID, TITLE, job

_WHAT = rf"(?:{NAME},?\s+)?(?:and\s+)?(?:an?|the)\s+(?:\d{{1,3}}[ -]years?[ -]old\s+)?"
_AT = rf"(?:\s+(?:at|for)\s+(?P<firm>{FIRM}))?"
_LIVES = rf"(?:,?\s+(?:currently\s+)?(?:based|living|residing)\s+in\s+(?P<home>{PLACE}))?"
_COMES = rf"(?:\s+from\s+(?P<origin>{PLACE}))?"
_WORKS = (
    re.compile(
        rf"{I_AM}\s+(?:actually\s+|also\s+|currently\s+|now\s+|just\s+)*{_WHAT}{TITLE}{_AT}{_LIVES}{_COMES}"
    ),
    re.compile(rf"{I_AM}\s+{NAME},\s+\d\d,\s+(?:an?\s+)?{TITLE}{_AT}{_LIVES}"),
    re.compile(
        r"\b(?:I(?:'m|\s+am)?\s+(?:now\s+|currently\s+|actually\s+)?(?:work|working|employed)"
        # Who "lost my job as a banker yesterday" has none.
        r"|(?<!lost )(?<!Lost )(?<!quit )(?<!left )(?<!from )(?:in\s+)?my\s+(?:job|work|career|role|position"
        r"|day\s+job))\s+as\s+"
        rf"(?:an?\s+|the\s+)?{TITLE}{_AT}"
    ),
    re.compile(
        rf"^\W*As\s+an?\s+{TITLE}{_COMES},\s+I(?!\s+want\s+to\b|\s+can\b|\s+should\b|\s+would\b|'d\b)"
    ),
    re.compile(
        rf"{I_AM}\s+(?:actually\s+|also\s+|currently\s+|now\s+|just\s+)*(?P<job>{LEADS})\b(?={ENDS}){_AT}"
    ),
    re.compile(rf"\b[Mm]y\s+(?:job|profession|occupation)\s+is\s+(?:being\s+|that\s+of\s+)?an?\s+{TITLE}"),
)
_EMPLOYED = (
    re.compile(
        r"\bI(?:'m|\s+am)?\s+(?:now\s+|currently\s+|actually\s+)?work(?:ing)?\s+(?:at|for)\s+"
        rf"(?P<firm>{FIRM})" + NOT_OLD
    ),
    re.compile(
        r"\bI\s+(?:manage|lead|run|head|work\s+(?:in|on|with))\s+(?:the|a|an|our)\s+(?:[\w&-]+\s+){0,3}?"
        rf"(?:team|department|division|group|unit|office|desk)\s+(?:at|of)\s+(?P<firm>{FIRM})" + NOT_OLD
    ),
    re.compile(rf"\b(?:my|a)\s+new\s+job\s+(?:is\s+)?(?:at|with)\s+(?P<firm>{FIRM})"),
    re.compile(
        r"\bI(?:'ve|\s+have)?\s+(?:just\s+|recently\s+)?(?:(?:changed|switched)\s+(?:jobs|companies)"
        r"|(?:started|got|found)\s+a\s+new\s+job)[,;.–—-]?\s+(?:and\s+)?I(?:'m|\s+am)\s+(?:now\s+)?"
        rf"(?:working\s+(?:at|for|with)|at|for)\s+(?P<firm>{FIRM})" + NOT_OLD
    ),
)
_LOST = re.compile(
    r"\b(?:[Ll]ost|quit|left|resigned\s+from)\s+my\s+job(?:\s+as\s+an?\s+"
    rf"(?P<job>[a-z][a-z /-]{{2,40}}?)(?=\s*[,.;!?]|$|\s+(?:yesterday|last|this|and|so|at|in"
    rf"|on)\b))?(?:\s+at\s+(?P<firm>{FIRM}))?"
)
# The job ends that is named, and no other. "I'm not a good writer" ends none.
_NO_LONGER = re.compile(
    rf"{I_AM}\s+(?:no\s+longer\s+(?:(?:working|employed)\s+as\s+)?an?\s+{PAID}"
    rf"|not\s+an?\s+{PAID.replace('<job>', '<was>')}(?=\s+(?:any\s?more|any\s+longer)\b))"
    rf"(?:\s+(?:at|for)\s+(?P<firm>{FIRM}))?"
    r"(?=(?:\s+(?:any\s?more|any\s+longer|now|these\s+days))?\s*(?:[,.;!\n]|$)|\s+(?:and|but|so|since)\s)"
)
_RETIRED = re.compile(
    rf"(?:{I_AM}(?:\s+(?:now|already|also|happily|finally))*|\bI(?:{HAVE}|\s+{LATELY})*)\s+retired(?=\s*(?:[.,;!]|$)"
    r"|\s+(?:(?:last|this)\s+(?:week|month|year|spring|summer|autumn|fall|winter)\b|in\s+(?:[A-Z][a-z]+|\d{4})\b"
    r"|at\s+\d\d\b|after\s+\w+\s+years\b|from\s+(?:my|work|teaching|nursing)\b"
    r"|(?:now|and|so|but)\b|\w+\s+(?:weeks?|months?|years?)\s+ago\b))"
)
_LOST_BY_ME = re.compile(
    r"(?:\bI(?:'ve|\s+have|\s+just|\s+also|\s+recently|,?\s+unfortunately,?)*(?:\s+also"
    r"|\s+just|\s+recently)?\s+|^\W*(?:\w+\W+){0,6})$"
)


def jobs(text: str) -> Iterator[Claim]:
    """The work that a sentence says its speaker has, or has no more."""
    yield from _worked(told(_WORKS, text))
    for match in told(_EMPLOYED, text):
        if not re.match(rf"(?:{DAYS}|AM|PM)\b", match["firm"], re.IGNORECASE):
            yield Claim("employer", match["firm"], match.start(), instead_of=match.groupdict().get("old"))
    for match in told((_LOST,), text):
        if _LOST_BY_ME.search(text[: match.start()]):
            for attribute, name in (("job", "job"), ("employer", "firm")):
                yield Claim(attribute, None, match.start(), instead_of=match[name], correction=True)
    for match in told((_NO_LONGER,), text):
        yield Claim("job", None, match.start(), instead_of=match["job"] or match["was"], correction=True)
        if match["firm"]:
            yield Claim("employer", None, match.start(), instead_of=match["firm"], correction=True)
    for match in told((_RETIRED,), text):
        yield Claim("job", "retired", match.start())


def _worked(matches: Iterable[re.Match[str]]) -> Iterator[Claim]:
    for match in matches:
        group = match.groupdict()
        if (title := job(group["job"])) is None:
            continue
        yield Claim("job", title, match.start())
        if group.get("firm") and not re.match(DAYS, group["firm"], re.IGNORECASE):
            yield Claim("employer", group["firm"], match.start())
        for attribute, name in (("home", "home"), ("from", "origin")):
            if where := place(group.get(name)):
                yield Claim(attribute, where, match.start())


_TAKEN_UP = (
    r"(?:become|became|(?:(?:been\s+)?(?:hired|appointed|employed)|started(?:\s+working)?|(?:re)?qualified"
    r"|retrained)\s+as)\s+(?:an?\s+)?"
)
_BEGUN = (
    r"(?:started|begun|began|got|landed|took)\s+(?:an?|my|the)\s+(?:brand[- ]new\s+|new\s+)?"
    r"(?:job|position|role|post)\s+as\s+(?:an?\s+|the\s+)?"
)
_PROMOTED = (
    r"promoted\s+(?:from\s+[\w /&-]{2,40}?\s+)?to\s+(?:an?\s+|the\s+)?"
    r"(?:(?:position|role|post|rank)\s+of\s+)?"
)
_WHEN = r"(?:today|yesterday|recently|(?:last|this)\s+\w+|(?:a|a\ few|two|three|\d)\s+(?:day|week|month)s?\s+ago)\b"
# A new job, with when it was new behind it; a place or a firm is taken whole, or "as a cook at Leo's in 2010" would
# be read without its end.
_NEW = rf"{PAID}(?={ENDS}|\s+{_WHEN})(?>{_AT}){LASTS}"
# "I became a nurse" may be long ago: it counts where the words say that it is new.
_BECAME = (
    re.compile(rf"{NOT_ASKED}\bI{HAVE}(?:\s+{ADVERB})*\s+{_TAKEN_UP}{_NEW}"),
    re.compile(rf"{NOT_ASKED}\bI(?:\s+was|\s+got|\s+{LATELY})*\s+{LATELY}(?:\s+got)?\s+{_TAKEN_UP}{_NEW}"),
    re.compile(rf"{NOT_ASKED}\bI\s+(?:(?:was|got)\s+)?{_TAKEN_UP}{_NEW},?\s+{_WHEN}"),
    re.compile(rf"{NOT_ASKED}\bI{HAVE}?(?:\s+{ADVERB})*\s+{_BEGUN}{_NEW}"),
    re.compile(rf"{NOT_ASKED}\bI(?:{HAVE}|\s+(?:was|got|been|gotten|{ADVERB}))+\s+{_PROMOTED}{_NEW}"),
)
_NEWS_WORK = re.compile(
    rf"{NO_SUBJECT}(?i:{LATELY}\s+(?:got\s+)?{_TAKEN_UP}|(?:{LATELY}\s+)?{_BEGUN}"
    rf"|(?:{LATELY}\s+)?(?:got|been|was)\s+{_PROMOTED}){_NEW}{NO_HEADING}"
)


def changes_of_job(text: str) -> Iterator[Claim]:
    """A job that a sentence says its speaker has taken up of late."""
    yield from _worked(of_late(told(_BECAME, text), LONG_AGO))


def news(text: str) -> Iterator[Claim]:
    """A new job at the beginning of a message, without a subject: "Just promoted to head nurse!"."""
    yield from _worked(told((_NEWS_WORK,), text))
