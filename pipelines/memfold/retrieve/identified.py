"""The one ticket, order or part that a question names by an identifier, and which sentences are about another one.

To a search INC-20417 and INC-20471 share all but a number. An identifier excludes others of its shape alone: the same
letters and as many digits. Knows no ranking and no page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

# Letters of a question that are looked at for one.
LOOKED_AT = 300


@dataclass(frozen=True, slots=True)
class Identified:
    """`name` is the identifier in capitals, `kind` what stands before its first digit, or the word for what has the
    number (empty for "#5533" alone), `digits` the rest with 0 for each digit and A for each letter."""

    name: str
    kind: str
    digits: str

    def another(self, text: str) -> bool:
        """Whether a text names others of its shape and not it."""
        if self.in_text(text):
            return False
        return any(map(self._alike, _identifiers(text)))

    def in_text(self, text: str) -> bool:
        """Whether a text names it, be it by its last number alone."""
        number = re.findall(r"\d+", self.name)[-1]
        return number in text and re.search(rf"(?<!\d){number}(?!\d)", text) is not None

    def instead(self, phrase: str) -> str:
        """A phrase of the question with the identifier in the place of "it" and "its"."""
        return phrase if self.in_text(phrase) else _IT.sub(self.name, phrase)

    def _alike(self, other: Identified) -> bool:
        """Whether another one is of its shape. "#5535" may be an order or a ticket."""
        kinds = {self.kind, other.kind}
        return self.digits == other.digits and (len(kinds) == 1 or ("" in kinds and kinds <= _KINDS))


def identified(question: str, texts: Iterable[str]) -> Identified | None:
    """The one that a question names by an identifier, where some of the texts do; None where it names none or several,
    or asks for others."""
    asked = question[-LOOKED_AT:]
    found = set(_identifiers(asked))
    if len(found) != 1 or _OF_OTHERS.search(asked):
        return None
    one = found.pop()
    # Who asks may write it in small letters; "pre-1850" is no identifier, which the texts would have in capitals.
    told = any(one.name in text and one.name in {each.name for each in _identifiers(text)} for text in texts)
    return one if told else None


def _identifiers(text: str) -> Iterator[Identified]:
    """The identifiers in a text, in small letters too."""
    if not _DIGITS.search(text):
        return
    for match in _IDENTIFIER.finditer(text.upper()):
        if number := match["hashed"] or match["number"]:
            kind = match["kind"] or match["of"] or ""
            # "#333" and "#336699" alone may be colours.
            if kind or len(number) not in (3, 6):
                yield Identified(number, kind, "0" * len(number))
            continue
        code = match["code"]
        at = next(i for i, letter in enumerate(code) if letter.isdigit())
        letters, rest = code[:at].rstrip("-"), code[at:]
        count = sum(map(str.isdigit, rest))
        if letters in _STANDARDS or _YEAR.fullmatch(rest) or count < (3 if len(letters) > 2 else 4):
            continue
        shown = re.sub(r"[A-Z]", "A", re.sub(r"\d", "0", rest))
        yield Identified(code, code[:at], shown)


_OF_KIND = (
    "ACCOUNT|BOOKING|BUG|CASE|CLAIM|CONTRACT|INCIDENT|INVOICE|ISSUE|ORDER|PARCEL|POLICY|PR|REQUEST|RESERVATION|SHIPMENT"
    "|TICKET"
)
_KINDS = frozenset(["", *_OF_KIND.split("|")])
_DIGITS = re.compile(r"\d\D?\d")
_YEAR = re.compile(r"(?:19|20)\d\d")
# What a number without # stands before: "order 1500 labels" is none.
_BEHIND = (
    r"(?=\W*$|[,;:!?)]|\.(?!\d)|['’]S\b| (?:AND|ARE|ARRIVED|AT|BE|BY|CAME|CAN|CLOSED|COST|COSTS|COULD|DID|FOR|FROM|HAD"
    r"|HAS|IN|IS|NOT|NOW|OF|ON|OPENED|OR|PAID|SHOULD|STILL|TO|WAS|WERE|WHICH|WILL|WITH)\b)"
)
_IDENTIFIER = re.compile(
    r"(?<![\w#/.-])(?:"
    r"(?P<code>[A-Z]{1,6}(?:-[A-Z]{0,3}\d[A-Z\d]*(?:-[A-Z\d]*\d[A-Z\d]*)*|\d{5,}))(?![\w/]|-\w|[.,:]\d)"
    rf"|(?:(?P<kind>{_OF_KIND})(?: (?:NO\.?|NUMBER|NR\.?|ID))?:? ?)?#(?P<hashed>\d{{3,}})(?![\w/]|-\w|[.,:]\d)"
    rf"|(?P<of>{_OF_KIND}) (?:(?:NO\.?|NUMBER|NR\.?|ID):? ?)?(?P<number>(?!(?:19|20)\d\d\b)\d{{4,}})"
    rf"(?![\w/]|-\w|[.,:]\d){_BEHIND})"
)
# Standards, ciphers, models, times and money that are written as identifiers are.
_STANDARDS = frozenset(
    word
    for row in (
        "AES ANSI BASE BS CFR COVID CP CSS DES DIN DSA ECMA EN FIPS GPT HMAC HS HTML HTTP IEC IEEE IP ISO MD NIST",
        "PBKDF PEP PEPS RFC RGB RIPEMD RS RSA RTX SARS SHA TCP TLS UDP UNICODE UTF",
        "CET CEST CST EST GMT JST PST UTC AUD CAD CHF CNY EUR GBP INR JPY USD",
        "JAN FEB MAR APR MAY JUN JUL AUG SEP SEPT OCT NOV DEC",
    )
    for word in row.split()
)
_IT = re.compile(r"\bits?\b", re.IGNORECASE)
_OF_OTHERS = re.compile(
    r"\b(?:others?|another|else|besides|than|instead|which|both|similar(?:ly)?|like|same|compar\w+|differ\w+|duplicat\w+"
    rf"|relat\w+|linked|replac\w+|follow(?:ed|ing)|next|previous|(?:{_OF_KIND.lower()})s)\b",
    re.IGNORECASE,
)
