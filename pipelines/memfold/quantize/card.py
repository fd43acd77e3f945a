"""What stands beside a checkpoint: the card, which says how it was made and judged and holds no word of a conversation,
and the choice of a model that `engine=vllm` loads."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from memfold.digest import digest
from memfold.llm.backends.vllm import Vllm
from memfold.quantize.gate import ORIGINAL, Figures
from memfold.quantize.sample import Sample, Windows

CARD = "memfold.json"
# Hex digits of the weights' digest in the model's name.
SHORT = 12

# What a choice of a model sets besides the name, the weights and their format: what belongs to the hardware and to the
# model's own ways.
_KEPT = (
    *(
        "engines",
        "tensor_parallel",
        "cpus",
        "cpu_cache_gb",
        "kv_cache_dtype",
        "max_model_len",
        "max_num_seqs",
    ),
    *("max_num_batched_tokens", "gpu_memory", "enforce_eager", "max_tokens", "together"),
    *("frequency_penalty", "concurrency", "structured", "history_tokens", "assistant_tokens"),
)


def samples(windows: Windows, seed: int) -> dict[str, Any]:
    """Counts and digests of what was taken: each sample by its stage, its language, the hash of its conversation's name
    and the hash of its tokens."""
    return {
        **windows.counts(),
        "windows_digest": digest(windows.windows),
        "samples": [_sample(one, seed) for one in windows.samples],
    }


def _sample(one: Sample, seed: int) -> dict[str, Any]:
    return {
        "stage": one.stage,
        "language": one.language,
        "conversation": digest(seed, one.conversation_id)[:SHORT] if one.conversation_id else "",
        "tokens": len(one.tokens),
        "recorded": one.recorded,
        "digest": one.digest,
    }


def table(arms: Mapping[str, Figures]) -> dict[str, dict[str, float | int | None]]:
    """The gate's table: a row an arm."""
    return {name: found.row(arms[ORIGINAL]) for name, found in arms.items()}


def write(path: Path, card: Mapping[str, Any]) -> None:
    """The card as JSON."""
    path.write_text(json.dumps(card, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def name_of(model: str, backend: str, weights: str) -> str:
    """The model's name: it holds the digest of the weights, and so does whatever is kept under it."""
    return f"{model.rstrip('/').rpartition('/')[2]}-{backend}-{weights[:SHORT]}"


def choice(engine: Vllm, name: str, folder: Path, said: Sequence[str]) -> str:
    """The yaml of `model=…` for a checkpoint: the settings of the original's engine over the new weights, in the
    format that they say themselves and in bfloat16."""
    default = Vllm(model="default")
    kept = {one: getattr(engine, one) for one in _KEPT if getattr(engine, one) != getattr(default, one)}
    settings = {
        "model": name,
        "weights": str(folder.absolute()),
        "quantization": "",
        "dtype": "bfloat16",
        **kept,
    }
    lines = ["# @package engine", *(f"# {one}" for one in said)]
    written: str = yaml.safe_dump(settings, sort_keys=False, allow_unicode=True)
    return "\n".join(lines) + "\n" + written
