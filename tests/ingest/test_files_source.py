"""`source=files`: checked when made."""

from __future__ import annotations

from pathlib import Path

import pytest

from memfold.config import build, load
from memfold.errors import UserError
from memfold.ingest.source import Files
from memfold.schema import Message, Notice
from support import ingest_samples as samples


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "data"
    for number in range(3):
        path = root / str(number) / "m.jsonl"
        path.parent.mkdir(parents=True)
        path.write_bytes(samples.lines(samples.OPENAI))
    return root


def test_messages(folder: Path) -> None:
    found = list(Files(str(folder)).messages())
    assert [type(item) for item in found].count(Message) == 12
    assert [type(item) for item in found].count(Notice) == 2  # c1 and c2 are in three files


@pytest.mark.parametrize(
    ("path", "format", "words"),
    [
        ("", "auto", r"^source\.path is missing: name a file or a folder, source\.path=…"),
        (None, "auto", r"^source\.path is missing"),
        ("gone", "auto", r"^source\.path=gone: does not exist"),
        (".", "beem", r"^source\.format=beem: .*: give one of beam"),
        ("foo://x", "auto", r"^source\.path=foo://x: .* foo://"),
        ("s3://bucket/x", "beam", r"^source\.path=s3://bucket/x: "),
        ("x\0y", "auto", r"^source\.path=x"),
        ("x" * 5000, "auto", r"^source\.path=x"),
        (5, "auto", r"^source\.path=5"),
    ],
)
def test_what_cannot_work_is_refused_at_once(path: object, format: str, words: str) -> None:
    with pytest.raises(UserError, match=words) as told:
        Files(path, format)  # type: ignore[arg-type]
    assert "\n" not in str(told.value)


def test_a_tilde_is_the_home_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(folder))
    assert Files("~/0/m.jsonl") == Files(str(folder / "0" / "m.jsonl"))
    assert list(Files("~").messages()) == list(Files(str(folder)).messages())


def test_a_path_is_a_path(folder: Path) -> None:
    assert Files(folder) == Files(str(folder))  # type: ignore[arg-type]


def test_the_config_says_in_words_that_the_path_is_missing() -> None:
    with pytest.raises(UserError, match=r"^source\.path is not given: set source\.path=…"):
        build(load("index", ["store.root=x"]).source, "source")
