"""Exchanges that hold nothing to extract: thanks, greetings and acknowledgements, in English and Chinese.

Such an exchange costs no request. It is one whose user says only such words, to whomever, and whose answer is a short
one without figures. A yes or a no is an answer to something and never nothing; so are a name and an opinion.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from memfold.extract.speaker import head
from memfold.schema import Window
from memfold.text.calendar import MONTH_NAMES, WEEKDAYS

# After "thanks", an assistant that goes on for longer than a courtesy may have said something. In bytes: in Chinese, so
# many characters are a paragraph.
MAX_ANSWER = 240
# A longer run of courtesies is looked at by the model: nobody says thanks in 80 characters without saying for what.
MAX_SAID = 80

_GOOD = (
    r"(?:so |really |very |super |pretty )?(?:great|awesome|amazing|wonderful|fantastic|incredible|lovely|sweet|cool"
    r"|nice|excellent|brilliant|perfect|beautiful|inspiring|impressive|helpful|good to (?:hear|know))"
)
_FOR = (
    r"(?: for)? (?:being (?:there|here)(?: for me)?|having my back|(?:all )?(?:the|your|that|this|it)(?: kind)?"
    r"(?: (?:help|support|words|advice|encouragement|tips?|kindness|friendship|feedback|update))?(?: today)?"
    r"|everything|sharing(?: this| that| it)?(?: with me)?|asking|listening)"
)
# No word of time is among them: "Alright, see you tomorrow!" is what a question about dates was answered from.
_EN = "|".join(
    (
        r"(?:(?:ok(?:ay)?|alright|all right|cool|great|wow|aw+),? )?(?:thanks?(?: you)?|thank u|thx|ty)"
        rf"(?: (?:so|very) much| a (?:lot|million|ton|bunch)| again|{_FOR})*",
        rf"much appreciated|(?:i )?(?:really )?appreciate(?:{_FOR}| you)(?: (?:so|very) much| a lot)?|cheers",
        r"(?:(?:it|that|this|your (?:support|help|(?:kind )?words|friendship|encouragement)) )?(?:really )?"
        r"means? (?:a lot|so much|the world|everything)(?: to me)?",
        r"ok(?:ay)?|k|alright|all right|got it|gotcha|i see|understood|noted",
        r"(?:that )?makes sense|fair enough|will do",
        rf"(?:(?:that(?:'s| is)|how|wow) )?{_GOOD}|what an? {_GOOD} (?:job|story|view|photo|pic|picture)",
        r"you(?:'re| are) (?:very |so )?welcome|no (?:problem|prob|worries)|my pleasure|any ?time",
        r"(?:i'm )?(?:always )?(?:here|happy|glad) (?:for (?:you|ya)|to help|i could help)(?: (?:you|ya))?(?: out)?",
        r"glad (?:it|that) helped(?: you| ya)?|glad (?:you|ya) (?:like|love|enjoy)(?:d|ed)? (?:it|that|them)",
        r"let me know if you need (?:anything|(?:any )?help)(?: else)?|feel free to reach out(?: any ?time)?",
        r"keep (?:it up|going|pushing)|way to go|well done|good (?:job|work|luck|for you|on you)|great job",
        r"nice (?:work|one)|you(?:'ve| have)? got this|(?:we|you) can do (?:it|this)|you rock|never give up",
        r"that's the spirit|(?:i'm )?(?:so )?proud of you|congrat(?:s|ulations)|lucky you|long time no see",
        r"(?:good|great|nice) (?:to see|seeing|to hear from|hearing from|talking to|chatting with) you(?: again)?",
        r"have (?:fun|a (?:nice|good|great|safe) (?:day|one|evening|night|time|weekend))",
        r"enjoy(?: it| yourself| your (?:day|evening))?|you too",
        r"stay safe|take care(?: of yourself)?|all the best|hang in there",
        r"hi|hello|hey|(?:hi|hello|hey) there|good (?:morning|afternoon|evening|night)",
        r"(?:good)?bye|bye bye|(?:talk|chat) soon|take it easy",
        r"(?:see|talk to|catch) (?:you|ya)(?: (?:later|soon|around|there|then))?",
        r"lol|(?:ah )?haha(?:ha)*|hmm+|ah+|oh|wow|whoa|phew|yay",
    )
)
_ZH = (
    r"(?:好的?|行|嗯|哦|噢|喔|ok)?(?:谢谢|多谢|感谢|谢了|謝謝|多謝|感謝)(?:你|您|啦|了|哦|你的帮助|您的帮助|你的幫助|您的幫助)*"
    r"|好的?(?:呀|啊|吧|呢|哦|嘞)?|嗯|哦|噢|收到|明白了?|知道了|我知道了|了解了?|懂了|我明白了|没问题|沒問題|辛苦了"
    r"|太好了|太棒了|真棒|不错|很好|厉害|非常好|不客气|不客氣|不用谢|没事"
    r"|加油|恭喜(?:恭喜|你|您)?|祝贺你|保重|注意身体|祝你好运|为你(?:高兴|骄傲)|真为你(?:高兴|骄傲)|别客气"
    r"|你好|您好|嗨|哈喽|早上好|下午好|晚上好|早安|晚安|再见|再見|拜拜|回头见|哈哈++"
)
# Whole phrases one after the other: between phrases in Latin letters stands a space, Chinese needs none. Only one
# of the ways a phrase may end holds at any place, or a long row of 嗯 would be tried in 2^n ways.
_COURTESY = re.compile(
    rf"(?:(?:{_EN}|{_ZH})(?: |$|(?<=[^\x00-\x7f])(?! |$)|(?<=[\x00-\x7f])(?=[^\x00-\x7f])))*", re.IGNORECASE
)
# A question mark is not among them: "ok?" asks.
_BETWEEN = re.compile(r"[\s,.!;:~…，。！；：～、)(\-–—]+")
# Nor are pictures that say yes or no (👎✅❌✔✖☑🙅), flags, figures and arrows.
_PICTURES = re.compile(
    "(?:(?![\u2611\u2705\u2714\u2716\u274c\U0001f1e6-\U0001f1ff\U0001f44e\U0001f645])"
    "[\u2600-\u27bf\ufe0f\u200d\U0001f000-\U0001faff])+"
)
# Names that are times.
_TIMES = frozenset((*MONTH_NAMES, *WEEKDAYS, "spring", "summer", "autumn", "winter", "noon", "midnight"))
_LETTERS = re.compile(r"[^\W\d_]")


def holds_nothing(window: Window) -> bool:
    """Whether nothing can be written down about this exchange."""
    if any(role not in ("user", "assistant") and text.strip() for role, text in window.messages):
        return False
    if not window.messages:
        return True
    answer = [text for role, text in window.messages if role == "assistant"]
    if sum(len(text.encode(errors="replace")) for text in answer) > MAX_ANSWER:
        return False
    if any(_told(text, window.speakers) for text in answer):
        return False
    said = [_words(text, window.speakers) for role, text in window.messages if role == "user"]
    return said != [] and courtesy("\n".join(said))


def _told(answer: str, speakers: Collection[str]) -> bool:
    """Whether a short answer may say something: one with a figure, or one by a person, who is no assistant."""
    if any(c.isnumeric() for c in answer):
        return True
    words = _words(answer, speakers)
    return words != answer and not courtesy(words)


def _words(text: str, speakers: Collection[str]) -> str:
    """`text` without who says it and whom it is said to: of "Mel: Bye, Jon!" the bye. What is only a name stays: it is
    an answer."""
    said = text.removeprefix(head(text, speakers))
    called = {part for name in speakers for part in (name, *name.split())}
    called = {name for name in called if _LETTERS.search(name) and name.casefold() not in _TIMES}
    if not called or len(said) > MAX_SAID:
        return said
    either = "|".join(map(re.escape, sorted(called, key=len, reverse=True)))
    rest = re.sub(rf"(?<!\w)(?:{either})(?!\w)", " ", said)
    return rest if _LETTERS.search(rest) else said


def courtesy(text: str) -> bool:
    """Whether `text` is nothing but thanks, greetings and acknowledgements, or is empty."""
    if len(text) > MAX_SAID:
        return False
    words = _PICTURES.sub(" ", text).replace("’", "'")
    return _COURTESY.fullmatch(_BETWEEN.sub(" ", words).strip()) is not None
