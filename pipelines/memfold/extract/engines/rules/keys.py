"""Finds the key of a value: the words of an English sentence that say what the value measures.

The key stands before the value ("the response time is 250 ms") or right behind it ("a 95% success rate"). Some verbs
only say that a value was reached, changed or asked for ("achieved 95%", "sent it on 3 June"); they make no key. There
is no tagger: tables tell the verbs. A value gets no key if no words say what it measures.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from memfold.extract.engines.rules.sentiment import VERDICT
from memfold.text.calendar import MONTH_NAMES, SHORT_NAMES, WEEKDAYS
from memfold.text.terms import lexicon

# Where a value stands: its first character, and the one behind its last.
Place = tuple[int, int]


def _typed(words: frozenset[str]) -> frozenset[str]:
    """Words, and each as people type it who leave out apostrophes: "theres"."""
    return words | {word.replace("'", "") for word in words}


def _inflected(verbs: str) -> Iterator[str]:
    """The forms of regular verbs in -ed and -ing."""
    for verb in verbs.split():
        stem = verb[:-1] if verb.endswith("e") else verb
        yield f"{stem}ing"
        yield f"{verb[:-1]}ied" if re.search(r"[^aeiou]y\Z", verb) else f"{stem}ed"


STOP = _typed(lexicon("i'm i've we've we're you're you've")) | lexicon(
    "a an the of is are was were be been to at by in on for with from about around over under and or but so that "
    "this these those it its i i'd am we you he she they my our your his her their has have had having which who "
    "when where while as than then only just up nearly almost approximately exactly roughly least most more less "
    "within each every all any some can could would will should if not no do does did me us them there now using use "
    "like into after before since between per total current currently w/"
)
# More words that no key holds.
_ASIDE = lexicon(
    "trying want need help get make sure know think considering working going using got take takes took spend spent "
    "keep set wondering given already also again still ever never always really kinda maybe perhaps how what why "
    "across during below above against through beyond via until till til trouble own lot thinking says say lets let's "
    "might must gonna gotta wanna hafta"
)
_SHORT = re.compile(
    r"(?:i|you|we|they|he|she|it|that|there|here|what|who|how|where|let)'(?:s|d|ll|ve|re|m)|[a-z]+n't"
    r"|(?!family|supply|reply|assembly|anomaly|early|daily|weekly|monthly|yearly|hourly|quarterly|friendly)[a-z]{3,}ly"
)
# Words for a time, a denial or something said before: no value measures these.
_NO_KEY = frozenset(
    (
        *MONTH_NAMES,
        *" ".join(SHORT_NAMES).split(),
        *WEEKDAYS,
        *(f"{day}s" for day in WEEKDAYS),
        *lexicon(
            "today yesterday tomorrow tonight morning afternoon evening night noon midnight weekend weekends day days "
            "week weeks month months year years hour hours minute minutes second seconds ago later earlier last next "
            "first past previous whether because gone mon tue tues wed thu thur thurs fri sat"
        ),
        *_typed(
            lexicon(
                "it's that's there's here's he's she's who's what's where's they're they've him there here don't "
                "doesn't didn't can't won't isn't aren't wasn't weren't haven't hasn't hadn't couldn't wouldn't"
            )
        ),
    )
)
# Words that may stand between a key and its value, besides those that no key holds.
_BETWEEN = STOP | lexicon(
    "being down up out daily weekly monthly yearly already initially recently once again still also even finally"
)
_NOT_BEHIND = _NO_KEY | _BETWEEN | _ASIDE | {"based"}
TO = re.compile(r"\s*(?:(?:down|up)\s+)?to\s*")
# What stands behind a value that is taken back: "3 May, no wait, 5 May", "11. Januar... nein".
RETRACTS = re.compile(
    r"[\s,;.…–—-]*(?:,|;|\.\.|…|[–—-])\s*(?:(?:oh|ah|ach|or|oder)\s+)?(?:no\s*(?:,|\.\.|…|[–—]|wait\b)|nope\b|wait\s*,"
    r"|sorry\s*[,:]|I\s+mea?nt?\b|scratch\s+that\b|rather\b|make\s+that\b|actually\s+(?=[$€£]?\d)|nein\b|quatsch\b"
    r"|Moment\s*,|besser\s+gesagt\b)(?:\s*(?:wait|sorry|quatsch|it's|it\s+is|on|the|am|also|doch)\b|[\s,;:.…–—-])*",
    re.IGNORECASE,
)
_WORD = r"[A-Za-z][\w'/+#-]*(?:\.\w+)*"
_NEXT = re.compile(rf"[\s+-]+((?:{_WORD}\s?){{1,2}})")
_OF = re.compile(rf"[\s+-]+(?:(?:for|on|of|in)\s+)?(?:(?:the|an?|my|our)\s+)?((?:{_WORD}\s?){{1,2}})")
_DIRECTLY = re.compile(rf"[ ]((?:{_WORD}[ ]?){{1,4}})")
# "The response time, which is now 250 ms".
_ENDS = re.compile(r"[;:()!?]|,(?!\s(?:which|that)\b)|\.\s")
_AND = re.compile(r"\b(?:and|or|but|then)\s*\Z")
# What a key ends before: "of" and "for" hold it together.
_APART = (STOP - {"of", "for"}) | _ASIDE
# What no key begins with, though one may end with it: "order id", and not "id say" or "ill need".
_NO_HEAD = STOP | {"id", "ill"}
# No part of "20th".
TOKEN = re.compile(r"(?<!\w)[A-Za-z][\w'./+#-]*")
# A key stands right before its value; further left is another matter.
_REACH = 60

# Verbs that do not say what a value measures. Their bare forms are nouns too ("memory limit"), so the word before
# them decides.
_VERBS = (
    "achieve aim target reach improve increase decrease reduce lower raise boost drop maintain attain estimate "
    "allocate start begin schedule finish submit identify add include cover cause bring show handle find see "
    "receive require ensure assume allow limit expect adjust happen confirm mention decide plan try create give "
    "hold let put hit cut apply update support contain return prove fix do have say tell send change hope agree "
    "discuss follow involve record implement detect trigger enable cap come go notice look"
)
# Verbs whose other forms do say it: "the meeting", "the building", "we are moving".
_BARE = lexicon(_VERBS) | {"meet", "build", "move"}
_SAID_OF_NOTHING = frozenset(_inflected(_VERBS)) | lexicon(
    "began begun seen saw found met made did done had gave given held brought hitting cutting putting getting gotten "
    "built said told sent shown proven left remaining went gone came taken taking dropped dropping submitted "
    "submitting planned planning includes covers shows requires contains allows"
)
# These words need another beside them: "error rate exceeds", "max attempts".
_NO_THING_ALONE = lexicon(
    "exceed exceeds exceeding exceeded average total maximum minimum max min initial extra new even other am pm"
)
_VERB_AFTER = lexicon(
    "to i we you they he she it that i've we've i'd we'd i'll we'll will can could should must would please let's us "
    "me helped help either neither"
)
# The words before one of these name what has the value: "my quiz score improved to 85%".
_CHANGED = lexicon(
    "improved increased decreased rose fell dropped grew went reached reduced jumped climbed risen fallen grown gone "
    "moved postponed extended pushed rescheduled shifted delayed scheduled planned coming expected due booked starting "
    "starts begins ends ending happening taking"
)
# A goal is not the present value.
_AIMS = lexicon("achieve reach target targeting aim aiming attain")
# With a day, a past verb without its subject says nothing.
_PAST = re.compile(
    r"[a-z]{2,}[^e\W]ed|met|made|went|saw|sent|took|told|said|found|bought|paid|read|ran|won|lost|held|began"
)
# Words right behind a value that name no thing.
_NO_THING = lexicon(
    "away left long late early old tall wide high deep thick apart straight free available faster slower longer "
    "shorter due better worse closer higher lower daily off ahead short worth remaining together today combined"
)
# No thing is called by these, which chats have right beside a value: "in 3 weeks ish", "either 5 May or the 9th".
_NO_NOUN = lexicon(
    "ish either neither both instead others another same once twice thrice often else enough possible impossible able "
    "unable ready available free compatible sure close open closed full empty cold hot warm tired worried "
    "hopeful irritable consistent yes yeah no nope ok okay lol haha btw tbh tho though pls plz ta afterward "
    "afterwards sometime sometimes somewhere indeed among "
    "thing things stuff something anything nothing everything someone somebody anyone everyone times tops mins secs "
    "hrs mine ours yours theirs idle late based regarding minus plus"
)
_VERDICT = re.compile(VERDICT)
# Nor by one of these alone: "my uncle passed away" names something.
_PARTICLE = lexicon("back behind off out aside away apart ahead together forward")
# Who stands right behind a value and does something names nothing: "43 people looked".
_DID = re.compile(
    r"(?!(?:speed|feed|seed|need|bed|deed|shed|weed|breed)\Z)[a-z]{2,}ed|came|went|stays?|leaves?"
)
_DOES = lexicon("i we you they he she it who to will can could would should must might i'll we'll")
_AT = lexicon("at on in out up to back with until")
_MEANWHILE = lexicon("now still just also only already often usually always never then")
# What is said not to be so. "Not sure", "no later than 5 May" and "no, 5 May" deny no value.
_NEGATION = re.compile(
    r"\b(?:no|not|never|without|cannot|[a-z]+n't|(?:do|does|did|ca|wo|is|are|was|were|would|could|should|has|have|had)nt)\b"
    r"(?!\s*,|\s+(?:sure|certain|only|just|more|less|fewer|later|earlier|longer|wait|exceed\w*|until|till|before"
    r"|(?:\w+\s+)?(?:forget|miss|booked|moved|changed|confirmed|paid|announced|told))\b)",
    re.IGNORECASE,
)
_KNOWN = re.compile(r"\b(?:the|my|our|your|his|her|its|their|this|that)\Z")
# "The sister is 5 minutes away", "a token that is renewed 5 minutes before": how far one thing is from another.
_FROM_THERE = re.compile(r"\s+(?:away|late|early|behind|ahead|apart|ago|before|earlier|later)\b")
_LASTS = re.compile(
    r"\d\s?-?(?:s|secs?|mins?|minutes?|hours?|hrs?|days?|weeks?|months?|years?|seconds?|km|miles?|metres?|meters?)\Z"
)
# "31,204 invoices in 96 secs" is no time of the invoices.
_IN_ALL = re.compile(r"\d[\d,.]*[ ](?:[A-Za-z-]+[ ]){1,3}in[ ](?:under[ ]|about[ ]|just[ ]|only[ ])?\Z")
# If one of these joins a value to the words before it, they are its key: "the goal is 95% coverage".
_IS = lexicon("is are was were be been being of to")
# "A 25% improvement" does not say what improved.
_CHANGES = lexicon("improvement improvements increase decrease reduction growth gain drop boost change")
# "Met with Ann on 3 May", "a dinner at the Mill on 4 June": the day is not Ann's, nor the Mill's.
_WHERE = lexicon("with via from by at in to into on about over near around after before since until")
_ELSEWHERE = _WHERE | {"during", "for"}
# "As Ann and I did on 18 May" tells what somebody did.
_WHO = lexicon("i we you he she they")
_DETERMINER = lexicon("a an the my our this that each every its their")


def key(text: str, start: int, end: int, values: Sequence[Place], *, dated: bool = False) -> str | None:
    """What the value from `start` to `end` measures, or what happens on that day if it is `dated`: up to four words
    before it, or the words right behind it. None if they do not say it. No word of a key stands beyond another of the
    `values`. The values of a range, and a value with its correction, share their key."""
    words, linked = _words(text, start, values)
    found = _named(words)
    if found is None or _says_other(
        found, dated=dated, linked=linked, clock=text.endswith(("am", "pm"), 0, end)
    ):
        return None
    lasts = _LASTS.search(text, start, end) is not None
    if lasts and (_FROM_THERE.match(text, end) or _IN_ALL.search(text[max(0, start - _REACH) : start])):
        return None
    return a_thing(_key(text, end, words, found, dated=dated, linked=linked))


def _denied(found: _Named, *, dated: bool) -> bool:
    """Whether a value is said not to be that of what is named. "I haven't reached my goal of 95%" leaves the goal."""
    before, behind = found.beside
    asks = dated or not _KNOWN.search(before)
    return _NEGATION.search(behind) is not None or (asks and _NEGATION.search(before) is not None)


def a_thing(key: str | None) -> str | None:
    """A key whose last word may name a thing; no judgement does."""
    *_, last = (key or "").rpartition(" ")
    return None if last in _NO_NOUN or key in _PARTICLE or _VERDICT.fullmatch(last) else key


def _key(
    text: str, end: int, words: Sequence[str], found: _Named, *, dated: bool, linked: bool
) -> str | None:
    """The key that the words before a value, or those behind it, give."""
    right = None if text.endswith(("old", "people"), 0, end) else _directly(text, end)
    loose = found.link and _IS.isdisjoint(found.link)
    if right and (not found.name or loose or _PAST.fullmatch(found.name)):
        if words and _NEGATION.fullmatch(words[-1]):
            return None
        return f"target {right}" if found.verb in _AIMS and not found.name else right
    # "We leave tomorrow", "I stay at 25 mg"; but "it weighs 12 kg".
    if _denied(found, dated=dated) or (
        found.done and (dated or _AT & found.link) and "least" not in found.link
    ):
        return None
    if dated and (_PAST.fullmatch(found.name) or found.after in _WHERE):
        return None
    if found.name:
        # "The one on Monday" names nothing, "the big one" does. "This time 110 euros" only says when.
        nothing = found.name in ("one", "ones") or (found.name, found.beside[0][-4:]) == ("time", "this")
        return None if nothing else found.name
    # "45 euros on groceries".
    behind_it = None if dated else (_NEXT if linked else _OF).match(text, end)
    of = up_to(TOKEN.findall(behind_it[1])) if behind_it else None
    return None if of is None or of in _CHANGES or _DID.fullmatch(of) else of


def key_of_count(text: str, start: int, values: Sequence[Place], counted: str) -> str | None:
    """The key of a count from the words before it: "sold red tickets" for "we sold 1,200 red tickets". None if they do
    not say it."""
    words, _ = _words(text, start, values)
    found = _named(words) if words else None
    if found is None or not found.name or found.verb:
        return None
    if words[-1].lower() != found.name.split()[-1]:
        return a_thing(found.name)
    return None if found.name.split()[-1] in _NO_NOUN else f"{found.name} {counted}"


def _words(text: str, start: int, values: Sequence[Place]) -> tuple[list[str], bool]:
    """The words before a value in its part of the sentence, and whether no mark separates it from the value before."""
    first, behind = _before(start, values)
    # "From 5 to 7" and "3 May, no, 5 May": both values have the key of the first.
    while behind and (TO.fullmatch(text, behind, start) or RETRACTS.fullmatch(text, behind, start)):
        start = first
        first, behind = _before(start, values)
    before = _ENDS.split(text[max(behind, start - _REACH) : start])[-1]
    words = TOKEN.findall(before.replace("’", "'"))
    if start > behind + _REACH and words:
        words = words[1:]
    # "5 km on trails and 8 km by road": words between two values may belong to the first.
    linked = behind > 0 and before == text[behind:start]
    if linked and _AND.search(before):
        words.clear()
    return words, linked


def _before(start: int, values: Sequence[Place]) -> Place:
    """The last value before a place."""
    return max((place for place in values if place[1] <= start), default=(0, 0))


class _Named(NamedTuple):
    """The parts of the words before a value: the name of what it measures, the verb behind the name, the words that
    join both to the value, and the word before the name."""

    name: str
    verb: str
    link: frozenset[str]
    after: str
    # Who does what the name says, where it is one word behind such a word: "we leave", "to stay".
    done: bool = False
    # What stands before and behind the name, in words.
    beside: tuple[str, str] = ("", "")


def _says_other(found: _Named, *, dated: bool, linked: bool, clock: bool) -> bool:
    """Whether the words before a value give something else: "reduced it by 20%" a change, "80% accuracy by 3 May" the
    accuracy, "the rules as of 3 May" no day of the rules. `clock`: the value is a time of day."""
    if dated:
        return "as" in found.link or ("by" in found.link and linked and found.after not in ("and", "or"))
    return "by" in found.link and not clock


def _named(words: Sequence[str]) -> _Named | None:
    """What the words before a value say; None if they give a day or the like and no key."""
    low, verb = [word.lower() for word in words], ""
    whole = low
    said = _stripped(low, _BETWEEN)
    link = frozenset(low[len(said) :])
    low = _stripped(low, _BETWEEN | _CHANGED | {"got"})
    if len(low) < len(said):
        verb, low = (said[-1], low) if low else ("", said)
    if low and low[-1] in _NO_KEY:
        return None
    first = next((n for n in range(len(low), 0, -1) if len(low) - n == 4 or _stops(low[n - 1], _APART)), 0)
    while first < len(low) and low[first] in _NO_HEAD:
        first += 1
    last = first if _WHO & link else len(low)
    while last > first and _of_nothing(low, last - 1):
        last -= 1
        verb = low[last]
    while last > first and (low[last - 1] in ("of", "for") or low[last - 1].endswith(("'s", "-"))):
        last -= 1
    after = _stripped(low[:first], _DETERMINER)
    done = last - first == 1 and bool(before := _stripped(low[:first], _MEANWHILE)) and before[-1] in _DOES
    near = next((n for n in range(first, 0, -1) if first - n == 3 or whole[n - 1] in _ELSEWHERE), 0)
    beside = " ".join(whole[near:first]), " ".join(whole[last:])
    while first < last and _of_nothing(low, first):
        first += 1
    if last - first == 1 and (low[first] in _NO_THING_ALONE or len(low[first]) == 1):
        first, verb = last, low[first]
    return _Named(" ".join(low[first:last]), verb, link, after[-1] if after else "", done, beside)


def _stripped(words: list[str], behind: frozenset[str]) -> list[str]:
    """Words without those of a table at their end."""
    last = len(words)
    while last and words[last - 1] in behind:
        last -= 1
    return words[:last]


def _of_nothing(words: Sequence[str], place: int) -> bool:
    """Whether a word is a verb that does not say what a value measures."""
    word = words[place]
    return word in _SAID_OF_NOTHING or (word in _BARE and place > 0 and words[place - 1] in _VERB_AFTER)


def _stops(word: str, table: frozenset[str]) -> bool:
    """Whether a key ends at a word: one of a table, a contraction or an adverb."""
    return word in table or _SHORT.fullmatch(word) is not None


def _directly(text: str, end: int) -> str | None:
    """The thing named right behind a value: "95% success rate"."""
    behind = _DIRECTLY.match(text, end)
    found = up_to(behind[1].split()) if behind else None
    while found and found.split()[-1] in _SAID_OF_NOTHING:
        found = found.rpartition(" ")[0]
    first = found.split()[0] if found else ""
    if (
        not first
        or _DID.fullmatch(first)
        or first in _NO_THING
        or first in _SAID_OF_NOTHING
        or found in _CHANGES
    ):
        return None
    return found


def up_to(words: Sequence[str]) -> str | None:
    """The words up to the first that cannot name a thing."""
    found = itertools.takewhile(lambda word: not _stops(word.lower(), _NOT_BEHIND), words)
    return " ".join(found).lower() or None
