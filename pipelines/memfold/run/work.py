"""What a worker does: segments in, rows in the store out. Nobody sees the rows until the driver commits them.

A worker makes the rows of some segments for each table, writes them into files, reads them back and hashes what it
read. It returns names, hashes and counts to the driver, and no row. Apart from the files' names it is a pure function
of its task: a task that is done twice leaves files that nobody commits.
"""

from __future__ import annotations

import itertools
import os
import platform
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from threading import Event
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from memfold.digest import rows_digests
from memfold.embed.contract import Embedder
from memfold.errors import AccountingError, UserError
from memfold.extract import filed
from memfold.extract.contract import DEAD, FALLBACK, Engine
from memfold.extract.windows import windows
from memfold.layers.layer import (
    Configured,
    Group,
    Layer,
    Levels,
    Parts,
    Span,
    Tools,
    equipped,
    extractions,
    messages,
    notes,
    tabled,
    tables,
)
from memfold.run import plan
from memfold.run.plan import Former, Work
from memfold.schema import (
    EXTRACTIONS,
    MESSAGES,
    NOTES,
    DeadLetter,
    Extraction,
    Fact,
    Note,
    StoredMessage,
    Window,
)
from memfold.store.location import Location
from memfold.store.part import Part
from memfold.store.tables import Missing, Placed
from memfold.text import tokens
from memfold.text.language import language
from memfold.zones import by, minutes

# What is filed of an exchange that is in the dead letters: its words are stored and found, nothing was made of them.
NONE = Extraction("", (), (), made_by=DEAD)
# The tables whose parts for a segment are made at once, under one name: a segment has both parts or neither.
TOGETHER = ("extractions", "notes")
# What a row of a note has of it: `dataclasses.asdict` takes ten times as long.
_NOTE = [each.name for each in fields(Note)]
# Conversations that a note behind an error names: a task may have a thousand.
NAMED = 3


# A segment that lacks parts, and the parts that it has already, by table.
Lacking = tuple[Work, Mapping[str, Part]]


@dataclass(frozen=True)
class Make:
    """Make the parts that some segments lack."""

    segments: Sequence[Lacking]

    @property
    def exchanges(self) -> int:
        """How many exchanges the engine is asked about."""
        return sum(work.exchanges for work, have in self.segments if "extractions" not in have)


@dataclass(frozen=True)
class Grow:
    """Make the inner nodes that one conversation lacks: for each layer its levels as `layers.layer.inner` gives
    them, without the nodes that exist; `have` are the parts of nodes below them that exist."""

    conversation_id: str
    levels: Mapping[str, Levels]
    have: Mapping[str, Mapping[str, Part]]

    exchanges = 0


Task = Make | Grow


class Written(NamedTuple):
    """A part that was written: its conversation, and the number of its first row among those of its table in this
    task. `part.first` is not known before the commit."""

    conversation_id: str
    part: Part
    offset: int


class Named(NamedTuple):
    """A part to be written: its conversation, its name, and the tokens of the messages in it."""

    conversation_id: str
    name: str
    tokens: int = 0


@dataclass
class Made:
    """What a task left: by table the files to commit, and the parts in them in order; dead letters; how many
    exchanges were extracted, how many of them another engine stood in for, and what this process has spent and why the
    rules stood in by now."""

    files: dict[str, list[str]] = field(default_factory=dict)
    parts: dict[str, list[Written]] = field(default_factory=dict)
    letters: list[DeadLetter] = field(default_factory=list)
    segments: int = 0
    messages: int = 0
    extracted: int = 0
    fallback: int = 0
    spent: dict[str, tuple[int, float]] = field(default_factory=dict)
    reasons: dict[str, Counter[str]] = field(default_factory=dict)


class _Segment:
    """A segment in the making: its messages as they are stored, its rows of the tables that layers read, and what
    layers have derived from them (`Span.told`)."""

    def __init__(self, work: Work, have: Mapping[str, Part]) -> None:
        self.work, self.have = work, have
        self.said = [stored(item) for item in work.messages]
        self.rows: dict[str, pa.Table] = {}
        self.told: dict[Any, Any] = {messages: self.said}

    def span(self, layer: Layer, tables: Mapping[str, Placed]) -> Span:
        """What a layer makes its leaf of; reads the rows that are stored and were not read before."""
        for name in layer.reads:
            if name not in self.rows:
                self.rows[name] = tables[name].take([self.have[name]])
        return Span(self.work.names[layer.name], {name: self.rows[name] for name in layer.reads}, self.told)

    def named(self, table: str) -> Named:
        """What its part in a table is called."""
        held = sum(each.tokens for each in self.said) if table == "messages" else 0
        return Named(self.work.conversation_id, self.work.names[table], held)


class _New(NamedTuple):
    """The parts that some segments lacked in a table."""

    table: str
    segments: Sequence[_Segment]
    parts: Sequence[pa.Table]


def _lacking(segments: Sequence[_Segment], table: str) -> list[_Segment]:
    return [each for each in segments if table not in each.have]


@dataclass(frozen=True)
class Worker:
    """What a process needs to work: where the store is, an engine, an embedder, and the settings of the layers."""

    location: Location
    engine: Engine
    embedder: Embedder
    settings: Mapping[str, Configured]
    # Set when the job is interrupted: a worker then makes no further layer and writes nothing.
    interrupted: Event = field(default_factory=Event, compare=False, repr=False)

    @cached_property
    def layers(self) -> dict[str, Layer]:
        """The layers with this process's engine and embedder."""
        return equipped(self.settings, Tools(self.embedder, self.engine.asker))

    @cached_property
    def _tables(self) -> dict[str, Placed]:
        return tables(self.location, self.layers)

    def __reduce__(self) -> tuple[Any, ...]:
        return Worker, (self.location, self.engine, self.embedder, self.settings)

    def share(self, workers: int) -> Worker:
        """This worker for one of several processes; if the engine has a budget, it gets a part of it."""
        return replace(self, engine=self.engine.share(workers))

    def __call__(self, task: Task) -> Made:
        made = self._make(task) if isinstance(task, Make) else self._grow(task)
        process = f"{platform.node()}/{os.getpid()}"
        made.reasons = {process: self.engine.fallbacks}
        if self.engine.asker is not None:
            spent = self.engine.asker.ledger.spent
            made.spent = {process: (spent.tokens, spent.usd)}
        return made

    def _make(self, task: Make) -> Made:
        segments = [_Segment(*each) for each in task.segments]
        made = Made(segments=len(segments), messages=sum(len(each.said) for each in segments))
        new = [self._messages(segments)]
        early, late = self._apart()
        # Encoding lets other threads run Python, also those of this task. When a task did one after the other, all
        # tasks came to wait for the one that ran Python: 10M/5 left 11 to 15 of 80 to 89 core-seconds idle. Now it
        # leaves 5 to 7.
        with ThreadPoolExecutor(1, "beside") as beside:
            without_engine = beside.submit(lambda: [self._leaves(layer, segments) for layer in early])
            by_engine = self._extracted(segments, made)
            for layer in late:
                if any(each.name in layer.reads for each in early):
                    without_engine.result()
                by_engine.append(self._leaves(layer, segments))
            new += [*without_engine.result(), *by_engine]
        for each in new:
            if each.segments:
                self._write(each.table, [of.named(each.table) for of in each.segments], each.parts, made)
        return made

    def _apart(self) -> tuple[list[Layer], list[Layer]]:
        """The layers that need nothing of what the engine writes down, and the others."""
        early: list[Layer] = []
        late: list[Layer] = []
        made = {"messages"}
        for layer in self.layers.values():
            if made.issuperset(layer.reads):
                early.append(layer)
                made.add(layer.name)
            else:
                late.append(layer)
        return early, late

    def _kept(self, table: str, segments: Sequence[_Segment], parts: Sequence[pa.Table]) -> _New:
        """The parts of some segments in a table, which layers that read it find from now on."""
        if any(table in layer.reads for layer in self.layers.values()):
            for segment, part in zip(segments, parts, strict=True):
                segment.rows[table] = part
        return _New(table, segments, parts)

    def _messages(self, segments: Sequence[_Segment]) -> _New:
        """The messages that segments lack. Layers read those of all."""
        whole = message_rows(
            [each.said for each in segments], [each.work.names["messages"] for each in segments]
        )
        for segment, part in zip(segments, whole, strict=True):
            segment.rows["messages"] = part
        lacking = _lacking(segments, "messages")
        parts = whole if len(lacking) == len(segments) else [each.rows["messages"] for each in lacking]
        return _New("messages", lacking, parts)

    def _leaves(self, layer: Layer, segments: Sequence[_Segment]) -> _New:
        """The leaves that segments lack."""
        self._check()
        lacking = _lacking(segments, layer.name)
        spans = [each.span(layer, self._tables) for each in lacking]
        with _noted(layer.name, (each.work.conversation_id for each in lacking)):
            leaves = layer.leaves(spans) if spans else []
            if len(leaves) != len(spans):
                raise ValueError(
                    f"layer {layer.name} made {len(leaves)} leaves of {len(spans)} spans: make one of each"
                )
        return self._kept(layer.name, lacking, leaves)

    def _extracted(self, segments: Sequence[_Segment], made: Made) -> list[_New]:
        """The extractions and the notes that segments lack."""
        lacking = _lacking(segments, "extractions")
        extracted: list[list[dict[str, Any]]] = []
        noted: list[list[dict[str, Any]]] = []
        for segment, answered in zip(lacking, self._answered(lacking, made), strict=True):
            extracted.append([])
            noted.append([])
            for window, answer in answered:
                if isinstance(answer, DeadLetter):
                    made.letters.append(answer)
                    answer = NONE
                made_by = answer.made_by or self.engine.signature
                made.fallback += made_by.endswith(FALLBACK)
                of = {
                    "segment": segment.work.names["extractions"],
                    "exchange_id": window.exchange_id,
                    "conversation_id": window.conversation_id,
                    "time": window.time,
                    "utc_offset": window.time and minutes(window.time),
                }
                facts = [{"key": fact.key, "value": fact.value} for fact in answer.facts]
                extracted[-1].append({**of, "summary": answer.summary, "facts": facts, "made_by": made_by})
                for n, note in enumerate(answer.notes):
                    noted[-1].append({**of, "n": n, **{name: getattr(note, name) for name in _NOTE}})
        new = []
        for table, tell, found, schema in (
            ("extractions", extractions, extracted, EXTRACTIONS),
            ("notes", notes, noted, NOTES),
        ):
            parts, values = filled(found, schema)
            new.append(self._kept(table, lacking, parts))
            for segment, each in zip(lacking, values, strict=True):
                segment.told[tell] = each
        return new

    def _answered(
        self, segments: Sequence[_Segment], made: Made
    ) -> list[list[tuple[Window, Extraction | DeadLetter]]]:
        """For each segment its exchanges with what was written down about them. The engine is asked about those of all
        segments at once, so that one that waits for others has enough in flight."""
        seen = [
            self._seen(each.said, [stored(item) for item in each.work.history], each.work.turns)
            for each in segments
        ]
        # A memory that a program filed says itself what is to be written down.
        memories = [filed.extractions(each.said) for each in segments]
        asked = [w for each, of in zip(seen, memories, strict=True) for w in each if w.exchange_id not in of]
        made.extracted += len(asked)
        former = [each.work.former for each in segments if each.work.former is not None]
        before = (partial(self._before, former),) if former else ()
        answers = iter(self.engine.extract(asked, *before) if asked else ())
        # `Outline.record` counts the rows, and so finds that an engine gave too few answers.
        return [
            [
                (window, answer)
                for window in each
                if (answer := of.get(window.exchange_id) or next(answers, None)) is not None
            ]
            for each, of in zip(seen, memories, strict=True)
        ]

    def _seen(
        self, said: Sequence[StoredMessage], history: Sequence[StoredMessage], turns: Mapping[int, int] | None
    ) -> list[Window]:
        """The windows of a segment."""
        return windows(
            said,
            history if self.engine.history_tokens else [],
            history_tokens=self.engine.history_tokens,
            assistant_tokens=self.engine.assistant_tokens,
            turns=turns,
        )

    def _before(self, former: Sequence[Former]) -> list[tuple[Window, Extraction]]:
        """The windows of some segments as they were, each with its extraction."""
        found = []
        for each in former:
            try:
                said, history, extracted, noted = (
                    self._tables[name].take([part] if part else []).to_pylist()
                    for name, part in (
                        ("messages", each.messages),
                        ("messages", each.before),
                        ("extractions", each.extractions),
                        ("notes", each.notes),
                    )
                )
            except Missing:
                continue  # erased meanwhile
            notes: dict[int, list[Note]] = {}
            for row in noted:
                notes.setdefault(row["exchange_id"], []).append(Note(**{name: row[name] for name in _NOTE}))
            messages = [StoredMessage.of(row) for row in said]
            seen = self._seen(messages, [StoredMessage.of(row) for row in history], None)
            memories = filed.extractions(messages)
            for window, row in zip(seen, extracted, strict=True):
                if window.exchange_id not in memories:
                    facts = tuple(Fact(**fact) for fact in row["facts"])
                    told = tuple(notes.get(window.exchange_id, ()))
                    found.append((window, Extraction(row["summary"], facts, told, row["made_by"])))
        return found

    def _grow(self, task: Grow) -> Made:
        made = Made()
        for name, levels in task.levels.items():
            layer, have = self.layers[name], task.have[name]
            new: list[Named] = []
            rows: list[pa.Table] = []
            below: dict[str, pa.Table] = {}
            for level in levels:
                wanted = [child for _, children in level for child in children if child not in below]
                read = self._tables[name].take([have[child] for child in wanted])
                below |= zip(wanted, Parts(read, [have[child].rows for child in wanted]), strict=True)
                groups = [Group(node, [below[child] for child in children]) for node, children in level]
                with _noted(name, [task.conversation_id]):
                    nodes = layer.nodes(groups) if groups else []
                below = {group.name: part for group, part in zip(groups, nodes, strict=True)}
                new += [Named(task.conversation_id, node) for node in below]
                rows += below.values()
            self._write(name, new, rows, made)
        return made

    def _check(self) -> None:
        if self.interrupted.is_set():
            raise CancelledError("the job was interrupted")

    def _write(self, name: str, named: Sequence[Named], parts: Sequence[pa.Table], made: Made) -> None:
        self._check()
        files, filed = write_parts(self._tables[name], named, parts)
        made.files.setdefault(name, []).extend(files)
        made.parts.setdefault(name, []).extend(filed)


@contextmanager
def _noted(layer: str, conversations: Iterable[str]) -> Iterator[None]:
    """Adds a note to an unforeseen error: which layer and conversations it arose in. No line of the traceback names
    them."""
    try:
        yield
    except UserError:
        raise
    except Exception as error:
        names = list(dict.fromkeys(conversations))
        more = f" or {len(names) - NAMED:,} more" if len(names) > NAMED else ""
        error.add_note(f"in layers.{layer}, of conversation {' or '.join(map(repr, names[:NAMED]))}{more}")
        raise


def write_parts(
    table: Placed, named: Sequence[Named], parts: Sequence[pa.Table]
) -> tuple[list[str], list[Written]]:
    """Write some parts into files of one table, read them back, and hash what was read; returns the files to commit,
    and the parts in order. UserError if a row of a layer names another part or conversation than the one it is
    written for: no erasure would find it."""
    joined = Parts.of(parts)
    rows, sizes = joined.rows, joined.sizes
    for column, of in (
        ("segment", [each.name for each in named]),
        ("conversation_id", [each.conversation_id for each in named]),
    ):
        wanted = pa.array(np.repeat(np.array(of, object), sizes), rows.schema.field(column).type)
        if not rows[column].equals(pa.chunked_array([wanted])):
            raise UserError(
                f"layers.{table.name}: {column} of a row is not that of the part it is in: in a leaf each "
                "row names its span, in a node its group, and both name the conversation they are made from"
            )
    files = table.write(rows)
    found = table.written(files)
    if found.num_rows != rows.num_rows:
        whose = ", ".join(sorted({repr(each.conversation_id) for each in named}))
        raise AccountingError(
            f"conversation {whose}: {rows.num_rows} rows were written to table {table.name} and "
            f"{found.num_rows} of them are there; nothing was sealed: run the job again"
        )
    hashes = rows_digests(found, sizes)
    offsets = itertools.accumulate(sizes, initial=0)
    filed = [
        Written(each.conversation_id, Part(each.name, -1, size, hashed, each.tokens), offset)
        for each, size, hashed, offset in zip(named, sizes, hashes, offsets, strict=False)
    ]
    return files, filed


def filled(
    rows: Sequence[Sequence[dict[str, Any]]], schema: pa.Schema
) -> tuple[Parts, list[list[dict[str, Any]]]]:
    """The tables of some parts, and the rows of each as they will be read back from it."""
    parts = tabled(rows, schema)
    values = iter(parts.rows.to_pylist())
    return parts, [list(itertools.islice(values, size)) for size in parts.sizes]


def message_rows(said: Sequence[Sequence[StoredMessage]], segments: Sequence[str]) -> Parts:
    """Rows of `schema.MESSAGES` for the messages of some segments."""
    columns = {
        name: [getattr(message, name) for each in said for message in each]
        for name in MESSAGES.names
        if name != "segment"
    }
    columns["segment"] = [name for name, each in zip(segments, said, strict=True) for _ in each]
    whole = pa.table([columns[name] for name in MESSAGES.names], schema=MESSAGES)
    return Parts(whole, map(len, said))


def stored(item: plan.Numbered) -> StoredMessage:
    """The message as it is stored: with its place, its language and the number of its tokens."""
    message = item.message
    return StoredMessage(
        conversation_id=message.conversation_id,
        seq=item.seq,
        message_id=item.message_id,
        exchange_id=item.exchange_id,
        role=message.role,
        content=message.content,
        # As it is read back: a day is told from it.
        time=message.time and by(message.time, None),
        session=message.session,
        speaker=message.speaker,
        attachments=message.attachments,
        current=message.current,
        language=language(message.content),
        tokens=tokens.count(message.content),
    )
