"""What is loaded once is loaded once, whoever asks."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from memfold.once import once


def test_threads_that_ask_at_the_same_moment_get_the_same_and_it_is_loaded_once() -> None:
    loaded: list[int] = []
    together = threading.Barrier(8, timeout=10)

    @once
    def load(number: int) -> object:
        loaded.append(number)
        threading.Event().wait(0.05)
        return object()

    def ask(number: int) -> object:
        together.wait()
        return load(number)

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(ask, [0, 1] * 4))
    assert sorted(loaded) == [0, 1]
    assert len(set(map(id, found))) == 2


def test_what_failed_is_tried_again() -> None:
    tries: list[int] = []

    @once
    def load() -> str:
        tries.append(len(tries))
        if len(tries) == 1:
            raise OSError("not yet")
        return "there"

    with pytest.raises(OSError, match="not yet"):
        load()
    assert load() == "there"
