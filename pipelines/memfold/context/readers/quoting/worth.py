"""How near sentences are to a question: by rare words, which choose whom to embed, and by meaning.

What most exchanges name (the venture, the friend that is asked about) tells them apart no longer and is left out when
meanings are compared: with it in, any sentence that has the name beats the paraphrase that answers (of 35 English
probes of the synthetic source 21 were cited right, and 24 without it). It is taken out of the question's vector, so
that the sentences have the same vectors for every question; in Chinese, where words have none, out of the texts.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from functools import lru_cache
from itertools import islice

import numpy as np

from memfold.context.readers.quoting.candidates import Candidate
from memfold.embed.contract import Vectors
from memfold.embed.likeness import cosines
from memfold.retrieve.sought import untrue
from memfold.text.scripts import IDEOGRAPH, IDEOGRAPHS
from memfold.text.terms import has_terms, terms

Weights = Mapping[str, float]

# What a word that only asks counts beside one of what is asked about.
ASKING = 0.1

# To tell whether much of a question is missing, its terms are weighed as if they stood among at least so many
# sentences. Among two, a word that occurs in no sentence weighs five times as much as one that occurs in one. Of 60
# questions that conversations of 1 to 6 exchanges answer, 17 were refused before and 1 is now; of 40 that they do not
# answer, 35 and 33.
FEWEST = 100

# What is left of a vector that has no other direction is rounding.
_NOTHING = 1e-3

# A pair with one of these says nothing of its own, but for a few words.
_PARTICLES, _WORDS = frozenset("的了吗呢吧啊呀么我你您他她它们"), frozenset(("目的", "标的", "了解", "自我"))


def weights(
    topic: str, rows: Sequence[Candidate], question: str | None = None, fewest: int = 0
) -> dict[str, float]:
    """The terms of a question's topic, each with BM25's idf among the sentences: near 0 for what stands in nearly all.
    Of "我的猫" the pairs 我的 and 的猫 say nothing of their own. Words with which the whole `question` only asks
    (叫什么名字 of "我爸叫什么名字") count a tenth beside what is asked about. Fewer sentences than `fewest` count as
    so many."""
    asked = dict.fromkeys(
        term for term in terms(topic) if term in _WORDS or len(term) != 2 or _PARTICLES.isdisjoint(term)
    )
    count = {term: sum(term in row.terms for row in rows) for term in asked}
    among = max(len(rows), fewest)
    about = frozenset(terms(_ASKS.sub(" ", question or topic))).intersection(asked)
    return {
        t: math.log1p((among - count[t] + 0.5) / (count[t] + 0.5))
        * (1 if t in about or not about else ASKING)
        for t in asked
    }


def carried(found: Set[str], weight: Weights) -> float:
    """The share of the question's weight in some terms, 0 to 1."""
    if found.isdisjoint(weight):  # most sentences
        return 0.0
    total = sum(weight.values())
    return sum(share for term, share in weight.items() if term in found) / total if total else 0.0


def nearest(rows: Iterable[Candidate], score: Callable[[Candidate], float], limit: int) -> list[Candidate]:
    """The `limit` of highest score, in the order given."""
    ranked = sorted(enumerate(rows), key=lambda pair: -score(pair[1]))
    return [row for _, row in sorted(islice(ranked, limit), key=lambda pair: pair[0])]


def common(rows: Sequence[Candidate], asked: Collection[str]) -> set[str]:
    """The asked terms that more than half of the exchanges name, where there are three or more."""
    named: dict[int, set[str]] = {}
    for row in rows:
        named.setdefault(row.exchange, set()).update(row.terms & set(asked))
    count = Counter(term for found in named.values() for term in found)
    return {term for term, exchanges in count.items() if 2 * exchanges > len(named) > 2}


def without(text: str, gone: Collection[str]) -> str:
    """`text` without the words whose term is in `gone`, or all of it where no other term would be left."""

    def kept(match: re.Match[str]) -> str:
        """What stays of one word, or of one run of ideographs."""
        word = match[0]
        if IDEOGRAPH.match(word):
            pairs = [word[i : i + 2] in gone for i in range(len(word) - 1)]
            out = [a or b for a, b in zip([False, *pairs], [*pairs, False], strict=True)]
            return "".join(c for c, left_out in zip(word, out, strict=True) if not left_out)
        return "" if _term(word) in gone else word

    rest = " ".join((_WORD.sub(kept, text) if gone else text).split())
    return rest if has_terms(rest) else text


def named(question: str, common: Collection[str]) -> str:
    """The words of a question whose terms are `common`; empty where fewer than two others would be left."""
    if len(set(terms(question)).difference(common)) < 2:
        return ""
    return " ".join(word for word in _WORD.findall(question) if _term(word) in common)


def apart(vectors: Vectors, common: Vectors) -> Vectors:
    """Unit vectors, (n, d), without what they have of the direction of `common`, (0 or 1, d); zero for a sentence that
    says the common words alone."""
    if not len(common):
        return vectors
    rest = vectors - cosines(vectors, common[0])[:, None] * common
    length = np.linalg.norm(rest, axis=1, keepdims=True)
    return np.asarray(rest / np.where(length < _NOTHING, np.inf, length), np.float32)


@lru_cache(maxsize=8192)
def _term(word: str) -> str | None:
    """The term of one word, None for one that carries grammar only."""
    return next(terms(word), None)


def words(text: str) -> dict[str, str]:
    """The words of `text` by their term, without those that carry grammar only."""
    found = ((_term(word), word) for word in _WORD.findall(text.lower()))
    return {term: word for term, word in found if term is not None}


# The sentences of one context are weighed twice, and many of them stand in the next.
@lru_cache(maxsize=8192)
def states_nothing(sentence: str) -> bool:
    """Whether a sentence `only_asks`, announces, decides nothing, or tells what is imagined or said to be wrong."""
    return only_asks(sentence) or _ANNOUNCED.search(sentence) is not None or untrue(sentence)


@lru_cache(maxsize=8192)
def only_asks(sentence: str) -> bool:
    """Whether a sentence only asks: "I moved to Bonn, can you …?" says something too."""
    return _REQUEST.search(sentence) is not None


_ASKS = re.compile(
    r"\b(?:names?|still|nowadays)\b|(?:是|叫|有|在|做|干|当)*(?:什么(?:名字|工作|职业|地方)?|多少(?:钱|元|块)?|多大|哪[里儿个些位种]?|谁"
    r"|几[个位岁]?)|名字|姓名|一共|总共|合计|总计|加起来"
    r"|[你您](?:当时|之前|以前|上次|曾经?|都|还|给|[了过的我]|什么|哪些){0,6}(?:建议|推荐|意见)",
    re.IGNORECASE,
)
_WORD = re.compile(rf"[{IDEOGRAPHS}]+|[^\W_{IDEOGRAPHS}]+")
_ASKER = r"(?:i|we|you|he|she|they)"
_REQUEST = re.compile(
    r"^(?:(?:so|and|but|also|ok|okay|hi|hey|hmm|now|well|thanks|sure|oh|wait|btw)\b[,.! ]*)*"
    r"(?:(?:can|could|would|will|should|do|does|did|is|are|was|were|has|have|what|what's|how|how's|which|when|where"
    r"|why|who)\b.*\?\W*$|(?:please|help me|tell me|give me|show me)\b"
    # Many type no question mark: "when should we do the hen do", "can he carry rings".
    r"|(?:(?:what|when|where|how|why|who|how (?:many|much|often|long|far|old|big)(?: \w+)?|which(?: \w+)?"
    r"|what (?:time|day|\w+ of \w+)) (?:should|shall|could|can|would|will|do|does|did|is|are|was|were)"
    rf" (?:{_ASKER}|it|the|my|our|there|this|that|these)"
    rf"|(?:shall|could|can|would|is|are|does) (?:{_ASKER}|it|there|this|that)|should (?:i|we|he|she|they)"
    # "Should it rain we stay" states something.
    r"|should (?:it|this|that|there) be(?= (?:[\w'’/-]+ ){0,1}[\w'’/-]+\W*$|[^,;:]* or )"
    rf"|(?:do|did) {_ASKER})\b[^,;:]*$"
    # "who makes the cake", "whats the temp": hardly a statement begins so, but for "who knows", "who I saw was".
    rf"|(?:(?:who(?:['’]?s)?|whose) (?!(?:{_ASKER}|knows?|knew|cares?|dares?|ever|would have|the)\b)"
    r"|(?:what|where|when|how|who)['’]?s (?:the|my|our|your|his|her|their|this)\b"
    r"|(?:(?:what|which) (?:time|day|date|colou?r|size|one|year|month)|how (?:much|many)) (?:\w+ )?"
    r"(?:is|are|was|were|works?|suits?|fits?|do|does|did)\b|(?:wer|wem|wessen) (?!(?:weiß|weiss|will|nicht|zuerst)\b))"
    r"[^,;:.!]*$)"
    rf"|^(?:请|帮我|给我|告诉我|能不能|能否|可不可以).*|[{IDEOGRAPHS}](?:[？?]|[吗呢]。)\W*$",
    re.IGNORECASE | re.DOTALL,
)
_ANNOUNCED = re.compile(
    # "I'm still undecided between the morning and the evening flight" does not tell where somebody flies.
    r"^(?:I(?:['’]m| am) (?:still )?(?:undecided|torn)\b|I (?:still )?(?:haven['’]?t|have not) decided\b"
    r"|let['’]s\b|here(?:'s| is| are)\b|(?:it['’]s |that['’]s )?great (?:to hear|that|job)"
    r"|I['’]ll (?:include|make sure|share)"
    r"|your (?:choice|decision|plan|approach)\b.{0,80}\b(?:is|sounds|looks)\b|(?:this"
    r"|that) (?:plan )?(?:sounds|looks)\b)",
    re.IGNORECASE,
)
