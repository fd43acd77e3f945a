"""A ragged threshold join: which rows of a conversation have an earlier row of at least a given cosine.

For many conversations at once, without the matrix of all pairs. `join` is the front: by a Triton kernel where there is
a GPU, else by numpy. Both give the same pairs, since whatever either could have got wrong is reckoned again in one
fixed way; so which one ran changes no result.
"""

from __future__ import annotations

import importlib.util

from memfold_kernels.threshold_join import reference
from memfold_kernels.threshold_join.rows import Floats, Ints, Pairs, checked

__all__ = ["BY", "Pairs", "join"]

# Who joins: `auto` is the kernel where a GPU is worth it.
BY = ("auto", "kernel", "reference")
# Rows below which `auto` stays on the CPU: 2,000 are joined there in 20 ms, which loading torch alone exceeds.
FEW = 2_000


def join(vectors: Floats, cu_seqlens: Ints, threshold: float, by: str = "auto") -> Pairs:
    """The pairs of rows of one conversation whose cosine is at least `threshold`, each as (later row, earlier row).

    `vectors` has shape (n, d), float32, every row of length 1; conversation c is its rows cu_seqlens[c] to
    cu_seqlens[c + 1] - 1 (int64, shape (conversations + 1,)), in order. Cosines are exact in float64 where they are
    near the threshold. ValueError says what cannot be joined, NaN among it; RuntimeError that `by="kernel"` finds no
    GPU.
    """
    if by not in BY:
        raise ValueError(f"by={by!r} must be one of {', '.join(BY)}")
    asked = checked(vectors, cu_seqlens, threshold)
    if by == "kernel" or (by == "auto" and len(vectors) >= FEW and _gpu()):
        if importlib.util.find_spec("triton") is None:
            raise RuntimeError("Triton is not installed, which the kernel needs (extra `kernels`)")
        from memfold_kernels.threshold_join import kernel

        return kernel.join(asked)
    return reference.join(asked)


def _gpu() -> bool:
    """Whether there is a GPU that Triton can use."""
    if importlib.util.find_spec("triton") is None:
        return False
    import torch  # 2 s, which whoever has no Triton is spared

    return bool(torch.cuda.is_available())
