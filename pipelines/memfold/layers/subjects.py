"""The layer of subjects: the scratchpad's items one by one, by what they are about and by their words.

The scratchpad's root has room for 30,000 tokens, of 8,301 exchanges 3.6 each, and an item that gave way on the way up
is in a leaf that no question leads to unless the search ranks its exchange first. Here every item of a leaf is a row
with its subject's keys and its terms' hashes, so that a question is led to it by its own words, and what is about one
subject is found together: the newest and what it replaced, both sides of a contradiction. Rows are made of the leaves
alone, so nothing is folded here (`memfold.retrieve.subjects` does when it reads). No model is asked.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, islice

import numpy as np
import pyarrow as pa

from memfold.layers.layer import Leaves, Parts, Span, Tools, extractions, leaves_of
from memfold.layers.scratchpad.items import FOLDED_ITEM, Item
from memfold.layers.scratchpad.subjects import known
from memfold.layers.scratchpad.tree import parse
from memfold.schema import required
from memfold.text.language import language
from memfold.text.sentences import sentences
from memfold.text.terms import run_hashes, runs

# To be raised when the same leaves give other rows.
VERSION = "subjects-7"

TABLE = pa.schema(
    [
        required("segment", pa.string()),
        required("conversation_id", pa.string()),
        *FOLDED_ITEM,
        # The hashes of its subjects' keys, the attribute's last: of two items that share one, the later may take the
        # earlier's place. Two keys with one hash cost a look, since who reads compares the keys.
        required("keys", pa.list_(pa.int32())),
        # The distinct terms of what it says, what it is about and of whom, hashed. Signed, since Lance's filters
        # cannot read tables with unsigned columns.
        required("terms", pa.list_(pa.int32())),
    ]
)
ITEM_COLUMNS = [field.name for field in FOLDED_ITEM]


@dataclass(frozen=True)
class Subjects(Leaves):
    """The layer (`memfold.layers.layer.Layer`): leaves only. It has no settings."""

    name = "subjects"
    table = TABLE
    reads = ("extractions", "scratchpad")
    version = VERSION

    def equip(self, tools: Tools) -> Subjects:
        """The layer itself: it needs nothing."""
        return self

    def leaves(self, spans: Sequence[Span]) -> Sequence[pa.Table]:
        """The items of each segment's leaf, in the order they were said."""
        found = _items(spans)
        whole = [row for each in found for row in each]
        columns = {name: [getattr(item, name) for _, item, _ in whole] for name in ITEM_COLUMNS}
        columns["conversation_id"] = [conversation for conversation, _, _ in whole]
        columns["keys"] = _lists(keys(item) for _, item, _ in whole)
        columns["terms"] = _lists(sorted(words(item, summary)) for _, item, summary in whole)
        return leaves_of(spans, found, columns, TABLE)


def _items(spans: Sequence[Span]) -> list[list[tuple[str, Item, str]]]:
    """The items of each segment's leaf, each with its conversation and its exchange's summary."""
    leaves = [span.rows["scratchpad"] for span in spans]
    # Parsed as one table: one of its own took each leaf 50 us.
    nodes = iter(parse(Parts.of(leaves).rows))
    found = []
    for span, leaf in zip(spans, leaves, strict=True):
        summaries = {row["exchange_id"]: row["summary"] for row in span.once(extractions)}
        found.append(
            [
                (node.conversation_id, item, summaries.get(item.exchange_id, ""))
                for node in islice(nodes, leaf.num_rows)
                for item in node.items
            ]
        )
    return found


def keys(item: Item) -> list[int]:
    """The hashes of an item's subjects, the attribute's last."""
    about = known(item.kind, item.about, item.entity, item.text)
    return [zlib.crc32("\0".join(key).encode("utf-8", "surrogatepass")) for key in about]


def words(item: Item, summary: str) -> set[int]:
    """The hashes of an item's terms, with those of the words around a value: who wrote "deadline = May 5" may have said
    of what in the summary alone."""
    said = f"{item.about or ''} {item.entity or ''} {item.text}"
    value = item.text.partition(" = ")[2]
    if item.kind == "fact" and value and value in summary:
        said += " " + next((one for one in sentences(summary, language(summary)) if value in one), "")
    return {number for run in runs(said) for number in run_hashes(run)}


def _lists(of: Iterable[list[int]]) -> pa.ListArray:
    """Numbers without a sign as lists of those with one that have their bits."""
    lists = list(of)
    ends = np.cumsum([0, *map(len, lists)])
    flat = np.fromiter(chain.from_iterable(lists), np.uint32, int(ends[-1]))
    return pa.ListArray.from_arrays(pa.array(ends, pa.int32()), pa.array(flat.view(np.int32)))
