"""What is true in a synthetic conversation, when it is told, and what is asked about it.

A conversation is planned exchange by exchange, forwards only: nothing planned depends on how long the
conversation will be, so a longer one begins with the shorter. Every exchange carries one planted sentence.
The sentences of one truth form a thread: the statements a probe rests on, and what is planted to mislead
(the same said of a near-twin, hearsay, a date that was a typo). Threads overlap; a gap may be two exchanges
or as long as the conversation so far.

Knows nothing of the talk around the planted sentences (`talk`), of messages or of tokens.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from math import isqrt
from typing import NamedTuple

from memfold.evaluate.probe import ABILITIES, Ability
from memfold.evaluate.synthetic.bank import Attribute, Bank, Draw, pick, shuffled

DECKS = 12  # decks of threads, one thread an ability, before the cast changes
CAST = 8  # ventures talked about at a time: four near-twin pairs, which share their noun
STEPS = 4  # of an ordering
LONGEST_GAP = 20_000  # exchanges; bounds the threads in the air whatever the length
SESSIONS = (5, 11, 7, 9)  # exchanges in consecutive sessions
START = datetime(2021, 1, 4, 7, 30, tzinfo=UTC)
PACE = 3 * 24 * 3600


def chance(*parts: object) -> random.Random:
    """A generator that depends on `parts` alone, on every machine and in every Python release."""
    return random.Random(":".join(str(part) for part in parts))


def moment(exchange: int) -> tuple[int, datetime]:
    """Session number and time of an exchange: session s begins 3 s^0.75 days after the start.

    The slowing keeps 100M tokens inside eleven years while 100K tokens still take three weeks. Integers
    throughout, since a rounding that differs between machines would change the text.
    """
    cycle, rest = divmod(exchange, sum(SESSIONS))
    session = cycle * len(SESSIONS)
    for length in SESSIONS:
        if rest < length:
            break
        rest -= length
        session += 1
    seconds = isqrt(isqrt(session**3 * PACE**4)) + session * 7919 % 3600
    return session, START + timedelta(seconds=seconds + rest * 241)


class Venture(NamedTuple):
    """What is talked about, by its name and as it is called once the name has been said."""

    name: str
    short: str


@dataclass(slots=True)
class Thread:
    """One truth: its sentences in the order they are told, and the probe about it.

    `cited[i]` says whether the probe rests on sentence i; `told` are the exchanges of those that do.
    """

    number: int
    ability: Ability
    question: str
    answer: str
    rubric: tuple[str, ...]
    sentences: list[str]
    cited: list[bool]
    venture: Venture
    twin: Venture
    attribute: Attribute | None
    told: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Step:
    """What one exchange carries: a sentence of a thread. `cast` are the ventures of the time."""

    exchange: int
    place: int
    thread: Thread
    cast: tuple[Venture, ...]

    @property
    def sentence(self) -> str:
        """The planted sentence."""
        return self.thread.sentences[self.place]

    @property
    def finished(self) -> bool:
        """Whether this is the thread's last sentence."""
        return self.place + 1 == len(self.thread.sentences)


def sentence(template: str, **slots: str) -> str:
    """`template` filled, beginning with a capital."""
    text = template.format(**slots)
    return text[:1].upper() + text[1:]


def cast_of(bank: Bank, seed: str, chapter: int) -> tuple[Venture, ...]:
    """The ventures of a chapter: 2k and 2k+1 are near-twins, which share their noun.

    With 32 nouns and 80 places none comes back for 320 chapters, which is 105M tokens.
    """
    groups = len(bank.nouns) * 2 // CAST
    nouns = shuffled(chance(seed, "nouns").random, bank.nouns)
    pair, group = chapter // groups, chapter % groups
    names = []
    for noun in nouns[group * CAST // 2 : (group + 1) * CAST // 2]:
        places = shuffled(chance(seed, "places", noun).random, bank.places)
        first = pair * 2 % len(places)
        short = bank.short.format(noun=noun)
        names += [Venture(bank.name.format(place=p, noun=noun), short) for p in places[first : first + 2]]
    return tuple(names)


@dataclass(frozen=True)
class Stage:
    """A thread about to be written: who it is about, its near-twin, which theme, and today's date."""

    bank: Bank
    draw: Draw
    e: str
    twin: str
    theme: int
    today: date

    def values(self, kind: str, number: int) -> list[str]:
        """Different values of one kind."""
        found: list[str] = []
        while len(found) < number:
            value = self.bank.value(kind, self.draw, self.today)
            if value not in found:
                found.append(value)
        return found

    def past(self) -> tuple[date, date]:
        """Two different days of the last three months, the earlier first."""
        second = self.today - timedelta(days=1 + int(self.draw() * 20))
        return second - timedelta(days=2 + int(self.draw() * 70)), second


Draft = tuple[str, str, tuple[str, ...], list[tuple[str, bool]]]
"""Question, answer, rubric, (sentence, cited) in order of telling."""


def _fact(s: Stage) -> Draft:
    a = s.bank.attributes[s.theme]
    v, other, rumour = s.values(a.value, 3)
    told = [
        (sentence(pick(s.draw, a.say), e=s.e, v=v), True),
        (sentence(pick(s.draw, a.say), e=s.twin, v=other), False),
        (sentence(pick(s.draw, s.bank.hearsay), e=s.e, label=a.label, v=rumour), False),
    ]
    answer = s.bank.answers["information_extraction"].format(e=s.e, label=a.label, v=v)
    return pick(s.draw, a.ask).format(e=s.e), sentence(answer), (v,), shuffled(s.draw, told)


def _excluded(s: Stage) -> Draft:
    x = s.bank.exclusions[s.theme]
    v, other, *_ = shuffled(s.draw, x.reasons)
    told = [(sentence(x.say, e=s.e, v=v), True), (sentence(x.say, e=s.twin, v=other), False)]
    answer = s.bank.answers["excluded"].format(e=s.e, label=x.option, v=v)
    return x.ask.format(e=s.e), answer, (v,), shuffled(s.draw, told)


def _update(s: Stage) -> Draft:
    a = s.bank.attributes[s.theme]
    old, new, other, rumour = s.values(a.value, 4)
    twin = (sentence(pick(s.draw, a.say), e=s.twin, v=other), False)
    hearsay = (sentence(pick(s.draw, s.bank.hearsay), e=s.e, label=a.label, v=rumour), False)
    told = [
        (sentence(pick(s.draw, a.say), e=s.e, v=old), True),
        twin,
        (sentence(pick(s.draw, a.change), e=s.e, v=new), True),
        hearsay,
    ]
    answer = s.bank.answers["knowledge_update"].format(e=s.e, label=a.label, v=new, o=old)
    return pick(s.draw, a.ask).format(e=s.e), sentence(answer), (new,), told


def _abstain(s: Stage) -> Draft:
    a = s.bank.attributes[s.theme]
    old, new = s.values(a.value, 2)
    told = [
        (sentence(pick(s.draw, a.say), e=s.twin, v=old), False),
        (sentence(pick(s.draw, a.change), e=s.twin, v=new), False),
    ]
    answer = s.bank.answers["abstention"].format(e=s.e, label=a.label)
    return pick(s.draw, a.ask).format(e=s.e), answer, (s.bank.answers["none"],), told


def _contradiction(s: Stage) -> Draft:
    c = s.bank.claims[s.theme]
    told = shuffled(s.draw, [(sentence(c.did, e=s.e), True), (sentence(c.never, e=s.e), True)])
    told.insert(1, (sentence(pick(s.draw, (c.did, c.never)), e=s.twin), False))
    gist = c.gist.format(e=s.e)
    answer = s.bank.answers["contradiction_resolution"].format(gist=gist)
    return c.ask.format(e=s.e), answer, (s.bank.answers["both"], gist), told


def _tally(s: Stage) -> Draft:
    t = s.bank.tallies[s.theme]
    numbers = [3 + int(s.draw() * 45) for _ in range(3)]
    told = [(sentence(say, e=s.e, n=str(n)), True) for say, n in zip(t.say, numbers, strict=True)]
    told.insert(2, (sentence(pick(s.draw, t.say), e=s.twin, n=str(3 + int(s.draw() * 45))), False))
    total = s.bank.amount.format(n=sum(numbers), thing=t.thing)
    terms = " + ".join(map(str, numbers))
    answer = s.bank.answers["multi_session_reasoning"].format(v=total, o=terms)
    return t.ask.format(e=s.e), answer, (total,), told


def _span(s: Stage) -> Draft:
    t = s.bank.spans[s.theme]
    first, second = s.past()
    day = s.bank.day
    wrong = day(second + timedelta(days=1 + int(s.draw() * 6)))
    told = [
        (sentence(t.first, e=s.e, v=day(first)), True),
        (sentence(t.first, e=s.twin, v=day(first - timedelta(days=2 + int(s.draw() * 20)))), False),
        (sentence(t.second, e=s.e, v=day(second)), True),
        (sentence(t.rumour, e=s.e, v=wrong), False),
    ]
    days = s.bank.days.format(n=(second - first).days)
    answer = s.bank.answers["temporal_reasoning"].format(v=days, first=day(first), second=day(second))
    return t.ask.format(e=s.e), answer, (days, day(first), day(second)), told


def _ordering(s: Stage) -> Draft:
    series = s.bank.orderings[s.theme]
    steps = shuffled(s.draw, series.steps)[:STEPS]
    answer = s.bank.answers["event_ordering"].format(steps=s.bank.comma.join(label for label, _ in steps))
    told = [(sentence(say, e=s.e), True) for _, say in steps]
    question = series.ask.format(e=s.e, n=str(len(steps)))
    return question, answer, tuple(label for label, _ in steps), told


def _mood(s: Stage) -> Draft:
    series = s.bank.moods[s.theme]
    steps = shuffled(s.draw, series.steps)
    answer = s.bank.answers["summarization"].format(
        e=s.e, label=series.topic, steps=s.bank.comma.join(label for label, _ in steps)
    )
    told = [(sentence(say, e=s.e), True) for _, say in steps]
    return series.ask.format(e=s.e), answer, tuple(label for label, _ in steps), told


def _order(s: Stage) -> Draft:
    topic = s.bank.orders[s.theme]
    (mine, shown), (theirs, _), *_ = shuffled(s.draw, s.bank.formats)
    frames = s.bank.order_frames
    told = [
        (sentence(pick(s.draw, frames), e=s.e, topic=topic.topic, format=mine), True),
        (sentence(pick(s.draw, frames), e=s.twin, topic=topic.topic, format=theirs), False),
    ]
    answer = s.bank.answers["instruction_following"].format(v=shown)
    return topic.ask.format(e=s.e), answer, (shown,), shuffled(s.draw, told)


def _taste(s: Stage) -> Draft:
    t = s.bank.tastes[s.theme]
    told = [
        (sentence(t.say, e=s.e, v=t.liked), True),
        (sentence(pick(s.draw, s.bank.others_taste), e=s.twin, v=t.other), False),
    ]
    answer = s.bank.answers["preference_following"].format(v=t.liked, o=t.other)
    return t.ask.format(e=s.e), answer, (t.liked,), shuffled(s.draw, told)


def _themes(bank: Bank, ability: Ability, deck: int) -> tuple[str, int, int]:
    """Which list of themes a thread draws from, how long it is, and the thread's place in its shuffled uses.

    Facts, updates and abstentions share the attributes: each takes its own third, so that nothing is told
    twice and what an abstention asks was never told.
    """
    attributes = len(bank.attributes)
    if ability == "information_extraction" and deck % 2:
        return "exclusions", len(bank.exclusions), deck // 2
    if ability == "information_extraction":
        return "attributes", attributes, deck
    if ability == "knowledge_update":
        return "attributes", attributes, DECKS + deck
    if ability == "abstention":
        return "attributes", attributes, 2 * DECKS + deck
    sizes = {
        "contradiction_resolution": len(bank.claims),
        "multi_session_reasoning": len(bank.tallies),
        "temporal_reasoning": len(bank.spans),
        "event_ordering": len(bank.orderings),
        "summarization": len(bank.moods),
        "instruction_following": len(bank.orders),
        "preference_following": len(bank.tastes),
    }
    return ability, sizes[ability], deck


WRITERS = {
    "abstention": _abstain,
    "contradiction_resolution": _contradiction,
    "event_ordering": _ordering,
    "information_extraction": _fact,
    "instruction_following": _order,
    "knowledge_update": _update,
    "multi_session_reasoning": _tally,
    "preference_following": _taste,
    "summarization": _mood,
    "temporal_reasoning": _span,
}
# Nothing misleading is said of the twin, so both of a pair may have one: eight uses a theme instead of four.
WITHOUT_TWIN = ("event_ordering", "summarization")


def write_thread(bank: Bank, seed: str, number: int, cast: tuple[Venture, ...], today: date) -> Thread:
    """The thread of that number, about ventures of `cast`: a deck of ten has one of every ability."""
    deck, place = divmod(number, len(ABILITIES))
    chapter, deck_in_chapter = divmod(deck, DECKS)
    ability = shuffled(chance(seed, "deck", deck).random, ABILITIES)[place]
    themes, size, use = _themes(bank, ability, deck_in_chapter)
    draw = chance(seed, "thread", number).random
    stride = 1 if ability in WITHOUT_TWIN else 2
    uses = [(who, theme) for theme in range(size) for who in range(0, CAST, stride)]
    who, theme = shuffled(chance(seed, "uses", chapter, themes).random, uses)[use]
    if stride == 2:
        who += int(draw() * 2)
    venture, twin = cast[who], cast[who ^ 1]
    stage = Stage(bank, draw, venture.name, twin.name, theme, today)
    writer = _excluded if themes == "exclusions" else WRITERS[ability]
    question, answer, rubric, told = writer(stage)
    sentences, cited = [text for text, _ in told], [rests for _, rests in told]
    about = bank.attributes[theme] if themes == "attributes" else None
    return Thread(number, ability, question, answer, rubric, sentences, cited, venture, twin, about)


def _gap(draw: Draw, exchange: int) -> int:
    """Exchanges until a thread goes on: each octave from 2 to half of what has passed is as likely."""
    octaves = max(6, min(exchange // 2, LONGEST_GAP // 2)).bit_length() - 1
    width = 2 << int(draw() * octaves)
    return width + int(draw() * width)


def walk(bank: Bank, seed: str, exchanges: int) -> Iterator[Step]:
    """The planted sentences of exchanges 0, 1, …; memory holds the threads in the air only."""
    draw = chance(seed, "walk").random
    waiting: list[tuple[int, int, int]] = []  # (due, thread number, place in its sentences)
    threads: dict[int, Thread] = {}
    started = 0
    cast: tuple[Venture, ...] = ()
    for exchange in range(exchanges):
        # The bound on threads in the air lets the first fifty exchanges finish what they start.
        if waiting and (waiting[0][0] <= exchange or len(waiting) > 5 + exchange // 4):
            _, number, place = heapq.heappop(waiting)
        else:
            number, place = started, 0
            if number % (DECKS * len(ABILITIES)) == 0:
                cast = cast_of(bank, seed, number // (DECKS * len(ABILITIES)))
            threads[number] = write_thread(bank, seed, number, cast, moment(exchange)[1].date())
            started += 1
        thread = threads[number]
        if thread.cited[place]:
            thread.told.append(exchange)
        if place + 1 == len(thread.sentences):
            del threads[number]
        else:
            heapq.heappush(waiting, (exchange + _gap(draw, exchange), number, place + 1))
        yield Step(exchange, place, thread, cast)
