"""What an index job makes of one conversation: which parts it has, which are wanted, and its record once all are there.

Knows names, places, hashes and counts, and no row. No layer is named here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from memfold.digest import digest
from memfold.errors import AccountingError
from memfold.layers.layer import Layer, Levels, inner
from memfold.run.plan import Names, Work
from memfold.run.work import Grow
from memfold.store.part import Part
from memfold.store.record import Record


@dataclass
class Outline:
    """What is planned of one conversation, and what of that exists. `wanted` are the parts being made, `made` those
    that this job has committed. Inner nodes over the first `early` segments were asked for before all were planned.
    `recipe` is the digest of all that the parts depend on besides the messages, known once all are `planned`."""

    conversation_id: str
    known: Mapping[tuple[str, str], Part]
    said: str
    title: str | None
    segments: list[tuple[Names, int, int]] = field(default_factory=list)
    nodes: dict[str, Levels] = field(default_factory=dict)
    made: list[tuple[str, Part]] = field(default_factory=list)
    parts: dict[tuple[str, str], Part] = field(default_factory=dict)
    wanted: set[tuple[str, str]] = field(default_factory=set)
    exchanges: int = 0
    first_time: datetime | None = None
    last_time: datetime | None = None
    recipe: str = ""
    planned: bool = False
    early: int = 0
    grown: bool = False

    def take(self, kind: str, name: str) -> bool:
        """Whether a part exists; if not, it becomes wanted."""
        if (kind, name) in self.parts:
            return True
        part = self.known.get((kind, name))
        if part is None:
            self.wanted.add((kind, name))
            return False
        self.parts[kind, name] = part
        return True

    def add(self, work: Work) -> dict[str, Part]:
        """Plan a segment; returns those of its parts that exist, by table."""
        self.segments.append((work.names, len(work.messages), work.exchanges))
        self.exchanges = work.messages[-1].exchange_id + 1
        times = [item.message.time for item in work.messages if item.message.time]
        self.first_time = min([*times, *([self.first_time] if self.first_time else [])], default=None)
        self.last_time = max([*times, *([self.last_time] if self.last_time else [])], default=None)
        return {kind: self.known[kind, name] for kind, name in work.names.items() if self.take(kind, name)}

    def has_leaves(self) -> bool:
        """Whether all parts of all segments exist."""
        return all(self._exists(names) for names, *_ in self.segments)

    def has_nodes(self) -> bool:
        """Whether all inner nodes that tasks were asked to make exist."""
        return all(
            (kind, name) in self.parts
            for kind, levels in self.nodes.items()
            for level in levels
            for name, _ in level
        )

    def growth(self, layers: Mapping[str, Layer]) -> Grow | None:
        """The task that makes the missing inner nodes; None if none is missing."""
        return self._growth(
            {name: inner(layer, self._leaves(name)) for name, layer in layers.items() if layer.fan}
        )

    def early_growth(self, layers: Mapping[str, Layer], segments: int) -> Grow | None:
        """The task that makes the missing inner nodes over whole spans of the first segments, as far as all of these
        exist: no later segment changes such a node. None if none is missing, while nodes are being made, and until
        `segments` more exist than the last time, or an eighth more: each look reads all names, so that looks at equal
        distances took 11 s over 8,000 segments, and these take 0.4 s."""
        least = self.early + max(segments, self.early // 8)
        if len(self.segments) < least or not self.has_nodes():
            return None
        there = self.early
        for names, *_ in self.segments[there:]:
            if not self._exists(names):
                break
            there += 1
        if there < least:
            return None
        self.early = there
        return self._growth(
            {
                name: [
                    level[: there // layer.fan**height]
                    for height, level in enumerate(inner(layer, self._leaves(name)[:there]), 1)
                ]
                for name, layer in layers.items()
                if layer.fan
            }
        )

    def _exists(self, names: Names) -> bool:
        return all((kind, name) in self.parts for kind, name in names.items())

    def _leaves(self, layer: str) -> list[str]:
        return [names[layer] for names, *_ in self.segments]

    def _growth(self, nodes: dict[str, Levels]) -> Grow | None:
        self.nodes = nodes
        levels: dict[str, Levels] = {}
        have: dict[str, dict[str, Part]] = {}
        for name, of in nodes.items():
            new = [[node for node in level if not self.take(name, node[0])] for level in of]
            if any(new):
                levels[name] = new
                below = {child for level in new for _, children in level for child in children}
                have[name] = {c: self.parts[name, c] for c in below if (name, c) in self.parts}
        return Grow(self.conversation_id, levels, have) if levels else None

    def record(self, kinds: Sequence[str], rejected: int) -> Record:
        """The conversation's record, with the tables `kinds`, once all its parts exist; AccountingError if they are
        not what was read."""
        names: dict[str, list[str]] = {kind: [] for kind in kinds}
        for segment, messages, exchanges in self.segments:
            for kind, name in segment.items():
                names[kind].append(name)
            found = (
                self.parts["messages", segment["messages"]].rows,
                self.parts["extractions", segment["extractions"]].rows,
            )
            if found != (messages, exchanges):
                raise AccountingError(
                    f"conversation {self.conversation_id}, segment {segment['messages']}: the tables hold {found} "
                    f"rows of messages and extractions, and {(messages, exchanges)} were written; nothing was sealed: "
                    "erase the conversation and index it again"
                )
        for layer, levels in self.nodes.items():
            names[layer] += [name for level in levels for name, _ in level]
        parts = {kind: tuple(self.parts[kind, name] for name in called) for kind, called in names.items()}
        return Record(
            conversation_id=self.conversation_id,
            title=self.title,
            messages=sum(part.rows for part in parts["messages"]),
            exchanges=self.exchanges,
            tokens=sum(part.tokens for part in parts["messages"]),
            first_time=self.first_time,
            last_time=self.last_time,
            rejected=rejected,
            said=self.said,
            recipe=self.recipe,
            parts=parts,
            content_hash=hashed(parts),
        )


def hashed(parts: Mapping[str, Sequence[Part]]) -> str:
    """A conversation's hash, from its parts' hashes."""
    return digest(*[(kind, [part.hash for part in parts[kind]]) for kind in sorted(parts)])
