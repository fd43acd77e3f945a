"""The engine around a generator: asks about each window once, keeps the answers, repairs, falls back.

For a window: nothing to say costs nothing; several that say little share a request; what is kept is not asked again.
Where an answer about several is not valid for one, that one is asked about alone; an answer that is not valid is asked
for again with what was wrong, then from the user's words alone; then the rules answer, and the extraction says
so. What even that does not give is a dead letter, alone. Knows no endpoint, no segment and no job (decision 10).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from memfold.digest import digest
from memfold.extract import prompts
from memfold.extract.contract import FALLBACK, NOTHING, Engine, exchange_place
from memfold.extract.engines.rules import Rules
from memfold.extract.nothing import holds_nothing
from memfold.extract.parse import parse
from memfold.extract.prompts import EXTRACTION
from memfold.extract.together import SHORT, together
from memfold.llm.asker import NO_EXCHANGE, Asker, Call, NoAnswer, gathered
from memfold.llm.budget import BudgetSpent
from memfold.llm.generator import Generation, Generator, Prompt, Refused
from memfold.llm.results import Results, generations
from memfold.schema import RAW_BYTES, DeadLetter, Extraction, Window
from memfold.store.location import Location

Made = Extraction | DeadLetter
# The windows of a request, and the request.
Asked = tuple[tuple[Window, ...], Prompt]


@dataclass
class ModelEngine:
    """An engine (`memfold.extract.contract.Engine`) that asks `generator` and keeps the answers in `results`."""

    generator: Generator
    results: Results
    rules: Engine = field(default_factory=Rules)
    asker: Asker = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.asker = Asker(self.generator, self.results)

    def __reduce__(self) -> tuple[Any, ...]:
        return ModelEngine, (self.generator, self.results, self.rules)

    @property
    def signature(self) -> str:
        g = self.generator
        sampling = g.sampling(EXTRACTION)
        seen = (g.history_tokens, g.assistant_tokens, g.together, SHORT)
        rest = digest(sampling, *seen, g.fallback, self.rules.signature)
        return f"llm-3/{g.model}/{EXTRACTION.version}/{rest[:8]}"

    @property
    def history_tokens(self) -> int:
        return self.generator.history_tokens

    @property
    def assistant_tokens(self) -> int:
        return self.generator.assistant_tokens

    def share(self, workers: int) -> ModelEngine:
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
        return ModelEngine(part, self.results, self.rules)

    def extract(self, windows: Sequence[Window]) -> list[Extraction | DeadLetter]:
        """One extraction a window, or the reason why there is none; from any number of threads. BudgetSpent, and
        UserError where nobody answers: what was answered until then is kept."""
        empty = [holds_nothing(window) for window in windows]
        telling = [window for window, nothing in zip(windows, empty, strict=True) if not nothing]
        asked = [(group, prompts.ask(group)) for group in together(telling, self.generator.together)]
        # Most often all that will be needed, and found at once.
        kept = self.results.find([self.generator.key(prompt) for _, prompt in asked])
        made = iter(self.asker.call(lambda: self._extract(asked, kept)))
        return [Extraction("", (), (), made_by=NOTHING) if nothing else next(made) for nothing in empty]

    def close(self) -> None:
        """Let go of the generator; the next call opens it again."""
        self.asker.close()

    async def _extract(self, asked: Sequence[Asked], kept: dict[str, Generation]) -> list[Made]:
        async with self.asker.calling(kept) as call:
            made = await gathered(self._about(call, group, prompt) for group, prompt in asked)
        for (group, _), stopped in zip(asked, made, strict=True):
            if isinstance(stopped, BudgetSpent):
                place = exchange_place(group[0].conversation_id, group[0].exchange_id)
                raise BudgetSpent(f"{stopped}: stopped at {place}")
            if isinstance(stopped, BaseException):
                raise stopped
        if self.asker.unanswered and not self.asker.answered:
            raise self.asker.gone
        return [one for group in made if not isinstance(group, BaseException) for one in group]

    async def _about(self, call: Call, group: Sequence[Window], asked: Prompt) -> list[Made]:
        """What is made of the windows of one request, whatever that takes."""
        async with call.gate:
            made = await self._answer(call, asked, group)
            if len(group) == 1:
                return [await self._repaired(call, group[0], made[0], prompts.REPAIRS[1:])]
        repaired = await gathered(self._alone(call, *one) for one in zip(group, made, strict=True))
        if stopped := [one for one in repaired if isinstance(one, BaseException)]:
            raise stopped[0]
        return [one for one in repaired if not isinstance(one, BaseException)]

    async def _alone(self, call: Call, window: Window, made: Extraction | Exception) -> Made:
        """`made` of several together, or what is made of this window alone."""
        if isinstance(made, Extraction):
            return made
        async with call.gate:
            return await self._repaired(call, window, made, prompts.REPAIRS)

    async def _repaired(
        self, call: Call, window: Window, made: Extraction | Exception, repairs: Sequence[prompts.Repair]
    ) -> Made:
        for how in repairs:
            if isinstance(made, Extraction) or (isinstance(made, NoAnswer) and how != "alone"):
                break
            prompt = prompts.repair(window, how, str(made))
            if prompt is not None:
                (made,) = await self._answer(call, prompt, [window])
        return made if isinstance(made, Extraction) else self._without(window, str(made))

    async def _answer(
        self, call: Call, prompt: Prompt, windows: Sequence[Window]
    ) -> list[Extraction | Exception]:
        """What one request gives of each window, or why it gives nothing."""
        # Of several, it is no single one's: a retry forgets what was written about what failed, and not their answer.
        about = windows[0].exchange_id if len(windows) == 1 else NO_EXCHANGE
        try:
            written = await call.generation(prompt, about)
        except (Refused, NoAnswer) as error:
            return [error] * len(windows)
        return [
            replace(one, made_by=self.signature) if isinstance(one, Extraction) else one
            for one in parse(written.text, written.finish_reason, windows)
        ]

    def _without(self, window: Window, problem: str) -> Made:
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
        return ModelEngine(chosen, Results(generations(location), chosen.model))
    return chosen
