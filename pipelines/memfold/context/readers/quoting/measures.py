"""What is measured where a question asks for a measure of something, and which sentences name one: a price is no answer
to how long. Families of words in English and Chinese. Knows no context."""

from __future__ import annotations

import re
from typing import Literal

Measure = Literal["money", "duration", "distance"]


def measure(question: str) -> Measure | None:
    """What a question asks to be measured, None where it does not say."""
    return next((name for name, pattern in _ASKED if pattern.search(question)), None)


def holds(what: Measure, text: str) -> bool:
    """Whether a text names such a measure."""
    return _NAMED[what].search(text) is not None


_ASKED: tuple[tuple[Measure, re.Pattern[str]], ...] = (
    (
        "distance",
        re.compile(
            r"\bhow far\b(?! (?:along|into|have|did))|\b(?:what|which)\b[^?]*\bdistance\b|多远|距离是",
            re.IGNORECASE,
        ),
    ),
    (
        "money",
        re.compile(
            r"\bhow much (?:money|does|do|did|is|are|was|were)\b[^?]*"
            r"\b(?:cost|pay|paid|spend|spent|charge|worth|money|rent)\b"
            r"|\bwhat (?:is|was|are|does|do|did)\b[^?]*\b(?:cost|price|fee|rent|salary|budget|spending limit)\b"
            r"|\bwhat (?:\w+ )?(?:price|fee|rent|salary|budget)\b"
            r"|\bhow (?:high|expensive)\b[^?]*\b(?:payment|cost|price|fee|rent)\b"
            r"|多少钱|(?:价格?|费用?|资金|预算|租金|房租|上限|工资|花费|薪水)[^，。]{0,4}(?:是|有)?多少",
            re.IGNORECASE,
        ),
    ),
    (
        "duration",
        re.compile(
            r"\bhow long (?:do|does|is|are|will|did it|should|must)\b"
            r"(?![^?]*\b(?:from|between|until|since|before|after)\b)"
            r"|\b(?:lead time|waiting time|warranty period|notice period)\b"
            r"|(?:需要?|质保|保修|等|要)(?:多久|多长时间|什么期限)|周期是多",
            re.IGNORECASE,
        ),
    ),
)
_NAMED = {
    "money": re.compile(
        r"[$€£¥￥]\s?\d|\d\s?(?:dollars?|euros?|pounds?|bucks|cents|USD|EUR|GBP|元|块|美元|欧元)|\d万",
        re.IGNORECASE,
    ),
    "duration": re.compile(
        r"\b(?:\d[\d.]*|an?|one|two|three|four|five|six|seven|eight|nine|ten|several|few)[ -]"
        r"(?:second|minute|hour|day|week|fortnight|month|quarter|year|decade)s?\b"
        r"|[\d一二两三四五六七八九十半几]\s?(?:秒|分钟|个?小时|个?钟头|天|日|周|个?星期|个?月|年)",
        re.IGNORECASE,
    ),
    "distance": re.compile(
        r"\d\s?(?:km|kilomet(?:re|er)s?|miles?|met(?:re|er)s?|m|yards?|blocks?|feet|ft)\b"
        r"|\b(?:minutes|hours?) (?:away|from)\b|\d\s?(?:公里|千米|里|米|站)",
        re.IGNORECASE,
    ),
}
