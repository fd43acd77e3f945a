"""What a backend is: it makes a checkpoint of 4 bits from a model's folder and windows of tokens."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

Windows = Sequence[Sequence[int]]


def precision() -> str:
    """What weights are computed in, as torch calls it: bfloat16 on a GPU. A CPU takes several times as long in it as in
    float32. Never float16, in which Qwen2 overflows."""
    import torch

    return "bfloat16" if torch.cuda.is_available() else "float32"


class Backend(Protocol):
    """A way to make a checkpoint."""

    @property
    def name(self) -> str:
        """The name of the backend and of its yaml."""
        ...

    @property
    def group_size(self) -> int:
        """How many inputs share a scale and a zero point."""
        ...

    @property
    def needs(self) -> tuple[str, ...]:
        """The packages that it imports."""
        ...

    def make(self, folder: Path, windows: Windows, out: Path) -> None:
        """Write the checkpoint of `folder` into the folder `out`, which is not there yet, calibrated on all the windows
        (of one length each), with its tokenizer. UserError where the model's family is not known to it."""
        ...
