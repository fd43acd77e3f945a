"""Facts (key, value) that stand in a sentence as they are: measures, versions, names, dates, "my X is Y".

A key is the words next to the value that say what it is of; nothing is inferred.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memfold.extract.engines.rules.rule import at_words
from memfold.extract.engines.rules.text import lexicon
from memfold.schema import Fact
from memfold.text.dates import Mention
from memfold.text.sentences import Sentence

_UNIT = (
    r"(?:%|percent|°[CF]|ms|milliseconds?|μs|ns|seconds?|secs?|minutes?|mins?|hours?|hrs?"
    r"|days?|weeks?|months?|years?|"
    r"[KMGT]i?B(?:/s)?|bytes?|bits?|kbps|Mbps|Gbps|GHz|MHz|Hz|fps|rps|qps|km|kilometers?"
    r"|miles?|meters?|metres?|cm|mm|"
    r"kg|kilograms?|lbs?|pounds?|grams?|oz|ounces?|liters?|litres?|ml|mg|kcal|calories|watts?|kW|kWh|volts?|"
    r"USD|EUR|GBP|dollars?|euros?|px|pixels?|tokens?|words?|pages?|people|users?|points?|am|pm)"
)
_MEASURE = re.compile(
    rf"(?<![\w.])(?P<value>[$€£¥₹]\s?\d[\d,]*(?:\.\d+)?(?:\s?(?:k|K|M|million"
    rf"|billion)\b)?(?:\s?(?:/|per)\s?[a-z]+)?"
    rf"|\d[\d,]*(?:\.\d+)?(?:[-–]\d[\d,]*(?:\.\d+)?)?\s?-?{_UNIT}(?![\w]))"
)
_COUNT = re.compile(
    r"(?<![\w.$€£:/-])(?P<value>\d[\d,]*(?:\.\d+)?\s+(?:(?!of|and|or|to|in|for|on|at|is"
    r"|are|was|from|by|with|the|as)[a-z-]+\s+){0,2}?(?P<noun>(?!this|is|was|has|does|as"
    r"|its)[a-z-]{3,}s))\b"
)
_DIGIT = re.compile(r"\d")
_POINT = re.compile(r"\d\.\d")
_PERCENT = re.compile(r"(?<![\w.])\d[\d,.]*\s?%")
_VERSION = re.compile(
    r"\b(?P<name>[A-Z][A-Za-z0-9+#]*(?:[.\-][A-Za-z]+)?(?:\s[A-Z][A-Za-z]+)?)\s+(?:version\s+)?v?(?P<value>\d+(?:\.\d+){1,3}(?:[-.]?(?:alpha"
    r"|beta|rc|LTS)\d*)?)\b(?!\s?%)"
)
_PORT = at_words(
    r"(?P<key>port|room|version|chapter|section|level|phase|grade|sprint|week|unit|module"
    r"|page|question|problem)\s+\#?(?P<value>\d[\d.]*\d|\d)\b",
    first="cglmpqrsuvw",
)
_LITERAL = re.compile(
    r"(?P<url>https?://[^\s<>\"')\]]{3,200})"
    r"|(?P<email>\b[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{2,24}){1,3}\b)"
)
_MINE = re.compile(
    r"\b(?=my|our)(?<!\bif )(?<!\bthat )(?<!\bhow )(?<!\bsure )(?<!whether )(?:my"
    r"|our)\s+(?P<key>(?:[\w'-]+\s+){0,4}?[\w'-]+)\s+(?:is|are|was|were)\s+(?!(?:not|going"
    r"|to|that|so|very|really|too|also|still|currently|n't|working|trying|being|getting"
    r"|having|doing)\b)(?P<value>[^,.;!?]{2,80})",
    re.IGNORECASE,
)
_ROLE = (
    r"wife|husband|partner|spouse|girlfriend|boyfriend|fianc[eé]e?|son|daughter|brother"
    r"|sister|mother|father|mom|mum|dad|parents?|"
    r"uncle|aunt|cousin|nephew|niece|grandmother|grandfather|grandma|grandpa|friend"
    r"|best friend|close friend|neighbou?r|boss|manager|"
    r"mentor|coach|teacher|tutor|professor|advisor|supervisor|colleague|co-?worker"
    r"|teammate|roommate|classmate|client|doctor|therapist|"
    r"lawyer|attorney|accountant|agent|editor|publisher|assistant|dog|cat|team lead|lead"
    r"|producer|director|recruiter|landlord"
)
_KIN = re.compile(
    rf"\b(?i:my|our)\s+(?:(?:[a-z]+)\s+)?(?P<role>{_ROLE})(?:,|\s+is|\s+named|\s+called"
    rf"|'s\s+name\s+is)?\s+(?P<name>[A-Z][a-z]+(?:\s[A-Z][a-z]+)?)"
    rf"|\b(?P<name2>[A-Z][a-z]+(?:\s[A-Z][a-z]+)?),\s+my\s+(?:[a-z]+\s+)?(?P<role2>{_ROLE})\b"
)
_SELF = re.compile(
    r"\b(?:I'm|I am|my name is|My name is"
    r"|call me)\s+(?P<name>[A-Z][a-z]+(?:\s[A-Z][a-z]+)?)(?=[,.;!]|\s+and\b|\s+(?:a|an|the)\b"
    r"|$)"
)
_SELVES = ("I'm ", "I am ", "name is ", "call me ")
_NAME = re.compile(
    r"\b(?!AM\b|PM\b|I\b|I')[A-Z][\w'&-]*(?:\s+(?:of|the|de|van|von|&)\s+[A-Z][\w'&-]*"
    r"|\s+[A-Z][\w'&-]*){1,4}\b"
)
_AGE = re.compile(
    r"\b(?:I'm|I am)\s+(?P<value>\d{1,3})(?:\s+years?\s+old|-year-old)"
    r"|\b(?P<value2>\d{1,3})-year-old\b"
)

_STOP = lexicon(
    "a an the of is are was were be been to at by in on for with from about around over "
    "under and or but so that this these those it its "
    "i i'm i've i'd we we've we're you he she they my our your his her their have has "
    "had having which who when where while as than then "
    "only just up nearly almost approximately exactly roughly least most more less "
    "within each every all any some can could would will "
    "should if not no do does did me us them there now using use like into after before "
    "since between per total current currently"
)
_NOUN_STOP = lexicon(
    "trying want need help get make sure know think considering working going using got take "
    "takes took spend spent keep set wondering given"
)
_TOKEN = re.compile(r"[A-Za-z][\w'./+#-]*")
# A key stands right before its value; further left is another matter.
_REACH = 60

_ZH_MEASURE = re.compile(
    r"(?P<value>(?:[¥￥$]\s?)?\d[\d,.]*\s?(?:[-–~到至]\s?\d[\d,.]*\s?)?(?:%|％|万|亿|千"
    r"|百)?\s?(?:元|块钱?|美元|人民币|毫秒|秒钟?|分钟|个?小时|天|周|个月|年(?!\d)|岁|人|个"
    r"|次|台|本|页|字|公里|千米|米|厘米|公斤|千克|克|斤|度|平米|平方米|升|毫升|GB|MB|KB|TB"
    r"|ms|kg|km|cm|%|％|条|篇|件|户|名|位|门|节))"
)
_ZH_MINE = re.compile(
    r"我(?:们)?的(?P<key>[^，。；！？、是的]{1,12})(?:是|叫|为)(?!不是|否|什么|谁|怎|不|很"
    r"|在)(?P<value>[^，。；！？]{1,40})"
)
_ZH_SELF = re.compile(r"我(?:叫|的名字(?:是|叫))(?P<value>[^，。；！？\s的了他她你]{2,8})")
_ZH_LIVES = re.compile(r"我(?:现在|目前|一直)?(?P<key>住在|来自|毕业于)(?P<value>[^，。；！？]{2,20})")
_ZH_KIN = re.compile(
    r"我(?:的)?(?P<key>妻子|老婆|丈夫|老公|儿子|女儿|妈妈|爸爸|哥哥|弟弟|姐姐|妹妹|朋友|老板"
    r"|经理|同事|老师|导师|医生|邻居|室友|狗|猫)(?:叫|是"
    r"|名叫)(?P<value>[^，。；！？\s的]{1,8})"
)
_ZH_KEY = re.compile(
    r"([^\s，。；！？、：:（）()\d]{1,12}?)(?:大约|大概|约|约为|是|为|有|共|达到?|达|超过"
    r"|不超过|在|控制在|要|了|花了?|至少|最多|只有|只|已经|已|到|从)*$"
)


def facts(sentence: Sentence, dates: Sequence[Mention], head: int = 0) -> Iterator[Fact]:
    """The facts of one sentence; `dates` are those already found in it. Its first `head` characters are the source's
    and name who speaks."""
    yield from _chinese(sentence, dates) if sentence.chinese else _english(sentence, dates, head)
    # A pattern that is tried at every place of a sentence takes 4 to 19 us. Here and in `_english`, most sentences lack
    # what it cannot match without.
    if "://" in sentence.text or "@" in sentence.text:
        for m in _LITERAL.finditer(sentence.text):
            yield Fact("link" if m["url"] else "email", m[0].rstrip(".,;"))
    if _POINT.search(sentence.text):
        yield from _versions(sentence.text)


def _english(sentence: Sentence, dates: Sequence[Mention], head: int) -> Iterator[Fact]:
    text, words = sentence.text, sentence.words
    if not words.isdisjoint(("my", "our", "i'm", "i", "me")):
        if any(map(text.__contains__, _SELVES)):
            for m in _SELF.finditer(text):
                yield Fact("name", m["name"])
        lower = text.lower()
        if "my" in lower or "our" in lower:
            for m in _KIN.finditer(text):
                yield Fact(m["role"] or m["role2"], m["name"] or m["name2"])
            for m in _MINE.finditer(text):
                if _TOKEN.search(m["key"]):
                    yield Fact(m["key"].lower(), m["value"].strip())
        if "year" in text:
            for m in _AGE.finditer(text):
                yield Fact("age", m["value"] or m["value2"])
    if _DIGIT.search(text):
        taken = [(found.start, found.end) for found in dates]
        for found in dates:
            yield Fact(_key(text, found.start, found.end) or "date", found.literal)
        for pattern in (_MEASURE, _PERCENT, _COUNT) if "%" in text else (_MEASURE, _COUNT):
            for m in pattern.finditer(text):
                if any(start < m.end() and m.start() < end for start, end in taken):
                    continue
                taken.append(m.span())
                noun = m["noun"] if pattern is _COUNT else None
                key = _key(text, m.start(), m.end()) or noun
                if key:
                    yield Fact(key, m[0].strip())
        for m in _PORT.finditer(text):
            yield Fact(m["key"].lower(), m["value"])
    for m in _NAME.finditer(text):
        # The first word of a sentence is capitalised whatever it is: "Nate: Hey Joanna!" names no Hey Joanna.
        if m.start() > head or " of " in m[0]:
            yield Fact("name", m[0])


def _chinese(sentence: Sentence, dates: Sequence[Mention]) -> Iterator[Fact]:
    text = sentence.text
    for m in _ZH_SELF.finditer(text):
        yield Fact("名字", m["value"])
    for pattern in (_ZH_KIN, _ZH_MINE, _ZH_LIVES):
        for m in pattern.finditer(text):
            yield Fact(m["key"], m["value"])
    for found in dates:
        key = _ZH_KEY.search(text[max(0, found.start - 16) : found.start])
        yield Fact(key[1] if key else "日期", found.literal)
    for m in _ZH_MEASURE.finditer(text):
        if any(found.start < m.end() and m.start() < found.end for found in dates):
            continue
        key = _ZH_KEY.search(text[max(0, m.start() - 16) : m.start()])
        if key:
            yield Fact(key[1], m["value"])


def _versions(text: str) -> Iterator[Fact]:
    for m in _VERSION.finditer(text):
        yield Fact(f"{m['name']} version", m["value"])


def _key(text: str, start: int, end: int) -> str | None:
    """Up to four words before a value, or failing them the two after it, that say what it is of."""
    before = re.split(r"[,;:()!?]|\.\s", text[max(0, start - _REACH) : start])[-1]
    words = _TOKEN.findall(before)
    if start > _REACH and words:
        words = words[1:]
    while words and words[-1].lower() in _STOP:
        words.pop()
    kept: list[str] = []
    for word in reversed(words):
        if word.lower() in _STOP - {"of", "for"} or word.lower() in _NOUN_STOP or len(kept) == 4:
            break
        kept.append(word)
    while kept and kept[-1].lower() in _STOP:
        kept.pop()
    if kept:
        return " ".join(reversed(kept)).lower()
    after = _TOKEN.findall(re.split(r"[,;:.()!?]", text[end : end + _REACH])[0])[:4]
    found: list[str] = []
    for word in after:
        if word.lower() in _STOP:
            if found:
                break
            continue
        found.append(word)
        if len(found) == 2:
            break
    return " ".join(found).lower() or None
