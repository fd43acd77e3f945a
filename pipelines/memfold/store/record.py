"""A conversation's record: what it is made of, as a value and as a row. Knows no other record and no seal."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import pyarrow as pa

from memfold.digest import BYTES
from memfold.schema import INSTANT, required
from memfold.store.part import HASH, PART, Part, column_of, part_of

CONVERSATIONS = pa.schema(
    [
        required("uid", pa.string()),
        required("conversation_id", pa.string()),
        required("removed", pa.bool_()),
        pa.field("title", pa.string()),
        required("messages", pa.int64()),
        required("exchanges", pa.int64()),
        required("tokens", pa.int64()),
        pa.field("first_time", INSTANT),
        pa.field("last_time", INSTANT),
        required("rejected", pa.int64()),
        required("said", HASH),
        required("recipe", HASH),
        required(
            "layers", pa.list_(pa.struct([required("layer", pa.string()), required("parts", pa.list_(PART))]))
        ),
        required("content_hash", HASH),
    ]
)

NOTHING = "0" * (2 * BYTES)

PartsByTable = Mapping[str, tuple[Part, ...]]


@dataclass(frozen=True, eq=False)
class LazyParts(Mapping[str, tuple[Part, ...]]):
    """The parts of a stored record by table. The parts of a table are converted to Python values when they are first
    read: a record of 10M tokens has 1,616 parts, of which reading the state needs 130."""

    _held: Mapping[str, pa.ListScalar]
    _known: dict[str, tuple[Part, ...]] = field(default_factory=dict)

    @staticmethod
    def of(layers: pa.ListScalar) -> LazyParts:
        """From the column `layers` of a row."""
        each = layers.values
        names = each.field("layer").to_pylist() if len(each) else []
        return LazyParts({name: each.field("parts")[place] for place, name in enumerate(names)})

    def __getitem__(self, name: str) -> tuple[Part, ...]:
        if name not in self._known:
            # By column: row by row the 130 parts of 10M tokens take three times as long.
            columns = (self._held[name].values.field(each).to_pylist() for each in Part._fields)
            self._known[name] = tuple(map(part_of, *columns))
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)


@dataclass(frozen=True, slots=True)
class Record:
    """One conversation as a job left it: `parts` by table, in order. `said` is the digest of the source's messages,
    of which `rejected` became dead letters; `recipe` is the digest of everything else that the parts depend on. If
    neither has changed, there is nothing to do. `uid` says under which seal the record is filed."""

    conversation_id: str
    title: str | None
    messages: int
    exchanges: int
    tokens: int
    first_time: datetime | None
    last_time: datetime | None
    rejected: int
    said: str
    recipe: str
    parts: PartsByTable
    content_hash: str
    removed: bool = False
    uid: str = ""

    @property
    def shape(self) -> tuple[object, ...]:
        """What makes it a different record: everything but where its rows lie and who filed it."""
        named = {kind: [(part.name, part.hash) for part in parts] for kind, parts in self.parts.items()}
        return self.title, self.recipe, named, self.content_hash, self.removed


def record_of(row: Mapping[str, Any], parts: PartsByTable | None = None) -> Record:
    """The record of a row; fields that the row has not have their defaults."""
    return Record(
        conversation_id=row["conversation_id"],
        title=row.get("title"),
        messages=row.get("messages", 0),
        exchanges=row.get("exchanges", 0),
        tokens=row.get("tokens", 0),
        first_time=row.get("first_time"),
        last_time=row.get("last_time"),
        rejected=row.get("rejected", 0),
        said=row["said"].hex() if "said" in row else NOTHING,
        recipe=row["recipe"].hex() if "recipe" in row else NOTHING,
        parts=_parts(row) if parts is None else parts,
        content_hash=row["content_hash"].hex() if "content_hash" in row else NOTHING,
        removed=row["removed"],
        uid=row["uid"],
    )


def gone(conversation_id: str) -> Record:
    """The record that says that a conversation was removed."""
    return record_of({"conversation_id": conversation_id, "removed": True, "uid": ""})


def rows_of(records: Sequence[Record], uid: str) -> pa.Table:
    """Records as rows of `CONVERSATIONS`, filed under a uid."""
    tables = [(kind, parts) for r in records for kind, parts in r.parts.items()]
    layers = CONVERSATIONS.field("layers").type
    each = pa.StructArray.from_arrays(
        [
            pa.array([kind for kind, _ in tables], pa.string()),
            _listed(column_of([part for _, parts in tables for part in parts]), [len(p) for _, p in tables]),
        ],
        fields=list(layers.value_type),
    )
    columns: dict[str, Any] = {
        "uid": [uid] * len(records),
        "layers": _listed(each, [len(r.parts) for r in records]),
        **{
            name: [bytes.fromhex(getattr(r, name)) for r in records]
            for name in ("said", "recipe", "content_hash")
        },
    }
    columns |= {
        name: [getattr(r, name) for r in records] for name in CONVERSATIONS.names if name not in columns
    }
    return pa.table({name: columns[name] for name in CONVERSATIONS.names}, schema=CONVERSATIONS)


def _listed(values: pa.Array, sizes: Sequence[int]) -> pa.ListArray:
    """The values as lists of these sizes."""
    starts = pa.array([0, *itertools.accumulate(sizes)], pa.int32())
    return pa.ListArray.from_arrays(starts, values)


def _parts(row: Mapping[str, Any]) -> PartsByTable:
    return {each["layer"]: tuple(part_of(**part) for part in each["parts"]) for each in row.get("layers", ())}
