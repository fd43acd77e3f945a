"""What is loaded once is loaded once, whoever asks."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from memfold.once import derived, kept, once


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


def test_what_a_value_keeps_is_made_once_however_many_ask_and_each_value_makes_its_own() -> None:
    made: list[int] = []

    class Value:
        @kept
        def part(self) -> int:
            made.append(1)
            time.sleep(0.01)
            return len(made)

        @kept
        def whole(self) -> int:
            return self.part + 10

    one, other = Value(), Value()
    with ThreadPoolExecutor(8) as threads:
        assert set(threads.map(lambda _: one.whole, range(16))) == {11}
    assert (other.part, one.part, made) == (2, 1, [1, 1])


def test_what_a_value_failed_to_make_is_tried_again() -> None:
    class Value:
        tried = 0

        @kept
        def part(self) -> int:
            self.tried += 1
            if self.tried == 1:
                raise KeyError("not yet")
            return self.tried

    value = Value()
    with pytest.raises(KeyError, match="not yet"):
        _ = value.part
    assert value.part == value.part == 2


def test_what_a_module_derives_from_a_value_is_made_once_for_each_value() -> None:
    made: list[str] = []

    class Value:
        def __init__(self, name: str) -> None:
            self.name = name

    @derived
    def part(value: Value) -> str:
        made.append(value.name)
        time.sleep(0.01)
        return value.name.upper()

    @derived
    def whole(value: Value) -> str:
        return part(value) + "!"

    one, other = Value("one"), Value("other")
    with ThreadPoolExecutor(8) as threads:
        assert set(threads.map(whole, [one] * 16)) == {"ONE!"}
    assert (part(other), part(one), whole(other)) == ("OTHER", "ONE", "OTHER!")
    assert made == ["one", "other"]


def test_what_could_not_be_derived_is_tried_again() -> None:
    tries: list[int] = []

    class Value:
        pass

    @derived
    def part(value: Value) -> int:
        tries.append(1)
        if len(tries) == 1:
            raise KeyError("not yet")
        return len(tries)

    value = Value()
    with pytest.raises(KeyError, match="not yet"):
        part(value)
    assert part(value) == part(value) == 2
