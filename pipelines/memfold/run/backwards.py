"""Whether a source tells its conversations in order of time: what stands last counts as newest. Knows no store."""

from __future__ import annotations

from datetime import datetime, timedelta

from memfold.schema import MEMORY, Message

# So much earlier may a message be than one before it: clocks differ, and people write at the same time.
SLACK = timedelta(hours=1)


class Backwards:
    """The conversations in which a message is older than one before it."""

    def __init__(self) -> None:
        self._latest: dict[str, datetime] = {}
        self._found: dict[str, None] = {}

    def see(self, message: Message) -> None:
        """Take notice of the next message of a source. Branches that were given up, and memories that programs filed
        stand behind others that are newer."""
        if message.time is None or not message.current or message.role == MEMORY:
            return
        latest = self._latest.setdefault(message.conversation_id, message.time)
        if message.time > latest:
            self._latest[message.conversation_id] = message.time
        elif message.time < latest - SLACK:
            self._found[message.conversation_id] = None

    def said(self) -> str | None:
        """What there is to say of them; None where there are none."""
        if not self._found:
            return None
        first, count = next(iter(self._found)), len(self._found)
        those = (
            f"conversation {first!r} goes"
            if count == 1
            else f"{count:,} conversations, {first!r} the first, go"
        )
        return (
            f"{those} back in time by more than an hour: messages are taken in the order of the source, and what "
            "stands last counts as newest; if that is wrong, put them in order of time and index again (replace=true)"
        )
