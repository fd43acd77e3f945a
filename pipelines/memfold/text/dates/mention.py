"""A date as it stands in a text, and how far around it to look for what belongs to it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

# In characters. No date is longer ("a couple of months ago", "the day before yesterday"), nor what is read beside one.
AROUND = 32
# What is said about a date may stand so far away: its month, or a wish to be reminded.
NEARBY = 300


@dataclass(frozen=True, slots=True)
class Mention:
    """A date in a text: where it stands, how it was written, and its first and last day, which are one where it names
    a day; both None where they are not certain. A `relative` one means nothing without the day it was said; one that
    names a version or a file is none of any day either."""

    start: int
    end: int
    literal: str
    first: date | None
    last: date | None
    relative: bool

    @property
    def day(self) -> date | None:
        """The day it names; None where it names more than one or is not certain."""
        return self.first if self.first == self.last else None

    def overlaps(self, start: int, end: int) -> bool:
        """Whether it shares characters with the stretch from `start` to `end`."""
        return self.start < end and start < self.end
