"""What stands behind a quoted sentence: what came of it, the reply to it, and what corrects it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from itertools import islice

from memfold.context.focus import MARK
from memfold.context.readers.quoting import abstain, worth
from memfold.context.readers.quoting.candidates import Candidate, stretches
from memfold.context.readers.quoting.quotes import quote
from memfold.context.readers.quoting.reading import Reading
from memfold.text.terms import terms


def behind(reading: Reading, row: Candidate, *, best: bool, shown: Collection[int]) -> list[Candidate]:
    """What stands behind a row: its outcome if it is the `best`, or else the agent's report; without these a short
    reply; and the user's correction. The assistant's words in the `shown` exchanges stand there already."""
    came = _outcome if best else _report
    return [*(came(reading, row, shown) or _reply(reading, row, shown)), *_correction(reading, row)]


def other_replied(reading: Reading, row: Candidate, shown: Collection[int]) -> list[Candidate]:
    """The other user's reply to what a row asks, or to what is asked in the part of its message that is quoted with it;
    none if that exchange is `shown` already. A question that is only quoted with the row counts if it shares a word
    with the user's question, and only the user whom that names may reply: with anybody's reply, four more of LoCoMo's
    adversarial questions were answered in the wrong person's words."""
    if not row.speaker or row.exchange + 1 in shown:
        return []
    with_it = quote(reading, row)[1]

    def quoted(asked: Candidate) -> bool:
        bears = not reading.weight.keys().isdisjoint(terms(asked.text))
        return bears and asked.piece is row.piece and asked.text in with_it

    def replied(one: Candidate) -> bool:
        asked = reading.before(one)
        wanted = not reading.whose or reading.by_named(one)
        return row in asked or (wanted and any(map(quoted, asked)))

    following = (one for one in reading.rows if one.exchange == row.exchange + 1)
    return [one for one in following if replied(one)][:1]


def _outcome(reading: Reading, row: Candidate, shown: Collection[int]) -> list[Candidate]:
    """What came of something that an agent's user said (`row`): what the agent said in that exchange, and in the next
    one if the user only goes on there. Only if it used a tool, or the question asks for its deeds. A question about the
    user gets what they said next too. Nothing came of a row that holds what is asked for, unless the agent's deeds are
    asked for."""
    asked_to_act, worked = reading.deeds, reading.context.worked
    if not reading.context.agent or row.piece.role != "user" or (_answers(reading, row) and not asked_to_act):
        return []
    following, concluded = row.exchange + 1, _conclusion(reading, row.exchange)
    said = _goes_on(reading, row, bool(concluded))
    at_work = not worked.isdisjoint([row.exchange, following] if said else [row.exchange])
    if not (at_work or asked_to_act):
        return []
    found = [] if row.exchange in shown else concluded
    if said and following not in shown:
        found += said[: bool(_OF_ME.search(reading.query.text))]
        found += _conclusion(reading, following)
    return found


def _report(reading: Reading, row: Candidate, shown: Collection[int]) -> list[Candidate]:
    """The agent's answering sentence in the exchange of its user's `row`, if it used a tool there."""
    if row.piece.role != "user" or row.exchange not in reading.context.worked or row.exchange in shown:
        return []
    return _fullest(reading, row.exchange, lambda one: _answers(reading, one))


def _reply(reading: Reading, row: Candidate, shown: Collection[int]) -> list[Candidate]:
    """The assistant's sentence that answers a user's `row` which asks something, if the whole answer is short and
    stands in the context."""
    if row.piece.role != "user" or row.speaker or row.exchange in shown:
        return []
    if not (worth.states_nothing(row.text) or _ASKING.search(row.text)):
        return []
    said = [one for one in reading.answers if one.exchange == row.exchange]
    if any(MARK in one.piece.text for one in said) or sum(len(one.text) for one in said) > reading.how.quote:
        return []
    told = _fullest(reading, row.exchange, lambda one: _answers(reading, one))
    return told or _fullest(reading, row.exchange, lambda one: len(one.terms) > 1)


def _correction(reading: Reading, row: Candidate) -> list[Candidate]:
    """The user's next sentence after an assistant's words (`row`) that refuses part of them: "not xitongsys, use
    arrow-go". None if the question asks for new advice: what was refused of old advice answers nothing."""
    if row.piece.role != "assistant" or reading.want.advice:
        return []
    return [one for one in reading.said_next(row) if _refuses(one.text, row)][:1]


def _refuses(text: str, row: Candidate) -> bool:
    """Whether a clause names something of the row's right behind "not" and the like."""
    parts = ((part, _REFUSED.search(part)) for part in stretches(text))
    return any(no and not row.terms.isdisjoint(islice(terms(part[no.end() :]), 3)) for part, no in parts)


def _goes_on(reading: Reading, row: Candidate, concluded: bool) -> list[Candidate]:
    """The user's sentences in the exchange after a row's, if they are short, of the same day and go on with it. They do
    if the agent was at work and had not `concluded`, or if the user assents, points back ("fix it") or repeats a
    word."""
    said = reading.said_next(row)
    short = sum(len(one.terms) for one in said) <= _GOES_ON and all(one.day == row.day for one in said)
    before = frozenset[str]().union(*(one.terms for one in reading.said if one.exchange == row.exchange))
    at_work = row.exchange in reading.context.worked and not concluded
    goes_on = at_work or any(_BACK.search(one.text) or one.terms & before for one in said)
    return said if short and goes_on else []


def _answers(reading: Reading, row: Candidate) -> bool:
    """Whether a sentence holds what is asked for. Words for reasons ("since") prove none."""
    return reading.want.point != "reason" and abstain.holds_point(reading.want.point, row.text)


def _conclusion(reading: Reading, exchange: int) -> list[Candidate]:
    """The assistant's sentence in an exchange that has most of the question, if any says enough."""
    return _fullest(reading, exchange, lambda one: len(one.terms) >= _SAYS or _answers(reading, one))


def _fullest(reading: Reading, exchange: int, tells: Callable[[Candidate], bool]) -> list[Candidate]:
    """Of the assistant's sentences in an exchange that `tells` accepts, the one with most of the question."""
    said = [one for one in reading.answers if one.exchange == exchange and tells(one)]
    return sorted(said, key=lambda one: -worth.carried(one.terms, reading.weight))[:1]


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
_OF_ME = re.compile(r"\b(?:I|we|my|our)\b|我|\b(?:ich|wir|mein\w*)\b")
_ASKING = re.compile(r"[?？]|\b(?:(?:what|where|who)'?s|how (?:much|many|long))\b", re.IGNORECASE)
