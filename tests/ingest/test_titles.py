"""Titles come once, before the first message; bare messages are the file's; dead letters name whose they are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memfold.ingest.read import read
from memfold.ingest.recognise import recognise
from memfold.schema import DeadLetter, Item, Message, Notice, Title
from support import ingest_samples as samples
from support.ingest_samples import both, write

BARE = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]


# ------------------------------------------------------------------------------------------ titles


@pytest.mark.parametrize(
    ("data", "title"),
    [
        (samples.CHATGPT, Title("g1", "Tree")),
        (samples.CLAUDE, Title("k1", "A chat")),
        ([{**samples.SHAREGPT[0], "title": "Sums"}], Title("s1", "Sums")),
        ([{**samples.OPENAI[2], "title": "Go"}], Title("c2", "Go")),
    ],
    ids=["chatgpt", "claude", "sharegpt", "openai"],
)
def test_a_title_comes_once_before_the_first_message(data: Any, title: Title, tmp_path: Path) -> None:
    write(tmp_path, "conversations-1.json", data)
    write(tmp_path, "conversations-2.json", data)
    first, *rest = read(tmp_path)
    assert first == title
    assert not any(isinstance(item, Title) for item in rest)


@pytest.mark.parametrize("title", [None, "", "  ", 5, ["x"]])
def test_what_is_no_title_is_none(title: object, tmp_path: Path) -> None:
    found: list[Item] = list(read(write(tmp_path, "c.json", [{**samples.CHATGPT[0], "title": title}])))
    assert all(isinstance(item, Message) for item in found)


def test_a_title_that_is_no_unicode_can_be_stored(tmp_path: Path) -> None:
    first, *_ = read(write(tmp_path, "c.json", [{**samples.CHATGPT[0], "title": "half \ud800"}]))
    assert isinstance(first, Title)
    first.text.encode()


def test_a_title_without_messages_is_a_dead_letter_alone(tmp_path: Path) -> None:
    dead, told = read(write(tmp_path, "c.json", [{**samples.CHATGPT[0], "mapping": {}}]), "chatgpt")
    assert isinstance(dead, DeadLetter)
    assert (dead.reason, dead.conversation_id) == ("no messages in it", "g1")
    assert isinstance(told, Notice)


# -------------------------------------------------------------------------------- bare messages


@pytest.mark.parametrize(
    ("name", "data"),
    [("log.jsonl", samples.lines(BARE)), ("log.json", BARE), ("log", samples.lines(BARE))],
)
@pytest.mark.parametrize("format", [None, "openai"])
def test_bare_messages_are_one_conversation_named_for_the_file(
    name: str, data: Any, format: str | None, tmp_path: Path
) -> None:
    one, two = write(tmp_path, f"sub1/{name}", data), write(tmp_path, f"sub2/{name}", data)
    assert recognise(one) == "openai"
    found = [item for item in read(tmp_path, format) if isinstance(item, Message)]
    assert [(m.conversation_id, m.content) for m in found] == [
        ("sub1/log", "Hi"),
        ("sub1/log", "Hello"),
        ("sub2/log", "Hi"),
        ("sub2/log", "Hello"),
    ]
    assert [item.conversation_id for item in read(two) if isinstance(item, Message)] == ["log", "log"]


def test_a_long_first_message_is_still_recognised(tmp_path: Path) -> None:
    path = write(tmp_path, "log.jsonl", samples.lines([{"role": "user", "content": "x" * 600_000}, *BARE]))
    assert len([item for item in read(path) if isinstance(item, Message)]) == 3


def test_bare_messages_after_a_broken_line(tmp_path: Path) -> None:
    path = write(tmp_path, "log.jsonl", b'{"role": "us\n' + samples.lines(BARE))
    told, dead, *good = read(path)
    assert isinstance(told, Notice)
    assert isinstance(dead, DeadLetter)
    assert dead.conversation_id == "log"
    assert {m.conversation_id for m in good if isinstance(m, Message)} == {"log"}


def test_a_line_without_its_conversation_is_rejected_where_others_name_theirs(tmp_path: Path) -> None:
    named = {**BARE[0], "conversation_id": "c"}
    _, (dead,) = both(write(tmp_path, "log.jsonl", samples.lines([named, BARE[1], named])))
    assert (dead.place, dead.reason, dead.conversation_id) == ("line 2", "no conversation_id", None)


@pytest.mark.parametrize(
    "data", [{"role": "admin"}, {"users": [{"role": "admin", "content": "x"}]}, [{"roles": ["user"]}], [[1]]]
)
def test_other_json_is_not_taken_for_messages(data: Any, tmp_path: Path) -> None:
    assert recognise(write(tmp_path, "x.json", data)) is None


# -------------------------------------------------------------------- whose a dead letter was


LINE = {"conversation_id": "x", "role": "user", "content": "fine"}


@pytest.mark.parametrize(
    ("broken", "whose"),
    [
        (b'{"conversation_id": "x", "role": "us', "x"),
        (b'{"role": "user", "conversation_id" : "x", "content": "cut', "x"),
        (b'"role": "user", "conversation_id": "x", "content": "y"}', "x"),
        (b'{"content": "say "hi", "conversation_id": "x"}', "x"),
        (b'{"conversation_id": 7, "role": "user", "content', "7"),
        (b'{"conversation_id": "\\u00e9", "role', "\u00e9"),
        (b"{'conversation_id': 'x', 'role': 'user'}", "x"),
        (b"{conversation_id: x, role: user, content: y}", "x"),
        (b"{'content': 'my conversation_id is y', 'role'", None),
        (b'{"conversation_id": "\xff", "role', None),
        (b'{"conversation_id": "", "role', None),
        (b'{"role": "user", "content": "\\"conversation_id\\": \\"y\\"', None),
        (b'{"role": "user", "content": "cut', None),
    ],
)
def test_a_broken_line_is_whose_id_it_names(broken: bytes, whose: str | None, tmp_path: Path) -> None:
    path = write(tmp_path, "m.jsonl", samples.lines([LINE]) + broken + b"\n" + samples.lines([LINE]))
    _, (dead,) = both(path)
    # What cannot be parsed may be of any conversation, so no words are kept.
    assert (dead.place, dead.conversation_id, dead.raw) == ("line 2", whose, b"")


def test_a_rejected_message_of_a_numbered_conversation_is_its(tmp_path: Path) -> None:
    _, (dead,) = both(write(tmp_path, "m.jsonl", {**LINE, "conversation_id": 7, "role": "wizard"}))
    assert dead.conversation_id == "7"


def cut(data: object, at: bytes) -> bytes:
    whole = json.dumps(data).encode()
    return whole[: whole.rindex(at) + 1]


@pytest.mark.parametrize(
    ("format", "data", "whose"),
    [
        ("locomo", cut(samples.LOCOMO, b"Back"), "a/talk"),
        ("locomo", {"session_1": 5}, "a/talk"),
        ("locomo", {"sample_id": "conv-9", "conversation": 5}, "LOCOMO-9"),
        ("locomo", b'{"sample_id": "conv-9", "conversation": {', "LOCOMO-9"),
        ("beam", cut(samples.BEAM, b"Thanks"), "a/talk"),
        ("beam", b'{"conversation_id": "7", "chat": [', "7"),
        ("beam", [{"conversation_id": "7", "chat": [[{"role": 5}]]}], "7"),
        ("longmemeval", cut(samples.LONGMEMEVAL[:1], b"It broke"), "q1"),
        ("longmemeval", [{"question_id": "q1", "haystack_sessions": [5]}], "q1"),
        ("longmemeval", [{"question_id": "q1", "haystack_sessions": 5}], "q1"),
        ("sharegpt", [{"id": "s1", "conversations": 5}], "s1"),
        ("sharegpt", [samples.SHAREGPT[0], {"conversations": 5}], "a/talk-2"),
        ("sharegpt", cut(samples.SHAREGPT[:1], b"4"), "s1"),
        ("claude", cut(samples.CLAUDE, b"Two."), "k1"),
        ("claude", [{"uuid": "k1", "chat_messages": 5}], "k1"),
        ("chatgpt", [{"conversation_id": "g1", "mapping": 5}], "g1"),
        ("chatgpt", cut(samples.CHATGPT, b"text of a1"), "g1"),
        ("openai", [{"id": "c2", "messages": 5}], "c2"),
        ("openai", cut([samples.OPENAI[2]], b"Go"), "c2"),
        ("openai", [{"messages": [{"role": "wizard"}]}], "a/talk-1"),
        ("openai", [*BARE, 5], "a/talk"),
        ("openai", [*BARE, {"role": "wizard", "content": "x"}], "a/talk"),
    ],
)
def test_a_dead_letter_is_whose_record_it_was(format: str, data: Any, whose: str, tmp_path: Path) -> None:
    write(tmp_path, "a/talk.json", data)
    _, found = both(tmp_path, format)
    assert found
    assert {letter.conversation_id for letter in found} == {whose}


def test_a_conversations_dead_letters_do_not_name_one_of_its_messages(tmp_path: Path) -> None:
    broken = b'[{"chat_messages": [{"uuid": "m1", "sender": "human", "text": "a"}, {"uuid": "m2", "text'
    _, (dead, *_) = both(write(tmp_path, "c.json", broken), "claude")
    assert dead.conversation_id is None
