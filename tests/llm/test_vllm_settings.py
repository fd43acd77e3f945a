"""The settings of vLLM's engines, and what is said where there is no GPU or no vLLM. The engine itself: tests/vllm."""

from __future__ import annotations

import subprocess
import sys
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

from memfold.build import build
from memfold.config import load
from memfold.errors import UserError
from memfold.extract.engines.model import MOST_IN_FLIGHT, ModelEngine
from memfold.layers.scratchpad.sealing import Sealing
from memfold.llm.asker import Asker
from memfold.llm.backends import vllm
from memfold.llm.backends.vllm import Vllm, arguments
from memfold.llm.generator import Prompt, Task
from memfold.llm.results import Results
from memfold.yamls import CONF

ROOT = Path(__file__).resolve().parents[2]
MODELS = sorted(path.stem for path in (CONF / "model").glob("*.yaml"))


def chosen(*overrides: str) -> Vllm:
    made = build(load("index", ["source=synthetic", "engine=vllm", *overrides]).engine, "engine")
    assert isinstance(made, Vllm)
    return made


@pytest.mark.parametrize("model", MODELS)
def test_every_model_builds_and_fits_a_node_of_the_scratchpad(model: str) -> None:
    made = chosen(f"model={model}")
    given = {"max_num_seqs", "max_num_batched_tokens", "max_model_len", "dtype"}
    assert all(getattr(made, name) for name in given)
    if not made.cpus:
        full = load("index", ["source=synthetic"]).layers.scratchpad.full
        assert made.max_model_len >= full
        assert arguments(made)["tensor_parallel_size"] == made.tensor_parallel
        assert arguments(made)["quantization"] in ("awq_marlin", "fp8")


def test_what_is_asked_changes_no_engine() -> None:
    class Cluster:
        @staticmethod
        def cluster_resources() -> dict[str, float]:
            return {"GPU": 4.0}

    one = chosen("model=qwen2.5-32b-awq")
    names = one._names(Cluster)
    assert len(set(names)) == len(names) == 4
    assert chosen("model=qwen2.5-32b-awq", "engine.budget_tokens=9")._names(Cluster) == names
    assert set(chosen("model=qwen2.5-32b-awq", "engine.max_num_seqs=9")._names(Cluster)).isdisjoint(names)
    assert len(chosen("model=qwen2.5-32b-awq-2x24")._names(Cluster)) == 2
    # A worker that was told how many there are uses the engines of a service that counted them.
    assert chosen("model=qwen2.5-32b-awq", "engine.engines=4")._names(Cluster) == names


ASKED = Prompt((("user", "Where is the garden?"),), Task("any", "1", None), "c")


@pytest.mark.parametrize(
    "setting", ["weights=/other", "quantization=awq", "dtype=float16", "kv_cache_dtype=fp8", "model=another"]
)
def test_other_weights_or_number_formats_share_no_answers(setting: str) -> None:
    one, other = chosen("model=qwen2.5-32b-awq"), chosen("model=qwen2.5-32b-awq", f"engine.{setting}")
    assert one.key(ASKED) != other.key(ASKED)
    signatures = [ModelEngine(each, Results(None, each.model)).signature for each in (one, other)]
    assert signatures[0] != signatures[1]
    seals = [Sealing(Asker(each), 4_000).signature for each in (one, other)]
    assert seals[0] != seals[1]


@pytest.mark.parametrize("setting", ["tensor_parallel=4", "gpu_memory=0.5", "engines=3", "concurrency=9"])
def test_the_same_weights_elsewhere_answer_alike(setting: str) -> None:
    one, other = chosen("model=qwen2.5-32b-awq"), chosen("model=qwen2.5-32b-awq", f"engine.{setting}")
    assert one.key(ASKED) == other.key(ASKED)


def test_a_process_keeps_as_much_in_flight_as_its_part_of_the_engines_takes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Cluster:
        @staticmethod
        def cluster_resources() -> dict[str, float]:
            return {"GPU": 16.0}

    monkeypatch.setattr(vllm, "cluster", lambda _: nullcontext(Cluster))
    places = 16 * 160

    def engine(**settings: int) -> ModelEngine:
        made = replace(chosen("model=qwen2.5-32b-awq"), **settings)  # type: ignore[arg-type]
        return ModelEngine(made, Results(None, made.model))

    # Not one engine's places: those of all that there are, and each process its part.
    assert engine(together=1).share(16).in_flight == 2 * places // 16
    assert engine(together=6).share(16).in_flight == 7 * places // 16
    assert engine(together=6).share(10**6).in_flight == 7
    # One process before many engines has as much as it can hold and no more.
    assert engine(engines=64, together=6).in_flight == engine(together=6).in_flight == MOST_IN_FLIGHT
    assert engine(engines=1, together=1, concurrency=3).in_flight == 6


@pytest.mark.parametrize(
    "wrong", ["tensor_parallel=0", "engines=-1", "gpu_memory=1.5", "max_tokens=40000", "max_num_seqs=0"]
)
def test_impossible_settings_are_refused_by_name(wrong: str) -> None:
    with pytest.raises(UserError, match=f"engine.{wrong.split('=')[0]}"):
        chosen("model=qwen2.5-32b-awq", f"engine.{wrong}")


def test_an_engine_that_cannot_be_imported_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a GPU machine a module that vLLM needs was missing, and the error said only that vLLM was missing."""
    monkeypatch.setattr(vllm, "_environment", lambda _: {})
    monkeypatch.setitem(sys.modules, "vllm.engine.arg_utils", None)
    with pytest.raises(UserError, match=r"needs vLLM \(.+\): pip install"):
        vllm._Engine(chosen("model=qwen2.5-32b-awq"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "cure"), [("qwen2.5-32b-awq", "model=smollm2-135m"), ("smollm2-135m", "make setup-vllm")]
)
def test_without_a_gpu_or_without_vllm_one_line_says_what_to_do(
    model: str, cure: str, tmp_path: Path
) -> None:
    source = ("source=synthetic", "source.tokens=3000")
    command = [sys.executable, "jobs/index.py", "engine=vllm", f"model={model}", *source]
    done = subprocess.run(
        [*command, f"store.root={tmp_path}"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("error:")]
    assert cure in line
