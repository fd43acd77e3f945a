"""Asking a model while somebody waits: one valid answer within a time, or none. Nothing is kept: the next question is
another one. Knows nothing of what is asked."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from memfold.context.types import added
from memfold.llm.answers import Invalid
from memfold.llm.asker import NO_EXCHANGE, Asker, NoAnswer
from memfold.llm.generator import Generation, Generator, Prompt, Refused

T = TypeVar("T")

log = logging.getLogger(__name__)

# How endpoints and servers say that a request is longer than their model takes.
_TOO_LONG = re.compile(
    r"context.?(?:length|window|size)|model length|too many (?:\w+ )?tokens|tokens.{0,40}must be <=|reduce the length"
    r"|(?:prompt|input)\b.{0,40}\b(?:too long|longer|exceeds?)\b|input length|上下文|输入长度|超长",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Outcome(Generic[T]):
    """What came of asking: a valid answer, or None and the `problem`, in the endpoint's words where it gave some, which
    may quote the conversation. `usage` is what it cost either way."""

    value: T | None
    usage: dict[str, float]
    problem: str = ""


@dataclass
class Asking:
    """Asks `generator`, for at most `timeout_s` seconds an answer, from any number of threads."""

    generator: Generator
    timeout_s: float
    _asker: Asker = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self._asker = Asker(self.generator, gives_up=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return Asking, (self.generator, self.timeout_s)

    def answer(
        self,
        ask: Callable[[str], Prompt],
        judge: Callable[[Generation], T],
        tries: int = 1,
        *,
        shorter: str = "",
    ) -> Outcome[T]:
        """What `judge` makes of the answer to `ask("")`. Where it raises Invalid, `ask` is given the reason, and the
        answer to that counts, `tries` requests in all. `shorter` is how the user makes such requests shorter, for those
        that are too long for the model. UserError where the user must mend something: a wrong key, a spent budget."""
        usage: dict[str, float] = {}
        try:
            outcome = self._asker.call(lambda: self._answer(ask, judge, tries, usage))
        except (NoAnswer, Refused, TimeoutError) as error:
            problem = getattr(error, "said", "") or str(error) or f"no answer within {self.timeout_s:g} s"
            if shorter and isinstance(error, Refused) and _TOO_LONG.search(problem):
                problem = f"{problem}: {shorter}"
            outcome = Outcome(None, usage, problem)
        if outcome.value is None:
            log.warning("%s was of no use to a probe: %s", self.generator.model, outcome.problem)
        return outcome

    def close(self) -> None:
        """Let go of the generator; the next question opens it again."""
        self._asker.close()

    async def _answer(
        self,
        ask: Callable[[str], Prompt],
        judge: Callable[[Generation], T],
        tries: int,
        usage: dict[str, float],
    ) -> Outcome[T]:
        problem = ""
        # Outside the limit: a local engine may have to be started, once.
        async with self._asker.calling() as call, asyncio.timeout(self.timeout_s), call.gate:
            for _ in range(tries):
                usage["requests"] = usage.get("requests", 0) + 1
                made = await call.generation(ask(problem), NO_EXCHANGE)
                cost = {
                    "prompt_tokens": made.usage.prompt,
                    "cached_tokens": made.usage.cached,
                    "completion_tokens": made.usage.completion,
                }
                usage |= added(usage, cost)
                try:
                    return Outcome(judge(made), usage)
                except Invalid as error:
                    problem = str(error)
        return Outcome(None, usage, problem)
