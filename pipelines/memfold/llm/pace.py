"""How far apart requests are sent: at once, until an endpoint says that they are too many (HTTP 429)."""

from __future__ import annotations

import asyncio
import time

from memfold.llm.generator import Transient

# The longest that a request waits for its turn, or for what an endpoint asks.
LONGEST_WAIT_S = 60.0
# Requests come so much closer together with each answer. Simulated against limits of 0.3 to 100 requests per second,
# jobs took 1 to 6 % longer than the limit makes necessary, and no request was refused more than four times. With 0.8
# twice as many requests were refused, with 0.95 a job took up to 29 % longer.
CLOSER = 0.9
# A service keeps no greater distance: those who ask it wait a few seconds, and none would be answered for ten minutes
# after an outage that has passed.
SERVICE_S = 1.0
# Closer than this is at once.
AT_ONCE_S = 0.001


class Pace:
    """The turns of all requests of an event loop. Once the endpoint refuses one, they are sent one after the other,
    first `first_s` seconds apart, twice as far with each refusal up to `longest_s`; where nothing was to be sent for
    longer than that, at once again. `refused` counts refusals since the last answer, and `last` is the last of them."""

    def __init__(self, first_s: float, longest_s: float = LONGEST_WAIT_S) -> None:
        self.answers = 0
        self.refused = 0
        self.last: Transient | None = None
        self._first_s = first_s
        self._longest_s = longest_s
        self._apart_s = 0.0
        self._next = 0.0
        self._slowed = 0.0
        self._turn = asyncio.Lock()

    async def turn(self, most: float) -> float | None:
        """Wait until a request may be sent; returns when that is. None, at once, where `most` were refused in a row."""
        async with self._turn:
            while self.refused < most:
                now = time.monotonic()
                if now >= self._next:
                    if now - self._next > self._apart_s:
                        self._apart_s = 0.0
                    self._next = now + self._apart_s
                    return now
                await asyncio.sleep(self._next - now)
        return None

    def answered(self) -> None:
        """There was an answer."""
        self.answers += 1
        self.refused = 0
        self._apart_s *= CLOSER
        if self._apart_s < AT_ONCE_S:
            self._apart_s = 0.0

    def refuse(self, sent: float, error: Transient) -> None:
        """A request that was sent at `sent` came too soon. Those that were under way when an earlier one was refused
        slow nothing down again."""
        now = time.monotonic()
        self.last = error
        if sent >= self._slowed:
            self.refused += 1
            self._apart_s = min(max(self._first_s, 2 * self._apart_s), self._longest_s)
            self._slowed = now
        self._next = max(self._next, now + max(self._apart_s, min(error.wait or 0.0, LONGEST_WAIT_S)))
