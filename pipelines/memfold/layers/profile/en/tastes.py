"""What English speakers say they like and prefer."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memfold.layers.profile.claim import Claim
from memfold.layers.profile.en.free import CLAUSE, ENDS, ITEM, MORE, items, trimmed, untailed
from memfold.layers.profile.en.matching import I_AM, told

_PRONOUN = (
    r"\b(?:it|this|that|them|they|these|those|you|your|his|her|him|she|he|its|their|our|my|us"
    r"|me|yours|mine|one|what|how|when|where|who|which|being|seeing|having|there|here"
    r"|everything|anything|something|all)\b"
)
_ABOUT_ANSWERS = re.compile(
    r"\b(?:explanations?|(?:short|brief|concise|detailed|direct|long|quick|simple|thorough"
    r"|honest)(?:er)?\s+(?:answers?|replies|responses?)|answers|step-by-step|stepwise|diagrams"
    r"|visual\s+\w+|visuali[sz]\w+|worked\s+examples|concrete\s+examples|proofs|emojis)\b",
    re.IGNORECASE,
)
_PREFERS = re.compile(
    r"\bI(?:\s+(?:really|generally|usually|always|personally|still|now|actually))*\s+(?:prefer"
    r"|like\s+my\s+answers)\s+(?P<value>(?:(?:using\s+)?(?!you\b)[a-z-]+,\s+(?!how\b|can\b"
    r"|so\b|and\b|but\b|what\b|like\b|you\b|rather\b|which\b|is\b|i\b|as\b|especially\b)"
    r"(?=[a-z-]+\s+[a-z])(?!(?:[a-z-]+\s+){1,3}(?:is|are|was|were|has|have|can|will|makes?|tastes?)\b))?"
    r"(?:[^.;!?,\n]|(?<=\w)\.(?=\w)){3,160}?(?:"
    rf"(?:,\s+[\w-]+)+,?\s+and\s+[\w-]+|(?:,\s+{ITEM}){{1,8}},?\s+and\s+{ITEM})?)(?!,\s+[\w-]+,?\s+and\s)(?=\s*(?:[.;!?\n,]|-+>|$)|\s+(?:so|because|since"
    r"|as\s+stated|considering|when\s+I'm|when\s+dealing|and\s+I|but\s+(?:I|my|we|he|she|they|it)|due\s+to|for\s+(?:its"
    r"|better|clearer))\b)"
)
_NO_PREFERENCE = re.compile(
    r"^(?:this|that|it|them|those|these|the\s+(?:first|second|one|former|latter|idea|approach)"
    r"|to\s+(?:wait|see|go|talk|start|use\s+(?:this|that|it)|be\s+(?:called|addressed))|not\b|if\b|you\b|your\b|what\b"
    # What is chosen once, from what was offered.
    r"|which\b|(?:the\s+)?(?:option|version|variant|choice|alternative|answer|plan|draft|design|number|method|approach"
    r"|solution|candidate|proposal|chapter|section|step|part|page|line|slide|level)\s+(?:[a-z]|\d+|one|two|three)\b)"
    r"|\b(?:you|this\s+approach|that\s+one|in\s+this\s+\w+|for\s+(?:this|that|now)|this\s+time|here|tonight|today)\b",
    re.IGNORECASE,
)
# What stands before a choice that is for one thing, and no lasting preference: "for this recipe I prefer butter".
_ONCE = re.compile(
    r"(?:^\W*|[.,;:!?]\s*|\b(?:and|but|so|because|since)\s+)(?:(?:for|in|on|with|at|to)\s+(?:this|that|these|those)\b(?:\s+[\w-]+){0,3}|here|this\s+time|today|tonight"
    r"|right\s+now)[,;:]?\s+(?:(?:and|but|so|though|then|personally|actually)\s+)?$",
    re.IGNORECASE,
)
# Where a free value ends: behind "Dr. No", "Monsters, Inc." and "Node.js", and not within them.
_MARK = (
    r"(?:[;!?\n]|,(?!\ (?:(?:Inc|Ltd|Jr|Sr)\b|[A-Z]\.[A-Z]))"
    r"|(?<!\b(?:St|Ft|Mt|Pt|Dr|Mr|Ms))(?<!\bMrs)(?<!\b[A-Z])\.(?!\w)"
    # "Ursula K. Le Guin", and not "vitamin C. It helps".
    r"|(?<=\b[A-Z])\.(?!\w|\ (?!(?:I|It|My|The|This|That|What|Can|Could|So|But|And|We|They|He|She|You|How|Do|Is|Please"
    r"|Thanks|[A-Z]\w+'s)\b)[A-Z]))"
)
_KEY = (
    r"(?P<key>(?!(?:(?:part|thing|moment|line|scene|bit|way|one)s?|memory|memories|is|are|was|of|to|so|and|in|for|by)\b)"
    r"[a-z][a-z' -]{1,40}?)"
)
_FAVOURITE = re.compile(
    rf"\b[Mm]y\s+(?:(?:all-time|absolute|current)\s+)?(?:favou?rite|fave)\s+{_KEY}\s+(?:is|are)\s+"
    r"(?:now\s+|actually\s+|probably\s+|definitely\s+)?(?!not\b|when\b|how\b|that\b|to\b|the\s+one\b)"
    rf"(?P<value>[^;!?\n]{{2,60}}?(?:(?:(?<=\.[A-Z])|(?<=\b(?:Inc|Ltd))|(?<=\b(?:Jr|Sr)))\.)?(?:{MORE})?)"
    rf"(?<!\s)(?<!\b(?:St|Ft|Mt|Pt|Dr|Mr|Ms)\.)(?=\s*(?:{_MARK}|-+>|$)|\s+(?:[–—-]+\s|and\s|{CLAUSE}))"
)
# "Emma is my favourite book": what stands before it must begin the sentence or a clause.
_IS_FAVOURITE = re.compile(
    r"(?:^\W*|[,;:.!]\s+|\b(?:and|but|so|because)\s+)(?:(?i:and|but|so|because|well|yes|yeah|oh|okay|ok|honestly"
    r"|personally|I\s+(?:think|guess|believe|suppose|know|would\s+say)(?:\s+that)?|I'd\s+say)[,]?\s+){0,3}"
    r"(?P<value>[^\s,;:.!?][^,;:.!?\n]{1,40}?)\s+(?:is|are)\s+(?:(?:still|now|definitely|probably|also)\s+)?my\s+"
    rf"(?:(?:all-time|absolute|current)\s+)?(?:favou?rite|fave)\s+{_KEY}"
    rf"(?=\s+(?:ever|now|of\s+all\s+time|by\s+far|these\s+days|though|too|and)\b|\s*(?:[.,!;)\n]|$)|\s+(?:[–—-]+\s|{CLAUSE}))"
)
# A favourite that was asked for, or is not named.
_UNNAMED = re.compile(
    r"^(?:which|what|who|that|this|the\s+(?:first|second|third|last|latter|former|one|other)|is|are|not|if|whether|one|\d+)\b",
    re.IGNORECASE,
)
_MUCH = r"(?:really|absolutely|just|also|do|truly|still|always|definitely|especially|particularly)"
_FAN = r"(?:(?:big|huge|total|massive|lifelong|great)\s+)*fan\s+of"
_LIKES = (
    (
        "likes",
        re.compile(
            rf"\bI(?:\s+{_MUCH})*\s+(?:love|like|enjoy|adore)\s+(?P<value>[a-z][\w' -]{{2,48}}?(?:{MORE})?){ENDS}",
            re.IGNORECASE,
        ),
    ),
    (
        "likes",
        re.compile(
            rf"{I_AM}\s+(?:(?:{_MUCH}|very|so|pretty)\s+)*(?:an?\s+{_FAN}|(?:passionate|enthusiastic|crazy)\s+about|obsessed\s+with|into)\s+"
            rf"(?P<value>[\w' -]{{2,48}}?(?:{MORE})?){ENDS}"
        ),
    ),
    (
        "dislikes",
        re.compile(
            rf"\bI(?:\s+{_MUCH})*\s+(?:hate|dislike|detest|can't\s+stand|don't\s+(?:really\s+)?(?:like|enjoy)"
            rf"|do\s+not\s+like|no\s+longer\s+(?:like|love|enjoy))\s+"
            rf"(?P<value>[a-z][\w' -]{{2,48}}?(?:{MORE})?){ENDS}",
            re.IGNORECASE,
        ),
    ),
    (
        "dislikes",
        re.compile(
            rf"{I_AM}\s+(?:{_MUCH}\s+)*(?:not|no)\s+(?:{_MUCH}\s+)*(?:(?:an?\s+)?{_FAN}|into)\s+"
            rf"(?P<value>[\w' -]{{2,48}}?(?:{MORE})?){ENDS}"
        ),
    ),
)
# What has "the" before it though nobody asks which.
_THE = (
    r"(?:ocean|sea|seaside|beach|mountains?|hills|outdoors|rain|snow|woods|forests?|sun|sunshine|summer|winter|autumn"
    r"|spring|countryside|desert|cold|heat|theat(?:er|re)|opera|cinema|movies|circus|ballet|piano|violin|guitar|cello)"
)
_NO_TASTE = re.compile(
    rf"{_PRONOUN}|^(?:to|myself|the(?!\s+(?:{_THE}\b|(?-i:(?:[A-Z]\w+\s){{0,2}}[A-Z]\w+s)$))|an?|some|both|\w+(?:n't)|about|idea|where|and|in|for|on|so|too"
    r"|very|not)\b|\b(?:idea|sound|looks?|suggestions?|plan|approach|feeling|point|part|way"
    r"|thanks|too|though|now)\b",
    re.IGNORECASE,
)
# "Making a safe, warm place": the mark stands within what is liked.
_AN_ADJECTIVE = re.compile(r"\ban?\s+[\w-]+\Z")
_LIKED = re.compile(
    r"(?:^|[^\w\s'’]|\b(?:and|but|so|because|since|'?cause|why|know|well|yeah|yes|also|much"
    r"|think|guess|that|actually|personally))\s*$",
    re.IGNORECASE,
)


def tastes(text: str) -> Iterator[Claim]:
    """What a sentence says its speaker likes and prefers."""
    for match in told((_PREFERS,), text):
        value = untailed(match["value"])
        before = text[: match.start()]
        if (
            value
            and not (_NO_PREFERENCE.search(match["value"]) or _ONCE.search(before[-60:]))
            and not re.search(r"\b(?:as|like|which|that|than)\s*$", before)
        ):
            yield Claim(
                "answers" if _ABOUT_ANSWERS.search(value) else "taste", value, match.start(), "prefers"
            )
    for match in told((_FAVOURITE,), text):
        if value := trimmed(match["value"]):
            yield Claim("taste", value, match.start(), _favourite(match))
    for match in told((_IS_FAVOURITE,), text):
        value = match["value"].strip()
        if (
            not (re.search(rf"{_PRONOUN}|\bI\b", value, re.IGNORECASE) or _UNNAMED.match(value))
            and len(value.split()) <= 6
        ):
            yield Claim("taste", value, match.start("value"), _favourite(match))
    for key, pattern in _LIKES:
        for match in told((pattern,), text):
            value = trimmed(match["value"])
            # "something I love is awesome": a clause that says which.
            if not value or _NO_TASTE.search(value) or _NO_PREFERENCE.search(value):
                continue
            if any(len(each.split()) > 5 for each in items(value)) or _ends_in_adjective(match):
                continue
            if match[0].startswith(("I'm", "I am")) or _LIKED.search(text[: match.start()]):
                yield Claim("taste", value, match.start(), key)


def _ends_in_adjective(match: re.Match[str]) -> bool:
    return _AN_ADJECTIVE.search(match[0]) is not None and match.string.startswith(",", match.end())


def _favourite(match: re.Match[str]) -> str:
    return f"favourite {match['key'].strip().lower()}"
