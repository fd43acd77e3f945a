"""Dead letters on their way to the store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from memfold.digest import digest
from memfold.ingest.records import plain
from memfold.schema import DEAD_LETTERS, DeadLetter
from memfold.store.location import Location
from memfold.store.tables import Keyed, among, opened, retried
from memfold.store.upkeep import erased

LETTERS_A_COMMIT = 1024
_NOT_KEPT = (
    "its words are not kept, since messages of this conversation were erased (erased=skip leaves those out)"
)
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

    retried(add)
    return Keyed(location, NAME, DEAD_LETTERS)


def rows(dead: Iterable[DeadLetter], seen_at: datetime | None, met: Counter[str] | None = None) -> pa.Table:
    """Dead letters as rows, each named by what it says: the same one again is the same row. Without its first bytes one
    may say what another does, as those of a lake's lines do, whose numbers nobody knows. So where `met` counts such
    letters, the second has a name of its own."""
    named: dict[str, dict[str, Any]] = {}
    for x in dead:
        name = digest(x.file, x.place, x.reason, x.raw.hex())
        if met is not None and not x.raw:
            met[name] += 1
            name = name if met[name] == 1 else digest(name, met[name])
        named[name] = asdict(x)
    made = [{"letter": name, **row, SEEN.name: seen_at} for name, row in named.items()]
    return pa.Table.from_pylist(made, schema=DEAD_LETTERS)


def wordless(letter: DeadLetter) -> DeadLetter:
    """A letter without its first bytes and without what its reason quotes. Once a message of its conversation was
    erased, these may be that message's words."""
    reason = plain(letter.reason.removesuffix(f"; {_NOT_KEPT}"))
    return replace(letter, raw=b"", reason=f"{reason}; {_NOT_KEPT}")


def without_words(location: Location, conversation_id: str, answered: Collection[str]) -> list[str]:
    """Store a conversation's letters again, `wordless`, each with the time at which it was last seen. Letters about
    `answered` places are not stored again. Returns the names of the rows to delete. A letter that a job files later is
    not among them: that job takes care of it (`Letters.erase`)."""
    found = dead_letters(location).read(where=pc.field("conversation_id") == conversation_id).to_pylist()
    of = [field.name for field in fields(DeadLetter)]
    left = [row for row in found if row["place"] not in answered]
    made = (rows([wordless(DeadLetter(*map(row.get, of)))], row.get(SEEN.name)) for row in left)
    named = {each["letter"][0].as_py(): each for each in made}  # without their words two may be one
    if named:
        _with_time(location).put(pa.concat_tables(named.values()), SEEN.name)
    return [row["letter"] for row in found if row["letter"] not in named]


@dataclass
class Letters:
    """Takes the dead letters of a job in and stores them, many in one commit. All are seen when the job begins."""

    table: Keyed
    began: datetime = field(default_factory=lambda: datetime.now(UTC))
    _waiting: list[DeadLetter] = field(default_factory=list)
    _of: set[str] = field(default_factory=set)
    _met: Counter[str] = field(default_factory=Counter)

    def add(self, letter: DeadLetter) -> None:
        """Take one in."""
        self._waiting.append(letter)
        if letter.conversation_id is not None:
            self._of.add(letter.conversation_id)
        if len(self._waiting) >= LETTERS_A_COMMIT:
            self.flush()

    def flush(self) -> None:
        """Store all that were taken in. Of those that are stored already this job is the one that met them last, unless
        one that began later met them too."""
        if self._waiting:
            _with_time(self.table.location).put(rows(self._waiting, self.began, self._met), SEEN.name)
        self._waiting.clear()

    def erase(self, gone: Mapping[str, datetime], amended: Collection[str]) -> None:
        """Store the letters that wait. Then remove from every version the letters about conversations that are `gone`
        and were last met by a job that had begun before the conversation was erased, and the words from all letters
        about conversations that are `amended`, which lost messages. Both hold digests of conversation ids, `gone` with
        the times. An erasure may have run before these letters were stored."""
        self.flush()
        location = self.table.location
        worded = [
            name for of in self._of if digest(of) in amended for name in without_words(location, of, ())
        ]
        where = among("letter", worded)
        for of, when in ((of, gone[digest(of)]) for of in self._of if digest(of) in gone):
            # A job that began later indexed the conversation anew, and its letters stay.
            before = pc.field(SEEN.name) <= pa.scalar(when, SEEN.type)
            where |= (pc.field("conversation_id") == of) & before
        if not gone.keys().isdisjoint(map(digest, self._of)) or worded:
            erased(location, self.table.name, where, alone=False)
