"""Short-term memory: the newest exchanges of the session that is going on, and at most five points of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from memfold.layers.state.stated import Stand, Stated
from memfold.retrieve.sessions import Session
from memfold.schema import StoredMessage, spoken

# Five to ten exchanges and five points, as designs of working memory have it (decision 32).
EXCHANGES, POINTS = 8, 5
# Characters that are shown of what a tool returned and of what it was asked, and messages of one exchange, most of them
# its last. Eight exchanges of a coding agent had 392,000 characters without.
TOOLS, FIRST, LAST = 600, 4, 20


@dataclass(frozen=True)
class Recent:
    """`session` is the one that is going on, None where it is idle or nothing was said; `messages` are those of its
    newest exchanges, in order, and `points` the newest entries of the state that were confirmed in it."""

    conversation_id: str
    session: Session | None
    points: tuple[Stated, ...]
    messages: tuple[StoredMessage, ...]

    @property
    def text(self) -> str:
        """YAML."""
        import yaml  # which only an export needs

        return str(yaml.safe_dump(self.json, allow_unicode=True, sort_keys=False, width=1_000))

    @property
    def json(self) -> dict[str, Any]:
        """The same as one object; `left_out` counts the messages in the middle of long exchanges."""
        session, left_out = self.session, _between(self.messages)
        return {
            "conversation_id": self.conversation_id,
            "session": None
            if session is None
            else {
                "name": session.name,
                "exchanges": [session.first, session.last],
                "began": session.began.isoformat() if session.began else None,
                "ended": session.ended.isoformat() if session.ended else None,
            },
            "points": [
                {"exchange": entry.exchange_id, "kind": entry.kind, "text": entry.text}
                for entry in self.points
            ],
            "exchanges": [
                {
                    "exchange": said.exchange_id,
                    "message": said.message_id,
                    "role": said.role,
                    "text": shown(said),
                }
                for said in self.messages
                if said.message_id not in left_out
            ],
            **({"left_out": len(left_out)} if left_out else {}),
        }

    def __str__(self) -> str:
        return self.text


def _between(messages: Sequence[StoredMessage]) -> set[str]:
    """The messages that are too many in the middle of an exchange, by their ids."""
    found: set[str] = set()
    for _, group in groupby(messages, key=lambda said: said.exchange_id):
        ids = [said.message_id for said in group]
        found.update(ids[FIRST:-LAST])
    return found


def shown(said: StoredMessage) -> str:
    """A message's text, of a tool's output and of what is attached to an answer no more than its beginning."""
    if said.role == "tool":
        return _cut(said.text)
    if said.role != "assistant":
        return said.text
    return spoken(said.speaker, said.content, tuple(map(_cut, said.attachments)))


def _cut(text: str) -> str:
    return text if len(text) <= TOOLS else f"{text[:TOOLS].rstrip()} …"


def points(state: Stand | None, session: Session, count: int = POINTS) -> list[Stated]:
    """The newest entries that hold and were confirmed in a session, oldest first."""
    held = (
        []
        if state is None
        else [e for e in state.entries if e.state == "holds" and session.holds(e.exchange_id)]
    )
    return held[max(len(held) - count, 0) :]


def newest(session: Session, exchanges: Sequence[int], count: int = EXCHANGES) -> list[int]:
    """The numbers of the newest exchanges of a session among those there are, oldest first."""
    return [exchange for exchange in exchanges if session.holds(exchange)][-count:] if count else []
