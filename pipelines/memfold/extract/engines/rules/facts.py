"""Facts (key, value) that stand in a sentence as they are: measures, counts, versions, dates, "my X is Y".

A key consists of the words beside the value that say what it measures (`keys`); nothing is inferred. A value without
such words gives no fact, because a wrong key would replace a right value. Quoted and reported words give only links.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memfold.extract.engines.rules.facts_zh import facts_zh
from memfold.extract.engines.rules.keys import RETRACTS, STOP, TO, TOKEN, a_thing, key, key_of_count, up_to
from memfold.extract.engines.rules.rule import at_words
from memfold.extract.engines.rules.sentiment import VERDICT
from memfold.schema import Fact
from memfold.text.calendar import MONTH_NAMES, WEEKDAYS
from memfold.text.dates import Mention
from memfold.text.pasted import before_named
from memfold.text.reported import in_earnest, unquoted
from memfold.text.scripts import NAME_WORD
from memfold.text.sentences import Sentence
from memfold.text.terms import lexicon

_UNIT = (
    r"(?:%|percent|°[CF]|ms|milliseconds?|μs|ns|seconds?|secs?|minutes?|mins?|hours?|hrs?"
    r"|(?:days?|weeks?|months?|years?)(?:[ -]old)?|"
    r"[KMGT]i?B(?:/s)?|bytes?|bits?|kbps|Mbps|Gbps|GHz|MHz|Hz|fps|rps|qps|km|kilometers?"
    r"|miles?|meters?|metres?|cm|mm|"
    r"kg|kilograms?|lbs?|pounds?|grams?|oz|ounces?|liters?|litres?|ml|mg|kcal|calories|watts?|kW|kWh|volts?|"
    r"USD|EUR|GBP|dollars?|euros?|px|pixels?|tokens?|words?|pages?|people|users|points?|am|pm)"
)
_MEASURE = re.compile(
    rf"(?<![\w.])(?P<value>[$€£¥₹]\s?\d(?:[\d,]*\d)?(?:\.\d+)?(?!\d|\s?[\^_\\{{}}$])(?:\s?(?:k|K|M|million"
    rf"|billion)\b)?(?:\s?(?:/|per)\s?[a-z]+)?"
    rf"|\d[\d,]*(?:\.\d+)?(?:[-–]\d[\d,]*(?:\.\d+)?)?\s?-?{_UNIT}(?![\w]))"
)
_COUNT = re.compile(
    r"(?<![\w.$€£:/^-])(?P<value>\d(?:[\d,]*\d)?(?:\.\d+)?\s+(?!tops\b)(?:(?!(?:of|and|or|to|in|for|on|at|is|are|was|from|by|with"
    r"|the|as|using|that|which|who)\b)[a-z-]+\s+){0,2}?(?P<noun>(?!(?:this|is|was|has|does|as|its|implies|equals|helps"
    r"|keeps|means|makes|takes|gives|gets|seems|works|occurs|series|minus|plus)\b)[a-z-]{2,}[a-rt-z](?<!ic)s))\b"
)
# What owns the counted things, if nothing before the figure names it: "5 retries per alert".
_COUNTED_OF = re.compile(
    r"[ ](?P<of>(?:in|on|for|of|per)[ ])(?:(?:the|my|our|an?|each|every)[ ])?(?P<what>(?:[A-Za-z][\w'-]*[ ]?){1,2})"
)
# "Moving on the 10th" names neither what moves nor the month. The event note keeps the whole sentence.
_BARE_DAY = re.compile(r"(?:on[ ])?the[ ]\d{1,2}(?:st|nd|rd|th)", re.IGNORECASE)
# "Blood pressure today 138/88": the day is that of the figure.
_DAY_OF_FIGURE = re.compile(
    r"(?:today|yesterday)(?:\ was|\ is)?:?\ [$€£¥]?\d+(?:[.,/]\d+)*(?![\w:]|[.,/]\d|\ ?[ap]\.?m\b|\ o['’]clock)",
    re.IGNORECASE,
)
_DOING = re.compile(
    r"(?!(?:meeting|training|wedding|hearing|viewing|briefing|screening|reading|opening|closing|outing|fitting|sitting"
    r"|gathering|booking|filing|mailing|listing|recording|christening|tasting|rehearsing|hiking|skiing|spring)\Z)"
    r"[a-z]+ing"
)
# "HTTP 200 responses", "the RTX 3090 cards": the number is part of a name.
_OF_NAME = re.compile(r"(?:\b[A-Z][A-Z0-9]+|(?<=[A-Za-z][ ])[A-Z]\w*)\s\Z")
_DIGIT = re.compile(r"\d")
_POINT = re.compile(r"\d\.\d")
_PERCENT = re.compile(r"(?<![\w.])\d[\d,.]*\s?%")
_VERSION = re.compile(
    r"\b(?P<name>[A-Z][A-Za-z0-9+#]*(?:[.\-][A-Za-z]+)?(?:\s[A-Z][A-Za-z]+)?)\s+(?:version\s+)?v?(?P<value>\d+(?:\.\d+){1,3}(?:[-.]?(?:alpha"
    rf"|beta|rc|LTS)\d*)?)\b(?!\.\d|,\d|\s?[%$€£¥₹]|\s?-?{_UNIT}(?!\w)"
    r"|\s(?:million|billion|times|stars?|out of|Euro|EUR|CHF)\b)"
)
# "GOT AN 8.1" shouts.
_SHOUTED = lexicon("got get scored paid cost costs made won now yes omg wow lol")
_SAYS_VERSION = re.compile(r"\bv(?:ersion\s+|\s?\d)")
# An amount as German and French write it, "38.500" and "145.30", is no version.
_AMOUNT = re.compile(r"\d+\.\d{3}|\d{3,}\.\d\d")
# "Django 5.0 → 5.1", "from Node 18.1 to Node 20.2": the first of them is past.
_UPGRADED = re.compile(r"\s*(?:→|⇒|[-=]+>)\s*(?:[A-Z][\w.+#-]*\s)?v?(?P<value>\d+(?:\.\d+){1,3})\b(?!\.?\d)")
_FROM = re.compile(r"\bfrom\s+\Z", re.IGNORECASE)
# Before a number with one point these, and what somebody did ("Rated 4.5"), are no software.
_NO_SOFTWARE = re.compile(
    r"(?:Section|Chapter|Figure|Fig|Table|Step|Part|Question|Exercise|Problem|Level|Unit|Lesson|GPA|IELTS|Score|Rating"
    r"|Grade|Average|About|Around|Over|Under|Only|Nearly|Almost|At|On|In|By|From|To|And|The|Is|Was|Up|Down|Plus|Minus|[A-Z][a-z]+ed)\Z"
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
    r"\b(?:my|our)\s+(?P<key>(?:[\w'-]+\s+){0,4}?[\w'-]+)\s+(?:is|are|was|were)\s+(?!(?:not|going"
    r"|to|that|so|very|really|too|also|still|currently|n't|working|trying|being|getting"
    r"|having|doing)\b)(?P<value>(?:\b(?:Dr|Mr|Mrs|Ms|Prof)\.(?=\s)|[^,.;!?]|[,.](?=\d)){2,80})",
    re.IGNORECASE,
)
# "Losing my job was hard" and "in my room is a plant" say nothing of the job and the room.
_BEGINS = re.compile(
    r"(?:\A|[.,;:!?–—\"(\[*>-]|\b(?:and|but|so|because|cause|since|considering|given|now|also|yes|yeah|yep|no|well|ok"
    r"|okay|hi|hello|hey|note|fyi|remember|context|record|reference|reminder|btw|actually|plus|then|think|know|mean|say"
    r"|said|guess|currently|today|unfortunately|luckily|sadly|apparently|basically|i|both|all|where|while|as|though"
    r"|although))\s*\Z",
    re.IGNORECASE,
)
# "My friends when I was younger": a key that holds a clause is no key.
_CLAUSE = re.compile(
    r"(?<![\w-])(?:I|we|it|he|she|they|when|where|after|before|that|which|who|because|while|to|make|there|everything)"
    r"(?![\w-])",
    re.IGNORECASE,
)
# A value does not begin with these. An opinion or an activity is no value either.
_NO_VALUE = lexicon(
    "always never like about when where why how what more less off out up down back here there fine ready all just "
    "pretty quite already"
)
_PLACED = lexicon("in at on")
_JUDGED = re.compile(
    r"(?:(?:so|very|really|super|quite|such|an?|the|too|always|truly|just)\s+)*"
    rf"(?:{VERDICT}|old one|new one|same(?: one)?"
    r"|key|vital|important|crucial|essential|tough|hard|bummer|hurdle|blessing|shock|mess"
    r"|joy|dream|indescribable)(?:\s+(?:to|for|thing|one|ever|because|but|and)\b.*)?"
)
_NAMED = re.compile(r"[A-Z0-9]")
_NOUNS_IN_ING = lexicon("nothing something everything anything king string evening morning spring")
# Where another statement begins: "my name is Ann and I live in Rome".
_GOES_ON = re.compile(
    r"\s+[–—-]\s+(?=[^\W\d])|\s+(?:and|but|so|because|since|which)\s+(?:I|we|my|our|he|she|it|they)\b",
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
    rf"|'s\s+name\s+is)?\s+(?P<name>(?:(?:Dr|Mr|Mrs|Ms|Prof)\b\.?\s+)?(?!(?:Dr|Mr|Mrs|Ms|Prof)\b){NAME_WORD}(?:\s{NAME_WORD})?)"
    # What stands beside a name is closed as it was opened: "Ann, my boss, called", and not "on Monday, my boss called".
    rf"|\b(?P<name2>{NAME_WORD}(?:\s{NAME_WORD})?),\s+my\s+(?:[a-z]+\s+)?(?P<role2>{_ROLE})(?=\s*(?:[,.;:!?)]|$)"
    r"|\s(?:and|from|at|of|who)\b)"
)
_WHERE = re.compile(
    r"\b(?:in|on|at|by|since|after|before|during|until|till|near|from|back|around|over|about)\s+\Z",
    re.IGNORECASE,
)
_SELF = re.compile(
    r"\b(?:I'm|I am|my name is|My name is"
    rf"|call me)\s+(?P<name>{NAME_WORD}(?:\s{NAME_WORD})?)(?=[,.;!]|\s+and\b|\s+(?:a|an|the)\b"
    r"|$)"
)
_SELVES = ("I'm ", "I am ", "name is ", "call me ")
_AGE = re.compile(
    r"\b(?:I'm|I am)\s+(?:[A-Z][\w'-]*(?:\s[A-Z][\w'-]*)*,\s+)?(?:an?\s+)?(?P<value>\d{1,3})[\s-]years?[\s-]old\b"
)

# Words by which no person is called, though they are capitalised. "Jan" and "Dawn French" are persons.
_NO_PERSON = (
    STOP
    | frozenset((*MONTH_NAMES, *WEEKDAYS))
    | lexicon(
        "near during back last next this every dear hi hello hey thanks thank sorry ok christmas easter lent ramadan "
        "thanksgiving english french german italian spanish british american chinese japanese korean indian dutch "
        "polish russian turkish swiss austrian irish scottish canadian australian catholic jewish muslim"
    )
) - frozenset(("may", "april", "june", "august", "will"))
# "11 of 12 days" are not 12 days.
_SHARE = re.compile(
    r"\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|half|some|most|none|all|any|each|few|many|several)"
    r"\s+(?:out\s+)?of\s+(?:(?:the|my|our|these|those)\s+)?\Z",
    re.IGNORECASE,
)
# What was thought at first turned out otherwise.
_BELIEVED = re.compile(
    r"\b(?:(?:at\ first|initially|originally),?\ (?:I|we)|(?:I|we)\ (?:(?:at\ )?first|initially|originally|wrongly"
    r"|mistakenly))\ (?:thought|assumed|believed)\b[^,;:.!?]*\Z",
    re.IGNORECASE,
)

# Without one of these a sentence quotes and reports nobody.
_MARKS = re.compile(r"\"|:|：|“|‘|«|「|『|'(?<!\w')")


def _own(text: str, head: int) -> str:
    """A sentence, place by place, without its head and what others are quoted or reported to say in it."""
    said = text[head:]
    return " " * head + unquoted(said[: before_named(said)])


# A supposition is no fact. "So what if it costs 40 euros, my budget is 100" supposes nothing.
_WHAT_IF = re.compile(
    r"(?!\W*so what\b)\W*+(?:(?:and|but|so|ok(?:ay)?|hey|then|also)\W++)*+what if\b", re.IGNORECASE
)


def facts(sentence: Sentence, dates: Sequence[Mention], head: int = 0) -> Iterator[Fact]:
    """The facts of one sentence; `dates` are those already found in it. Its first `head` characters are the source's
    and name who speaks."""
    own = sentence.text
    if _WHAT_IF.match(own, head):
        return
    if _MARKS.search(own):
        own = _own(own, head)
        dates = [found for found in dates if own[found.start : found.end].strip()]
    yield from facts_zh(own, dates) if sentence.chinese else _english(sentence, own, dates)
    # A pattern that is tried at every place of a sentence takes 4 to 19 us. Here and in `_english`, most sentences lack
    # what it cannot match without.
    if "://" in sentence.text or "@" in sentence.text:
        for m in _LITERAL.finditer(sentence.text):
            yield Fact("link" if m["url"] else "email", m[0].rstrip(".,;"))
    if _POINT.search(own):
        yield from _versions(own)


def _english(sentence: Sentence, own: str, dates: Sequence[Mention]) -> Iterator[Fact]:
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
            yield from _mine(own)
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
                before = own[max(0, m.start() - 40) : m.start()]
                if pattern is _COUNT and _OF_NAME.search(before):
                    continue
                if not overlaps and not _SHARE.search(before) and not _BELIEVED.search(before):
                    taken.append(m.span())
                    (counted if pattern is _COUNT else measured).append(m)
        # What is counted may be what is dated or measured: "3 sprints of 2 weeks".
        apart = taken[: len(taken) - len(counted)]
        for found in dates:
            if (
                RETRACTS.match(own, found.end)
                or _DAY_OF_FIGURE.match(own, found.start)
                or not (of := key(text, found.start, found.end, apart, dated=True))
            ):
                continue
            if not (_DOING.fullmatch(of) and _BARE_DAY.fullmatch(found.literal)):
                yield Fact(of, found.literal)
        for m in measured:
            if not RETRACTS.match(own, m.end()) and (of := key(text, m.start(), m.end(), apart)):
                yield Fact(of, m[0].strip())
        for m in counted:  # what is behind the figure is its own noun
            if not RETRACTS.match(own, m.end()):
                things = m[0].split(None, 1)[1]
                counted_as = key_of_count(text, m.start(), taken, things) or _counted(text, m, things)
                if " " in counted_as or a_thing(counted_as):
                    yield Fact(counted_as, m[0].strip())
        for m in _PORT.finditer(own):
            yield Fact(m["key"].lower(), m["value"])


def _mine(own: str) -> Iterator[Fact]:
    """Facts of the form "my rent is 900 euros"."""
    for m in _MINE.finditer(own):
        value = _GOES_ON.split(m["value"], maxsplit=1)[0].strip()
        if not TOKEN.search(m["key"]) or _CLAUSE.search(m["key"]) or RETRACTS.match(own, m.end()):
            continue
        if _says_what(value) and _BEGINS.search(own[: m.start()]) and in_earnest(own, m.start()):
            yield Fact(m["key"].lower(), value)


def _says_what(value: str) -> bool:
    """Whether the words behind "my hobby is" give a value ("swimming", "in Rome"), not an activity or an opinion
    ("keeping me busy", "great")."""
    words = value.split()
    if not words or words[0] in _NO_VALUE or _JUDGED.fullmatch(value):
        return False
    if words[0] in _PLACED:
        return _NAMED.search(value) is not None
    return len(words) == 1 or not re.fullmatch(r"[a-z]+in[g']", words[0]) or words[0] in _NOUNS_IN_ING


def _counted(text: str, found: re.Match[str], things: str) -> str:
    """The key of a count: what is counted, and what owns it."""
    behind = _COUNTED_OF.match(text, found.end())
    of = up_to(TOKEN.findall(behind["what"])) if behind else None
    return f"{things} {behind['of'].strip()} {of}" if behind and of else things


def _versions(text: str) -> Iterator[Fact]:
    for m in _VERSION.finditer(text):
        if _AMOUNT.fullmatch(m["value"]) or (m["value"].count(".") == 1 and _NO_SOFTWARE.search(m["name"])):
            continue
        if m["value"].count(".") == 1 and not _SAYS_VERSION.search(m[0]) and _shouted(m["name"]):
            continue
        later = _UPGRADED.match(text, m.end())
        past = TO.match(text, m.end()) and _FROM.search(text[max(0, m.start() - 8) : m.start()])
        if later or not past:
            yield Fact(f"{m['name']} version", (later or m)["value"])


def _shouted(name: str) -> bool:
    """Whether what looks like a name are words in capitals."""
    words = name.lower().split()
    return name.isupper() and any(word in STOP or word in _SHOUTED for word in words)
