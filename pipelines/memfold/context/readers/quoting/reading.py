"""One question in one context: the sentences that may be quoted, and what is asked of them.

Knows no vectors: `compared` has them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from memfold.context.readers.quoting import abstain, measures, worth
from memfold.context.readers.quoting.asked import Wanted
from memfold.context.readers.quoting.candidates import GIVEN, Candidate, candidates, of_roles
from memfold.context.readers.quoting.frames import Frame
from memfold.context.readers.quoting.meant import Meant
from memfold.context.readers.quoting.measures import Measure
from memfold.context.readers.quoting.settings import Settings
from memfold.context.types import BEFORE, Context
from memfold.layers.orders import STANDING
from memfold.layers.state.shown import label
from memfold.retrieve.named import Thing
from memfold.retrieve.query import Query, named_alone
from memfold.retrieve.sought import asks
from memfold.text.machine import days_named, readable
from memfold.text.terms import terms

EXCLUDED = label("excluded")

# A sentence gains this if it is about the one thing that the question names, and if it names the measure asked for.
NAMED, MEASURED = 0.2, 0.3
# What a tool gave back gains the first if the question has the key of a value in it, and the second times the share of
# the question's weight in such keys.
KEYED, BY_KEYS = 0.2, 0.3
# What an identifier or a time of the question weighs that a tool gave back, in multiples of a word as rare.
PRECISE = 3.0

# The next two hold only where several users speak.
# A reply gains this share of the nearness of the other user's question before it.
REPLIED = 0.4
# If the question names one user, that user's sentences gain this.
BY_NAMED = 0.2


@dataclass(frozen=True, eq=False)
class Reading:
    """`query` is asked in `context`; `want` is the shape of its answer, and `words` are the sentences that frame the
    quotes.

    `said` are all sentences outside the standing orders, `answers` the assistant's, and `rows` those that may answer:
    of several things of a kind (`thing` is the one that the question names) those about that one. What is said of
    another answers nothing. `orders` are the standing orders and preferences, without those of another thing.
    `questions` is what users ask each other, by exchange, and the question that ends the assistant's answer.

    `deeds` is whether an agent is asked what it did, and `strange` whether the question names something that the shown
    part of an agent's history does not name: tools' output is near to any question, so nearness proves nothing there.
    `weight` are the weights of the question's terms, `rests` the same among at least `worth.FEWEST` sentences, by which
    it is told whether the context has enough of the question. `measure` is what of `thing` is to be measured, and
    `ends` are the two happenings whose distance in time is asked for. `whose` is the one user whom the question names,
    where several speak, else empty."""

    how: Settings
    words: Frame
    query: Query
    want: Wanted
    context: Context
    said: Sequence[Candidate]
    answers: Sequence[Candidate]
    rows: Sequence[Candidate]
    orders: Sequence[Candidate]
    questions: Mapping[int, Sequence[Candidate]]
    thing: Thing | None
    deeds: bool
    strange: bool
    weight: worth.Weights
    rests: worth.Weights
    measure: Measure | None
    ends: tuple[str, ...]
    whose: str

    def keyed(self, row: Candidate) -> float:
        """The gain of what a tool gave back, if the question has the key of a value in it. The keys of a call ("new" in
        an edit) count only if the question asks for the agent's deeds."""
        if not row.keys or (row.shows_call and not self.deeds):
            return 0.0
        whole = [key for key in row.keys if "-" in key and self.weight.keys() >= set(terms(key))]
        share = worth.carried(row.keys.union(*map(terms, whole)), self.weight)
        return share and KEYED + BY_KEYS * share

    def about(self, row: Candidate) -> bool:
        """Whether a sentence is about the one thing that the question names."""
        return self.thing is not None and self.thing.about(row.text, row.piece.text)

    def measured(self, row: Candidate) -> bool:
        """Whether a sentence says of that thing what is asked to be measured."""
        told = self.measure is not None and self.about(row) and measures.holds(self.measure, row.text)
        return told and not worth.states_nothing(row.text)

    def explains(self, row: Candidate) -> bool:
        """Whether a sentence is an option given up, of the one thing that the question names, and the question asks
        why."""
        return gives_up(row) and self.about(row) and _WHY.search(self.query.text) is not None

    def preferred(self, row: Candidate) -> bool:
        """Whether a sentence is in the words that are asked for. What an agent did stands in its calls too."""
        whose = "assistant" if self.want.told or self.deeds else "user"
        return row.piece.role == whose or (self.deeds and row.shows_call)

    def by_named(self, row: Candidate) -> bool:
        """Whether the one user whom the question names said a sentence."""
        return bool(self.whose) and row.speaker == self.whose

    def before(self, row: Candidate) -> list[Candidate]:
        """What another user, or the assistant, asked right before a user's sentence that asks nothing."""
        if row.piece.role != "user" or _asks(row):
            return []
        asked = self.questions.get(row.exchange - 1, ())
        if not row.speaker:
            return [one for one in asked if not one.speaker]
        return [one for one in asked if one.speaker and one.speaker != row.speaker]

    def said_next(self, row: Candidate) -> list[Candidate]:
        """What the user said in the exchange after a row's."""
        return [one for one in self.rows if one.exchange == row.exchange + 1 and one.piece.role == "user"]


def read(how: Settings, words: Frame, query: Query, want: Wanted, context: Context) -> Reading:
    """The reading of a question in a context."""
    deeds = context.agent and _DEEDS.search(query.text) is not None
    said, standing = candidates(context, query.language, items=want.told), of_roles(context, STANDING)
    offered = _offered(query, want, said, standing, deeds)
    strange = context.agent and abstain.unknown(query.text, offered)
    meant = Meant.by(query.text, offered, context)
    rows = [row for row in offered if not (meant.another(row) or (row.data and strange))]
    answers = [row for row in said if row.piece.role == "assistant"]
    weight = _weight(query, rows, context)
    return Reading(
        how,
        words,
        query,
        want,
        context,
        said=said,
        answers=answers,
        rows=rows,
        orders=[row for row in standing if not meant.another(row)],
        questions=_questions(rows, answers, weight),
        thing=meant.thing,
        deeds=deeds,
        strange=strange,
        weight=weight,
        rests=weight if len(rows) >= worth.FEWEST else _weight(query, rows, context, worth.FEWEST),
        measure=measures.measure(query.text) if meant.thing else None,
        ends=want.ends or ((query.topic,) * 2 if want.kind == "span" and meant.thing else ()),
        whose=named_alone(query.text, context.speakers),
    )


def _offered(
    query: Query, want: Wanted, said: list[Candidate], standing: list[Candidate], deeds: bool
) -> list[Candidate]:
    """The sentences that may answer, of whatever thing."""
    # What the user brought up or claims is in no words of the assistant's. Whether "we use WAL" may be.
    claimed = want.kind == "contradiction" and _OF_THE_USER.search(query.text) is not None
    others = ("assistant",) if claimed else ("assistant", *GIVEN) if query.broad else ()
    rows = [row for row in said if row.piece.role not in others] or said
    # An order is shown as one, not as an answer to what it is about.
    given = {row.exchange: _plain(row.text) for row in standing if row.piece.role == "instruction"}
    # A replaced order no longer says what the assistant shall do.
    replaced = _replaced(standing) if want.bound else ()
    return [
        row
        for row in rows
        if row.exchange not in given or _plain(row.text) not in given[row.exchange]
        if not any(old in _plain(row.text) for old in replaced)
        if deeds or not row.data or row.quote
    ]


def _weight(query: Query, rows: Sequence[Candidate], context: Context, fewest: int = 0) -> worth.Weights:
    """The weights of the question's terms (`fewest`: see `worth.weights`). A note repeats the words of what it was made
    from, which makes them no commoner."""
    said = [row for row in rows if row.spoken] or rows
    if not context.agent:
        return worth.weights(query.topic, said, query.text, fewest)
    told = frozenset[str]().union(*(row.terms for row in rows if row.data))
    newest = max((row.day for row in rows if row.day), default=None)
    written = " ".join(day for day in days_named(query.text, newest, months=True) if day in told)
    asked, topic = (f"{readable(text)} {written}" for text in (query.text, query.topic))
    weight = worth.weights(topic, said, asked, fewest)
    return weight | {term: PRECISE * weight[term] for term in weight.keys() & told if _PRECISE.search(term)}


def _questions(
    rows: Sequence[Candidate], answers: Sequence[Candidate], weight: worth.Weights
) -> dict[int, list[Candidate]]:
    """What users ask each other, by exchange, and the question that ends the assistant's answer if it shares a word
    with the user's question: "How do you feel after?"."""
    found: dict[int, list[Candidate]] = {}
    for row in rows:
        if row.speaker and _asks(row):
            found.setdefault(row.exchange, []).append(row)
    for row in {row.exchange: row for row in answers if not row.cut}.values():
        ends = asks(row.text) and row.piece.text.rstrip().endswith(row.text)
        if ends and not row.terms.isdisjoint(weight):
            found.setdefault(row.exchange, []).append(row)
    return found


def _asks(row: Candidate) -> bool:
    """Whether a sentence asks, with a question mark or without."""
    return asks(row.text) or worth.only_asks(row.text)


def gives_up(row: Candidate) -> bool:
    """Whether a sentence is an option that was given up."""
    return row.piece.role == "excluded" and row.text.startswith(EXCLUDED)


def _replaced(orders: Sequence[Candidate]) -> list[str]:
    """The letters of each order that a newer one replaced."""
    replaced = (row.piece.note.partition(BEFORE)[2].removesuffix(")") for row in orders)
    return [_plain(order) for order in replaced if order]


@lru_cache(maxsize=8192)
def _plain(text: str) -> str:
    return "".join(_LETTERS.findall(text.lower()))


_LETTERS = re.compile(r"\w+")
_PRECISE = re.compile(r"\d\D*\d\D*\d")
_OF_THE_USER = re.compile(r"\b(?:I|my|me)\b|我|\b(?:ich|mein\w*)\b")
_DEEDS = re.compile(r"\b(?:did|have|had|were|are) you\b|你(?:做|改|运行|执行|修)", re.IGNORECASE)
_WHY = re.compile(
    r"\bwhy\b|\breasons?\b|\barguments?\b|\bagainst\b|\bdrop the idea\b|为什么|为何|理由|原因|依据|考虑|反对|放弃|否决",
    re.IGNORECASE,
)
