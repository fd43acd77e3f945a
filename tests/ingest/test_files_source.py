"""`source=files`: checked when made, fingerprinted by names and bytes."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from memfold.errors import UserError
from memfold.ingest.source import Files
from memfold.schema import Message
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
    assert len(found) == 12
    assert all(isinstance(item, Message) for item in found)


def test_fingerprint_follows_names_and_bytes_and_not_the_place(folder: Path, tmp_path: Path) -> None:
    before = Files(str(folder)).fingerprint()
    assert Files(str(folder)).fingerprint() == before
    shutil.copytree(folder, tmp_path / "elsewhere")
    assert Files(str(tmp_path / "elsewhere")).fingerprint() == before
    (folder / "note.md").write_text("not read")
    assert Files(str(folder)).fingerprint() == before
    assert Files(str(folder), "openai").fingerprint() != before
    (folder / "0").rename(folder / "00")
    renamed = Files(str(folder)).fingerprint()
    (folder / "1" / "m.jsonl").write_bytes(samples.lines(samples.OPENAI).replace(b"Hello", b"HELLO"))
    assert len({before, renamed, Files(str(folder)).fingerprint()}) == 3


@pytest.mark.parametrize(
    ("path", "format", "words"),
    [
        ("", "auto", "source.path is not given"),
        ("gone", "auto", "does not exist"),
        (".", "beem", "give one of beam"),
    ],
)
def test_what_cannot_work_is_refused_at_once(path: str, format: str, words: str) -> None:
    with pytest.raises(UserError, match=words):
        Files(path, format)
