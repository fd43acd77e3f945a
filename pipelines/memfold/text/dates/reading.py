"""Dates in text: `mentions` one by one, `ranges` with from and to joined."""

from __future__ import annotations

from datetime import date

from memfold.text.dates.chinese import chinese
from memfold.text.dates.joining import in_order, joined
from memfold.text.dates.latin import latin
from memfold.text.dates.mention import Mention


def mentions(text: str, said: date | None) -> list[Mention]:
    """The dates in a text in the order in which they stand, resolved against the day it was `said`, if known."""
    return in_order(text, [*latin(text, said), *chinese(text, said)])


def ranges(text: str, said: date | None) -> list[Mention]:
    """`mentions`, of which those that are one range are `joined`."""
    return joined(text, mentions(text, said))


def untold(text: str, said: date | None) -> bool:
    """Whether a text names a day that cannot be resolved. What it tells then was not on the day it was `said`."""
    return any(found.first is None and not found.relative for found in ranges(text, said))
