"""What English speakers say they are called, what they are to be called, and how old they are."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memfold.layers.profile.claim import Claim, an_age
from memfold.layers.profile.en.capitals import NAME, NOT_OLD
from memfold.layers.profile.en.matching import I_AM, told
from memfold.text.scripts import CAPITAL

_NAMED = (
    re.compile(
        r"\b[Mm]y\s+(?:full\s+|real\s+|first\s+|English\s+)?name(?:'s|\s+is)\s+(?:actually\s+)?"
        rf"(?P<name>{NAME})(?:\s*[(（](?P<han>[\u4e00-\u9fff·]{{2,5}})[)）])?"
    ),
    re.compile(r"\bmy\s+name(?:'s|\s+is)\s+(?P<low>[a-z]{2,15})(?=\s*(?:[.!,;]|$)|\s+and\s+[Ii]\b)"),
    re.compile(
        rf"{I_AM}\s+(?P<name>{NAME})(?:\s*[(（](?P<han>[\u4e00-\u9fff·]{{2,5}})[)）])?(?=,\s+"
        rf"(?:an?\s|and\s+I\b|from\s+{CAPITAL}|\d\d\b|based\b|living\b"
        rf"|(?:starting|doing|in)\s+(?:(?:my|the)\s+)?\w+\s+year\b)|\s+from\s+{CAPITAL})"
    ),
    re.compile(
        r"^\W*(?i:(?:hi|hello|hey)(?:\s+there)?[,.!]?\s+)?(?:I(?:'m|\s+am)|(?i:this\s+is))\s+"
        rf"(?P<name>{NAME})(?=\s*[.!]|$|\s+and\s+I\b)"
    ),
    # The last of those who are listed.
    re.compile(rf"\band\s+me,\s+{I_AM}\s+(?P<name>{NAME})(?=\s*(?:[.!,;)]|$))"),
    re.compile(rf"^\W*{I_AM}\s+(?P<name>{NAME})(?=,?\s+(?:btw|by\s+the\s+way)\b)"),
)
_CHINESE_NAME = re.compile(r"\b[Mm]y\s+Chinese\s+name(?:'s|\s+is)\s+(?P<han>[\u4e00-\u9fff·]{2,5})")
_NO_NAME = re.compile(
    r"^(?:(?:dr|mr|mrs|ms|prof)\.?$|(?:not|on|in|at|the|there|here|sure|sorry|fine|good|great"
    r"|ok(?:ay)?|done|ready|new|so|very|just|also|still|back|happy|glad|excited|tired|curious"
    r"|lost|stuck|team"
    r"|missing|wrong|unique|common|misspelled|misspelt|rare|long|short|listed|unknown"
    r"|important|irrelevant|secret|private|correct|hard|easy|everywhere|nobody|mud|taken|weird"
    r"|funny"
    r"|christian|catholic|buddhist|hindu|muslim|jew|atheist|german|greek|dutch|french|swiss"
    r"|thai|czech|arab|iraqi|israeli|pakistani|african|asian|european|black|white|deaf|blind"
    r"|gay|queer"
    r"|vegan|single|married|pregnant|bipolar|autistic|\w+(?:ish|ese|[ie]an|ist|ed|ing|able|ful|ous))\b)",
    re.IGNORECASE,
)  # fmt: skip
# Names that look like nationalities.
_YET_A_NAME = re.compile(
    r"^(?:Ian|Ryan|Brian|Bryan|Adrian|Julian|Sebastian|Damian|Fabian|Vivian|Lillian|Gillian"
    r"|Dorian|Dean|Sean|Jean|Jordan|Logan|Ethan|Susan|Alan|Ivan|Juan|Megan|Nathan|Dylan|Evan"
    r"|Joan|Diana?|Ahmed|Ed|Fred|Jared|Mohammed|Mohamed|Ahmad|Winifred|Alfred|Sterling|Ming"
    r"|Ying|Jing|Ling|Ping|Bing|Ding|Xing|Irving|Trish|Josh|Ashish|Manish|Reese|Therese|Denese"
    r"|Mabel|Isabel|Christian\s[A-Z]|Killian|Lian|Brianan?)\b"
)


def names(text: str) -> Iterator[Claim]:
    """The names that a sentence gives its speaker."""
    for match in told((*_NAMED, _CHINESE_NAME), text):
        group = match.groupdict()
        name, low = group.get("name"), group.get("low")
        if name and (not _NO_NAME.match(name) or _YET_A_NAME.match(name)):
            yield Claim("name", name.rstrip("."), match.start(), "latin")
        elif low and not _NO_NAME.match(low):
            yield Claim("name", low.capitalize(), match.start(), "latin")
        elif not group.get("han") or name:
            continue
        if group.get("han"):
            yield Claim("name", group["han"], match.start(), "han")


_AGE_NEXT = (
    r"(?=\s*(?:[.!;)]|,(?!\s*(?:\d|maybe|or|perhaps|about|almost|%))|-+>|$)|\s+(?:and(?!\s+\d)"
    r"|but|now|so|who|years?\s+old|yrs?\s+old|y/?o|today|years?\s+of\s+age|lol|btw|studying)\b)"
)
_AGED = (
    re.compile(
        rf"{I_AM}\s+(?:now\s+|actually\s+|only\s+|already\s+|currently\s+)*(?P<age>\d{{1,3}}){_AGE_NEXT}"
        + NOT_OLD
    ),
    re.compile(rf"{I_AM}\s+an?\s+(?P<age>\d{{1,3}})(?:[ -]years?[ -]old|[ -]?y/?o)\b"),
    # "I (34F) need advice".
    re.compile(r"\bI\s\((?P<age>\d\d)\s?[MFmf]\)"),
    re.compile(rf"{I_AM}\s+(?:{NAME}),\s+an?\s+(?P<age>\d{{1,3}})[ -]years?[ -]old\b"),
    re.compile(
        rf"{I_AM}\s+(?:{NAME}),\s+(?P<age>\d{{2}})(?=\s*(?:[.;!]|$)|\s+and\s+I\b|,\s+(?!minutes|hours|aisle))"
    ),
    # "As a 10-year-old I loved": told by what follows that it is now.
    re.compile(
        r"(?:^\W*|\b(?:and|but|so|because)\s+)[Aa]s\s+an?\s+(?P<age>\d{1,3})[ -]years?[ -]old"
        r"(?:\s+(?!I\b)[\w-]+){0,3},?\s+I(?:'m|'ve|\s+(?:(?:really|often|still|just|also|usually|sometimes)\s+)?(?:am|have|feel|think|want|need|find|know|believe|can|can't|don't|do|like|love"
        r"|live|work|wonder|would|should|struggle|worry|try|prefer|enjoy))\b"
    ),
    re.compile(r"\b[Mm]y\s+age\s+is\s+(?P<age>\d{1,3})\b(?!\s*%)"),
    re.compile(
        r"\bI(?:'ve|\s+have)?\s+(?:just\s+|recently\s+)?turned\s+(?P<age>\d{1,3})(?=\s*(?:[.,!;]"
        r"|$)|\s+(?:last|this|today|yesterday|on|in|and|a\s+few)\b)"
    ),
)


def ages(text: str) -> Iterator[Claim]:
    """The age that a sentence gives its speaker."""
    for match in told(_AGED, text):
        if an_age(match["age"]):
            yield Claim("age", str(int(match["age"])), match.start(), instead_of=match.groupdict().get("old"))


_CALL = re.compile(
    r"(?i:(?:^|[,.;!?]\s*|\b(?:please|just|can|could|may|should|simply|and|instead|friends"
    r"|everyone|everybody|people|they|better))\s*(?:please\s+|just\s+)?(?:calls?"
    rf"|address)\s+me\s+(?:as\s+)?)\s*(?P<name>{NAME})(?=\s*(?:[^\w\s'’]|$)|\s+(?:from|and"
    r"|instead|please|when|in|for|not|but|if)\b)"
    rf"|\bI\s+(?:go\s+by|prefer\s+to\s+be\s+called|like\s+to\s+be\s+called)\s+(?P<name2>{NAME})"
)


def ways_of_address(text: str) -> Iterator[Claim]:
    """What a sentence says its speaker is to be called."""
    for match in told((_CALL,), text):
        name = match["name"] or match["name2"]
        if name[:1].isupper() and not _NO_NAME.match(name):
            yield Claim("address", name.rstrip("."), match.start())
