"""Any sentence-transformers model, on CUDA where there is one.

The model is a name on a hub or a folder. torch is imported when the first text is encoded, not before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from memfold.embed.contract import Vectors
from memfold.errors import UserError
from memfold.once import once

DEVICES = ("auto", "cpu", "cuda", "mps")
DTYPES = ("float32", "float16", "bfloat16")


@dataclass(frozen=True)
class SentenceTransformers:
    """`model` is a hub name or a folder; `device` auto is CUDA where there is one, else the CPU. `query` stands before
    questions and `passage` before what they search, as the model was trained. `multilingual`: it knows other languages
    as well as English. `dtype` is the type that it computes in, whatever type its weights are kept in."""

    model: str = "BAAI/bge-small-en-v1.5"
    max_length: int = 512
    device: str = "auto"
    batch_size: int = 64
    query: str = ""
    passage: str = ""
    multilingual: bool = False
    dtype: str = "float32"

    def __post_init__(self) -> None:
        if not self.model:
            raise UserError(
                "embedder.model is empty: give a hub name such as BAAI/bge-small-en-v1.5, or a folder"
            )
        if self.max_length < 8:
            raise UserError(f"embedder.max_length is {self.max_length}: give at least 8 tokens")
        if self.batch_size < 1:
            raise UserError(f"embedder.batch_size is {self.batch_size}: give at least 1")
        if self.device not in DEVICES:
            raise UserError(f"embedder.device is {self.device!r}: give one of {', '.join(DEVICES)}")
        if self.dtype not in DTYPES:
            raise UserError(f"embedder.dtype is {self.dtype!r}: give one of {', '.join(DTYPES)}")

    @property
    def dimension(self) -> int:
        """See `Embedder`. Loads the model."""
        return int(self._model.get_embedding_dimension())

    @property
    def _model(self) -> Any:
        return _load(self.model, self.max_length, self.device, self.dtype)

    @property
    def signature(self) -> str:
        """The device is left out: it moves the last bits only."""
        prefixes = f"/{self.query}/{self.passage}" if self.query or self.passage else ""
        dtype = "" if self.dtype == "float32" else f"/{self.dtype}"
        return f"sentence-transformers/{self.model}/{self.max_length}{prefixes}{dtype}"

    def encode(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder`."""
        return self._encoded([self.passage + text for text in texts])

    def ask(self, texts: Sequence[str]) -> Vectors:
        """The same for questions that are asked of what `encode` gave."""
        return self._encoded([self.query + text for text in texts])

    def _encoded(self, texts: Sequence[str]) -> Vectors:
        if not texts:
            return np.empty((0, self.dimension), np.float32)
        vectors = self._model.encode(
            texts,
            batch_size=self.batch_size,
            normalize_embeddings=True,
            convert_to_numpy=True,
            show_progress_bar=False,
        )
        return np.asarray(vectors, np.float32)


@once
def _load(model: str, max_length: int, device: str, dtype: str) -> Any:
    from sentence_transformers import SentenceTransformer

    try:
        # By default transformers computes in the type of the kept weights; float16 takes a CPU four times as long.
        loaded = SentenceTransformer(
            model, device=None if device == "auto" else device, model_kwargs={"dtype": dtype}
        )
    except (OSError, RuntimeError, ValueError) as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise UserError(
            f"cannot load the embedder {model!r} ({reason}); where no hub is reachable, put the model's folder in "
            "embedder.model or use embedder=minilm, whose weights come with the installation"
        ) from error
    loaded.max_seq_length = max_length
    return loaded
