"""What of a folder is read: packed and nameless files, links; and what is a dead letter instead."""

from __future__ import annotations

import gzip
import io
import json
import os
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from memfold.errors import UserError
from memfold.ingest.read import read
from memfold.schema import Notice
from support.ingest_samples import both, write

LINE = {"conversation_id": "c", "role": "user", "content": "fine"}
LINES = (json.dumps(LINE) + "\n").encode() * 3


def zstd(data: bytes) -> bytes:
    out = pa.BufferOutputStream()
    with pa.CompressedOutputStream(out, "zstd") as stream:
        stream.write(data)
    return bytes(out.getvalue().to_pybytes())


PACKERS: Any = pytest.mark.parametrize(
    ("suffix", "pack"), [("gz", gzip.compress), ("zst", zstd)], ids=["gzip", "zstd"]
)


@PACKERS
@pytest.mark.parametrize("name", ["m.jsonl", "m.json", "m"])
def test_packed_files_are_read(
    name: str, suffix: str, pack: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    path = write(tmp_path, f"{name}.{suffix}", pack(LINES))
    for place in (path, tmp_path):
        for format in (None, "openai"):
            good, bad = both(place, format)
            assert (len(good), bad) == (3, [])


@PACKERS
def test_a_packed_file_of_two_frames_is_one(
    suffix: str, pack: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    good, bad = both(write(tmp_path, f"m.jsonl.{suffix}", pack(LINES) + pack(LINES)))
    assert (len(good), bad) == (6, [])


@PACKERS
def test_a_packed_file_names_a_conversation_as_the_file_itself_would(
    suffix: str, pack: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    data = json.dumps({"session_1": [{"speaker": "A", "dia_id": "D1:1", "text": "hey"}]}).encode()
    write(tmp_path, f"a/26.json.{suffix}", pack(data))
    write(tmp_path, f"27.json.{suffix}", pack(data))
    good, bad = both(tmp_path)
    assert ([m.conversation_id for m in good], bad) == (["LOCOMO-27", "a/26"], [])


@PACKERS
def test_packed_lines_stay_lines(suffix: str, pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    good, (dead,) = both(write(tmp_path, f"m.jsonl.{suffix}", pack(b'{"open": [\n' + LINES)), "openai")
    assert (len(good), dead.place) == (3, "line 1")


@PACKERS
@pytest.mark.parametrize("array", [False, True], ids=["lines", "array"])
def test_a_packed_file_cut_short_keeps_what_came_before(
    array: bool, suffix: str, pack: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    rows = [json.dumps({**LINE, "content": os.urandom(500).hex()}) for _ in range(2000)]
    data = f"[{','.join(rows)}]" if array else "\n".join(rows)
    packed = pack(data.encode())
    good, bad = both(write(tmp_path, f"m.json.{suffix}", packed[: len(packed) // 2]))
    assert 500 < len(good) < 1100
    assert len(bad) == 1
    assert "cannot be read" in bad[0].reason
    assert bad[0].file == f"m.json.{suffix}"


@PACKERS
def test_a_packed_file_that_unpacks_without_end_is_stopped(
    suffix: str, pack: Callable[[bytes], bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("stream", "records"):
        monkeypatch.setattr(f"memfold.ingest.{module}.LIMIT", 100_000)
    path = write(tmp_path, f"bomb.json.{suffix}", pack(LINES + b" " * 50_000_000))
    tracemalloc.start()
    try:
        _, bad = both(path, "openai")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert "unpacks to more than" in bad[-1].reason
    assert peak < 20_000_000


@PACKERS
def test_a_packed_table_is_read(suffix: str, pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    out = io.BytesIO()
    pq.write_table(pa.table({"conversation_id": ["p"], "role": ["user"], "content": ["Hi"]}), out)
    good, bad = both(write(tmp_path, f"t.parquet.{suffix}", pack(out.getvalue())))
    assert ([m.content for m in good], bad) == (["Hi"], [])


@PACKERS
def test_a_broken_pack_is_a_dead_letter(suffix: str, pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    write(tmp_path, "m.jsonl", LINES)
    write(tmp_path, f"x.jsonl.{suffix}", pack(LINES)[:6] + b"garbage")
    write(tmp_path, f"y.parquet.{suffix}", pack(b"PAR1" + os.urandom(90)))
    good, bad = both(tmp_path)
    assert len(good) == 3
    assert [letter.file for letter in bad] == [f"x.jsonl.{suffix}", f"y.parquet.{suffix}"]
    assert all("cannot be read" in letter.reason for letter in bad)


def test_a_file_without_an_extension_is_read_by_its_content(tmp_path: Path) -> None:
    write(tmp_path, "log", LINES)
    write(tmp_path, "old.txt", LINES)
    good, bad = both(tmp_path)
    assert (len(good), bad) == (6, [])


def test_a_file_is_of_the_format_that_is_named_for_it(tmp_path: Path) -> None:
    write(tmp_path, "notes.txt", b"exported on 3 May\n" + LINES)
    path = tmp_path / "notes.txt"
    with pytest.raises(UserError, match="the file is not a format memfold reads"):
        list(read(path))
    good, bad = both(path, "openai")
    assert (len(good), [letter.place for letter in bad]) == (3, ["line 1"])


# ------------------------------------------------------------------------------------------- links


def test_linked_folders_and_files_are_followed(tmp_path: Path) -> None:
    write(tmp_path, "elsewhere/deep/m.jsonl", LINES)
    write(tmp_path, "elsewhere/n.jsonl", LINES)
    root = tmp_path / "root"
    root.mkdir()
    (root / "link").symlink_to(tmp_path / "elsewhere" / "deep")
    assert len(both(root)[0]) == 3
    (root / "n.jsonl").symlink_to(tmp_path / "elsewhere" / "n.jsonl")
    good, bad = both(root)
    assert (len(good), bad) == (6, [])


def test_links_in_a_circle_end_and_nothing_is_read_twice(tmp_path: Path) -> None:
    broken = write(tmp_path, "a/m.jsonl", b"broken\n" + LINES)
    (tmp_path / "a" / "again").symlink_to(tmp_path / "a")
    (tmp_path / "a" / "up").symlink_to(tmp_path)
    (tmp_path / "0").symlink_to(tmp_path / "a")
    (tmp_path / "0.jsonl").symlink_to(broken)
    good, bad = both(tmp_path)
    assert len(good) == 3
    assert [letter.file for letter in bad] == ["a/m.jsonl"]


def test_a_folder_that_is_itself_a_link_is_read(tmp_path: Path) -> None:
    write(tmp_path, "real/m.jsonl", LINES)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert len(both(tmp_path / "link")[0]) == 3


# ------------------------------------------------------------------------------------ dead letters


def test_what_cannot_be_opened_is_a_dead_letter_and_the_rest_is_read(tmp_path: Path) -> None:
    write(tmp_path, "m.jsonl", LINES)
    (tmp_path / "gone.jsonl").symlink_to(tmp_path / "nowhere")
    (tmp_path / "self.jsonl").symlink_to(tmp_path / "self.jsonl")
    os.mkfifo(tmp_path / "pipe.jsonl")
    for format in (None, "openai"):
        good, bad = both(tmp_path, format)
        assert len(good) == 3
        assert [(letter.file, letter.place) for letter in bad] == [
            ("gone.jsonl", "file"),
            ("pipe.jsonl", "file"),
            ("self.jsonl", "file"),
        ]
        assert "cannot be read: No such file" in bad[0].reason
        assert bad[1].reason == "cannot be read: it is no file and no folder"


def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UserError, match=r"source\.path=.*pipe: cannot be read: it is no file and no folder"):
        read(tmp_path / "pipe")


@pytest.mark.parametrize("name", ["closed.jsonl", "closed.parquet", "closed.zip", "closed"])
@pytest.mark.parametrize("format", [None, "openai", "canonical"])
def test_a_file_without_permission_is_a_dead_letter(
    name: str, format: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, "m.jsonl", LINES)
    closed = write(tmp_path, name, LINES)
    opened = io.open

    def guarded(file: Any, *args: Any, **more: Any) -> Any:
        if str(file) == str(closed):
            raise PermissionError(13, "Permission denied", str(file))
        return opened(file, *args, **more)

    monkeypatch.setattr(io, "open", guarded)
    monkeypatch.setattr("builtins.open", guarded)
    _, bad = both(tmp_path, format)
    (letter,) = [letter for letter in bad if letter.file == name]
    assert "cannot be read: Permission denied" in letter.reason
    with pytest.raises(UserError, match=r"source\.path=.*closed.*cannot be read: Permission denied"):
        read(closed, format)


def test_a_folder_without_permission_is_a_dead_letter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, "m.jsonl", LINES)
    write(tmp_path, "closed/n.jsonl", LINES)
    scan = os.scandir

    def guarded(path: Any) -> Any:
        if str(path) == str(tmp_path / "closed"):
            raise PermissionError(13, "Permission denied", str(path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", guarded)
    good, (dead,) = both(tmp_path)
    assert len(good) == 3
    assert (dead.file, dead.place) == ("closed", "folder")
    assert dead.reason == "cannot be read: Permission denied"


def test_what_is_in_no_known_format_is_a_dead_letter(tmp_path: Path) -> None:
    write(tmp_path, "m.jsonl", LINES)
    write(tmp_path, "picture.png", b"\x89PNG\r\n")
    write(tmp_path, "notes.md", b"# notes")
    write(tmp_path, "notes.json.gz", gzip.compress(b'{"a": 1}'))
    for hidden in (".DS_Store", "sub/.DS_Store", ".git/config", "__MACOSX/x", "Thumbs.db", "desktop.ini"):
        write(tmp_path, hidden, b"\0")
    write(tmp_path, "probing_questions.json", b"{}")
    for format in (None, "openai"):
        good, bad = both(tmp_path, format)
        assert len(good) == 3
        reasons = {letter.file: letter.reason for letter in bad}
        assert set(reasons) == {"picture.png", "notes.md", "notes.json.gz"}
        assert reasons["picture.png"] == reasons["notes.md"] == "not a format memfold reads"
    assert {letter.reason for letter in both(tmp_path)[1]} == {"not a format memfold reads"}


def test_a_program_or_a_page_that_quotes_messages_is_none(tmp_path: Path) -> None:
    write(tmp_path, "example.py", b"chat = [" + LINES.replace(b"\n", b",\n") + b"]\n")
    write(tmp_path, "README.md", b"# Example\n\n    " + LINES)
    with pytest.raises(UserError, match="no readable conversations"):
        read(tmp_path)


def test_a_folder_with_nothing_but_the_unreadable_says_why(tmp_path: Path) -> None:
    (tmp_path / "gone.jsonl").symlink_to(tmp_path / "nowhere")
    with pytest.raises(
        UserError, match=r"no readable conversations in .*: gone\.jsonl cannot be read: No such"
    ):
        read(tmp_path)


# ---------------------------------------------------------------------------------------- notices


def told(path: Path, format: str | None = None) -> list[str]:
    return [item.text for item in read(path, format) if isinstance(item, Notice)]


@pytest.mark.parametrize("format", [None, "openai"])
def test_files_of_which_nothing_is_read_are_named(format: str | None, tmp_path: Path) -> None:
    write(tmp_path, "m.jsonl", b"broken\n" + LINES)
    assert told(tmp_path, format) == []
    write(tmp_path, "empty.jsonl", b"")
    write(tmp_path, "sub/notes.txt", b"some words")
    write(tmp_path, "x.jsonl.gz", gzip.compress(LINES)[:6] + b"garbage")
    (tmp_path / "gone.jsonl").symlink_to(tmp_path / "nowhere")
    said = told(tmp_path, format)
    files = ["gone.jsonl", "sub/notes.txt", "x.jsonl.gz"]
    assert [each for each in said if not each.startswith("empty.jsonl")] == [
        f"{file}: nothing of it is read: {letter.reason}"
        for file, letter in zip(
            files, (each for each in both(tmp_path, format)[1] if each.file in files), strict=True
        )
    ]


MANY = b"".join(
    json.dumps({**LINE, "content": f"The {n}th plant is {n * n} cm high."}).encode() + b"\n"
    for n in range(2000)
)
TALK = json.dumps(
    {"id": "t", "messages": [{"role": "user", "content": f"Row {n}."} for n in range(300)]}, indent=1
)


@pytest.mark.parametrize(
    ("name", "whole", "size", "why"),
    [
        ("m.jsonl.gz", gzip.compress(MANY), 5000, "cannot be read: Compressed file ended before"),
        ("t.json.gz", gzip.compress(TALK.encode()), 600, "cannot be read: Compressed file ended before"),
        ("t.json", TALK.encode(), 8000, "the file ends in the middle of it"),
        ("m.json", b"[" + MANY.strip().replace(b"\n", b",") + b"]", -1, "the file ends before its JSON does"),
        ("m.jsonl", MANY, -9, "the file ends in the middle of it"),
        ("m.jsonl", MANY, -2, "the file ends in the middle of it"),
        (
            "m.jsonl",
            MANY + json.dumps({**LINE, "current": True}).encode(),
            -2,
            "the file ends in the middle of it",
        ),
        (
            "m.jsonl",
            MANY + json.dumps({**LINE, "name": "Zo\u00eb"}).encode(),
            -4,
            "the file ends in the middle of it",
        ),
    ],
)
def test_a_file_that_is_cut_off_is_named_with_the_number_of_messages_that_were_read(
    name: str, whole: bytes, size: int, why: str, tmp_path: Path
) -> None:
    write(tmp_path, name, whole)
    assert told(tmp_path) == []
    write(tmp_path, name, whole[:size])
    good, (letter,) = both(tmp_path)
    assert 0 < len(good) < 2001
    assert letter.reason.startswith(why)
    assert told(tmp_path) == [f"{name}: only a part of it is read, {len(good):,} messages: {letter.reason}"]


@pytest.mark.parametrize(
    "data",
    [
        LINES + b"broken\n" + LINES,
        LINES + b'{"conversation_id": "c" "role": "user"}',
        LINES + b'{"conversation_id": "c", "role": "us\n',
        LINES.strip(),
    ],
)
def test_a_broken_line_does_not_count_as_the_end_of_its_file(data: bytes, tmp_path: Path) -> None:
    write(tmp_path, "m.jsonl", data)
    assert told(tmp_path) == []


def test_of_many_files_of_which_nothing_is_read_the_others_are_counted(tmp_path: Path) -> None:
    write(tmp_path, "m.jsonl", LINES)
    for number in range(23):
        write(tmp_path, f"{number}.txt", b"some words")
    *each, last = told(tmp_path)
    assert len(each) == 20
    assert last == "3 more files or folders of which nothing or only a part is read: see the dead letters"
