"""The asker's life: what is under way when it is closed ends, what was answered is kept, and of equal requests one is
sent."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from memfold.extract.engines.model import ModelEngine
from memfold.llm.asker import Asker, Call
from memfold.llm.generator import Complete, Generation, Generator, Prompt, Refused, Task, Usage
from memfold.llm.results import Results, generations
from memfold.store.location import Location
from support.asked import MODEL, window

ANSWER = '{"exchanges": [{"exchange": 1, "facts": [["budget", "5000 euros"]], "summary": "The garden.", "notes": []}]}'
HOURS = 3_600.0


@dataclass(frozen=True, kw_only=True)
class Slow(Generator):
    """Answers at once, but for requests that say "wait": those take hours."""

    waiting: threading.Event = field(default_factory=threading.Event)
    under_way: list[Prompt] = field(default_factory=list)

    @asynccontextmanager
    async def session(self) -> AsyncIterator[Complete]:
        async def complete(prompt: Prompt) -> Generation:
            if "wait" in prompt.messages[-1][1]:
                self.waiting.set()
                self.under_way.append(prompt)
                await asyncio.sleep(HOURS)
            return Generation(ANSWER, "stop", Usage(100, 20))

        yield complete


def test_closing_ends_the_calls_under_way_and_keeps_what_was_answered(tmp_path: Path) -> None:
    table = generations(Location(str(tmp_path)))
    generator = Slow(model=MODEL, budget_tokens=100_000, together=1)
    engine = ModelEngine(generator, Results(table, MODEL))
    said = [window(f"The budget of garden {n} is 5000 euros.", exchange_id=n) for n in range(3)]
    with ThreadPoolExecutor(1) as thread:
        call = thread.submit(engine.extract, [*said, window("Please wait for garden 9.", exchange_id=3)])
        assert generator.waiting.wait(HOURS)
        engine.close()
        # Without an end of what is under way this would wait for ever.
        with pytest.raises(CancelledError):
            call.result()
    assert sorted(table.read().column("exchange_id").to_pylist()) == [0, 1, 2]
    # Nobody knows how far the model came with it: it is charged in full.
    assert engine.asker.ledger.spent.tokens > 3 * 120 + generator.max_tokens
    assert [made.summary for made in engine.extract(said)] == ["The garden."] * 3  # type: ignore[union-attr]
    assert len(generator.under_way) == 1
    engine.close()


@dataclass(frozen=True, kw_only=True)
class Numbered(Generator):
    """Answers with the number of the request, when it may; refuses those that say "refuse"."""

    sent: list[Prompt] = field(default_factory=list)
    may: asyncio.Event = field(default_factory=asyncio.Event)

    @asynccontextmanager
    async def session(self) -> AsyncIterator[Complete]:
        async def complete(prompt: Prompt) -> Generation:
            self.sent.append(prompt)
            number = len(self.sent)
            await self.may.wait()
            if "refuse" in prompt.messages[0][1]:
                raise Refused("it is refused")
            return Generation(str(number), "stop", Usage(1, 1))

        yield complete


def said(text: str) -> Prompt:
    return Prompt((("user", text),), Task("numbers", "1", None), "c")


@pytest.mark.parametrize("concurrency", [1, 64])
@pytest.mark.parametrize("looked_up", [True, False])
def test_of_equal_requests_one_is_sent_and_all_get_the_answer_that_is_kept(
    tmp_path: Path, concurrency: int, looked_up: bool
) -> None:
    generator = Numbered(model=MODEL, concurrency=concurrency)
    results = Results(generations(Location(str(tmp_path))), MODEL)
    by, prompt = Asker(generator, results), said("Go on.")
    kept = by.look_up([prompt]) if looked_up else None

    async def equal() -> list[Generation]:
        async def gated(call: Call) -> Generation:
            async with call.gate:
                return await call.generation(prompt, 0)

        async with by.calling(kept) as later:
            async with by.calling(kept) as call:
                generator.may.set()
                made = await asyncio.gather(*(gated(call) for _ in range(5)))
            return [*made, await gated(later)]

    made = by.call(equal)
    by.close()
    assert len(generator.sent) == 1
    assert made == [*results.find([generator.key(prompt)]).values()] * 6
    assert results.table is not None
    assert results.table.count() == 1


@pytest.mark.parametrize("text", ["Go on.", "Please refuse."])
def test_who_waits_for_an_equal_request_gets_its_error_and_asks_again_if_who_asked_went_away(
    text: str,
) -> None:
    generator = Numbered(model=MODEL)
    by, prompt = Asker(generator, Results(None, MODEL)), said(text)
    kept = by.look_up([prompt])

    async def one_goes_away() -> list[Generation | BaseException]:
        async with by.calling(kept) as call:
            asked = [asyncio.create_task(call.generation(prompt, n)) for n in range(4)]
            while not generator.sent:
                await asyncio.sleep(0)
            asked[0].cancel()
            asked[1].cancel()
            while len(generator.sent) < 2:
                await asyncio.sleep(0)
            generator.may.set()
            return await asyncio.gather(*asked, return_exceptions=True)

    made = by.call(one_goes_away)
    by.close()
    assert [type(one) for one in made[:2]] == [asyncio.CancelledError] * 2
    assert [str(getattr(one, "text", one)) for one in made[2:]] == [
        "2" if text == "Go on." else "it is refused"
    ] * 2
    assert len(generator.sent) == 2
