"""What quantising costs, and what the gate found: checkpoints that were made, and layers of the size that is meant.

    .venv-quantize/bin/python benchmarks/quantize.py cards FOLDER_OR_REFUSED_JSON …
    .venv-quantize/bin/python benchmarks/quantize.py beside store.root=… model=… gate.windows=8 of.NAME=FOLDER …
    .venv-quantize/bin/python benchmarks/quantize.py layers [--backend autoawq] [--runs 2x64 1x512] [--clip]

`cards` keeps the tables of checkpoints that jobs/quantize.py made or refused, from their cards. `beside` judges several
checkpoints that were made with these settings (words as jobs/quantize.py takes them) beside one original and one of
weights rounded to nearest; with gate.prompts=0 it asks for no answers, which take most of the time. `layers` quantises
models of Qwen2.5-32B's shapes with random weights; each run names its few layers and its tokens. Time and memory of all
64 layers are computed from the first run and the last, and the row says so. CPU seconds are of one thread, so that
other work on the machine matters little.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import torch
from harness import keep

from memfold.api import Store
from memfold.build import build
from memfold.config import load
from memfold.llm.backends import smollm2
from memfold.memory import memory
from memfold.quantize.backends.autoawq import AutoAWQ
from memfold.quantize.backends.llmcompressor import LlmCompressor
from memfold.quantize.card import CARD, table
from memfold.quantize.folder import ModelFolder
from memfold.quantize.gate import CHECKPOINT, ORIGINAL, ROUNDED
from memfold.quantize.job import Quantize, draw, original
from memfold.quantize.measure import Measure, Tokens
from memfold.quantize.preflight import needed_bytes
from memfold.quantize.sample import Calibration, divided
from memfold.watch import Report

# Qwen2.5-32B, config.json. Its words are left out: they are not quantised, and take 3.1 GB.
HIDDEN, INNER, HEADS, PAIRS, HEAD = 5120, 27648, 40, 8, 128
LAYERS, WORDS = 64, 1024
WHOLE = 32_763_876_352


def cards(paths: list[Path]) -> Iterator[dict[str, object]]:
    """A row for each card: how it was made, and the gate's table."""
    for path in paths:
        said = json.loads((path / CARD if path.is_dir() else path).read_text(encoding="utf-8"))
        calibration, gate = said["calibration"], said["gate"]
        yield {
            "what": "checkpoint",
            "model": said["model"],
            "backend": said["backend"],
            "calibration": {
                name: calibration[name]
                for name in ("windows", "tokens", "general_windows", "seed", "stages", "languages", "totals")
            },
            "judged_on": gate["windows"]["totals"] | {"answers": gate["answers"]},
            "table": gate["table"],
            "broken": gate["broken"],
            "seconds": said.get("seconds"),
        }


def beside(words: list[str]) -> Iterator[dict[str, object]]:
    """A row: the gate's table of all these checkpoints, and the limits that each breaks."""
    folders = dict(word.removeprefix("of.").split("=", 1) for word in words if word.startswith("of."))
    prompts = next((int(word.partition("=")[2]) for word in words if word.startswith("gate.prompts=")), None)
    given = [word for word in words if not word.startswith("of.") and word != "gate.prompts=0"]
    config = load("quantize", given)
    parts = ("engine", "backend", "calibration", "gate")
    job = Quantize(
        location=build(config.store, "store"),
        out="",
        **{part: build(config[part], part) for part in parts},
    )
    began = time.process_time()
    folder = original(job.engine)
    tokens = Tokens(folder.path)
    location, c = job.location, job.calibration
    store = Store.open(location)
    sides = divided((one.conversation_id for one in store.stream()), c.held, c.seed)
    drawn = draw(job, store, tokens, *sides, Report())
    asked = () if prompts == 0 else drawn.asked
    measure = Measure(folder.path, tokens, drawn.judged.windows, asked, job.engine)
    arms = {ORIGINAL: measure.original()}
    arms[ROUNDED] = measure.rounded(folder.linears, job.backend.group_size)
    for name, path in folders.items():
        print(name, time.process_time() - began, table(arms), file=sys.stderr)
        arms[name] = measure.checkpoint(Path(path))
    # Without answers there is nothing to say of them.
    shown = len(asked) == 0 and ("perplexity", "perplexity_ratio", "kl")
    yield {
        "what": "checkpoints beside each other",
        "model": job.engine.model,
        "group_size": job.backend.group_size,
        "judged_on": drawn.judged.counts()["totals"] | {"answers": len(asked)},
        "table": {
            arm: {key: value for key, value in row.items() if not shown or key in shown}
            for arm, row in table(arms).items()
        },
        "broken": {name: job.gate.broken({**arms, CHECKPOINT: arms[name]}) for name in folders},
        "cpu_seconds": round(time.process_time() - began, 1),
    }


def layers(backend: AutoAWQ | LlmCompressor, runs: list[tuple[int, int]]) -> dict[str, object]:
    """Time and memory of each run, given as (layers, tokens), and those of all layers as computed.

    At each step a layer's search rounds all its weights, and multiplies them by every token. So its time has a fixed
    part and a part per token, and two runs tell them apart.
    """
    torch.set_num_threads(1)
    seen = [quantised(backend, count, tokens) for count, tokens in runs]
    row: dict[str, object] = {
        "what": "layers of Qwen2.5-32B's shapes, random weights",
        "backend": {"name": backend.name, **vars(backend)},
        "runs": [{key: round(value, 2) for key, value in one.items()} for one in seen],
    }
    (one, other), (few, many) = (seen[0], seen[-1]), (runs[0][1], runs[-1][1])
    of_layer = [run["cpu_seconds"] / run["layers"] for run in (one, other)]
    a_token = (of_layer[1] - of_layer[0]) / (many - few) if many > few else None
    fixed = of_layer[0] if a_token is None else of_layer[0] - a_token * few
    whole = Calibration().windows * Calibration().tokens
    hours = {few: LAYERS * of_layer[0] / 3600}
    if a_token is not None:
        hours |= {many: LAYERS * of_layer[1] / 3600, whole: LAYERS * (fixed + a_token * whole) / 3600}
        row |= {"cpu_seconds_a_layer": {"fixed": round(fixed, 1), "a_token": round(a_token, 3)}}
    return row | {
        "computed_for_64_layers": {
            "assumes": "layers take alike long, one thread of this CPU, time a straight line in tokens; memory: all "
            "weights in float32, beside them what the first run held beside its own, so few tokens' activations",
            "cpu_hours_by_tokens": {str(tokens): round(took, 1) for tokens, took in hours.items()},
            "peak_gb": round(4 * WHOLE / 1e9 + one["beside_weights_gb"], 1),
        },
    }


def quantised(backend: AutoAWQ | LlmCompressor, count: int, tokens: int) -> dict[str, float]:
    """Seconds and GB of one run. `preflight_gb` is what the job would have asked for."""
    with tempfile.TemporaryDirectory() as aside:
        folder = Path(aside) / "model"
        made_up(folder, count)
        windows = [[(7 * n) % WORDS for n in range(tokens)]]
        began, cpu = time.monotonic(), time.process_time()
        with memory() as watched:
            backend.make(folder, windows, Path(aside) / "out")
        wall, cpu = time.monotonic() - began, time.process_time() - cpu
        found = ModelFolder(folder)
        weights, needed = 4 * found.parameters, needed_bytes(found, 4, tokens)
        size = sum(file.stat().st_size for file in (Path(aside) / "out").glob("*.safetensors"))
    return {
        "layers": count,
        "tokens": tokens,
        "cpu_seconds": cpu,
        "wall_seconds_beside_others": wall,
        "peak_gb": watched.peak_mb / 1e3,
        "beside_weights_gb": watched.peak_mb / 1e3 - weights / 1e9,
        "preflight_gb": needed / 1e9,
        "checkpoint_gb": size / 1e9,
    }


def made_up(folder: Path, count: int) -> None:
    """A folder of a model with `count` layers of those shapes and random weights."""
    from safetensors.torch import save_file
    from transformers import Qwen2Config

    folder.mkdir(parents=True)
    config = Qwen2Config(
        hidden_size=HIDDEN,
        intermediate_size=INNER,
        num_attention_heads=HEADS,
        num_key_value_heads=PAIRS,
        num_hidden_layers=count,
        vocab_size=WORDS,
        architectures=["Qwen2ForCausalLM"],
        dtype="bfloat16",
    )
    config.save_pretrained(folder)
    shapes = {
        "self_attn.q_proj.weight": (HEADS * HEAD, HIDDEN),
        "self_attn.k_proj.weight": (PAIRS * HEAD, HIDDEN),
        "self_attn.v_proj.weight": (PAIRS * HEAD, HIDDEN),
        "self_attn.o_proj.weight": (HIDDEN, HEADS * HEAD),
        "mlp.gate_proj.weight": (INNER, HIDDEN),
        "mlp.up_proj.weight": (INNER, HIDDEN),
        "mlp.down_proj.weight": (HIDDEN, INNER),
    }
    torch.manual_seed(0)
    # A long row of random numbers over and over: drawing a billion takes a minute.
    drawn = (0.02 * torch.randn(1_000_003)).to(torch.bfloat16)

    def random(*shape: int) -> torch.Tensor:
        size = shape[0] * shape[1]
        return drawn.repeat(size // len(drawn) + 1)[:size].view(shape).clone()

    tensors = {
        "model.embed_tokens.weight": random(WORDS, HIDDEN),
        "lm_head.weight": random(WORDS, HIDDEN),
        "model.norm.weight": torch.ones(HIDDEN, dtype=torch.bfloat16),
    }
    for layer in range(count):
        of = f"model.layers.{layer}"
        tensors |= {f"{of}.{name}": random(*shape) for name, shape in shapes.items()}
        for name, size in (("q", HEADS * HEAD), ("k", PAIRS * HEAD), ("v", PAIRS * HEAD)):
            tensors[f"{of}.self_attn.{name}_proj.bias"] = torch.zeros(size, dtype=torch.bfloat16)
        for name in ("input_layernorm", "post_attention_layernorm"):
            tensors[f"{of}.{name}.weight"] = torch.ones(HIDDEN, dtype=torch.bfloat16)
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    for name in ("tokenizer.json", "tokenizer_config.json", "chat_template.jinja"):
        shutil.copy(smollm2.weights() / name, folder / name)


def sizes(word: str) -> tuple[int, int]:
    """2x64: two layers, 64 tokens."""
    count, _, tokens = word.partition("x")
    return int(count), int(tokens)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    kinds = parser.add_subparsers(dest="kind", required=True)
    made = kinds.add_parser("cards")
    made.add_argument("paths", type=Path, nargs="+")
    judged = kinds.add_parser("beside")
    judged.add_argument("words", nargs="+", metavar="KEY=VALUE")
    sized = kinds.add_parser("layers")
    sized.add_argument("--backend", choices=("autoawq", "llmcompressor"), default="autoawq")
    sized.add_argument("--runs", type=sizes, nargs="+", default=[(2, 64), (1, 512)], metavar="LAYERSxTOKENS")
    sized.add_argument("--clip", action="store_true")
    given = parser.parse_args()
    if given.kind == "cards":
        rows = list(cards(given.paths))
    elif given.kind == "beside":
        rows = list(beside(given.words))
    else:
        chosen = AutoAWQ(clip=given.clip) if given.backend == "autoawq" else LlmCompressor(observer="minmax")
        rows = [layers(chosen, given.runs)]
    for row in rows:
        print(json.dumps(row))
    keep("quantize", rows)


if __name__ == "__main__":
    main()
