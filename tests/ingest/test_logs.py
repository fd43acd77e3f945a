"""The logs of agents' programs: who said what, and what of them is no message."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memfold.ingest.claude_code import _cut as cut_of_claude_code
from memfold.ingest.codex import _cut as cut_of_codex
from memfold.ingest.read import read
from memfold.ingest.recognise import recognise
from memfold.ingest.source import Files
from memfold.run.account import EARLIER
from memfold.schema import DeadLetter, Message, Notice, Title
from support import ingest_samples as samples
from support.given import job, run, shown
from support.ingest_samples import both, write

OLD_SUMMARY = (
    "This session is being continued from a previous conversation that ran out of context. In short: …"
)
REMINDER = "<system-reminder>\nAlways answer in French.\n</system-reminder>"
COMMAND = (
    "<command-message>review</command-message>\n<command-name>/review</command-name>\n"
    "<command-args>Never touch migrations.</command-args>"
)
FRAME = COMMAND.partition("Never")[0]


def heard(path: Path, format: str | None = None) -> list[Message]:
    good, bad = both(path, format)
    assert bad == []
    return good


def notices(path: Path) -> list[str]:
    return [item.text for item in read(path) if isinstance(item, Notice)]


def said(messages: list[Message]) -> list[tuple[str, str | None, str]]:
    return [(message.role, message.message_id, message.content) for message in messages]


# ------------------------------------------------------------------------------------- Claude Code


def record(kind: str, content: object, uuid: str = "u", **more: Any) -> dict[str, Any]:
    made = {"type": kind, "uuid": uuid, "isSidechain": False, "sessionId": "s"}
    return {
        **made,
        "timestamp": "2026-03-01T10:00:00Z",
        "message": {"role": kind, "content": content},
        **more,
    }


def log(folder: Path, *records: object, name: str = "s.jsonl") -> Path:
    return write(folder, name, samples.lines(list(records)))


def test_a_session_of_claude_code(tmp_path: Path) -> None:
    found = heard(log(tmp_path, *samples.CLAUDE_CODE))
    assert [(m.role, m.message_id) for m in found] == [
        ("user", "u1"),
        ("system", "u1#2"),
        ("assistant", "u2"),
        ("tool", "u3"),
    ]
    assert {m.conversation_id for m in found} == {"s1"}
    assert found[2].attachments == ('tool_use Bash {"command": "make"}',)
    assert found[3].speaker == 'Bash {"command": "make"}'
    assert found[3].time == datetime(2026, 3, 1, 10, 0, 3, tzinfo=UTC)


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        ("Fix it", [("user", "u", "Fix it")]),
        (REMINDER, [("system", "u", REMINDER)]),
        (f"{REMINDER}\nFix it", [("system", "u#1", REMINDER + "\n"), ("user", "u", "Fix it")]),
        (
            [{"type": "text", "text": REMINDER}, {"type": "text", "text": "Fix it"}],
            [("system", "u#1", REMINDER), ("user", "u", "Fix it")],
        ),
        (
            [{"type": "text", "text": "Fix it"}, {"type": "text", "text": f"\n{REMINDER}"}],
            [("user", "u", "Fix it"), ("system", "u#2", f"\n{REMINDER}")],
        ),
        (
            COMMAND,
            [
                ("system", "u#1", FRAME),
                ("user", "u", "Never touch migrations."),
                ("system", "u#3", "</command-args>"),
            ],
        ),
        (
            "<command-name>/clear</command-name>\n  <command-args></command-args>",
            [("system", "u", "<command-name>/clear</command-name>\n  <command-args></command-args>")],
        ),
        (
            "<user-memory-input>use pnpm</user-memory-input>",
            [
                ("system", "u#1", "<user-memory-input>"),
                ("user", "u", "use pnpm"),
                ("system", "u#3", "</user-memory-input>"),
            ],
        ),
        (
            "<bash-stdout>a\n</bash-stdout><bash-stderr></bash-stderr>",
            [("system", "u", "<bash-stdout>a\n</bash-stdout><bash-stderr></bash-stderr>")],
        ),
        (
            "[Request interrupted by user for tool use]",
            [("system", "u", "[Request interrupted by user for tool use]")],
        ),
        (
            "[Request interrupted by user] is what it says",
            [("user", "u", "[Request interrupted by user] is what it says")],
        ),
        ("<command-name> is what I mean", [("user", "u", "<command-name> is what I mean")]),
        (
            f"Fix it\n{REMINDER}\nand test it\n{REMINDER}",
            [("user", "u", "Fix it\nand test it\n"), ("system", "u#2", f"{REMINDER}\n{REMINDER}")],
        ),
        (
            [{"type": "text", "text": each} for each in ("Fix it", REMINDER, f"{COMMAND} Go")],
            [
                ("user", "u", "Fix it\nNever touch migrations.\nGo"),
                ("system", "u#2", f"{REMINDER}\n{FRAME}\n</command-args> "),
            ],
        ),
        (
            "This session is being continued from a previous conversation of mine.",
            [("user", "u", "This session is being continued from a previous conversation of mine.")],
        ),
        (OLD_SUMMARY, [("system", "u", OLD_SUMMARY)]),
        (
            "<bash-input-x>\n</bash-input-x></bash-input>",
            [("user", "u", "<bash-input-x>\n</bash-input-x></bash-input>")],
        ),
        ([], []),
        ("", []),
        ([{"type": "text", "text": ""}], []),
        (
            "Why <system-reminder>a</system-reminder>?",
            [("user", "u", "Why <system-reminder>a</system-reminder>?")],
        ),
        (
            [{"type": "text", "text": REMINDER}, {"type": "text", "text": "\n"}],
            [("system", "u", f"{REMINDER}\n\n")],
        ),
        (f" \n{REMINDER}\n \n{REMINDER}\n", [("system", "u", f" \n{REMINDER}\n \n{REMINDER}\n")]),
        (
            [
                {"type": "tool_result", "tool_use_id": "t", "content": "41"},
                {"type": "text", "text": REMINDER},
            ],
            [("tool", "u", "41"), ("system", "u#2", REMINDER)],
        ),
    ],
)
def test_what_claude_code_wrote_is_not_the_users(
    content: object, parts: list[tuple[str, str, str]], tmp_path: Path
) -> None:
    assert said(heard(log(tmp_path, record("user", content)))) == parts


@pytest.mark.parametrize(
    "flags",
    [
        {"isMeta": True},
        {"isCompactSummary": True, "isVisibleInTranscriptOnly": True},
        {"origin": {"kind": "peer"}},
        {"isSidechain": True, "agentId": "a1"},
        {"isSidechain": True},
    ],
)
def test_a_record_that_no_user_wrote(flags: dict[str, Any], tmp_path: Path) -> None:
    (found,) = heard(log(tmp_path, record("user", "Never push to main.", **flags)))
    assert (found.role, found.message_id, found.content) == ("system", "u", "Never push to main.")


def test_a_sub_agent_is_a_conversation_of_its_own(tmp_path: Path) -> None:
    side = {"isSidechain": True, "agentId": "a1"}
    use = {"type": "tool_use", "id": "t", "name": "Task", "input": {"prompt": "Look."}}
    inner = {"type": "tool_use", "id": "t", "name": "Read", "input": {"file": "a"}}
    answer = {"type": "tool_result", "tool_use_id": "t", "content": "Found."}
    log(
        tmp_path,
        record("user", "Find it", "1"),
        record("assistant", [use], "2"),
        record("user", [answer], "3"),
        name="p/s.jsonl",
    )
    log(
        tmp_path,
        record("user", "Look.", "4", **side),
        record("assistant", [inner], "5", **side),
        record("user", [answer], "6", **side),
        name="p/s/subagents/agent-a1.jsonl",
    )
    write(tmp_path, "p/s/subagents/agent-a1.meta.json", {"agentType": "x"})
    found = heard(tmp_path)
    assert [(m.conversation_id, m.role, m.message_id) for m in found] == [
        ("s", "user", "1"),
        ("s", "assistant", "2"),
        ("s", "tool", "3"),
        ("s/a1", "system", "4"),
        ("s/a1", "assistant", "5"),
        ("s/a1", "tool", "6"),
    ]
    assert [m.speaker for m in found if m.role == "tool"] == [
        'Task {"prompt": "Look."}',
        'Read {"file": "a"}',
    ]
    assert notices(tmp_path) == []


@pytest.mark.parametrize("name", ["sessions-index.json", "agent-1.meta.json"])
def test_what_claude_code_says_of_its_logs_is_passed_over(name: str, tmp_path: Path) -> None:
    log(tmp_path, record("user", "Hi"))
    about = {"version": 1, "entries": [{"sessionId": "s", "firstPrompt": "Hi"}]}
    write(tmp_path, name, about)
    assert both(tmp_path)[1] == []
    assert both(write(tmp_path, f"apart/{name}", about).parent.parent)[1] == []
    write(tmp_path, name, {"messages": [{"role": "user", "content": "Mine"}]})
    assert {m.content for m in both(tmp_path)[0]} == {"Hi", "Mine"}


@pytest.mark.parametrize("name", ["sessions-index.json", "agent-1.meta.json"])
@pytest.mark.parametrize("held", [b'{"messages": [{"ro', '{"a": 1}'.encode("utf-16"), b'[{"who": "me"}]'])
def test_a_file_of_such_a_name_that_cannot_be_read_is_a_dead_letter(
    name: str, held: bytes, tmp_path: Path
) -> None:
    log(tmp_path, record("user", "Hi"))
    (tmp_path / name).write_bytes(held)
    (dead,) = both(tmp_path)[1]
    assert dead.file.endswith(name)


def test_what_the_user_typed_while_the_agent_worked(tmp_path: Path) -> None:
    def queued(uuid: str, **more: Any) -> dict[str, Any]:
        made = record("attachment", None, uuid, attachment={"type": "queued_command", **more})
        return {key: value for key, value in made.items() if key != "message"}

    path = log(
        tmp_path,
        queued("1", prompt="Use pnpm", commandMode="prompt", origin={"kind": "human"}),
        queued("2", prompt="Older log"),
        queued("3", prompt="<task-notification>x</task-notification>", commandMode="task-notification"),
        queued("4", prompt="From a peer", commandMode="prompt", origin={"kind": "peer"}),
        queued("5", prompt=[{"type": "text", "text": "See"}, {"type": "image"}], commandMode="prompt"),
        queued("6"),
    )
    found = heard(path)
    assert [(m.role, m.message_id) for m in found] == [
        ("user", "1"),
        ("user", "2"),
        ("system", "3"),
        ("system", "4"),
        ("user", "5"),
    ]
    assert notices(path) == ["1 lines are no messages and are not read: 1 attachment queued_command"]


def test_what_an_assistant_thought(tmp_path: Path) -> None:
    path = log(
        tmp_path,
        record("assistant", [{"type": "thinking", "thinking": "Look first.", "signature": "Q"}], "1"),
        record("assistant", [{"type": "thinking", "thinking": "", "signature": "Q"}], "2"),
        record("assistant", [{"type": "thinking", "thinking": ""}, {"type": "text", "text": "Hi"}], "3"),
        record("assistant", "Limit reached", "4", isApiErrorMessage=True),
    )
    found = heard(path)
    assert [(m.role, m.message_id, m.content, m.attachments) for m in found] == [
        ("assistant", "1", "", ("thinking Look first.",)),
        ("assistant", "3", "Hi", ("thinking",)),
        ("system", "4", "Limit reached", ()),
    ]
    assert notices(path) == ["1 lines are no messages and are not read: 1 assistant without words"]


def test_frames_are_counted_once_for_all_files(tmp_path: Path) -> None:
    frames: list[dict[str, Any]] = [
        {"type": "progress", "sessionId": "s", "isSidechain": False, "data": {"type": "hook_progress"}},
        {"type": "progress", "sessionId": "s", "data": {"type": "hook_progress"}},
        {"type": "system", "subtype": "turn_duration", "sessionId": "s"},
        {"type": "queue-operation", "operation": "enqueue", "content": "Hi", "sessionId": "s"},
        {"type": "a\nb" * 90, "sessionId": "s"},
    ]
    for number in range(30):
        log(
            tmp_path,
            record("user", "Hi", str(number), sessionId=str(number)),
            *frames,
            name=f"{number}.jsonl",
        )
    assert len(heard(tmp_path)) == 30
    assert notices(tmp_path) == [
        "150 lines in 30 files are no messages and are not read: 60 progress hook_progress, 30 system turn_duration, "
        "30 queue-operation, 30 other"
    ]


def test_what_the_program_said_is_the_systems(tmp_path: Path) -> None:
    made = {"type": "system", "subtype": "informational", "content": "Conversation compacted", "uuid": "1"}
    (found,) = heard(log(tmp_path, {**made, "sessionId": "s", "isSidechain": False}))
    assert (found.role, found.content, found.message_id) == ("system", "Conversation compacted", "1")


def test_damaged_records_are_dead_letters(tmp_path: Path) -> None:
    path = log(
        tmp_path,
        record("user", "Hi", "1"),
        record("user", 5, "2"),
        record("user", None, "3"),
        {"sessionId": "s", "uuid": "4", "message": {}},
        [1],
        record("user", "bye \ud800", "5"),
        record("assistant", None, "6", message="words"),
    )
    path.write_bytes(path.read_bytes() + b'{"type": "user", "sessionId": "s", "message": {"content": "cut')
    good, bad = both(path)
    assert said(good) == [("user", "1", "Hi")]
    assert [(letter.place, letter.reason.partition(":")[0], letter.conversation_id) for letter in bad] == [
        ("line 2", "content of type int, not a string", "s"),
        ("line 3", "no content", "s"),
        ("line 4", "a record without a type", "s"),
        ("line 5", "the record is not an object", "s"),
        ("line 6", "not Unicode text", "s"),
        ("line 7", "the message is not an object", "s"),
        ("line 8", "the file ends in the middle of it", "s"),
    ]


def test_a_time_that_cannot_be_read_is_the_one_before(tmp_path: Path) -> None:
    found = heard(log(tmp_path, record("user", "a", "1"), record("assistant", "b", "2", timestamp="soon")))
    assert found[0].time == found[1].time == datetime(2026, 3, 1, 10, tzinfo=UTC)


def test_a_sessions_newest_title_comes_first(tmp_path: Path) -> None:
    path = log(
        tmp_path,
        record("user", "a", "1"),
        {"type": "ai-title", "aiTitle": "Made up", "sessionId": "s"},
        {"type": "custom-title", "customTitle": "Old", "sessionId": "s"},
        {"type": "custom-title", "customTitle": "The build", "sessionId": "s"},
        {"type": "ai-title", "aiTitle": "Made up again", "sessionId": "s"},
        record("user", "b", "2"),
    )
    items = [item for item in read(path) if not isinstance(item, DeadLetter)]
    assert items[0] == Title("s", "The build")
    assert [type(item) for item in items] == [Title, Message, Message]


# ------------------------------------------------------------------------------------------- Codex


def rollout(folder: Path, *payloads: Any, meta: Any = None, name: str = "rollout-1.jsonl") -> Path:
    rows = [samples.CODEX[0] if meta is None else {"type": "session_meta", "payload": meta}]
    for payload in payloads:
        kind = "response_item" if "kind" not in payload else payload.pop("kind")
        rows.append({"timestamp": "2026-03-01T10:00:01Z", "type": kind, "payload": payload})
    return write(folder, name, samples.lines(rows))


def user(*texts: str) -> dict[str, Any]:
    content = [{"type": "input_text", "text": text} for text in texts]
    return {"type": "message", "role": "user", "id": "u", "content": content}


def test_a_session_of_codex(tmp_path: Path) -> None:
    found = heard(
        rollout(tmp_path, *(row["payload"] for row in samples.CODEX[1:] if row["type"] != "event_msg"))
    )
    assert [m.role for m in found] == ["system", "user", "assistant", "tool"]
    assert {m.conversation_id for m in found} == {"x1"}
    assert found[2].attachments == ('function shell {"c": "make"}',)
    assert found[3].speaker == 'shell {"c": "make"}'
    assert found[3].time == datetime(2026, 3, 1, 10, 0, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("texts", "parts"),
    [
        (["Fix it"], [("user", "u", "Fix it")]),
        (
            ["# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nNever push.\n</INSTRUCTIONS>", "Fix it"],
            [
                (
                    "system",
                    "u#1",
                    "# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nNever push.\n</INSTRUCTIONS>",
                ),
                ("user", "u", "Fix it"),
            ],
        ),
        (
            ["<turn_aborted>\nThe user interrupted.\n</turn_aborted>"],
            [("system", "u", "<turn_aborted>\nThe user interrupted.\n</turn_aborted>")],
        ),
        (
            ["# Context from my IDE setup:\n\n## Open tabs:\n- a.py\n\n## My request for Codex:\nFix it\n"],
            [
                (
                    "system",
                    "u#1",
                    "# Context from my IDE setup:\n\n## Open tabs:\n- a.py\n\n## My request for Codex:\n",
                ),
                ("user", "u", "Fix it\n"),
            ],
        ),
        (["## My request for Codex:\nFix it"], [("user", "u", "## My request for Codex:\nFix it")]),
        (
            ["\r\n# Context from my IDE setup:\r\n\r\n## My request for Codex:\r\nFix it"],
            [
                ("system", "u#1", "\r\n# Context from my IDE setup:\r\n\r\n## My request for Codex:\r\n"),
                ("user", "u", "Fix it"),
            ],
        ),
        (
            ["<skill-set>\na\n</skill-set>\n</skill>"],
            [("user", "u", "<skill-set>\na\n</skill-set>\n</skill>")],
        ),
    ],
)
def test_what_codex_wrote_is_not_the_users(
    texts: list[str], parts: list[tuple[str, str, str]], tmp_path: Path
) -> None:
    assert said(heard(rollout(tmp_path, user(*texts)))) == parts


def test_a_sub_agents_session_has_no_user(tmp_path: Path) -> None:
    meta = {"id": "x2", "originator": "o", "cli_version": "1", "source": {"subagent": {"thread_spawn": {}}}}
    path = rollout(tmp_path, user("Never push."), {"kind": "session_meta", "id": "x1"}, user("b"), meta=meta)
    assert [(m.conversation_id, m.role) for m in heard(path)] == [("x2", "system")] * 2


def test_what_of_codex_is_no_message_is_counted(tmp_path: Path) -> None:
    path = rollout(
        tmp_path,
        {"type": "reasoning", "summary": [], "encrypted_content": "Q"},
        {
            "type": "reasoning",
            "summary": [{"type": "summary_text", "text": "Look."}],
            "encrypted_content": "Q",
        },
        {"type": "reasoning", "summary": [], "content": [{"type": "reasoning_text", "text": "Think."}]},
        {"type": "ghost_snapshot"},
        {"type": "agent_message", "author": "reviewer", "content": [{"type": "input_text", "text": "Done."}]},
        {"kind": "compacted", "message": "We fixed it.", "replacement_history": [user("Fix it")]},
        {"kind": "event_msg", "type": "token_count"},
        {"kind": "turn_context", "cwd": "/w"},
    )
    assert [(m.role, m.content, m.attachments, m.speaker) for m in heard(path)] == [
        ("assistant", "", ("reasoning Look.",), None),
        ("assistant", "", ("reasoning Think.",), None),
        ("system", "Done.", (), "reviewer"),
        ("system", "We fixed it.", (), None),
    ]
    assert notices(path) == [
        "5 lines are no messages and are not read: 1 session_meta, 1 response_item reasoning, "
        "1 response_item ghost_snapshot, 1 event_msg token_count, 1 turn_context"
    ]


@pytest.mark.parametrize("format", [None, "codex"])
def test_a_session_of_an_early_codex(format: str | None, tmp_path: Path) -> None:
    rows = [
        {"id": "x0", "timestamp": "2025-05-01T10:00:00Z", "instructions": None},
        {"record_type": "state"},
        *(row["payload"] for row in samples.CODEX if row["type"] == "response_item"),
        {"type": "reasoning", "summary": [], "encrypted_content": "Q"},
    ]
    path = write(tmp_path, "rollout-0.jsonl", samples.lines(rows))
    found = heard(path, format)
    assert [m.role for m in found] == ["system", "user", "assistant", "tool"]
    assert {(m.conversation_id, m.time) for m in found} == {("x0", datetime(2025, 5, 1, 10, tzinfo=UTC))}
    assert notices(path) == [
        "3 lines are no messages and are not read: 1 session_meta, 1 state, 1 response_item reasoning"
    ]


def test_damaged_items_are_dead_letters(tmp_path: Path) -> None:
    path = rollout(
        tmp_path, {"type": "message", "role": "wizard", "content": "x"}, {"role": "user"}, user("Hi")
    )
    path.write_bytes(
        path.read_bytes() + b'{"payload": {}}\n{"type": "response_item", "payload": 5}\n{"type": "resp'
    )
    good, bad = both(path)
    assert [m.content for m in good] == ["Hi"]
    assert [(letter.place, letter.reason.partition(":")[0], letter.conversation_id) for letter in bad] == [
        ("line 2", "unknown role", "x1"),
        ("line 3", "no content", "x1"),
        ("line 5", "a record without a type", "x1"),
        ("line 6", "the payload is not an object", "x1"),
        ("line 7", "the file ends in the middle of it", "x1"),
    ]


# ------------------------------------------------------------------------------------- recognition


@pytest.mark.parametrize(
    ("rows", "format"),
    [
        ([{"type": "summary", "summary": "A talk", "leafUuid": "1"}], "claude_code"),
        ([{"type": "mode", "mode": "x", "sessionId": "s"}, record("user", "Hi")], "claude_code"),
        ([{"type": "user", "uuid": "1", "sessionId": "s", "message": {"content": "Hi"}}], "claude_code"),
        (
            [
                record(
                    "assistant",
                    [{"type": "tool_use", "name": "a", "input": {"mapping": 1, "messages": [], "role": 1}}],
                )
            ],
            "claude_code",
        ),
        ([{"type": "response_item", "payload": {"type": "message", "role": "user", "content": []}}], "codex"),
        ([{"type": "event", "timestamp": "1", "payload": {}}], None),
        ([{"type": "message", "role": "user", "content": "Hi"}], "openai"),
        ([{"id": 1, "timestamp": 1, "instructions": "", "messages": [{"role": "user"}]}], "openai"),
        ([{"id": 1, "timestamp": 1, "instructions": ""}, {"role": "user", "content": "x"}], "openai"),
        ([{"id": 1, "timestamp": 1, "instructions": ""}], "codex"),
        ([{"id": 1, "timestamp": 1, "instructions": ""}, {"record_type": "state"}], "codex"),
        (
            [
                {"id": 1, "timestamp": 1, "instructions": ""},
                {"type": "function_call", "name": "a", "call_id": "1", "arguments": "{}"},
                {"type": "function_call_output", "call_id": "1", "output": "x"},
            ],
            "codex",
        ),
        ([{"id": 1, "timestamp": 1, "instructions": ""}, {"value": 1}], None),
        ([{"id": 1, "timestamp": 1, "instructions": "Do x", "output": "y"}] * 2, None),
        ([{"id": 1, "timestamp": 1, "instructions": ""}, {"type": "qa", "question": "a"}], None),
        ([{"type": "event"}, {"id": 1, "timestamp": 1, "instructions": ""}, {"type": "event"}], None),
        ([{"role": "user", "content": "x", "chat": "a", "mapping": {"role": 1}}], "openai"),
        ([{"role": "user", "content": "Hi", "sessionId": "s"}], "openai"),
    ],
)
def test_logs_beside_other_formats(rows: list[Any], format: str | None, tmp_path: Path) -> None:
    assert recognise(write(tmp_path, "m.jsonl", samples.lines(rows))) == format


# ------------------------------------------------------------------------------------ nothing lost


@given(
    st.lists(
        st.sampled_from(
            [
                *("Fix it", "\n", " ", "<", ">", "a"),
                *(
                    "<system-reminder>",
                    "</system-reminder>",
                    "<command-args>",
                    "</command-args>",
                    "<skill>",
                    "</skill>",
                ),
                *(
                    "# AGENTS.md instructions for x",
                    "# Context from my IDE setup:",
                    "\n## My request for Codex:\n",
                ),
            ]
        )
    )
)
def test_a_text_that_is_cut_is_whole(pieces: list[str]) -> None:
    text = "".join(pieces)
    for cut in (cut_of_claude_code, cut_of_codex):
        assert "".join(words for _, words in cut(text)) == text


def test_many_tags_are_read_in_a_moment() -> None:
    text = "\n<system-reminder>\n<command-args>" * 50_000
    assert cut_of_claude_code(text) == [(False, text)]
    text = "<bash-stdout></bash-stdout>" * 100_000
    assert cut_of_claude_code(text) == [(True, text)]


def test_all_is_accounted_for_and_no_order_is_the_programs(tmp_path: Path) -> None:
    session = [
        record("user", f"Fix the build. Always answer in German.\n{REMINDER}", "1"),
        record("user", "Always use tabs. I live in Paris.", "2", isMeta=True),
        record("user", "Always use vim. I live in Rome.", "3", isCompactSummary=True),
        record("assistant", [{"type": "text", "text": "Done."}], "4"),
        record("user", [{"type": "tool_result", "tool_use_id": "t", "content": "ok"}], "5"),
        record("user", COMMAND, "6"),
        record("user", "Always be quick. I live in Bonn.", "7", isSidechain=True, agentId="a1"),
        {"type": "progress", "sessionId": "s", "data": {"type": "hook_progress"}},
    ]
    log(tmp_path, *session, name="in/p/s.jsonl")
    # A session that was resumed repeats its lines, and one of them is damaged.
    log(tmp_path, *session, record("user", 7, "8"), record("user", "Thanks", "9"), name="in/p/t.jsonl")
    rollout(tmp_path, user("<user_instructions>\nAlways use nano.\n</user_instructions>"), name="in/r.jsonl")
    items = [item for item in read(tmp_path / "in") if isinstance(item, (Message, DeadLetter))]
    root = tmp_path / "store"
    told = [run(replace(job(root, []), source=Files(str(tmp_path / "in")))) for _ in range(2)]
    # What a resumed session repeats is delivered twice.
    repeated = len(heard(log(tmp_path, *session)))
    assert [each["dead_letters"] for each in told] == [repeated + 1] * 2
    # The second job reads the damaged line again, and does not name the messages of a session that stays as it was.
    first, second = (each["dead_letter_reasons"] for each in told)
    ((damaged, _),) = first.items() - {("delivered twice", repeated)}
    assert first == {"delivered twice": repeated, damaged: 1}
    assert second == {EARLIER: repeated, damaged: 1}
    assert [each["messages"] for each in told] == [len(items) - repeated - 1] * 2
    assert told[0]["content_hash"] == told[1]["content_hash"]
    orders = " ".join(str(row) for row in shown(root, "orders").to_pylist())
    assert "answer in German" in orders
    assert "Never touch migrations" in orders
    assert not any(each in orders for each in ("French", "tabs", "vim", "quick", "nano"))
    profile = " ".join(str(row) for row in shown(root, "profile").to_pylist())
    assert not any(each in profile for each in ("Paris", "Rome", "Bonn"))
