"""One question in one context: the sentences that may be quoted, and which of them are compared with the question.

Knows no vectors: `compared` has them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from memfold.context.focus import MARK
from memfold.context.readers.quoting import abstain, apart, compose, days, measures, worth
from memfold.context.readers.quoting.asked import Wanted
from memfold.context.readers.quoting.candidates import (
    GIVEN,
    Candidate,
    call_of,
    candidates,
    clause,
    clause_ends,
    standing_orders,
    stretches,
)
from memfold.context.readers.quoting.choose import denied
from memfold.context.readers.quoting.compose import Shown
from memfold.context.readers.quoting.frames import Frame
from memfold.context.readers.quoting.measures import Measure
from memfold.context.readers.quoting.settings import Settings
from memfold.context.types import BEFORE, Context, Piece
from memfold.layers.state.shown import label
from memfold.once import kept
from memfold.retrieve.named import Thing, named
from memfold.retrieve.query import Query, called, named_alone
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
    quotes. What follows from these is made when it is first read."""

    how: Settings
    query: Query
    want: Wanted
    words: Frame
    context: Context

    @kept
    def orders(self) -> list[Candidate]:
        """The standing orders and preferences, without those of another thing than the one that is asked about."""
        return [row for row in self._standing if not self._of_another(row)]

    @kept
    def rows(self) -> list[Candidate]:
        """The sentences that may answer: of several things of a kind those about the one that is asked about. What is
        said of another answers nothing."""
        return [row for row in self._offered if not (self._of_another(row) or (row.data and self.strange))]

    @kept
    def strange(self) -> bool:
        """Whether the question names something that the shown part of an agent's history does not name. Tools' output
        is near to any question, so nearness proves nothing there."""
        return self.context.agent and abstain.unknown(self.query.text, self._offered)

    @kept
    def thing(self) -> Thing | None:
        """The one thing of several of a kind that the question names."""
        return named(self.query.text, [row.text for row in self._offered])

    @kept
    def answers(self) -> list[Candidate]:
        """The assistant's sentences."""
        return [row for row in self._said if row.piece.role == "assistant"]

    @kept
    def _said(self) -> list[Candidate]:
        return candidates(self.context, self.query.language, items=self.want.told)

    @kept
    def _standing(self) -> list[Candidate]:
        return standing_orders(self.context)

    @kept
    def _offered(self) -> list[Candidate]:
        """The sentences that may answer, of whatever thing."""
        # What the user brought up or claims is in no words of the assistant's. Whether "we use WAL" may be.
        claimed = self.want.kind == "contradiction" and _OF_THE_USER.search(self.query.text) is not None
        theirs = claimed or self.want.kind in ("order", "summary")
        others = ("assistant",) if claimed else ("assistant", *GIVEN)
        rows = [row for row in self._said if not theirs or row.piece.role not in others] or self._said
        # An order is shown as one, not as an answer to what it is about.
        given = {row.exchange: _plain(row.text) for row in self._standing if row.piece.role == "instruction"}
        # A replaced order no longer says what the assistant shall do.
        replaced = _replaced(self._standing) if self.want.bound else ()
        return [
            row
            for row in rows
            if row.exchange not in given or _plain(row.text) not in given[row.exchange]
            if not any(old in _plain(row.text) for old in replaced)
            if self.deeds or not row.data or row.quote
        ]

    def _of_another(self, row: Candidate) -> bool:
        if self.thing is not None and self.thing.another(row.text):
            return True
        return row.data and (
            (bool(self._identifiers) and self._identifies_another(row))
            or (bool(self._time) and self._time not in row.terms and _stamped(row))
        )

    @kept
    def _time(self) -> str:
        """The one time of day that the question names, if a line of a log has that stamp; else empty."""
        if len(_CLOCK.findall(self.query.text)) != 1 or _AROUND.search(self.query.text):
            return ""
        times = sorted(_CLOCK.findall(readable(self.query.text)), key=len, reverse=True)
        logged = (row.terms for row in self._offered if row.data and _stamped(row))
        given = frozenset[str]().union(*logged) if times else ()
        return next((time for time in times if time in given), "")

    @kept
    def _identifiers(self) -> frozenset[str]:
        """The identifiers that the question names: LO-70111."""
        return identifiers(self.query.text)

    def _identifies_another(self, row: Candidate) -> bool:
        """Whether a record has another identifier of a kind that the question names, or the context lacks that one."""
        named = identifiers(row.text) | identifiers(call_of(row.piece.text)[1])
        lacking = self._identifiers - named
        alike = {shape(each) for each in named}
        return any(shape(each) in alike or each not in self._told for each in lacking)

    @kept
    def _told(self) -> frozenset[str]:
        """The identifiers in the context."""
        return frozenset[str]().union(*(identifiers(piece.text) for piece in self.context.pieces))

    def keyed(self, row: Candidate) -> float:
        """The gain of what a tool gave back, if the question has the key of a value in it. The keys of a call ("new" in
        an edit) count only if the question asks for the agent's deeds."""
        if row.shows_call and not self.deeds:
            return 0.0
        whole = [key for key in row.keys if "-" in key and self.weight.keys() >= set(terms(key))]
        share = worth.carried(row.keys.union(*map(terms, whole)), self.weight)
        return share and KEYED + BY_KEYS * share

    def about(self, row: Candidate) -> bool:
        """Whether a sentence is about the one thing that the question names."""
        return self.thing is not None and self.thing.about(row.text, row.piece.text)

    @kept
    def measure(self) -> Measure | None:
        """What of that thing is asked to be measured."""
        return measures.measure(self.query.text) if self.thing else None

    def measured(self, row: Candidate) -> bool:
        """Whether a sentence says of that thing what is asked to be measured."""
        told = self.measure is not None and self.about(row) and measures.holds(self.measure, row.text)
        return told and not worth.states_nothing(row.text)

    def explains(self, row: Candidate) -> bool:
        """Whether a sentence is an option given up, of the one thing that the question names, and the question asks
        why."""
        return gives_up(row) and self.about(row) and _WHY.search(self.query.text) is not None

    @kept
    def ends(self) -> tuple[str, ...]:
        """The two happenings whose distance in time is asked for."""
        one_thing = (self.query.topic,) * 2 if self.want.kind == "span" and self.thing else ()
        return self.want.ends or one_thing

    @kept
    def weight(self) -> worth.Weights:
        """The weights of the question's terms. A note repeats the words of what it was made from, which makes them no
        commoner."""
        said = [row for row in self.rows if row.spoken]
        if not self.context.agent:
            return worth.weights(self.query.topic, said or self.rows, self.query.text)
        told = frozenset[str]().union(*(row.terms for row in self.rows if row.data))
        newest = max((row.day for row in self.rows if row.day), default=None)
        named = days_named(self.query.text, newest, months=True)
        written = " ".join(day for day in named if day in told)
        asked, topic = (f"{readable(text)} {written}" for text in (self.query.text, self.query.topic))
        weight = worth.weights(topic, said or self.rows, asked)
        precise = {term: PRECISE * weight[term] for term in weight.keys() & told if _PRECISE.search(term)}
        return weight | precise

    # --------------------------------------------------------------------------------------------------- several users
    @kept
    def _questions(self) -> dict[int, list[Candidate]]:
        """What users ask each other, by exchange."""
        found: dict[int, list[Candidate]] = {}
        for row in self.rows:
            if row.speaker and _asks(row):
                found.setdefault(row.exchange, []).append(row)
        return found

    @kept
    def _asked_last(self) -> dict[int, list[Candidate]]:
        """By exchange, the question that ends the assistant's answer, if it shares a word with the user's question:
        "How do you feel after?"."""
        last = {row.exchange: row for row in self.answers if not row.cut}
        return {
            exchange: [row]
            for exchange, row in last.items()
            if asks(row.text)
            and row.piece.text.rstrip().endswith(row.text)
            and not row.terms.isdisjoint(self.weight)
        }

    def before(self, row: Candidate) -> list[Candidate]:
        """What another user, or the assistant, asked right before a user's sentence that asks nothing."""
        if row.piece.role != "user" or _asks(row):
            return []
        if not row.speaker:
            return self._asked_last.get(row.exchange - 1, [])
        return [one for one in self._questions.get(row.exchange - 1, ()) if one.speaker != row.speaker]

    def with_replies(self, rows: Sequence[Candidate], shown: Collection[int]) -> list[Candidate]:
        """`rows`, with the reply behind each question of one user to another, unless the reply is `shown`."""
        found = list[Candidate]()
        for row in rows:
            found.append(row)
            if row in self._questions.get(row.exchange, ()) and row.exchange + 1 not in shown:
                replies = (
                    one for one in self.rows if one.exchange == row.exchange + 1 and row in self.before(one)
                )
                found += [reply] if (reply := next(replies, None)) else []
        return found

    @kept
    def whose(self) -> str:
        """The one user whom the question names, where several speak; else empty."""
        return named_alone(self.query.text, self.context.speakers)

    def by_named(self, row: Candidate) -> bool:
        """Whether that user said a sentence."""
        return bool(self.whose) and row.speaker == self.whose

    def tells_of_named(self, row: Candidate) -> bool:
        """Whether a sentence names that user, or its message tells something about them elsewhere: "Ben said he doesn't
        dare". Calling a user by name ("Nice one, Ben!") does not count in the rest of the message: if it did, 21
        instead of 37 of 119 adversarial questions of LoCoMo would be refused."""
        if self.whose in called(row.text, [self.whose]):
            return True
        first = re.escape(self.whose.split()[0])
        tells = rf"(?:(?<![\w,] )|(?<=\band )|(?<=\bthat )|(?<=\bbut )|(?<=\bif ))\b(?i:{first}){_TELLS_OF}"
        return re.search(tells, row.piece.text) is not None

    # ------------------------------------------------------------------------------------------------- what is compared
    @kept
    def few(self) -> list[Candidate]:
        """The sentences to embed; none where the question has no terms. Where the answer is a list, each exchange has
        one: its best."""
        if not self.weight:
            return []
        limit = self.how.considered // 2 if self.ends else self.how.considered
        if self.want.kind not in ("order", "summary"):
            few = worth.nearest(self.rows, self._promise, limit)
            if not self.want.advice:
                return few
            # More of the assistant's, because they choose the exchange that is quoted.
            answers = [row for row in self.rows if row.piece.role == "assistant"]
            return list(dict.fromkeys([*few, *worth.nearest(answers, self._promise, limit)]))
        first: dict[int, tuple[float, Candidate]] = {}
        for row in self.rows:
            found = self._promise(row)
            if row.exchange not in first or found > first[row.exchange][0]:
                first[row.exchange] = found, row
        return worth.nearest([row for _, row in first.values()], self._promise, limit)

    def _promise(self, row: Candidate) -> float:
        """How much a sentence promises by its words and its place alone."""
        listing = self.want.kind in ("order", "summary")
        found = (
            worth.carried(row.terms, self.weight) + 0.2 * row.standing + 0.1 * (row.exchange in self._hits)
        )
        found += 0.15 * abstain.holds_point(self.want.point, row.text)
        found += 0.2 * self.preferred(row) + MEASURED * self.measured(row)
        found += NAMED * (self.thing is not None and listing and self.about(row))
        if self.want.kind == "contradiction":
            found += 0.3 * denied(row.text, self.weight.keys())
        before = (worth.carried(one.terms, self.weight) for one in self.before(row))
        found += REPLIED * max(before, default=0.0) + BY_NAMED * self.by_named(row)
        found += self.keyed(row) - 0.2 * (not (row.spoken or row.data))
        return found - (0.5 if listing else 0.1) * worth.states_nothing(row.text)

    @kept
    def _hits(self) -> frozenset[int]:
        return frozenset(hit.exchange_id for hit in self.context.hits)

    def outcome(self, row: Candidate, shown: Collection[int]) -> list[Candidate]:
        """What came of something that an agent's user said (`row`): what the agent said in that exchange, and in the
        next one if the user only goes on there. Only if it used a tool, or the question asks for its deeds. An exchange
        is left out if the agent's words in it are `shown` already. A question about the user gets what they said next
        too. Nothing came of a row that holds what is asked for, unless the agent's deeds are asked for."""
        if not self.context.agent or row.piece.role != "user" or (self._answers(row) and not self.deeds):
            return []
        following, concluded = row.exchange + 1, self._conclusion(row.exchange)
        said = self._goes_on(row, bool(concluded))
        at_work = not self.context.worked.isdisjoint([row.exchange, following] if said else [row.exchange])
        if not (at_work or self.deeds):
            return []
        found = [] if row.exchange in shown else concluded
        if said and following not in shown:
            found += said[: bool(_OF_ME.search(self.query.text))]
            found += self._conclusion(following)
        return found

    def report(self, row: Candidate, shown: Collection[int]) -> list[Candidate]:
        """The agent's answering sentence in the exchange of its user's `row`, if it used a tool there. None if its
        words in that exchange are `shown` already."""
        if row.piece.role != "user" or row.exchange not in self.context.worked or row.exchange in shown:
            return []
        return self._fullest(row.exchange, self._answers)

    def reply(self, row: Candidate, shown: Collection[int]) -> list[Candidate]:
        """The assistant's sentence that answers a user's `row` which asks something, if the whole answer is short and
        stands in the context. None if its words there are `shown` already."""
        if row.piece.role != "user" or row.speaker or row.exchange in shown:
            return []
        if not (worth.states_nothing(row.text) or _ASKING.search(row.text)):
            return []
        said = [one for one in self.answers if one.exchange == row.exchange]
        if any(MARK in one.piece.text for one in said) or sum(len(one.text) for one in said) > self.how.quote:
            return []
        told = self._fullest(row.exchange, self._answers)
        return told or self._fullest(row.exchange, lambda one: len(one.terms) > 1)

    def correction(self, row: Candidate) -> list[Candidate]:
        """The user's next sentence after an assistant's words (`row`) that refuses part of them: "not xitongsys, use
        arrow-go". None if the question asks for new advice: what was refused of old advice answers nothing."""
        if row.piece.role != "assistant" or self.want.advice:
            return []

        def refuses(text: str) -> bool:
            """Whether a clause names something of the row's right behind "not" and the like."""
            parts = ((part, _REFUSED.search(part)) for part in stretches(text))
            return any(
                no and not row.terms.isdisjoint(islice(terms(part[no.end() :]), 3)) for part, no in parts
            )

        return [one for one in self.said_next(row) if refuses(one.text)][:1]

    def _goes_on(self, row: Candidate, concluded: bool) -> list[Candidate]:
        """The user's sentences in the exchange after a row's, if they are short, of the same day and go on with it.
        They do if the agent was at work and had not `concluded`, or if the user assents, points back ("fix it") or
        repeats a word."""
        said = self.said_next(row)
        short = sum(len(one.terms) for one in said) <= _GOES_ON and all(one.day == row.day for one in said)
        before = frozenset[str]().union(*(one.terms for one in self._said if one.exchange == row.exchange))
        at_work = row.exchange in self.context.worked and not concluded
        goes_on = at_work or any(_BACK.search(one.text) or one.terms & before for one in said)
        return said if short and goes_on else []

    def _answers(self, row: Candidate) -> bool:
        """Whether a sentence holds what is asked for. Words for reasons ("since") prove none."""
        return self.want.point != "reason" and abstain.holds_point(self.want.point, row.text)

    def _conclusion(self, exchange: int) -> list[Candidate]:
        """The assistant's sentence in an exchange that has most of the question, if any says enough."""
        return self._fullest(exchange, lambda one: len(one.terms) >= _SAYS or self._answers(one))

    def _fullest(self, exchange: int, tells: Callable[[Candidate], bool]) -> list[Candidate]:
        """Of the assistant's sentences in an exchange that `tells` accepts, the one with most of the question."""
        said = [one for one in self.answers if one.exchange == exchange and tells(one)]
        return sorted(said, key=lambda one: -worth.carried(one.terms, self.weight))[:1]

    def said_next(self, row: Candidate) -> list[Candidate]:
        """What the user said in the exchange after a row's."""
        return [one for one in self.rows if one.exchange == row.exchange + 1 and one.piece.role == "user"]

    def preferred(self, row: Candidate) -> bool:
        """Whether a sentence is in the words that are asked for. What an agent did stands in its calls too."""
        whose = "assistant" if self.want.told or self.deeds else "user"
        return row.piece.role == whose or (self.deeds and row.shows_call)

    @kept
    def deeds(self) -> bool:
        """Whether an agent is asked what it did."""
        return self.context.agent and _DEEDS.search(self.query.text) is not None

    @kept
    def datings(self) -> list[apart.Dating]:
        """The days that may be those of the `ends`."""
        return apart.datings(self._happenings(), self.ends, self.how.considered // 2) if self.ends else []

    def _happenings(self) -> list[Candidate]:
        """The sentences that may date an end of the time that is asked for: of the one thing that the question names
        those that name a day, unless it names both ends and there are not two such."""

        def happened(row: Candidate) -> bool:
            """Whether a sentence names a day: one that has been, where the question names no ends."""
            told = [one.day for one in days.named(row.text, row.day)]
            return bool(told) and (bool(self.want.ends) or row.day is None or max(told) < row.day)

        rows = [row for row in self.rows if self.about(row) and not worth.states_nothing(row.text)]
        rows = [row for row in rows if happened(row)]
        return self.rows if self.want.ends and len({row.exchange for row in rows}) < 2 else rows

    @kept
    def reckoned(self) -> list[Piece]:
        """What the context reckons."""
        return [piece for piece in self.context.pieces if piece.role == "reckoned"]

    # ----------------------------------------------------------------------------------------------------------- quotes
    def quote(self, row: Candidate) -> Shown:
        """A sentence: with what else its message says, if that is short; of a long one the stretch that carries most of
        the question."""
        whole = self._whole(row, self.how.item)
        return row, whole or compose.part(row.text, self.weight, self.how.quote, clause_ends(row.text))

    def message(self, row: Candidate) -> Shown:
        """The same, but with what else a longer message says."""
        whole = self._whole(row, self.how.quote)
        return (row, whole) if whole else self.quote(row)

    def item(self, row: Candidate) -> Shown:
        """What a list shows of a sentence: its beginning, or its short message if that says more."""
        whole = self._whole(row, self.how.item)
        if len(whole) > len(row.text):
            return row, whole
        return row, clause(row.text, self.how.item // 3, self.how.item)

    def _whole(self, row: Candidate, most: int) -> str:
        """A sentence with the other statements of its message, verbatim, if the user or an agent wrote it and they are
        together of at most `most` characters: the next sentence often says what "it" is, and why. Else empty."""
        if row.piece.role != "user" and not (self.context.agent and row.piece.role == "assistant"):
            return ""
        said, rows = row.piece.text, self.rows if row.piece.role == "user" else self.answers
        others = (one for one in rows if one.piece is row.piece and one is not row)
        told = [row, *(one for one in others if not worth.states_nothing(one.text))]
        start = min(said.find(one.text) for one in told)
        whole = said[start : max(said.rfind(one.text) + len(one.text) for one in told)]
        fits = len(whole) <= most and not _BROKEN.search(whole) and not any(one.cut for one in told)
        return whole if fits else ""


@lru_cache(maxsize=8192)
def identifiers(text: str) -> frozenset[str]:
    """The identifiers in a text, in small letters: words with letters and digits, long numbers that are no year."""
    return frozenset(map(str.lower, _IDENTIFIER.findall(text)))


def _asks(row: Candidate) -> bool:
    """Whether a sentence asks, with a question mark or without."""
    return asks(row.text) or worth.only_asks(row.text)


def shape(value: str) -> str:
    """An identifier or a figure with each number replaced by 0: "2.3.1" and "2.2.3" have one shape."""
    return re.sub(r"\d+", "0", value)


def _stamped(row: Candidate) -> bool:
    """Whether a stretch of data begins with a time, as lines of logs do. Other times are values: whoever asks for a
    table at 19:00 also wants to hear of 19:30."""
    return _STAMPED.match(row.text) is not None


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


# Left out, on several lines, or code.
_BROKEN = re.compile(r"…|\n|```")
_PRECISE = re.compile(r"\d\D*\d\D*\d")
# A message that only goes on ("Good, book it") has at most so many terms, and a conclusion at least so many.
_GOES_ON, _SAYS = 12, 4
_REFUSED = re.compile(
    r"\b(?:(?<!why )not|no(?! (?:idea|problem|worries|need|doubt|wonder)\b)|instead of|rather than|without"
    r"|drop(?! me\b)|skip|kein\w*|nicht|statt)\b",
    re.IGNORECASE,
)
# Words of assent at the beginning, or words that point back.
_BACK = re.compile(
    r"^\W*(?:yes|yep|yeah|ok(?:ay)?|sure|good|great|perfect|fine|right|exactly|go (?:ahead|on|for)|(?:please )?do|then"
    r"|and|so|ja|gut|genau|dann|mach)\b"
    # "Is it raining?" does not point back.
    r"|(?<!\bis )(?<!\bwas )\bit\b|\b(?:that|this|them|those|these)\b|\b(?:es|das|sie)\b"
    r"|^(?:好|行|可以|是的|对|那)|它|这",
    re.IGNORECASE,
)
_OF_THE_USER = re.compile(r"\b(?:I|my|me)\b|我|\b(?:ich|mein\w*)\b")
_OF_ME = re.compile(r"\b(?:I|we|my|our)\b|我|\b(?:ich|wir|mein\w*)\b")
_ASKING = re.compile(r"[?？]|\b(?:(?:what|where|who)'?s|how (?:much|many|long))\b", re.IGNORECASE)
_CLOCK = re.compile(r"(?<![\d:])\d\d:\d\d(?::\d\d)?(?![\d:])")
_STAMPED = re.compile(
    r"\W*(?:\w{1,10}\W{1,4})?(?:\d{4}[-/]\d\d[-/]\d\d[T ]|[A-Z][a-z]{2} +\d{1,2} )?\d\d:\d\d(?::\d\d)?(?![\d:])"
)
# A time that bounds what is asked for.
_AROUND = re.compile(
    r"\b(?:between|before|after|since|until|till|from|vor|nach|seit|bis)\b|之前|之后|以前|以后", re.IGNORECASE
)
_DEEDS = re.compile(r"\b(?:did|have|had|were|are) you\b|你(?:做|改|运行|执行|修)", re.IGNORECASE)
_WHY = re.compile(
    r"\bwhy\b|\breasons?\b|\barguments?\b|\bagainst\b|\bdrop the idea\b|为什么|为何|理由|原因|依据|考虑|反对|放弃|否决",
    re.IGNORECASE,
)
_LETTERS = re.compile(r"\w+")
# Behind the name of somebody of whom something is told: "Tom what else would you eat" calls him.
_TELLS_OF = (
    r"(?:['’]s)? (?!(?:you|u|ur|your|what|how|when|where|who|why|which|do|did|are|were|have"
    r"|can|could|please|pls|thanks?)\b)"
    r"[a-z]"
)
_IDENTIFIER = re.compile(
    r"(?<![\w.,:/-])(?:(?=[A-Za-z_-]*\d[\w-]*\d)[A-Za-z]+[\w-]*\d[\w-]*|(?!(?:19|20)\d\d\b)\d{4,})(?![\w:/]|[.,]\d)"
)
