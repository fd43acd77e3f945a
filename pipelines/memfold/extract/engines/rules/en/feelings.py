"""How English sentences say what their speaker feels: a table of words, and the pattern around them."""

from __future__ import annotations

import re

from memfold.extract.engines.rules.rule import at_words
from memfold.text.terms import lexicon

# Words that tell how the user feels; "not" before one turns it round.
POLARITY: dict[str, float] = {
    **dict.fromkeys(lexicon("thrilled ecstatic overjoyed delighted"), 1.0),
    **dict.fromkeys(
        lexicon("happy excited proud grateful glad thankful optimistic joyful elated amazed"), 0.8
    ),
    **dict.fromkeys(
        lexicon(
            "confident relieved pleased satisfied hopeful motivated encouraged inspired "
            "comfortable calm content eager"
        ),
        0.6,
    ),
    **dict.fromkeys(
        lexicon("nervous tired struggling bored uneasy skeptical sceptical concerned confused"), -0.4
    ),
    **dict.fromkeys(
        lexicon(
            "worried anxious stressed frustrated disappointed upset sad annoyed overwhelmed "
            "discouraged guilty lonely exhausted afraid scared insecure embarrassed stressful "
            "jealous"
        ),
        -0.7,
    ),
    **dict.fromkeys(lexicon("devastated furious miserable heartbroken terrified hopeless depressed"), -1.0),
}
# Feelings that judge their object. Worry, confusion and confidence describe only the speaker: 41 of 88 beliefs of real
# conversations were such moods ("I'm worried about my mom" became "my mom: disliked").
JUDGING = lexicon(
    "thrilled delighted happy excited proud grateful glad thankful amazed pleased satisfied content inspired "
    "tired bored frustrated disappointed annoyed"
)
_FEELINGS = "|".join(sorted(POLARITY, key=len, reverse=True))
_REACH = r"(?:[^-,.;!?]|[-,.](?=\w)){2,80}"
# An act, an event or a place is not judged ("glad to be back", "happy that the rain has stopped", "bored at the
# airport"), nor is the person one is happy for.
FEELING = at_words(
    rf"""(?:(?:I|we)\s+(?:(?:was|were|am|are|feel|felt|get|got|became|become)\b
      |have\ been\s+feeling\b)|(?:I|we)(?:'m|'re|'ve\ been|\ have\ been)\b|(?:I|we)(?:'m|'re|\ am
      |\ are)\ feeling\b|(?:^|[,;]\s)feeling\b|makes?\ me\b|made\ me\b|left\ me\b)
      \s+(?P<how>(?:(?:feeling|feel|really|very|so|quite|kinda|kind\ of|a\ bit|a\ little|pretty
        |extremely|super|too|also|still|just|more|less|much|somewhat|incredibly|genuinely|not|never
        |no\ longer|starting\ to\ feel|getting)\s+)*)(?P<word>{_FEELINGS})\b
      (?:\s+(?:(?:about|with|by|of|over|(?:(?<=ful\s)|(?<=excited\s))for)\s+(?:the\s+|my\s+)?(?P<about>{_REACH})
        |(?:that|to|at|for)\s+{_REACH}))?""",
    first="filmw,;",
)
TURNED = re.compile(r"\b(?:not|never|no longer|less)\b", re.IGNORECASE)
