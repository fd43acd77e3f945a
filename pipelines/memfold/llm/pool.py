"""Which of several equal engines a request goes to.

A conversation's requests go to its own engine, which has their beginnings cached; an engine with nothing to do, or
with much less, takes them over. One that failed is left alone for a while. Knows nothing of what an engine is; for
one event loop.
"""

from __future__ import annotations

import asyncio
import math
import zlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Generic, TypeVar

E = TypeVar("E")

# A conversation leaves its engine where that has a quarter more under way than another: less would give up cached
# beginnings for a moment's difference. A share, and no number of places: when a long conversation's last notes are
# condensed there is little to do, and fifteen requests at one engine take 1.7 times as long as two (an H200's pace,
# memfold.evaluate.simulated.endpoint).
SLACK = 0.25


@dataclass
class _Place(Generic[E]):
    engine: E
    busy: int = 0
    resting_until: float = 0.0


class Pool(Generic[E]):
    """`engines`, each with `slots` requests at once."""

    def __init__(self, engines: Sequence[E], slots: int) -> None:
        self._places = [_Place(engine) for engine in engines]
        self._slots = slots
        self._turn = asyncio.Lock()
        self._freed = asyncio.Event()

    @asynccontextmanager
    async def engine(self, conversation_id: str) -> AsyncIterator[E]:
        """An engine with a free slot for a request about the conversation, taken until the block ends. Who came first
        is served first."""
        async with self._turn:
            while (place := self._choose(conversation_id)) is None:
                self._freed.clear()
                await self._freed.wait()
            place.busy += 1
        try:
            yield place.engine
        finally:
            place.busy -= 1
            self._freed.set()

    def rest(self, engine: E, seconds: float) -> None:
        """Give `engine` nothing for a while (inf: until this is called with another time), unless it is the only
        one. While all of them rest, requests wait for the first to wake; if none ever will, the engine itself says
        what it is waiting for."""
        for place in self._places:
            if place.engine is engine:
                loop = asyncio.get_running_loop()
                place.resting_until = loop.time() + seconds
                if math.isfinite(seconds):
                    loop.call_later(seconds, self._freed.set)

    def _choose(self, conversation_id: str) -> _Place[E] | None:
        now = asyncio.get_running_loop().time()
        up = [place for place in self._places if place.resting_until <= now]
        if not up:
            first = min(self._places, key=lambda place: place.resting_until)
            if len(self._places) > 1 and math.isfinite(first.resting_until):
                return None
            up = [first]
        idlest = min(up, key=lambda place: place.busy)
        home = self._places[zlib.crc32(conversation_id.encode(errors="replace")) % len(self._places)]
        close = home.busy <= (1 + SLACK) * idlest.busy
        chosen = home if home in up and close else idlest
        return chosen if chosen.busy < self._slots else (idlest if idlest.busy < self._slots else None)
