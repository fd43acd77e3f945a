"""Threads beside a block have ended when it has."""

from __future__ import annotations

import threading

import pytest

from memfold.beside import every, threads
from support.interrupts import PATIENCE_S, interrupt_wait


@pytest.mark.parametrize("times", [1, 3])
def test_threads_have_ended_when_their_block_has_however_often_that_is_interrupted(times: int) -> None:
    go_on, done = threading.Event(), list[str]()

    def work() -> None:
        go_on.wait(PATIENCE_S)
        done.append("work")

    with pytest.raises(KeyboardInterrupt), threads(1, "work") as pool:  # noqa: PT012
        pool.submit(work)
        interrupt_wait(times, go_on.set)
    assert done == ["work"]


def test_what_acts_again_and_again_has_ended_when_its_block_has_though_that_is_interrupted() -> None:
    begun, go_on, done = threading.Event(), threading.Event(), list[str]()

    def act() -> None:
        begun.set()
        go_on.wait(PATIENCE_S)
        done.append("act")

    with pytest.raises(KeyboardInterrupt), every(0.001, act, name="acting"):  # noqa: PT012
        begun.wait(PATIENCE_S)
        interrupt_wait(2, go_on.set)
    assert done == ["act"]


def test_an_error_of_a_block_is_raised_when_its_threads_have_ended() -> None:
    done = list[str]()
    with pytest.raises(ValueError, match="mine"), threads(1, "work") as pool:  # noqa: PT012
        pool.submit(done.append, "work")
        raise ValueError("mine")
    assert done == ["work"]
