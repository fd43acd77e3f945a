"""The ids of a conversation's messages in the store: each message has its own, whatever its source calls it."""

from __future__ import annotations

import re
from typing import Any

from memfold.given import composed

# What the instructions of a conversation are called that its source has beside the messages. They are not counted: a
# message without an id has the same position with and without them.
INSTRUCTIONS = "#system"

# The fields that hold what a message says, on whichever branch of its conversation it stands.
WORDS = ("role", "content", "time", "session", "speaker", "attachments")


def compared(
    role: Any, content: Any, time: Any, session: Any, speaker: Any, attachments: Any
) -> tuple[Any, ...]:
    """What tells the message of an id from another one of that id, of its `WORDS`. Who speaks in a tool's result does
    not: that is the call where a reader knows it, and in another file it may not. Nor does the Unicode form of a name,
    which an earlier memfold kept."""
    who = None if role == "tool" else speaker and composed(speaker)
    return role, content, time, session and composed(session), who, attachments


# What a message without an id is called where its conversation is joined with others (`memfold.ingest.joined`).
_PLACED = re.compile(r"(.*)/#\d+(?:#\d+)?", re.DOTALL | re.ASCII)


def placed(conversation_id: str, place: int) -> str:
    """What a joined conversation's message without an id is called, by its place there."""
    return f"{conversation_id}/#{place}"


def placed_in(message_id: str | None, *, joined: bool) -> str | None:
    """Within what a message is known by its place alone: the whole conversation (the empty string) if it has no id,
    or, in a conversation that was `joined` from others, one of these. None if its source gave its id."""
    if message_id is None:
        return ""
    found = _PLACED.fullmatch(message_id) if joined else None
    return None if found is None else found[1]


def instructions_of(message_id: str) -> str | None:
    """Of which joined conversation an id names the instructions, the empty string where nothing is joined; None if it
    is another message's."""
    of, _, last = message_id.rpartition("/")
    return of if last == INSTRUCTIONS else None


class Called:
    """Names the messages of one conversation, in order."""

    def __init__(self) -> None:
        self._copies: dict[str, int] = {}
        self._used: set[str] = set()
        self._delivered: dict[tuple[str, str], str] = {}

    def of(self, called: str, said: str | None) -> tuple[str, bool]:
        """The id of the next message, and whether it was delivered before. `called` is its id in the source, or its
        position if it has none; `said` is the digest of what is `compared` of it,
        None if it has no id.

        A message that repeats an id and its words was delivered before, and has the id of the first. One that repeats
        only the id gets `id#2`, `id#3` … (the first that no message before it has).
        """
        if said is not None and (called, said) in self._delivered:
            return self._delivered[called, said], True
        name = called
        while name in self._used:
            self._copies[called] = self._copies.get(called, 1) + 1
            name = f"{called}#{self._copies[called]}"
        self._used.add(name)
        if said is not None:
            self._delivered[called, said] = name
        return name, False
