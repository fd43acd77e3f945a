"""Whether what was found answers the question: what the question rests on in the context, and whether that suffices."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from memfold.context.readers.quoting import abstain, worth
from memfold.context.readers.quoting.candidates import Candidate
from memfold.context.readers.quoting.compared import Compared
from memfold.context.readers.quoting.measures import exact, lacks
from memfold.context.readers.quoting.never_said import never_said
from memfold.context.readers.quoting.reading import BY_NAMED, Reading
from memfold.context.readers.quoting.untold import untold
from memfold.context.tongue import asked_in
from memfold.embed.contract import Encode
from memfold.retrieve.best import best_first
from memfold.retrieve.query import called
from memfold.retrieve.reckon import asks_total
from memfold.retrieve.sought import asks
from memfold.text.language import or_english
from memfold.text.terms import terms
from memfold.text.wider import of_another

# Where several users speak and the question names one: it is not answered if another user's sentence is worth more, by
# this, than all by or of the named user. (Of LoCoMo's 237 questions that give one's deeds to another it refuses 95, and
# 29 of 762 others; .15 refuses 113 and 37, among them "Which cities has Jon visited?".)
BY_ANOTHER = 0.2


@dataclass(frozen=True, slots=True)
class Support:
    """How near the best sentences come to what a question names, 0 to 1: `nearest` to the word that they are farthest
    from of those that stand nowhere in the context, `noun` to what it asks for (`abstain.head`). `strange` is the share
    of the question's weight in words that stand nowhere."""

    nearest: float = 1.0
    noun: float = 1.0
    strange: float = 0.0


def support(one: Compared, encode: Encode) -> Support:
    """What the question rests on in the context."""
    reading = one.reading
    query, want = reading.query, reading.want
    if query.language == "zh":
        return Support(_carried(reading))
    if abstain.tried(want):
        return Support()
    # How near a word comes tells something only in English. In other languages words that ask ("wogegen", "wann") occur
    # in no sentence either, so a question is strange only if none of its terms occurs.
    if or_english(asked_in(query.text, reading.context)) != "en":
        return Support() if _carried(reading) else Support(0.0, strange=1.0)
    missing = abstain.unfounded(query.topic, reading.rows, told=want.told)
    missing = abstain.valued(missing, one.few, query.text)
    counted = want.kind == "count" or asks_total(query.text)
    if missing and counted and abstain.amount_told(query.topic, reading.rows):
        missing = []
    # Whoever suggested steps for a vow need not have said "structure".
    noun = None if want.told else abstain.head(query.text)
    best = [one.few[i] for i in best_first(one.ranked.worth)[:4]]
    near = abstain.nearness([*missing, *([noun] if noun else [])], best, encode)
    strange = worth.carried({term for word in missing for term in terms(word)}, reading.rests)
    return Support(min((near[word] for word in missing), default=1.0), near[noun] if noun else 1.0, strange)


def suffices(one: Compared, chosen: Sequence[int], found: Support) -> bool:
    """Whether the `chosen` sentences answer the question, which rests on what was `found`."""
    reading = one.reading
    how, query, want, few = reading.how, reading.query, reading.want, one.few
    if reading.strange and not abstain.tried(want):
        return False
    if any(map(reading.explains, reading.rows)):
        return True
    if reading.measure and any(map(reading.measured, few)):
        return True
    if exact(reading.measure, query.language) and not any(map(reading.measured, reading.rows)):
        return False
    # To an embedder the mother is near to the father.
    if of_another(set(terms(query.text)), {t for i in chosen for t in terms(few[i].text)}):
        return False
    if query.language == "zh":
        quoted = [few[i].piece.text for i in chosen]
        said = [row.text for row in reading.rows]
        if not abstain.tried(want) and (
            lacks(query.text, quoted, said) or never_said(query.text, said, quoted)
        ):
            return False
        return found.nearest >= how.chinese_threshold
    # An agent tells values in words of its own, behind a request and its tools.
    checked = query.language == "en" and not (want.told or want.advice or reading.context.agent)
    if checked and untold(query.text, reading.rows, reading.rests):
        return False
    if found.strange >= how.strange and found.nearest < how.strange_threshold:
        return False
    held = any(abstain.holds_point(want.point, few[i].text) for i in chosen[:2])
    return held or want.kind == "contradiction" or found.noun >= how.noun_threshold


def by_another(one: Compared) -> str:
    """The user whose sentence answers best, if the question names another user and no sentence by or of the named user
    answers nearly as well; else empty. What the named user says of the one spoken to ("I love your tattoo!") is no
    sentence of their own, and what somebody else asks tells nothing of that one."""
    reading = one.reading
    if not reading.whose or reading.want.point == "person":
        return ""
    own, rest, others = -np.inf, -np.inf, dict[str, float]()
    for row, value in zip(one.few, one.ranked.worth.tolist(), strict=True):
        if not row.speaker:
            continue
        named = reading.by_named(row)
        # "You remember the red bike? Sold it for 300."
        behind = row.piece.text.partition(row.text)[2]
        to_another = not (reading.want.things or _DID.match(behind)) and addressed(row.text, reading.weight)
        value -= BY_NAMED * named
        # What the named user says to somebody else is about that person, and what others say to them is about them.
        if named != to_another or (not named and _tells_of(reading.whose, row)):
            own = max(own, value)
        elif named or not asks(row.text):
            rest = max(rest, value)
            if not named:
                others[row.speaker] = max(value, others.get(row.speaker, -np.inf))
    said_by = max(others, key=lambda name: others[name], default="")
    return said_by if rest > own + BY_ANOTHER else ""


def _tells_of(name: str, row: Candidate) -> bool:
    """Whether a sentence names a user, or its message tells something about them elsewhere: "Ben said he doesn't dare".
    Calling a user by name ("Nice one, Ben!") does not count in the rest of the message: if it did, 21 instead of 37 of
    119 adversarial questions of LoCoMo would be refused."""
    if name in called(row.text, [name]):
        return True
    first = re.escape(name.split()[0])
    tells = rf"(?:(?<![\w,] )|(?<=\band )|(?<=\bthat )|(?<=\bbut )|(?<=\bif ))\b(?i:{first}){_TELLS_OF}"
    return re.search(tells, row.piece.text) is not None


def addressed(text: str, topic: Collection[str]) -> bool:
    """Whether a sentence asks the one spoken to, or tells of what is theirs, and says nothing of the speaker: "How long
    have you played?", "Your garden is lovely!". Advice ("you can use oil") is the speaker's own."""
    if not _YOU.search(text) or _OF_SPEAKER.search(text) or _DID.match(text):
        return False
    return asks(text) or any(not set(terms(found[0])).isdisjoint(topic) for found in _YOURS.finditer(text))


def _carried(reading: Reading) -> float:
    """The share of the question's weight in the terms of the context."""
    return worth.carried(set().union(*(row.terms for row in reading.rows)), reading.rests)


# Behind the name of somebody of whom something is told: "Tom what else would you eat" calls him.
_TELLS_OF = (
    r"(?:['’]s)? (?!(?:you|u|ur|your|what|how|when|where|who|why|which|do|did|are|were|have"
    r"|can|could|please|pls|thanks?)\b)"
    r"[a-z]"
)
_YOU = re.compile(
    r"\byou(?:rs?)?\b(?!['’]ll\b| (?:can|could|should|might|may|need|must|have to|know)\b)", re.IGNORECASE
)
_YOURS = re.compile(r"\byour (?:[\w'’-]+ ?){1,4}|\byou(?:['’]\w+)? (?:[\w'’-]+ ?){1,5}", re.IGNORECASE)
# A sentence without a subject tells what the speaker did.
_DID = re.compile(
    r"\W*(?:(?:just|already|finally|only|also|so)\s+)?(?:\w{3,}(?:ed|ing)|sold|bought|got|had|went|saw|made|took|did|found|gave"
    r"|lost|met|ran|won|kept|left|sent|paid|ate|read|wrote|handed|put|heard|drove)\b(?!\s+(?:you|u)\b[^,;.]*\?)",
    re.IGNORECASE,
)
_OF_SPEAKER = re.compile(r"\b(?:I|my|me|we|our|us|mine|myself)\b", re.IGNORECASE)
