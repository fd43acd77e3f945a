"""Values in free words: where in an English sentence they end, lists of them, and what at their end is not theirs."""

from __future__ import annotations

import re

# With these begins another clause, or what one asks: no part of a value holds one.
_OTHER = (
    r"(?:I(?:'\w+)?|you|we|they|he|she|it|this|that|these|those|my|your|our|his|her|their|who|which|what|how|why|when"
    r"|where|if|is|are|was|were|am|be|has|have|had|do|does|don't|doesn't|did|can|can't|cannot|could|will|would|should"
    r"|never|not|also|then|so|but|and|or|because|since|though|although|while|eat|drink|love|like|likes|hate|enjoy|prefer"
    r"|want|need|please|thanks|thank|any|maybe|perhaps|etc|more|lately|recently|just)"
)
WORD = rf"(?!{_OTHER}\b)[\w'&-]+"


def more(item: str) -> str:
    """A pattern of what stands behind one `item` of a list: its rest, which ends with a word that joins, or is long."""
    return (
        rf"(?:(?:,\s+{item}){{0,8}}(?:,?\s+(?:and|or|nor|&)\s+{item}){{1,2}}"
        rf"|(?:,\s+{item}){{2,8}}(?=\s*(?:[.;!\n]|$)))"
    )


ITEM = rf"{WORD}(?:\s{WORD}){{0,3}}"
MORE = more(ITEM)
# Where a value in free words ends: before a mark, and before a second clause.
CLAUSE = (
    r"(?:but|because|'cause|cos|cuz|since|although|though|even\s+though|which|while|whereas|so(?!\s+(?:very\s+)?much)"
    r"|as\s+(?:I|it|they)|(?:more|better|less)\s+than(?!\s+anything)|(?:and|or)\s+(?:I|I'm|I've|my|we|our|it|it's|they|he|she|you|am|have|can|can't|do|don't|hate"
    r"|dislike|love|like|enjoy|prefer|want|need|would|will|was|also|never))\b"
)
ENDS = rf"(?=\s*(?:[.,!;)\n]|$)|\s+(?:[–—-]+\s|{CLAUSE}))"
_JOINED = re.compile(r",?\s+(?:and|or|nor|&)\s+|,\s+")
# Words at the end that say when, how much and to whom: "red now", "sushi so much". With a capital they are of a title.
_TAIL = re.compile(
    r"(?:[\s,]+(?:(?:right\s+)?now|so\s+(?:very\s+)?much|very\s+much|a\s+(?:lot|bit|ton)|lots|lol|haha|btw|tbh"
    r"|by\s+the\s+way|these\s+days|nowadays|lately|at\s+the\s+moment|currently|again|too|also|as\s+well|any\s?more"
    r"|any\s+longer|at\s+all|though|honestly|actually|the\s+most|more\s+than\s+anything))+\Z"
)
_CLAUSE = re.compile(rf"[\s,]+{CLAUSE}.*", re.DOTALL)


def trimmed(value: str) -> str:
    """A value without a second clause, and `untailed`."""
    return untailed(_CLAUSE.sub("", value.strip()))


def untailed(value: str) -> str:
    """A value without words at its end that say when, how much and to whom."""
    return _TAIL.sub("", value.strip()).strip()


def items(many: str) -> list[str]:
    """The parts of a list."""
    return [each for each in map(str.strip, _JOINED.split(many)) if each]
