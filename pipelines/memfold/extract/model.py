"""The engine around a generator: asks about each window once, keeps the answers, repairs, falls back.

For a window: nothing to say costs nothing; what is kept is not asked again; an answer that is not valid is asked
for again with what was wrong, then from the user's words alone; then the rules answer, and the extraction says
so. What even that does not give is a dead letter, alone. Knows no endpoint, no segment and no job (decision 10).
"""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from memfold.digest import digest
from memfold.errors import UserError
from memfold.extract import prompts
from memfold.extract.budget import BudgetSpent, Ledger
from memfold.extract.contract import FALLBACK, NOTHING, Engine, exchange_place
from memfold.extract.engines.rules import Rules
from memfold.extract.generate import Complete, Generation, Generator, Refused, Transient
from memfold.extract.nothing import holds_nothing
from memfold.extract.parse import Invalid, parse
from memfold.extract.prompts import Prompt
from memfold.extract.results import Results, Writer
from memfold.schema import DeadLetter, Extraction, Window
from memfold.store.location import Location
from memfold.store.tables import Tables

RAW_BYTES = 4096
LONGEST_WAIT_S = 60.0
# So many exchanges since anything was answered, and nothing of this call: the endpoint is gone, and going on would
# have the rules write the rest of the conversation. Within a call, those that fail for ever are the last to end.
GONE = 8


# The ledger is for one thread. Threads of the local executor take turns; their segments' requests do not.
_ONE_CALL = threading.Lock()


class NoAnswer(Exception):
    """A request was not answered, however often it was sent; `str` says what the last try met."""


@dataclass
class Model:
    """An engine (`memfold.extract.contract.Engine`) that asks `generator` and keeps the answers in `results`."""

    generator: Generator
    results: Results
    rules: Engine = field(default_factory=Rules)
    ledger: Ledger = field(init=False, repr=False)
    # Exchanges since the last answer, and whether there ever was one.
    unanswered: int = field(default=0, init=False, repr=False)
    answered: bool = field(default=False, init=False, repr=False)

    def __post_init__(self) -> None:
        self.ledger = Ledger(self.generator)

    @property
    def signature(self) -> str:
        g = self.generator
        rest = digest(g.sampling, g.history_tokens, g.assistant_tokens, g.fallback, self.rules.signature)
        return f"llm-1/{g.model}/{prompts.VERSION}/{rest[:8]}"

    @property
    def history_tokens(self) -> int:
        return self.generator.history_tokens

    @property
    def assistant_tokens(self) -> int:
        return self.generator.assistant_tokens

    def share(self, workers: int) -> Model:
        """This engine for one of several processes, with its part of the budget: none knows what others spend."""
        g = self.generator
        part = replace(g, budget_tokens=g.budget_tokens // workers, budget_usd=g.budget_usd / workers)
        if g.budget_tokens and not part.budget_tokens:
            raise BudgetSpent(f"a budget of {g.budget_tokens} tokens is nothing for {workers} workers")
        return Model(part, self.results, self.rules)

    def extract(self, windows: Sequence[Window]) -> list[Extraction | DeadLetter]:
        """One extraction a window, or the reason why there is none. BudgetSpent, and UserError where nobody answers:
        what was answered until then is kept."""
        with _ONE_CALL:
            return asyncio.run(self._extract(windows))

    async def _extract(self, windows: Sequence[Window]) -> list[Extraction | DeadLetter]:
        writer = self.results.writer()
        try:
            async with self.generator.session() as complete:
                asking = _Asking(self, complete, writer, self._kept(windows))
                # All end, also where one was stopped: what is under way is paid for, and is kept.
                made = await asyncio.gather(*map(asking.about, windows), return_exceptions=True)
        finally:
            writer.flush()
        for window, stopped in zip(windows, made, strict=True):
            if isinstance(stopped, BudgetSpent):
                place = exchange_place(window.conversation_id, window.exchange_id)
                raise BudgetSpent(f"{stopped}: stopped at {place}")
            if isinstance(stopped, BaseException):
                raise stopped
        if self.unanswered and not self.answered:
            raise asking.gone("see engine.base_url")
        return [one for one in made if not isinstance(one, BaseException)]

    def key(self, prompt: Prompt) -> str:
        """What the generation for `prompt` is kept under."""
        return self.generator.key(prompt, prompts.VERSION)

    def _kept(self, windows: Sequence[Window]) -> dict[str, Generation]:
        """What is kept of the first requests about these windows: most often all that will be needed."""
        first = (prompts.ask(window) for window in windows if not holds_nothing(window))
        return self.results.find([self.key(prompt) for prompt in first if prompt is not None])


class _Asking:
    """The requests about the windows of one call, some of them at once."""

    def __init__(self, model: Model, complete: Complete, writer: Writer, kept: dict[str, Generation]) -> None:
        self._model = model
        self._generator = model.generator
        self._complete = complete
        self._writer = writer
        self._kept = kept
        self._gate = asyncio.Semaphore(model.generator.concurrency)
        self._settled = asyncio.Event()
        self._flushing = asyncio.Lock()
        self._answered = False

    async def about(self, window: Window) -> Extraction | DeadLetter:
        """The extraction of one window, whatever that takes."""
        if holds_nothing(window):
            return Extraction("", (), (), made_by=NOTHING)
        problem = ""
        async with self._gate:
            for step in prompts.STEPS:
                prompt = prompts.ask(window, step, problem)
                if prompt is None:
                    continue
                try:
                    made = await self._generation(window, prompt)
                    extraction = parse(made.text, made.finish_reason, window)
                    return replace(extraction, made_by=self._model.signature)
                except (Invalid, Refused) as error:
                    problem = str(error)
                except NoAnswer as error:
                    problem = str(error)
                    self._model.unanswered += 1
                    self._stop_if_gone(problem)
                    break
        return self._without(window, problem)

    async def _generation(self, window: Window, prompt: Prompt) -> Generation:
        key = self._model.key(prompt)
        found = self._kept.get(key) or self._model.results.find([key]).get(key)
        if found is None:
            found = await self._asked(prompt)
            self._answered = self._model.answered = True
            self._model.unanswered = 0
            self._writer.add(key, window, found)
            if self._writer.full and not self._flushing.locked():
                async with self._flushing:
                    await asyncio.to_thread(self._writer.flush)
        return found

    async def _asked(self, prompt: Prompt) -> Generation:
        ledger, wait, problem = self._model.ledger, self._generator.backoff_s, ""
        size = prompt.tokens if ledger.bounded else 0
        for attempt in range(self._generator.retries + 1):
            self._stop_if_gone(problem)
            while not ledger.room(size):
                self._settled.clear()
                await self._settled.wait()
            with ledger.request(size) as reserved:
                try:
                    made = await self._complete(prompt)
                except Transient as error:
                    problem, asked_for = str(error), error.wait
                    reserved.charged = error.paid
                else:
                    reserved.usage = made.usage
                    return made
                finally:
                    self._settled.set()
            if attempt < self._generator.retries:
                # Full jitter, so that requests that failed together do not come back together.
                delay = random.uniform(0, wait) + (asked_for or 0.0)
                await asyncio.sleep(min(delay, LONGEST_WAIT_S))
                wait = min(2 * wait, LONGEST_WAIT_S)
        raise NoAnswer(f"{self._generator.retries + 1} tries were not answered, the last: {problem}")

    def _stop_if_gone(self, problem: str) -> None:
        if self._model.unanswered >= GONE and not self._answered:
            raise self.gone(problem)

    def gone(self, problem: str) -> UserError:
        """The error of an endpoint that nothing comes from any more."""
        return UserError(
            f"{self._generator.model} does not answer ({self._model.unanswered} exchanges in a row, the last: "
            f"{problem}); what it answered before is kept: run the job again when it does"
        )

    def _without(self, window: Window, problem: str) -> Extraction | DeadLetter:
        rules = self._model.rules
        if self._generator.fallback:
            try:
                (made,) = rules.extract([window])
            except Exception as error:
                problem = f"{problem}; then the rules failed ({type(error).__name__})"
            else:
                return (
                    replace(made, made_by=rules.signature + FALLBACK)
                    if isinstance(made, Extraction)
                    else made
                )
        said = "\n".join(text for role, text in window.messages if role == "user")
        return DeadLetter(
            file="",
            place=exchange_place(window.conversation_id, window.exchange_id),
            reason=f"no extraction by {self._generator.model}: {problem}",
            raw=said.encode(errors="replace")[:RAW_BYTES],
            conversation_id=window.conversation_id,
        )


def engine(chosen: Engine | Generator, location: Location) -> Engine:
    """The engine of a configuration: what is one already, or a generator with the result store at `location`."""
    if isinstance(chosen, Generator):
        return Model(chosen, Results(Tables(location, 0).generations, chosen.model))
    return chosen
