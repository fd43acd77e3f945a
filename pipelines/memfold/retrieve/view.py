"""One conversation as one snapshot shows it, ready to be searched. Is given functions; knows no store.

What is derived from the rows is made when an arm or a section first asks for it, once, whichever threads ask: a store
that was indexed without a layer is searched without it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

from memfold.errors import UserError
from memfold.layers.scratchpad.tree import STANDING, Item, parse
from memfold.once import kept
from memfold.retrieve.episodes import Episodes
from memfold.retrieve.notes import Pad
from memfold.retrieve.passages import Passages
from memfold.retrieve.query import Encode
from memfold.retrieve.remember import Remembered, Vectors
from memfold.retrieve.standing import Standing
from memfold.schema import StoredMessage
from memfold.text import tokens

# A vector is 1.5 kB and a probe's answer considers 90 sentences: 12 MB hold those of a conversation of 100K tokens.
VECTORS = 8_192
# Exchanges of BEAM have 5 kB, of which a context shows the openings of up to 98.
EXCHANGES = 512
# A context has some 150 lines; the text of a line is 90 to 2,400 bytes.
LINES = 4_096


@dataclass(frozen=True, eq=False)
class View:
    """`leaves` gives a layer's leaf rows and `root` the rows of its root, None where the layer is not there or (a root)
    nothing was said; `messages` gives those of some exchanges, by exchange; all as of the cut that is shown. `encode`
    is the embedder. Safe for any number of threads if these are."""

    conversation_id: str
    leaves: Callable[[str], pa.Table | None]
    root: Callable[[str], pa.Table | None]
    messages: Callable[[Sequence[int]], Mapping[int, Sequence[StoredMessage]]]
    encode: Encode

    @kept
    def episodes(self) -> Episodes:
        """The exchanges as arrays: 8,300 of 10M tokens are about 30 MB, and their index as much again."""
        rows = self.leaves("episodic")
        if rows is None:
            raise UserError(
                f"conversation {self.conversation_id!r} was indexed without the layer episodic: index it again"
            )
        return Episodes.from_table(rows)

    @kept
    def passages(self) -> Passages | None:
        """The passages of long messages; None where there is no such layer. Read when a question first needs them:
        those of 10M tokens are about 60 MB with their index."""
        rows = self.leaves("passages")
        return None if rows is None else Passages.from_table(rows)

    @kept
    def items(self) -> tuple[Item, ...]:
        """The notes of the scratchpad's root, in the order they were said; none where there is no scratchpad."""
        rows = self.root("scratchpad")
        return parse(rows)[0].items if rows is not None else ()

    @kept
    def standing(self) -> Standing:
        """The standing orders among the notes, with their vectors."""
        orders = [
            (item.exchange_id, item.kind, item.text, item.about)
            for item in self.items
            if item.kind in STANDING
        ]
        return Standing.of(orders, self.encode)

    @kept
    def pad(self) -> Pad:
        """The notes that are no standing orders, in chunks."""
        return Pad.of(self.items, self.episodes)

    def said(self, exchanges: Sequence[int]) -> Mapping[int, Sequence[StoredMessage]]:
        """The messages of some exchanges; the last ones asked for are kept."""
        return self._said.get(exchanges)

    @kept
    def vectors(self) -> Vectors:
        """`encode`, which remembers."""
        return Vectors(self.encode, VECTORS)

    def sizes(self, lines: Sequence[str]) -> list[int]:
        """The Qwen2.5 tokens of each of some texts."""
        found = self._sizes.get(lines)
        return [found[line] for line in lines]

    @kept
    def _said(self) -> Remembered[int, Sequence[StoredMessage]]:
        def read(exchanges: Sequence[int]) -> list[Sequence[StoredMessage]]:
            found = self.messages(exchanges)
            return [found.get(exchange, ()) for exchange in exchanges]

        return Remembered(read, EXCHANGES)

    @kept
    def _sizes(self) -> Remembered[str, int]:
        return Remembered(lambda lines: map(tokens.count, lines), LINES)
