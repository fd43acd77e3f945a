"""Dead letters on their way to the store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from memfold.digest import digest
from memfold.ingest.rejecting import unquoting
from memfold.schema import DEAD_LETTERS, DeadLetter
from memfold.store.attempts import retried
from memfold.store.location import Location
from memfold.store.tables import Keyed, among, opened
from memfold.store.upkeep import erased

LETTERS_A_COMMIT = 1024
NAME = "dead_letters"
# A table that was made before this was kept lacks it, until a job files letters there.
SEEN = DEAD_LETTERS.field("seen_at")


def dead_letters(location: Location) -> Keyed:
    """The table of what was rejected, with the columns that it has."""
    place = DEAD_LETTERS.get_field_index(SEEN.name)
    old = _without_time(location) is not None
    return Keyed(location, NAME, DEAD_LETTERS.remove(place) if old else DEAD_LETTERS)


def _without_time(location: Location) -> Any | None:
    """The table as a Lance dataset if it lacks that column."""
    dataset = opened(location, NAME)
    return None if dataset is None or SEEN.name in dataset.schema.names else dataset


def _with_time(location: Location) -> Keyed:
    """The table with all columns. Adding one writes no row."""

    def add() -> None:
        if (dataset := _without_time(location)) is not None:
            dataset.add_columns(SEEN)

    retried(add, location.uri(NAME))
    return Keyed(location, NAME, DEAD_LETTERS)


def rows(dead: Iterable[tuple[DeadLetter, int]], seen_at: datetime | None) -> pa.Table:
    """Dead letters as rows, each named by what it says and its number among those that say the same: the same one again
    is the same row."""
    named = {
        digest(x.conversation_id, x.file, x.place, x.reason, x.raw.hex(), number): asdict(x)
        for x, number in dead
    }
    made = [{"letter": name, **row, SEEN.name: seen_at} for name, row in named.items()]
    return pa.Table.from_pylist(made, schema=DEAD_LETTERS)


def wordless(letter: DeadLetter) -> DeadLetter:
    """A letter without its first bytes and without what its reason quotes. Once a message of its conversation was
    erased, these may be that message's words."""
    return replace(letter, raw=b"", reason=unquoting(letter.reason))


def without_words(location: Location, conversation_id: str, answered: Collection[str]) -> list[str]:
    """Store a conversation's letters again, `wordless`, each with the time at which it was last seen. Letters about
    `answered` places are not stored again. Returns the names of the rows to delete. A letter that a job files later is
    not among them: that job takes care of it (`Letters.erase`)."""
    found = dead_letters(location).read(where=pc.field("conversation_id") == conversation_id).to_pylist()
    of = [field.name for field in fields(DeadLetter)]
    left = [row for row in found if row["place"] not in answered]
    made = (rows([(wordless(DeadLetter(*map(row.get, of))), 1)], row.get(SEEN.name)) for row in left)
    named = {each["letter"][0].as_py(): each for each in made}  # without their words two may be one
    if named:
        _with_time(location).put(pa.concat_tables(named.values()), SEEN.name)
    return [row["letter"] for row in found if row["letter"] not in named]


@dataclass
class Letters:
    """Takes the dead letters of a job in and stores them, many in one commit. All are seen when the job begins."""

    table: Keyed
    began: datetime = field(default_factory=lambda: datetime.now(UTC))
    _waiting: list[tuple[DeadLetter, int]] = field(default_factory=list)
    _of: set[str] = field(default_factory=set)
    _met: Counter[int] = field(default_factory=Counter)  # by hash: a letter has up to 4 kB

    def add(self, letter: DeadLetter, *, read: bool = False) -> None:
        """Take one in. One that was `read` may say what others do and is kept beside them: of a lake's lines nobody
        knows the numbers. Others are taken in again if a conversation is planned again, and are the same."""
        number = 1
        if read:
            self._met[hash(letter)] += 1
            number = self._met[hash(letter)]
        self._waiting.append((letter, number))
        if letter.conversation_id is not None:
            self._of.add(letter.conversation_id)
        if len(self._waiting) >= LETTERS_A_COMMIT:
            self.flush()

    def flush(self) -> None:
        """Store all that were taken in. Of those that are stored already this job is the one that met them last, unless
        one that began later met them too."""
        if self._waiting:
            _with_time(self.table.location).put(rows(self._waiting, self.began), SEEN.name)
        self._waiting.clear()

    def erase(self, since_begun: Callable[[], tuple[Mapping[str, datetime], Collection[str]]]) -> None:
        """Store the letters that wait, because an erasure may have run before that. Then apply what was erased
        `since_begun` (`Forgotten.since_begun`) to every version. If a conversation was erased, this removes this job's
        letters about it, and letters that were last met by a job that began before the erasure. If only messages were
        erased, it removes the words from all letters about their conversation."""
        self.flush()
        gone, amended = since_begun()
        location = self.table.location
        worded = [
            name for of in self._of if digest(of) in amended for name in without_words(location, of, ())
        ]
        whole = {of: gone[digest(of)] for of in self._of if digest(of) in gone}
        if whole:
            # A job that began later indexed the conversation anew, and its letters stay. Clocks may differ. The rows
            # are named: of a condition with 20 pairs of conversation and time Lance makes nothing in 46 s.
            met = dead_letters(location).read(
                ["letter", "conversation_id", SEEN.name], among("conversation_id", whole)
            )
            worded += [
                row["letter"]
                for row in met.to_pylist()
                if (seen := row[SEEN.name]) == self.began or (seen and seen <= whole[row["conversation_id"]])
            ]
        if worded:
            erased(location, self.table.name, among("letter", worded), alone=False)
