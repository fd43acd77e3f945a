"""What English speakers say of their work: jobs and employers, new ones, and ones that are no more."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from memfold.layers.profile.claim import FIELD, Claim, of_late
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

# A day, a month or an hour where a firm would stand: "I left Monday", and not "I left Mayo Clinic".
_TIME = re.compile(rf"(?:{DAYS}|AM|PM)\b", re.IGNORECASE)
_WHAT = rf"(?:{NAME},?\s+)?(?:and\s+)?(?:an?|the)\s+(?:\d{{1,3}}[ -]years?[ -]old\s+)?"
_AT = rf"(?:\s+(?:at|for)\s+(?P<firm>{FIRM}))?"
_LIVES = rf"(?:,?\s+(?:and\s+)?(?:currently\s+)?(?:based|living|residing|live)\s+in\s+(?P<home>{PLACE}))?"
_COMES = rf"(?:\s+from\s+(?P<origin>{PLACE}))?"
# Behind "I've been a nurse", "I've worked at Acme": that it is so still.
_TO_THIS_DAY = (
    r"(?=,?\s+(?:since\b|(?:for|over)\s+(?:(?!a\s+while)[\w-]+\s+){1,4}?(?:months?|years?|decades?)\b|(?:all\s+)?my\s+(?:(?:whole|entire)\s+)?life\b))"
    r"(?![^.!?]{0,60}\b(?:but|before|until|then|retired|lost|quit|left)\b)"
)
_WORKS = (
    re.compile(
        rf"{I_AM}\s+(?:actually\s+|also\s+|currently\s+|now\s+|just\s+)*{_WHAT}{TITLE}{_AT}{_LIVES}{_COMES}"
    ),
    re.compile(rf"{I_AM}\s+{NAME},\s+\d\d,\s+(?:an?\s+)?{TITLE}{_AT}{_LIVES}"),
    re.compile(
        r"\b(?:I(?:'m|\s+am)?\s+(?:now\s+|currently\s+|actually\s+)?(?:work|working|employed)"
        r"(?:\s+(?:part|full)[ -]time)?"
        # "In a clinic as a nurse", and not "in a clinic and my wife works as a nurse".
        r"(?:\s+(?:in|at|for|from)\s+(?:(?!(?:and|but|my|who|while|where|as|she|he|they|works?|wife|husband)\b)[\w&'-]+\s+){0,4}?"
        r"(?!(?:and|but)\b)[\w&'-]+)?"
        # Who "lost my job as a banker yesterday" has none.
        r"|(?<!lost )(?<!Lost )(?<!quit )(?<!left )(?<!from )(?:in\s+)?my\s+"
        r"(?:(?:new|current|present)\s+)?(?:job|work|career|role|position"
        r"|day\s+job))\s+as\s+"
        rf"(?:an?\s+|the\s+)?{TITLE}{_AT}"
    ),
    re.compile(
        rf"^\W*As\s+an?\s+{TITLE}{_COMES},\s+I(?!\s+want\s+to\b|\s+can\b|\s+should\b|\s+would\b|'d\b)"
    ),
    re.compile(
        rf"{I_AM}\s+(?:actually\s+|also\s+|currently\s+|now\s+|just\s+)*(?P<job>{LEADS})\b(?={ENDS}){_AT}"
    ),
    # "I'm CTO at Acme", "I'm the founder of Acme".
    re.compile(
        rf"{I_AM}\s+(?:(?:the|now|currently|also|an?)\s+)*(?P<job>(?:co-?)?(?:founder|owner)|(?:managing\s+)?partner"
        rf"|C[ETFOMIP]O|(?:(?:senior|junior|lead|product|software|data|account|project)\s+)+(?:developer|engineer|manager"
        rf"|designer|analyst|scientist))\s+(?:at|of|for)\s+(?P<firm>{FIRM})"
    ),
    re.compile(
        rf"\bI{HAVE}\s+(?:(?:now|also|always)\s+)?(?:worked|been(?:\s+working|\s+employed)?)\s+(?:as\s+)?(?:an?|the)\s+"
        rf"{TITLE}(?>{_AT}){_TO_THIS_DAY}"
    ),
    re.compile(rf"\b[Mm]y\s+(?:job|profession|occupation)\s+is\s+(?:being\s+|that\s+of\s+)?an?\s+{TITLE}"),
)
_EMPLOYED = (
    re.compile(
        r"\bI(?:'m|\s+am)?\s+(?:now\s+|currently\s+|actually\s+)?work(?:ing)?"
        r"(?:\s+(?:part|full)[ -]time)?\s+(?:at|for)\s+"
        rf"(?P<firm>{FIRM})" + NOT_OLD
    ),
    re.compile(
        r"\bI\s+(?:manage|lead|run|head|work\s+(?:in|on|with))\s+(?:the|a|an|our)\s+(?:[\w&-]+\s+){0,3}?"
        rf"(?:team|department|division|group|unit|office|desk)\s+(?:at|of)\s+(?P<firm>{FIRM})" + NOT_OLD
    ),
    re.compile(
        rf"\bI{HAVE}\s+(?:been(?:\s+working|\s+employed)?|worked)\s+(?:at|for)\s+(?P<firm>(?>{FIRM})){_TO_THIS_DAY}"
    ),
    re.compile(rf"\b(?:my|a)\s+new\s+job\s+(?:is\s+)?(?:at|with)\s+(?P<firm>{FIRM})"),
    re.compile(
        r"\bI(?:'ve|\s+have)?\s+(?:just\s+|recently\s+)?(?:(?:changed|switched)\s+(?:jobs|companies)"
        r"|(?:started|got|found)\s+a\s+new\s+job)[,;.–—-]?\s+(?:and\s+)?I(?:'m|\s+am)\s+(?:now\s+)?"
        rf"(?:working\s+(?:at|for|with)|at|for)\s+(?P<firm>{FIRM})" + NOT_OLD
    ),
)
# What somebody works in who names no job; and what they run.
_FIELD = re.compile(
    rf"\bI(?:(?:'m)?\s+(?:(?:now|currently|actually|mostly|also)\s+)*work(?:ing)?|{HAVE}\s+(?:been\s+working|worked)(?=[^.!?;]*"
    r"\b(?:for|since)\b))\s+in\s+(?:the\s+)?(?P<field>(?:(?:digital|higher"
    r"|public|investment|corporate|international|social|medical|early|commercial)\s+)?(?:marketing|sales|finance|banking"
    r"|accounting|advertising|publishing|journalism|insurance|real\s+estate|construction|logistics|manufacturing|retail"
    r"|hospitality|tourism|healthcare|health\s+care|education|research|academia|agriculture|law|politics|government"
    r"|consulting|fashion|film|television|television\s+production|music|media|tech|IT|HR|PR|human\s+resources"
    r"|cyber\s?security|software(?:\s+development)?|biotech|pharma|energy|customer\s+(?:service|support)|nursing"
    r"|social\s+work|engineering|aviation|automotive|food\s+service|public\s+relations))(?:\s+(?:industry|sector|business"
    r"|field))?(?=\s*(?:[.,;!\n]|$)|\s+(?P<now>(?:right\s+)?now)\b|\s+(?:and|but|so|at|for|since|here|these|as\s+well)\b)"
)
_RUNS = re.compile(
    r"\bI\s+(?:(?:now|currently|also|actually)\s+)*(?P<runs>(?:own(?:\s+and\s+run)?|run)\s+(?:an?|my\s+own)\s+"
    r"(?:(?!the\b|with\b|of\b|in\b|script\b|test\b)[a-z-]+\s+){0,3}?(?:bakery|shop|store|restaurant|caf[eé]|coffeehouse|salon|farm"
    r"|studio|gallery|bar|pub|brewery|hotel|hostel|inn|book(?:shop|store)|business|company|startup|start-up|agency|clinic"
    r"|practice|garage|gym|food\s+truck|firm|boutique|vineyard|nursery|daycare|pharmacy|laundromat))"
    r"(?=\s*(?:[.,;!\n]|$)|\s+(?:in|near|with|that|which|called|named|selling|for|from|since|where|and|here)\b)"
    r"(?!\s+(?:in\s+(?:the|this|my|an?)\s+(?:game|story|novel|book|film|sims?|simulation)|simulation))"
)
# "I left Siemens": takes back that employer and no other, and names the next where it is said with it.
_LEFT = re.compile(
    rf"\bI(?:{HAVE}|\s+{ADVERB}|\s+was|\s+got|\s+been)*\s+(?:left|quit|resigned\s+from|retired\s+from"
    rf"|(?:fired|laid\s+off|let\s+go)\s+(?:from|by|at)|(?:don't|do\s+not|no\s+longer)\s+work\s+(?:at|for))\s+(?:my\s+(?:job|position|role)\s+(?:at|with)\s+)?"
    rf"(?P<firm>(?>{FIRM}))(?=\s*(?:[^\w\s'’-]|$)|\s+(?:[–—-]+\s|(?:any\s?more|in|last|this|and|for|after|because|to|on\s+[A-Z\d]|so|yesterday|today"
    rf"|recently|but|when|at|(?:a|two|three)\s+(?:days?|weeks?|months?|years?|few|couple))\b))(?:[^.!?;]{{0,40}}?[\s,–—-]\s*(?:and\s+|but\s+|so\s+)?"
    r"(?:(?:I'm|I\s+am|I|am|now)\s+(?:now\s+|currently\s+)?(?:(?:work|working|employed)\s+)?(?:at|for|with)"
    rf"|(?:I(?:'ve)?\s+)?(?:(?:just|recently)\s+)?joined)\s+(?P<new>{FIRM}))?"
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
# Who has no work that is paid, in so many words.
_NO_WORK = re.compile(
    rf"{I_AM}\s+(?:(?:now|currently|still|also|actually)\s+)*(?:an?\s+)?(?P<job>unemployed|between\s+jobs|out\s+of\s+work"
    r"|self-employed|stay-at-home\s+(?:mom|mum|dad|parent|mother|father)|homemaker|housewife)(?=\s*(?:[.,;!\n]|$)"
    r"|\s+(?:and|but|so|with|now|since|right\s+now|at\s+the\s+moment|again|to|of)\b)"
)
_LOST_BY_ME = re.compile(
    r"(?:\bI(?:'ve|\s+have|\s+just|\s+also|\s+recently|,?\s+unfortunately,?)*(?:\s+also"
    r"|\s+just|\s+recently)?\s+|^\W*(?:\w+\W+){0,6})$"
)


def jobs(text: str) -> Iterator[Claim]:
    """The work that a sentence says its speaker has, or has no more."""
    yield from _worked(told(_WORKS, text))
    for match in told(_EMPLOYED, text):
        if not _TIME.match(match["firm"]):
            yield Claim("employer", match["firm"], match.start(), instead_of=match.groupdict().get("old"))
    for match in told((_FIELD,), text):
        # "I work in healthcare" says less than "I'm a nurse", which it leaves, unless it is so "now".
        yield Claim("job", match["field"], match.start(), None if match["now"] else FIELD)
    for match in told((_RUNS,), text):
        own, _, what = match["runs"].partition(" ")
        yield Claim(
            "job", f"{own}s {what}".replace("and run ", "and runs ").replace("my own", "own"), match.start()
        )
    for match in told((_LEFT,), text):
        if not _TIME.match(match["firm"]):
            # "I left Berlin, I'm at Heathrow" is no matter of work: only of who works there is it told (`history`).
            key = "moved from" if match["new"] else None
            yield Claim("employer", match["new"], match.start(), key, match["firm"], correction=True)
    for match in told((_LOST,), text):
        if _LOST_BY_ME.search(text[: match.start()]):
            for attribute, name in (("job", "job"), ("employer", "firm")):
                yield Claim(attribute, None, match.start(), instead_of=match[name], correction=True)
    for match in told((_NO_LONGER,), text):
        yield Claim("job", None, match.start(), instead_of=match["job"] or match["was"], correction=True)
        if match["firm"]:
            yield Claim("employer", None, match.start(), instead_of=match["firm"], correction=True)
    for match in told((_NO_WORK,), text):
        yield Claim("job", match["job"], match.start())
    for match in told((_RETIRED,), text):
        yield Claim("job", "retired", match.start())


def _worked(matches: Iterable[re.Match[str]]) -> Iterator[Claim]:
    for match in matches:
        group = match.groupdict()
        if (title := job(group["job"])) is None:
            continue
        yield Claim("job", title, match.start())
        if group.get("firm") and not _TIME.match(group["firm"]):
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
_DECLINED = r"(?![^.!?]{0,40}\b(?:declined|rejected|refused|turned\s+(?:it\s+|them\s+)?down)\b)"
# "I got hired at Acme as an engineer", "I joined Acme as an engineer"; and without the job, where it is no club.
_HIRED = (
    rf"{NOT_ASKED}\bI(?:{HAVE}|\s+(?:was|got|been|gotten|{ADVERB}))*\s+(?:(?P<hired>(?:hired|recruited)\s+(?:at|by)"
    rf"|start(?:ed|ing)\s+work(?:ing)?\s+(?:at|for)|(?:got|landed|started|found|took|accepted)\s+(?:an?|my)\s+(?:new\s+)?"
    rf"(?:job|position|role)\s+(?:at|with))|joined|started\s+(?:at|with))\s+(?P<firm>(?>{FIRM}))"
)
_JOINED = re.compile(
    rf"{_HIRED}\s+as\s+(?:an?\s+|the\s+|their\s+)?{PAID}(?={ENDS}|\s+{_WHEN}){LASTS}{_DECLINED}(?!\s+until\b)"
)
_TAKEN_ON = re.compile(rf"{_HIRED}(?=\s*(?:[.,;!]|$)|\s+(?:and|but|so|{_WHEN})){LASTS}{_DECLINED}")
_NEWS_WORK = re.compile(
    rf"{NO_SUBJECT}(?i:{LATELY}\s+(?:got\s+)?{_TAKEN_UP}|(?:{LATELY}\s+)?{_BEGUN}"
    rf"|(?:{LATELY}\s+)?(?:got|been|was)\s+{_PROMOTED}){_NEW}{NO_HEADING}"
)


def changes_of_job(text: str) -> Iterator[Claim]:
    """A job that a sentence says its speaker has taken up of late."""
    yield from _worked(of_late(told((*_BECAME, _JOINED), text), LONG_AGO))
    for match in of_late(told((_TAKEN_ON,), text), LONG_AGO):
        if match["hired"] and not _TIME.match(match["firm"]):
            yield Claim("employer", match["firm"], match.start())


def news(text: str) -> Iterator[Claim]:
    """A new job at the beginning of a message, without a subject: "Just promoted to head nurse!"."""
    yield from _worked(told((_NEWS_WORK,), text))
