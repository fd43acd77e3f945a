"""What a worker does: one segment in, its rows for each table out. A pure function of the segment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import pyarrow as pa

from memfold import tokens
from memfold.embed.contract import Embedder
from memfold.extract.contract import Engine
from memfold.ingest.language import language
from memfold.layers import episodic
from memfold.run.plan import Placed, Work
from memfold.schema import EXTRACTIONS, MESSAGES, StoredMessage
from memfold.windows import windows

Rows = dict[str, pa.Table]


@dataclass(frozen=True)
class Fold:
    """The engine and the embedder a worker holds. `want` of a call names the tables to make rows for."""

    engine: Engine
    embedder: Embedder

    def __call__(self, work: Work, want: frozenset[str]) -> Rows:
        messages = [stored(item) for item in work.messages]
        rows: Rows = {}
        if "messages" in want:
            filed = [{"segment": work.names.messages, **asdict(message)} for message in messages]
            rows["messages"] = pa.Table.from_pylist(filed, schema=MESSAGES)
        if "extractions" in want:
            rows["extractions"] = self._extract(work, messages)
        if "episodic" in want:
            rows["episodic"] = episodic.rows(messages, work.names.episodic, self.embedder.encode)
        return rows

    def _extract(self, work: Work, messages: Sequence[StoredMessage]) -> pa.Table:
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
                **asdict(extraction),
            }
            for window, extraction in zip(seen, made, strict=True)
        ]
        return pa.Table.from_pylist(filed, schema=EXTRACTIONS)


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
