"""Classes of values: languages, currencies, units, numbers, names, ways of speaking. A newer value takes the place of
an older one of its class.

To compare two texts apart from their values, each value is replaced by the word of its class (" aslanguage ").
"""

from __future__ import annotations

import re

from memfold.text.calendar import WEEKDAY
from memfold.text.tongues import CHINESE_NAMES, LATIN_NAMES

LANGUAGE = rf"\b{LATIN_NAMES}\b"
LANGUAGE_ZH = rf"(?:简体|繁体)(?:中文|字)?|{CHINESE_NAMES}"
_SPELLING = r"\b(?:british|american|uk|us|australian|canadian)\s+(?:english|spelling)\b"
_CURRENCY = (
    r"\b(?:dollars?|euros?|francs?|franken|chf|pounds?|yen|yuan|"
    r"usd|eur|gbp|cny)\b|[$€£¥]|美元|欧元|英镑|人民币|日元"
)
_SYSTEM = r"\b(?:metric|imperial)\b(?:\s+(?:units?|measure(?:ment)?s?|system)\b)?|(?:公制|英制)(?:单位)?"
_TEMPERATURE = r"\b(?:celsius|fahrenheit)\b|(?:摄氏|华氏)度?"
_DISTANCE = r"\b(?:miles?|kilomet(?:re|er)s?)\b|公里|英里"
_NUMBER = (
    r"\d+(?:[.,]\d+)*|\b(?:one|two|three|four|five|six|seven|eight|nine|ten)\b"
    r"|[一二三四五六七八九十]+(?=[个句条点字段])"
)

# A few words up to the end of what is said of them.
_SOME = (
    r"(?:[\w.'’-]+\s+){0,3}?[\w.'’-]*[\w'’](?=\W*$|\s*[,;:!?)]|\.\s|\s+(?:from|instead|rather|please|thanks|when(?:ever)?"
    r"|while|if|in|on|at|for|with|and|or|but|not|again|any ?more|always|only|now|until|unless|because|since|going)\b)"
)
# Behind "call me": when, how and by what somebody is called is no name.
_WHEN = (
    r"(?:asap|back|before|after|when(?:ever)?|if|once|every|each|at|on|in|for|tonight|today|tomorrow|later|soon|anytime|now"
    rf"|first|again|{WEEKDAY}|politely|formally|informally|respectfully"
    r"|by\s+(?:my\s+name|the|phone|mail))\b"
)
_WHEN_ZH = r"(?:起床|吃饭|去|来|回|一[声下]|出门|睡觉|上班|下班|上课|注意|别|不要)"
_NAME = (
    rf"\b(?:call|address|refer\s+to)\s+me\s+(?!{_WHEN})(?:(?:as|by)\s+)?{_SOME}"
    rf"(?:,?\s+(?:instead\s+of|rather\s+than|and\s+not|not)\s+{_SOME})?"
    rf"|(?:叫|称呼)我(?!{_WHEN_ZH})(?:为|作|做)?[^，。,！!；;\s吧就即]{{1,8}}(?:吧|就好|就行|就可以|即可)?"
)
_SPEAK = r"\b(?:talk|speak|write|answer|reply|respond|act|behave|sound)(?:ing)?(?:\s+(?:to|with)\s+me)?\s+"
_MANNER = rf"{_SPEAK}(?:like|as)\s+an?\s+{_SOME}|{_SPEAK}normal(?:ly)?\b"
# By which "you" the user is spoken to, in languages that have two.
_ADDRESS = (
    r"\b(?:(?:duz|siez)(?:en?|t)?(?:\s+sie)?|ge(?:duz|siez)t|(?:du|sie)\s+zu\s+mir|(?:mit|per|beim|zum)\s+(?:du|sie)"
    r"|tut[eé](?:es?|ar|(?:ar)?me|ame)|de\s+(?:tú|usted)|(?:tut|vouv)o(?:ie[sz]?|y(?:ez|er))|del\s+(?:tu|lei)"
    r"|por\s+(?:tu|você))\b"
)
# What the user may go back to.
NAMED = rf"{_SPELLING}|{LANGUAGE}|{_CURRENCY}|{_SYSTEM}|{_TEMPERATURE}|{_DISTANCE}"


# The first finds "British English" before the second finds a language in it.
_SET = {
    "spelling": _SPELLING,
    "language": f"{LANGUAGE}|{LANGUAGE_ZH}",
    "currency": _CURRENCY,
    "unit": _SYSTEM,
    "temperature": _TEMPERATURE,
    "distance": _DISTANCE,
}


def _classes(**patterns: str) -> re.Pattern[str]:
    # One pattern for all classes takes half the time of one pattern per class.
    return re.compile("|".join(f"(?P<as{name}>{pattern})" for name, pattern in patterns.items()))


# The classes for any statement.
STATED = _classes(**_SET, number=_NUMBER)
# The classes for an order. They leave out numbers, which may count different things (words, sentences), and add the
# name, the manner and the "you" that the assistant is to use.
ORDERED = _classes(name=_NAME, manner=_MANNER, address=_ADDRESS, **_SET)
CLASS = re.compile("|".join(f" {name} " for name in ORDERED.groupindex))


def masked(text: str, classes: re.Pattern[str]) -> str:
    """`text` in lower case, each value replaced by the word of its class."""
    return classes.sub(lambda match: f" {match.lastgroup} ", text.lower())
