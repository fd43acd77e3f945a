"""Beliefs: what the user thinks of things, aspect by aspect, updated by every sentiment noted (arXiv 2510.27418).

A leaf holds a segment's observations added up by key, a node what the nodes below it hold added up (`units`), and each
row what becomes of its unit in the span of its node (`settle`), so the root is the conversation's beliefs with a log of
what was merged and dropped, and why. Evidence are notes with a polarity, an object (`about`) and the user as speaker,
in words of their own: a review that they quote or paste is what somebody else thinks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import pyarrow as pa

from memfold.embed.contract import Embedder, Vectors
from memfold.layers.beliefs.settle import Bounds, Fate, settle
from memfold.layers.beliefs.units import ONE, Key, Statement, Sums, added, observed
from memfold.layers.layer import Group, Parts, Span, Tools, column, encoded, notes
from memfold.layers.orders import heard
from memfold.schema import INSTANT, JUDGING, required, vectors_of
from memfold.text.aspects import aspect, bare, kind
from memfold.text.terms import has_terms

# To be raised when rows of the same messages and notes come out otherwise.
VERSION = "beliefs-10"
FAN = 16

# What counts of a note that does not say how strong it is: a model writes a sentiment where it is told.
STRENGTH = 0.8
NAME = 80
# "Worried that the tests might fail" has no object: a thing has a short name without a verb, and is no pronoun.
WORDS = 5
_CLAUSE = re.compile(
    r"\b(?:is|are|was|were|will|would|might|may|could|can|should|did|do|does|have|has|not|i|i'm|we|you|it|they|them|me"
    r"|how|why|what|myself)\b"
)

# In the order of `memfold.layers.beliefs.units.Statement`.
STATEMENT = pa.struct(
    [
        required("exchange_id", pa.int64()),
        required("n", pa.int32()),
        required("text", pa.string()),
        required("polarity", pa.int32()),
        required("strength", pa.int32()),
        pa.field("reason", pa.string()),
        pa.field("time", INSTANT),
    ]
)


@dataclass(frozen=True)
class Beliefs(Bounds):
    """The layer's settings (`memfold.layers.beliefs.settle.Bounds`)."""

    def equip(self, tools: Tools) -> BeliefRows:
        """The layer with its embedder."""
        return BeliefRows(tools.embedder, Bounds(**asdict(self)))


@dataclass(frozen=True)
class BeliefRows:
    """The layer (`memfold.layers.layer.Layer`)."""

    embedder: Embedder
    bounds: Bounds

    name = "beliefs"
    reads = ("messages", "notes")
    fan = FAN
    by_exchange = False

    @cached_property
    def version(self) -> str:
        """See `Layer`."""
        return f"{VERSION}:{self.embedder.signature}:{self.bounds}"

    @property
    def table(self) -> pa.Schema:
        """See `Layer`."""
        return schema(self.embedder.dimension)

    def leaves(self, spans: Sequence[Span]) -> Sequence[pa.Table]:
        """Each segment's observations, added up by key; all names go to the embedder together."""
        held = [dict(_summed(observations(span))) for span in spans]
        vectors = encoded(
            self.embedder, (f"{key.object} {key.aspect}".strip() for each in held for key in each)
        )
        whose = [next((note["conversation_id"] for note in span.once(notes)), "") for span in spans]
        names = [span.name for span in spans]
        return self._rows(list(zip(names, whose, strict=True)), held, vectors)

    def nodes(self, groups: Sequence[Group]) -> Sequence[pa.Table]:
        """Each group's units, added up by key."""
        return [each for group in groups for each in self._node(group)]

    def _node(self, group: Group) -> Sequence[pa.Table]:
        rows = pa.concat_tables(group.children)
        parts = list(parse(rows))
        held = dict(_summed((key, sums) for key, sums, _ in parts))
        # One name has one vector, whichever child it comes from.
        place = {key: row for row, (key, _, _) in enumerate(parts)}
        vectors = vectors_of(rows)[[place[key] for key in held]]
        return self._rows([(group.name, _conversation(rows))], [held], vectors)

    def _rows(
        self,
        of: Sequence[tuple[str, str]],
        units: Sequence[Mapping[Key, Sums]],
        vectors: Vectors,
    ) -> Sequence[pa.Table]:
        """The tables of some parts, each of a name and a conversation; `vectors` are those of all their units."""
        made = []
        for (segment, conversation_id), held in zip(of, units, strict=True):
            fates = settle(held, self.bounds) if held else {}
            made += [
                {"segment": segment, "conversation_id": conversation_id}
                | asdict(key)
                | asdict(sums)
                | {"millibits": sums.millibits}
                | asdict(fates[key])
                for key, sums in held.items()
            ]
        table = self.table
        plain = pa.schema([field for field in table if field.name != "vector"])
        rows = pa.Table.from_pylist(made, schema=plain).append_column(table.field("vector"), column(vectors))
        return Parts(rows, map(len, units))


def schema(dimension: int) -> pa.Schema:
    """One row a unit; (segment, type, object, aspect) is its key. `pos`, `neg`, `neu` and `weight` are the sums of
    `memfold.layers.beliefs.units.Sums`, `millibits` the entropy; `state`, `into` and `why` what became of the unit;
    `vector` is of the object's name and the aspect."""
    return pa.schema(
        [
            required("segment", pa.string()),
            required("conversation_id", pa.string()),
            required("type", pa.string()),
            required("object", pa.string()),
            required("aspect", pa.string()),
            *(required(name, pa.int64()) for name in ("pos", "neg", "neu", "weight", "observations")),
            required("first_exchange", pa.int64()),
            required("last_exchange", pa.int64()),
            required("evidence", pa.list_(STATEMENT)),
            required("millibits", pa.int32()),
            required("state", pa.string()),
            pa.field("into", pa.string()),
            pa.field("why", pa.string()),
            required("vector", pa.list_(pa.float32(), dimension)),
        ]
    )


def observations(span: Span) -> Iterator[tuple[Key, Sums]]:
    """What the notes of a segment say of things in the user's own words, one an observation."""
    noted = [(bare(row["about"] or "")[:NAME].strip(), row) for row in span.once(notes) if _judges(row)]
    for name, row in noted:
        # "I like it" has no terms: whose it is, is told by the thing's name.
        if not _thing(name) or not span.once(heard)(row["exchange_id"]).says(
            row["text"] if has_terms(row["text"]) else name
        ):
            continue
        strength = STRENGTH if row["strength"] is None else row["strength"]
        said = Statement(
            row["exchange_id"],
            row["n"],
            row["text"],
            round(ONE * row["polarity"]),
            max(1, round(ONE * strength)),
            row["reason"],
            row["time"],
        )
        yield Key(kind(name), name, aspect(row["aspect"])[:NAME]), observed(said)


def _judges(note: Mapping[str, Any]) -> bool:
    return note["kind"] in JUDGING and note["polarity"] is not None and note["said_by"] in (None, "user")


def _thing(name: str) -> bool:
    return 0 < len(name.split()) <= WORDS and not _CLAUSE.search(name)


def parse(rows: pa.Table) -> Iterator[tuple[Key, Sums, Fate]]:
    """Stored rows as units and what became of them."""
    names = (*_KEY, *_SUMS, *_FATE)
    columns = [rows[name].to_pylist() for name in names]
    keys, sums = len(_KEY), len(_KEY) + len(_SUMS)
    for row, evidence in zip(zip(*columns, strict=True), _evidence(rows), strict=True):
        held = dict(zip(_SUMS, row[keys:sums], strict=True))
        yield Key(*row[:keys]), Sums(**held, evidence=evidence), Fate(*row[sums:])


_KEY = ("type", "object", "aspect")
_SUMS = ("pos", "neg", "neu", "weight", "observations", "first_exchange", "last_exchange")
_FATE = ("state", "into", "why")


def _evidence(rows: pa.Table) -> Iterator[tuple[Statement, ...]]:
    """The statements of each row; by columns, which takes a third of the time of reading structs."""
    lists = rows["evidence"].combine_chunks()
    flat = lists.flatten()
    said = [
        Statement(*one)
        for one in zip(*(flat.field(n).to_pylist() for n in range(len(STATEMENT))), strict=True)
    ]
    at = 0
    for size in lists.value_lengths().to_pylist():
        yield tuple(said[at : at + size])
        at += size


def _summed(parts: Iterable[tuple[Key, Sums]]) -> Iterator[tuple[Key, Sums]]:
    by_key: dict[Key, list[Sums]] = {}
    for key, sums in parts:
        by_key.setdefault(key, []).append(sums)
    for key in sorted(by_key):
        yield key, added(by_key[key])


def _conversation(rows: pa.Table) -> str:
    return str(rows["conversation_id"][0].as_py()) if rows.num_rows else ""
