"""A reader that writes no word of its own: it answers in quotes of the conversation, or says that nothing answers.

Fixed sentences frame the quotes. They say that quotes contradict each other, how many days lie between their dates,
which value is the newest, and which standing order applies. A sentence is worth more the nearer it is to the question,
by meaning and by rare words, and the higher search ranked its exchange. The reader draws no conclusions: a language
model can, from the same context. Its parts are the modules of `quoting`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from memfold.context.readers.quoting import abstain, apart, compose, days, measures, own, worth
from memfold.context.readers.quoting.asked import Wanted, wanted
from memfold.context.readers.quoting.candidates import (
    Candidate,
    candidates,
    clause,
    clause_ends,
    code,
    headed,
    quotable,
    standing_orders,
    stretches,
    whole_lines,
)
from memfold.context.readers.quoting.choose import REPEATED, Ranked, denied, done
from memfold.context.readers.quoting.frames import FRAMES, Frame, frame, length
from memfold.context.readers.quoting.measures import exact, holds, measure
from memfold.context.readers.quoting.replaced import holds_now, updates
from memfold.context.readers.quoting.total import sure, total
from memfold.context.tongue import asked_in, wished
from memfold.context.types import BEFORE, Answer, Context, Equipped
from memfold.embed.contract import Encode
from memfold.embed.likeness import cosines
from memfold.errors import UserError
from memfold.layers.state.history import option
from memfold.layers.state.shown import label
from memfold.retrieve.best import best_first
from memfold.retrieve.moved import CHANGED, heads, owners, qualified, revalued
from memfold.retrieve.named import named
from memfold.retrieve.query import Query, called
from memfold.retrieve.reckon import amounts, asks_total, singular
from memfold.retrieve.sought import asks_for_advice, demanded
from memfold.schema import ATTACHED
from memfold.text.language import UNKNOWN, language, or_english
from memfold.text.terms import terms
from memfold.text.wider import of_another

if TYPE_CHECKING:
    from memfold.llm.generator import Generator

NOT_THERE, IDLE = (
    {name: getattr(FRAMES[name], said) for name in ("en", "zh")} for said in ("nothing", "idle")
)

# Characters of a sentence that are embedded: the time goes into tokens, and what is asked for is named before its end.
EMBEDDED = 260

EXCLUDED = label("excluded")
# An option that was given up is named where it has this share of the weight of the question's words.
GIVEN_UP = 0.2

# A sentence gains this if it is about the one thing that the question names, and if it names the measure asked for.
NAMED, MEASURED = 0.2, 0.3
# The affirming side of a contradiction gains this share of its likeness to the denying side.
ALIKE = 0.3

# The next five hold only where several users speak.
# A reply gains this share of the nearness of the other user's question before it.
REPLIED = 0.4
# A sentence gains this if it stands up to two exchanges before or after the best one.
BESIDE = 0.3
# If the question names one user, that user's sentences gain the first. The answer cites nothing if another user's
# sentence is worth more than all by or of the named user, by the second.
BY_NAMED, BY_ANOTHER = 0.2, 0.2
# If the question asks for things of a kind, a sentence may be worth this many times `margin` less than the best.
THINGS = 2.0

_WIDER = {("figure", False): 2.0, ("figure", True): 1.5}

# A block of code must hold this share of the weight of the question's words.
CODE = 0.2

# A sentence gains this if it holds what a standing order wants in the answer: a version, a date, a figure.
DEMANDED = 0.25
# If the question gives no number of items, a list leaves out what is worth so much less than the best: in a
# conversation of 26 sentences "what happened with the pots" named 11 other things. In BEAM's 79 such questions every
# item up to the limit is at most .48 worse.
OFF = 0.5
# Where it is asked what the assistant shall do, an order answers that holds this share of the weight of the words.
BOUND = 0.5

# Words with which a question asks for orders ("which rules do you follow when …"), and which no order needs to hold.
_OBEYED = frozenset(terms("rule rules order orders instruction instructions follow obey"))

Shown = tuple[Candidate, str]


@dataclass(frozen=True)
class Extractive:
    """At most `spans` quotes for a fact, `many` where several are asked for, `listed` for a summary or an order that
    names no number; together of at most `characters`, each of at most `quote`, in a list of at most `item`. In a
    summary up to `points` sentences of the answer stand below each quote. A question about what the assistant said is
    answered by the exchange that fits best, quoted in its own order. Where new advice is asked for, that exchange
    stands below up to `many` quotes, unless its best sentence is worth `margin` less than the best quote. Where code is
    asked for, the block that fits best follows, of at most half of `characters`.

    The `considered` sentences nearest by rare words are embedded. `dense` is the share of meaning in a sentence's
    nearness to the question, `chinese_dense` that for a question in Chinese; rare words have the rest. `rank` is
    how much the best hit's sentences gain over the last hit's, `user` how much the user's words gain over the
    assistant's (whose words are asked for, or what may advise: nothing), `request` what a question, a request or a
    dream loses: it states nothing; `derived` what a note loses beside the words it was made from. A sentence worth
    `margin` less than the best is left out (2 × `margin` for questions about one figure and 1.5 × about several,
    since figures stand in sentences about other things). If two sentences have a cosine of at least `twin` and
    different figures, the newer one is the value, unless it is worth more than `nearly` less, and the older one is
    shown as replaced.

    A standing order whose cosine to the question is at least `order` is repeated, a preference from `preference` on.
    Both sides of a contradiction are at least `side` near, both ends of a span of time worth `end`.

    Nothing is answered in four cases. The noun that the question asks for ("the agenda of …") has no word in the best
    sentences with a cosine to it of `noun_threshold` or more. A word of the question is not in the context, and the
    nearest word of the best sentences has a cosine to it below `threshold` (where one of those holds the figure, date,
    reason, place or name that was asked for: below `point_threshold`, and its noun is not looked for). The same below
    `strange_threshold`, where words that are not in the context have a share of at least `strange` of the question's
    weight. Only words of English have such a cosine: in Chinese the terms found must have at least `chinese_threshold`
    of the question's weight, and in other languages one term must be found. Advice, an order, a summary or a span of
    time is always tried.
    """

    spans: int = 5
    many: int = 8
    listed: int = 14
    points: int = 2
    characters: int = 1600
    quote: int = 420
    item: int = 220
    considered: int = 24
    dense: float = 0.65
    chinese_dense: float = 0.4
    rank: float = 0.2
    user: float = 0.2
    request: float = 0.2
    derived: float = 0.15
    margin: float = 0.25
    twin: float = 0.6
    nearly: float = 0.12
    order: float = 0.4
    preference: float = 0.35
    side: float = 0.38
    end: float = 0.35
    threshold: float = 0.25
    point_threshold: float = 0.25
    noun_threshold: float = 0.55
    strange: float = 0.6
    strange_threshold: float = 0.5
    chinese_threshold: float = 0.25

    def __post_init__(self) -> None:
        for name in ("spans", "many", "listed", "considered"):
            if getattr(self, name) < 1:
                raise UserError(f"reader.{name} is {getattr(self, name)}: give at least 1")
        if self.points < 0:
            raise UserError(f"reader.points is {self.points}: give 0 or more")
        for name in ("characters", "quote", "item"):
            if getattr(self, name) < 40:
                raise UserError(f"reader.{name} is {getattr(self, name)}: give at least 40")
        for name in (
            *("dense", "chinese_dense", "twin", "threshold", "point_threshold", "noun_threshold"),
            *("strange", "strange_threshold", "chinese_threshold"),
        ):
            if not 0 <= getattr(self, name) <= 1:
                raise UserError(f"reader.{name} is {getattr(self, name)}: give a share from 0 to 1")
        for name in (
            "rank",
            "user",
            "request",
            "derived",
            "margin",
            "nearly",
            "order",
            "preference",
            "side",
            "end",
        ):
            if getattr(self, name) < 0:
                raise UserError(f"reader.{name} is {getattr(self, name)}: give 0 or more")

    def equip(self, generator: Generator | None) -> Equipped:
        """See `memfold.context.types.ReaderSettings`. It reads by itself."""
        if generator is not None:
            raise UserError(
                f"the engine is {generator.model}, and this reader asks no model: add reader=model, or leave engine out"
            )
        return Equipped(self)

    def close(self) -> None:
        """Nothing is open."""

    def compared(self, said: Iterable[str], speakers: Collection[str] = ()) -> Iterator[str]:
        """What `read` would embed of some messages: their sentences, without the name of the speaker before them, and
        the words of those sentences."""
        for text in said:
            for sentence, _ in quotable(headed(text, speakers)[1]):
                yield sentence[:EMBEDDED]
                yield from worth.words(sentence).values()

    def read(self, question: str, context: Context, encode: Encode) -> Answer:
        """The answer to `question` from `context` alone; without citations where the evidence is not there.

        `encode` gives unit vectors. It is called once with the sentences considered, and once more with single words
        where a word of the question stands nowhere in the context.
        """
        query = context.query(question)
        want = wanted(query)
        words = frame(wished(context) or asked_in(question, context))
        usage = {**context.usage, "context_tokens": float(context.tokens)}
        if want.kind == "smalltalk":
            return Answer(words.idle, (), context, usage)
        if known := own.entries(question, context):
            told = [(row, row.text) for row in known]
            lines = "\n".join(compose.line(words, row, text) for row, text in told)
            return Answer(lines, compose.citations(told), context, {**usage, "support": 1.0})
        if want.orders:
            given = [row for row in standing_orders(context) if row.piece.role == "instruction"]
            whole = [((row, row.text), ()) for row in sorted(given, key=lambda row: row.exchange)]
            text, told = _numbered(words, whole)
            return Answer(text or words.nothing, compose.citations(told), context, {**usage, "support": 1.0})
        reading = _Reading(self, query, want, words, context)
        if query.stretch is not None:
            text, told = reading.throughout()
            usage = {**usage, "support": float(bool(told))}
            return Answer(text or words.nothing, compose.citations(told), context, usage)
        if not reading.few:
            return Answer(words.nothing, (), context, {**usage, "support": 0.0})
        reading.embed(encode)
        text, shown, support = reading.answer(encode)
        usage["support"] = round(support, 4)
        return Answer(text or words.nothing, compose.citations(shown) if text else (), context, usage)


@dataclass(frozen=True, slots=True)
class Support:
    """How near the best sentences come to what a question names, 0 to 1: `nearest` to the word that they are farthest
    from of those that stand nowhere in the context, `noun` to what it asks for (`abstain.head`). `strange` is the share
    of the question's weight in words that stand nowhere."""

    nearest: float = 1.0
    noun: float = 1.0
    strange: float = 0.0


class _Reading:
    """One question read in one context: what is compared, and then what is said."""

    def __init__(self, how: Extractive, query: Query, want: Wanted, words: Frame, context: Context) -> None:
        self.how, self.query, self.want, self.words = how, query, want, words
        self.hits, self.context = context.hits, context
        # What the user brought up or claims is in no words of the assistant's.
        theirs = want.kind in ("order", "summary", "contradiction")
        rows = candidates(context)
        self.answers = [row for row in rows if row.piece.role == "assistant"]
        self.rows = [row for row in rows if not theirs or row.piece.role != "assistant"] or rows
        self.orders = standing_orders(context)
        # An order is shown as one, not as an answer to what it is about.
        given = {row.exchange: _plain(row.text) for row in self.orders if row.piece.role == "instruction"}
        # A replaced order no longer says what the assistant shall do.
        replaced = self._replaced_orders() if want.bound else ()
        self.rows = [
            row
            for row in self.rows
            if row.exchange not in given or _plain(row.text) not in given[row.exchange]
            if not any(old in _plain(row.text) for old in replaced)
        ]
        # Of several of a kind the one that is asked about: what is said of another answers nothing.
        self.thing = named(query.text, [row.text for row in self.rows])
        if self.thing:
            self.rows = [row for row in self.rows if not self.thing.another(row.text)]
            self.orders = [row for row in self.orders if not self.thing.another(row.text)]
        self.measure = measure(query.text) if self.thing else None
        self.ends = want.ends or ((query.topic,) * 2 if want.kind == "span" and self.thing else ())
        # A note repeats the words of what it was made from, which makes them no commoner.
        said = [row for row in self.rows if row.spoken]
        self.weight = worth.weights(query.topic, said or self.rows, query.text)
        self.questions = self._questions()
        names = called(query.text, context.speakers) if len(context.speakers) > 1 else frozenset()
        self.whose = next(iter(names)) if len(names) == 1 else ""
        self.few = self._few() if self.weight else []
        self.reckoned = [piece for part in context.parts for piece in part.pieces if piece.role == "reckoned"]
        self.datings = apart.datings(self._happenings(), self.ends, how.considered // 2) if self.ends else []

    def _replaced_orders(self) -> list[str]:
        """The letters of each order that a newer one replaced."""
        replaced = (row.piece.note.partition(BEFORE)[2].removesuffix(")") for row in self.orders)
        return [_plain(order) for order in replaced if order]

    def _questions(self) -> dict[int, list[Candidate]]:
        """What users ask each other, by exchange."""
        found: dict[int, list[Candidate]] = {}
        for row in self.rows:
            if row.speaker and _QUESTION.search(row.text):
                found.setdefault(row.exchange, []).append(row)
        return found

    def _before(self, row: Candidate) -> list[Candidate]:
        """What another user asked right before a sentence that asks nothing."""
        if not row.speaker or _QUESTION.search(row.text):
            return []
        return [one for one in self.questions.get(row.exchange - 1, ()) if one.speaker != row.speaker]

    def _with_replies(self, rows: Sequence[Candidate], shown: Collection[int]) -> list[Candidate]:
        """`rows`, with the reply behind each question of one user to another, unless the reply is `shown`."""
        found = list[Candidate]()
        for row in rows:
            found.append(row)
            if row in self.questions.get(row.exchange, ()) and row.exchange + 1 not in shown:
                replies = (
                    one for one in self.rows if one.exchange == row.exchange + 1 and row in self._before(one)
                )
                found += [reply] if (reply := next(replies, None)) else []
        return found

    def _happenings(self) -> list[Candidate]:
        """The sentences that may date an end of the time that is asked for: of the one thing that the question names
        those that name a day, unless it names both ends and there are not two such."""

        def happened(row: Candidate) -> bool:
            """Whether a sentence names a day: one that has been, where the question names no ends."""
            told = [one.day for one in days.named(row.text, row.day)]
            return bool(told) and (bool(self.want.ends) or row.day is None or max(told) < row.day)

        rows = [row for row in self.rows if self._about(row) and not worth.states_nothing(row.text)]
        rows = [row for row in rows if happened(row)]
        return self.rows if self.want.ends and len({row.exchange for row in rows}) < 2 else rows

    def _few(self) -> list[Candidate]:
        """The sentences to embed. Where the answer is a list, each exchange has one: its best."""
        listing = self.want.kind in ("order", "summary")
        hits = {hit.exchange_id for hit in self.hits}
        asked, asks = self.weight.keys(), 0.5 if listing else 0.1
        point, preferred = self.want.point, "assistant" if self.want.told else "user"

        def score(row: Candidate) -> float:
            """How much a sentence promises by its words and its place alone."""
            found = worth.carried(row.terms, self.weight) + 0.2 * row.standing + 0.1 * (row.exchange in hits)
            found += 0.15 * abstain.holds_point(point, row.text)
            found += 0.2 * (row.piece.role == preferred) + MEASURED * self._measured(row)
            found += NAMED * (self.thing is not None and listing and self._about(row))
            if self.want.kind == "contradiction":
                found += 0.3 * denied(row.text, asked)
            before = (worth.carried(one.terms, self.weight) for one in self._before(row))
            found += REPLIED * max(before, default=0.0) + BY_NAMED * self._by_named(row)
            return found - 0.2 * (not row.spoken) - asks * worth.states_nothing(row.text)

        limit = self.how.considered // 2 if self.ends else self.how.considered
        if not listing:
            few = worth.nearest(self.rows, score, limit)
            if not self.want.advice:
                return few
            # More of the assistant's, because they choose the exchange that is quoted.
            answers = [row for row in self.rows if row.piece.role == "assistant"]
            return list(dict.fromkeys([*few, *worth.nearest(answers, score, limit)]))
        first: dict[int, tuple[float, Candidate]] = {}
        for row in self.rows:
            found = score(row)
            if row.exchange not in first or found > first[row.exchange][0]:
                first[row.exchange] = found, row
        return worth.nearest([row for _, row in first.values()], score, limit)

    def _by_named(self, row: Candidate) -> bool:
        """Whether the one user whom the question names said a sentence."""
        return bool(self.whose) and row.speaker == self.whose

    def _by_another(self) -> str:
        """The user whose sentence answers best, if the question names another user and no sentence by or of the named
        user answers nearly as well; else empty."""
        if not self.whose or self.want.point == "person":
            return ""
        best, said_by = dict.fromkeys((True, False), -np.inf), ""
        for row, value in zip(self.few, self.ranked.worth.tolist(), strict=True):
            own = self._by_named(row) or self.whose in called(row.text, [self.whose])
            value -= BY_NAMED * self._by_named(row)
            if row.speaker and value > best[own]:
                best[own] = value
                said_by = said_by if own else row.speaker
        return said_by if best[False] > best[True] + BY_ANOTHER else ""

    def _about(self, row: Candidate) -> bool:
        """Whether a sentence is about the one thing that the question names."""
        return self.thing is not None and self.thing.about(row.text, row.piece.text)

    def _measured(self, row: Candidate) -> bool:
        """Whether it says of that thing what is asked to be measured."""
        told = self.measure is not None and self._about(row) and holds(self.measure, row.text)
        return told and not worth.states_nothing(row.text)

    def _explains(self, row: Candidate) -> bool:
        """Whether a sentence is an option given up, of the one thing that the question names, and the question asks
        why."""
        return _gives_up(row) and self._about(row) and _WHY.search(self.query.text) is not None

    def embed(self, encode: Encode) -> None:
        """One batch: the question, the standing orders, the ends of a span, the sentences."""
        common = worth.common(self.few, self.weight)
        # Pairs of ideographs are left out of the texts; words of the question's vector alone (`worth`).
        gone = common if self.query.language == "zh" else frozenset[str]()
        shared = "" if gone else worth.named(self.query.text, common)
        texts = [
            *(worth.without(text, gone) for text in (self.query.text, self.query.topic)),
            self.query.text,
            *((shared,) if shared else ()),
            *self.ends,
            *(_about(row.text) for row in self.orders),
            *(one.around for one in self.datings),
            *(
                row.text[:EMBEDDED]
                if row.terms.isdisjoint(gone)
                else worth.without(row.text[:EMBEDDED], gone)
                for row in self.few
            ),
        ]
        sizes = [2, 1, bool(shared), len(self.ends), len(self.orders), len(self.datings)]
        vectors = iter(np.split(encode(texts), np.cumsum(sizes)))
        asked, plain, named_by_most, self.asked_ends, orders, self.around, said = vectors
        rest = worth.apart(asked, named_by_most)
        # What most exchanges name counts where two statements about it are held against each other, unless it is the
        # name of the one thing that is asked about, which all of its sentences have.
        compared, asked = rest if self.thing else asked, rest
        self.fits = cosines(orders, plain[0])
        # How near an order comes tells only in English: to the embedder most of German is near to the rest.
        if or_english(asked_in(self.query.text, self.context)) != "en":
            self.fits = np.array([worth.carried(row.terms, self.weight) for row in self.orders])
        how, rows = self.how, self.few
        dense = how.chinese_dense if self.query.language == "zh" else how.dense
        carried = (1 - dense) * np.array([worth.carried(row.terms, self.weight) for row in rows])
        value = dense * cosines(said, asked.mean(axis=0)).astype(np.float64) + carried
        near = dense * cosines(said, compared.mean(axis=0)).astype(np.float64) + carried
        value += how.rank * np.array([row.standing for row in rows])
        value -= how.request * np.array([worth.states_nothing(row.text) for row in rows])
        value -= how.derived * np.array([not row.spoken for row in rows])
        preferred = "assistant" if self.want.told else "user"
        if not self.want.advice:
            value += how.user * np.array([row.piece.role == preferred for row in rows])
        value += MEASURED * np.array([self._measured(row) for row in rows])
        nearness = dict(zip(map(id, rows), near.tolist(), strict=True))
        asked_for = [[nearness.get(id(one), 0.0) for one in self._before(row)] for row in rows]
        value += REPLIED * np.array([max(each, default=0.0) for each in asked_for])
        value += BY_NAMED * np.array([self._by_named(row) for row in rows])
        if self.thing:
            about = NAMED * np.array([self._about(row) for row in rows])
            value, near = value + about, near + about
            shown = {row.exchange: row.piece.text for row in reversed(self.rows) if row.piece.role == "user"}
            applies = [self.thing.about(row.text, shown.get(row.exchange, "")) for row in self.orders]
            self.fits = self.fits + NAMED * np.array(applies, np.float32)
        # What an order asks to be included is asked for too: the version beside the library.
        if len(self.orders) and self.fits.max() >= how.order:
            best = int(self.fits.argmax())
            value += 0.15 * cosines(said, orders[best])
            if held := demanded(self.orders[best].text):
                value += DEMANDED * np.array([held.search(row.text) is not None for row in rows])
        self.ranked = Ranked(rows, said, value, near)

    def answer(self, encode: Encode) -> tuple[str, list[Shown], float]:
        """The text, empty where nothing answers, what it quotes, and how well it is supported."""
        kind = self.want.kind
        if kind in ("order", "summary"):
            return (*self._listed(), 1.0)
        if self.want.bound and (bound := self._bound()):
            return "\n".join([self.words.orders, *self._lines(bound)]), bound, 1.0
        # Users mention things of a kind in passing, and far apart.
        things = self.want.things and len(self.context.speakers) > 1
        ranked = self.ranked if things else self.ranked.beside(BESIDE)
        many = things or self.want.advice or self.want.several or self.want.told
        wider = THINGS if things else _WIDER.get((self.want.point or "", self.want.several), 1)
        chosen = ranked.best(
            self.how.many if many else self.how.spans, self.how.margin * wider, self.how.characters
        )
        support = self._support(encode)
        if kind == "contradiction" and (
            sides := self.ranked.sides(self.weight, self.how.side, ALIKE * bool(self.thing))
        ):
            return (*self._differ(sides), support.nearest)
        if kind == "count" and asks_total(self.query.text) and (found := self._added()):
            return (*found, 1.0)
        # What was found of the one thing that is named needs no other support.
        if self.ends and (self.thing or self._answers(chosen, support)) and (found := self._between()):
            return (*found, support.nearest)
        if not self._answers(chosen, support):
            return "", [], support.nearest
        chosen = self._of_kind(chosen)
        if another := self._by_another():
            return self.words.another.format(named=self.whose, other=another), [], support.nearest
        return (*self._facts(chosen), support.nearest)

    def _support(self, encode: Encode) -> Support:
        """What the question rests on in the context."""
        if self.query.language == "zh":
            return Support(self._carried())
        if abstain.tried(self.want):
            return Support()
        # How near a word comes tells only in English, where the words that ask ("wogegen", "wann") have no term either.
        spoken = language(self.query.text)
        if spoken == UNKNOWN:  # too short to tell
            spoken = or_english(language(" ".join(row.text for row in self.few)))
        if spoken != "en":
            return Support(float(self._carried() > 0))
        missing = abstain.unfounded(self.query.topic, self.rows, told=self.want.told)
        counted = self.want.kind == "count" or asks_total(self.query.text)
        if missing and counted and abstain.amount_told(self.query.topic, self.rows):
            missing = []
        noun = abstain.head(self.query.text)
        best = [self.few[i] for i in best_first(self.ranked.worth)[:4]]
        near = abstain.nearness([*missing, *([noun] if noun else [])], best, encode)
        strange = worth.carried({term for word in missing for term in terms(word)}, self.weight)
        return Support(
            min((near[word] for word in missing), default=1.0), near[noun] if noun else 1.0, strange
        )

    def _carried(self) -> float:
        """The share of the question's weight in the terms of the context."""
        return worth.carried(set().union(*(row.terms for row in self.rows)), self.weight)

    def _answers(self, chosen: Sequence[int], support: Support) -> bool:
        how, kind = self.how, self.want.kind
        if any(map(self._explains, self.rows)):
            return True
        if self.measure and any(map(self._measured, self.few)):
            return True
        if exact(self.measure, self.query.language) and not any(map(self._measured, self.rows)):
            return False
        # To an embedder the mother is near to the father.
        if of_another(set(terms(self.query.text)), {t for i in chosen for t in terms(self.few[i].text)}):
            return False
        if self.query.language == "zh":
            return support.nearest >= how.chinese_threshold
        if support.strange >= how.strange and support.nearest < how.strange_threshold:
            return False
        typed = kind in ("count", "when") or self.want.point is not None
        held = typed and abstain.holds(self.want, [self.few[i] for i in chosen])
        if held or kind == "contradiction":
            return support.nearest >= how.point_threshold
        return support.nearest >= how.threshold and support.noun >= how.noun_threshold

    # ---------------------------------------------------------------------------------------------------------- said
    def _quote(self, row: Candidate) -> Shown:
        return row, compose.part(row.text, self.weight, self.how.quote, clause_ends(row.text))

    def _message(self, row: Candidate) -> Shown:
        """A sentence with the other statements of its message, verbatim, if they are short together: the next sentence
        often says what "it" is, and why."""
        said, of = row.piece.text, [one for one in self.rows if one.piece is row.piece]
        told = [one.text for one in of if one is row or not worth.states_nothing(one.text)]
        whole = said[min(map(said.find, told)) : max(said.rfind(text) + len(text) for text in told)]
        fits = row.piece.role == "user" and len(whole) <= self.how.quote and not _BROKEN.search(whole)
        return (row, whole) if fits else self._quote(row)

    def _item(self, row: Candidate) -> Shown:
        """The beginning of a sentence, as a list shows it."""
        return row, clause(row.text, self.how.item // 3, self.how.item)

    def _lines(self, shown: Sequence[Shown]) -> list[str]:
        return [compose.line(self.words, row, text) for row, text in shown]

    def _standing(self) -> tuple[list[str], list[Shown]]:
        """The orders and preferences that bind this answer: those that fit, two of each at most; of preferences the
        best where advice is asked for."""
        lines, shown = [], list[Shown]()
        for role, title, least in (
            ("instruction", self.words.orders, self.how.order),
            ("preference", self.words.prefers, self.how.preference),
        ):
            ranked = sorted(
                (i for i, row in enumerate(self.orders) if row.piece.role == role),
                key=lambda i: -self.fits[i],
            )
            fitting = [i for i in ranked if self.fits[i] >= least][: 2 if self.want.advice else 1]
            if not fitting and self.want.advice:
                fitting = [i for i in ranked[:1] if self.fits[i] >= least / 2]
            if fitting and (self.want.advice or role == "instruction"):
                quoted = [(self.orders[i], self.orders[i].text) for i in fitting]
                lines += [title, *self._lines(quoted)]
                shown += quoted
        return lines, shown

    def _bound(self) -> list[Shown]:
        """The orders that hold most of the question's words, in order of time; none where they hold less than `BOUND`
        of their weight."""
        given = [row for row in self.orders if row.piece.role == "instruction"]
        weight = {term: share for term, share in self.weight.items() if term not in _OBEYED}
        held = [worth.carried(row.terms, weight) for row in given]
        least = max(BOUND, 0.8 * max(held, default=0.0))
        said = [row for row, share in zip(given, held, strict=True) if share >= least]
        return [(row, row.text) for row in sorted(said, key=lambda row: row.exchange)[-self.how.spans :]]

    def _given_up(self, quoted: Sequence[Candidate]) -> tuple[list[str], list[Shown]]:
        """Options that were given up and bear on the question, or that a quote names, with their reasons, so that none
        is proposed again."""
        proposed = set().union(*(row.terms for row in quoted if row.piece.role != "excluded"))
        rows = {
            row.exchange: row
            for row in filter(_gives_up, reversed(self.rows))
            if worth.carried(row.terms, self.weight) >= GIVEN_UP
            or self._explains(row)
            or not option(row.text.removeprefix(EXCLUDED)).isdisjoint(proposed)
        }
        shown = [(row, row.text) for _, row in sorted(rows.items())][-2:]
        return ([self.words.excluded, *self._lines(shown)] if shown else []), shown

    def _named_beside(self, row: Candidate) -> Candidate | None:
        """If the question asks for a name and this sentence tells none: another one said in the same exchange that
        tells the name of "her" or "it", or of "his dad", the one with most of what is asked."""
        if not _NAME_ASKED.search(self.query.text) or _NAME_TOLD.search(row.text):
            return None
        beside = [
            one
            for one in self.rows
            if one.exchange == row.exchange and one.spoken and one is not row
            if _NAME_TOLD.search(one.text) and _OF_IT.search(one.text)
        ]
        return max(beside, key=lambda one: worth.carried(one.terms, self.weight), default=None)

    def _changed(self, chosen: Sequence[int]) -> list[int]:
        """The best later statement of the user's which says that something has changed since the first of `chosen`, if
        it answers nearly as well. It often says "it" for what the question names, and so was not chosen."""
        lead, worth = chosen[0], self.ranked.worth
        if self.want.first:
            return []
        later = [
            i
            for i, row in enumerate(self.few)
            if i not in chosen
            and row.piece.role == "user"
            and row.exchange > self.few[lead].exchange
            and worth[i] >= _CHANGED_WORTH * worth[lead]
            and CHANGED.search(row.text)
        ]
        return [max(later, key=lambda i: float(worth[i]))] if later else []

    def _of_kind(self, chosen: Sequence[int]) -> list[int]:
        """The statements to count. Where the best of `chosen` and another one name the kind of thing that is counted,
        those that name it, and then others that do, until there are `many`: each from another exchange, with as much of
        the question, and not a repetition. Otherwise `chosen`."""
        naming = [i for i in chosen if self.few[i].names(self.want.counted)]
        if len(naming) < 2 or naming[0] != chosen[0]:
            return [*chosen]
        held, said = [worth.carried(row.terms, self.weight) for row in self.few], self.ranked.vectors
        used = {self.few[i].exchange for i in naming}
        for i in map(int, best_first(self.ranked.worth)):
            row = self.few[i]
            alike = row.piece.role == self.few[naming[0]].piece.role and row.names(self.want.counted)
            fresh = row.exchange not in used and cosines(said[naming], said[i]).max() < REPEATED
            if alike and fresh and held[i] >= min(held[j] for j in naming):
                naming, used = [*naming, i][: self.how.many], used | {row.exchange}
        return naming

    def _renewed(self, lead: int) -> tuple[int, list[int]]:
        """The user's latest statement after the `lead` which says that the thing asked about is new, with the lead as
        the earlier one. The lead alone if there is no such statement, or if several people speak. Either the lead does
        not say so itself, and the statement holds all words of the question that the lead holds, or one of them right
        behind "new" ("new contact"). Or it gives another value to the thing that was called so last ("The budget is now
        15,000 euros")."""
        row, asked = self.few[lead], set(self.weight) - worth.common(self.few, self.weight)
        if row.piece.role != "user" or row.speaker:
            return lead, []
        held, known = row.terms & self.weight.keys(), row.terms | self.weight.keys()
        whole = held & asked
        mine = [each for each in self.rows if each.piece.role == "user"]
        told = [lead]

        def renews(text: str) -> bool:
            """Whether a clause about what is asked says that something is new."""
            parts = [part for part in stretches(text) if asked.intersection(terms(part))]
            return any(map(_RENEWED.search, parts))

        def names_a_new(one: Candidate) -> bool:
            """Whether a sentence calls the thing new, or renews it and holds all that the lead holds."""
            new = (next(terms(match[1] or match[2]), "") for match in _NEW.finditer(one.text))
            if not asked.isdisjoint(new):
                return True
            # "The sales team" and "my email address" are no new team and no new address.
            same = all(qualified(one.text, each) <= known for each in whole)
            return bool(whole) and whole <= one.terms and same and renews(one.text) and of_one_kind(one.text)

        def of_one_kind(text: str) -> bool:
            """Whether a text has a value like one of the lead's, where there are any and a figure is asked for."""
            values = measures.units(row.text) if self.want.point in ("figure", "date") else frozenset[str]()
            return not values or any(measures.alike(each, values) for each in measures.units(text))

        def of_the_same(one: Candidate) -> bool:
            """Whether a sentence gives another value, of what is asked for, to a thing that the question and the lead
            name, and the last sentence before it that names such a thing means the same one."""
            new = revalued(one.text)
            if new is None or new.what.head not in held or not new.what.terms <= known:
                return False
            # Of "my weight goal" the weight is not what is asked for.
            if heads(self.query.text, new.what.head) & heads(row.text, new.what.head):
                return False

            def may_name_it(each: Candidate) -> bool:
                """Whether it names such a thing, of the same person."""
                return new.what.head in each.terms and owners(each.text, new.what.head) <= new.what.terms

            if not (may_name_it(row) and self._is_asked(new.value, row)):
                return False
            # "Give times in 24-hour format" is not about the response time.
            called = [each for each in mine if may_name_it(each) and new.what.terms <= each.terms]
            last = max((e for e in (row, *called) if e.exchange < one.exchange), key=lambda e: e.exchange)
            return last.exchange in {self.few[i].exchange for i in told} or held <= last.terms

        least = _CHANGED_WORTH * self.ranked.worth[lead]
        for i in sorted(range(len(self.few)), key=lambda i: self.few[i].exchange):
            one = self.few[i]
            if one.piece.role != "user" or one.exchange <= row.exchange or worth.states_nothing(one.text):
                continue
            calls = self.ranked.worth[i] >= least and names_a_new(one) and not renews(row.text)
            if calls or of_the_same(one):
                told.append(i)
        return told[-1], told[:1] if len(told) > 1 else []

    def _is_asked(self, value: str, lead: Candidate) -> bool:
        """Whether the value that a text begins with may be what is asked for, and the lead's value before."""
        of, point = measures.unit(value), self.want.point
        if of is None:
            return point in (None, "person", "place")
        asked = point in (None, "figure") or (point == "date" and of in measures.TIMES)
        return (
            asked
            and not _NAME_ASKED.search(self.query.text)
            and measures.alike(of, measures.units(lead.text))
        )

    def _told(self, *, told: bool) -> list[Shown]:
        """What the assistant said in the exchange that answers best, in its order, as far as there is room. Advice
        seldom repeats the words of its question, so what the user said there counts too. Unless that is what is asked
        for (`told`), its best sentence must answer nearly as well as the best of all."""
        best: dict[int, list[float]] = {}
        about: dict[int, float] = {}
        for row, value in zip(self.few, self.ranked.worth.tolist(), strict=True):
            if row.piece.role == "assistant":
                best.setdefault(row.exchange, []).append(value)
            elif row.spoken:
                about[row.exchange] = max(value, about.get(row.exchange, 0.0))
        least = self.ranked.worth.max() - self.how.margin
        best = {each: values for each, values in best.items() if told or max(values) >= least}
        if not best:
            return []
        lead = max(best, key=lambda each: sum(sorted(best[each])[-_BEST:]) + about.get(each, 0.0))
        shown, room = list[Shown](), self.how.characters
        for row in self.rows:
            # An answer often ends by asking whether it shall go on.
            offers = _QUESTION.search(row.text) and _OFFERS.search(row.text)
            if row.exchange == lead and row.piece.role == "assistant" and not offers:
                said = self._item(row)
                room -= len(said[1])
                if room < 0:
                    break
                shown.append(said)
        return shown

    def _code(self) -> list[Shown]:
        """The beginning of the block of code that holds most of what is asked, where code is asked for."""
        if not _CODE_ASKED.search(self.query.text):
            return []
        shown = [(row, whole_lines(row.text, self.how.characters // 2)) for row in code(self.context)]
        held = [worth.carried(frozenset(terms(text)), self.weight) for _, text in shown]
        best = max(range(len(shown)), key=held.__getitem__, default=None)
        return [] if best is None or held[best] < CODE else [shown[best]]

    def _listed(self) -> tuple[str, list[Shown]]:
        limit, worse = (self.want.items, np.inf) if self.want.items else (self.how.listed, OFF)
        return self._in_time([self.few[i] for i in self.ranked.listed(limit, 0.5, 0.1, worse)])

    def throughout(self) -> tuple[str, list[Shown]]:
        """What was said in a stretch of time, in order: one sentence of the user's per exchange. The question has no
        words to choose by, so those with most terms are taken. Empty where nothing was said."""
        said = dict[int, Candidate]()
        for row in sorted(self.rows, key=lambda row: len(row.terms)):
            attached = row.text.startswith(ATTACHED)
            if row.piece.role == "user" and not attached and not worth.states_nothing(row.text):
                said[row.exchange] = row
        most = sorted(said.values(), key=lambda row: -len(row.terms))[: self.how.listed]
        return self._in_time(sorted(most, key=lambda row: row.exchange))

    def _in_time(self, chosen: Sequence[Candidate]) -> tuple[str, list[Shown]]:
        items = [(self._item(row), list(map(self._item, self._points(row)))) for row in chosen]
        return _numbered(self.words, items)

    def _points(self, row: Candidate) -> list[Candidate]:
        """The first points of what was answered in an exchange: half of what a summary rests on."""
        if self.want.kind != "summary":
            return []
        return [one for one in self.answers if one.exchange == row.exchange][: self.how.points]

    def _one(self, row: Candidate) -> bool:
        """Whether a sentence names the kind of thing that is counted, and gives no number of such things."""
        unit = self.want.counted
        if not row.names(unit) or _NTH.search(row.text):
            return False
        number = rf"\b{re.escape(singular(unit))}s? (?:no\.? ?|#)?\d"
        numbered = re.search(number, row.text, re.IGNORECASE) is not None
        return not numbered and not any(amounts(row.text, row.exchange, unit))

    def _differ(self, sides: tuple[int, list[int]]) -> tuple[str, list[Shown]]:
        rows = sorted((self.few[i] for i in (sides[0], *sides[1])), key=lambda row: row.exchange)
        shown = [self._quote(row) for row in rows]
        return "\n".join([self.words.differ, *self._lines(shown), self.words.which]), shown

    def _between(self) -> tuple[str, list[Shown]] | None:
        # What the context reckons first was right in 21 of 32 spans of BEAM, what is reckoned here in 9 of 18 of them.
        found = apart.reckoned(self.reckoned, self.rows, self.ends) or apart.ends_of(
            self.datings, self.around, self.ends, self.asked_ends, self.rows, self.how.end
        )
        if found is None:
            return None
        one, other = sorted(found, key=lambda dating: dating.day)
        time = length(self.words, one.day, other.day, self.want.unit)
        shown = [(found.row, _whole(found)) for found in (one, other)]
        title = self.words.apart.format(length=time, a=one.day.isoformat(), b=other.day.isoformat())
        return "\n".join([title, *self._lines(shown)]), shown

    def _added(self) -> tuple[str, list[Shown]] | None:
        """The total that is asked for: of the one thing that is named, or if its terms surely are what is asked."""
        found = total(self.context, self.rows)
        if found is None:
            return None
        asked = abstain.amounts_to(self.query.topic) if self.query.language == "en" else frozenset[str]()
        if not self.thing and not sure(found, self.rows, self.query.text, asked):
            return None
        shown = [self._quote(row) for row in dict.fromkeys(found.rows)]
        title = self.words.added.format(total=found.said, terms=found.terms)
        return "\n".join([title, *self._lines(shown)]), shown

    def _facts(self, chosen: Sequence[int]) -> tuple[str, list[Shown]]:
        lines, shown = self._standing()
        given_up, options = self._given_up([self.few[i] for i in chosen] if self.want.advice else [])
        lines, shown = [*lines, *given_up], [*shown, *options]
        # "How did I …" may ask for what the user said of it.
        best = self.few[chosen[0]]
        own = best.piece.role == "user" and done(best.piece.text) and not asks_for_advice(self.query.text)
        if self.want.told and (told := [*self._told(told=not own), *self._code()]):
            if best.piece.role == "user":
                told.insert(0, self._message(best))
            return "\n".join([*lines, self.words.quotes, *self._lines(told)]), [*shown, *told]
        # What was answered when it was asked before is the advice that there is.
        advised = [*self._told(told=False), *self._code()] if self.want.advice else []
        if advised:
            given = {row.text for row, _ in advised}
            chosen = [i for i in chosen if self.few[i].text not in given] or chosen[:1]
        chosen = [*chosen, *self._changed(chosen)]
        lead, older = chosen[0], list[int]()
        if self.want.point in ("figure", "date") and not (self.want.first or self.want.several):
            renewed = [i for i in chosen if _RENEWED.search(self.few[i].text)]
            lead, older = self.ranked.update(chosen[0], chosen, self.how.twin, self.how.nearly, renewed)
        of_now = holds_now(self.query.text) and not (self.want.first or self.want.several or self.want.advice)
        if not older and of_now:
            lead, older = self._renewed(lead)
        best, before = self.few[lead], [self.few[i] for i in older]
        if not older and not self.want.first and (later := updates(self.query.text, best, self.rows)):
            *earlier, newest = [best, *later]
            best, before = newest, earlier[::-1]
        rest = [self.few[i] for i in chosen if i not in (lead, *older)]
        rest = sorted((row for row in rest if row not in (best, *before)), key=lambda row: row.exchange)
        named = self._named_beside(best)
        groups = (
            [(self.words.newest, [best]), (self.words.before, before), (self.words.quotes, rest)]
            if before
            else [(self.words.quotes, [best, *rest])]
        )
        for title, group in groups:
            rows = list(group)
            if named is not None and best in group:
                rows[1:1] = [named]
            rows = self._with_replies(rows, {self.few[i].exchange for i in chosen})
            quoted = [self._message(row) if row is best else self._quote(row) for row in rows]
            lines += [title, *self._lines(quoted)] if quoted else []
            shown += quoted
        listed = [best, *rest]
        if not before and len(listed) > 1 and all(map(self._one, listed)):
            lines.append(self.words.counted.format(n=len(listed)))
        return "\n".join([*lines, *self._lines(advised)]), [*shown, *advised]


def _numbered(words: Frame, items: Sequence[tuple[Shown, Sequence[Shown]]]) -> tuple[str, list[Shown]]:
    """A numbered list, each item with its points below it, and what it quotes; empty where there are none."""
    lines, shown = [words.listed.format(n=len(items))] if items else [], list[Shown]()
    for n, (said, points) in enumerate(items, start=1):
        lines += [compose.line(words, *said, n), *(f"   {compose.line(words, *each)}" for each in points)]
        shown += [said, *points]
    return "\n".join(lines), shown


def _gives_up(row: Candidate) -> bool:
    """Whether a sentence is an option that was given up."""
    return row.piece.role == "excluded" and row.text.startswith(EXCLUDED)


@lru_cache(maxsize=8192)
def _plain(text: str) -> str:
    return "".join(_LETTERS.findall(text.lower()))


# An order comes again with most questions.
@lru_cache(maxsize=1024)
def _about(order: str) -> str:
    """What a standing order applies to, where it says so; else all of it, but for its exception."""
    order = _EXCEPT.split(order, maxsplit=1)[0] or order
    match = _APPLIES.search(order)
    return match[match.lastindex or 0] if match else order


def _whole(dating: apart.Dating) -> str:
    """The clauses of a sentence around what is dated, whole."""
    text, (start, stop) = dating.row.text, dating.place
    cuts = [0, *clause_ends(text), len(text)]
    first = max(cut for cut in cuts if cut <= start)
    last = min(cut for cut in cuts if cut >= stop)
    return text[first:last].strip(" ,;，；-–—")


# A statement that something has changed must have at least this share of the best sentence's worth.
_CHANGED_WORTH = 0.7
# Words with which a statement says that its value is new.
_RENEWED = re.compile(
    rf"{CHANGED.pattern}|\bnow\b|\bchange of plans?\b|(?<!\bno )\bnew\b|\bneu(?:e[rsnm]?)?\b|\bjetzt\b|现在|新的",
    re.IGNORECASE,
)
# A new one of a kind, and of which.
_NEW = re.compile(r"(?<!\bno )\b(?:new|neu(?:e[rsnm]?)?) (\w+)|新(?:的)?([^\W\d_]{2})", re.IGNORECASE)
# So many of an exchange's best sentences tell how well it answers.
_BEST = 3
_CODE_ASKED = re.compile(
    r"\b(?:code|snippets?|scripts?)\b|\b(?:show|write|give|create)\b.{0,60}"
    r"\b(?:implement\w*|function|class|quer(?:y|ies)|endpoints?|config\w*|example)\b|代码|脚本|函数",
    re.IGNORECASE,
)
_QUESTION = re.compile(r"[?？]\W*$")
_OFFERS = re.compile(
    r"\b(?:would you like|do you (?:want|need|have)|(?:shall|should|can|may) I|(?:want|like) me to"
    r"|any (?:other |more )?questions|(?:does|did) (?:this|that)|(?:is|are) there anything|what do you think"
    r"|möchtest du|möchten Sie|soll ich|hast du noch)\b"
    r"|需要我|要不要我|想让我|还有(?:什么|别的|其他)|您?觉得(?:怎么样|如何)",
    re.IGNORECASE,
)
# Left out, on several lines, or code.
_BROKEN = re.compile(r"…|\n|```")
_WHY = re.compile(
    r"\bwhy\b|\breasons?\b|\barguments?\b|\bagainst\b|\bdrop the idea\b|为什么|为何|理由|原因|依据|考虑|反对|放弃|否决",
    re.IGNORECASE,
)
# "The third fitting", "number four": such a statement says itself how many there were.
_NTH = re.compile(
    r"\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d+(?:st|nd|rd|th)|last"
    r"|(?:number|no\.|#) ?\w+)\b|第[\d一二两三四五六七八九十]",
    re.IGNORECASE,
)
_NAME_ASKED = re.compile(
    r"\b(?:name|names|named|called)\b|\bwho(?:['’]s| is| was)\b|叫什么|名字|姓名|怎么称呼|是谁", re.IGNORECASE
)
_NAME_TOLD = re.compile(
    r"\b(?:named?|called|names? (?:is|are)|goes by) (?!for\b)|叫|取名|起名|名字是|名为"
    r"|\b(?:his|her|its|their) (?:\w+ ){1,2}is (?-i:[A-Z])|[他她它]们?的?[^，。是]{1,4}是(?![不个一的])",
    re.IGNORECASE,
)
_OF_IT = re.compile(r"\b(?:his|hers?|him|he|she|its?|they|them|their)\b|[他她它]", re.IGNORECASE)
_LETTERS = re.compile(r"\w+")
# "TypeScript, unless it is Tidewater" is no order about Tidewater.
_EXCEPT = re.compile(r"\s*,?\s*\b(?:unless|except|but not|außer|es sei denn)\b|[，,]?除非", re.IGNORECASE)
_APPLIES = re.compile(r"\b(?:when(?:ever)?|if|for|in) ((?:I|we|you|my|our)\b.+)|当(.+?)时", re.IGNORECASE)
