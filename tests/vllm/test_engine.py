"""A real small model under real vLLM in Ray actors: a conversation is extracted and sealed while an engine is killed,
and a probe is answered."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from memfold.cluster import cluster
from memfold.config import load
from memfold.extract.contract import FALLBACK, NOTHING
from memfold.extract.engines.model import ModelEngine
from memfold.ingest.read import read
from memfold.llm.asker import NO_EXCHANGE
from memfold.llm.results import generations
from memfold.run.index import index
from memfold.run.job import Job, index_job
from memfold.run.letters import dead_letters
from memfold.run.plan import place
from memfold.run.reconcile import identify
from memfold.schema import Message
from memfold.serve.newest import Reading
from memfold.watch import Report
from support.given import Given
from support.given import held as table_of

# One whole leaf of the scratchpad, and the beginning of another.
EXCHANGES = 66
# So little room that the leaf has to be condensed.
ROOM = ("layers.scratchpad.tokens=300", "layers.scratchpad.full=600")
ENGINE = ("engine=vllm", "model=smollm2-135m", "engine.history_tokens=0", "engine.assistant_tokens=128")


@pytest.fixture(scope="module")
def said(shared_data: Path) -> list[Message]:
    """The first exchanges of a real conversation."""
    messages = [m for m in read(shared_data / "beam" / "100K" / "1", "beam") if isinstance(m, Message)]
    placed = list(place(identify(messages, lambda letter: pytest.fail(letter.reason))))
    return [item.message for item in placed if item.exchange_id < EXCHANGES]


@dataclass
class Done:
    """What an index job left, and how it went."""

    job: Job
    engine: ModelEngine
    killed: list[int]


@pytest.fixture(scope="module")
def done(said: list[Message], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Done]:
    """An index job whose engine is killed when it has answered some requests."""
    root = tmp_path_factory.mktemp("vllm")
    overrides = [*ENGINE, *ROOM, "source=synthetic", "executor.workers=1", f"store.root={root}"]
    with cluster("local", 2):
        job = replace(index_job(load("index", overrides)), source=Given(tuple(said)))
        assert isinstance(job.engine, ModelEngine)
        killed: list[int] = []
        watching = threading.Thread(target=kill_one, args=(job.engine, killed), daemon=True)
        watching.start()
        index(job, Report())
        yield Done(job, job.engine, killed)


def kill_one(engine: ModelEngine, killed: list[int]) -> None:
    """SIGKILL to the process that computes, once a few requests were answered."""
    while engine.asker.ledger.requests < 16:
        threading.Event().wait(0.2)
    while not killed:
        children = list[psutil.Process]()
        # Others of Ray's end at any moment: one that had ended killed this thread instead.
        with suppress(psutil.Error):
            children = psutil.Process().children(recursive=True)
        for process in children:
            with suppress(psutil.Error):
                # On a machine at full load it was seen without the title that vLLM gives it.
                if any(name in " ".join(process.cmdline()) for name in ("EngineCore", "spawn_main")):
                    killed.append(process.pid)
                    process.kill()
                    break


def test_a_new_engine_takes_over_and_nothing_is_asked_twice(done: Done) -> None:
    assert len(done.killed) == 1
    # What was answered was kept, and what was under way at the kill was not answered: one answer for each request.
    rows = generations(done.job.location).read(columns=["request"])
    assert done.engine.asker.ledger.requests == rows.num_rows == len(set(rows.column(0).to_pylist()))


def test_every_exchange_has_a_valid_extraction(done: Done) -> None:
    rows = held(done, "extractions")
    noted = {note["exchange_id"] for note in held(done, "notes")}
    assert sorted(row["exchange_id"] for row in rows) == list(range(EXCHANGES))
    made = {row["made_by"] for row in rows}
    assert done.engine.signature in made
    assert made <= {done.engine.signature, done.engine.rules.signature + FALLBACK, NOTHING}
    assert dead_letters(done.job.location).count() == 0
    for row in rows:
        if row["made_by"] == done.engine.signature:
            assert row["summary"] or row["facts"] or row["exchange_id"] in noted


def test_the_scratchpad_is_sealed_by_the_model(done: Done) -> None:
    nodes = held(done, "scratchpad")
    (whole,) = [node for node in nodes if node["level"] == 0 and node["first_exchange"] == 0]
    assert done.engine.generator.model in whole["made_by"]
    assert sum(item["tokens"] for item in whole["items"]) <= 300
    assert NO_EXCHANGE in {row["exchange_id"] for row in generations(done.job.location).read().to_pylist()}


def test_a_second_run_asks_nothing(done: Done) -> None:
    asked = done.engine.asker.ledger.requests
    again = replace(done.job, location=replace(done.job.location, tenant="other"))
    engine = ModelEngine(done.engine.generator, done.engine.results)
    report = index(replace(again, engine=engine), Report())
    assert report["dead_letters"] == 0
    assert engine.asker.ledger.requests == 0
    assert done.engine.asker.ledger.requests == asked


def test_a_probe_is_answered(done: Done, said: list[Message]) -> None:
    root = f"store.root={done.job.location.root}"
    reading = Reading.of(load("ask", [root, *ENGINE, "reader=model"]))
    try:
        answer = reading.open().ask(said[0].conversation_id, "Which framework do I use for my project?", 1500)
    finally:
        reading.close()
    assert answer.text
    assert answer.usage["requests"] >= 1
    shown = {piece.exchange_id for part in answer.context.parts for piece in part.pieces}
    assert {citation.exchange_id for citation in answer.citations} <= shown


def held(done: Done, table: str) -> list[dict[str, Any]]:
    """All rows that a table holds."""
    rows: list[dict[str, Any]] = table_of(Path(done.job.location.root), table).to_pylist()
    return rows
