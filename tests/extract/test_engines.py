"""What writes extractions down, by name as the config names it: one line for each engine."""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

import pytest

from memfold.config import build, load
from memfold.extract.contract import Engine
from memfold.extract.engines.model import engine
from memfold.schema import Extraction
from memfold.store.location import Location
from support.asked import window

# Its name, its class, what must be said of it, and whether it answers without anyone to ask.
ENGINES = [
    ("rules", "memfold.extract.engines.rules.Rules", [], True),
    ("openai", "memfold.llm.backends.openai.OpenAI", ["engine.model=m"], False),
    ("vllm", "memfold.llm.backends.vllm.Vllm", ["model=smollm2-135m"], False),
    ("recorded", "memfold.extract.engines.recorded.Recorded", ["engine.path={folder}/lines.jsonl"], True),
]
# All that others ask of an engine.
CONTRACT = sorted(name for name in vars(Engine) if not name.startswith("_"))


def configured(folder: Path, name: str, overrides: list[str]) -> Any:
    line = {"conversation_id": "c", "exchange": 0, "summary": "Ann has 30 euros for tea."}
    (folder / "lines.jsonl").write_text(json.dumps(line))
    chosen = [override.format(folder=folder) for override in overrides]
    return build(load("index", ["source=synthetic", f"engine={name}", *chosen]).engine, "engine")


def test_the_table_is_whole() -> None:
    conf = Path(__file__).resolve().parents[2] / "conf" / "engine"
    assert sorted(path.stem for path in conf.iterdir()) == sorted(name for name, *_ in ENGINES)


@pytest.mark.parametrize(("name", "target", "overrides", "alone"), ENGINES)
def test_an_engine_is_what_its_name_says(
    tmp_path: Path, name: str, target: str, overrides: list[str], alone: bool
) -> None:
    built = configured(tmp_path, name, overrides)
    assert f"{type(built).__module__}.{type(built).__qualname__}" == target
    made = engine(built, Location(str(tmp_path)))
    for part in CONTRACT:
        # Of what is called, the arguments; of what is read, that it is there.
        wanted, has = inspect.getattr_static(Engine, part), inspect.getattr_static(type(made), part, None)
        if inspect.isfunction(wanted):
            assert inspect.isfunction(has), part
            assert list(inspect.signature(has).parameters) == list(inspect.signature(wanted).parameters)
        else:
            assert has is not None or part in vars(made), part
    assert made.signature == engine(configured(tmp_path, name, overrides), Location(str(tmp_path))).signature
    assert list(made.unused({"c": 1})) == []
    if alone:
        assert (made.in_flight, made.asker) == (1, None)
        assert made.share(3).signature == made.signature
        (found,) = made.extract([window("My budget for tea is 30 euros.")])
        assert isinstance(found, Extraction)
        assert "30 euros" in found.summary
    made.close()
