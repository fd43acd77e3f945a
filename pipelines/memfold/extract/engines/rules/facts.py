"""Facts (key, value) that stand in a sentence as they are: measures, versions, names, dates, "my X is Y".

A key is the words next to the value that say what it is of; nothing is inferred. Where they name a day or another
value they do not say it, and the value is left: a wrong key puts the value in the place of a right one. What others are
quoted or reported to say gives names and links alone.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from memfold.extract.engines.rules.rule import at_words
from memfold.schema import Fact
from memfold.text.calendar import MONTH_NAMES, SHORT_NAMES, WEEKDAYS
from memfold.text.dates import Mention
from memfold.text.pasted import before_named
from memfold.text.reported import in_earnest, in_earnest_zh, unquoted
from memfold.text.sentences import Sentence
from memfold.text.terms import lexicon

_UNIT = (
    r"(?:%|percent|°[CF]|ms|milliseconds?|μs|ns|seconds?|secs?|minutes?|mins?|hours?|hrs?"
    r"|(?:days?|weeks?|months?|years?)(?:[ -]old)?|"
    r"[KMGT]i?B(?:/s)?|bytes?|bits?|kbps|Mbps|Gbps|GHz|MHz|Hz|fps|rps|qps|km|kilometers?"
    r"|miles?|meters?|metres?|cm|mm|"
    r"kg|kilograms?|lbs?|pounds?|grams?|oz|ounces?|liters?|litres?|ml|mg|kcal|calories|watts?|kW|kWh|volts?|"
    r"USD|EUR|GBP|dollars?|euros?|px|pixels?|tokens?|words?|pages?|people|users?|points?|am|pm)"
)
_MEASURE = re.compile(
    rf"(?<![\w.])(?P<value>[$€£¥₹]\s?\d(?:[\d,]*\d)?(?:\.\d+)?(?:\s?(?:k|K|M|million"
    rf"|billion)\b)?(?:\s?(?:/|per)\s?[a-z]+)?"
    rf"|\d[\d,]*(?:\.\d+)?(?:[-–]\d[\d,]*(?:\.\d+)?)?\s?-?{_UNIT}(?![\w]))"
)
_COUNT = re.compile(
    r"(?<![\w.$€£:/^-])(?P<value>\d(?:[\d,]*\d)?(?:\.\d+)?\s+(?:(?!of|and|or|to|in|for|on|at|is"
    r"|are|was|from|by|with|the|as|using\b)[a-z-]+\s+){0,2}?(?P<noun>(?!this|is|was|has|does|as"
    r"|its|implies\b|equals\b)[a-z-]{3,}s))\b"
)
# What owns the counted things, if nothing before the figure names it: "5 retries per alert".
_COUNTED_OF = re.compile(
    r"[ ](?P<of>(?:in|on|for|of|per)[ ])(?:(?:the|my|our|an?|each|every)[ ])?(?P<what>(?:[A-Za-z][\w'-]*[ ]?){1,2})"
)
# "Moving on the 10th" names neither what moves nor the month. The event note keeps the whole sentence.
_BARE_DAY = re.compile(r"(?:on[ ])?the[ ]\d{1,2}(?:st|nd|rd|th)", re.IGNORECASE)
_DOING = re.compile(
    r"(?!(?:meeting|training|wedding|hearing|viewing|briefing|screening|reading|opening|closing|outing|fitting|sitting"
    r"|gathering|booking|filing|mailing|listing|recording|christening|tasting|rehearsing|hiking|skiing|spring)\Z)"
    r"[a-z]+ing"
)
_DIGIT = re.compile(r"\d")
_POINT = re.compile(r"\d\.\d")
_PERCENT = re.compile(r"(?<![\w.])\d[\d,.]*\s?%")
_VERSION = re.compile(
    r"\b(?P<name>[A-Z][A-Za-z0-9+#]*(?:[.\-][A-Za-z]+)?(?:\s[A-Z][A-Za-z]+)?)\s+(?:version\s+)?v?(?P<value>\d+(?:\.\d+){1,3}(?:[-.]?(?:alpha"
    rf"|beta|rc|LTS)\d*)?)\b(?!\.\d|,\d|\s?[%$€£¥₹]|\s?-?{_UNIT}(?!\w)"
    r"|\s(?:million|billion|times|stars?|out of|Euro|EUR|CHF)\b)"
)
# An amount as German and French write it, "38.500" and "145.30", is no version.
_AMOUNT = re.compile(r"\d+\.\d{3}|\d{3,}\.\d\d")
# "Django 5.0 → 5.1", "from Node 18.1 to Node 20.2": the first of them is past.
_UPGRADED = re.compile(r"\s*(?:→|⇒|[-=]+>)\s*(?:[A-Z][\w.+#-]*\s)?v?(?P<value>\d+(?:\.\d+){1,3})\b(?!\.?\d)")
_FROM = re.compile(r"\bfrom\s+\Z", re.IGNORECASE)
# Before a number with one point these, and what somebody did ("Rated 4.5"), are no software.
_NO_SOFTWARE = re.compile(
    r"(?:Section|Chapter|Figure|Fig|Table|Step|Part|Question|Exercise|Problem|Level|Unit|Lesson|GPA|IELTS|Score|Rating"
    r"|Grade|Average|About|Around|Over|Under|Only|Nearly|Almost|At|On|In|By|From|To|And|The|Is|Was|[A-Z][a-z]+ed)\Z"
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
    r"|having|doing)\b)(?P<value>(?:[^,.;!?]|[,.](?=\d)){2,80})",
    re.IGNORECASE,
)
# Where another statement begins: "my name is Ann and I live in Rome".
_GOES_ON = re.compile(
    r"\s+(?:and|but|so|because|since|which)\s+(?:I|we|my|our|he|she|it|they)\b", re.IGNORECASE
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
    # What stands beside a name is closed as it was opened: "Ann, my boss, called", and not "on Monday, my boss called".
    rf"|\b(?P<name2>[A-Z][a-z]+(?:\s[A-Z][a-z]+)?),\s+my\s+(?:[a-z]+\s+)?(?P<role2>{_ROLE})(?=\s*(?:[,.;:!?)]|$)"
    r"|\s(?:and|from|at|of|who)\b)"
)
_WHERE = re.compile(
    r"\b(?:in|on|at|by|since|after|before|during|until|till|near|from|back|around|over|about)\s+\Z",
    re.IGNORECASE,
)
_SELF = re.compile(
    r"\b(?:I'm|I am|my name is|My name is"
    r"|call me)\s+(?P<name>[A-Z][a-z]+(?:\s[A-Z][a-z]+)?)(?=[,.;!]|\s+and\b|\s+(?:a|an|the)\b"
    r"|$)"
)
_SELVES = ("I'm ", "I am ", "name is ", "call me ")
# It begins with what it must hold: looked for at every edge of a word, it takes twice the time.
_NAME = re.compile(
    r"[A-Z](?<!\w.)(?!(?<=[AP])M\b|(?<=I)(?!\w))[\w'&-]*(?:\s+(?:of|the|de|van|von|&)\s+[A-Z][\w'&-]*"
    r"|\s+[A-Z][\w'&-]*){1,4}\b"
)
# Feasts, days, posts and how a letter begins: "Black Friday", "Ann's May", "Sales Manager", "Dear Mr Lee"; and what in
# German stands before any noun.
_NO_NAME = re.compile(
    rf"^(?:Dear|Regards|(?:Mein|Dein|Unser|Ein|Kein)(?:e[nmrs]?)?|Der|Die|Das|Den|Dem|Und|Ich|Wir)\s"
    rf"|\b(?:(?i:{'|'.join(WEEKDAYS)})|Eve|Day|(?:'s|of)\s(?i:{'|'.join(MONTH_NAMES)})"
    r"|(?:Sales|Events?|Office|Project|Product|Account|General|Branch|Store|Marketing|Operations|HR|Finance|Financial"
    r"|Senior|Junior|Chief|Executive|Managing|Deputy|Software|Technical|Creative)\s(?:\w+\s)*"
    r"(?:Manager|Director|Officer|Engineer|Assistant|Consultant|Accountant|Producer))$"
)
_AGE = re.compile(
    r"\b(?:I'm|I am)\s+(?:[A-Z][\w'-]*(?:\s[A-Z][\w'-]*)*,\s+)?(?:an?\s+)?(?P<value>\d{1,3})[\s-]years?[\s-]old\b"
)

# Where a value stands: its first character, and the one behind its last.
Place = tuple[int, int]


def _typed(words: frozenset[str]) -> frozenset[str]:
    """Words, and each as people type it who leave out apostrophes: "theres"."""
    return words | {word.replace("'", "") for word in words}


_STOP = _typed(lexicon("i'm i've we've we're you're you've")) | lexicon(
    "a an the of is are was were be been to at by in on for with from about around over "
    "under and or but so that this these those it its "
    "i i'd am we you he she they "
    "my our your his her their have has had having which who when where while as than then "
    "only just up nearly almost approximately exactly roughly least most more less "
    "within each every all any some can could would will "
    "should if not no do does did me us them there now using use like into after before "
    "since between per total current currently"
)
_NOUN_STOP = lexicon(
    "trying want need help get make sure know think considering working going using got take "
    "takes took spend spent keep set wondering given"
)
# When something was, what is not, or a word that points to what was said: no value is of these.
_NO_KEY = frozenset(
    (
        *MONTH_NAMES,
        *" ".join(SHORT_NAMES).split(),
        *WEEKDAYS,
        *(f"{day}s" for day in WEEKDAYS),
        *lexicon(
            "today yesterday tomorrow tonight morning afternoon evening night noon midnight weekend weekends day days "
            "week weeks month months year years hour hours minute minutes second seconds "
            "ago later earlier last next first past previous whether because gone"
        ),
        *_typed(
            lexicon(
                "it's that's there's here's he's she's who's what's where's they're they've him there here "
                "don't doesn't didn't can't won't isn't aren't wasn't weren't haven't hasn't hadn't couldn't wouldn't"
            )
        ),
    )
)
# Words by which no person is called, though they are capitalised. "Jan" and "Dawn French" are persons.
_NO_PERSON = (
    _STOP
    | frozenset((*MONTH_NAMES, *WEEKDAYS))
    | lexicon(
        "near during back last next this every dear hi hello hey thanks thank sorry ok christmas easter lent ramadan "
        "thanksgiving english french german italian spanish british american chinese japanese korean indian dutch "
        "polish russian turkish swiss austrian irish scottish canadian australian catholic jewish muslim"
    )
) - frozenset(("may", "april", "june", "august", "will"))
# What may stand between a key and its value, besides what no key holds.
_BETWEEN = _STOP | lexicon(
    "down up out daily weekly monthly yearly already initially once again still also even finally"
)
_NOT_BEHIND = _NO_KEY | _BETWEEN
_TO = re.compile(r"\s*(?:(?:down|up)\s+)?to\s*")
# What stands behind a value that is taken back: "3 May, no wait, 5 May", "11. Januar... nein".
_RETRACTS = re.compile(
    r"[\s,;.…–—-]*(?:,|;|\.\.|…|[–—-])\s*(?:(?:oh|ah|ach|or|oder)\s+)?(?:no\s*(?:,|\.\.|…|[–—]|wait\b)|nope\b|wait\s*,"
    r"|sorry\s*[,:]|I\s+mea?nt?\b|scratch\s+that\b|rather\b|make\s+that\b|actually\s+(?=[$€£]?\d)|nein\b|quatsch\b"
    r"|Moment\s*,|besser\s+gesagt\b)(?:\s*(?:wait|sorry|quatsch|it's|it\s+is|on|the|am|also|doch)\b|[\s,;:.…–—-])*",
    re.IGNORECASE,
)
# "11 of 12 days" are not 12 days.
_SHARE = re.compile(
    r"\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|half|some|most|none|all|any|each|few|many|several)"
    r"\s+(?:out\s+)?of\s+(?:(?:the|my|our|these|those)\s+)?\Z",
    re.IGNORECASE,
)
_TWO = r"(?:[A-Za-z][\w'/+#-]*(?:\.\w+)*\s?){1,2}"
_NEXT = re.compile(rf"[\s+-]+({_TWO})")
_OF = re.compile(rf"[\s+-]+(?:(?:for|on|of|in)\s+)?(?:(?:the|an?|my|our)\s+)?({_TWO})")
_AND = re.compile(r"\b(?:and|or|but|then)\s*\Z")
# What a key ends before: "of" and "for" hold it together.
_APART = (_STOP - {"of", "for"}) | _NOUN_STOP
# What no key begins with, though one may end with it: "order id", and not "id say" or "ill need".
_NO_HEAD = _STOP | {"id", "ill"}
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
_ZH_NO_KEY = re.compile(
    r"[年月日号岁时点分秒]|[十一二三四五六七八九]{1,3}[月日号]|(?:上个?|下个?|这个?|本)?(?:周|星期|礼拜)[一二三四五六日天末]?"
    r"|(?:上个?|下个?|这个?|本)月|[昨今明前后去][天日年晚早]|(?:早|中|晚)上|[上下中]午|[我你他她它]们?"
)
_ZH_KEY = re.compile(
    r"([^\s，。；！？、：:（）()\d]{1,12}?)(?:大约|大概|约|约为|是|为|有|共|达到?|达|超过"
    r"|不超过|在|控制在|要|了|花了?|至少|最多|只有|只|已经|已|到|从)*$"
)


# Without one of these a sentence quotes and reports nobody.
_MARKS = re.compile(r"\"|:|：|“|‘|«|「|『|'(?<!\w')")


def _own(text: str, head: int) -> str:
    """A sentence, place by place, without its head and what others are quoted or reported to say in it."""
    said = text[head:]
    return " " * head + unquoted(said[: before_named(said)])


def facts(sentence: Sentence, dates: Sequence[Mention], head: int = 0) -> Iterator[Fact]:
    """The facts of one sentence; `dates` are those already found in it. Its first `head` characters are the source's
    and name who speaks."""
    own = sentence.text
    if _MARKS.search(own):
        own = _own(own, head)
        dates = [found for found in dates if own[found.start : found.end].strip()]
    yield from _chinese(own, dates) if sentence.chinese else _english(sentence, own, dates, head)
    # A pattern that is tried at every place of a sentence takes 4 to 19 us. Here and in `_english`, most sentences lack
    # what it cannot match without.
    if "://" in sentence.text or "@" in sentence.text:
        for m in _LITERAL.finditer(sentence.text):
            yield Fact("link" if m["url"] else "email", m[0].rstrip(".,;"))
    if _POINT.search(own):
        yield from _versions(own)


def _english(sentence: Sentence, own: str, dates: Sequence[Mention], head: int) -> Iterator[Fact]:
    text, words = sentence.text, sentence.words
    taken = [(found.start, found.end) for found in dates]
    if not words.isdisjoint(("my", "our", "i'm", "i", "me")):
        if any(map(own.__contains__, _SELVES)):
            for m in _SELF.finditer(own):
                if in_earnest(own, m.start()):
                    yield Fact("name", m["name"])
        lower = own.lower()
        if "my" in lower or "our" in lower:
            for m in _KIN.finditer(own):
                named = m["name"] or m["name2"]
                if named.lower().split()[0] in _NO_PERSON:
                    continue
                if m["name"] or not _WHERE.search(own[: m.start("name2")]):
                    yield Fact(m["role"] or m["role2"], named)
            for m in _MINE.finditer(own):
                if not _TOKEN.search(m["key"]) or _RETRACTS.match(own, m.end()):
                    continue
                if in_earnest(own, m.start()):
                    yield Fact(m["key"].lower(), _GOES_ON.split(m["value"], maxsplit=1)[0].strip())
        if "year" in own:
            for m in _AGE.finditer(own):
                taken.append(m.span())
                if in_earnest(own, m.start()):
                    yield Fact("age", m["value"])
    if _DIGIT.search(own):
        measured: list[re.Match[str]] = []
        counted: list[re.Match[str]] = []
        for pattern in (_MEASURE, _PERCENT, _COUNT) if "%" in own else (_MEASURE, _COUNT):
            for m in pattern.finditer(own):
                overlaps = any(start < m.end() and m.start() < end for start, end in taken)
                if not overlaps and not _SHARE.search(own[max(0, m.start() - 40) : m.start()]):
                    taken.append(m.span())
                    (counted if pattern is _COUNT else measured).append(m)
        # What is counted may be what is dated or measured: "3 sprints of 2 weeks".
        apart = taken[: len(taken) - len(counted)]
        for found in dates:
            if _RETRACTS.match(own, found.end) or not (key := _key(text, found.start, found.end, apart)):
                continue
            if not (_DOING.fullmatch(key) and _BARE_DAY.fullmatch(found.literal)):
                yield Fact(key, found.literal)
        for m in measured:
            if not _RETRACTS.match(own, m.end()) and (key := _key(text, m.start(), m.end(), apart)):
                yield Fact(key, m[0].strip())
        for m in counted:  # what is behind the figure is its own noun
            if not _RETRACTS.match(own, m.end()):
                yield Fact(_key(text, m.start(), m.start(), taken) or _counted(text, m), m[0].strip())
        for m in _PORT.finditer(own):
            yield Fact(m["key"].lower(), m["value"])
    for m in _NAME.finditer(text):
        # The first word of a sentence is capitalised whatever it is: "Nate: Hey Joanna!" names no Hey Joanna.
        if (m.start() > head or " of " in m[0]) and not _NO_NAME.search(m[0]) and not _shouted(m[0]):
            yield Fact("name", m[0])


def _counted(text: str, found: re.Match[str]) -> str:
    """The key of a count: what is counted, and what owns it."""
    behind = _COUNTED_OF.match(text, found.end())
    words = _TOKEN.findall(behind["what"]) if behind else []
    of = list(itertools.takewhile(lambda word: word.lower() not in _NOT_BEHIND, words))
    return " ".join((found["noun"], behind["of"].strip(), *of)).lower() if behind and of else found["noun"]


def _shouted(name: str) -> bool:
    """Whether what looks like a name is a piece of a sentence in capitals: "LOVE IT"."""
    return name.isupper() and not _STOP.isdisjoint(name.lower().split())


def _chinese(text: str, dates: Sequence[Mention]) -> Iterator[Fact]:
    for m in _ZH_SELF.finditer(text):
        if in_earnest_zh(text, *m.span()):
            yield Fact("名字", m["value"])
    for pattern in (_ZH_KIN, _ZH_MINE, _ZH_LIVES):
        for m in pattern.finditer(text):
            if in_earnest_zh(text, *m.span()):
                yield Fact(m["key"], m["value"])
    for found in dates:
        if key := _key_zh(text, found.start, found.end):
            yield Fact(key, found.literal)
    for m in _ZH_MEASURE.finditer(text):
        if any(found.start < m.end() and m.start() < found.end for found in dates):
            continue
        if key := _key_zh(text, *m.span()):
            yield Fact(key, m["value"])


def _versions(text: str) -> Iterator[Fact]:
    for m in _VERSION.finditer(text):
        if _AMOUNT.fullmatch(m["value"]) or (m["value"].count(".") == 1 and _NO_SOFTWARE.search(m["name"])):
            continue
        later = _UPGRADED.match(text, m.end())
        past = _TO.match(text, m.end()) and _FROM.search(text[max(0, m.start() - 8) : m.start()])
        if later or not past:
            yield Fact(f"{m['name']} version", (later or m)["value"])


def _key_zh(text: str, start: int, end: int) -> str | None:
    """The characters before a value that say what it is of."""
    key = _ZH_KEY.search(text[max(0, start - 16) : start])
    if key is None or _ZH_NO_KEY.fullmatch(key[1]):
        return None
    # "我今年30岁" says something of who speaks, and "他说：我30岁" of another.
    said = key[1].startswith("我") and not in_earnest_zh(text, max(0, start - 16) + key.start(), end)
    return None if said else key[1]


def _key(text: str, start: int, end: int, values: Sequence[Place]) -> str | None:
    """Up to four words before a value, or failing them the two after it, that say what it is of; none of them stand
    beyond another of the `values`. From one value to another, or to the one that it is corrected to, both are of the
    same."""
    earlier, behind = max((place for place in values if place[1] <= start), default=(0, 0))
    if behind and (_TO.fullmatch(text, behind, start) or _RETRACTS.fullmatch(text, behind, start)):
        return _key(text, earlier, end, values)
    before = re.split(r"[,;:()!?]|\.\s", text[max(behind, start - _REACH) : start])[-1]
    words = _TOKEN.findall(before)
    if start > behind + _REACH and words:
        words = words[1:]
    # "5 km on trails and 8 km by road": what is between two values in one breath may belong to the first.
    linked = behind > 0 and before == text[behind:start]
    if linked and _AND.search(before):
        words.clear()
    while words and words[-1].lower() in _BETWEEN:
        words.pop()
    if words and words[-1].lower() in _NO_KEY:
        return None
    kept: list[str] = []
    for word in reversed(words):
        if word.lower() in _APART or len(kept) == 4:
            break
        kept.append(word)
    while kept and kept[-1].lower() in _NO_HEAD:
        kept.pop()
    if kept:
        key = " ".join(reversed(kept)).lower()
        # "The one on Monday" names nothing, "the big one" does.
        return None if key in ("one", "ones") else key
    # "80 users with a 95% success rate", "45 euros on groceries".
    behind_it = (_NEXT if linked else _OF).match(text, end)
    words = _TOKEN.findall(behind_it[1]) if behind_it else []
    found = list(itertools.takewhile(lambda word: word.lower() not in _NOT_BEHIND, words))
    return " ".join(found).lower() or None
