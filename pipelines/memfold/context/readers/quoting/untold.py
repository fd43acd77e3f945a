"""Whether the conversation gave the value that a question in English asks for: a price, a weight, a surname, a phone
number. A conversation may mention a dress and several amounts, and never say what the dress cost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memfold.context.readers.quoting import worth
from memfold.context.readers.quoting.candidates import Candidate
from memfold.retrieve.sought import asks
from memfold.text.numbers import ENGLISH
from memfold.text.terms import terms

# In an answer of more than `ANSWER` characters, a sentence counts only if it holds the share `NAMED` of the question's
# weight by itself: the figures of a long answer are often general, such as what a course usually costs.
ANSWER, NAMED = 300, 0.7
# The figures in these notes are dates, or were computed.
_RECKONED = frozenset({"event", "sentiment", "reckoned"})


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of value: `asked` matches questions for it, `told` matches sentences that may give it, and the sentence
    with its neighbours must hold the share `least` of the question's weight. `told` is wide on purpose: refusing an
    answerable question is worse than an irrelevant quote. (Lists of breeds, brands and schools refused 14 questions
    rightly, and many more of a reviewer's wrongly.)"""

    asked: re.Pattern[str]
    told: re.Pattern[str]
    least: float


def untold(question: str, rows: Sequence[Candidate], weight: worth.Weights) -> bool:
    """Whether a question asks for such a value, and no sentence gives it for the thing in question."""
    kind = next((kind for kind in _KINDS if kind.asked.search(question)), None)
    owner = _SURNAME.search(question)
    if kind is None and owner is None:
        return False
    rows = [row for row in rows if row.piece.role not in _RECKONED]
    if owner:
        return not any(_surname(owner[1], text) for row in rows for text in (row.text, row.speaker))
    return kind is not None and not _told(kind, question, rows, weight)


def _told(kind: Kind, question: str, rows: Sequence[Candidate], weight: worth.Weights) -> bool:
    asking = frozenset(term for word in _ASKING.findall(question) for term in terms(word))
    about = {term: share for term, share in weight.items() if term not in asking}
    if not about:
        return any(kind.told.search(row.text) for row in rows)
    long = [row for row in rows if row.piece.role == "assistant" and len(row.piece.text) > ANSWER]
    if any(kind.told.search(row.text) and worth.carried(row.terms, about) >= NAMED for row in long):
        return True
    for window in _windows([row for row in rows if row not in long]):
        if any(kind.told.search(row.text) for row in window):
            named = frozenset[str]().union(*(row.terms for row in window))
            if worth.carried(named, about) >= kind.least:
                return True
    return False


def _windows(rows: Sequence[Candidate]) -> Iterator[list[Candidate]]:
    """Each sentence with its neighbours: those beside it in its message, and what answers it where it asks."""
    by_message: dict[tuple[int, str], list[Candidate]] = {}
    for row in rows:
        by_message.setdefault((row.exchange, row.piece.text), []).append(row)
    first: dict[int, list[Candidate]] = {}
    for (exchange, said), message in by_message.items():
        message.sort(key=lambda row: said.find(row.text))
        first.setdefault(exchange, []).extend(message[:2])
    for (exchange, _), message in by_message.items():
        for i, row in enumerate(message):
            # The next exchange answers another user, and the assistant; the same one the user.
            later = bool(row.speaker) or row.piece.role == "assistant"
            answers = first.get(exchange + later, ()) if asks(row.text) else ()
            yield [*message[max(0, i - 1) : i + 2], *(one for one in answers if one.piece is not row.piece)]


def _surname(owner: str, text: str) -> bool:
    """Whether a text tells the surname of `owner`, a name or "my" or "boss"."""
    if _SURNAMES.search(text):
        return True
    if owner.lower() in ("my", "our"):
        return _MY_NAME.search(text) is not None
    return re.search(rf"\b(?i:{re.escape(owner)}) [A-Z][a-z]", text) is not None or (
        owner.islower() and owner in text.lower() and _TITLED.search(text) is not None
    )


_SURNAMES = re.compile(r"\b(?:sur ?name|last name|family name|maiden name|full name)\b", re.IGNORECASE)
_SURNAME = re.compile(rf"\b(\w+)(?:['’]s?)? (?:new |real |whole )?(?={_SURNAMES.pattern})", re.IGNORECASE)
_MY_NAME = re.compile(r"(?i:\bI['’]m|\bI am|name is|name['’]s) [A-Z]\w+ [A-Z]")
_TITLED = re.compile(r"\b(?i:Mrs?|Ms|Miss|Dr)\.? [A-Z][a-z]|[A-Z][a-z]+ [A-Z][a-z]")
_COST = (
    r"(?:costs?|costing|pay|paid|pays|spend|spent|charges?|charged|worth|money|earns?|prices?|fees?|rent|salary|budget"
    r"|wages?)"
)
# "What does it cost"; of much else ("how much time", "how much faster") the answer is no money.
_COSTS = (
    r"^\W*(?:(?:and|so|ok|btw|hey)\W+)*how much (?:is|was|are|were|will) (?:the|my|our|an?|his|her|their) "
    r"(?!time|weight)"
    r"|\b(?:how much|what) (?:do(?:es)?|did|will|would)(?! (?:I|we|you|he|she|they)\b) [^?]{0,80}\bcost\b"
    r"|\bwhat(?: is| was| are| were|['’]s) (?:[\w'’-]+ ){1,5}(?:price|cost|fee|rent|salary|wage)\b"
)
_PAYS = (
    r"\bhow much (?:money )?(?:did|do|does|have|has|had|will|would)\b[^?]{0,80}"
    r"\b(?:pay|paid|spend|spent|charge|earn|cost)\b"
    r"(?! attention)|\bwhat (?:did|do|does|will) [^?]{0,80}\b(?:pay|charge|earn)\b(?! attention)"
)
# Any figure that stands by itself, any number in words. Part of a name ("day 3", "level 2", "#4") is none.
_NUMBER = (
    r"(?<!day )(?<!step )(?<!part )(?<!week )(?<!level )(?<!version )(?<!no\. )(?<![#\w.:/-])"
    r"\d[\d.,]*(?![\d:/-]|(?:st|nd|rd|th)\b)"
    rf"|\b(?!one\b)(?:{'|'.join(ENGLISH)}|(?:thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand|million|grand|dozen|half)\b"
)
_AMOUNT = rf"{_NUMBER}|[$€£¥]|\b(?:free|nothing|gratis|no charge|a grand|bucks|quid|for a song|gift)\b"
# Words that ask for a value, and are not what it is asked of.
_ASKING = re.compile(
    rf"\b(?:{_COST}|much|many|year|get|got|total|altogether|overall|together|buy|bought|names?|number|phone|email|address"
    r"|works?|old|tall|heavy|high|voltage|volts|weigh\w*|needs?|used?|want|new|current|now|going|go|be)\b",
    re.IGNORECASE,
)
_KINDS = tuple(
    Kind(re.compile(asked, re.IGNORECASE), re.compile(told, re.IGNORECASE), least)
    for asked, told, least in (
        (_COSTS, _AMOUNT, 0.5),
        (_PAYS, _AMOUNT, 0.1),
        (r"\bvoltage\b|\bhow many volts\b", rf"{_NUMBER}|\bvolt|\dv\b", 0.15),
        (
            r"\bhow heavy\b|\b(?:how much|what (?:do|does|did))\b[^?]{0,80}\bweigh\b",
            rf"{_NUMBER}|\d\s?(?:kg|g|lbs?|oz)\b|\bweigh",
            0.15,
        ),
        (r"\bhow tall\b", rf"{_NUMBER}|\d\s?(?:cm|m|ft)\b|\d['′]\d|\b(?:tall|height)\b", 0.15),
        (
            r"\b(?:phone|mobile|telephone) number\b",
            r"(?<![\d-])(?!\d{4}-\d\d-\d\d)\+?\d[\d ()/-]{5,20}\d|\b(?:phone|number) is\b",
            0.0,
        ),
        (r"\be-?mail address\b|\bemail (?:of|for)\b|['’]s e-?mail\b", r"\w@\w", 0.0),
    )
)
