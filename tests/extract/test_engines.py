"""What writes extractions down. That each engine keeps its contract is in `tests/test_contracts.py`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from memfold.extract.engines.model import engine
from memfold.schema import Extraction
from memfold.store.location import Location
from support.asked import window
from support.engines import ENGINES, configured

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(("name", "target", "overrides", "alone"), ENGINES)
def test_an_engine_is_what_its_name_says(
    tmp_path: Path, name: str, target: str, overrides: list[str], alone: bool
) -> None:
    built = configured(tmp_path, name, overrides)
    assert f"{type(built).__module__}.{type(built).__qualname__}" == target
    made = engine(built, Location(str(tmp_path)))
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


# Settings that no extraction depends on: where, how fast, how often and at what price a model is asked.
NEUTRAL = {
    *("concurrency", "retries", "backoff_s", "timeout_s", "start_s"),
    *("budget_tokens", "budget_usd", "usd_prompt", "usd_cached", "usd_completion"),
    *(
        "base_url",
        "api_key_env",
        "address",
        "engines",
        "tensor_parallel",
        "cpus",
        "cpu_cache_gb",
        "gpu_memory",
    ),
    *("max_model_len", "max_num_seqs", "max_num_batched_tokens", "enforce_eager"),
}


def other(value: Any) -> Any:
    """Another value of the same type."""
    return not value if isinstance(value, bool) else f"{value}x" if isinstance(value, str) else value + 1


@pytest.mark.parametrize("name", ["rules", "openai", "vllm"])
def test_every_setting_that_an_extraction_depends_on_is_in_the_signature(name: str, tmp_path: Path) -> None:
    overrides = next(overrides for called, _, overrides, _ in ENGINES if called == name)
    settings, location = configured(tmp_path, name, overrides), Location(str(tmp_path))
    for each in fields(settings):
        if each.name not in NEUTRAL:
            changed = replace(settings, **{each.name: other(getattr(settings, each.name))})
            assert engine(changed, location).signature != engine(settings, location).signature, each.name


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
