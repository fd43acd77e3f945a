"""llm-compressor: activation-aware scales, packed as compressed-tensors. The maintained one; vLLM reads its format."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from memfold.errors import UserError
from memfold.quantize.backends.backend import Windows, precision
from memfold.quantize.preflight import check_group

OBSERVERS = ("minmax", "mse")


@dataclass(frozen=True)
class LlmCompressor:
    """`observer` says how far a group's weights reach: "minmax", or "mse", which searches and comes near to AutoAWQ's
    clipping."""

    group_size: int = 128
    observer: str = "mse"

    name = "llmcompressor"
    needs = ("torch", "transformers", "safetensors", "xgrammar", "llmcompressor", "datasets")

    def __post_init__(self) -> None:
        check_group(self.group_size)
        if self.observer not in OBSERVERS:
            raise UserError(f"backend.observer={self.observer}: use one of {', '.join(OBSERVERS)}")

    def make(self, folder: Path, windows: Windows, out: Path) -> None:
        """See `Backend`."""
        import torch
        from compressed_tensors.quantization import QuantizationArgs, QuantizationScheme
        from datasets import Dataset
        from llmcompressor import oneshot
        from llmcompressor.modifiers.quantization import QuantizationModifier
        from llmcompressor.modifiers.transform.awq import AWQModifier
        from transformers import AutoModelForCausalLM, AutoTokenizer

        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        model = AutoModelForCausalLM.from_pretrained(folder, dtype=precision(), local_files_only=True)
        weights = QuantizationArgs(
            num_bits=4,
            type="int",
            symmetric=False,
            strategy="group",
            group_size=self.group_size,
            observer=self.observer,
        )
        scheme = QuantizationScheme(targets=["Linear"], weights=weights)
        rows = {
            "input_ids": [list(window) for window in windows],
            "attention_mask": [[1] * len(window) for window in windows],
        }
        with _unpinned():
            oneshot(
                model=model,
                processor=tokenizer,
                dataset=Dataset.from_dict(rows),
                recipe=[
                    AWQModifier(duo_scaling=True),
                    QuantizationModifier(ignore=["lm_head"], config_groups={"group_0": scheme}),
                ],
                max_seq_length=max(map(len, windows)),
                num_calibration_samples=len(windows),
                shuffle_calibration_samples=False,
            )
        model.to(torch.bfloat16)
        model.config.dtype = torch.bfloat16
        model.save_pretrained(out, save_compressed=True)
        tokenizer.save_pretrained(out)


@contextmanager
def _unpinned() -> Iterator[None]:
    """Without a GPU 0.14.0.1 pins memory all the same, which torch refuses there: so it does not."""
    import torch
    from llmcompressor.pipelines.cache import IntermediatesCache

    if torch.accelerator.is_available():
        yield
        return
    pins = IntermediatesCache.pin_memory
    IntermediatesCache.pin_memory = lambda *_: None
    try:
        yield
    finally:
        IntermediatesCache.pin_memory = pins
