"""Whether the sentences found answer the question, or the conversation says nothing of what is asked.

Knows no frame and no context: it is given what was asked, what was found, and how near they are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from memfold.context.readers.quoting import measures, worth
from memfold.context.readers.quoting.asked import Wanted
from memfold.context.readers.quoting.candidates import Candidate
from memfold.embed.contract import Encode
from memfold.retrieve.kinds import BROAD
from memfold.retrieve.sought import Point
from memfold.text.calendar import WEEKDAY
from memfold.text.dates import MONTHS
from memfold.text.language import language, or_english
from memfold.text.terms import terms
from memfold.text.tongues import ENGLISH_NAMES


def tried(want: Wanted) -> bool:
    """Whether the answer is a choice among what was said: there is always one where there is anything near."""
    return want.kind in BROAD or want.advice or want.ends is not None or want.manner


def unfounded(topic: str, rows: Sequence[Candidate], *, told: bool = False) -> list[str]:
    """The topic's words that no sentence of the context has, except days, which stand above what was said, words that
    only point ("the one … earlier", "my current …", "what kind of", "what happened to"), and the kind of thing that is
    asked for ("which flavour is the cake"). If the question asks what the assistant `told`, words for telling are
    excepted too: a recommendation need not contain the word "recommend"."""
    kind = _KIND_ASKED.match(topic)
    found = set().union(*(row.terms for row in rows))
    return [
        word
        for term, word in worth.words(topic).items()
        if term not in found
        and not (kind and word == kind[1].lower())
        and not _DAY.fullmatch(word)
        and not _POINTS_AT.fullmatch(word)
        and not (told and _TELLS.fullmatch(word))
    ]


def valued(words: Sequence[str], rows: Sequence[Candidate], question: str) -> list[str]:
    """The `words` without those for a value as such, where a tool gave back one under the key that the question has
    beside it: {"case": "CS-7893"} is "the case number"."""

    def given(word: str) -> bool:
        beside = re.search(rf"(\w+) {word}\b(?: of (?:the |my |our )?(\w+))?", question, re.IGNORECASE)
        of = set(terms(beside[1])) or set(terms(beside[2] or "")) if beside else set[str]()
        return any(not row.keys.isdisjoint(of) for row in rows)

    return [word for word in words if not (_VALUE.fullmatch(word) and given(word))]


def unknown(question: str, rows: Sequence[Candidate]) -> bool:
    """Whether a question in English names somebody or something, by a capital, that no sentence of the context names:
    what a tool gave back under the right key is then of something else."""
    asked = _THANKED.sub("", _GREETED.sub("", _ASKED_FOR.sub("", question)))
    names = " ".join(name for name in _NAME.findall(asked) if not _OF_ALL.fullmatch(name))
    return bool(names) and or_english(language(question)) == "en" and bool(unfounded(names, rows))


def amounts_to(topic: str) -> frozenset[str]:
    """The terms of a topic without the words that only ask for an amount."""
    return frozenset(term for term, word in worth.words(topic).items() if not _AMOUNT.fullmatch(word))


def amount_told(topic: str, rows: Sequence[Candidate]) -> bool:
    """Whether one sentence has a number (a price, if the question asks for money) and all terms that do not only ask
    for an amount: who bought a bike for $200 need not have said "money", "cost" or "altogether"."""
    money = _MONEY.search(topic) is not None
    about = amounts_to(_PAYS.sub(" ", topic))
    return bool(about) and any(
        about <= row.terms
        and (measures.holds("money", row.text) if money else holds_point("figure", row.text))
        for row in rows
    )


def head(question: str) -> str | None:
    """The noun that a question asks for, in small letters: "criteria" of "What specific criteria did I use …", "agenda"
    of "Could you share the agenda of …". Only where whoever said it would have said the noun, or one near to it: a name
    for what is in a thing or behind it, or one that is asked for in detail. None where the answer is one of what the
    noun names ("What activity …": who said that they hiked did not say "activity")."""
    match = _ASKED.search(question)
    found: list[str] = []
    for word in (match[1] or match[2]).split() if match else ():
        bare = word.strip(".'’").lower()
        if _BEFORE.fullmatch(bare) and not found:
            continue
        # Whose it is stands before what it is.
        if bare.endswith(("'s", "’s")):
            found.clear()
            continue
        # The noun phrase ends before a verb, a preposition, or somebody's name.
        if _BEHIND.fullmatch(bare) or (found and word[:1].isupper()):
            break
        # "What inspired me": a verb where the noun would be.
        if not found and _VERB.search(bare):
            return None
        found.append(bare)
    noun = found[-1] if found else ""
    detailed = match is not None and _DETAILED.search(match[0]) is not None
    asked = _ACCOUNT.fullmatch(noun) or (detailed and not _KINDS_OF_THINGS.fullmatch(noun))
    return noun if noun and asked and not _VERB.search(noun) else None


def nearness(words: Sequence[str], rows: Sequence[Candidate], encode: Encode) -> dict[str, float]:
    """How near the nearest word of some sentences comes to each of some words: 0 to 1.

    The words are encoded by themselves: compared with whole sentences, the same measure told less (area under the curve
    .72 to .75 between 36 abstention probes and 129 answerable ones of BEAM's 20 development conversations).
    """
    near = list(worth.words(" ".join(row.text for row in rows)).values())
    if not words or not near:
        return dict.fromkeys(words, 0.0)
    vectors = encode([*words, *near])
    nearest = (vectors[: len(words)] @ vectors[len(words) :].T).max(1)
    return dict(zip(words, np.clip(nearest, 0.0, 1.0).tolist(), strict=True))


def holds_point(point: Point | None, text: str) -> bool:
    """Whether a text holds what an answer must hold; not where that is nothing."""
    return point is not None and _holds(point, text)


# Most sentences of a context stand in the next.
@lru_cache(maxsize=8_192)
def _holds(point: Point, text: str) -> bool:
    return _POINTS[point].search(text) is not None


_PHRASE = r"((?: [\w'’/.-]+){1,7})"
_ASKED = re.compile(
    rf"\b(?:what|which)(?: (?:is|was|are|were|'s))?{_PHRASE}"
    rf"|\b(?:share|tell me|provide|explain|describe|give me)(?: me)?(?: more)?(?: about)?{_PHRASE}",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"the|a|an|any|my|our|your|his|her|their|some|exact|specific|main|key|detailed|more|particular|common"
    r"|different|kind|type|sort|of|name|names"
)
_BEHIND = re.compile(
    r"did|do|does|was|is|were|are|in|of|for|to|that|which|when|i|my|we|you|he|she|they|about|behind|during"
    r"|from|besides|by|or|and|at|on|with|used|has|have|had|could|would|might|will|can|who|it"
)
_VERB = re.compile(
    r"(?:ed|izes|ates|inspires|helps|makes|made|led|describes?|means?|happens?|kept|brought|drew|drives?|gave|got|went)$"
)
_DETAILED = re.compile(r"\b(?:specific|exact|detailed|precise)\b", re.IGNORECASE)
# Names for what is in a thing or behind it.
_ACCOUNT = re.compile(
    r"agenda|analysis|arguments?|background|checklist|clauses?|comments?|conclusions?|conditions|contents?|contract"
    r"|correspondence|credentials|criteri(?:a|on)|critique|curriculum|details|diagnosis|duration|evaluation|evidence"
    r"|experience|explanation|feedback|findings|format|guidelines|information|instructions|itinerary|justification"
    r"|layout|logic|metrics|methodology|minutes|modules?|motivations?|opinions?|outcome|outline|parameters|points|polic(?:y"
    r"|ies)|procedures?|protocols?|qualifications?|questions|rationale|reactions?|reasoning|recommendations|regulations"
    r"|requirements|response|results?|rules|schedule|script|specifications?|standards|statistics|strateg(?:y|ies)"
    r"|structure|style|syllabus|techniques|terms|text|themes?|tips|topics|transcript|wording"
)
_DAY = re.compile(r"\d+(?:st|nd|rd|th)?|" + "|".join(map(re.escape, MONTHS)), re.IGNORECASE)
_POINTS_AT = re.compile(
    r"ones?|earlier|before|previous(?:ly)?|current(?:ly)?|still|nowadays|latest|newest|kinds?|sorts?|types?|things?"
    r"|happen(?:s|ed|ing)?",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<=[\w,’'\"] )[A-Z]\w+")
# "To which IBAN do I pay": what is asked for has no name yet.
_ASKED_FOR = re.compile(
    r"\b(?i:which|what)\s+[A-Z]\w+(?=\s+(?:do|does|did|is|are|was|were|has|have|had|can|could|should|will|would)\b)"
)
# Weekdays and languages are named of everything, and whoever is greeted or writes is no matter of the question.
_OF_ALL = re.compile(f"{WEEKDAY}|{ENGLISH_NAMES}", re.IGNORECASE)
_GREETED = re.compile(
    r"^\W*(?:hey|hi|hello|dear|ok(?:ay)?|please)\s+(?:[A-Z]\w+\s*)?(?=[,!.:])", re.IGNORECASE
)
_THANKED = re.compile(r"\b(?:thanks|thank you|cheers|regards)\b[^?]*$", re.IGNORECASE)
_VALUE = re.compile(r"numbers?|ids?|codes?|values?|references?|names?", re.IGNORECASE)
_AMOUNT = re.compile(r"money|much|many|total|altogether|together|overall|sum|amount", re.IGNORECASE)
_PAYS = re.compile(
    r"\b(?:cost(?:s|ing)?|spend(?:s|ing)?|spent|pay(?:s|ing)?|paid|charge[sd]?|price)\b", re.IGNORECASE
)
# "How much is my debt?" too: with any number "how much is my code?" found one.
_MONEY = re.compile(rf"\b(?:money|much)\b|{_PAYS.pattern}", re.IGNORECASE)
_TELLS = re.compile(
    r"(?:suggest|recommend|explain|mention)(?:ed|s|ing)?|(?:suggest|recommendat|explanat)ions?|advi[sc]e[ds]?|advising"
    r"|propos(?:e[ds]?|ing|als?)|(?:describ|provid)(?:e[ds]?|ing)|tell(?:s|ing)?|told|say(?:s|ing)?|said|give[ns]?|giving"
    r"|gave",
    re.IGNORECASE,
)
# Kinds of things that an answer is one of.
_KINDS_OF_THINGS = re.compile(
    r"activity|activities|event|events|item|items|type|types|thing|things|one|ones|person|persons|people"
    r"|place|places|city|cities|country|countries|town|area|areas|profession|job|jobs|role|roles|career"
    r"|technology|technologies|tool|tools|animal|animals|pet|pets|food|foods|dish|book|books|song|songs"
    r"|music|band|artist|movie|movies|film|films|game|games|sport|sports|hobby|hobbies|colour|color"
    r"|colours|colors|subject|subjects|approach|approaches|step|steps|way|ways|method|methods|child"
    r"|children|kid|kids|son|daughter|friend|friends|family|member|members|team|teams|group|groups|holiday"
    r"|language|languages|company|instrument|instruments|cause|causes|status|class|classes|platform"
    r"|library|libraries|framework|function|problem|problems|challenge|challenges|week|day|month|year"
    r"|season|brand|model|vehicle|car|gift|gifts|example|examples|symbol|object|objects|option|options"
    r"|lesson|lessons|product|products|store|shop|restaurant|restaurants|field|fields|state|project"
    r"|projects|relationship|emotion|emotions|feeling|feelings|reminder|trait|traits|attribute|attributes"
    r"|goal|goals|plan|plans|school|schools|sound|genre|painting|photo|picture|ms|mr|dr|mrs"
)
# Whoever names a colour need not say "colour".
_KIND_ASKED = re.compile(r"(?:what|which) (colou?r|shade|flavou?r|weekday|dish|drink)\b", re.IGNORECASE)
_MONTHS = "|".join(sorted(MONTHS, key=len, reverse=True))
_POINTS = {
    "figure": re.compile(
        r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twice|once)\b|[一二两三四五六七八九十]"
    ),
    "date": re.compile(
        rf"\d{{4}}-\d|\b(?:{_MONTHS})\.? \d|\d(?:st|nd|rd|th)? (?:of )?(?:{_MONTHS})\b"
        rf"|\b{WEEKDAY}|\d月|周[一二三四五六日]",
        re.IGNORECASE,
    ),
    "reason": re.compile(
        r"\b(?:because|since|so that|due to|in order to|reason)\b|因为|由于|所以|为了", re.IGNORECASE
    ),
    "person": re.compile(r"(?<=\w )[A-Z][a-z]+|[A-Z][a-z]+ (?:[A-Z][a-z]+|is|was)|叫|是"),
    "place": re.compile(r"\b(?:in|at|near|on) (?:the |a )?[A-Z]|\b(?:in|at|on) (?:the|my|our|a)\b|在|到"),
}
