"""Probes asked in a language that the conversation is not in. The banks say the same things in the same order, so a
question is found in the other bank by its place.

Only questions cross: answers and rubrics stay in the language of the conversation, whose values they quote.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, product
from typing import Protocol

from memfold.evaluate.synthetic.bank import Bank
from memfold.evaluate.synthetic.plan import STEPS, Thread


def asked_in(other: Bank, bank: Bank, thread: Thread) -> str:
    """The question of a thread of `bank`, in the words of `other`."""
    e, n = thread.venture.name, str(STEPS)
    place = [ask.format(e=e, n=n) for ask in _questions(bank)].index(thread.question)
    return _questions(other)[place].format(e=_names(other)[_names(bank).index(e)], n=n)


def _questions(bank: Bank) -> list[str]:
    """All questions there are, in the order in which every bank has them."""
    planted: Iterator[_Planted] = chain(
        bank.exclusions,
        bank.claims,
        bank.tallies,
        bank.spans,
        bank.orderings,
        bank.moods,
        bank.orders,
        bank.tastes,
    )
    return [*(ask for attribute in bank.attributes for ask in attribute.ask), *(one.ask for one in planted)]


class _Planted(Protocol):
    """What is asked about in one way."""

    @property
    def ask(self) -> str: ...


def _names(bank: Bank) -> list[str]:
    """All names that a venture may have, likewise."""
    return [bank.name.format(place=place, noun=noun) for place, noun in product(bank.places, bank.nouns)]
