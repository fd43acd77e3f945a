"""What a conversation's rows are, read back in the order of their keys, and their hash.

The hash is over what the tables hold, not over what was meant to be written: a row lost or doubled changes it.
"""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from memfold.digest import digest, rows_digest
from memfold.store.catalog import Record, Segment
from memfold.store.tables import Tables


def segment_rows(tables: Tables, messages: str, extractions: str, episodic: str) -> list[pa.Table]:
    """The rows of one segment: its messages, its extractions, its episodes."""
    return [
        tables.messages.read([messages]).sort_by("seq"),
        tables.extractions.read([extractions]).sort_by("exchange_id"),
        tables.episodic.read([episodic]).sort_by("exchange_id"),
    ]


def conversation_hash(tables: Tables, segments: Sequence[Segment], nodes: Sequence[str]) -> str:
    """The hash of a conversation from its segments' hashes and its scratchpad's rows."""
    order = {name: place for place, name in enumerate(nodes)}
    rows = tables.scratchpad.read(nodes)
    places = pa.array([order[name] for name in rows.column("segment").to_pylist()], pa.int64())
    return digest([segment.rows for segment in segments], rows_digest([rows.take(pc.sort_indices(places))]))


def recount(tables: Tables, record: Record) -> str:
    """The conversation's hash from every row it is made of; equal to `record.content_hash` if all is well."""
    segments = [
        Segment(
            s.messages,
            s.extractions,
            s.episodic,
            rows_digest(segment_rows(tables, s.messages, s.extractions, s.episodic)),
        )
        for s in record.segments
    ]
    return conversation_hash(tables, segments, record.nodes)
