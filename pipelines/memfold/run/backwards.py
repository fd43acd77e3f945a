"""Whether a conversation's messages stand in order of time: the last one counts as the newest. Knows no store."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta

from memfold.run.reconcile import Identified
from memfold.schema import MEMORY

# A message may be this much older than one before it: clocks differ, and people write at the same time.
SLACK = timedelta(hours=1)


class Backwards:
    """The conversations in which a message is older than one before it."""

    def __init__(self) -> None:
        self._found: dict[str, None] = {}

    def over(self, items: Iterable[Identified]) -> Iterator[Identified]:
        """The same messages of one conversation, in order. Branches that were given up do not count, nor do memories
        that programs filed: those stand behind others that are newer."""
        latest = None
        for item in items:
            time, counts = item.message.time, item.message.current and item.message.role != MEMORY
            if time is not None and counts:
                if latest is not None and latest - time > SLACK:
                    self._found[item.message.conversation_id] = None
                latest = time if latest is None else max(latest, time)
            yield item

    def said(self) -> str | None:
        """The notice about them; None if there are none."""
        if not self._found:
            return None
        first, count = next(iter(self._found)), len(self._found)
        those = (
            f"conversation {first!r} goes"
            if count == 1
            else f"{count:,} conversations, {first!r} the first, go"
        )
        return (
            f"{those} back in time by more than an hour: messages are taken in the order of the source, behind those "
            "that are stored, and what stands last counts as newest; if most other times agree, a time that is too "
            "early or too late counts as that of the next message; if that is wrong, put the source in order of time "
            "and index all of it again (replace=true)"
        )
