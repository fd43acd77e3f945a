"""Exchanges that hold nothing to extract: thanks, greetings and acknowledgements, in English and Chinese.

Such an exchange costs no request. It is one whose user says only such words and whose answer is short; a yes or
a no is an answer to something and never nothing.
"""

from __future__ import annotations

import re

from memfold.schema import Window

# After "thanks", an assistant that goes on for longer than a courtesy may have said something.
MAX_ANSWER = 240
# A longer run of courtesies is looked at by the model: nobody says thanks in 80 characters without saying for what.
MAX_SAID = 80

_EN = (
    r"(?:(?:ok(?:ay)?|alright|all right),? )?(?:thanks?(?: you)?|thank u|thx|ty)(?: (?:so|very) much"
    r"| a (?:lot|million|ton)| again| for (?:that|this|(?:all )?(?:the|your) help(?: today)?|everything))*"
    r"|much appreciated|i (?:really )?appreciate (?:it|that|your help)|cheers"
    r"|ok(?:ay)?|k|alright|all right|(?:i )?got it|gotcha|i see|understood|noted"
    r"|makes sense|that makes sense|fair enough"
    r"|great|perfect|cool|nice|awesome|wonderful|excellent|amazing|brilliant|good to know|will do"
    r"|that(?:'s| is)? (?:great|perfect|helpful|very helpful|really helpful|so helpful|awesome)|very helpful"
    r"|you(?:'re| are) welcome|no problem|my pleasure|anytime"
    r"|hi|hello|hey|hi there|hello there|hey there|good (?:morning|afternoon|evening|night)"
    r"|bye|goodbye|bye bye|see you(?: (?:later|soon|tomorrow))?|take care"
    r"|have a (?:nice|good|great) (?:day|one|evening)"
    r"|lol|haha(?:ha)*|hmm+|ah+|oh|wow"
)
_ZH = (
    r"(?:好的?|行|嗯|哦|噢|喔|ok)?(?:谢谢|多谢|感谢|谢了|謝謝|多謝|感謝)(?:你|您|啦|了|哦|你的帮助|您的帮助|你的幫助|您的幫助)*"
    r"|好的?(?:呀|啊|吧|呢|哦|嘞)?|嗯|哦|噢|收到|明白了?|知道了|我知道了|了解了?|懂了|我明白了|没问题|沒問題|辛苦了"
    r"|太好了|太棒了|真棒|不错|很好|厉害|非常好|不客气|不客氣|不用谢|没事"
    r"|你好|您好|嗨|哈喽|早上好|下午好|晚上好|早安|晚安|再见|再見|拜拜|回头见|明天见|哈哈++"
)
# Whole phrases one after the other: between phrases in Latin letters stands a space, Chinese needs none. Only one
# of the ways a phrase may end holds at any place, or a long row of 嗯 would be tried in 2^n ways.
_COURTESY = re.compile(
    rf"(?:(?:{_EN}|{_ZH})(?: |$|(?<=[^\x00-\x7f])(?! |$)|(?<=[\x00-\x7f])(?=[^\x00-\x7f])))*", re.IGNORECASE
)
# A question mark is not among them: "ok?" asks.
_BETWEEN = re.compile(r"[\s,.!;:~…，。！；：～、)(\-–—]+")
_PICTURES = re.compile("[\u2190-\u2bff\ufe0f\u200d\U0001f000-\U0001faff]+")


def holds_nothing(window: Window) -> bool:
    """Whether nothing can be written down about this exchange."""
    said = "\n".join(text for role, text in window.messages if role == "user")
    if any(role not in ("user", "assistant") and text.strip() for role, text in window.messages):
        return False
    if sum(len(text) for role, text in window.messages if role == "assistant") > MAX_ANSWER:
        return False
    return not window.messages or (any(role == "user" for role, _ in window.messages) and courtesy(said))


def courtesy(text: str) -> bool:
    """Whether `text` is nothing but thanks, greetings and acknowledgements, or is empty."""
    if len(text) > MAX_SAID:
        return False
    words = _PICTURES.sub(" ", text).replace("’", "'")
    return _COURTESY.fullmatch(_BETWEEN.sub(" ", words).strip()) is not None
