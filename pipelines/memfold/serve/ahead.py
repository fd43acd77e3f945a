"""What an idle service does for the questions to come. Knows nothing of HTTP.

Most of a new question's time goes into embedding sentences that no question before was compared with. Their vectors
depend on no question, so they are made while nobody waits.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress

from memfold.api import Store
from memfold.errors import UserError
from memfold.serve.newest import Newest

# Seconds without a request after which work ahead goes on: questions asked one after the other have all cores.
IDLE_S = 0.5


class Ahead:
    """Takes the first `most` steps of `Store.ahead` for the conversation asked last, once per snapshot, on its own
    thread. It pauses while `waiting` counts requests, and goes on with another conversation when that is asked."""

    def __init__(self, newest: Newest, most: int, waiting: Callable[[], int]) -> None:
        self._newest, self._most, self._waiting = newest, most, waiting
        self._thread = threading.Thread()
        self._conversation, self._asked = "", 0.0
        self._store: Store | None = None
        self._done = set[str]()

    def asked(self, conversation_id: str) -> None:
        """Begin with the conversation of an answered request, unless work is under way. For one thread only."""
        self._conversation, self._asked = conversation_id, time.monotonic()
        if self._most and not self._thread.is_alive():
            self._thread = threading.Thread(target=self._work, name="ahead")
            self._thread.start()

    def _work(self) -> None:
        # What was erased or removed meanwhile needs nothing embedded.
        with suppress(UserError):
            while not _ending():
                conversation_id, store = self._conversation, self._newest.store()
                if store is not self._store:
                    self._store, self._done = store, set()
                if conversation_id in self._done:
                    return
                if self._ends(conversation_id, store):
                    self._done.add(conversation_id)

    def _ends(self, conversation_id: str, store: Store) -> bool:
        """Embed for a conversation; False where something else is to be done before it is through."""
        steps = store.ahead(conversation_id)
        for _ in range(self._most):
            while self._waiting() or time.monotonic() < self._asked + IDLE_S:
                time.sleep(IDLE_S / 10)
            if self._conversation != conversation_id or self._newest.store() is not store or _ending():
                return False
            if next(steps, None) is None:
                break
        return True


def _ending() -> bool:
    """Whether the process ends, and waits for its threads."""
    return not threading.main_thread().is_alive()
