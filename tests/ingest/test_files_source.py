"""`source=files`: checked when made."""

from __future__ import annotations

import io
import json
import re
import zipfile
from pathlib import Path

import pytest

from memfold.build import build
from memfold.config import load
from memfold.errors import UserError
from memfold.ingest.read import read
from memfold.ingest.source import Files
from memfold.schema import DeadLetter, Message, Notice
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


def zipped(*names: str) -> bytes:
    """A zip of empty files."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name in names:
            archive.writestr(name, b"")
    return made.getvalue()


def test_a_path_is_a_path(folder: Path) -> None:
    assert Files(folder) == Files(str(folder))  # type: ignore[arg-type]


def test_the_config_says_in_words_that_the_path_is_missing() -> None:
    with pytest.raises(UserError, match=r"^source\.path is not given: set source\.path=…"):
        build(load("index", ["store.root=x"]).source, "source")


@pytest.mark.parametrize("data", [b"", b" \n", b"[]"])
def test_a_file_without_a_message_is_said_to_hold_none(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "m.jsonl").write_bytes(data)
    with pytest.raises(UserError, match=r"source\.path=.*m\.jsonl: holds no message"):
        list(Files(str(tmp_path / "m.jsonl"), "openai").messages())


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "the file is empty: name a file or a folder of conversations"),
        (b"\n \n", "the file is empty"),
        ('{"role": "user"}'.encode("utf-16"), "UTF-16, and memfold reads UTF-8: save it as UTF-8"),
        ('{"role": "user"}'.encode("utf-16-le"), "UTF-16"),
        ('{"role": "user"}'.encode("utf-16-be"), "UTF-16"),
        (b"\0\0\0\x18ftypmp42", "not a format memfold reads"),
        (b"PK\x03\x04\x14\0\0\0", "a zip that is cut short or damaged: fetch it again"),
        (b"PK\x05\x06" + bytes(18), "a zip that holds no conversations.json: unpack it"),
        (zipped("chats.zip"), "a zip that holds another zip: unpack it"),
        (b"PK\x05\x05" + bytes(18), "not a format memfold reads"),
        (b"User: hi", "not a format memfold reads: name it with source.format="),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "not a format memfold reads"),
    ],
)
def test_a_file_of_no_format_says_what_it_is(data: bytes, said: str, tmp_path: Path) -> None:
    (tmp_path / "m.jsonl").write_bytes(data)
    with pytest.raises(UserError, match=re.escape(said)):
        Files(str(tmp_path / "m.jsonl"))


@pytest.mark.parametrize("inner", ["chats.zip", "conversations.json"])
def test_a_zip_in_a_zip_is_to_be_unpacked_in_a_named_format_too(inner: str, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "outer.zip", "w") as archive:
        archive.writestr(inner, zipped("conversations.json"))
    (letter,) = [each for each in read(tmp_path / "outer.zip", "chatgpt") if isinstance(each, DeadLetter)]
    assert letter.reason.startswith("a zip ")
    assert letter.reason.endswith(" zip: unpack it")


@pytest.mark.parametrize(
    ("named", "said"), [("chatgpt", " (it looks like source.format=openai)"), ("openai", "")]
)
def test_a_file_of_which_nothing_is_read_says_which_format_it_looks_like(
    named: str, said: str, tmp_path: Path
) -> None:
    line = {"role": "user", "content": "hi", "conversation_id": 1.5, "id": "a"}
    (tmp_path / "m.jsonl").write_text(json.dumps(line))
    found = [each for each in read(tmp_path / "m.jsonl", named) if isinstance(each, Notice)]
    assert [each.text.partition("read")[2].partition(":")[0] for each in found] == [said]


def test_a_file_of_another_kind_is_to_be_converted(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text("role,content\nuser,hi\n")
    with pytest.raises(UserError, match="convert it to JSON, JSON lines, Parquet or Arrow"):
        Files(str(tmp_path / "m.csv"))
