"""Asking about many things at once, each until one answer about it is valid. Knows nothing of what is asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from memfold.llm.answers import Invalid
from memfold.llm.asker import NO_EXCHANGE, Asker, Call, Kept, NoAnswer, gathered
from memfold.llm.budget import BudgetSpent
from memfold.llm.generator import Generation, Prompt, Refused

# Requests per question at most: the second one says what was wrong with the first answer.
ASKED = 2

T = TypeVar("T", covariant=True)


@dataclass(frozen=True, slots=True)
class Question(Generic[T]):
    """One thing to ask. `ask` makes the request, given what was wrong with the answer before ("" at first). `judge`
    reads an answer and raises Invalid if it is of no use. Answers are kept under `exchange_id`."""

    ask: Callable[[str], Prompt]
    judge: Callable[[Generation], T]
    exchange_id: int = NO_EXCHANGE


def judged(asker: Asker, questions: Sequence[Question[T]]) -> list[T | None]:
    """What `judge` reads for each question, in order; None for a question without a valid answer, which is counted with
    its reason. All questions are asked at once. Raises BudgetSpent, and UserError if the endpoint no longer answers
    questions of this kind."""
    if not questions:
        return []
    # Most often this finds all that will be needed, in one look-up.
    kept = asker.look_up(question.ask("") for question in questions)
    return asker.call(lambda: _all(asker, questions, kept))


async def _all(asker: Asker, questions: Sequence[Question[T]], kept: Kept) -> list[T | None]:
    async with asker.calling(kept) as call:
        made = await gathered(_one(question, asker, call) for question in questions)
        if stopped := [one for one in made if isinstance(one, BaseException)]:
            # A spent budget is reported before any other error.
            raise next((one for one in stopped if isinstance(one, BudgetSpent)), stopped[0])
        if None in made:
            # Whoever asks goes on by rules, and that would stay so.
            await call.check(questions[0].ask("").task)
    return [one for one in made if not isinstance(one, BaseException)]


async def _one(question: Question[T], asker: Asker, call: Call) -> T | None:
    problem = ""
    async with call.gate:
        for _ in range(ASKED):
            try:
                return question.judge(await call.generation(question.ask(problem), question.exchange_id))
            except Invalid as error:
                problem = str(error)
            except (Refused, NoAnswer) as error:
                problem = str(error)
                break
    asker.fallbacks[f"{question.ask('').task.name}: {problem}"] += 1
    return None
