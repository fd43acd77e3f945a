"""What writes extractions down, by name as the config names it: one line for each engine."""

from __future__ import annotations

import ast
import inspect
import json
from collections.abc import Iterator
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
ROOT = Path(__file__).resolve().parents[2]
# All that others ask of an engine.
CONTRACT = sorted(name for name in vars(Engine) if not name.startswith("_"))


def configured(folder: Path, name: str, overrides: list[str]) -> Any:
    line = {"conversation_id": "c", "exchange": 0, "summary": "Ann has 30 euros for tea."}
    (folder / "lines.jsonl").write_text(json.dumps(line))
    chosen = [override.format(folder=folder) for override in overrides]
    return build(load("index", ["source=synthetic", f"engine={name}", *chosen]).engine, "engine")


def test_the_table_is_whole() -> None:
    assert sorted(path.stem for path in (ROOT / "conf" / "engine").iterdir()) == sorted(
        name for name, *_ in ENGINES
    )


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
    assert (made.asker is None) == (made.generator is None) == alone
    if alone:
        assert made.in_flight == 1
        assert made.share(3).signature == made.signature
        (found,) = made.extract([window("My budget for tea is 30 euros.")])
        assert isinstance(found, Extraction)
        assert "30 euros" in found.summary
    made.close()


# What an engine may be an instance of.
CLASSES = {"Engine", "ModelEngine", "Generator", *(target.rpartition(".")[2] for _, target, *_ in ENGINES)}


def asked_for_their_class(text: str) -> Iterator[int]:
    """The lines on which something is looked at for being a class of engines, or an engine for its class."""
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[thing, of]):
                named = {getattr(each, "id", getattr(each, "attr", "")) for each in ast.walk(of)}
                if named & CLASSES or ast.unparse(thing).rpartition(".")[2].endswith("engine"):
                    yield node.lineno


def test_an_engine_is_asked_for_what_it_does_and_never_for_its_class() -> None:
    sources = [*(ROOT / "pipelines").rglob("*.py"), *(ROOT / "jobs").glob("*.py")]
    assert {
        path.name: lines for path in sources if (lines := [*asked_for_their_class(path.read_text())])
    } == {}


@pytest.mark.parametrize(
    "line",
    ["isinstance(chosen, Generator)", "isinstance(self.engine, int)", "issubclass(a, str | vllm.Vllm)"],
)
def test_control_a_look_at_an_engines_class_is_found(line: str) -> None:
    assert list(asked_for_their_class(f"x = 1\n{line}\n")) == [2]
