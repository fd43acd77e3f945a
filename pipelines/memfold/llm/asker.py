"""Asking a generator: each request once, within the budget, tried again where it was not answered, and kept.

One asker serves all threads of a process: it has an event loop of its own, on which the generator's session is open
from the first request until `close`. What was answered is committed together, at most about once a second; a call ends
when what it was answered is kept. Knows nothing of what is asked and of how an answer is judged.
"""

from __future__ import annotations

import asyncio
import random
import threading
import time
import weakref
from collections import Counter, defaultdict
from collections.abc import Callable, Coroutine, Iterable, Mapping
from concurrent.futures import CancelledError
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any, TypeVar

from memfold.beside import outlast
from memfold.errors import UserError, lines_of
from memfold.llm.budget import BudgetSpent, Ledger
from memfold.llm.generator import Complete, Generation, Generator, Prompt, Refused, Task, Transient
from memfold.llm.pace import LONGEST_WAIT_S, SERVICE_S, Pace
from memfold.llm.results import Results, Writer

# What a generation is kept under that is about no single exchange.
NO_EXCHANGE = -1
CLOSING_S = 0.1
# After so many requests in a row without an answer it is asked whether the endpoint is still there: if not, going on
# would have the rules write the rest of the conversation.
GONE = 8
# One exchange that is refused, or fails in a way that nobody foresaw, may be so for what it says; several are not.
FEW = 2
# A model that gave no valid answer about so many exchanges, and none before, will give none: one that is of use for a
# fifth of them comes to this by chance once in 35 jobs, for a third of them once in 650.
USELESS = 16
# An answer waits no longer than this to be committed, whatever else is answered meanwhile: what a kill costs.
KEPT_WITHIN_S = 3.0
# Commits that others share are this far apart: each is a file, and a version that all readers list.
COMMITS_APART_S = 1.0
# Characters of an error's own words that are worth a line.
WORDS = 200

T = TypeVar("T")
# What was found of some requests; None where nothing is kept of one.
Kept = Mapping[str, Generation | None]


class NoAnswer(Exception):
    """A request got no answer, however often it was sent; `str` says what the last attempt met, `said` says it in the
    endpoint's words."""

    def __init__(self, reason: str, said: str = "") -> None:
        super().__init__(reason)
        self.said = said


class Failed(NoAnswer):
    """A request ended in an error that nobody foresaw, in a backend or in what an endpoint sent. `str` names it."""


class Asker:
    """Asks `generator` and keeps what it writes in `results` (None: keeps nothing). With `gives_up` it raises an error
    once nobody answers any more, as a job should; a service asks again. `processes` is how many processes share the
    generator's engines, each with its part of their places. With `again` it is asked about what failed before, so that
    it tells nothing of the model if all of it is refused or of no use again.

    `call`, `look_up` and `close` may be used from any thread; everything else runs inside a call.
    """

    def __init__(
        self,
        generator: Generator,
        results: Results | None = None,
        *,
        gives_up: bool = True,
        processes: int = 1,
        again: bool = False,
    ) -> None:
        self.generator = generator
        self.results = results
        self.gives_up = gives_up
        self.processes = processes
        self.ledger = Ledger(generator)
        self.silences: defaultdict[str, Silence] = defaultdict(lambda: Silence(valid=again))
        # Why rules stood in for the model, and how often: for an exchange, or for another question (task's name first).
        self.fallbacks: Counter[str] = Counter()
        self._starting = threading.Lock()
        self._loop: _Loop | None = None
        self._ended = False

    def call(self, make: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """The result of the coroutine, run on the asker's loop. Answers that arrive meanwhile are kept before this
        returns."""
        with self._starting:
            if self._ended:
                raise CancelledError
            if self._loop is None:
                self._loop = _Loop(self)
                weakref.finalize(self, self._loop.end)
            loop = self._loop
        return loop.run(make())

    def close(self, *, for_good: bool = False) -> None:
        """End the session, the loop and the calls under way: whoever waits for one gets a CancelledError, and what
        was answered is kept. The next call opens them again, or gets that error too."""
        with self._starting:
            self._ended |= for_good
            loop, self._loop = self._loop, None
            self.silences.clear()
        if loop is not None:
            loop.close()

    def look_up(self, prompts: Iterable[Prompt]) -> Kept:
        """What is kept for some requests, by their keys, in one look-up; for `calling`."""
        keys = [self.generator.key(prompt) for prompt in prompts]
        if self.results is None:
            return {}
        return {**dict.fromkeys(keys), **self.results.find(keys)}

    # ------------------------------------------------------------------- on the loop

    def calling(self, kept: Kept | None = None) -> Call:
        """The requests of one call. Open it with `async with`. `kept` is what was looked up already."""
        assert self._loop is not None
        return Call(self, self._loop, kept or {})

    def silence(self, task: Task) -> Silence:
        """What came of the requests of this kind."""
        return self.silences[task.version]

    def judge(self, task: Task, reason: str = "") -> None:
        """Note that an answer was valid, or for one exchange the reason why no answer was. UserError after `USELESS`
        such exchanges without any valid answer."""
        silence = self.silence(task)
        silence.valid |= not reason
        silence.useless += bool(reason)
        if self.gives_up and not silence.valid and silence.useless >= USELESS:
            silence.gone = silence.gone or UserError(
                f"{_named(self.generator)} gives no valid answer ({silence.useless} exchanges and none before, "
                f"the last: {reason}): set engine.structured=true where its endpoint can hold it to a schema, choose "
                "a larger model, or choose engine=rules"
            )
            raise silence.gone


@dataclass
class Silence:
    """What came of requests of one kind since the last answer: how many nobody answered, which exchanges were
    refused or failed (a repair of one is no second), and the last words. `answered` is a request that was answered
    once, now or in an earlier run; `gone` is the error once no answer can be expected any more. `valid` says whether an
    answer about an exchange was valid, now or in an earlier run, and `useless` about how many none was."""

    answered: Prompt | None = None
    gone: UserError | None = None
    unanswered: int = 0
    refused: set[object] = field(default_factory=set)
    failed: set[object] = field(default_factory=set)
    words: str = ""
    valid: bool = False
    useless: int = 0

    def end(self, prompt: Prompt) -> None:
        """There was an answer."""
        self.answered = self.answered or prompt
        self.unanswered = 0
        self.refused.clear()
        self.failed.clear()

    def lost(self, least: int = 1) -> bool:
        """Whether at least so many in a row got no answer. Failures and refusals may be about what is said in one
        exchange; and where anything was ever answered the endpoint works, however much of a conversation it refuses."""
        few = max(least, FEW)
        refuses = self.answered is None and not self.valid and len(self.refused) >= few
        return self.unanswered >= least or len(self.failed) >= few or refuses

    def error(self, generator: Generator) -> UserError:
        """The error for a model that no longer answers, with the cure."""
        model = _named(generator)
        kept = "what was answered before is kept"
        if not self.unanswered and len(self.refused) >= len(self.failed):
            return UserError(
                f"{model} refuses everything ({len(self.refused)} exchanges in a row and no answer before, the last: "
                f"{self.words}); correct the engine's settings accordingly (engine.structured=false where it takes "
                "no schema, engine.max_tokens where requests are too long), or choose engine=rules"
            )
        if len(self.failed) > self.unanswered:
            return UserError(
                f"{model} fails at everything ({len(self.failed)} exchanges in a row, the last: {self.words}); {kept}: "
                "run the job again when that is mended, or choose engine=rules"
            )
        return UserError(
            f"{model} does not answer ({self.unanswered} requests in a row, the last: {self.words}); {kept}: run the "
            "job again when it does"
        )


class Call:
    """Requests that belong together. When the block ends, what they were answered is kept."""

    def __init__(self, asker: Asker, loop: _Loop, kept: Kept) -> None:
        self._asker = asker
        self._loop = loop
        self._kept = dict(kept)
        self._made: dict[str, Generation] = {}
        self._heard = False

    async def __aenter__(self) -> Call:
        self._complete = await self._loop.session()
        self._loop.calls.add(self)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._loop.calls.remove(self)
        try:
            if self._heard:
                # Nobody to share a commit with: at once. A call that ends alone took as long as its slowest answer, so
                # such commits are seconds apart of themselves.
                await self._loop.keep(at_once=not self._loop.calls)
        finally:
            # Who looks now finds it; who looked before is told.
            for key, made in self._made.items():
                del self._loop.asked[key]
                for call in self._loop.calls:
                    if key in call._kept:
                        call._kept[key] = made

    @property
    def gate(self) -> asyncio.Semaphore:
        """Lets as many through as may be under way at once. A request, with everything that follows from its answer,
        counts as one."""
        return self._loop.gate

    async def generation(
        self, prompt: Prompt, exchange_id: int, serves: Callable[[Generation], bool] = lambda _: True
    ) -> Generation:
        """What is kept for `prompt`, if it `serves`, or what the generator writes now, which is then kept under the
        conversation and the exchange (`NO_EXCHANGE`: none) instead. Of equal requests whose answer is kept one is sent,
        and its answer or error is that of all. Raises NoAnswer, Failed, Refused, BudgetSpent, or UserError where
        nobody answers any more."""
        asker = self._asker
        key = asker.generator.key(prompt)
        found = self._kept.get(key)
        if found is None and key not in self._kept and asker.results is not None:
            # In a thread: a look-up takes milliseconds, in which the loop could not send anything.
            found = (await asyncio.to_thread(asker.results.find, [key])).get(key)
        if found is not None and serves(found):
            silence = asker.silence(prompt.task)
            silence.answered = silence.answered or prompt
            return found
        # A repair is about the same exchange as what it repairs.
        about = (prompt.conversation_id, exchange_id if exchange_id != NO_EXCHANGE else key)
        writer = self._loop.writer
        if writer is None:
            return await self._asked(prompt, about)
        while (asked := self._loop.asked.get(key)) is not None:
            await asyncio.wait([asked])
            # Who asked may have gone away.
            if not asked.cancelled():
                self._heard = True
                return asked.result()
        asked = self._loop.asked[key] = asyncio.get_running_loop().create_future()
        try:
            made = await self._asked(prompt, about)
        except BaseException as error:
            del self._loop.asked[key]
            if isinstance(error, Exception):
                asked.set_exception(error)
                asked.exception()  # nobody else may be waiting for it
            else:
                asked.cancel()
            raise
        self._made[key] = made
        self._heard = True
        writer.add(key, prompt.conversation_id, exchange_id, made, instead=found is not None)
        asked.set_result(made)
        await self._loop.added()
        return made

    async def check(self, task: Task, least: int = 1) -> None:
        """UserError if at least so many requests of a kind got no answer and none is to be expected; at the end of a
        call, before the rules stand in for the model.

        Some requests fail for ever, and those are the last to end: whether it is they or the endpoint is told by asking
        again what was answered once, for one token."""
        asker, silence = self._asker, self._asker.silence(task)
        if not asker.gives_up:
            return
        async with self._loop.checking:
            known = silence.answered
            if silence.lost(least) and known is not None and silence.gone is None:
                try:
                    await self._tried(replace(known, task=replace(known.task, max_tokens=1)))
                except UserError:
                    raise
                except Refused:
                    silence.end(known)
                except Exception as error:
                    silence.words = silence.words or _words(error)
                else:
                    silence.end(known)
            if silence.lost(least):
                silence.gone = silence.gone or silence.error(asker.generator)
        self._stop_if_gone(silence)

    async def _asked(self, prompt: Prompt, about: object) -> Generation:
        """The answer to `prompt`, after as many tries as it may take; what came of it instead is noted."""
        silence = self._asker.silence(prompt.task)
        # What is about several is asked about each alone next, and only where that fails too nobody answers.
        counts = prompt.task.entries == 1
        try:
            found = await self._tried(prompt)
        except BudgetSpent:
            raise
        except UserError as error:
            # A wrong key, a spent balance: the other requests need not be sent to hear it too.
            silence.gone = error if self._asker.gives_up else None
            raise
        except Refused as error:
            if counts:
                silence.refused.add(about)
                silence.words = error.said or str(error)
            await self._check_many(prompt.task)
            raise
        except NoAnswer as error:
            if counts:
                silence.unanswered += 1
                silence.words = error.said or str(error)
            await self._check_many(prompt.task)
            raise
        except Exception as error:
            # Nobody foresaw it, so nobody knows that it is about more than this request.
            words = _words(error)
            if counts:
                silence.failed.add(about)
                silence.words = words
            await self._check_many(prompt.task)
            raise Failed(f"failed ({words})") from error
        silence.end(prompt)
        return found

    async def _check_many(self, task: Task) -> None:
        silence = self._asker.silence(task)
        if silence.lost(GONE):
            await self.check(task, GONE)

    async def _tried(self, prompt: Prompt) -> Generation:
        loop, g, ledger = self._loop, self._asker.generator, self._asker.ledger
        wait, size = g.backoff_s, prompt.tokens if ledger.bounded else 0
        longest = g.longest(prompt.task)
        last: Transient | None = None
        tries, answers = 0, loop.pace.answers
        while tries <= g.retries:
            self._stop_if_gone(self._asker.silence(prompt.task))
            # Who waits for an answer at a service may ask an endpoint again that gave none to those before.
            sent = await loop.pace.turn(GONE if self._asker.gives_up or last is not None else inf)
            if sent is None:
                last = loop.pace.last
                break
            while not ledger.room(size, longest):
                loop.settled.clear()
                await loop.settled.wait()
            with ledger.request(size, longest) as reserved:
                try:
                    made = await self._complete(prompt)
                except Transient as error:
                    last = error
                    reserved.charged = error.paid
                except (Refused, UserError):
                    raise
                except BaseException:
                    # Whoever waited went away, or nobody knows what happened; the model may run all the same.
                    reserved.charged = True
                    raise
                else:
                    reserved.usage = made.usage
                    loop.pace.answered()
                    return made
                finally:
                    loop.settled.set()
            if last.limited:
                loop.pace.refuse(sent, last)
                # It is about this request only if others were answered since it was sent first, or refused last.
                tries += loop.pace.answers > answers
                answers = loop.pace.answers
                continue
            tries += 1
            if tries <= g.retries:
                # Full jitter, so that requests that failed together do not come back together.
                delay = random.uniform(0, wait) + (last.wait or 0.0)
                await asyncio.sleep(min(delay, LONGEST_WAIT_S))
                wait = min(2 * wait, LONGEST_WAIT_S)
        assert last is not None
        raise NoAnswer(f"it was not answered ({last})", last.said) from last

    def _stop_if_gone(self, silence: Silence) -> None:
        if silence.gone is not None:
            raise silence.gone


class _Loop:
    """An event loop in a thread, with what lives on it: the session, the gate, what waits to be kept."""

    def __init__(self, asker: Asker) -> None:
        self._generator = asker.generator
        self._processes = asker.processes
        self._results = asker.results
        # Of these two the session says how large they are: how many engines there are may not be known before it.
        self.writer: Writer | None = None
        self.gate = asyncio.Semaphore(1)
        self.settled = asyncio.Event()
        self.pace = Pace(self._generator.backoff_s, LONGEST_WAIT_S if asker.gives_up else SERVICE_S)
        # One asks at a time whether the endpoint is still there.
        self.checking = asyncio.Lock()
        # Calls under way, which share commits.
        self.calls: set[Call] = set()
        # What they asked, by key, until the call that asked it ends and its answer is kept.
        self.asked: dict[str, asyncio.Future[Generation]] = {}
        self._opening = asyncio.Lock()
        self._committing = asyncio.Lock()
        self._hurry = asyncio.Event()
        self._committed_at = float("-inf")
        self._later: asyncio.TimerHandle | None = None
        self._keeping: set[asyncio.Task[None]] = set()
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
        outlast(self._thread.join)

    def _run(self) -> None:
        self._loop.run_forever()
        self._loop.close()

    async def session(self) -> Complete:
        """What sends requests; opened by the first call that needs it."""
        async with self._opening:
            if self._complete is None:
                self._complete = await self._stack.enter_async_context(self._generator.session())
                width = share(self._generator.counted().width, self._processes)
                self.gate = asyncio.Semaphore(width)
                if self._results is not None:
                    self.writer = self._results.writer(width)
        return self._complete

    async def added(self) -> None:
        """Something was added to what waits to be written: see to it that it does not wait too long."""
        assert self.writer is not None
        if len(self.writer) >= self.writer.most:
            await self.keep(at_once=True)
        elif len(self.writer) >= self.writer.a_commit:
            await self.keep(at_once=time.monotonic() - self._committed_at >= COMMITS_APART_S, wait=False)
        if len(self.writer) and self._later is None:
            self._later = self._loop.call_later(KEPT_WITHIN_S, self._keep_later)

    def _keep_later(self) -> None:
        self._later = None
        task = self._loop.create_task(self._keep_quietly())
        self._keeping.add(task)
        task.add_done_callback(self._keeping.discard)

    async def _keep_quietly(self) -> None:
        # What fails waits again, and the calls it is of will say so when they end.
        with suppress(Exception):
            await self.keep(at_once=True)

    async def keep(self, *, at_once: bool, wait: bool = True) -> None:
        """Write what waits: with the next commit, about a second after the last, or `at_once`. Returns when it is
        written; without `wait` it returns where that would not be at once."""
        if self.writer is None or not (at_once or wait):
            return
        if at_once:
            self._hurry.set()
        async with self._committing:
            if not len(self.writer):
                self._hurry.clear()
                return  # another commit took it along
            if not at_once:
                delay = self._committed_at + COMMITS_APART_S - time.monotonic()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._hurry.wait(), max(0.0, delay))
            self._hurry.clear()
            try:
                await asyncio.to_thread(self.writer.write)
            finally:
                self._committed_at = time.monotonic()

    async def _end(self) -> None:
        try:
            if self._later is not None:
                self._later.cancel()
            calls = asyncio.all_tasks() - {asyncio.current_task()}
            for call in calls:
                call.cancel()
            await asyncio.gather(*calls, return_exceptions=True)
            if self.writer is not None:
                # Here and not in a thread: at the end of the process there are no new ones.
                self.writer.write()
            await self._stack.aclose()
            await self._loop.shutdown_default_executor()
            # Connections that were given up close in later turns of the loop, those with TLS after an exchange.
            await asyncio.sleep(CLOSING_S)
        finally:
            self._loop.stop()


def share(places: int, processes: int) -> int:
    """How many of some places one of several processes gets, at least 1. Rounded up, because a place that nobody
    uses costs more than a request that waits."""
    return max(1, -(-places // processes))


def _named(generator: Generator) -> str:
    """A model and where it is asked."""
    return f"{generator.model} ({generator.address})" if generator.address else generator.model


def _words(error: Exception) -> str:
    """An unforeseen error in a line: its kind and its own last words."""
    return ": ".join([type(error).__name__, *lines_of(error)[-1:]])[:WORDS]


async def gathered(work: Iterable[Coroutine[Any, Any, T]]) -> list[T | BaseException]:
    """The result or the error of each, once all have ended: a request that is under way when another one stops is
    paid for, and kept."""
    return list(await asyncio.gather(*work, return_exceptions=True))
