"""The ids of a conversation's messages in the store: each its own, whatever the source calls them."""

from __future__ import annotations


class Called:
    """Names the messages of one conversation, in order."""

    def __init__(self) -> None:
        self._copies: dict[str, int] = {}
        self._used: set[str] = set()

    def of(self, called: str) -> str:
        """The next message's id: what it is `called` by its source, or by its position if it has no id; for one that
        repeats an id `id#2`, `id#3` … (the first that no message before it has)."""
        name = called
        while name in self._used:
            self._copies[called] = self._copies.get(called, 1) + 1
            name = f"{called}#{self._copies[called]}"
        self._used.add(name)
        return name
