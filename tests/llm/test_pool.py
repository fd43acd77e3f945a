"""Which engine a request goes to: its conversation's, unless that is busy or resting; never more than there is room."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memfold.llm.pool import SLACK, Pool

T = TypeVar("T")
SLOTS = 8


class Jumping(selectors.DefaultSelector):
    """Waits for no time: the loop's clock jumps to what happens next. Where nothing ever will, somebody starves."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready:
            assert timeout is not None, "somebody waits for what will never happen"
            self.now += timeout
        return ready


def run(work: Coroutine[Any, Any, T]) -> T:
    """What the coroutine returns, on a clock of its own."""
    selector = Jumping()
    loop = asyncio.SelectorEventLoop(selector)
    loop.time = lambda: selector.now  # type: ignore[method-assign]
    # A timer is due at the clock's next tick: nothing is lost to rounding.
    loop._clock_resolution = 1e-6  # type: ignore[attr-defined]
    try:
        return loop.run_until_complete(work)
    finally:
        loop.close()


@dataclass
class Served:
    """Engines called 0, 1, 2 …, what they have in hand, and where each request went."""

    pool: Pool[int]
    in_hand: dict[int, int] = field(default_factory=dict)
    most: int = 0
    went: list[tuple[str, int]] = field(default_factory=list)
    waiting: int = 0

    async def ask(self, conversation_id: str, seconds: float = 1.0) -> int:
        self.waiting += 1
        async with self.pool.engine(conversation_id) as engine:
            self.waiting -= 1
            self.went.append((conversation_id, engine))
            self.in_hand[engine] = self.in_hand.get(engine, 0) + 1
            self.most = max(self.most, self.in_hand[engine])
            await asyncio.sleep(seconds)
            self.in_hand[engine] -= 1
        return engine


def served(engines: int, slots: int = SLOTS) -> Served:
    return Served(Pool(range(engines), slots))


async def home(of: Served, conversation_id: str) -> int:
    return await of.ask(conversation_id, 0.001)


def test_a_conversation_stays_with_its_engine_and_conversations_are_spread() -> None:
    async def asked() -> None:
        of = served(4)
        for _ in range(5):
            await asyncio.gather(*(of.ask(f"c{n}", 0.5) for n in range(8)))
        at: dict[str, set[int]] = {}
        for conversation_id, engine in of.went:
            at.setdefault(conversation_id, set()).add(engine)
        assert all(len(engines) == 1 for engines in at.values())
        assert len({engine for engines in at.values() for engine in engines}) > 1

    run(asked())


def test_another_pool_sends_a_conversation_to_the_same_engine() -> None:
    async def first(of: Served) -> list[int]:
        return [await home(of, f"c{n}") for n in range(20)]

    assert run(first(served(5))) == run(first(served(5)))


@pytest.mark.parametrize("engines", [2, 4, 16])
def test_one_conversation_fills_all_engines_nearly_evenly(engines: int) -> None:
    async def asked() -> None:
        of = served(engines)
        at = await home(of, "c")
        half = engines * SLOTS // 2
        work = [asyncio.create_task(of.ask("c")) for _ in range(half)]
        await asyncio.sleep(0.1)
        others = [count for engine, count in of.in_hand.items() if engine != at]
        assert max(others) - min(others) <= 1
        assert min(others) <= of.in_hand[at] <= (1 + SLACK) * min(others) + 1
        work += [asyncio.create_task(of.ask("c")) for _ in range(engines * SLOTS - half)]
        await asyncio.sleep(0.1)
        assert [of.in_hand[engine] for engine in range(engines)] == [SLOTS] * engines
        await asyncio.gather(*work)

    run(asked())


def test_an_idle_engine_takes_over_at_once_and_a_busy_one_where_it_has_much_less_to_do() -> None:
    async def asked() -> None:
        of = served(2, slots=40)
        at = await home(of, "c")
        work, apart = [], []
        for _ in range(60):
            work.append(asyncio.create_task(of.ask("c")))
            await asyncio.sleep(0.001)
            there, other = of.in_hand[at], of.in_hand.get(1 - at, 0)
            assert other <= there <= (1 + SLACK) * other + 1
            apart.append(there - other)
        # One at each, and the more there is to do, the longer it stays.
        assert apart[:4] == [1, 0, 1, 0]
        assert max(apart) > 5
        await asyncio.gather(*work)
        assert await home(of, "c") == at

    run(asked())


def test_a_resting_engine_gets_nothing_until_it_has_rested() -> None:
    async def asked() -> None:
        of = served(3)
        at = await home(of, "c")
        of.pool.rest(at, 2.0)
        before = len(of.went)
        await asyncio.gather(*(of.ask(f"c{n}", 0.1) for n in range(40)), of.ask("c", 0.1))
        assert at not in {engine for _, engine in of.went[before:]}
        await asyncio.sleep(2.0)
        assert await home(of, "c") == at

    run(asked())


def test_where_all_rest_the_first_to_wake_gets_the_work() -> None:
    async def asked() -> None:
        of = served(3)
        for engine, seconds in enumerate((9.0, 5.0, 7.0)):
            of.pool.rest(engine, seconds)
        assert {await of.ask(f"c{n}", 0.01) for n in range(20)} == {1}
        # Only so much as it has room for: more does not wake the others, and does not crowd it.
        await asyncio.gather(*(of.ask("c", 0.1) for _ in range(3 * SLOTS)))
        assert of.most == SLOTS
        assert {engine for _, engine in of.went} == {1}

    run(asked())


def test_who_waits_is_served_when_an_engine_has_rested_and_not_only_when_another_is_free() -> None:
    async def asked() -> None:
        of = served(2, slots=1)
        of.pool.rest(0, 1.0)
        long = asyncio.create_task(of.ask("c", 100.0))
        await asyncio.sleep(0.1)
        assert await asyncio.wait_for(of.ask("c", 0.1), 5.0) == 0
        await long

    run(asked())


def test_who_came_first_is_served_first_however_many_come_again() -> None:
    async def asked() -> None:
        of = served(1, slots=1)
        served_others = 0

        async def again_and_again() -> None:
            nonlocal served_others
            for _ in range(50):
                await of.ask("greedy", 0.1)
                served_others += 1

        greedy = asyncio.create_task(again_and_again())
        await asyncio.sleep(0.05)
        await of.ask("patient", 0.1)
        assert served_others <= 1
        await greedy

    run(asked())


def test_a_place_is_free_again_whatever_ended_the_request() -> None:
    async def asked() -> None:
        of = served(1, slots=1)

        async def fails() -> None:
            async with of.pool.engine("c"):
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            await fails()
        cancelled = asyncio.create_task(of.ask("c", 100.0))
        waits = asyncio.create_task(of.ask("c", 100.0))
        await asyncio.sleep(0.1)
        waits.cancel()
        cancelled.cancel()
        await asyncio.gather(waits, cancelled, return_exceptions=True)
        assert await asyncio.wait_for(of.ask("c", 0.1), 1.0) == 0

    run(asked())


@given(
    engines=st.integers(1, 5),
    slots=st.integers(1, 4),
    asked=st.lists(
        st.tuples(st.integers(0, 6), st.floats(0, 3), st.floats(0.01, 2)), min_size=1, max_size=60
    ),
    rests=st.lists(st.tuples(st.integers(0, 4), st.floats(0, 3), st.floats(0.01, 4)), max_size=6),
)
def test_no_engine_is_crowded_nobody_starves_and_none_is_idle_while_somebody_waits(
    engines: int,
    slots: int,
    asked: list[tuple[int, float, float]],
    rests: list[tuple[int, float, float]],
) -> None:
    async def all_of_them() -> None:
        of = served(engines, slots)
        resting = dict.fromkeys(range(engines), 0.0)
        loop = asyncio.get_running_loop()

        async def ask(conversation: int, begins: float, seconds: float) -> None:
            await asyncio.sleep(begins)
            await of.ask(f"c{conversation}", seconds)

        async def rest(engine: int, begins: float, seconds: float) -> None:
            await asyncio.sleep(begins)
            of.pool.rest(engine, seconds)
            resting[engine] = loop.time() + seconds

        async def watch() -> None:
            while True:
                await asyncio.sleep(0.237)
                awake = [engine for engine, until in resting.items() if until < loop.time() - 0.001]
                assert not of.waiting or all(of.in_hand.get(engine, 0) == slots for engine in awake)

        watching = asyncio.create_task(watch())
        work = [asyncio.create_task(ask(*one)) for one in asked]
        work += [asyncio.create_task(rest(engine % engines, at, for_s)) for engine, at, for_s in rests]
        done, _ = await asyncio.wait([*work, watching], return_when=asyncio.FIRST_EXCEPTION, timeout=1000)
        assert watching not in done, watching.exception()
        for one in work:
            one.result()
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)
        assert len(of.went) == len(asked)
        assert of.most <= slots

    run(all_of_them())
