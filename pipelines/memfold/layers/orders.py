"""Standing orders: the instructions and preferences that bind every later answer, all of them, as rows of their own.

Orders take no room in the scratchpad: none is condensed, none is lost, and none crowds out another note. Only the
user's words can give an order. This layer checks that, whichever engine wrote the note: it rejects a note that repeats
pasted text, a tool's output or the assistant rather than the user.

A newer order on the same subject supersedes the older one, which stays in the table. `history` tells from all rows
which orders hold, so the result is right as of any message. Two orders share a subject if they differ only in a value
(a language, a number, a currency, a unit, a name, a way of speaking) or in "always" and "never", or if both are about
the same thing and the newer one says that it changes something. Two words of one stem ("important", "import") are two
subjects where a word is meant as it stands, or where nothing else tells the orders apart. A withdrawal ("you no longer
need to cite sources", `memfold.text.withdrawn`) is a row like an order: what it takes back holds no longer, and it does
not bind itself, unless it orders something as well or takes back no order that was given. One that may take back a part
("bullet lists are okay again", of "no emojis and no bullet lists") stands beside the order. "You can go back to
English" is a withdrawal that binds if it ends an order of another value. In doubt both hold: a lost order is an error
in every later answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache, lru_cache, partial
from itertools import islice
from typing import Any, Literal

import pyarrow as pa

from memfold.embed.contract import Embedder, Vectors
from memfold.layers.layer import (
    Leaves,
    Span,
    Tools,
    apart,
    column,
    encoded,
    leaves_of,
    messages,
    notes,
    said_by_user,
)
from memfold.schema import INSTANT, MEMORY, USERS, required
from memfold.text.addressed import addressed
from memfold.text.terms import plain, spelt, terms
from memfold.text.tongues import IN_CHINESE, IN_LATIN
from memfold.text.values import CLASS, LANGUAGE, LANGUAGE_ZH, ORDERED, STATED, masked
from memfold.text.withdrawn import Withdrawal, clash, forbids, named, withdrawal, without_endings, words

# Kinds of notes that bind every later answer.
STANDING = ("instruction", "preference")

# To be raised when rows of the same messages, notes and vectors come out otherwise.
VERSION = "orders-17"

# A note counts as the user's if their own words hold this share of it, even where the assistant repeated more.
OWN = 0.5
# The last characters of a note that tell whose words it ends in.
END = 10


@dataclass(frozen=True, slots=True)
class Order:
    """A standing order. `state` says whether it holds, was superseded by a newer one or taken back, only repeats one
    that holds, or is a withdrawal, which binds nothing; `replaced` is the text of the order it superseded or took
    back, `by` the exchange in which it was superseded or taken back itself. `said` is when, None where unknown. `who`
    gave it, where the source names several speakers."""

    exchange_id: int
    kind: str
    text: str
    about: str | None
    said: datetime | None
    state: Literal["holds", "superseded", "repeated", "withdrawal"] = "holds"
    replaced: str | None = None
    by: int | None = None
    who: str | None = None

    @property
    def changed(self) -> str | None:
        """What it replaced, unless it says the same in other words."""
        if self.replaced is None or self.state == "withdrawal":
            return self.replaced
        same = _said(self.text.lower()) == _said(self.replaced.lower())
        return None if same and forbids(self.text) == forbids(self.replaced) else self.replaced


@dataclass(frozen=True)
class Orders:
    """The layer's settings: it has none."""

    def equip(self, tools: Tools) -> OrderRows:
        """The layer with its embedder."""
        return OrderRows(tools.embedder)


@dataclass(frozen=True)
class OrderRows(Leaves):
    """The layer (`memfold.layers.layer.Layer`): leaves only, since each order stands for itself."""

    embedder: Embedder

    name = "orders"
    reads = ("messages", "notes")

    @property
    def version(self) -> str:
        """See `Layer`."""
        return f"{VERSION}:{self.embedder.signature}"

    @property
    def table(self) -> pa.Schema:
        """See `Layer`."""
        return schema(self.embedder.dimension)

    def leaves(self, spans: Sequence[Span]) -> Sequence[pa.Table]:
        """The orders of some segments; all go to the embedder together."""
        given = [span.once(orders) for span in spans]
        vectors = encoded(self.embedder, (row["about"] or row["text"] for each in given for row in each))
        return rows(spans, given, vectors)


def schema(dimension: int) -> pa.Schema:
    """One row an order; (segment, exchange_id, n) is its key and its note's. `vector` is of what it is about, or of its
    text where it does not say."""
    return pa.schema(
        [
            required("segment", pa.string()),
            required("conversation_id", pa.string()),
            required("exchange_id", pa.int64()),
            required("n", pa.int32()),
            required("kind", pa.string()),
            required("text", pa.string()),
            pa.field("about", pa.string()),
            pa.field("time", INSTANT),
            required("vector", pa.list_(pa.float32(), dimension)),
        ]
    )


def rows(
    spans: Sequence[Span], given: Sequence[Sequence[Mapping[str, Any]]], vectors: Vectors
) -> Sequence[pa.Table]:
    """Rows of `schema` for the orders of some segments, and the vectors of all of them, shape (m, d)."""
    columns = schema(vectors.shape[1])
    made = {
        name: [order[name] for each in given for order in each]
        for name in columns.names
        if name not in ("segment", "vector")
    }
    return leaves_of(spans, given, made | {"vector": column(vectors)}, columns)


def orders(span: Span) -> list[Mapping[str, Any]]:
    """Those of a segment's notes that are orders of the user, in the order they were noted."""
    noted = [row for row in span.once(notes) if row["kind"] in STANDING and row["said_by"] in (None, "user")]
    said: dict[int, list[tuple[str, str]]] = {row["exchange_id"]: [] for row in noted}
    for each in span.once(messages) if noted else ():
        if each.exchange_id in said and each.current:
            said[each.exchange_id].append((each.role, each.content))
    told = partial(addressed, told=span.once(apart))
    heard = {exchange: Heard.of(each, told) for exchange, each in said.items()}
    return [row for row in noted if heard[row["exchange_id"]].orders(row["text"])]


def heard(span: Span) -> Callable[[int], Heard]:
    """The user's words in each exchange of a segment, each told once: that takes long, and most are never asked for."""
    said = span.once(said_by_user)
    # The span keeps what is returned here. If that held the span, both would wait for the garbage collector.
    told = span.once(apart)
    return cache(
        lambda exchange: Heard.of(((each.role, each.content) for each in said.get(exchange, ())), told)
    )


@dataclass(frozen=True)
class Heard:
    """The terms of an exchange: of the user's own words, of what was pasted or put out by tools, of the assistant's;
    and the texts of the first two. `filed` says that a program filed it: of what it wrote down nothing is pasted,
    whatever it looks like."""

    own: frozenset[str]
    foreign: frozenset[str]
    answered: frozenset[str]
    own_text: str
    foreign_text: str
    filed: bool

    def orders(self, text: str) -> bool:
        """Whether a note says what the user's own words do."""
        if self.filed:
            return True
        # In 'Saw this tweet: "From now on' most words are the user's, and the order is not.
        end = plain(text.rstrip("…"))[-END:]
        if end in plain(self.foreign_text) and end not in plain(self.own_text):
            return False
        of = set(terms(text))
        own, foreign, answered = (len(of & heard) for heard in (self.own, self.foreign, self.answered))
        return 0 < own >= foreign and (own >= OWN * len(of) or own >= answered)

    def says(self, text: str) -> bool:
        """Whether the user's own words say at least as much of a note as what was pasted."""
        of = set(terms(text))
        return self.filed or 0 < len(of & self.own) >= len(of & self.foreign)

    @staticmethod
    def of(said: Iterable[tuple[str, str]], told: Callable[[str], tuple[str, str]]) -> Heard:
        """Of an exchange's messages, as (role, text); `told` tells the user's own words (`own_words`)."""
        own: list[str] = []
        foreign: list[str] = []
        answered: list[str] = []
        filed = False
        for role, text in said:
            if role in USERS:
                filed |= role == MEMORY
                typed, pasted = (text, "") if role == MEMORY else told(text)
                own.append(typed)
                foreign.append(pasted)
            else:
                (answered if role == "assistant" else foreign).append(text)
        texts = ["\n".join(each) for each in (own, foreign, answered)]
        of = [frozenset(terms(text)) for text in texts]
        return Heard(of[0], of[1], of[2], texts[0], texts[1], filed)


# ---------------------------------------------------------------------------------- what holds

# How an order is given, and whether it is given or taken back: what is left is its subject.
_SAYING = frozenset(
    terms(
        "always never please pls plz must stop avoid ever remember ensure make sure user wants want prefer prefers "
        "going forward henceforth instead longer anymore future start keep don't dont"
    )
)
_SAYING_ZH = re.compile(r"以后|今后|从现在起|请|一律|总是|始终|永远|不要|别再?|不再|必须|务必|都")
# Words that a value implies, and words that say that somebody goes back to it.
_IMPLIED = frozenset(
    terms(
        "unit temperature degree price currency distance language show go switch change back again actually okay well "
        "sorry hey fully completely entirely fine ok alright allowed welcome"
    )
)
_LANGUAGES = re.compile(f"{LANGUAGE}|{LANGUAGE_ZH}")
_VALUES = frozenset(terms(" ".join((*ORDERED.groupindex, "aslength"))))
_AT_LENGTH = re.compile(
    r"\b(?:detailed|in (?:\w+ )?detail|thorough(?:ly)?|long(?:er)?|elaborate|exhaustive|verbose)\b"
    r"|详细|详尽|长一?[点些]"
)
# What an order begins with, and why or against what it is given: "By the way, …", "New rule: …", "…, because I'm
# learning it", "…, even if I slip into German".
_OPENS = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|alright|all right|oh|hey|thanks|thank you|so|and|but|also|now|then|well|actually|sorry|btw"
    r"|by the way|new (?:rule|order)|one more thing|i(?:'ve| have)? changed my mind|feel free to|please)\b"
    r"[\s,:;.!–—-]*)+|^\W*(?:好的?|那就?|现在|对了|嗯|其实|[，,。\s])+"
)
_WHY = re.compile(
    r"(?<![\s,;–—-])[\s,;–—-]*"
    r"\b(?:because|since|so that|as i|even (?:if|when|though)|no matter (?:what|which|how)|weil|denn|damit|auch wenn"
    r"|porque|parce que)\b.*$"
    r"|[，,](?:因为|这样|即使|就算|不管).*$"
)
# "When I ask about recipes" is the case that "for recipes" is; "when I ask for it" is an exception.
_ASKED = re.compile(
    r"\b(?:when(?:ever)?|if) i ask (?:you )?(?:about|for)\b(?!\s+(?:it|them|that|this|these|those|so)\b)"
)
_IMPLIED_ZH = re.compile(r"[换改切变]回|恢复|还是|重新|单位|价格|温度|距离|语言|显示|其实|[吧来成到]")
_CHANGES = re.compile(
    r"\b(?:instead(?! of)|no longer|any ?more|changed? my mind|switch(?:ed|ing)?|from now on|these days|now prefer)\b"
    r"|不再|改为|改成|改用|换成|现在更",
    re.IGNORECASE,
)


# For which case an order is. "SI units" are no case.
_CASE = re.compile(r"(\b(?:[Ww]enn|[Ff]alls|[Cc]uando|[Ss]i|[Ii]f|[Ww]hen(?:ever)?)\b[^,;]*)")


def history(given: Iterable[Order]) -> list[Order]:
    """The orders as they stand at the end, in the order they were given: which hold, and which were superseded or taken
    back."""
    made: list[Order] = []
    given_on: dict[tuple[str, ...], list[int]] = {}  # by subject, the places of its orders
    by_words = _ByWords(made)
    for order in sorted(given, key=lambda one: one.exchange_id):
        said = plain(order.text)
        subjects = [("said", order.kind, said), *_subjects(order.kind, order.text, order.about or "")]
        about = ("about", order.kind, plain(order.about or ""))
        back = withdrawal(order.text, order.about)
        frees = back is not None and not back.binds
        meant = by_words.meant(back) if back else []
        taken = _taken_back(back, meant, made) if back else set()
        alike = subjects
        if back:
            # "You can go back to English" ends "answer in German"; "no need to answer in German" ends no other order.
            back_to = _subjects(order.kind, back.clause, order.about or "") if back.takes == "ban" else ()
            alike = [*(subjects[:1] if frees else subjects), *(each for each in back_to if each[0] == "set")]
        found = set(taken)
        for subject in alike:
            places = reversed(given_on.get(subject, ()))
            found.update(islice((place for place in places if _one_subject(order, made[place])), 1))
        if not frees and order.about and _CHANGES.search(order.text):
            found.update(given_on.get(about, ())[-1:])
        older = max((place for place in found if made[place].state == "holds"), default=None)
        if older is not None and plain(made[older].text) == said:
            made.append(replace(order, state="repeated"))
            continue
        for place in found:
            if made[place].state == "holds":
                made[place] = replace(made[place], state="superseded", by=order.exchange_id)
        replaced = None if older is None else made[older].text
        # What may take back a part stands beside the order: who reads both knows what is left of it.
        beside = (
            back is not None
            and not taken
            and any(
                made[place].state == "holds" and back.of_part(made[place].text, made[place].about)
                for place in meant
            )
        )
        if back and frees and not beside and (taken or not (back.told or replaced)):
            made.append(replace(order, state="withdrawal", replaced=replaced))
            continue
        made.append(replace(order, replaced=replaced))
        for subject in (*subjects, *([about] if order.about else [])):
            given_on.setdefault(subject, []).append(len(made) - 1)
    return made


class _ByWords:
    """The orders made so far, by the words that name them: a conversation may have thousands of orders and as many
    withdrawals."""

    def __init__(self, made: Sequence[Order]) -> None:
        self._made = made
        self._filed = 0
        self._having: dict[str, list[int]] = {}

    def meant(self, back: Withdrawal) -> list[int]:
        """The places of the orders that hold and have the rarest word of a withdrawal: it takes back no others."""
        for place in range(self._filed, len(self._made)):
            order = self._made[place]
            for word in named(order.text, order.about) if order.state == "holds" else ():
                self._having.setdefault(word, []).append(place)
        self._filed = len(self._made)
        if not back.words or not self._having.keys() >= back.words:
            return []
        rarest = min(sorted(back.words), key=lambda word: len(self._having[word]))
        places = [place for place in self._having[rarest] if self._made[place].state == "holds"]
        self._having[rarest] = places
        return places


def _one_subject(order: Order, older: Order) -> bool:
    """Whether two orders whose subjects have the same stems have one subject, and not two words of one stem."""
    if clash(order.text, older.text):
        return False
    one, other = (
        without_endings(
            (stem, word) for stem, word in spelt(_SAYING_ZH.sub(" ", each.text)) if stem not in _SAYING
        )
        for each in (order, older)
    )
    if forbids(order.text) != forbids(older.text) or dict(one).keys() != dict(other).keys():
        return True
    return one == other


# The same orders are read whenever their conversation is opened.
@lru_cache(maxsize=4096)
def _subjects(kind: str, text: str, about: str) -> tuple[tuple[str, ...], ...]:
    """The keys of an order's subject: another order with one of these keys is on the same subject."""
    framed = ("frame", *frame(text), plain(about))
    short = f" {_ASKED.sub(' ', _WHY.sub('', _OPENS.sub('', _valued(text, about))))} "
    value = CLASS.search(short)
    if not value:
        return (framed,)
    same = ("value", *sorted(words(f"{text} {about}")))
    # Who forbids French says nothing of German.
    if forbids(short[: value.start()]):
        return (same,)
    # "Answer in German" and "only French, please" set the language, in whatever words; "I prefer German" is a taste.
    return (same, framed, ("set", kind, *sorted(words(_IMPLIED_ZH.sub(" ", short)) - _IMPLIED)))


def answer_language(text: str) -> str | None:
    """The English name of the language in which an order wants all answers; None where it says anything else."""
    if ("set", "", *words(masked("english", ORDERED))) not in _subjects("", text, ""):
        return None
    names = _LANGUAGES.findall(_WHY.sub("", text).lower())
    named = {IN_LATIN.get(name) or IN_CHINESE.get(name) for name in names}
    return named.pop() if len(named) == 1 else None


def language_left(back: Withdrawal) -> str | None:
    """The English name of the language in which a withdrawal no longer wants answers, if that is all it takes back."""
    return next((IN_LATIN[name] for name in IN_LATIN if words(name) == back.words), None)


@lru_cache(maxsize=4096)
def _valued(text: str, about: str) -> str:
    """An order and the case it is for, each value that it sets replaced by the word of its class."""
    return _set(f"{text} {about}", ORDERED)


def _set(text: str, classes: re.Pattern[str]) -> str:
    """`text` in lower case, each value replaced by the word of its class; a value of its case only where no other is
    set: "when I ask about prices use euros" has no comma."""
    ordered, *cases = _CASE.split(text)
    if not cases:
        return masked(text, classes)
    parts = [ordered, *cases]
    said = [part.lower() if n % 2 else masked(part, classes) for n, part in enumerate(parts)]
    return masked(text, classes) if "".join(said) == text.lower() else "".join(said)


def rivals(orders: Iterable[Order]) -> frozenset[Order]:
    """The instructions among some orders that may contradict another of them: both are for one case; or one is for any,
    and both set a value of one class ("answer in German", "comments in English"), both say how long answers are to be,
    or one names all that the other says ("use tables", "no tables in mails")."""
    named = {order: _topics(order.text, order.about or "") for order in orders if order.kind == "instruction"}
    shared = _VALUES.union(*(topics for topics in named.values() if len(topics) == 1))
    cases: dict[str, list[Order]] = {}
    about: dict[str, list[Order]] = {}
    for order, topics in named.items():
        if order.about:
            cases.setdefault(plain(order.about), []).append(order)
        for topic in topics & shared:
            about.setdefault(topic, []).append(order)
    groups = [*cases.values(), *(each for each in about.values() if not all(order.about for order in each))]
    return frozenset(order for each in groups if len(each) > 1 for order in each)


# 2,400 orders take 0.2 s the first time.
@lru_cache(maxsize=4096)
def _topics(text: str, about: str) -> frozenset[str]:
    """The words that name an order's subject, each value replaced by the word of its class; no single characters of
    Chinese words."""
    found = words(_AT_LENGTH.sub(" short ", _valued(text, about))) - _IMPLIED
    return frozenset(word for word in found if len(word) > 1)


def _taken_back(back: Withdrawal, meant: Iterable[int], made: Sequence[Order]) -> set[int]:
    """The places, of those that may be meant, of the orders that a withdrawal takes back; none if "the rule about
    prices" may be either of two."""
    found = {place for place in meant if back.of(made[place].text, made[place].about)}
    return set() if back.takes == "any" and len(found) > 1 else found


def parse(rows: pa.Table) -> list[Order]:
    """Stored rows as orders that hold, in the order they were given."""
    said = rows.drop_columns(["segment", "conversation_id", "vector"]).sort_by(
        [("exchange_id", "ascending"), ("n", "ascending")]
    )
    return [
        Order(row["exchange_id"], row["kind"], row["text"], row["about"], row["time"])
        for row in said.to_pylist()
    ]


def frame(text: str) -> tuple[str, ...]:
    """What an order is about besides its value: its terms, with values by their class, but for how it is given."""
    left = _said(_set(text, STATED))
    return left if len(left) > 1 else (plain(text),)


def _said(text: str) -> tuple[str, ...]:
    """The terms of an order but for how it is given, sorted."""
    return tuple(sorted(set(terms(_SAYING_ZH.sub(" ", text))) - _SAYING))
