"""Dead letters on their way to the store."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass, field

import pyarrow as pa

from memfold.digest import digest
from memfold.schema import DEAD_LETTERS, DeadLetter
from memfold.store.location import Location
from memfold.store.tables import Keyed, among
from memfold.store.upkeep import erased

LETTERS_A_COMMIT = 1024


def dead_letters(location: Location) -> Keyed:
    """The table of what was rejected."""
    return Keyed(location, "dead_letters", DEAD_LETTERS)


def rows(dead: Iterable[DeadLetter]) -> pa.Table:
    """Dead letters as rows, each named by what it says: the same one again is the same row."""
    named = {digest(x.file, x.place, x.reason, x.raw.hex()): asdict(x) for x in dead}
    return pa.Table.from_pylist([{"letter": name, **row} for name, row in named.items()], schema=DEAD_LETTERS)


@dataclass
class Letters:
    """Takes dead letters in and stores them, many in one commit."""

    table: Keyed
    _waiting: list[DeadLetter] = field(default_factory=list)
    _of: set[str] = field(default_factory=set)

    def add(self, letter: DeadLetter) -> None:
        """Take one in."""
        self._waiting.append(letter)
        if letter.conversation_id is not None:
            self._of.add(letter.conversation_id)
        if len(self._waiting) >= LETTERS_A_COMMIT:
            self.flush()

    def flush(self) -> None:
        """Store all that were taken in."""
        self.table.insert(rows(self._waiting))
        self._waiting.clear()

    def erase(self, gone: Collection[str]) -> None:
        """Store the letters that wait, then erase those of some conversations from every version. `gone` holds the
        digests of the conversations' ids. Their erasure may have run before these letters were stored."""
        self.flush()
        of = [each for each in self._of if digest(each) in gone]
        if of:
            erased(self.table.location, self.table.name, among("conversation_id", of), alone=False)
