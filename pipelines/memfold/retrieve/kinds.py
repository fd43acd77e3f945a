"""The kind of a question about time or numbers, told from its words in English and Chinese.

The answer to most questions stands in one place; these need many, in order of time, or reckoning. Knows no ranking.
"""

from __future__ import annotations

import re
from typing import Literal, get_args

# An order of things; a summary; the time between two; how many or how much; what was within a time that is named.
Kind = Literal["order", "summary", "span", "count", "period"]
KINDS: tuple[Kind, ...] = get_args(Kind)

_UNIT = r"(?:days?|weeks?|months?|years?|hours?|minutes?|time)"
_PATTERNS: tuple[tuple[Kind, str], ...] = (
    (
        "summary",
        r"\bsummar|\boverview\b|\brecap\b|\bprogressed\b[^?]*\b(?:so far|over time|throughout|across)\b"
        r"|总结|概述|概括|概览|回顾|历程|来龙去脉",
    ),
    (
        "order",
        r"\b(?:in|the|what|which|chronological|correct) order\b(?! (?:to|that|number|id|form|did I place)\b)"
        r"|\bchronolog|\bthe timeline\b"
        r"|\btimeline (?:of|when|for)\b|\bsequence (?:of|in which)\b|\bin sequence\b|\bevolved?\b|\bstep by step did\b"
        r"|顺序|先后|时间线|演变|按时间",
    ),
    (
        "span",
        rf"\bhow (?:many|much) (?:\w+ )?{_UNIT}\b[^?]*\b(?:between|passed|elapsed|before|after|until|till|since|from"
        r"|apart|later|left|ago)\b|\bhow (?:long|much time)\b[^?]*\b(?:between|passed|elapsed|before|after|until"
        r"|till|since|from|to get|did it take|does it take|ago)\b"
        r"|\bhow (?:many|much) (?:\w+ )?(?:days?|weeks?|months?|years?)\b"
        r"|(?:多少|几)个?(?:天|周|星期|月|年|小时)|多久|多长时间|相隔|间隔",
    ),
    (
        "count",
        r"\bhow (?:many|much|often)\b|\bin total\b|\baltogether\b|\btotal (?:number|amount|of|cost)\b|\bnumber of\b"
        r"|多少|几[个次种项条本天]|一共|总共|合计|总数",
    ),
)  # fmt: skip
_KINDS = [(kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _PATTERNS]
# "How many minutes in total did we spend" is a sum, whatever else its words say.
_SUM = re.compile(r"\b(?:in total|total|altogether|spend|spent|sum)\b|一共|总共|合计", re.IGNORECASE)


def kind(question: str, *, dated: bool) -> Kind | None:
    """The kind of a question, None for one of no kind here; `dated` says that it names a range of dates."""
    for found, pattern in _KINDS:
        if pattern.search(question):
            return "count" if found == "span" and _SUM.search(question) else found
    return "period" if dated else None
