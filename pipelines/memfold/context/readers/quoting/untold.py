"""Whether a value of the kind that a question in English asks for was told of what it asks about: an amount of money, a
surname, a weight, a birthday. The conversation may talk of the dress, and of amounts, and never say what it cost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memfold.context.readers.quoting import measures, worth
from memfold.context.readers.quoting.candidates import Candidate
from memfold.retrieve.sought import asks
from memfold.text.terms import terms

# A longer answer of the assistant's is advice: what a course costs as a rule tells nothing of the user's.
ANSWER = 300
# Notes that are dated or reckoned: their figures were not said of anything.
_RECKONED = frozenset({"event", "sentiment", "reckoned"})


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of value: the questions that `asked` for it, the sentences that `told` one, and the `least` share of what
    is asked about that such a sentence and its neighbours must name. (Of 76 of our own and the testers' questions
    that ask so and have no answer these refuse 61, of 38 with one none.)"""

    asked: re.Pattern[str]
    told: re.Pattern[str]
    least: float


def untold(question: str, rows: Sequence[Candidate], weight: worth.Weights) -> bool:
    """Whether a question asks for a value of a kind that no sentence tells of what is asked about."""
    kind = next((kind for kind in _KINDS if kind.asked.search(question)), None)
    owner = _SURNAME.search(question)
    if kind is None and owner is None:
        return False
    rows = [row for row in rows if row.piece.role not in _RECKONED]
    rows = [row for row in rows if row.piece.role != "assistant" or len(row.piece.text) <= ANSWER]
    if owner:
        return not any(_surname(owner[1], text) for row in rows for text in (row.text, row.speaker))
    return kind is not None and not _told(kind, question, rows, weight)


def _told(kind: Kind, question: str, rows: Sequence[Candidate], weight: worth.Weights) -> bool:
    asking = frozenset(term for word in _ASKING.findall(question) for term in terms(word))
    about = {term: share for term, share in weight.items() if term not in asking}
    for window in _windows(rows):
        if any(_holds(kind, row.text) for row in window):
            named = frozenset[str]().union(*(row.terms for row in window))
            if not about or worth.carried(named, about) >= kind.least:
                return True
    return False


def _holds(kind: Kind, text: str) -> bool:
    if kind.told is not _AMOUNT:
        return kind.told.search(text) is not None
    # In a chat most amounts have no currency; "45 sources" is none.
    told = _AMOUNT.search(text) is not None or measures.holds("money", text)
    return told or not _ALONE.isdisjoint(measures.units(_COMPOUND.sub("", text)))


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
            # Among several users the next exchange answers, else the same one.
            answers = first.get(exchange + bool(row.speaker), ()) if asks(row.text) else ()
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
_COSTS = re.compile(
    r"^\W*(?:(?:and|so|ok|btw|hey)\W+)*how much (?:is|was|are|were|will) (?:the|my|our|an?|his|her|their) "
    r"(?!time|weight)"
    r"|\b(?:how much|what) (?:do(?:es)?|did|will|would)(?! (?:I|we|you|he|she|they)\b) [^?]*\bcost\b"
    r"|\bwhat(?: is| was| are| were|['’]s) (?:[\w'’-]+ ){1,5}(?:price|cost|fee|rent|salary|wage)\b",
    re.IGNORECASE,
)
_PAYS = re.compile(
    r"\bhow much (?:money )?(?:did|do|does|have|has|had|will|would)\b[^?]*\b(?:pay|paid|spend|spent|charge|earn|cost)\b"
    r"(?! attention)|\bwhat (?:did|do|does|will) [^?]*\b(?:pay|charge|earn)\b(?! attention)",
    re.IGNORECASE,
)
_AMOUNT = re.compile(
    r"[$€£]|\b(?:free|for nothing|a grand|bucks|quid|dollars?|euros?|pounds?|cents|no (?:charge|fee|cost)|hundred"
    r"|thousand|fifty|twenty|forty|thirty)\b",
    re.IGNORECASE,
)
# What may stand behind an amount without a currency, as `measures.units` tells it.
_ALONE = frozenset(("", *terms("each total head person off back more less extra altogether bags nights")))
_COMPOUND = re.compile(
    r"\d+-(?=[A-Za-z])|\b(?:day|step|part|week|level|version|no\.?) \d+|#\d+", re.IGNORECASE
)
# Words that ask for a value, and are not what it is asked of.
_ASKING = re.compile(
    rf"\b(?:{_COST}|much|many|year|get|got|total|altogether|overall|together|buy|bought|names?|breed|brand|make"
    r"|model|birthday"
    r"|bday|born|address|number|phone|email|works?|stud(?:y|ies|ied)|live[sd]?|old|tall|heavy|high|voltage|volts|weigh\w*"
    r"|needs?|used?|want|new|current|now|going|go|be)\b",
    re.IGNORECASE,
)
_BREEDS = (
    r"beagle|poodle|labrador|lab\b|retriever|shepherd|terrier|bulldog|pug\b|husky|corgi|dachshund|spaniel|collie|chihuahua"
    r"|boxer|rottweiler|dalmatian|greyhound|whippet|mastiff|schnauzer|setter|malamute|akita|shiba|pomeranian|maltese|shih"
    r"|\w+doodle|cavapoo|cockapoo|mixed|mutt|mix\b|cross|siamese|persian|maine|ragdoll|bengal|sphynx|\w+hair|burmese"
    r"|siberian|tabby|birman|abyssinian|russian blue|norwegian|moggy|arab|thoroughbred|mustang|shetland|pedigree|breed"
)
_WEIGHT = r"kg|kilos?|kilograms?|g|grams?|lbs?|pounds?|stones?|ounces?|oz|tons?|tonnes?"
_HEIGHT = r"cm|m|met(?:er|re)s?|feet|foot|ft|inch(?:es)?|stor(?:ey|ies|y)s?|floors?"
_STUDY = (
    r"\b(?:stud(?:y|ies|ied|ying|ents?)|uni|universit\w+|college|school|degree|course|campus|graduat\w+)\b"
)
# A name inside a sentence; where somebody writes without capitals any word may be one.
_BRAND = r"(?<=[\w,'’\"“(] )(?-i:(?!I\b)[A-Z])[\w-]|\A(?-i:[^A-Z]*)\Z|\bbrand\b"
_KINDS = (
    Kind(_COSTS, _AMOUNT, 0.5),
    Kind(_PAYS, _AMOUNT, 0.1),
    *(
        Kind(re.compile(asked, re.IGNORECASE), re.compile(told, re.IGNORECASE), least)
        for asked, told, least in (
            (r"\b(?:what|which) breed\b|\bbreed (?:is|of)\b", rf"\b(?:{_BREEDS})", 0.3),
            (r"\bvoltage\b|\bhow many volts\b", r"\d\s?k?v(?:olts?)?\b|\bvolt", 0.15),
            (
                r"\bhow heavy\b|\b(?:how much|what (?:do|does|did))\b[^?]*\bweigh\b",
                rf"\d\s?(?:{_WEIGHT})\b|\bweigh",
                0.15,
            ),
            (r"\bhow tall\b", rf"\d\s?(?:{_HEIGHT})\b|\d['′]\d|\b(?:tall|height)\b", 0.15),
            (
                r"\b(?:when|what (?:day|date)|which day)\b[^?]*\bb(?:irth)?day\b|\bwhen (?:is|was|were) [^?]*\bborn\b",
                r"\b(?:b(?:irth)?day|born|turn(?:s|ed|ing)? \d\d)\b",
                0.3,
            ),
            (
                r"\bwhere (?:do|does|did|is|was)\b[^?]*\bstud(?:y|ies|ied|ying)\b"
                r"|\b(?:which|what) (?:university|college|uni|school) (?:do|does|did|is|was)\b",
                _STUDY,
                0.3,
            ),
            (r"\b(?:what|which) brand\b", _BRAND, 0.3),
            (
                r"\b(?:phone|mobile|telephone) number\b",
                r"(?<![\d-])(?!\d{4}-\d\d-\d\d)\+?\d[\d ()/-]{5,}\d|\b(?:phone|number) is\b",
                0.0,
            ),
            (r"\be-?mail address\b|\bemail (?:of|for)\b|['’]s e-?mail\b", r"\w@\w", 0.0),
        )
    ),
)
