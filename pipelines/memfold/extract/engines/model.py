"""The engine around a generator: asks about each window once, keeps the answers, repairs, falls back.

For a window: nothing to say costs nothing; several that say little share a request; what is kept is not asked again.
Where an answer about several is not valid for one, that one is asked about alone; an answer that is not valid is asked
for again with what was wrong, then from the user's words alone; then the rules answer, and the extraction says
so. What even that does not give is a dead letter, alone. Knows no endpoint, no segment and no job (decision 10).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, cast

from memfold.extract import prompts
from memfold.extract.contract import FALLBACK, NOTHING, Before, Engine, exchange_place
from memfold.extract.engines.rules import Rules
from memfold.extract.nothing import holds_nothing
from memfold.extract.parse import parse
from memfold.extract.prompts import EXTRACTION
from memfold.extract.together import SHORT, together
from memfold.llm.answers import Invalid
from memfold.llm.asker import NO_EXCHANGE, Asker, Call, Failed, Kept, NoAnswer, gathered, share
from memfold.llm.budget import BudgetSpent
from memfold.llm.generator import Generation, Generator, Prompt, Refused
from memfold.llm.results import Results, generations
from memfold.schema import RAW_BYTES, DeadLetter, Extraction, Window
from memfold.store.location import Location

# A process has no more exchanges in flight. Making their requests and judging the answers takes 0.2 ms of CPU an
# exchange, sending one 1 ms: so a process serves about 800 exchanges a second, and a loaded engine takes 5 s for an
# answer or longer. More than 4,096 would wait for this process instead of the engines; more engines want more workers.
MOST_IN_FLIGHT = 4_096

Made = Extraction | DeadLetter
# What a request gave for each of its windows, None where it gave nothing. Empty if the request is not known.
Known = Sequence[Extraction | None]
# The windows of a request, and the request.
Asked = tuple[tuple[Window, ...], Prompt]


@dataclass
class ModelEngine:
    """An engine (`memfold.extract.contract.Engine`) that asks `generator` and keeps the answers in `results`. For
    `processes` see `memfold.llm.asker.Asker`; `again` are the exchanges of a retry (`retrying`), None elsewhere."""

    generator: Generator
    results: Results
    rules: Engine = field(default_factory=Rules)
    processes: int = 1
    again: frozenset[tuple[str, int]] | None = None
    asker: Asker = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.asker = Asker(
            self.generator, self.results, processes=self.processes, again=self.again is not None
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return ModelEngine, (self.generator, self.results, self.rules, self.processes, self.again)

    @property
    def signature(self) -> str:
        """The model and its weights, the prompt, and the hash of every setting that an extraction depends on."""
        g = self.generator
        seen = (g.history_tokens, g.assistant_tokens, g.together, SHORT)
        return g.signed("llm-6", EXTRACTION, *seen, g.fallback, self.rules.signature)

    @property
    def history_tokens(self) -> int:
        """How many tokens of earlier messages a window holds at most."""
        return self.generator.history_tokens

    @property
    def assistant_tokens(self) -> int:
        """How many tokens of an assistant's message a window holds at most."""
        return self.generator.assistant_tokens

    @property
    def fallbacks(self) -> Counter[str]:
        """Why the rules stood in for the model in this process, and how often; for other questions than an extraction
        too, their task's name first."""
        return self.asker.fallbacks.copy()

    @cached_property
    def in_flight(self) -> int:
        """Exchanges to keep in flight in this process: twice as many as fill its part of the engines' places, because a
        call ends with its slowest exchange (16 engines had 88 % of their places taken so, and 45 % without), more where
        exchanges may share requests, so that short ones fill the places too, and `MOST_IN_FLIGHT` at most. UserError
        where there are no engines to count."""
        generator = self.generator.counted()
        width = share(generator.width, self.processes)
        return min(MOST_IN_FLIGHT, width * (1 + generator.together))

    def given(self, conversation_id: str, exchanges: range) -> str:
        """Nothing: it is given windows only."""
        return ""

    def unused(self, exchanges: Mapping[str, int]) -> tuple[()]:
        """Nothing: it is given windows only."""
        return ()

    def share(self, workers: int) -> ModelEngine:
        """This engine for each of `workers` other processes, with a part of the engines' places and of the budget,
        because none knows what the others spend. What is given away counts as spent here, and an equal part remains.
        What a worker that died had of it is lost. Raises BudgetSpent if the part is nothing."""
        g = self.generator.counted()
        parts = workers + 1
        part = replace(g, budget_tokens=g.budget_tokens // parts, budget_usd=g.budget_usd / parts)
        if g.budget_tokens and not part.budget_tokens:
            raise BudgetSpent(
                f"a budget of {g.budget_tokens} tokens is nothing for {workers} workers: raise engine.budget_tokens",
                asked=False,
            )
        self.asker.ledger.spent.tokens += workers * part.budget_tokens
        self.asker.ledger.spent.usd += workers * part.budget_usd
        return ModelEngine(part, self.results, self.rules, workers, self.again)

    def retrying(self, failed: Iterable[tuple[str, int]]) -> ModelEngine:
        """See `Engine.retrying`."""
        return replace(self, again=frozenset(failed))

    def extract(
        self, windows: Sequence[Window], before: Before | None = None
    ) -> list[Extraction | DeadLetter]:
        """One extraction per window, in order, or the reason why there is none; from any number of threads. The windows
        may belong to several conversations and segments. If no answer to a request is kept, as after an erasure, what
        it gave `before` counts. Raises BudgetSpent, and UserError where nobody answers: what was
        answered until then is kept."""
        empty = [holds_nothing(window) for window in windows]
        telling = [window for window, nothing in zip(windows, empty, strict=True) if not nothing]
        asked = self._requests(telling)
        # Most often all that will be needed, and found at once.
        kept = self.asker.look_up(prompt for _, prompt in asked)
        known = self._known(before()) if before is not None and None in kept.values() else {}
        made = iter(self.asker.call(lambda: self._extract(asked, kept, known)))
        return [Extraction("", (), (), made_by=NOTHING) if nothing else next(made) for nothing in empty]

    def close(self) -> None:
        """Release the generator; the next call opens it again."""
        self.asker.close()

    def _requests(self, windows: Sequence[Window]) -> list[Asked]:
        """What is asked about some windows that hold something."""
        return [(group, prompts.request(group)) for group in together(windows, self.generator.together)]

    def _known(self, before: Sequence[tuple[Window, Extraction]]) -> dict[str, Known]:
        """What requests gave, by their keys, if they gave anything. Exchanges that shared a request count together or
        not at all: what was said in one may stand in what was written about another."""
        made = {
            (window.conversation_id, window.exchange_id): extraction
            for window, extraction in before
            if extraction.made_by == self.signature
        }
        found = {
            self.generator.key(prompt): [made.get((of.conversation_id, of.exchange_id)) for of in group]
            for group, prompt in self._requests([of for of, _ in before if not holds_nothing(of)])
        }
        return {key: given for key, given in found.items() if any(given)}

    async def _extract(self, asked: Sequence[Asked], kept: Kept, known: Mapping[str, Known]) -> list[Made]:
        """What is made of each window, in order."""

        def gave(prompt: Prompt) -> Known:
            """What a request gave before, if no answer to it is kept."""
            key = self.generator.key(prompt)
            return known.get(key, ()) if kept.get(key) is None else ()

        async with self.asker.calling(kept) as call:
            made = await gathered(self._about(call, *each, gave(each[1])) for each in asked)
            # A spent budget is said before whatever else there was.
            for (group, _), stopped in zip(asked, made, strict=True):
                if isinstance(stopped, BudgetSpent):
                    place = exchange_place(group[0].conversation_id, group[0].exchange_id)
                    raise BudgetSpent(f"{stopped}; stopped at {place}", stopped.asked)
            if stops := [one for one in made if isinstance(one, BaseException)]:
                raise stops[0]
            await call.check(EXTRACTION)
        return [one for group in made if not isinstance(group, BaseException) for one in group]

    async def _about(self, call: Call, group: Sequence[Window], asked: Prompt, gave: Known) -> list[Made]:
        """What is made of the windows of one request: what it `gave` before, or else an answer, whatever that takes."""
        async with call.gate:
            made = [one or Invalid("there was none") for one in gave] or await self._answer(
                call, asked, group
            )
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
            if isinstance(made, Extraction) or (_in_vain(made) and how != "alone"):
                break
            # Of what nobody foresaw no word goes into a request: it may be somebody else's.
            problem = "there was none" if isinstance(made, Failed) else str(made)
            prompt = prompts.repair(window, how, problem)
            if prompt is not None:
                (made,) = await self._answer(call, prompt, [window])
        if isinstance(made, Extraction):
            return made
        if isinstance(made, Invalid):
            self.asker.judge(EXTRACTION, str(made))
        return self._without(window, str(made))

    async def _answer(
        self, call: Call, prompt: Prompt, windows: Sequence[Window]
    ) -> list[Extraction | Exception]:
        """What one request gives of each window, or why it gives nothing."""
        alone = len(windows) == 1
        about = windows[0].exchange_id if alone else NO_EXCHANGE  # of several, it is no single one's

        def serves(written: Generation) -> bool:
            """Whether an answer that is kept need not be asked for again, as one that gave nothing of what failed. Of
            several together, what failed is asked about alone."""
            if not alone or (windows[0].conversation_id, windows[0].exchange_id) not in (self.again or ()):
                return True
            with suppress(Exception):  # what judging it meets is told below, of the new answer
                return isinstance(parse(written.text, written.finish_reason, windows)[0], Extraction)
            return False

        try:
            written = await call.generation(prompt, about, serves)
        except (Refused, NoAnswer) as error:
            return [error] * len(windows)
        try:
            found = parse(written.text, written.finish_reason, windows)
        except Exception as error:
            # A mistake in judging an answer costs what the answer is about, and not the job.
            return [Failed(f"failed ({type(error).__name__} in judging the answer)")] * len(windows)
        if any(isinstance(one, Extraction) for one in found):
            self.asker.judge(EXTRACTION)
        return [replace(one, made_by=self.signature) if isinstance(one, Extraction) else one for one in found]

    def _without(self, window: Window, problem: str) -> Made:
        rules = self.rules
        if self.generator.fallback:
            try:
                (made,) = rules.extract([window])
            except Exception as error:
                problem = f"{problem}; then the rules failed ({type(error).__name__})"
            else:
                if isinstance(made, DeadLetter):
                    return made
                self.asker.fallbacks[problem] += 1
                return replace(made, made_by=rules.signature + FALLBACK)
        said = "\n".join(text for role, text in window.messages if role == "user")
        return DeadLetter(
            file="",
            place=exchange_place(window.conversation_id, window.exchange_id),
            reason=f"no extraction by {self.generator.model}: {problem}",
            raw=said.encode(errors="replace")[:RAW_BYTES],
            conversation_id=window.conversation_id,
        )


def _in_vain(made: Exception) -> bool:
    """Whether a request was tried as often as it may be, so that another like it is not worth sending."""
    return isinstance(made, NoAnswer) and not isinstance(made, Failed)


def engine(chosen: Engine | Generator, location: Location) -> Engine:
    """The engine that a configuration names. A generator is asked through a `ModelEngine`, which keeps its answers in
    the result store at `location`."""
    asked = chosen.generator
    if asked is None:
        return cast(Engine, chosen)  # a generator is its own
    return ModelEngine(asked, Results(generations(location), asked.model))
