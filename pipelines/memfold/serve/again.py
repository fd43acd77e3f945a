"""Answers that are asked for again. Knows nothing of HTTP.

An answer depends on the snapshot, the conversation, the request and the service's settings, and, where no model reads,
on no clock and no chance. So the last ones of the newest snapshot are kept, and go with it: whatever is erased,
corrected or added is another snapshot.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from memfold.api import Store
from memfold.serve.wire import ProbeRequest, ProbeResponse, probe

# One has 32 kB in JSON, with the greatest `k` 200 kB.
ANSWERS = 256
AGAIN = {"search": 0.0, "context": 0.0, "read": 0.0, "total": 0.0}


class Again:
    """`probe`, which remembers; from any number of threads. Answers with their context's text, which may have 128,000
    tokens, are not kept."""

    def __init__(self, limit: int = ANSWERS) -> None:
        self._limit = limit
        self._store: Store | None = None
        self._kept: OrderedDict[tuple[str, ProbeRequest], ProbeResponse] = OrderedDict()
        self._lock = Lock()

    def probe(self, store: Store, conversation_id: str, request: ProbeRequest) -> ProbeResponse:
        """The answer to a probe; one that is known took no time (`timings_ms`)."""
        asked = conversation_id, request
        with self._lock:
            if store is not self._store:
                self._store, self._kept = store, OrderedDict()
            # Whoever still reads an older snapshot keeps what it finds where nobody looks any more.
            kept = self._kept
            if known := kept.get(asked):
                kept.move_to_end(asked)
                return known.model_copy(update={"timings_ms": AGAIN})
        found = probe(store, conversation_id, request)
        if not request.include_context:
            with self._lock:
                kept[asked] = found
                while len(kept) > self._limit:
                    kept.popitem(last=False)
        return found
