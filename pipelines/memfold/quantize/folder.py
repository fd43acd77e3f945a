"""What a model's folder says of itself: shapes, sizes, the hash of its weights. Reads config.json and the headers of
safetensors files; knows no torch."""

from __future__ import annotations

import fcntl
import hashlib
import json
import math
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from memfold.errors import UserError

# A header longer than this is no safetensors file's.
_HEADER = 100_000_000
_CHUNK = 1 << 22
# What names a linear layer of a decoder block in the families that both backends know.
_LINEARS = ("_proj.weight", "qkv_proj.weight", "gate_up_proj.weight")


@dataclass(frozen=True)
class ModelFolder:
    """A folder with config.json, a tokenizer with a chat template, and weights as safetensors."""

    path: Path

    @staticmethod
    def of(path: str | Path) -> ModelFolder:
        """The folder that `engine.weights` names, looked at; UserError says what is missing."""
        folder, given = Path(path).expanduser(), f"engine.weights={path}"
        if not folder.is_dir():
            raise UserError(
                f"{given}: is no folder: name the one that holds the model's config.json and safetensors files"
            )
        if not (folder / "config.json").is_file():
            raise UserError(f"{given}: holds no config.json: name a model's folder, as transformers saves it")
        if not any(folder.glob("*.safetensors")):
            raise UserError(
                f"{given}: holds no weights as safetensors: save them so (save_pretrained of transformers)"
            )
        if not (folder / "tokenizer_config.json").is_file():
            raise UserError(f"{given}: holds no tokenizer_config.json: copy the model's tokenizer into it")
        found = ModelFolder(folder)
        if "quantization_config" in found.config:
            raise UserError(
                f"{given}: is quantised already: name the folder of the original, in 16 or 32 bits"
            )
        templates = ("chat_template.jinja", "chat_template.json")
        if (
            not any((folder / name).is_file() for name in templates)
            and "chat_template" not in found._tokenizer
        ):
            raise UserError(f"{given}: its tokenizer has no chat template: take the instruction-tuned model")
        return found

    @cached_property
    def config(self) -> dict[str, Any]:
        """config.json."""
        return self._json("config.json")

    @cached_property
    def _tokenizer(self) -> dict[str, Any]:
        return self._json("tokenizer_config.json")

    def _json(self, name: str) -> dict[str, Any]:
        try:
            read = json.loads((self.path / name).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise UserError(f"{self.path / name}: cannot be read ({error}): fetch the model again") from None
        if not isinstance(read, dict):
            raise UserError(f"{self.path / name}: is no JSON object: fetch the model again")
        return read

    @cached_property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shape of every tensor, by name. UserError where a file is broken."""
        found: dict[str, tuple[int, ...]] = {}
        for file in sorted(self.path.glob("*.safetensors")):
            try:
                with file.open("rb") as stream:
                    length = int.from_bytes(stream.read(8), "little")
                    if not 2 <= length <= _HEADER:
                        raise ValueError("no header")
                    header = json.loads(stream.read(length))
                    found |= {n: tuple(t["shape"]) for n, t in header.items() if n != "__metadata__"}
                    end = max(
                        (t["data_offsets"][1] for n, t in header.items() if n != "__metadata__"), default=0
                    )
                    if file.stat().st_size < 8 + length + end:
                        raise ValueError("it is cut off")
            except (OSError, ValueError, KeyError, TypeError) as error:
                raise UserError(
                    f"{file}: is no whole safetensors file ({error}): fetch the model again"
                ) from None
        return found

    @property
    def parameters(self) -> int:
        """How many numbers all tensors hold."""
        return sum(math.prod(shape) for shape in self.shapes.values())

    @cached_property
    def linears(self) -> dict[str, tuple[int, int]]:
        """The layers that are quantised, by name, each with its (out, in)."""
        return {
            name: (shape[0], shape[1])
            for name, shape in self.shapes.items()
            if len(shape) == 2 and ".layers." in name and name.endswith(_LINEARS)
        }

    @property
    def quantised_bytes(self) -> int:
        """About how large the checkpoint is at 4 bits: 4.5 bits for what is quantised (a scale and a zero point for
        each group of 64), 16 for the rest."""
        small = sum(math.prod(shape) for shape in self.linears.values())
        return int(small * 4.5 / 8) + 2 * (self.parameters - small)


@contextmanager
def aside(target: Path) -> Iterator[Path]:
    """An empty folder beside `target` in which to make it; it is removed at the end. First the gigabytes that a killed
    job left there are removed. UserError if another job is making `target`, rather than hours later."""
    folder = target.with_name(f".{target.name}.making")
    folder.mkdir(parents=True, exist_ok=True)
    held = os.open(folder, os.O_RDONLY)
    try:
        # The system lets go of it when its process ends, however that ends.
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(held)
        raise UserError(
            f"out={target}: another job is making it: wait for that one, or name another folder with out=…"
        ) from None
    try:
        for left in folder.iterdir():
            shutil.rmtree(left)
        yield folder
    finally:
        shutil.rmtree(folder)
        os.close(held)


def weights_digest(folder: Path) -> str:
    """32 hex digits over the names and bytes of a folder's weights."""
    whole = hashlib.blake2b(digest_size=16)
    for file in sorted(folder.glob("*.safetensors")):
        whole.update(file.name.encode() + b"\0")
        with file.open("rb") as stream:
            while chunk := stream.read(_CHUNK):
                whole.update(chunk)
    return whole.hexdigest()
