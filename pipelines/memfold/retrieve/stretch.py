"""Questions for everything in a stretch of time: "what did we talk about last week?", "What happened on 9 March 2024?".

Their words say when and not what, so there is nothing else to search by: what belongs to that time is the answer, and
what was said at any other time is not. Knows no conversation.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from memfold.retrieve.times import YEAR, in_year
from memfold.text.dates import ranges
from memfold.text.scripts import IDEOGRAPH


@dataclass(frozen=True, slots=True)
class Stretch:
    """From `first` to `last`, both included. `said` asks for what was said then; else for what happened, which may have
    been said later."""

    first: date
    last: date
    said: bool


def stretch(question: str, today: date | None) -> Stretch | None:
    """The time of which a question asks for everything; None where it asks for something else, or the time is not told.
    "Yesterday" is told from `today`, the day on which it is asked."""
    found = ranges(question, today)
    if len(found) != 1:
        return None
    (when,) = found
    if when.first is None or when.last is None or (when.relative and today is None):
        return None
    rest = " ".join(_WHEN.sub("", question[: when.start]).split()), " ".join(question[when.end :].split())
    asked = " ".join(part for part in rest if part).strip(" ,.?!，。？！")
    if IDEOGRAPH.search(asked):
        asked = asked.replace(" ", "")
    for pattern, said in ((_SAID, True), (_DONE, False)):
        if pattern.fullmatch(asked):
            first, last = when.first, when.last
            # What is asked for has been: "in May", asked in March, is the May before.
            if today is not None and first > today:
                if when.relative or YEAR.search(when.literal):
                    return None
                first, last = (in_year(each, each.year - 1) for each in (first, last))
            return Stretch(first, last, said)
    return None


# What leads up to the date.
_WHEN = re.compile(r"\s*\b(?:on|in|during|between|from|over|of|at|the)\s*$", re.IGNORECASE)
_LEAD = (
    r"(?:(?:please|so|and|hey|ok(?:ay)?)[, ]+)*(?:(?:can|could|would) you (?:please )?)?"
    r"(?:(?:do you (?:remember|recall|know)|remind me|tell me|show me|list|summari[sz]e|recap|sum up"
    r"|(?:give me )?(?:a |the )?(?:summary|recap|overview) of)(?: of)? ?)?"
)
# What one person said or did is a question for something; two who are named talked to each other.
_WHO = r"(?:we|i|everyone)"
_TWO = r"(?:we|i|everyone|(?-i:[A-Z][\w'’-]+ and [A-Z][\w'’-]+))"
_SAID = re.compile(
    rf"{_LEAD}(?:(?:(?i:what|which (?:things|topics|subjects))(?: (?:all|else))?"
    rf" (?:(?:did|have|had|were|was) )?(?:{_TWO} )?(?:been )?"
    r"(?:talk(?:ed|ing)?|chat(?:ted|ting)?|sp(?:eak|oke|oken)|discuss(?:ed|ing)?|say|said|tell|told|mention(?:ed)?"
    r"|cover(?:ed)?|ask(?:ed)?|come up|came up)(?: (?:you|me|each other|together))?(?: about)?"
    r"(?: (?:with (?:you|me|each other)|together))?)"
    r"|(?:our|the) (?:conversations?|chats?|talks?|discussions?)|everything (?:we|i) (?:said|talked about|discussed))"
    r"|(?:请)?(?:总结|概括|回顾)?(?:一下)?(?:我们|咱们|我)?(?:都)?"
    r"(?:(?:聊|谈|说|讨论|提到)(?:过|了|的)?(?:些|哪些|是)?(?:什么|内容|话题|事情?)?(?:呢)?"
    r"|的?(?:聊天|对话|谈话|讨论)(?:内容)?)",
    re.IGNORECASE,
)
_DONE = re.compile(
    rf"{_LEAD}(?:(?:(?i:what)(?: (?:all|else))? (?:(?:did|have|was|were|had) )?(?:{_WHO} )?(?:been )?"
    r"(?:do|doing|done|did|happen(?:ed|ing)?|going on|went on|up to|get up to|got done)(?: with me)?)"
    r"|what (?:was|were) (?:i|we) (?:doing|up to)|everything (?:that )?(?:happened|i did|we did))"
    r"|(?:我们|咱们|我)?(?:都)?(?:发生|做|干)(?:过|了)?(?:些|哪些)?(?:什么|事情?|什么事)?(?:吗|呢)?",
    re.IGNORECASE,
)
