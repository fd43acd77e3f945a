"""What a worker makes side by side, and what it waits for."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pytest

import memfold
from memfold.extract.contract import Before
from memfold.extract.engines.rules import Rules
from memfold.layers.layer import Layer, Leaves, Span, Tools
from memfold.run.executor import Local
from memfold.run.work import Worker
from memfold.schema import Extraction, Window
from support.given import chat, job, run

TABLE = pa.schema({"segment": pa.string(), "conversation_id": pa.string(), "n": pa.int64()})


@dataclass(frozen=True)
class Slow(Leaves):
    """A layer that needs messages alone, and whose rows come after an event."""

    ready: threading.Event
    patience: float = 30.0
    name: str = "slow"
    reads: tuple[str, ...] = ("messages",)
    version: str = "1"
    table: Any = TABLE

    def equip(self, tools: Tools) -> Layer:
        return self  # type: ignore[return-value]

    def leaves(self, spans: Sequence[Span]) -> Sequence[pa.Table]:
        if not self.ready.wait(self.patience):
            raise TimeoutError("the engine did not begin")
        return [_row(span, 1) for span in spans]


@dataclass(frozen=True)
class Above(Leaves):
    """A layer that is made from the rows of `slow` and from notes."""

    name: str = "above"
    reads: tuple[str, ...] = ("messages", "slow", "notes")
    version: str = "1"
    table: Any = TABLE

    def equip(self, tools: Tools) -> Layer:
        return self  # type: ignore[return-value]

    def leaves(self, spans: Sequence[Span]) -> Sequence[pa.Table]:
        return [_row(span, 1 + span.rows["slow"]["n"][0].as_py()) for span in spans]


@dataclass(frozen=True)
class Telling(Rules):
    """The rules, which tell when they are asked."""

    asked: threading.Event = field(default_factory=threading.Event)

    def extract(self, windows: Sequence[Window], before: Before | None = None) -> list[Extraction]:
        self.asked.set()
        return super().extract(windows, before)


def _row(span: Span, n: int) -> pa.Table:
    of = span.rows["messages"]["conversation_id"][0].as_py()
    return pa.table([[span.name], [of], [n]], schema=TABLE)


def test_what_needs_no_engine_is_made_while_the_engine_writes_down(tmp_path: Path) -> None:
    engine = Telling()
    layers = {"above": Above(), "slow": Slow(engine.asked)}
    run(replace(job(tmp_path, chat(3)), engine=engine, layers=layers))
    assert memfold.open(tmp_path).rows("above", "c")["n"].to_pylist() == [2]


def test_a_mistake_in_what_is_made_beside_the_engine_ends_the_job(tmp_path: Path) -> None:
    layers = {"slow": Slow(threading.Event(), patience=0.0)}
    with pytest.raises(TimeoutError, match="the engine did not begin") as raised:
        run(replace(job(tmp_path, chat(3)), layers=layers))
    assert raised.value.__notes__ == ["in layers.slow, of conversation 'c'"]


def test_a_job_that_ends_early_waits_for_its_threads_which_know_of_it() -> None:
    go_on, done = threading.Event(), list[str]()

    class Working(SimpleNamespace):
        def __call__(self, task: str) -> str:
            if task == "slow":
                go_on.wait(30)
            done.append(task)
            return task

    worker: Any = Working(interrupted=threading.Event(), engine=SimpleNamespace(asker=None, in_flight=1))
    tasks: Any = iter(["slow", "quick"])
    made: Any = Local(2).map(worker, lambda: next(tasks, None))
    assert next(made) == "quick"
    threading.Timer(0.1, go_on.set).start()
    made.close()
    assert done == ["quick", "slow"]
    assert worker.interrupted.is_set()


def test_an_interrupted_worker_writes_nothing(tmp_path: Path) -> None:
    given = replace(job(tmp_path, chat(3)), layers={})
    worker = Worker(given.location, given.engine, given.embedder, {})
    worker.interrupted.set()
    with pytest.raises(CancelledError, match="interrupted"):
        worker._write("messages", [], [], Any)  # type: ignore[arg-type]
