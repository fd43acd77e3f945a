"""Checkpoints of 4 bits as plain weights again, and weights rounded to nearest: what the gate measures with.

Reads the files that a server loads, so what is measured is what was written. Knows two formats: AutoAWQ's GEMM, and
compressed-tensors' pack-quantized.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

BITS, LEVELS, WORD = 4, 15, 8
# Where GEMM puts the eight columns of a word (awq/utils/packing_utils.py).
_ORDER = (0, 2, 4, 6, 1, 3, 5, 7)
# compressed-tensors stores signed numbers with this added.
_OFFSET = 8

Get = Callable[[str], Tensor]


def dense(folder: Path, dtype: torch.dtype) -> Iterator[tuple[str, Tensor, bool]]:
    """Every weight of a checkpoint by its original name, and whether it was quantised. Scales are rounded to `dtype`
    first, as a server that computes in it does."""
    from safetensors import safe_open

    with ExitStack() as open_files:
        # A layer's parts may lie in two files: where one is full, the next begins.
        of_name: dict[str, Any] = {}
        for file in sorted(folder.glob("*.safetensors")):
            tensors = open_files.enter_context(safe_open(file, framework="pt"))
            of_name |= dict.fromkeys(tensors.keys(), tensors)

        def get(name: str) -> Tensor:
            tensor: Tensor = of_name[name].get_tensor(name)
            return tensor

        for name in sorted(of_name):
            of, _, last = name.rpartition(".")
            if last == "qweight":
                yield f"{of}.weight", _gemm(get, of, dtype), True
            elif last == "weight_packed":
                yield f"{of}.weight", _packed(get, of, dtype), True
            elif not {f"{of}.qweight", f"{of}.weight_packed"} & of_name.keys() or last == "bias":
                yield name, get(name).to(dtype), False


def _gemm(get: Get, of: str, dtype: torch.dtype) -> Tensor:
    numbers = words(get(f"{of}.qweight"), _ORDER)  # in, out
    zeros = words(get(f"{of}.qzeros"), _ORDER)  # groups, out
    scales = get(f"{of}.scales").to(dtype).float()
    group = numbers.shape[0] // zeros.shape[0]
    weight: Tensor = (numbers - zeros.repeat_interleave(group, 0)) * scales.repeat_interleave(group, 0)
    return weight.T.contiguous().to(dtype)


def _packed(get: Get, of: str, dtype: torch.dtype) -> Tensor:
    outs, ins = get(f"{of}.weight_shape").tolist()
    numbers = words(get(f"{of}.weight_packed"))[:, :ins] - _OFFSET  # out, in
    zeros = words(get(f"{of}.weight_zero_point").T.contiguous())[:, :outs].T - _OFFSET  # out, groups
    scales = get(f"{of}.weight_scale").to(dtype).float()
    group = ins // scales.shape[1]
    weight: Tensor = (numbers - zeros.repeat_interleave(group, 1)) * scales.repeat_interleave(group, 1)
    return weight.to(dtype)


def words(packed: Tensor, order: tuple[int, ...] = tuple(range(WORD))) -> Tensor:
    """The numbers of 4 bits, 0 to 15, in words of 32 along the last axis; nibble i of a word is its column order[i]."""
    shifts = torch.arange(0, BITS * WORD, BITS)
    nibbles = (packed.unsqueeze(-1) >> shifts) & LEVELS
    placed = torch.empty_like(nibbles)
    placed[..., list(order)] = nibbles
    return placed.flatten(-2).float()


def rounded(weight: Tensor, group_size: int) -> Tensor:
    """A weight (out, in) after rounding to nearest in 4 bits, with a scale and a zero point a group of inputs."""
    groups = weight.float().view(-1, group_size)
    low, high = groups.amin(1, keepdim=True).clamp(max=0), groups.amax(1, keepdim=True).clamp(min=0)
    scale = ((high - low) / LEVELS).clamp(min=1e-5).to(weight.dtype).float()
    zero = (-low / scale).round().clamp(0, LEVELS)
    numbers = ((groups / scale).round() + zero).clamp(0, LEVELS)
    return ((numbers - zero) * scale).view_as(weight).to(weight.dtype)
