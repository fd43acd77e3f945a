"""What a backend is: it makes a checkpoint of 4 bits from a model's folder and windows of tokens."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

Windows = Sequence[Sequence[int]]


class Backend(Protocol):
    """A way to make a checkpoint. `group_size` inputs share a scale and a zero point, `needs` are the packages that it
    imports, `quantization` is what vLLM calls the format (empty: it reads it from the checkpoint)."""

    @property
    def name(self) -> str: ...
    @property
    def group_size(self) -> int: ...
    @property
    def needs(self) -> tuple[str, ...]: ...
    @property
    def bytes_a_weight(self) -> int:
        """Of the weights in memory while it works."""
        ...

    def make(self, folder: Path, windows: Windows, out: Path) -> None:
        """Write the checkpoint of `folder` into the folder `out`, which is not there yet, calibrated on all the windows
        (of one length each), with its tokenizer. UserError where the model's family is not known to it."""
        ...
