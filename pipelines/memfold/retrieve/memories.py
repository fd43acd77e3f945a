"""Memories that programs filed, found among what a conversation holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memfold.errors import UserError
from memfold.extract.filed import filed
from memfold.retrieve.ranking import Ranking
from memfold.retrieve.view import View
from memfold.schema import MEMORY, NOTE_KINDS


@dataclass(frozen=True, slots=True)
class StoredMemory:
    """A memory as it was filed: what it says, of which kind, by whom and when. `score` compares within one search; 0
    where nothing was asked."""

    memory_id: str
    exchange_id: int
    text: str
    kind: str
    by: str
    time: datetime | None
    about: str | None = None
    reason: str | None = None
    date: str | None = None
    who: str | None = None
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class Memories:
    """The memories of a conversation, to be looked at."""

    entries: tuple[StoredMemory, ...]

    @property
    def text(self) -> str:
        """A line each, and no more, whatever was filed: when, of which kind, what it says, who filed it."""
        return "\n".join(" ".join(_line(each).split()) for each in self.entries)

    @property
    def json(self) -> dict[str, Any]:
        """The same as one object."""
        names = [name for name in StoredMemory.__slots__ if name != "score"]
        return {"memories": [{name: getattr(each, name) for name in names} for each in self.entries]}


def _line(each: StoredMemory) -> str:
    when = f"{each.time:%Y-%m-%d} " if each.time else ""
    return f"{when}{each.kind}: {each.text} [{each.memory_id}, by {each.by}]"


def found_in(
    view: View, ranking: Ranking | None = None, kinds: Sequence[str] = (), by: str | None = None
) -> list[StoredMemory]:
    """The memories that a view shows, those first that a ranking places first; without one the newest first.
    UserError where a kind is none."""
    if strange := [kind for kind in kinds if kind not in NOTE_KINDS]:
        raise UserError(f"kinds: {strange[0]!r} is no kind of memory: use some of {', '.join(NOTE_KINDS)}")
    exchanges = view.spoke.by(MEMORY).tolist()
    episodes = view.episodes
    if ranking is None:
        order = exchanges[::-1]
    else:
        filed_in = set(exchanges)
        order = [n for n in episodes.exchange_id[ranking.order].tolist() if n in filed_in]
    said = view.said(order)
    found = []
    for exchange in order:
        for message in said[exchange]:
            about = filed(message.attachments) if message.role == MEMORY and message.current else {}
            if (
                not about
                or (kinds and about.get("kind") not in kinds)
                or (by is not None and about.get("by") != by)
            ):
                continue
            score = 0.0 if ranking is None else float(ranking.scores[episodes.position(exchange)])
            found.append(
                StoredMemory(
                    message.message_id, exchange, message.content, str(about.get("kind")), str(about.get("by")),
                    message.time, about.get("about"), about.get("reason"), about.get("date"), message.speaker, score,
                )
            )  # fmt: skip
    return found
