"""The asker's life: what is under way when it is closed ends, and what was answered is kept."""

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
from memfold.llm.generator import Complete, Generation, Generator, Prompt, Usage
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
