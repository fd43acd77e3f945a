"""A small real store, indexed through the library."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from memfold.embed.minilm import MiniLM
from memfold.extract.engines.rules import Rules
from memfold.ingest.source import Files
from memfold.layers.episodic import Episodic
from memfold.layers.scratchpad.tree import Scratchpad
from memfold.run.executor import Local
from memfold.run.index import index
from memfold.run.job import Job
from memfold.serve.newest import Reading
from memfold.store.location import Location
from memfold.watch import Report

CONFIG = {
    "embedder": {"_target_": "memfold.embed.minilm.MiniLM"},
    "layers": {
        "episodic": {"_target_": "memfold.layers.episodic.Episodic"},
        "scratchpad": {"_target_": "memfold.layers.scratchpad.tree.Scratchpad"},
    },
}

Add = Callable[[str, list[str]], None]


@pytest.fixture
def reading(tmp_path: Path) -> Reading:
    return Reading(Location(str(tmp_path / "store")))


@pytest.fixture
def add(tmp_path: Path, reading: Reading) -> Add:
    """Index a conversation of the given user messages, each answered with a plain `Noted.`; `time` is that of all."""

    def add(conversation_id: str, said: list[str], time: str | None = None) -> None:
        turns = [
            {"role": role, "content": content, **({"time": time} if time else {})}
            for text in said
            for role, content in (("user", text), ("assistant", "Noted."))
        ]
        file = tmp_path / "talk.jsonl"
        file.write_text(json.dumps({"conversation_id": conversation_id, "messages": turns}) + "\n")
        job = Job(
            Files(str(file), "auto"),
            reading.location,
            Rules(),
            MiniLM(),
            Local(),
            {"episodic": Episodic(), "scratchpad": Scratchpad()},
            json.dumps(CONFIG),
        )
        index(job, Report())

    return add
