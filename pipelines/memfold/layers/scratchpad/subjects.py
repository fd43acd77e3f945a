"""What an item of the scratchpad is about, and whether two of them can both be true. Knows no tree and no budget.

A subject is an entity and an attribute. "deadline" alone is no subject: two projects have two. Extractions that a
strong model wrote of two conversations of BEAM have 149 facts under the key "question" and 111 under "problem"; by
key alone the last of each would stand for all. Where the key names its entity, or the words around the value or the
head of the message do ("Larkspur: …"), a newer value takes the place of the older, but a day never that of a span.
Where nothing does, it does so only if the key says more than one word, and it is a value of the same shape ("900
euros", "950 euros").
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from memfold.text.calendar import MONTH_NAMES, SHORT_NAMES, WEEKDAYS
from memfold.text.language import language
from memfold.text.sentences import sentences
from memfold.text.terms import plain, terms

# Kinds of which there is one current item a subject; a correction corrects a fact. Two events or two constraints about
# one thing both hold.
VALUES: Mapping[str, str] = {"fact": "fact", "correction": "fact", "decision": "decision"}

_CALENDAR = "|".join((*MONTH_NAMES, *" ".join(SHORT_NAMES).split(), *(f"{day}s?" for day in WEEKDAYS)))
_DATED = re.compile(rf"\b(?:{_CALENDAR})\b\.?", re.IGNORECASE)
_NUMBER = re.compile(
    r"\d+(?:[.,:/-]\d+)*(?:st|nd|rd|th)?\b|[一二三四五六七八九十百千万]+(?=[月日号点个年元])"
)
# A word does not begin within another or right after a figure: "512Mi" holds no word "Mi".
_WORD = re.compile(r"(?<!\w)(?P<word>[^\W\d_][\w&-]*)(?P<of>'s\b)?")
# What a sentence goes on with that begins with a name.
_IS = frozenset(("is", "are", "was", "has", "had", "will", "now", "got", "need", "needs", "moved"))
# Before a name that what follows it belongs to: "the Quarry Road allotment" is not "the Quarry Road bakery".
_THE = frozenset(("the", "this", "our", "my", "your", "his", "her", "their"))
# What stands between a name and what it is or has, and belongs to neither.
_ADVERB = frozenset(
    ("again", "already", "also", "finally", "however", "never", "once", "still", "then", "though", "today")
)
# What else stands before a name and does not belong to it.
_TITLES = frozenset(("dr", "mr", "mrs", "ms", "prof"))
_OPENERS = _ADVERB | frozenset(("additionally", "given", "maybe", "since"))
# Who is named in a reason has nothing of what it explains.
_REASON = re.compile(r"\bbecause\b[^,;.!?]*", re.IGNORECASE)
# Kinds of values of which one never takes the place of the other. A sum is of neither: "£990 a month".
_SUM = re.compile(r"[%€$£¥元]|\b(?:percent|dollars?|euros?|pounds?|yuan)\b", re.IGNORECASE)
_LASTS = (
    r"(?:\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|few|several|half an))[\s-]?"
    r"(?:minute|hour|day|week|month|year)s?\b"
)
# "In 3 weeks" is a day.
_DAY = re.compile(
    rf"\b(?:{_CALENDAR}|today|tomorrow|(?:next|this|last)\s(?:week|month|year)|\d{{4}}-\d\d-\d\d)\b"
    rf"|\bin\s(?:a\s)?\d*{_LASTS}"
    r"|\d{4}年|[\d一二三四五六七八九十]\s?[月日号]|[今明后昨]天|(?:星期|礼拜|周)[一二三四五六日末]",
    re.IGNORECASE,
)
_SPAN = re.compile(
    rf"{_LASTS}|[\d一二三四五六七八九十两几半]\s?个?(?:小时|分钟|天|月|星期|周|年)", re.IGNORECASE
)
# What makes a value more exact: the parts behind a version's second, and a day's year.
_EXACT = re.compile(r"(?<=\d\.\d)(?:\.\d+)+|(?<=\d\.\d\d)(?:\.\d+)+|(?<=\d),? \d{4}")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")
# Keys that say what a value looks like, and not what it belongs to.
_LABELS = frozenset(("name", "link", "email"))
# What a message is about may stand at its head: "Larkspur: budget 900 euros". These say what kind of message it is.
_HEAD = re.compile(r"\s*([^\n:.!?]{2,40}):\s")
_HERALDS = frozenset(
    (
        "correction",
        "edit",
        "fyi",
        "goal",
        "news",
        "note",
        "ps",
        "question",
        "reminder",
        "summary",
        "task",
        "update",
    )
)
# "My rent is …". A pattern made anew for each key took nine tenths of the time of an entity.
_MY = (
    (re.compile(r"\bmy\s+", re.IGNORECASE), re.compile(r"\s+(?:is|was|are|were)\b", re.IGNORECASE)),
    (re.compile("我的"), re.compile("[^，。]{0,4}[是为]")),
)
# A person has one of these at a time. So a message that says nothing else means the speaker's own, as "my rent is …"
# does. A budget and a deadline belong to a project.
_ONE_EACH = re.compile(
    r"\W*(?:(?:the|our|my)\s+)?(?P<key>rent|mortgage|salary|wage|weight|height)\s+is"
    r"(?:\s+(?:now|currently|again))?\s+"
    r"|(?P<key_zh>房租|租金|房贷|工资|月薪|薪水|体重|身高)(?:现在)?[是为]",
    re.IGNORECASE,
)
# What may stand behind the value.
_ALONE = re.compile(
    r"(?:\s*(?:(?:a|per|each|every|/)\s*(?:day|week|month|year)|pcm|monthly|weekly|now|again|at the moment|了))*"
    r"(?:,?\s+(?:since|from|starting|because)\b[^.!?]*|[，,]?因为[^。！？]*)?[\s.!。！]*",
    re.IGNORECASE,
)
# A Chinese key up to so many characters is one word.
_WORD_ZH = 4
_OWN = re.compile(r"\w\s+(?:of|for|at|in)\s+\w|\w's\s|\w的\w|《|「")
_TITLE = re.compile(r"[《「“]([^》」”]{1,40})[》」”]")
_NEGATION = re.compile(
    r"\b(?:never|not|no|none|neither|nobody|nothing|without|cannot|\w+n't)\b|从未|从来没|没有|没|不|未曾",
    re.IGNORECASE,
)


def entity(about: str, text: str, beside: str = "") -> str | None:
    """Of what `about` is an attribute, by the words of `text`, or of the sentence of `beside` that holds the value, or
    of the head of `beside`: names, lower-cased. Empty where `about` names it itself, or is the speaker's own ("my rent
    is …"); None where nobody does."""
    if _OWN.search(about) or _names(about, frozenset(), key=True):
        return ""
    value = text.partition(" = ")[2]
    if value:
        text = next((one for one in sentences(beside, language(beside)) if value in one), "").replace(
            value, " "
        )
        if _says_alone(about, value, beside):
            return ""
    head = _HEAD.match(beside) if value and value in beside else None
    said = frozenset(about.lower().split())
    if head is not None:
        text = text.removeprefix(head[0])
    text = without_reason(text)
    if value and _bare(about) and _value_kind(value) and _is_name(about, text):
        return None
    found = _names(text, said)
    if head is not None and not found:
        # Behind "of" the first word begins nothing.
        begins = any(word[0].islower() for word in head[1].split())
        found = _names(head[1] if begins else f"of {head[1]}", said | _HERALDS)
    return " ".join(sorted(found)) or ("" if _is_mine(about, text) else None)


def subjects(kind: str, about: str | None, of: str | None, text: str) -> list[tuple[str, ...]]:
    """What an item is about, as keys: two that share one are of one subject. What it corrects comes first."""
    family = VALUES.get(kind)
    if family is None or not about or _says_nothing(plain(about)):
        return []
    attribute = _attribute(about)
    if of is not None:
        kinds = () if kind == "correction" else (_value_kind(text.partition(" = ")[2]),)
        return [("entity", family, attribute, of, *kinds)]
    return [
        *([("attribute", family, attribute)] if kind == "correction" else []),
        # "Budget" and "deadline" are of every project: of 40 values that such a key replaced in BEAM, 31 were of
        # something else.
        *([] if _bare(about) else [("shape", family, attribute, shape(text))]),
    ]


def known(kind: str, about: str | None, of: str | None, text: str) -> list[tuple[str, ...]]:
    """The keys under which a later item finds this one: its subjects, and for corrections, which may be of any kind of
    value, its subject and its attribute."""
    family = VALUES.get(kind)
    if family is None or not about or _says_nothing(plain(about)):
        return []
    attribute = _attribute(about)
    keys = subjects(kind, about, of, text)
    if of is not None:
        whole = ("entity", family, attribute, of)
        keys = [(*whole, _value_kind(text.partition(" = ")[2])), whole]
    return [*keys, ("attribute", family, attribute)]


def _is_name(about: str, text: str) -> bool:
    """Whether a sentence writes a key of one word as somebody's name: "Scott met Cynthia on June 10"."""
    place = text.find(about.capitalize(), 1)
    before = text[: max(place, 0)].split()
    return bool(before) and (
        before[-1][-1] not in ".!?:"
        and before[-1].lower() not in _THE
        and not text[place + len(about) :][:1].isalnum()
    )


def _is_mine(about: str, text: str) -> bool:
    """Whether a sentence gives the value of something that it calls the speaker's own ("my rent is …")."""
    return any(
        text[my.end() : (behind := my.end() + len(about))].lower() == about.lower()
        and says.match(text, behind)
        for before, says in _MY
        for my in before.finditer(text)
    )


def _says_alone(about: str, value: str, beside: str) -> bool:
    """Whether a message gives the value of something that a person has one of at a time (`_ONE_EACH`), and says nothing
    else."""
    says = _ONE_EACH.match(beside)
    return (
        says is not None
        and (says["key"] or says["key_zh"]).lower() == about.lower()
        and beside.startswith(value, says.end())
        and _ALONE.fullmatch(beside, says.end() + len(value)) is not None
        and not _names(beside, frozenset((about.lower(),)))
    )


def _attribute(about: str) -> str:
    return " ".join(sorted(set(terms(about)))) or plain(about)


def _says_nothing(about: str) -> bool:
    """Whether a key tells nothing about a value's subject: a label, or what was done ("started", "agreed")."""
    return about in _LABELS or (about.endswith("ed") and len(about) > len("speed") and _bare(about))


def _bare(about: str) -> bool:
    """Whether a key is of one word."""
    return len(about.split()) == 1 and (about.isascii() or len(about) <= _WORD_ZH)


def shape(text: str) -> str:
    """`text` with its numbers and dates taken out."""
    return plain(_NUMBER.sub("#", _DATED.sub("@", text)))


def _value_kind(value: str) -> str:
    """Whether the value of a fact is a day or a span of time; empty for any other. Whole sentences have no value:
    "Moved the launch by two weeks" takes the place of "The launch is on May 5", and "I brought the drill back on
    Sunday" stands against "I never borrowed it"."""
    if _SUM.search(value):
        return ""
    return "day" if _DAY.search(value) else "span" if _SPAN.search(value) else ""


def without_reason(text: str) -> str:
    """`text` without why it is so: who is named there has nothing of its own."""
    return _REASON.sub("", text)


def holds(text: str, other: str) -> bool:
    """Whether a fact gives the value of another one, as exactly or more so: "3.11.2" is 3.11."""
    mine, others = (_THOUSANDS.sub("", plain(one.partition(" = ")[2])) for one in (text, other))
    if not others or not mine.startswith(others):
        return False
    return mine == others or _EXACT.fullmatch(mine, len(others)) is not None


def denies(text: str) -> bool:
    """Whether a statement says that something is not so."""
    return bool(_NEGATION.search(text))


def _noun(word: str) -> bool:
    """Whether a word may belong to the name before it."""
    return word.islower() and word not in _IS | _ADVERB and not word.endswith("ed") and any(terms(word))


def _names(text: str, but: frozenset[str], *, key: bool = False) -> set[str]:
    """Names in a text, lower-cased: titles, and runs of capitalised words, with the noun behind them where there is an
    article before them and the phrase ends there. One that begins a sentence is a name where it has or is something;
    one that begins a key of several words is."""
    found = {title.lower() for title in _TITLE.findall(text)}
    but |= _TITLES
    words = list(_WORD.finditer(text))
    run: list[str] = []
    for place, match in enumerate(words):
        word, of = match["word"], match["of"]
        after = words[place + 1]["word"] if place + 1 < len(words) else ""
        begins = not text[: match.start()].strip(" \t\"'(*-") or text[: match.start()].rstrip()[-1:] in ".!?"
        named = word[0].isupper() and any(letter.islower() for letter in word) and any(terms(word))
        named = named and not _DATED.fullmatch(word) and word.lower() not in but
        if begins and word.lower() in _OPENERS:
            named = False
        if begins and not of and after not in _IS and not (key and after) and not after[:1].isupper():
            named = False
        if named:
            run.append(word.lower())
        if run and (not named or of or text[match.end() : match.end() + 1] != " " or not after):
            before = words[place - len(run) - 1]["word"].lower() if place > len(run) else ""
            # More often than a noun it is a verb: "the Atlas starts on May 9".
            ends = text[match.end() : match.end() + 1] != " " or after in _IS
            if not named and ends and before in _THE and _noun(word) and word not in but:
                run.append(word)
            found.add(" ".join(run))
            run = []
    return found
