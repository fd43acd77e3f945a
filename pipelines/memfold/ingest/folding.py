"""From rows of `FLOW` in their order to rows of the table `ingested`: what came twice or was erased, and a number each.

Knows neither where the rows come from nor where they go.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from memfold.digest import digest
from memfold.ingest.called import WORDS, Called, compared
from memfold.ingest.lake import FLOW
from memfold.ingest.normalise import SHOWN
from memfold.ingest.rejecting import kind_of, unquoting
from memfold.ingest.staged import STAGED
from memfold.schema import BLANK, INSTANT, RAW_BYTES
from memfold.store.erase import digests

TWICE = "delivered twice: no id, same place, same words"
_OF_MESSAGES = tuple(
    each for each in STAGED.names if each not in ("conversation_id", "file", "place", "reason", "raw")
)


@dataclass
class Folding:
    """Turns rows of `FLOW`, sorted by conversation and place, into rows of `STAGED`, a batch at a time; counts them.

    What is at one place and says the same without an id was delivered twice: a dead letter. Of conversations and
    messages that are `erased` (digests, as in receipts) nothing is kept but the messages' places. The dead letters of
    conversations that are `amended`, of which messages were erased, may hold those messages' words: they have none.
    """

    erased: frozenset[str] = frozenset()
    amended: frozenset[str] = frozenset()
    messages: int = 0
    conversations: int = 0
    erased_before: int = 0
    untimed: int = 0
    shown: list[str] = field(default_factory=list)
    letters: Counter[str] = field(default_factory=Counter)
    _of: str | None = None
    _left_out: bool = False
    _amended: bool = False
    _met: dict[tuple[Any, ...], bool] = field(default_factory=dict)
    _seq: int = 0
    _names: Called = field(default_factory=Called)

    def over(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """The rows, batch by batch."""
        for batch in batches:
            if batch.num_rows:
                yield self._folded(batch)

    def _folded(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        keys = ("untimed", "conversation_id", "reason", "message_id", "row", "major", "minor", "said")
        kept: list[bool] = []
        seqs: list[int | None] = []
        twice: list[bool] = []
        blank: list[bool] = []
        wordless: list[bool] = []
        for row, (unread, of, reason, called, listed, *place) in enumerate(
            zip(*(batch.column(key).to_pylist() for key in keys), strict=True)
        ):
            if of != self._of:
                self._of, self._met, self._seq, self._names = of, {}, 0, Called()
                named = digests(of) if of is not None and (self.erased or self.amended) else set()
                self._left_out, self._amended = bool(named & self.erased), bool(named & self.amended)
                self.erased_before += self._left_out
            kept.append(not self._left_out)
            met = tuple(place)
            # Copies of one row stand side by side, those of one list in other rows of lists.
            if listed is None and met not in self._met:
                self._met = {}
            again = reason is None and called is None and met in self._met
            twice.append(again)
            # The second copy of an erased message says what the first did.
            blank.append(again and self._met[met])
            wordless.append(self._amended and (reason is not None or again))
            if reason is not None or again or self._left_out:
                seqs.append(None)
                if not self._left_out:
                    self.letters[kind_of(reason or TWICE)] += 1
                continue
            seqs.append(self._seq)
            if self.erased:
                blank[-1] = bool(digests(of, self._name(called, batch, row)) & self.erased)
            if called is None:
                self._met[met] = blank[-1]
            self.conversations += self._seq == 0
            self.messages += 1
            self._seq += 1
            if unread is not None:
                self.untimed += 1
                self.shown += [unread] if len(self.shown) < SHOWN else []
        columns = {each: batch.column(each) for each in FLOW.names}
        columns["seq"] = pa.array(seqs, pa.int64())
        columns["time"] = columns["time"].cast(pa.timestamp("us")).cast(INSTANT)
        if any(blank):
            columns = _blanked(columns, pa.array(blank))
        if any(twice):
            columns = _rejected(columns, pa.array(twice))
        if any(wordless):
            columns = _wordless(columns, wordless)
        made = pa.RecordBatch.from_arrays(
            [columns[each].cast(t) for each, t in zip(STAGED.names, STAGED.types, strict=True)], schema=STAGED
        )
        return made if all(kept) else made.filter(pa.array(kept))

    def _name(self, called: str | None, batch: pa.RecordBatch, row: int) -> str:
        """The id that an index job will give the message (`memfold.run.reconcile.identify`)."""
        if called is None:
            name, _ = self._names.of(str(self._seq), None)
        else:
            words = compared(*(batch.column(each)[row].as_py() for each in WORDS))
            name, _ = self._names.of(called, digest(*words))
        return name


def _blanked(columns: dict[str, pa.Array], which: pa.Array) -> dict[str, pa.Array]:
    """Nothing of what some messages said, as an index job leaves of an erased one."""
    return columns | {
        each: pc.if_else(which, pa.scalar(value, columns[each].type), columns[each])
        for each, value in BLANK.items()
    }


def _rejected(columns: dict[str, pa.Array], which: pa.Array) -> dict[str, pa.Array]:
    """Some messages as the dead letters of what came twice."""
    words = columns["content"].cast(pa.binary())
    place = pc.binary_join_element_wise("conversation ", columns["conversation_id"], "")
    made = {
        "raw": pc.binary_slice(words, 0, RAW_BYTES),
        "reason": pa.scalar(TWICE),
        "file": pa.scalar(""),
        "place": place,
    }
    kept = {each: pc.if_else(which, value, columns[each]) for each, value in made.items()}
    gone = {
        each: pc.if_else(which, pa.scalar(None, columns[each].type), columns[each]) for each in _OF_MESSAGES
    }
    return {**columns, **gone, **kept}


def _wordless(columns: dict[str, pa.Array], which: list[bool]) -> dict[str, pa.Array]:
    """Some dead letters without words, as an index job files them."""
    reasons = zip(which, columns["reason"].to_pylist(), strict=True)
    return columns | {
        "raw": pc.if_else(pa.array(which), pa.scalar(b""), columns["raw"]),
        "reason": pa.array([unquoting(said) if one else said for one, said in reasons], pa.string()),
    }
