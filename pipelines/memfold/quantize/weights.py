"""Checkpoints of 4 bits as plain weights again, and weights rounded to nearest: what the gate measures with.

Reads the files that a server loads, so what is measured is what was written. Knows two formats: AutoAWQ's GEMM, and
compressed-tensors' pack-quantized.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import torch
from torch import Tensor

BITS, LEVELS, WORD = 4, 15, 8
# Where GEMM puts the eight columns of a word (awq/utils/packing_utils.py).
_ORDER = (0, 2, 4, 6, 1, 3, 5, 7)
# compressed-tensors stores signed numbers with this added.
_OFFSET = 8


def dense(folder: Path, dtype: torch.dtype) -> Iterator[tuple[str, Tensor, bool]]:
    """Every weight of a checkpoint by its original name, and whether it was quantised. Scales are rounded to `dtype`
    first, as a server that computes in it does."""
    for file in sorted(folder.glob("*.safetensors")):
        from safetensors import safe_open

        with safe_open(file, framework="pt") as tensors:
            names = set(tensors.keys())
            for name in sorted(names):
                of, _, last = name.rpartition(".")
                if last == "qweight":
                    yield f"{of}.weight", _gemm(tensors, of, dtype), True
                elif last == "weight_packed":
                    yield f"{of}.weight", _packed(tensors, of, dtype), True
                elif (f"{of}.qweight" not in names and f"{of}.weight_packed" not in names) or last == "bias":
                    yield name, tensors.get_tensor(name).to(dtype), False


def _gemm(tensors: object, of: str, dtype: torch.dtype) -> Tensor:
    get = tensors.get_tensor  # type: ignore[attr-defined]
    numbers = words(get(f"{of}.qweight"), _ORDER)  # in, out
    zeros = words(get(f"{of}.qzeros"), _ORDER)  # groups, out
    scales = get(f"{of}.scales").to(dtype).float()
    group = numbers.shape[0] // zeros.shape[0]
    weight = (numbers - zeros.repeat_interleave(group, 0)) * scales.repeat_interleave(group, 0)
    return weight.T.contiguous().to(dtype)


def _packed(tensors: object, of: str, dtype: torch.dtype) -> Tensor:
    get = tensors.get_tensor  # type: ignore[attr-defined]
    outs, ins = get(f"{of}.weight_shape").tolist()
    numbers = words(get(f"{of}.weight_packed"))[:, :ins] - _OFFSET  # out, in
    zeros = words(get(f"{of}.weight_zero_point").T.contiguous())[:, :outs].T - _OFFSET  # out, groups
    scales = get(f"{of}.weight_scale").to(dtype).float()
    group = ins // scales.shape[1]
    weight = (numbers - zeros.repeat_interleave(group, 1)) * scales.repeat_interleave(group, 1)
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
