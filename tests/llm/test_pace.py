"""An endpoint with a rate limit is asked as fast as it allows, and no answer is lost to the limit."""

from __future__ import annotations

import asyncio
import time
from math import inf

import pytest
from llm.test_gone import BY_RULES, SAID, about, engine, made_by

from memfold.errors import UserError
from memfold.llm.asker import GONE
from memfold.llm.generator import Prompt, Transient
from memfold.llm.pace import SERVICE_S, Pace
from memfold.schema import SPAN


class Limit:
    """Lets `burst` requests through at once and `rate` a second after that; `refused` are the moments of the others."""

    def __init__(self, rate: float, burst: int, wait: float | None = None) -> None:
        self.rate, self.burst, self.wait = rate, burst, wait
        self.left, self.then = float(burst), time.monotonic()
        self.refused: list[float] = []

    def __call__(self, _: Prompt) -> Exception | None:
        now = time.monotonic()
        self.left = min(self.burst, self.left + (now - self.then) * self.rate)
        self.then = now
        if self.left >= 1:
            self.left -= 1
            return None
        self.refused.append(now)
        return Transient("HTTP 429", limited=True, wait=self.wait)


def test_no_answer_is_lost_to_a_rate_limit() -> None:
    limit = Limit(rate=40, burst=4)
    one = engine(limit, retries=5, backoff_s=0.05)
    assert made_by(one.extract(SAID)) == [one.signature] * SPAN
    # Those under way when the first was refused, and one in a few after that.
    assert len(limit.refused) < 1.5 * SPAN


def test_while_an_endpoint_asks_to_wait_nothing_is_sent() -> None:
    limit = Limit(rate=100, burst=SPAN // 2, wait=0.4)
    one = engine(limit, retries=5, backoff_s=0.01)
    assert made_by(one.extract(SAID)) == [one.signature] * SPAN
    assert len(limit.refused) == 1
    assert limit.then - limit.refused[-1] > 0.4


def test_a_limit_that_is_never_lifted_ends_the_job_and_not_by_the_number_of_requests() -> None:
    sent: list[Prompt] = []

    def ends(prompt: Prompt) -> Exception:
        sent.append(prompt)
        return Transient("HTTP 429", limited=True, said="HTTP 429, 'none left today'")

    with pytest.raises(UserError, match=r"does not answer .*none left today.*run the job again"):
        engine(ends, retries=5, backoff_s=0.002).extract(SAID)
    assert len(sent) <= SPAN + 2 * GONE


def test_a_request_that_alone_is_refused_as_too_fast_is_the_rules_to_answer() -> None:
    """Endpoints say so of a request that is larger than what they allow in a minute."""
    large = about(3)
    one = engine(
        lambda prompt: Transient("HTTP 429", limited=True) if large(prompt) else None,
        retries=2,
        backoff_s=0.001,
        concurrency=4,
    )
    assert made_by(one.extract(SAID)) == [BY_RULES if n == 3 else one.signature for n in range(SPAN)]


def test_a_limit_of_the_moment_costs_no_try() -> None:
    """Two in a row are refused before the first answer: with no second try they would be the rules' to answer."""
    left = [2]

    def ends(_: Prompt) -> Exception | None:
        left[0] -= 1
        return Transient("HTTP 429", limited=True) if left[0] >= 0 else None

    one = engine(ends, backoff_s=0.001, concurrency=1)
    assert made_by(one.extract(SAID[:3])) == [one.signature] * 3


def test_what_was_idle_for_longer_than_the_distance_starts_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)
        now[0] += seconds

    monkeypatch.setattr(asyncio, "sleep", sleep)

    async def turns(pace: Pace, idle: float) -> list[float]:
        for _ in range(20):
            sent = await pace.turn(inf)
            assert sent is not None
            pace.refuse(sent, Transient("HTTP 429", limited=True))
        now[0] += idle
        waited.clear()
        for _ in range(3):
            await pace.turn(inf)
            pace.answered()
        return waited

    assert asyncio.run(turns(Pace(1.0), 600.0)) == []
    # Without a pause the distance stays, which is short for a service.
    assert asyncio.run(turns(Pace(1.0), 0.0)) == pytest.approx([60.0, 60.0, 54.0])
    assert asyncio.run(turns(Pace(1.0, SERVICE_S), 0.0)) == pytest.approx([1.0, 1.0, 0.9])
