"""Conversations made up on the spot: of any length, with planted truths and probes about them.

The same parameters give the same bytes on every machine, a longer conversation begins with the shorter,
and only the planted truths still in the air are held in memory. Made of our own sentences (`phrases_en`,
`phrases_zh`). It is a test bed for scale, faults and accounting, and a first look at recall; it is no
stand-in for people talking.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from memfold.errors import UserError
from memfold.evaluate.probe import ABILITIES, Probe
from memfold.evaluate.synthetic import phrases_en, phrases_zh
from memfold.evaluate.synthetic.across import asked_in
from memfold.evaluate.synthetic.bank import Bank
from memfold.evaluate.synthetic.plan import Thread, chance, moment, walk
from memfold.evaluate.synthetic.talk import reply, user_text
from memfold.schema import DeadLetter, Message

VERSION = 1  # raise whenever the same parameters give other messages
BANKS: dict[str, Bank] = {bank.language: bank for bank in (phrases_en.BANK, phrases_zh.BANK)}
TOKENS = (1_000, 100_000_000)
SEEDS = (0, 2**63 - 1)
CONVERSATIONS = (1, 10_000)
EACH = (0, 1_000)
SMALLEST, SPREAD = 600, 501  # tokens of an exchange: 600 to 1100, 850 on average
# Characters a Qwen2.5 token in this text, code and tables included: 1M tokens come out within 0.3 %.
CHARACTERS = {"en": 4.44, "zh": 1.436}


def _size(exchange: int) -> int:
    return SMALLEST + exchange * 310 % SPREAD


def _exchanges(tokens: int) -> int:
    """How many exchanges come nearest to `tokens`, one at least."""
    exchanges = total = 0
    while total + _size(exchanges) / 2 <= tokens:
        total += _size(exchanges)
        exchanges += 1
    return max(1, exchanges)


def _checked(name: str, value: object, allowed: tuple[int, int]) -> None:
    if type(value) is not int or not allowed[0] <= value <= allowed[1]:
        raise UserError(
            f"source.{name}={value!r}: allowed is a whole number from {allowed[0]} to {allowed[1]}"
        )


@dataclass(frozen=True)
class Synthetic:
    """`conversations` of about `tokens` Qwen2.5 tokens each; conversation i is in `languages[i % len]`, and its probes
    are in the language `asked`, or in its own where that is empty. `each`: at most so many probes of each ability, 0:
    by the length.

    Raises `UserError` for a parameter out of range.
    """

    tokens: int = 100_000
    seed: int = 0
    conversations: int = 1
    languages: tuple[str, ...] = ("en", "zh")
    asked: str = ""
    each: int = 0

    def __post_init__(self) -> None:
        _checked("tokens", self.tokens, TOKENS)
        _checked("seed", self.seed, SEEDS)
        _checked("conversations", self.conversations, CONVERSATIONS)
        _checked("each", self.each, EACH)
        object.__setattr__(self, "languages", tuple(self.languages))
        if self.asked and self.asked not in BANKS:
            raise UserError(f"source.asked={self.asked!r}: allowed are {', '.join(BANKS)}, or nothing")
        unknown = [language for language in self.languages if language not in BANKS]
        if unknown or not self.languages:
            raise UserError(
                f"source.languages={list(self.languages)}: allowed are one or more of {', '.join(BANKS)}"
            )

    def messages(self) -> Iterator[Message | DeadLetter]:
        """All messages, conversation after conversation. There are no dead letters here."""
        for index in range(self.conversations):
            yield from self._conversation(index)

    def probes(self) -> list[Probe]:
        """About 20 probes at 100K tokens and 10 more for every tenfold, at most 60, for each conversation;
        or `each` of every ability."""
        return [probe for index in range(self.conversations) for probe in self._probes(index)]

    def _names(self, index: int) -> tuple[Bank, str, str]:
        bank = BANKS[self.languages[index % len(self.languages)]]
        name = f"synthetic-{self.seed}-{index}"
        return bank, name, f"{VERSION}:{name}:{bank.language}"

    def _conversation(self, index: int) -> Iterator[Message]:
        bank, name, seed = self._names(index)
        for step in walk(bank, seed, _exchanges(self.tokens)):
            draw = chance(seed, "talk", step.exchange).random
            number, time = moment(step.exchange)
            said = user_text(bank, draw, step)
            characters = int(_size(step.exchange) * CHARACTERS[bank.language]) - len(said)
            session = f"session-{number}"
            yield Message(name, "user", said, str(2 * step.exchange), time, session)
            answer = reply(bank, draw, step, time.date(), characters)
            later = time + timedelta(seconds=31 + step.exchange % 17)
            yield Message(name, "assistant", answer, str(2 * step.exchange + 1), later, session)

    def _probes(self, index: int) -> list[Probe]:
        bank, name, seed = self._names(index)
        wanted = self.each or min(6, 2 + len(str(self.tokens // 100_000)) - 1)
        other = BANKS[self.asked or bank.language]
        # The threads with the smallest hashes: a sample over the whole length that needs no second look.
        kept: dict[str, list[tuple[float, Thread]]] = {ability: [] for ability in ABILITIES}
        for step in walk(bank, seed, _exchanges(self.tokens)):
            if not step.finished:
                continue
            thread = step.thread
            entry = (-chance(seed, "probe", thread.number).random(), thread)
            held = kept[thread.ability]
            if len(held) < wanted:
                heapq.heappush(held, entry)
            elif entry[0] > held[0][0]:
                heapq.heapreplace(held, entry)
        found = []
        for ability in ABILITIES:
            for _, thread in sorted(kept[ability], key=lambda entry: entry[1].number):
                evidence = tuple(str(2 * exchange) for exchange in thread.told)
                found.append(
                    Probe(
                        name,
                        ability,
                        thread.question if other is bank else asked_in(other, bank, thread),
                        thread.answer,
                        thread.rubric,
                        evidence,
                        other.language,
                        f"{name}-{ability}-{thread.number}",
                    )
                )
        return found
