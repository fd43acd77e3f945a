"""The errors meant for the person at the keyboard."""

from __future__ import annotations

from collections.abc import Sequence


class UserError(Exception):
    """Something the user can mend: one line that names the place and the cure. Jobs print it and exit with 2."""


class UnknownConversation(UserError):
    """A snapshot shows no conversation of that id; `near` are ids like it that it does show."""

    def __init__(self, conversation_id: str, near: Sequence[str] = ()) -> None:
        there = f"; near to it: {', '.join(map(repr, near))}" if near else ""
        super().__init__(f"there is no conversation {conversation_id!r}{there}")


class UnknownSpeaker(UserError):
    """A conversation has no user of that name; `known` are those it has."""

    def __init__(self, speaker: str, conversation_id: str, known: Sequence[str]) -> None:
        users = f"whose users are {', '.join(known)}" if known else "whose source names no users"
        super().__init__(f"speaker={speaker!r} is no user of conversation {conversation_id!r}, {users}")
