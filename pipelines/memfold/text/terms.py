"""The terms of a text, and their hashes: what the lexical arm counts.

Words of alphabetic scripts are lowered and stemmed; numbers, versions, dates and identifiers stay whole;
runs of Han, kana or hangul become character unigrams and bigrams, which needs no dictionary. Knows nothing of
scores, conversations or storage.
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain

import numpy as np
import Stemmer
from numpy.typing import NDArray

from memfold.text.chunks import by_chunk
from memfold.text.scripts import CJK, MARKS

Ids = NDArray[np.uint32]
Counts = NDArray[np.uint16]

_WORD = rf"[^\W_{CJK}]++(?:[{MARKS}]++[^\W_{CJK}]*+)*+"
_TERM = re.compile(
    rf"(?P<cjk>[{CJK}]+)"
    # 3.5, 1,200, 10:30, 2024-03-15, 1.2.0; v1.2.0 is 1.2.0 and 250ms is 250 and ms.
    r"|v?(?P<number>\d+(?:[.,:/-]\d+)*)"
    # snake_case, utf8, ti84, 3d, x2: letters and digits or parts joined by underscores.
    rf"|(?P<name>{_WORD}(?:_{_WORD})*+)"
)
# The same without groups: what `findall` gives as it stands.
RUN = re.compile(re.sub(r"\?P<\w+>", "?:", _TERM.pattern))
# The same in text of ASCII alone, once lower-cased: in half the time.
_ASCII_RUN = re.compile(r"v?[0-9]+(?:[.,:/-][0-9]+)*|[a-z0-9]++(?:_[a-z0-9]++)*+")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+")

# Words that carry grammar and no topic. Question words and auxiliaries stand in every question; a term of the
# question that is in every exchange has no weight anyway, but a rare one ("whom") would have much.
_STOP_WORDS = """
    a about above after again against all am an and any are as at be because been before being below between
    both but by can could did do does doing don down during each few for from further had has have having he her
    here hers him his how i if in into is it its itself just let like ll may me might mine more most must my
    myself need no nor not now of off on once only or other our ours ourselves out over own please re same shall
    she should so some such than that the their theirs them themselves then there these they this those through
    to too under until up upon us ve very want was we were what when where which while who whom whose why will
    with would yes you your yours yourself
"""


def lexicon(text: str) -> frozenset[str]:
    """The words of a table written as text."""
    return frozenset(text.split())


_STOP = lexicon(_STOP_WORDS)
GRAMMAR_HAN = frozenset("的了吗呢吧啊呀么是在和与及或也都就我你您他她它们这那个之其着过把被给让")
# What is written or not, as the writer likes: the vowels of Hebrew and Arabic, what only stretches a word, and what
# only joins letters or keeps them apart. So is the dot of a Turkish i, whose capitals others take for their own.
_VOWELS = "".join(mark for mark in map(chr, range(0x590, 0x700)) if unicodedata.category(mark) == "Mn")
_OPTIONAL = re.compile(f"[{_VOWELS}\u0640\u200c\u200d]+")
_STEM = Stemmer.Stemmer("english")


def terms(text: str) -> Iterator[str]:
    """The terms of `text` in order, repeated as often as they occur."""
    if text.isascii():
        return chain.from_iterable(_ascii_terms(text.lower()))
    return chain.from_iterable(map(_terms, runs(text)))


def spelt(text: str) -> frozenset[tuple[str, str]]:
    """Each term of `text` with the word that it is the stem of; a term that is no stem stands for itself."""
    return frozenset(
        (term, run if term == _stem(run) else term) for run in runs(text) for term in _terms(run)
    )


def spaced(text: str) -> str:
    """The terms of `text` with spaces between them: for a full-text index that splits at spaces, which finds Chinese,
    Japanese and Korean words if what it indexes and what it is asked are both written so."""
    return " ".join(terms(text))


def has_terms(text: str) -> bool:
    """Whether there are any: it reads on only as far as the first."""
    return any(_terms(run[0]) for run in RUN.finditer(lowered(text)))


def plain(text: str) -> str:
    """`text` without what makes no difference: width, case, blanks, punctuation at its ends."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split()).strip(" .,;:!?。，；：！？")


def runs(text: str) -> list[str]:
    """The runs of letters or digits that terms are made of, lower-cased, in order."""
    text = lowered(text)
    return (_ASCII_RUN if text.isascii() else RUN).findall(text)


def hashed(text: str) -> tuple[Ids, Counts]:
    """Distinct terms as 32-bit hashes, ascending, with how often each occurs (at most 65,535)."""
    distinct, counts = np.unique(hashes(text), return_counts=True)
    return distinct, np.minimum(counts, np.iinfo(np.uint16).max).astype(np.uint16)


def hashes(text: str) -> Ids:
    """The terms of `text` as 32-bit hashes, in order, repeated as often as they occur."""
    if text.isascii():
        return np.frombuffer(b"".join(_ascii_hashes(text.lower())), np.uint32)
    return np.fromiter(chain.from_iterable(map(run_hashes, runs(text))), np.uint32)


# Of ASCII text, lower-cased: no run of it holds a blank.
@by_chunk
def _ascii_terms(text: str) -> tuple[str, ...]:
    return tuple(chain.from_iterable(map(_terms, _ASCII_RUN.findall(text))))


# Kept as bytes: the passages of 4,000 messages take 0.72 s, 0.92 with numbers, and 1.3 if nothing is kept.
@by_chunk
def _ascii_hashes(text: str) -> bytes:
    return np.fromiter(chain.from_iterable(map(run_hashes, _ASCII_RUN.findall(text))), np.uint32).tobytes()


@lru_cache(maxsize=1 << 17)
def run_hashes(run: str) -> tuple[int, ...]:
    """The hashes of the terms of one run, as `runs` gives it."""
    return tuple(_hash(term) for term in _terms(run))


def lowered(text: str) -> str:
    """`text` as its runs are looked for in it: mostly of the same length."""
    if text.isascii():
        return text.lower()
    text = unicodedata.normalize("NFKC", text.casefold()).replace("’", "'")
    return _OPTIONAL.sub("", text.replace("i\u0307", "i").replace("ı", "i"))


@lru_cache(maxsize=1 << 17)
def _terms(run: str) -> tuple[str, ...]:
    """The terms of one run. A run is cut alike wherever it stands: no alternative of the pattern looks beyond it."""
    match = _TERM.match(run)
    assert match is not None
    if match.lastgroup == "cjk":
        return (*(c for c in run if c not in GRAMMAR_HAN), *(run[i : i + 2] for i in range(len(run) - 1)))
    if match.lastgroup == "number":
        number = match["number"]
        return (number.replace(",", "") if _THOUSANDS.fullmatch(number) else number,)
    if run in _STOP:
        return ()
    if "_" in run:
        return (run, *(_stem(part) for part in run.split("_") if len(part) > 1))
    return (_stem(run),) if len(run) > 1 else ()


@lru_cache(maxsize=1 << 17)
def _stem(word: str) -> str:
    return str(_STEM.stemWord(word))


@lru_cache(maxsize=1 << 17)
def _hash(term: str) -> int:
    return zlib.crc32(term.encode("utf-8", "surrogatepass"))
