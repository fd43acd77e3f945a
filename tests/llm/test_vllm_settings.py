"""The settings of vLLM's engines, and what is said where there is no GPU or no vLLM. The engine itself: tests/vllm."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from memfold.config import CONF, build, load
from memfold.errors import UserError
from memfold.llm.backends.vllm import Vllm, arguments

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


@pytest.mark.parametrize(
    "wrong", ["tensor_parallel=0", "engines=-1", "gpu_memory=1.5", "max_tokens=40000", "max_num_seqs=0"]
)
def test_impossible_settings_are_refused_by_name(wrong: str) -> None:
    with pytest.raises(UserError, match=f"engine.{wrong.split('=')[0]}"):
        chosen("model=qwen2.5-32b-awq", f"engine.{wrong}")


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
