"""What can be known to go wrong before hours of work: each in one line, with the cure.

Figures of memory and disk are upper bounds of what a run was seen to take (decision 28), not promises.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

import psutil

from memfold.errors import UserError
from memfold.quantize.folder import ModelFolder
from memfold.yamls import CONF

GROUPS = (32, 64, 128)
# Columns of a packed word: out-features must be a multiple.
PACKED = 8
# What the rest of a process takes: torch, transformers and a tokenizer.
PROCESS = 1_500_000_000
# While scales are searched, memory holds this many times the weights of one MLP beside all weights: a copy, two
# matrices joined and scaled, and one being rounded. At Qwen2.5-32B's shapes (64 tokens, float32) AutoAWQ held 6.6 GB
# beside the weights, with the process; three times and `PROCESS` would be exactly that, without a margin.
SEARCH = 4


def packages(needed: Sequence[str]) -> None:
    """UserError where a package is not installed here."""
    missing = [name for name in needed if find_spec(name) is None]
    if missing:
        raise UserError(
            f"quantising needs packages that are not installed here ({', '.join(missing)}): make setup-quantize, then "
            ".venv-quantize/bin/python jobs/quantize.py …"
        )


def check_group(size: int) -> None:
    """UserError where no backend cuts weights into groups of this size."""
    if size not in GROUPS:
        raise UserError(f"backend.group_size={size}: use one of {', '.join(map(str, GROUPS))}")


def divisible(folder: ModelFolder, group_size: int) -> None:
    """UserError where a layer's inputs are no multiple of the group size, or its outputs of a packed word."""
    if not folder.linears:
        raise UserError(
            f"{folder.path}: has no layers that are quantised here (model.layers.*_proj): take a decoder of the family "
            "of Llama, Mistral or Qwen"
        )
    for name, (outs, ins) in sorted(folder.linears.items()):
        if ins % group_size:
            fitting = [one for one in GROUPS if all(i % one == 0 for _, i in folder.linears.values())]
            cure = (
                f"set backend.group_size={max(fitting)}"
                if fitting
                else "this model cannot be cut into groups"
            )
            raise UserError(
                f"backend.group_size={group_size}: {name} has {ins} inputs, which is no multiple: {cure}"
            )
        if outs % PACKED:
            raise UserError(
                f"{folder.path}: {name} has {outs} outputs, no multiple of {PACKED}: AWQ cannot pack it, take FP8 "
                "instead (model=qwen2.5-32b-fp8 shows how)"
            )


def disk(folder: ModelFolder, out: Path, copies: int) -> None:
    """UserError where the checkpoints do not fit beside each other where `out` will lie."""
    place = next(parent for parent in out.absolute().parents if parent.exists())
    free, needed = shutil.disk_usage(place).free, copies * int(1.1 * folder.quantised_bytes)
    if free < needed:
        raise UserError(
            f"out={out}: {free / 1e9:.1f} GB free, {needed / 1e9:.1f} GB needed for {copies} checkpoints: make "
            "room, or name another disk with out=…"
        )


def needed_bytes(folder: ModelFolder, bytes_a_weight: int, tokens: int) -> int:
    """The most memory one step takes: all weights, one layer's activations over all calibration tokens in and out of
    each of its parts, the copies that the search for scales makes of a layer, and the process itself."""
    config = folder.config
    hidden, inner = int(config.get("hidden_size", 4096)), int(config.get("intermediate_size", 11008))
    # Inputs of q, k, v, o, gate and up, the inner width for down, and the output under search, twice.
    activations = tokens * (8 * hidden + 3 * inner) * bytes_a_weight
    search = SEARCH * 3 * hidden * inner * bytes_a_weight
    return bytes_a_weight * folder.parameters + activations + search + PROCESS


def memory(needed: int, available: int | None = None) -> None:
    """UserError where there is less memory than a step takes; `available` is this machine's by default."""
    free = psutil.virtual_memory().available if available is None else available
    if free < needed:
        raise UserError(
            f"{free / 1e9:.1f} GB of memory free and {needed / 1e9:.1f} GB needed: set calibration.windows or "
            "calibration.tokens lower, or run it on a machine with more"
        )


def free_place(out: str, settings: Path | None) -> tuple[Path, Path | None]:
    """Where the checkpoint and its choice will lie; UserError where something lies there, or nothing can be written, or
    where a file would have to be a folder."""
    if not out:
        raise UserError("out is not given: name the folder that the checkpoint is to be written to, out=…")
    target, file = Path(out).expanduser(), settings.expanduser() if settings else None
    for key, path in (("out", target), ("settings", file or CONF / "model" / "new.yaml")):
        if path.exists():
            raise UserError(f"{key}={path}: exists already: name another, or remove it")
        parent = next(one for one in path.absolute().parents if one.exists())
        if not parent.is_dir() or not os.access(parent, os.W_OK | os.X_OK):
            raise UserError(
                f"{key}={path}: {parent} is no folder that can be written to: name another with {key}=…"
            )
    if file and file.resolve() in (target.resolve(), *target.resolve().parents):
        raise UserError(
            f"settings={file}: the folder out={out} will be there: name a file elsewhere with settings=…"
        )
    return target, file


def fits_context(config: Mapping[str, object], tokens: int) -> None:
    """UserError where a window is longer than the model's context."""
    longest = config.get("max_position_embeddings")
    if isinstance(longest, int) and tokens > longest:
        raise UserError(
            f"calibration.tokens={tokens}: the model reads at most {longest}: set calibration.tokens={longest} or lower"
        )
