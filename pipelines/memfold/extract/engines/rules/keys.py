"""The words of an English sentence that say what a value in it is of.

They stand before the value ("the response time is 250 ms") or right behind it ("a 95% success rate"). A verb that says
only that something was reached, changed or asked for ("achieved 95%", "sent it on 3 June") says it of nothing. There is
no tagger: words are verbs by these tables. Where nothing says what a value is of, it has no key.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

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
    "like into after before since between per total current currently"
)
# Further words that no key holds.
_ASIDE = lexicon(
    "trying want need help get make sure know think considering working going using got take takes took spend spent "
    "keep set wondering given already also again still ever never always really kinda maybe perhaps how what why "
    "across during below above against through beyond via until trouble own lot"
)
_SHORT = re.compile(
    r"(?:i|you|we|they|he|she|it|that|there|here|what|who|how|where|let)'(?:s|d|ll|ve|re|m)|[a-z]+n't"
    r"|(?!family|supply|reply|assembly|anomaly|early|daily|weekly|monthly|yearly|hourly|quarterly|friendly)[a-z]{3,}ly"
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
            "week weeks month months year years hour hours minute minutes second seconds ago later earlier last next "
            "first past previous whether because gone"
        ),
        *_typed(
            lexicon(
                "it's that's there's here's he's she's who's what's where's they're they've him there here don't "
                "doesn't didn't can't won't isn't aren't wasn't weren't haven't hasn't hadn't couldn't wouldn't"
            )
        ),
    )
)
# What may stand between a key and its value, besides what no key holds.
_BETWEEN = STOP | lexicon(
    "being down up out daily weekly monthly yearly already initially recently once again still also even finally"
)
_NOT_BEHIND = _NO_KEY | _BETWEEN | _ASIDE
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
TOKEN = re.compile(r"[A-Za-z][\w'./+#-]*")
# A key stands right before its value; further left is another matter.
_REACH = 60

# Verbs that do not say what a value is of. In their bare form they are nouns too ("memory limit"), so then the word
# before them tells.
_VERBS = (
    "achieve aim target reach improve increase decrease reduce lower raise boost drop maintain attain estimate "
    "allocate start begin schedule finish submit identify add include cover cause bring show handle find see "
    "receive require ensure assume allow limit expect adjust happen confirm mention decide plan try create give "
    "hold let put hit cut apply update support contain return prove fix do have say tell send change hope agree "
    "discuss follow involve record implement detect trigger enable cap come go notice look"
)
# As nouns these say it in another form: "the meeting", "the building", "we are moving".
_BARE = lexicon(_VERBS) | {"meet", "build", "move"}
_SAID_OF_NOTHING = frozenset(_inflected(_VERBS)) | lexicon(
    "began begun seen saw found met made did done had gave given held brought hitting cutting putting getting gotten "
    "built said told sent shown proven left remaining went gone came taken taking dropped dropping submitted "
    "submitting planned planning includes covers shows requires contains allows"
)
# With another word they say something: "error rate exceeds", "max attempts".
_NO_THING_ALONE = lexicon(
    "exceed exceeds exceeding exceeded average total maximum minimum max min initial extra new even other am pm"
)
_VERB_AFTER = lexicon(
    "to i we you they he she it that i've we've i'd we'd i'll we'll will can could should must would please let's us "
    "me helped help"
)
# A thing that one of these is said of has the value: "my quiz score improved to 85%".
_CHANGED = lexicon(
    "improved increased decreased rose fell dropped grew went reached reduced jumped climbed risen fallen grown gone "
    "moved postponed extended pushed rescheduled shifted delayed scheduled planned coming expected due booked starting "
    "starts begins ends ending happening taking"
)
# A value that is only aimed at is no value of the thing.
_AIMS = lexicon("achieve reach target targeting aim aiming attain")
# Of a day a verb of the past says nothing where its subject is missing.
_PAST = re.compile(
    r"[a-z]{2,}[^e\W]ed|met|made|went|saw|sent|took|told|said|found|bought|paid|read|ran|won|lost|held|began"
)
# What stands right behind a value and is no thing that it is of.
_NO_THING = lexicon(
    "away left long late early old tall wide high deep thick apart straight free available faster slower longer "
    "shorter due better worse closer higher lower daily off ahead short worth remaining together today combined"
)
# Where one of these joins a value to what is before it, it is of that: "the goal is 95% coverage".
_IS = lexicon("is are was were be been being of to")
# "A 25% improvement" does not say of what.
_CHANGES = lexicon("improvement improvements increase decrease reduction growth gain drop boost change")
# "Met with Ann on 3 May", "a dinner at the Mill on 4 June": the day is not Ann's, nor the Mill's.
_WHERE = lexicon("with via from by at in to into on about over near around after before since until")
# "As Ann and I did on 18 May": of what somebody did.
_WHO = lexicon("i we you he she they")
_DETERMINER = lexicon("a an the my our this that each every its their")


def key(text: str, start: int, end: int, values: Sequence[Place], *, dated: bool = False) -> str | None:
    """What a value is of: up to four words before it, or those right behind it, none of them beyond another of the
    `values`. From one value to another, or to the one that it is corrected to, both are of the same. `dated`: it is a
    day."""
    earlier, behind = _before(start, values)
    if behind and _goes_on(text, behind, start):
        return key(text, earlier, end, values, dated=dated)
    words, linked = _words(text, behind, start)
    found = _named(words)
    if found is None:
        return None
    # "Reduced it by 20%" gives a change, "80% accuracy by 3 May" an accuracy, "the rules as of 3 May" no day of theirs.
    until = "by" in found.link and linked and found.after not in ("and", "or")
    if until or "as" in found.link if dated else "by" in found.link and not text[:end].endswith(("am", "pm")):
        return None
    right = None if text[:end].endswith(("old", "people")) else _directly(text, end)
    loose = found.link and _IS.isdisjoint(found.link)
    if right and (not found.name or loose or _PAST.fullmatch(found.name)):
        return f"target {right}" if found.verb in _AIMS and not found.name else right
    if dated and (_PAST.fullmatch(found.name) or found.after in _WHERE):
        return None
    if found.name:
        # "The one on Monday" names nothing, "the big one" does.
        return None if found.name in ("one", "ones") else found.name
    # "45 euros on groceries".
    behind_it = None if dated else (_NEXT if linked else _OF).match(text, end)
    of = up_to(TOKEN.findall(behind_it[1])) if behind_it else None
    return None if of in _CHANGES else of


def key_of_count(text: str, start: int, values: Sequence[Place], counted: str) -> str | None:
    """What a count is of, by the words before it: "sold red tickets" of "we sold 1,200 red tickets". None if they do
    not say it."""
    earlier, behind = _before(start, values)
    if behind and _goes_on(text, behind, start):
        return key_of_count(text, earlier, values, counted)
    words, _ = _words(text, behind, start)
    found = _named(words) if words else None
    if not words or found is None or not found.name or found.verb:
        return None
    return f"{found.name} {counted}" if words[-1].lower() == found.name.split()[-1] else found.name


def _before(start: int, values: Sequence[Place]) -> Place:
    """The last value before a place."""
    return max((place for place in values if place[1] <= start), default=(0, 0))


def _goes_on(text: str, behind: int, start: int) -> bool:
    """Whether a value goes on to the next one: "from 5 to 7", "3 May, no, 5 May"."""
    return bool(TO.fullmatch(text, behind, start) or RETRACTS.fullmatch(text, behind, start))


def _words(text: str, behind: int, start: int) -> tuple[list[str], bool]:
    """The words before a value in its part of the sentence, and whether nothing parts them from the value before."""
    before = _ENDS.split(text[max(behind, start - _REACH) : start])[-1]
    words = TOKEN.findall(before.replace("’", "'"))
    if start > behind + _REACH and words:
        words = words[1:]
    # "5 km on trails and 8 km by road": what is between two values in one breath may belong to the first.
    linked = behind > 0 and before == text[behind:start]
    if linked and _AND.search(before):
        words.clear()
    return words, linked


class _Named(NamedTuple):
    """What the words before a value say it is of, the verb behind that, the words that join it to the value, and the
    one that it stands after."""

    name: str
    verb: str
    link: frozenset[str]
    after: str


def _named(words: Sequence[str]) -> _Named | None:
    """What some words before a value say; None if the value is of nothing."""
    low, verb = [word.lower() for word in words], ""
    said = _stripped(low, _BETWEEN)
    link = frozenset(low[len(said) :])
    low = _stripped(low, _BETWEEN | _CHANGED | {"got"})
    if len(low) < len(said):
        verb, low = (said[-1], low) if low else ("", said)
    if low and low[-1] in _NO_KEY:
        return None
    first = next((n for n in range(len(low), 0, -1) if len(low) - n == 4 or _apart(low[n - 1])), 0)
    while first < len(low) and low[first] in _NO_HEAD:
        first += 1
    last = first if _WHO & link else len(low)
    while last > first and _of_nothing(low, last - 1):
        last -= 1
        verb = low[last]
    while last > first and (low[last - 1] in ("of", "for") or low[last - 1].endswith(("'s", "-"))):
        last -= 1
    after = _stripped(low[:first], _DETERMINER)
    while first < last and _of_nothing(low, first):
        first += 1
    if last - first == 1 and (low[first] in _NO_THING_ALONE or len(low[first]) == 1):
        first, verb = last, low[first]
    return _Named(" ".join(low[first:last]), verb, link, after[-1] if after else "")


def _stripped(words: list[str], behind: frozenset[str]) -> list[str]:
    """Words without those at their end that are in a table."""
    last = len(words)
    while last and words[last - 1] in behind:
        last -= 1
    return words[:last]


def _of_nothing(words: Sequence[str], place: int) -> bool:
    """Whether one of some words is a verb that does not say what a value is of."""
    word = words[place]
    return word in _SAID_OF_NOTHING or (word in _BARE and place > 0 and words[place - 1] in _VERB_AFTER)


def _apart(word: str) -> bool:
    """Whether a key ends before a word."""
    return word in _APART or _SHORT.fullmatch(word) is not None


def _directly(text: str, end: int) -> str | None:
    """The thing that is named right behind a value: "95% success rate"."""
    behind = _DIRECTLY.match(text, end)
    found = up_to(behind[1].split()) if behind else None
    while found and found.split()[-1] in _SAID_OF_NOTHING:
        found = found.rpartition(" ")[0]
    first = found.split()[0] if found else ""
    if not first or first in _NO_THING or first in _SAID_OF_NOTHING or found in _CHANGES:
        return None
    return found


def up_to(words: Sequence[str]) -> str | None:
    """The first of some words, as far as they can name a thing."""
    found = itertools.takewhile(lambda word: not _ends(word.lower()), words)
    return " ".join(found).lower() or None


def _ends(word: str) -> bool:
    return word in _NOT_BEHIND or _SHORT.fullmatch(word) is not None
