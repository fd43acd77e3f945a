"""The layer of passages: what stands in long messages, by stretches of about 600 characters with their terms.

The episodic layer keys an exchange by all that the user said in it and by nothing that the assistant said. Here each
answer, and each long message of the user, is cut where its paragraphs, list items, lines and sentences end, so that
what stands deep inside one can be found and shown. What a tool returned is cut where its records end, and each passage
of it has the terms of its head too: of the call, and of the first line, which names the columns of a table. Rows hold
where a passage stands; its text is read from `messages`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from memfold.given import check_least
from memfold.layers.layer import Leaves, Span, Tools, leaves_of, messages
from memfold.schema import USERS, StoredMessage, required
from memfold.text.machine import readable
from memfold.text.terms import hashes
from memfold.text.units import joined, units

# To be raised when the same messages give other rows.
VERSION = "passages-7"

TABLE = pa.schema(
    [
        required("segment", pa.string()),
        required("conversation_id", pa.string()),
        required("exchange_id", pa.int64()),
        required("message_id", pa.string()),
        required("role", pa.string()),
        # Where the passage stands in the message's text (`StoredMessage.text`), in characters.
        required("start", pa.int32()),
        required("end", pa.int32()),
        # The distinct terms' hashes, ascending as numbers without a sign, and how often each occurs. Signed, since
        # Lance's filters cannot read tables with unsigned columns.
        required("terms", pa.list_(pa.int32())),
        required("counts", pa.list_(pa.int16())),
    ]
)

# A message, where in its text a passage stands, and the words by which that is found.
Passage = tuple[StoredMessage, int, int, str]

# Characters of a tool's output that head all of it.
HEAD = 160
# Where one record of a list ends and the next begins.
_BETWEEN = re.compile(r"(?<=\})\s*+(?:,\s*+)?(?=\{)")


@dataclass(frozen=True)
class Passages(Leaves):
    """The layer (`memfold.layers.layer.Layer`) and its settings: a passage has about `characters`, and messages of the
    user are cut from `user` characters up; shorter ones are keys of their exchange as they stand."""

    characters: int = 600
    user: int = 1_200

    name = "passages"
    table = TABLE
    reads = ("messages",)

    def __post_init__(self) -> None:
        check_least(self, characters=100, user=0)

    @property
    def version(self) -> str:
        """See `Layer`."""
        return f"{VERSION}:{self.characters}:{self.user}"

    def equip(self, tools: Tools) -> Passages:
        """The layer itself: it needs nothing but rows."""
        return self

    def leaves(self, spans: Sequence[Span]) -> Sequence[pa.Table]:
        """The passages of some segments' messages."""
        found = [list(self._passages(span.once(messages))) for span in spans]
        return leaves_of(spans, found, _columns([each for of in found for each in of]), TABLE)

    def _passages(self, said: Iterable[StoredMessage]) -> Iterator[Passage]:
        for each in said:
            if each.current:
                text = each.text
                if each.role == "tool":
                    head = readable(text[:HEAD].partition("\n")[0])
                    for start, end in records(text, self.characters):
                        words = readable(text[start:end])
                        yield each, start, end, f"{head}\n{words}" if start else words
                elif each.role not in USERS or len(text) >= self.user:
                    for start, end in cut(text, self.characters):
                        yield each, start, end, text[start:end]


def _columns(passages: Sequence[Passage]) -> dict[str, Any]:
    """The columns of `TABLE` but for the segment."""
    bags = [hashes(text) for *_, text in passages]
    owner = np.repeat(np.arange(len(bags), dtype=np.uint64), [len(bag) for bag in bags])
    keys = (owner << np.uint64(32)) | np.concatenate([np.empty(0, np.uint32), *bags])
    distinct, counts = np.unique(keys, return_counts=True)
    starts = np.searchsorted(distinct, np.arange(len(bags) + 1, dtype=np.uint64) << np.uint64(32))
    offsets = pa.array(starts, pa.int32())
    terms = pa.array(distinct.astype(np.uint32).view(np.int32))
    held = pa.array(np.minimum(counts, np.iinfo(np.int16).max).astype(np.int16))
    return {
        "conversation_id": [each.conversation_id for each, *_ in passages],
        "exchange_id": [each.exchange_id for each, *_ in passages],
        "message_id": [each.message_id for each, *_ in passages],
        "role": [each.role for each, *_ in passages],
        "start": [start for _, start, _, _ in passages],
        "end": [end for _, _, end, _ in passages],
        "terms": pa.ListArray.from_arrays(offsets, terms),
        "counts": pa.ListArray.from_arrays(offsets, held),
    }


def records(text: str, characters: int) -> list[tuple[int, int]]:
    """The same of what a tool returned, without what stands between two records."""
    places: list[tuple[int, int]] = []
    begin = 0
    for end in [*(match.start() for match in _BETWEEN.finditer(text)), len(text)]:
        part = text[begin:end]
        bare = part.lstrip(" \t\n,")
        begin = end - len(bare)
        fits = len(bare) <= characters and (len(places) > 0 or end < len(text))
        places += (
            [(begin, end)] * bool(bare)
            if fits
            else [(begin + a, begin + b) for a, b in cut(bare, characters)]
        )
        begin = end
    return list(joined(places, characters))


def cut(text: str, characters: int) -> list[tuple[int, int]]:
    """`text` as passages (start, end) of at most `characters`, in order, that together hold all but white space."""
    return list(joined(units(text, characters), characters))
