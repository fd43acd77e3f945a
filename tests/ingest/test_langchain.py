"""LangChain's messages: each way to write them, as OpenAI's reader reads them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memfold.ingest.recognise import recognise
from memfold.schema import Message
from support import ingest_samples as samples
from support.ingest_samples import both, write


def heard(path: Path, format: str | None = None) -> list[Message]:
    good, bad = both(path, format)
    assert bad == []
    return good


def plain(data: dict[str, Any]) -> dict[str, Any]:
    """As `model_dump` writes what `messages_to_dict` wrote."""
    return {**data["data"], "type": data["type"]}


def constructed(data: dict[str, Any]) -> dict[str, Any]:
    """As `dumps` writes it."""
    names = {"human": "HumanMessage", "ai": "AIMessage", "system": "SystemMessage", "tool": "ToolMessage"}
    path = ["langchain", "schema", "messages", names[data["type"]]]
    return {"lc": 1, "type": "constructor", "id": path, "kwargs": data["data"]}


@pytest.mark.parametrize("spelled", [dict, plain, constructed])
@pytest.mark.parametrize("name", ["chain.json", "chain.jsonl"])
def test_each_way_to_write_langchains_messages(spelled: Any, name: str, tmp_path: Path) -> None:
    rows = [spelled(row) for row in samples.LANGCHAIN]
    path = write(tmp_path, name, samples.lines(rows) if name.endswith("l") else samples.dumped(rows))
    assert recognise(path) == "langchain"
    found = heard(path)
    assert [(m.role, m.message_id, m.content) for m in found] == [
        ("system", None, "Be brief"),
        ("user", "h1", "Fix it"),
        ("assistant", "a1", ""),
        ("tool", None, "1 failed"),
    ]
    assert found[2].attachments == ('function shell {"c": "make"}',)
    assert found[3].speaker == 'shell {"c": "make"}'
    assert {m.conversation_id for m in found} == {"chain"}


@pytest.mark.parametrize("spelled", [dict, plain, constructed])
@pytest.mark.parametrize("named", ["conversation_id", "thread_id"])
def test_langchains_conversations_have_ids(spelled: Any, named: str, tmp_path: Path) -> None:
    rows = [spelled(row) for row in samples.LANGCHAIN]
    whole = heard(write(tmp_path, "a.json", {named: "c", "messages": rows}))
    lines = heard(write(tmp_path, "b.jsonl", samples.lines([{named: "c", **row} for row in rows])))
    assert {m.conversation_id for m in (*whole, *lines)} == {"c"}
    assert whole == lines
    assert len(whole) == 4


@pytest.mark.parametrize(
    ("more", "attached"),
    [
        ({"tool_calls": [{"name": "a", "args": {"b": 1}, "id": "1"}]}, ['function a {"b": 1}']),
        (
            {
                "content": [
                    {"type": "text", "text": "Look"},
                    {"type": "tool_use", "id": "1", "name": "a", "input": {}},
                ],
                "tool_calls": [{"name": "a", "args": {}, "id": "1"}, {"name": "b", "args": {}, "id": "2"}],
            },
            ["tool_use a {}", "function b {}"],
        ),
        ({"invalid_tool_calls": [{"name": "a", "args": "{b", "id": "1"}]}, ["function a {b"]),
        (
            {
                "additional_kwargs": {
                    "tool_calls": [{"id": "1", "function": {"name": "a", "arguments": "{}"}}]
                }
            },
            ["function a {}"],
        ),
        ({"additional_kwargs": {"function_call": {"name": "a", "arguments": "{}"}}}, ["function a {}"]),
    ],
)
def test_langchains_calls_are_kept_once(more: dict[str, Any], attached: list[str], tmp_path: Path) -> None:
    for kind in ("ai", "AIMessageChunk"):
        (found,) = heard(write(tmp_path, "m.json", [{"type": kind, "content": "", **more}]), "langchain")
        assert (found.role, list(found.attachments)) == ("assistant", attached)


@pytest.mark.parametrize(
    ("more", "found"),
    [
        ({"content": "", "additional_kwargs": {"refusal": "I won't."}}, [("assistant", "I won't.", ())]),
        ({"content": "No.", "additional_kwargs": {"refusal": "Sorry"}}, [("assistant", "No.\nSorry", ())]),
        ({"content": "Sorry", "additional_kwargs": {"refusal": "Sorry"}}, [("assistant", "Sorry", ())]),
        ({"content": "Hi", "additional_kwargs": {"refusal": True}}, [("assistant", "Hi", ())]),
        (
            {"content": "Sorry: I can't do that. ", "additional_kwargs": {"refusal": "I can't do that."}},
            [("assistant", "Sorry: I can't do that. ", ())],
        ),
        (
            {"content": "Nothing.", "additional_kwargs": {"refusal": "No"}},
            [("assistant", "Nothing.\nNo", ())],
        ),
        (
            {"content": [{"type": "text", "text": "Hm."}], "additional_kwargs": {"refusal": "text"}},
            [("assistant", "Hm.\ntext", ())],
        ),
        (
            {
                "content": [{"type": "refusal", "refusal": "I won't. " * 30}],
                "additional_kwargs": {"refusal": "I won't. " * 30},
            },
            [("assistant", "I won't. " * 30, ())],
        ),
        (
            {
                "content": [],
                "additional_kwargs": {"refusal": "I won't."},
                "invalid_tool_calls": [{"name": "g", "args": "{", "id": "2", "error": "no JSON"}],
            },
            [("assistant", "I won't.", ("function g {",)), ("tool", "no JSON", ("is_error",))],
        ),
        (
            {
                "content": [],
                "invalid_tool_calls": [{"name": "g", "args": "{", "id": "2", "error": "no JSON"}],
            },
            [("assistant", "", ("function g {",)), ("tool", "no JSON", ("is_error",))],
        ),
        (
            {
                "content": "",
                "invalid_tool_calls": [{"name": "g", "args": "{", "id": "2", "error": "no JSON"}],
            },
            [("assistant", "", ("function g {",)), ("tool", "no JSON", ("is_error",))],
        ),
        (
            {"content": [{"type": "reasoning", "reasoning": "Look."}, {"type": "text", "text": "Hi"}]},
            [("assistant", "Hi", ("reasoning Look.",))],
        ),
        (
            {"content": "Hi", "additional_kwargs": {"reasoning_content": "Look."}},
            [("assistant", "Hi", ("reasoning Look.",))],
        ),
        (
            {"content": "Hi", "additional_kwargs": {"reasoning": {"summary": [{"text": "Look."}]}}},
            [("assistant", "Hi", ("reasoning Look.",))],
        ),
        (
            {"content": [{"type": "non_standard", "value": {"type": "note", "text": "words"}}]},
            [("assistant", "", ("note words",))],
        ),
        (
            {"content": [{"type": "text-plain", "mime_type": "text/plain", "title": "T", "text": "words"}]},
            [("assistant", "", ("text-plain T words",))],
        ),
        (
            {
                "content": [
                    {"type": "server_tool_call", "id": "1", "name": "web", "args": {"q": 1}},
                    {"type": "server_tool_result", "tool_call_id": "1", "status": "error", "output": "boom"},
                ]
            },
            [
                ("assistant", "", ('server_tool_call web {"args": {"q": 1}}',)),
                ("tool", "boom", ("is_error",)),
            ],
        ),
        (
            {
                "content": "Try",
                "invalid_tool_calls": [{"name": "a", "args": "{b", "id": "1", "error": "no JSON"}],
            },
            [("assistant", "Try", ("function a {b",)), ("tool", "no JSON", ("is_error",))],
        ),
    ],
)
def test_no_words_of_langchains_messages_are_lost(
    more: dict[str, Any], found: list[Any], tmp_path: Path
) -> None:
    heard_all = heard(write(tmp_path, "m.json", [{"type": "ai", **more}]))
    assert [(m.role, m.content, m.attachments) for m in heard_all] == found
    answers = [m.speaker for m in heard_all if m.role == "tool"]
    assert answers in ([], ['web {"args": {"q": 1}}'], ["a {b"], ["g {"])


def test_langchains_other_roles_and_failures(tmp_path: Path) -> None:
    failed = {
        "type": "tool",
        "content": "boom",
        "status": "error",
        "tool_call_id": "1",
        "name": "shell",
        "id": "t",
    }
    rows = [
        {"type": "chat", "role": "user", "content": "Hi"},
        {"type": "chat", "data": {"role": "user", "content": "a"}},
        failed,
    ]
    good, (dead,) = both(
        write(tmp_path, "m.json", [*rows, {"type": "remove", "content": "", "id": "1"}]), "langchain"
    )
    assert [(m.role, m.content, m.attachments, m.speaker) for m in good] == [
        ("user", "Hi", (), None),
        ("user", "a", (), None),
        ("tool", "boom", ("is_error",), "shell"),
    ]
    assert dead.reason.startswith("an item without a role")


@pytest.mark.parametrize("of", ["whole", "failed", "server"])
def test_a_document_that_a_tool_returned_is_the_tools_words(of: str, tmp_path: Path) -> None:
    document = {"type": "text-plain", "title": "T", "text": "The call closes on 5 May"}
    tool = {"type": "tool", "tool_call_id": "1", "content": [document]}
    failed = {**tool, "status": "error"}
    server = {"type": "server_tool_result", "tool_call_id": "1", "output": [document]}
    row = {"whole": tool, "failed": failed, "server": {"type": "ai", "content": [server]}}[of]
    (found,) = heard(write(tmp_path, "m.json", [{"type": "human", "content": "Hi"}, row]))[1:]
    assert (found.role, found.content) == ("tool", "T\nThe call closes on 5 May")


@pytest.mark.parametrize(
    ("rows", "format"),
    [
        ([{"type": "human", "content": "Hi"}], "langchain"),
        ([{"type": "ai", "content": [], "tool_calls": [{"name": "a", "args": {"mapping": 1}}]}], "langchain"),
        ([{"type": "person", "content": "Hi"}], None),
        ([{"thread_id": "t", "messages": [{"type": "human", "content": "Hi"}]}], "langchain"),
        (
            [{"messages": []}, {"messages": [{"type": n, "content": "a"} for n in ("system", "ai")]}],
            "langchain",
        ),
        (
            [
                {
                    "messages": [
                        {"type": "system", "content": "a"},
                        {"role": "user", "content": "b", "additional_kwargs": {}, "type": "human"},
                    ]
                }
            ],
            "openai",
        ),
        ([{"type": "system", "content": "a"}, {"role": "user", "content": "Hi"}], "openai"),
        ([{"conversation_id": "c", "role": "user", "content": "Hi", "type": "human"}], "openai"),
    ],
)
def test_langchain_beside_other_formats(rows: list[Any], format: str | None, tmp_path: Path) -> None:
    assert recognise(write(tmp_path, "m.jsonl", samples.lines(rows))) == format
