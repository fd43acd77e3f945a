"""Folders of models, small and made up."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors.torch import save_file


def model_folder(
    folder: Path, shapes: Mapping[str, tuple[int, ...]], *, fill: float = 1.0, **config: object
) -> Path:
    """What a model's folder holds, as far as it is looked at before work begins."""
    folder.mkdir(parents=True, exist_ok=True)
    sizes = {
        "model_type": "llama",
        "hidden_size": 64,
        "intermediate_size": 128,
        "max_position_embeddings": 4096,
    }
    (folder / "config.json").write_text(json.dumps({**sizes, **config}))
    (folder / "tokenizer_config.json").write_text(json.dumps({"chat_template": "{{ messages }}"}))
    write_tensors(
        folder / "model.safetensors", {name: torch.full(shape, fill) for name, shape in shapes.items()}
    )
    return folder


def write_tensors(path: Path, tensors: Mapping[str, torch.Tensor]) -> None:
    """A safetensors file."""
    save_file({name: tensor.contiguous() for name, tensor in tensors.items()}, path)
