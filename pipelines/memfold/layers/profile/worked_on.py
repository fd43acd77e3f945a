"""Where a message turns to text that is to be worked on: whoever says "I" behind "proofread this" or "write a letter
from a farmer" is not the one who asks. In doubt it is not: a wrong entry is an error in every later answer."""

from __future__ import annotations

import re

from memfold.text.cued import cued

# A request begins a clause, or follows what asks for it: "I translate novels" is none.
_ASKS = (
    r"(?:(?:^|[.!?;:,\n])\W{0,4}|\b(?:please|can\s+you|could\s+you|would\s+you|will\s+you|help\s+me(?:\s+to)?|and|then|now"
    r"|(?:want|need|like)\s+you\s+to)\s+)(?:(?:please|just|kindly)\s+)*"
)
_TEXT = (
    r"(?:text|e-?mail|letter|poem|story|essay|speech|monologue|diary|bio|biography|statement|song|lyrics|post|blog"
    r"|note|message|paragraph|scene|review|article|dialogue|testimonial|tale|haiku|introduction|profile|piece|entry"
    r"|comment|thread|tweet|paper|assignment|submission|transcript|abstract|pitch|caption|resume|cv|complaint)s?"
)
_OF = (
    r"(?:from\s+(?!me\b|scratch\b|my\s+(?:own|life|childhood|notes)\b|th(?:is|ese|ose)\b)\w"
    r"|as\s+(?:an?|the|if|though|my|someone|somebody)\b|in\s+(?:the\s+)?first[- ]person)"
)
# Each by itself, since most messages hold some of the cues and none holds all: one pattern took a quarter of the time
# of the layer.
_BEGINS = (
    cued(
        re.compile(
            rf"{_ASKS}(?:(?:re-?write|re-?phrase|paraphrase|proof-?read|translate|edit|polish)\b"
            r"|(?:check|fix|correct|improve)\b[^.!?\n]{0,40}?\b(?:grammar|spelling|wording|punctuation)\b"
            r"|grammar\s+check\b)",
            re.IGNORECASE,
        ),
        "write|phrase|proof|translate|edit|polish|grammar|spelling|wording|punctuation",
    ),
    cued(
        re.compile(
            rf"{_ASKS}(?:write|compose|draft|create|generate)\s[^.!?\n]{{0,60}}?\b{_TEXT}\b[^.!?\n]{{0,60}}?\b{_OF}",
            re.IGNORECASE,
        ),
        "write|compose|draft|create|generate",
    ),
    # What is done with a text that stands below.
    cued(
        re.compile(
            rf"{_ASKS}(?:grade|mark|score|critique|assess|evaluate|rate|review|(?:reply|respond)\s+to|comment\s+on"
            rf"|give\s[^.!?\n]{{0,30}}?feedback\s+on)\s(?:[\w']+\s){{0,3}}?(?:this|these|the\s+following)\s"
            rf"[^.!?\n]{{0,30}}?\b{_TEXT}\b(?=[^\n.!?]{{0,60}}[.!?:]*[ \t]*\n)",
            re.IGNORECASE,
        ),
        "grade|mark|score|critique|assess|evaluate|rate|review|reply|respond|comment|feedback",
    ),
    # Whoever plays a part is not who they say they are.
    cued(
        re.compile(
            rf"(?:{_ASKS}|\b(?:let's|let\s+us|(?:want|like|love|going)\s+to|(?:can|could|shall)\s+we)\s+)"
            r"(?:do\s+(?:an?|some)\s+)?(?:role-?\s?play\b|pretend\b)(?!\s+(?:an?\s+|the\s+|my\s+)?(?:[a-z]+\s+)?"
            r"(?:interview|call|meeting|negotiation|pitch|conversation|presentation)\b)"
            r"|\bmy\s+(?:(?:main|new|own|second)\s+)?(?:character|persona|alter\s+ego)(?:'s|\s+(?:is|will\s+be|would\s+be))"
            r"\s+(?:an?|the|named|called|\d)\b",
            re.IGNORECASE,
        ),
        "play|pretend|character|persona|alter",
    ),
    # What is shown on the line itself; `own_words` knows what is shown below it.
    cued(
        re.compile(
            rf"\b(?:here(?:'s|\s+is|\s+are)|below\s+is)\b[^:.!?\n]{{0,60}}\b{_TEXT}\b[^:.!?\n]{{0,30}}:",
            re.IGNORECASE,
        ),
        "here|below",
    ),
)
_BEGINS_IN_CHINESE = re.compile(
    r"(?:(?:^|[，。！？；：,.!?;:\n])\s*|(?:请|帮我|帮忙|麻烦|能不能|可以|把)[^，。！？\n]{0,20}?)"
    r"(?:翻译|润色|校对|改写|改一下|修改一下|检查一下?语法)"
    r"|写[^，。！？\n]{0,30}?(?:第一人称|的口吻|的身份|的视角)"
    r"|[用以][^，。！？\n]{0,20}?(?:第一人称|口吻|身份|视角)[^，。！？\n]{0,10}写"
)


def before_the_work(text: str) -> int:
    """How many characters of a message stand before the first text to be worked on: all, where there is none."""
    text = text.replace("’", "'")
    patterns = _BEGINS if text.isascii() else (*_BEGINS, _BEGINS_IN_CHINESE)
    return min((match.start() for each in patterns if (match := each.search(text))), default=len(text))
