"""Asking a generator: each request once, within the budget, tried again where it was not answered, and kept.

One asker serves all threads of a process: it has an event loop of its own, on which the generator's session is open
from the first request until `close`. Knows nothing of what is asked and of how an answer is judged.
"""

from __future__ import annotations

import asyncio
import random
import threading
import weakref
from collections.abc import Callable, Coroutine, Iterable, Mapping
from contextlib import AsyncExitStack
from typing import Any, TypeVar

from memfold.errors import UserError
from memfold.llm.budget import Ledger
from memfold.llm.generator import Complete, Generation, Generator, Prompt, Transient
from memfold.llm.results import Results, Writer

LONGEST_WAIT_S = 60.0
# What a generation is kept under that is about no single exchange.
NO_EXCHANGE = -1
CLOSING_S = 0.1
# So many requests since anything was answered, and nothing of this call: the endpoint is gone, and going on would
# have the rules write the rest of the conversation. Within a call, those that fail for ever are the last to end.
GONE = 8

T = TypeVar("T")


class NoAnswer(Exception):
    """A request was not answered, however often it was sent; `str` says what the last try met."""


class Asker:
    """Asks `generator` and keeps what it wrote in `results` (None: nothing is kept). Where nobody answers any more it
    `gives_up`, as a job should; a service asks again.

    `call` may be used from any thread; everything else runs inside it.
    """

    def __init__(
        self, generator: Generator, results: Results | None = None, *, gives_up: bool = True
    ) -> None:
        self.generator = generator
        self.results = results
        self.gives_up = gives_up
        self.ledger = Ledger(generator)
        # Requests in a row that nobody answered, what the last of them met, and whether one ever was.
        self.unanswered = 0
        self.problem = ""
        self.answered = False
        self._starting = threading.Lock()
        self._loop: _Loop | None = None

    def call(self, make: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """What the coroutine returns, run on the asker's loop; what was answered meanwhile is kept afterwards."""
        with self._starting:
            if self._loop is None:
                self._loop = _Loop(self)
                weakref.finalize(self, self._loop.end)
            loop = self._loop
        return loop.run(make())

    def close(self) -> None:
        """End the session and the loop, and with them the calls under way: who waits for one gets a CancelledError,
        what was answered is kept. The next call opens them again."""
        with self._starting:
            loop, self._loop = self._loop, None
        if loop is not None:
            loop.close()

    @property
    def gone(self) -> UserError:
        """The error of a generator that nothing comes from any more."""
        return UserError(
            f"{self.generator.model} does not answer ({self.unanswered} requests in a row, the last: {self.problem}); "
            "what it answered before is kept: run the job again when it does"
        )

    # ------------------------------------------------------------------- on the loop

    def calling(self, kept: Mapping[str, Generation] | None = None) -> Call:
        """The requests of one call. Open it with `async with`. `kept` are generations that were found already."""
        assert self._loop is not None
        return Call(self, self._loop, kept or {})


class Call:
    """Requests that belong together. When the block ends, what they were answered is kept."""

    def __init__(self, asker: Asker, loop: _Loop, kept: Mapping[str, Generation]) -> None:
        self._asker = asker
        self._loop = loop
        self._kept = kept
        self._answered = False

    async def __aenter__(self) -> Call:
        self._complete = await self._loop.session()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._loop.flush()

    @property
    def gate(self) -> asyncio.Semaphore:
        """As many as may be under way at once: a request, with all that follows from its answer, is one."""
        return self._loop.gate

    async def generation(self, prompt: Prompt, exchange_id: int) -> Generation:
        """What is kept for `prompt`, or what the generator writes now, which is then kept under the conversation and
        the exchange. Raises NoAnswer, Refused, BudgetSpent, or UserError where nobody answers any more."""
        asker, results = self._asker, self._asker.results
        key = asker.generator.key(prompt)
        found = self._kept.get(key)
        if found is None and results is not None:
            found = results.find([key]).get(key)
        if found is None:
            found = await self._asked(prompt)
            self._answered = asker.answered = True
            asker.unanswered = 0
            if self._loop.writer is not None:
                self._loop.writer.add(key, prompt.conversation_id, exchange_id, found)
                if self._loop.writer.full:
                    await self._loop.flush()
        return found

    async def _asked(self, prompt: Prompt) -> Generation:
        g, ledger, problem = self._asker.generator, self._asker.ledger, ""
        wait, size = g.backoff_s, prompt.tokens if ledger.bounded else 0
        longest = g.longest(prompt.task)
        for attempt in range(g.retries + 1):
            self._stop_if_gone()
            while not ledger.room(size, longest):
                self._loop.settled.clear()
                await self._loop.settled.wait()
            with ledger.request(size, longest) as reserved:
                try:
                    made = await self._complete(prompt)
                except Transient as error:
                    problem, asked_for = str(error), error.wait
                    reserved.charged = error.paid
                except asyncio.CancelledError:
                    reserved.charged = True  # whoever waited went away; the model may run all the same
                    raise
                else:
                    reserved.usage = made.usage
                    return made
                finally:
                    self._loop.settled.set()
            if attempt < g.retries:
                # Full jitter, so that requests that failed together do not come back together.
                delay = random.uniform(0, wait) + (asked_for or 0.0)
                await asyncio.sleep(min(delay, LONGEST_WAIT_S))
                wait = min(2 * wait, LONGEST_WAIT_S)
        # What is about several is asked about each alone next, and only where that fails too nobody answers.
        if prompt.task.entries == 1:
            self._asker.unanswered += 1
            self._asker.problem = problem
        self._stop_if_gone()
        raise NoAnswer(f"{g.retries + 1} tries were not answered, the last: {problem}")

    def _stop_if_gone(self) -> None:
        if self._asker.gives_up and self._asker.unanswered >= GONE and not self._answered:
            raise self._asker.gone


class _Loop:
    """An event loop in a thread, with what lives on it: the session, the gate, what waits to be kept."""

    def __init__(self, asker: Asker) -> None:
        self._generator = asker.generator
        results, width = asker.results, asker.generator.width
        self.writer: Writer | None = results.writer(width) if results is not None else None
        self.gate = asyncio.Semaphore(asker.generator.width)
        self.settled = asyncio.Event()
        self._opening = asyncio.Lock()
        self._flushing = asyncio.Lock()
        self._stack = AsyncExitStack()
        self._complete: Complete | None = None
        self._ending = False
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="asking", daemon=True)
        self._thread.start()

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()

    def end(self) -> None:
        """Begin to end, and wait for nothing: this may run wherever garbage is collected, whatever locks are held."""
        if not self._ending:
            self._ending = True
            self._loop.call_soon_threadsafe(lambda: self._loop.create_task(self._end()))

    def close(self) -> None:
        self.end()
        self._thread.join()

    def _run(self) -> None:
        self._loop.run_forever()
        self._loop.close()

    async def session(self) -> Complete:
        async with self._opening:
            if self._complete is None:
                self._complete = await self._stack.enter_async_context(self._generator.session())
        return self._complete

    async def flush(self) -> None:
        if self.writer is not None:
            async with self._flushing:
                rows = self.writer.take()
                try:
                    await asyncio.to_thread(self.writer.write, rows)
                except Exception:
                    self.writer.give_back(rows)
                    raise

    async def _end(self) -> None:
        try:
            calls = asyncio.all_tasks() - {asyncio.current_task()}
            for call in calls:
                call.cancel()
            await asyncio.gather(*calls, return_exceptions=True)
            if self.writer is not None:
                # Here and not in a thread: at the end of the process there are no new ones.
                self.writer.write(self.writer.take())
            await self._stack.aclose()
            await self._loop.shutdown_default_executor()
            # Connections that were given up close in later turns of the loop, those with TLS after an exchange.
            await asyncio.sleep(CLOSING_S)
        finally:
            self._loop.stop()


async def gathered(work: Iterable[Coroutine[Any, Any, T]]) -> list[T | BaseException]:
    """What each made or raised, when all have ended: what is under way when one is stopped is paid for, and kept."""
    return list(await asyncio.gather(*work, return_exceptions=True))
