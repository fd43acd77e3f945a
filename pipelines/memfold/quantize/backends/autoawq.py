"""AutoAWQ: activation-aware scales and clipping, packed as GEMM with zero points, the format that every server loads.

Its authors deprecated it in favour of llm-compressor; decision 28 says why it is here.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memfold.errors import UserError
from memfold.quantize.backends.backend import Windows, precision
from memfold.quantize.preflight import check_group


@dataclass(frozen=True)
class AutoAWQ:
    """`clip` searches how far each group's weights are cut before rounding, a third of the time. So many windows go
    through a layer `together`; 0 is all of them."""

    group_size: int = 128
    clip: bool = True
    together: int = 16

    name = "autoawq"
    needs = ("torch", "transformers", "safetensors", "xgrammar", "awq")

    def __post_init__(self) -> None:
        check_group(self.group_size)
        if self.together < 0:
            raise UserError(f"backend.together={self.together}: use 0 or more")

    def make(self, folder: Path, windows: Windows, out: Path) -> None:
        """See `Backend`."""
        import torch
        from transformers import AutoConfig, AutoTokenizer

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it warns at import that nobody maintains it
            from awq import AutoAWQForCausalLM
            from awq.models.auto import AWQ_CAUSAL_LM_MODEL_MAP

        family = AutoConfig.from_pretrained(folder, local_files_only=True).model_type
        if family not in AWQ_CAUSAL_LM_MODEL_MAP:
            raise UserError(
                f"backend=autoawq does not know models of the family {family}: take backend=llmcompressor"
            )
        # Its default is float16.
        made = AutoAWQForCausalLM.from_pretrained(
            str(folder), torch_dtype=getattr(torch, precision()), device_map=None, trust_remote_code=False
        )
        with _apart():
            made.quantize(
                AutoTokenizer.from_pretrained(folder, local_files_only=True),
                quant_config={
                    "zero_point": True,
                    "q_group_size": self.group_size,
                    "w_bit": 4,
                    "version": "GEMM",
                },
                calib_data=[list(window) for window in windows],
                max_calib_samples=len(windows),
                # It drops what is longer than this (512 by default) without a word.
                max_calib_seq_len=max(map(len, windows)),
                n_parallel_calib_samples=self.together or None,
                apply_clip=self.clip,
            )
        taken = made.quantizer.inps.shape[0]
        if taken != len(windows):
            raise UserError(
                f"AutoAWQ took {taken} of {len(windows)} windows: its release is not the pinned one"
            )
        # Scales are buffers and stay as they are.
        for parameter in made.model.parameters():
            parameter.data = parameter.data.to(torch.bfloat16)
        made.model.config.dtype = torch.bfloat16
        made.save_quantized(str(out))
        AutoTokenizer.from_pretrained(folder, local_files_only=True).save_pretrained(out)


@contextmanager
def _apart() -> Iterator[None]:
    """Give AutoAWQ's search for scales a copy of the weights.

    Version 0.2.9 keeps them by `.cpu()`, which copies only from a GPU. On a CPU each step of the search would start
    from the weights that the step before had rounded: SmolLM2's perplexity was 15,000 times the original's.
    """
    from awq.quantize.quantizer import AwqQuantizer

    search = AwqQuantizer._compute_best_scale

    def apart(self: Any, x: Any, w_mean: Any, x_mean: Any, module: Any, *rest: Any, **settings: Any) -> Any:
        """The search, over a module whose state is a copy."""
        held = module.state_dict
        module.state_dict = lambda: {name: tensor.clone() for name, tensor in held().items()}
        try:
            return search(self, x, w_mean, x_mean, module, *rest, **settings)
        finally:
            del module.state_dict

    AwqQuantizer._compute_best_scale = apart
    try:
        yield
    finally:
        AwqQuantizer._compute_best_scale = search
