"""How the text of an entry says that something was given up, moved, denied or settled.

Knows texts alone, no state and no entry.
"""

from __future__ import annotations

import re
from functools import lru_cache

from memfold.layers.state.choosing import clauses
from memfold.text.calendar import MONTH, MONTH_NAMES, WEEKDAY, WEEKDAYS
from memfold.text.terms import terms
from memfold.text.units import KEPT

NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
CLASSES = frozenset(terms("aslanguage ascurrency asunit asnumber"))

# An option is chosen against another in one sentence: that one is not readmitted by it.
AGAINST = re.compile(
    r"\b(?:over|against|instead of|rather than|not|no longer|without|never|away from)\b|\w+n't\b|而不是|不用"
    r"|不再|不选|放弃|排除|否决",
    re.IGNORECASE,
)
INSTEAD = re.compile(r"\b(?:over|instead|rather than)\b|而不是|改用", re.IGNORECASE)
_WHY = re.compile(r"\b(?:because|since|due to|owing to|as it)\b|因为|由于|，", re.IGNORECASE)
# How an option is given up or taken: what is left names it.
GIVING = frozenset(
    terms(
        "decided against rule ruled out reject rejected discard dropped use used using choose chosen chose option"
        " select consider work works go going with instead rather than over user version no longer pick picked opt"
        " opted moved away abandon scrap suit fit not without because switch switched now"
    )
)
# Chinese writes no blanks: what stands before and behind an option is cut off before the rest becomes terms, else
# "决定用Redis" and "不用Redis了" have other pairs of characters. "用户" and "选项" are no giving.
_GIVING_ZH = re.compile(
    r"^(?:我们?|咱们?|团队|已经|决定|最终|最后|还是|暂时|就|先|也|把|不再|不(?=[用选使采改考])|使用|采用|改用|换成|考虑|选[择用定]"
    r"|放弃|排除|否决|用(?![户途例法])|选(?![项题修手])|掉|了(?!解))+"
    r"|(?:的?方案)?(?:已经|最终|最后|也|就|还是)*(?:被|给)?(?:我们?)?(?:放弃|排除|否决|不考虑|不要|不选)?[掉了吧啦]*$"
)

# What a phrase that settles says besides what it settles, and where it goes on to say how.
_SETTLING = frozenset(
    terms(
        "resolved fixed solved sorted worked works did trick finally fully already figured got working everything"
        " issue problem bug error fix thanks thank"
    )
)
_SETTLING_ZH = re.compile(
    r"[这那](?:个|样|些)?|已经|终于|现在|全部|问题|错误|解决|修好|搞定|可以|成功|谢谢|好的?|我们?的?|[行都就也了的]"
)
_HOW = re.compile(
    r"[,;，；]|\b(?:after|by|when|with|once|so|and|but|because|thanks|using|for)\b", re.IGNORECASE
)
# One option is left for another; a day or an amount is no option. In "dropped Redis for Valkey" the new one has a name.
LEFT = re.compile(
    r"\b(?:(?:switch|mov|migrat|chang)\w*\b[^.;]{0,40}?\bfrom|(?P<named>dropp|ditch|swapp|replac|abandon|scrapp)ed)"
    r"\s+(?P<left>[^,.;\d]{2,40}?)\s+(?(named)(?:for|with|in favou?r of)\s+(?-i:[A-Z])|(?:over\s+)?to\s+(?!\d))",
    re.IGNORECASE,
)
_QUANTITY = re.compile(r"\b(?:budget|limit|cap|maximum|minimum|deadline)\b", re.IGNORECASE)
_WHOLE = re.compile(r"\b(?:total|overall|whole)\b", re.IGNORECASE)
NOW = re.compile(
    r"\bnow\b|\b(?:went|goes|gone) (?:up|down) to\b"
    r"|\b(?:raised|increased|lowered|reduced|cut|changed|extended|moved|pushed|dropped|rose|grew)\s(?:[^,;]{1,40}\s)?to\b",
    re.IGNORECASE,
)
# "May" and "march" are months where they are capitalised, or stand beside a number.
_VALUE = re.compile(
    rf"\b\d{{1,2}}(?:st|nd|rd|th)?\s(?i:{MONTH})\b|\b(?i:{MONTH})\s\d{{1,2}}(?:st|nd|rd|th)?\b"
    rf"|[$€£¥]?\d[\d,.:]*\s?(?:[kKmM]\b|%|€|£|euros?\b|dollars?\b|pounds?\b)?"
    rf"|\b(?:{'|'.join(each.title() for each in (*MONTH_NAMES, *WEEKDAYS))})\b"
)
# How a value is changed, and what says nothing of the thing that has it.
CHANGING = frozenset(
    terms(
        "now went up down raised increased lowered reduced cut changed extended moved pushed dropped rose grew total"
        " overall whole maximum minimum max min is was has been again just finally so about around of to at from by new"
        " back have got per actually"
    )
)
# What a value may not pass, or is to reach: what was measured puts no such thing right, only another limit does.
_BOUND = re.compile(
    r"\b(?:must|have to|has to|needs? to|under|below|within|at (?:most|least)|(?:no|not) (?:more|less|later|fewer)"
    r"|exceed\w*|goals?|targets?|aim\w*)\b",
    re.IGNORECASE,
)
_BOUNDED = re.compile(rf"{_QUANTITY.pattern}|\b(?:goals?|targets?)\b", re.IGNORECASE)
_MOVED = re.compile(r"\b(?:moved|extended|pushed|postponed|rescheduled)\b", re.IGNORECASE)
# What a value is counted in: "ms" of "120ms"; a time or an amount of money whichever way it is written.
_UNIT = re.compile(
    rf"(?P<money>[$€£¥]\s?\d|(?<![\d,.])\d[\d,.]*\s?(?:[km]\s?)?(?:[€£¥$]|(?:euros?|dollars?|pounds?)\b))"
    rf"|(?P<clock>\d{{1,2}}(?::\d\d|\s?[ap]\.?m\b))|(?P<day>\d{{1,2}}(?:st|nd|rd|th)\b"
    rf"|(?:\b\d{{1,2}}\s(?:of\s)?)?\b(?:{MONTH}|{WEEKDAY})\b)"
    rf"|\d[\s-]?(?P<other>%|(?!(?:to|out|of|in|on|at|for|per|from|by|with|and|or|as|again|now|after|so|but)\b)[a-z]+)",
    re.IGNORECASE,
)
# Units that one thing may be counted in, and words for how many, which are no units.
_ONE_KIND = {
    "percent": "% percent pct",
    "mass": "mg g gram grams kg kgs kilo kilos kilogram kilograms lb lbs oz ounce ounces stone ton tons tonnes",
    "length": "mm cm m km kms meter meters metre metres kilometer kilometers kilometre kilometres mi mile miles ft feet"
    " foot inch inches yard yards",
    "span": "ms millisecond milliseconds s sec secs second seconds min mins minute minutes h hr hrs hour hours day days"
    " week weeks month months year years",
    "size": "kb mb gb tb kib mib gib tib ki gi ti byte bytes kilobytes megabytes gigabytes terabytes",
    "money": "bucks quid eur usd gbp",
}
_KIND_OF = {unit: kind for kind, units in _ONE_KIND.items() for unit in units.split()}
_MANY = frozenset({"k", "thousand", "million", "billion"})
# "I've never run a relay race" is against "I've run three relay races in May": all that is denied is said elsewhere.
DENIAL = re.compile(r"\b(?:never|haven['’]t|have not)\s+(.+)", re.IGNORECASE)
_NOT_DONE = re.compile(
    r"\b(?:never|not|no)\b|n['’]t\b"
    r"|\b(?:want|plan|hope|hoping|going to|try|trying|need|will|would|could|should|if|aim)\b",
    re.IGNORECASE,
)
_DENYING = frozenset(terms("actually really ever before yet any some even so far ve have"))
# Fewer words may be shared by chance.
DENIED = 3
UNDECIDED = re.compile(
    r"\b(?:unclear|uncertain|unsure|undetermined|unsettled|open question|to be (?:decided|determined)|don['’]t know"
    r"|(?:not|n['’]t)(?: \w+)? (?:decided|sure|certain|settled|chosen|known|clear))\b|不确定|不清楚|未定|还没",
    re.IGNORECASE,
)


# States as of different moments share most of their entries.
@lru_cache(maxsize=KEPT)
def words_of(text: str) -> frozenset[str]:
    """The distinct terms of a text."""
    return frozenset(terms(text))


def alike(kind: str, text: str, other_kind: str, other: str) -> bool:
    """Whether two entries may be one: they are of one kind and hold the same numbers. A correction is a fact."""
    kinds = {"fact" if each == "correction" else each for each in (kind, other_kind)}
    return len(kinds) == 1 and set(NUMBER.findall(text)) == set(NUMBER.findall(other))


def contradicts(text: str, other: str) -> bool:
    """Whether one of two statements denies what the other tells."""
    return _denied_by(text, other) or _denied_by(other, text)


def _denied_by(denial: str, text: str) -> bool:
    said = [words_of(part) for part in clauses(text) if not _NOT_DONE.search(part)]
    for part in clauses(denial):
        what = words_of(match[1]) - _DENYING if (match := DENIAL.search(part)) else frozenset()
        if len(what) >= DENIED and any(what <= words for words in said):
            return True
    return False


def option(text: str) -> frozenset[str]:
    """The words that name an option which is given up: without how, and without why."""
    what = _WHY.split(text)[0].strip(" .!。！")
    return frozenset(terms(_GIVING_ZH.sub(" ", what))) - GIVING


def limited(clause: str) -> frozenset[str]:
    """The thing that a clause limits, without the value: "the total budget is now £900" and "a budget of £700" give the
    same."""
    return frozenset(terms(_VALUE.sub(" ", clause))) - CHANGING if _QUANTITY.search(clause) else frozenset()


def same_limit(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two things that are limited may be one, of which the one is told with more words than the other. A mere
    "budget" may be any."""
    return one == other or (len(min(one, other, key=len)) > 1 and (one <= other or other <= one))


def part_of(text: str, older: str) -> bool:
    """Whether of two texts one may tell a limit of a part of what the other limits, or the older tells two limits: then
    fewer words are of another thing."""
    return bool(_WHOLE.search(text)) != bool(_WHOLE.search(older)) or len(_QUANTITY.findall(older)) > 1


def reaches(text: str, other: str) -> bool:
    """Whether a text tells no limit, so that one which the other tells holds whatever was reached. A term that is moved
    was not reached."""
    return bool(_BOUND.search(other)) and not _BOUNDED.search(text) and not _MOVED.search(text)


def same_unit(one: str, other: str) -> bool:
    """Whether a value of each of two texts may be of one thing, by what it is counted in: problems are no hours."""
    units, others = _units(one), _units(other)
    return not units or not others or not units.isdisjoint(others)


def _units(text: str) -> frozenset[str]:
    """What the values of a text are counted in."""
    found = {(match["other"] or match.lastgroup or "").lower() for match in _UNIT.finditer(text)} - _MANY
    return frozenset(terms(" ".join(_KIND_OF.get(each, each) for each in found)))


def subject_settled(phrase: str) -> frozenset[str]:
    """The words for the thing that a phrase settles; none for "it"."""
    return frozenset(terms(_SETTLING_ZH.sub(" ", _HOW.split(phrase)[0]))) - _SETTLING
