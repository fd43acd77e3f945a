"""What a conversation is called that is named for its file; and what is said where two files give one name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memfold.ingest.read import NOTICES, read
from memfold.schema import DeadLetter, Message, Notice
from support.ingest_samples import write

LOCOMO = {
    "session_1": [{"speaker": "A", "dia_id": "D1:1", "text": "hey"}],
    "session_1_date_time": "1:56 pm on 8 May, 2023",
}
OPENAI = {"messages": [{"role": "user", "content": "hi"}]}
SHAREGPT = {"conversations": [{"from": "human", "value": "hi"}]}
BEAM = [{"turns": [[{"role": "user", "id": 0, "content": "hi"}]]}]
GIVEN = {"conversation_id": "c1", "role": "user", "content": "hi"}


def names(path: Path) -> list[str]:
    found = list(read(path))
    assert [item for item in found if isinstance(item, (DeadLetter, Notice))] == []
    return list(dict.fromkeys(item.conversation_id for item in found if isinstance(item, Message)))


def notices(path: Path) -> list[str]:
    return [item.text for item in read(path) if isinstance(item, Notice)]


@pytest.mark.parametrize(
    ("data", "at_root", "below"),
    [
        (LOCOMO, "LOCOMO-26", ["a/26", "b/26"]),
        (OPENAI, "26-1", ["a/26-1", "b/26-1"]),
        (SHAREGPT, "26-1", ["a/26-1", "b/26-1"]),
        (BEAM, "26", ["a/26", "b/26"]),
        ([{"chat": BEAM}], "26-1", ["a/26-1", "b/26-1"]),
        ([{"plan-1": BEAM}], "26", ["a/26", "b/26"]),
    ],
    ids=["locomo", "openai", "sharegpt", "beam", "beam rows", "beam plans"],
)
def test_a_name_made_from_a_file_has_its_folder(
    data: Any, at_root: str, below: list[str], tmp_path: Path
) -> None:
    write(tmp_path, "a/26.json", data)
    write(tmp_path, "b/26.json", data)
    assert names(tmp_path) == below
    assert names(tmp_path / "a") == [at_root]
    assert names(tmp_path / "a" / "26.json") == [at_root]


def test_deeper_folders_are_all_named(tmp_path: Path) -> None:
    write(tmp_path, "x/y/m.json", OPENAI)
    write(tmp_path, "y/m.json", OPENAI)
    assert names(tmp_path) == ["x/y/m-1", "y/m-1"]


@pytest.mark.parametrize("above", ["", "data/beam/"])
def test_beams_layout_names_its_conversations(above: str, tmp_path: Path) -> None:
    write(tmp_path, f"{above}100K/1/chat.json", BEAM)
    write(tmp_path, f"{above}100K/2.json", BEAM)
    write(tmp_path, f"{above}10M/5/plan-0/chat.json", BEAM)
    write(tmp_path, f"{above}10M/5/plan-1/chat.json", BEAM)
    assert names(tmp_path) == ["10M-5", "100K-1", "100K-2"]
    assert names(tmp_path / above / "100K") == ["100K-1", "100K-2"]
    assert names(tmp_path / above / "100K" / "1") == ["100K-1"]
    assert names(tmp_path / above / "100K" / "1" / "chat.json") == ["100K-1"]
    assert names(tmp_path / above / "10M" / "5") == ["10M-5"]


def test_a_chat_of_beam_is_named_for_its_folder(tmp_path: Path) -> None:
    for place in ("x/any/chat.json", "y/any/chat.json", "x/many/plan-0/chat.json", "y/many/plan-3/chat.json"):
        write(tmp_path, place, BEAM)
    assert names(tmp_path) == ["x/any", "x/many", "y/any", "y/many"]
    assert names(tmp_path / "x" / "any") == ["any"]
    assert names(tmp_path / "x" / "any" / "chat.json") == ["any"]
    assert names(tmp_path / "x" / "many") == ["many"]


def test_a_file_name_that_is_no_unicode_still_names(tmp_path: Path) -> None:
    import os

    with open(os.fsencode(str(tmp_path)) + b"/\xff.json", "w") as file:  # noqa: PTH123
        json.dump(LOCOMO, file)
    assert names(tmp_path) == ["\\udcff"]


def test_two_files_that_hold_one_conversation_are_noticed_once(tmp_path: Path) -> None:
    for name in ("a/x.json", "b/y.json", "b/z.json"):
        write(tmp_path, name, [GIVEN, GIVEN])
    assert notices(tmp_path) == [
        "a/x.json and b/y.json both hold conversation 'c1': their messages are read as one conversation"
    ]
    found = list(read(tmp_path))
    assert [type(item) for item in found] == [Message, Message, Notice, Message, Message, Message, Message]


def test_a_conversation_in_one_file_is_not_noticed(tmp_path: Path) -> None:
    write(tmp_path, "a.json", [GIVEN, {**GIVEN, "conversation_id": "c2"}, GIVEN])
    write(tmp_path, "b.json", [{**GIVEN, "conversation_id": "c3"}])
    assert notices(tmp_path) == []


def test_many_conversations_in_two_files_are_counted(tmp_path: Path) -> None:
    many = [{**GIVEN, "conversation_id": f"c{n}"} for n in range(NOTICES + 5)]
    write(tmp_path, "a.json", many)
    write(tmp_path, "b.json", many)
    *each, last = notices(tmp_path)
    assert len(each) == NOTICES
    assert last == "5 more conversations are held by more than one file each: read as one each"


def test_a_file_that_names_no_conversation_is_said_to_be_one(tmp_path: Path) -> None:
    for n in range(NOTICES + 2):
        (tmp_path / f"{n:02}.jsonl").write_text('{"role": "user", "content": "Hello."}\n')
    said = notices(tmp_path)
    assert said[0] == "00.jsonl: its lines name no conversation_id: read as one conversation, '00'"
    assert said[NOTICES:] == ["2 more files name no conversation_id: read as one conversation each"]
