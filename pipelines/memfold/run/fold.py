"""What a worker does: one segment in, its rows for each table out. A pure function of the segment."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace

import pyarrow as pa

from memfold.digest import digest
from memfold.embed.contract import Embedder
from memfold.extract.contract import DEAD, Engine
from memfold.extract.engines.model import ModelEngine
from memfold.extract.windows import windows
from memfold.layers import episodic
from memfold.run.plan import Placed, Work
from memfold.schema import DEAD_LETTERS, EXTRACTIONS, MESSAGES, SPAN, DeadLetter, Extraction, StoredMessage
from memfold.text import tokens
from memfold.text.language import language

Rows = dict[str, pa.Table]

# What is filed of an exchange that is in the dead letters: its words are stored and found, nothing was made of them.
NONE = Extraction("", (), (), made_by=DEAD)


@dataclass(frozen=True)
class Fold:
    """The engine and the embedder a worker holds. `want` of a call names the tables to make rows for."""

    engine: Engine
    embedder: Embedder

    @property
    def at_once(self) -> int:
        """Segments one process should have in hand so that its engine has enough to do: one where the engine works
        here. Where it waits for others, twice as many as fill their places, because a segment ends with its slowest
        exchange (16 engines had 88 % of their places taken so, and 45 % without), and one to be planned meanwhile;
        more where exchanges may share requests, so that short ones fill the places too."""
        if isinstance(self.engine, ModelEngine):
            generator = self.engine.generator
            return 1 + math.ceil(generator.width * (1 + generator.together) / SPAN)
        return 1

    def share(self, workers: int) -> Fold:
        """This fold for one of several processes: an engine with a budget has a part of it there."""
        return (
            replace(self, engine=self.engine.share(workers)) if isinstance(self.engine, ModelEngine) else self
        )

    def __call__(self, work: Work, want: frozenset[str]) -> Rows:
        messages = [stored(item) for item in work.messages]
        rows: Rows = {}
        if "messages" in want:
            filed = [{"segment": work.names.messages, **asdict(message)} for message in messages]
            rows["messages"] = pa.Table.from_pylist(filed, schema=MESSAGES)
        if "extractions" in want:
            rows |= self._extract(work, messages)
        if "episodic" in want:
            rows["episodic"] = episodic.rows(messages, work.names.episodic, self.embedder.encode)
        return rows

    def _extract(self, work: Work, messages: Sequence[StoredMessage]) -> Rows:
        history = [stored(item) for item in work.history] if self.engine.history_tokens else []
        seen = windows(
            messages,
            history,
            history_tokens=self.engine.history_tokens,
            assistant_tokens=self.engine.assistant_tokens,
        )
        made = self.engine.extract(seen)
        filed = [
            {
                "segment": work.names.extractions,
                "conversation_id": window.conversation_id,
                "exchange_id": window.exchange_id,
                "time": window.time,
                **asdict(NONE if isinstance(extraction, DeadLetter) else extraction),
            }
            for window, extraction in zip(seen, made, strict=True)
        ]
        for row in filed:
            row["made_by"] = row["made_by"] or self.engine.signature
        rows = {"extractions": pa.Table.from_pylist(filed, schema=EXTRACTIONS)}
        if failed := [letter for letter in made if isinstance(letter, DeadLetter)]:
            rows["dead_letters"] = letters(failed)
        return rows


def letters(dead: Iterable[DeadLetter]) -> pa.Table:
    """Dead letters as rows, each named by what it says: the same one again is the same row."""
    rows = {digest(x.file, x.place, x.reason, x.raw.hex()): asdict(x) for x in dead}
    return pa.Table.from_pylist([{"letter": name, **row} for name, row in rows.items()], schema=DEAD_LETTERS)


def stored(item: Placed) -> StoredMessage:
    """The message as it is stored: in its place, with its language and its tokens counted."""
    message = item.message
    return StoredMessage(
        conversation_id=message.conversation_id,
        seq=item.seq,
        message_id=item.message_id,
        exchange_id=item.exchange_id,
        role=message.role,
        content=message.content,
        time=message.time,
        session=message.session,
        speaker=message.speaker,
        attachments=message.attachments,
        current=message.current,
        language=language(message.content),
        tokens=tokens.count(message.content),
    )
