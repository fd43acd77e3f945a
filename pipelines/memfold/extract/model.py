"""The engine around a generator: asks about each window once, keeps the answers, repairs, falls back.

For a window: nothing to say costs nothing; what is kept is not asked again; an answer that is not valid is asked
for again with what was wrong, then from the user's words alone; then the rules answer, and the extraction says
so. What even that does not give is a dead letter, alone. Knows no endpoint, no segment and no job (decision 10).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from memfold.digest import digest
from memfold.extract import prompts
from memfold.extract.ask import Asker, Call, NoAnswer, gathered
from memfold.extract.budget import BudgetSpent
from memfold.extract.contract import FALLBACK, NOTHING, Engine, exchange_place
from memfold.extract.engines.rules import Rules
from memfold.extract.generate import Generation, Generator, Prompt, Refused
from memfold.extract.nothing import holds_nothing
from memfold.extract.parse import Invalid, parse
from memfold.extract.prompts import EXTRACTION
from memfold.extract.results import Results
from memfold.schema import DeadLetter, Extraction, Window
from memfold.store.location import Location
from memfold.store.tables import Tables

RAW_BYTES = 4096


@dataclass
class Model:
    """An engine (`memfold.extract.contract.Engine`) that asks `generator` and keeps the answers in `results`."""

    generator: Generator
    results: Results
    rules: Engine = field(default_factory=Rules)
    asker: Asker = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.asker = Asker(self.generator, self.results)

    def __reduce__(self) -> tuple[Any, ...]:
        return Model, (self.generator, self.results, self.rules)

    @property
    def signature(self) -> str:
        g = self.generator
        sampling = g.sampling(EXTRACTION)
        rest = digest(sampling, g.history_tokens, g.assistant_tokens, g.fallback, self.rules.signature)
        return f"llm-2/{g.model}/{EXTRACTION.version}/{rest[:8]}"

    @property
    def history_tokens(self) -> int:
        return self.generator.history_tokens

    @property
    def assistant_tokens(self) -> int:
        return self.generator.assistant_tokens

    def share(self, workers: int) -> Model:
        """This engine for each of `workers` other processes, with a part of the budget: none knows what others spend.
        What is given away is spent here, where as large a part is left. A worker that died and was started again
        begins with its whole part."""
        g = self.generator
        parts = workers + 1
        part = replace(g, budget_tokens=g.budget_tokens // parts, budget_usd=g.budget_usd / parts)
        if g.budget_tokens and not part.budget_tokens:
            raise BudgetSpent(f"a budget of {g.budget_tokens} tokens is nothing for {workers} workers")
        self.asker.ledger.spent.tokens += workers * part.budget_tokens
        self.asker.ledger.spent.usd += workers * part.budget_usd
        return Model(part, self.results, self.rules)

    def extract(self, windows: Sequence[Window]) -> list[Extraction | DeadLetter]:
        """One extraction a window, or the reason why there is none; from any number of threads. BudgetSpent, and
        UserError where nobody answers: what was answered until then is kept."""
        asked = [None if holds_nothing(window) else prompts.ask(window) for window in windows]
        # Most often all that will be needed, and found at once.
        kept = self.results.find([self.generator.key(prompt) for prompt in asked if prompt is not None])
        return self.asker.call(lambda: self._extract(windows, asked, kept))

    def close(self) -> None:
        """Let go of the generator; the next call opens it again."""
        self.asker.close()

    async def _extract(
        self, windows: Sequence[Window], asked: Sequence[Prompt | None], kept: dict[str, Generation]
    ) -> list[Extraction | DeadLetter]:
        async with self.asker.calling(kept) as call:
            made = await gathered(map(partial(self._about, call), windows, asked))
        for window, stopped in zip(windows, made, strict=True):
            if isinstance(stopped, BudgetSpent):
                place = exchange_place(window.conversation_id, window.exchange_id)
                raise BudgetSpent(f"{stopped}: stopped at {place}")
            if isinstance(stopped, BaseException):
                raise stopped
        if self.asker.unanswered and not self.asker.answered:
            raise self.asker.gone
        return [one for one in made if not isinstance(one, BaseException)]

    async def _about(self, call: Call, window: Window, asked: Prompt | None) -> Extraction | DeadLetter:
        """The extraction of one window, whatever that takes; `asked` is its first request, if it holds anything."""
        if asked is None:
            return Extraction("", (), (), made_by=NOTHING)
        problem = ""
        async with call.gate:
            for step in prompts.STEPS:
                prompt = asked if step == "ask" else prompts.ask(window, step, problem)
                if prompt is None:
                    continue
                try:
                    made = await call.generation(prompt, window.exchange_id)
                    extraction = parse(made.text, made.finish_reason, window)
                    return replace(extraction, made_by=self.signature)
                except (Invalid, Refused) as error:
                    problem = str(error)
                except NoAnswer as error:
                    problem = str(error)
                    break
        return self._without(window, problem)

    def _without(self, window: Window, problem: str) -> Extraction | DeadLetter:
        rules = self.rules
        if self.generator.fallback:
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
            reason=f"no extraction by {self.generator.model}: {problem}",
            raw=said.encode(errors="replace")[:RAW_BYTES],
            conversation_id=window.conversation_id,
        )


def engine(chosen: Engine | Generator, location: Location) -> Engine:
    """The engine of a configuration: what is one already, or a generator with the result store at `location`."""
    if isinstance(chosen, Generator):
        return Model(chosen, Results(Tables(location, 0).generations, chosen.model))
    return chosen
