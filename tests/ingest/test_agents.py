"""What tools are asked and what they return: each kept, whole, where it was said, and called the same each time."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memfold.extract.windows import windows
from memfold.ingest import agents
from memfold.ingest.agents import Calls
from memfold.ingest.lake import of_cells
from memfold.ingest.read import read
from memfold.ingest.source import Files
from memfold.ingest.stream import Stream
from memfold.schema import DeadLetter, Message, Notice, Role, StoredMessage
from support.given import job, new_root, run, shown

ASKED = '{"command": "ls -la"}'


def said(folder: Path, turns: Sequence[Any], name: str = "m.json") -> list[Message | DeadLetter]:
    """What the reader of OpenAI's messages makes of one conversation."""
    path = folder / name
    path.write_text(json.dumps({"id": "c", "messages": turns}))
    return [item for item in read(path, "openai") if isinstance(item, (Message, DeadLetter))]


def heard(folder: Path, turns: Sequence[Any]) -> list[Message]:
    found = said(folder, turns)
    assert [item for item in found if isinstance(item, DeadLetter)] == []
    return [item for item in found if isinstance(item, Message)]


def call(id: str | None, name: object, arguments: object) -> dict[str, Any]:
    made = {"type": "function", "function": {"name": name, "arguments": arguments}}
    return {"role": "assistant", "content": None, "tool_calls": [{"id": id, **made}]}


def result(content: object, id: str | None = "t", **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": id, "content": content, **more}


def use(id: str | None, name: str, input: object) -> dict[str, Any]:
    return {"type": "tool_use", "id": id, "name": name, "input": input}


# -------------------------------------------------------------------------------------------- calls


@pytest.mark.parametrize(
    ("turn", "attached"),
    [
        (call("1", "bash", ASKED), f"function bash {ASKED}"),
        (call("1", "bash", ' {"a":\n1} '), 'function bash  {"a":\n1} '),
        (call("1", "bash", {"ort": "Köln"}), 'function bash {"ort": "Köln"}'),
        (call("1", "write", "x" * 5000), f"function write {'x' * 5000}"),
        (call("1", "bash", None), "function bash"),
        (call("1", "bash", ""), "function bash"),
        (
            {
                "role": "assistant",
                "content": None,
                "function_call": {"name": "clock", "arguments": '{"zone": 1}'},
            },
            'function clock {"zone": 1}',
        ),
        (
            {
                "role": "assistant",
                "tool_calls": [{"id": "1", "type": "custom", "custom": {"name": "sql", "input": "select 1"}}],
            },
            "custom sql select 1",
        ),
        ({"role": "assistant", "content": [use("1", "bash", {"n": 1})]}, 'tool_use bash {"n": 1}'),
        (
            {"role": "assistant", "content": [{**use("1", "find", {"q": "x"}), "type": "server_tool_use"}]},
            'server_tool_use find {"q": "x"}',
        ),
        (
            {"type": "function_call", "name": "ls", "arguments": '{"path": "/srv"}', "call_id": "1"},
            'function ls {"path": "/srv"}',
        ),
        (
            {"type": "custom_tool_call", "name": "sql", "input": "select 1", "call_id": "1"},
            "custom_tool_call sql select 1",
        ),
        (
            {
                "type": "file_search_call",
                "id": "f",
                "status": "completed",
                "queries": ["refund"],
                "results": None,
            },
            'file_search_call {"queries": ["refund"]}',
        ),
        (
            {"type": "apply_patch_call", "call_id": "p", "operation": {"path": "a.py", "diff": "-x"}},
            'apply_patch_call {"operation": {"path": "a.py", "diff": "-x"}}',
        ),
        (
            {"type": "image_generation_call", "id": "i", "result": "AAAA", "revised_prompt": "a dog"},
            'image_generation_call {"revised_prompt": "a dog"}',
        ),
        (
            {"type": "x_call", "id": "i", "conversation_id": "c", "created_at": "2026-03-01", "session": "s"},
            "x_call",
        ),
    ],
)
def test_arguments_are_kept_whole(turn: dict[str, Any], attached: str, tmp_path: Path) -> None:
    (found,) = heard(tmp_path, [turn])
    assert (found.role, found.content, found.attachments, found.speaker) == (
        "assistant",
        "",
        (attached,),
        None,
    )


def test_words_stand_beside_calls(tmp_path: Path) -> None:
    (found,) = heard(tmp_path, [{**call("1", "bash", ASKED), "content": "Let me look."}])
    assert (found.content, found.attachments) == ("Let me look.", (f"function bash {ASKED}",))


@pytest.mark.parametrize(
    ("turn", "reason"),
    [
        (call("1", "bash", "\ud800"), "not Unicode text"),
        (call("1", "bash", {"\ud800": 1}), "not Unicode text"),
        (call("1", {"a": 1}, "{}"), "an id or name of type dict"),
        (
            {"role": "assistant", "content": None, "tool_calls": [{"id": [1], "function": {"name": "a"}}]},
            "type list",
        ),
        ({"role": "wizard", "content": [result("a")]}, "unknown role"),
        ({"type": "function_call_output", "call_id": {}, "output": "a"}, "an id or name of type dict"),
        ({"type": "reasoning", "summary": []}, "a reasoning item without words"),
        ({"type": "reasoning", "summary": None}, "a reasoning item without words"),
        ({"type": "item_reference", "id": "1"}, "an item without a role"),
    ],
)
def test_what_is_no_call_and_no_result_is_a_dead_letter(
    turn: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    first, letter = said(tmp_path, [{"role": "user", "content": "Go"}, turn])
    assert isinstance(first, Message)
    assert isinstance(letter, DeadLetter)
    assert reason in letter.reason
    assert letter.place.endswith("message 2")


@pytest.mark.parametrize(
    ("block", "attached"),
    [
        ({"type": "thinking", "thinking": "Look first.", "signature": "Q"}, "thinking Look first."),
        ({"type": "thinking", "thinking": "", "signature": "Q"}, "thinking"),
        ({"type": "reasoning", "reasoning": "Look first."}, "reasoning Look first."),
        ({"type": "reasoning", "summary": [{"text": "Look"}, {"text": "first."}]}, "reasoning Look\nfirst."),
        ({"type": "redacted_thinking", "data": "Q"}, "redacted_thinking"),
    ],
)
def test_a_thought_is_kept_and_is_no_word_that_was_said(
    block: dict[str, Any], attached: str, tmp_path: Path
) -> None:
    (found,) = heard(tmp_path, [{"role": "assistant", "content": [block, {"type": "text", "text": "Done."}]}])
    assert (found.content, found.attachments) == ("Done.", (attached,))


@pytest.mark.parametrize(
    ("turn", "attached"),
    [
        ({"content": "Done.", "reasoning_content": "Look first."}, ("reasoning Look first.",)),
        (
            {"content": "Done.", "reasoning": "Look first.", "reasoning_content": None},
            ("reasoning Look first.",),
        ),
        ({"content": "Done.", "thinking": "Look first."}, ("reasoning Look first.",)),
        ({"content": "Done.", "reasoning": {"summary": [{"text": "Look."}]}}, ("reasoning Look.",)),
        ({"content": "Done.", "reasoning": {"effort": "high"}, "thinking": True}, ()),
        (
            {"content": [{"type": "thinking", "thinking": "Look."}, {"text": "Done."}], "reasoning": "Look."},
            ("thinking Look.",),
        ),
        (
            {**call("1", "bash", ASKED), "content": "Done.", "reasoning": "Look."},
            ("reasoning Look.", f"function bash {ASKED}"),
        ),
    ],
)
def test_a_thought_beside_the_content_is_kept_once(
    turn: dict[str, Any], attached: tuple[str, ...], tmp_path: Path
) -> None:
    (found,) = heard(tmp_path, [{"role": "assistant", **turn}])
    assert (found.content, found.attachments) == ("Done.", attached)


def test_a_thought_without_an_answer_is_the_assistants_and_no_one_elses(tmp_path: Path) -> None:
    (found,) = heard(tmp_path, [{**call("1", "bash", ASKED), "reasoning": "Look."}])
    assert (found.content, found.attachments) == ("", ("reasoning Look.", f"function bash {ASKED}"))
    (found,) = heard(tmp_path, [{"role": "user", "content": "Go", "reasoning": "A label."}])
    assert found.attachments == ()
    (letter,) = said(tmp_path, [{"role": "assistant", "content": {"a": 1}, "reasoning": "Look."}])
    assert isinstance(letter, DeadLetter)


def test_the_summary_of_a_thought_is_the_assistants(tmp_path: Path) -> None:
    (found,) = heard(
        tmp_path,
        [{"type": "reasoning", "id": "r", "summary": [{"type": "summary_text", "text": "Look first."}]}],
    )
    assert (found.role, found.content, found.attachments) == ("assistant", "", ("reasoning Look first.",))


# ------------------------------------------------------------------------------------------ results


@pytest.mark.parametrize(
    ("content", "text", "attached"),
    [
        ("41\n 42 ", "41\n 42 ", ()),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "a\nb", ()),
        (None, "", ()),
        ([], "", ()),
        ({"temp_c": -7}, '{"temp_c": -7}', ()),
        ([{"type": "image", "source": {"type": "base64", "data": "AAAA"}}], "", ("image",)),
        (
            [{"type": "document", "title": "T", "source": {"type": "text", "data": "the words"}}],
            "T\nthe words",
            ("document",),
        ),
        (
            [
                {
                    "type": "web_search_result",
                    "title": "Price list",
                    "url": "http://x",
                    "encrypted_content": "Q",
                }
            ],
            "Price list",
            ("web_search_result http://x",),
        ),
        (
            {"type": "code_execution_result", "stdout": "5\n", "stderr": "", "return_code": 0},
            "5\n",
            ("code_execution_result",),
        ),
        (
            {"type": "bash_code_execution_result", "stdout": "building", "stderr": "", "return_code": 2},
            'building\n{"return_code": 2}',
            ("bash_code_execution_result",),
        ),
        (
            [
                {
                    "type": "web_search_result",
                    "title": "Rates",
                    "url": "http://x",
                    "page_age": "April 30, 2025",
                }
            ],
            'Rates\n{"page_age": "April 30, 2025"}',
            ("web_search_result http://x",),
        ),
        (42, "42", ()),
        (True, "true", ()),
        ([1, 2.5], "[1, 2.5]", ()),
        (
            {"type": "profile", "data": [1200, 3400]},
            '{"type": "profile", "data": [1200, 3400]}',
            (),
        ),
        (
            {"type": "file_stats", "file": {"name": "a.csv"}, "series": {"data": [1024, 2048]}},
            '{"file": {"name": "a.csv"}, "series": {"data": [1024, 2048]}}',
            ("file_stats",),
        ),
        (
            {"type": "image", "source": {"type": "Buffer", "data": [137, 80, 78, 71]}},
            "",
            ("image",),
        ),
        (
            {
                "type": "document",
                "source": {"type": "text", "media_type": "text/plain", "data": "ACGT" * 100},
            },
            "ACGT" * 100,
            ("document",),
        ),
        ({"type": "error", "error_code": "max_uses"}, '{"type": "error", "error_code": "max_uses"}', ()),
        (
            [{"type": "order", "id": "LO-70111", "status": "shipped", "title": "Lamp"}],
            '{"type": "order", "id": "LO-70111", "status": "shipped", "title": "Lamp"}',
            (),
        ),
        (
            {"type": "file", "name": "a.txt", "content": "the words", "size": 7},
            '{"type": "file", "name": "a.txt", "content": "the words", "size": 7}',
            (),
        ),
        ({"type": "file", "data": {"rows": 3}}, '{"type": "file", "data": {"rows": 3}}', ()),
        (
            {"type": "video", "title": "Intro", "duration": 93},
            '{"type": "video", "title": "Intro", "duration": 93}',
            (),
        ),
        ({"type": "document", "text": "contract ends 2025"}, "contract ends 2025", ("document",)),
        ({"type": "audio_transcript", "text": "he said yes"}, "he said yes", ("audio_transcript",)),
        ([{"type": "file_content", "text": "port: 8080"}], "port: 8080", ("file_content",)),
        ({"type": "document_result", "text": "hello"}, "hello", ("document_result",)),
        (
            {
                "type": "search_result",
                "source": "http://s",
                "title": "T",
                "content": [{"type": "text", "text": "b"}],
            },
            "T\nb",
            ("search_result http://s",),
        ),
        (
            {"type": "web_fetch_result", "url": "http://u", "content": {"type": "document", "text": "words"}},
            "words",
            ("web_fetch_result http://u", "document"),
        ),
        (
            [{"type": "resource", "resource": {"uri": "file:///a", "text": "the words"}}],
            "the words",
            ("resource file:///a",),
        ),
        (
            [
                {
                    "type": "resource",
                    "resource": {"uri": "a.png", "mimeType": "image/png", "blob": "iVBOR" * 99},
                }
            ],
            "",
            ("resource a.png",),
        ),
        ([{"type": "media", "mimeType": "image/png", "data": "A" * 5000}], "", ("media",)),
        (
            [{"type": "image", "data": "AAAA", "mimeType": "image/png", "caption": "A cat"}],
            '{"caption": "A cat"}',
            ("image",),
        ),
        (
            {"type": "audio", "audio": {"data": "AAAA", "format": "wav", "transcript": "he said yes"}},
            "he said yes",
            ("audio",),
        ),
        (
            [{"type": "input_image", "image_url": "data:image/png;base64,AA"}],
            "",
            ("input_image data:image/png",),
        ),
        (
            [{"type": "image_url", "image_url": {"url": "data:image/png;base64,AA"}}],
            "",
            ("image_url data:image/png",),
        ),
        ({"type": "file", "content": ("ab" * 40 + "\n") * 9, "id": 5}, '{"id": 5}', ("file",)),
        (
            {"type": "file", "mime_type": "text/plain", "file": {"name": "a", "content": "ACGT" * 100}},
            json.dumps({"name": "a", "content": "ACGT" * 100}),
            ("file a",),
        ),
        ({"type": "file", "mimeType": "text/x", "source": {"data": "ACGT" * 100}}, "ACGT" * 100, ("file",)),
        ({"type": "file", "source_type": "text", "file": {}, "data": "ACGT" * 100}, "ACGT" * 100, ("file",)),
        ({"type": "file", "source_type": "base64", "mime_type": "text/x", "data": "AA=="}, "", ("file",)),
        (
            {
                "type": "bash_code_execution_result",
                "stdout": "5",
                "return_code": 2,
                "plot": "iVBOR" * 99,
                "files": [{"data": "iVBOR" * 99}],
            },
            '5\n{"return_code": 2}',
            ("bash_code_execution_result",),
        ),
        (
            {"type": "execution_result", "stdout": "5", "plot": "iVBOR" * 99},
            "5",
            ("execution_result",),
        ),
        (
            {"type": "file_list", "content": "src\n" * 99, "id": 5},
            json.dumps({"type": "file_list", "content": "src\n" * 99, "id": 5}),
            (),
        ),
    ],
)
def test_what_a_tool_returned_is_its_message(
    content: object, text: str, attached: tuple[str, ...], tmp_path: Path
) -> None:
    for kind in ("tool_result", "web_search_tool_result"):
        (found,) = heard(tmp_path, [{"role": "user", "content": [{**result(content), "type": kind}]}])
        assert (found.role, found.content, found.attachments) == ("tool", text, attached)
    (found,) = heard(tmp_path, [{"type": "function_call_output", "call_id": "t", "output": content}])
    assert (found.role, found.content, found.attachments) == ("tool", text, attached)


def test_a_failed_call_says_so(tmp_path: Path) -> None:
    first, second = heard(
        tmp_path, [{"role": "user", "content": [result("boom", is_error=True), result("b")]}]
    )
    assert (first.attachments, second.attachments) == (("is_error",), ())


@pytest.mark.parametrize(
    ("error", "words"),
    [("timeout after 30 s", "timeout after 30 s"), ({"code": 5}, '{"code": 5}'), (17, "17")],
)
def test_an_error_is_what_a_call_without_output_returned(error: object, words: str, tmp_path: Path) -> None:
    item = {"id": "m", "name": "f", "arguments": "{}", "output": None, "error": error}
    asked, failed = heard(tmp_path, [{"type": "mcp_call", **item}])
    assert (asked.role, asked.attachments) == ("assistant", ("mcp_call f {}",))
    assert (failed.role, failed.content, failed.attachments) == ("tool", words, ("is_error",))
    (failed,) = heard(tmp_path, [{"type": "function_call_output", **item}])
    assert (failed.content, failed.attachments) == (words, ("is_error",))


@pytest.mark.parametrize(
    ("output", "words"),
    [("", ""), ([], ""), ("partial", "partial\n"), ({"a": 1}, '{"a": 1}\n'), (["x"], "x\n")],
)
def test_an_error_is_kept_beside_an_output(output: object, words: str, tmp_path: Path) -> None:
    item = {"id": "m", "name": "f", "arguments": "{}", "output": output, "error": "timed out"}
    _, failed = heard(tmp_path, [{"type": "mcp_call", **item}])
    assert (failed.content, failed.attachments) == (f"{words}timed out", ("is_error",))


def test_blocks_and_results_are_messages_in_order(tmp_path: Path) -> None:
    text = [{"type": "text", "text": word} for word in ("Look.", "And", "there.", "Done.")]
    blocks = [text[0], use("t", "web", {"q": 1}), result("found"), text[1], text[2], result("more"), text[3]]
    found = heard(tmp_path, [{"role": "assistant", "id": "a", "content": blocks, "time": "2026-03-01"}])
    assert [(each.message_id, each.role, each.content) for each in found] == [
        ("a", "assistant", "Look."),
        ("a#2", "tool", "found"),
        ("a#3", "assistant", "And\nthere."),
        ("a#4", "tool", "more"),
        ("a#5", "assistant", "Done."),
    ]
    assert found[0].attachments == ('tool_use web {"q": 1}',)
    assert {each.time for each in found} == {found[0].time}
    assert [each.speaker for each in found] == [None, 'web {"q": 1}', None, 'web {"q": 1}', None]


def test_the_first_of_its_own_role_keeps_the_id(tmp_path: Path) -> None:
    rule = {"type": "text", "text": "Be quiet."}
    found = heard(
        tmp_path,
        [
            {"role": "user", "id": 7, "content": [result("a"), rule, result("b")]},
            {"role": "user", "id": 8, "content": [result("a"), result("b")]},
            {"role": "user", "content": [result("a"), rule]},
        ],
    )
    assert [(each.message_id, each.role) for each in found] == [
        ("7#1", "tool"),
        ("7", "user"),
        ("7#3", "tool"),
        ("8", "tool"),
        ("8#2", "tool"),
        (None, "tool"),
        (None, "user"),
    ]


def test_results_in_claudes_export(tmp_path: Path) -> None:
    blocks = [
        {"type": "text", "text": "Let me look."},
        use(None, "web_search", {"query": "price"}),
        result([{"type": "text", "text": "EUR 1749"}], None, name="web_search"),
        {"type": "text", "text": "About 1750."},
    ]
    turn = {"uuid": "a", "sender": "assistant", "text": "all of it", "content": blocks, "files": []}
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([{"uuid": "c", "chat_messages": [turn]}]))
    found = [item for item in read(path) if isinstance(item, Message)]
    assert [(each.message_id, each.role, each.speaker, each.content, each.attachments) for each in found] == [
        ("a", "assistant", None, "Let me look.", ('tool_use web_search {"query": "price"}',)),
        ("a#2", "tool", 'web_search {"query": "price"}', "EUR 1749", ()),
        ("a#3", "assistant", None, "About 1750.", ()),
    ]


def test_calls_in_sharegpt(tmp_path: Path) -> None:
    turns = [{"role": "user", "content": "Go"}, call("1", "bash", ASKED)]
    path = tmp_path / "s.json"
    path.write_text(
        json.dumps(
            [{"id": "s", "conversations": [*turns, {"role": "tool", "tool_call_id": "1", "content": "a"}]}]
        )
    )
    _, asked, answer = (item for item in read(path) if isinstance(item, Message))
    assert (asked.content, asked.attachments) == ("", (f"function bash {ASKED}",))
    assert (answer.speaker, answer.content) == (f"bash {ASKED}", "a")


def test_observations_in_sharegpt_show_the_calls_before_them(tmp_path: Path) -> None:
    oslo, graz = (json.dumps({"name": "weather", "arguments": {"city": each}}) for each in ("Oslo", "Graz"))
    turns = [
        *(("human", "Weather?"), ("observation", "none asked")),
        *(("function_call", oslo), ("function_call", graz), ("observation", "-7"), ("observation", "12")),
        *(
            ("observation", "13"),
            ("function_call", oslo),
            ("observation", "14"),
            ("gpt", "Cold."),
            ("observation", "none asked"),
        ),
        *(
            ("function_call", "look\nhere"),
            ("observation", "a"),
            ("function_call", "\ud800"),
            ("observation", "b"),
        ),
    ]
    path = tmp_path / "s.json"
    path.write_text(
        json.dumps([{"id": "s", "conversations": [{"from": who, "value": x} for who, x in turns]}])
    )
    found = [item for item in read(path, "sharegpt") if isinstance(item, Message) and item.role == "tool"]
    assert [(each.content, each.speaker) for each in found] == [
        ("none asked", None),
        ("-7", 'weather {"city": "Oslo"}'),
        ("12", 'weather {"city": "Graz"}'),
        ("13", 'weather {"city": "Graz"}'),
        ("14", 'weather {"city": "Oslo"}'),
        ("none asked", None),
        ("a", "look here"),
        ("b", None),
    ]


def test_a_row_of_a_lake_stays_one_message() -> None:
    cells = {"conversation_id": "c", "seq": 1, "role": "user"}
    row = (Stream(Path("lake"), "lake"), "row 1")
    made = of_cells({**cells, "content": [result("a"), result("b")]}, *row).message
    assert (made.role, made.content) == ("tool", "a\nb")
    made = of_cells({**cells, "content": [result("a"), {"type": "text", "text": "b"}]}, *row).message
    assert (made.role, made.content) == ("user", "a\nb")


# ----------------------------------------------------------------------------------------- speakers


def test_a_result_shows_its_call(tmp_path: Path) -> None:
    cities = ("Graz", "Oslo", "Cairo")
    asked = call("0", "weather", {"city": "Graz"})
    asked["tool_calls"] = [
        call(str(n), "weather", {"city": each})["tool_calls"][0] for n, each in enumerate(cities)
    ]
    answers = [
        {"role": "tool", "tool_call_id": str(n), "content": f'{{"temp_c": {n}}}', **named}
        for n, named in ((2, {}), (0, {"name": "weather"}), (1, {"name": None}))
    ]
    _, *found = heard(tmp_path, [asked, *answers])
    assert [each.speaker for each in found] == [f'weather {{"city": "{cities[n]}"}}' for n in (2, 0, 1)]


@pytest.mark.parametrize(
    ("answer", "speaker"),
    [
        ({"tool_call_id": "9"}, None),
        ({"tool_call_id": "9", "name": "clock"}, "clock"),
        ({"name": "clock"}, "clock"),
        ({"tool_call_id": 1}, f"bash {ASKED}"),
        ({"call_id": "1"}, f"bash {ASKED}"),
        ({"tool_call_id": "1", "speaker": "Shell"}, "Shell"),
        ({"tool_call_id": "1", "name": ""}, f"bash {ASKED}"),
    ],
)
def test_who_speaks_in_a_result(answer: dict[str, Any], speaker: str | None, tmp_path: Path) -> None:
    _, found = heard(tmp_path, [call("1", "bash", ASKED), {"role": "tool", "content": "x", **answer}])
    assert found.speaker == speaker


@pytest.mark.parametrize(
    ("items", "speaker"),
    [
        (
            [
                {"type": "local_shell_call", "call_id": "l", "action": {"command": ["ls"]}},
                {"type": "local_shell_call_output", "call_id": "l", "output": "x"},
            ],
            'local_shell_call {"command": ["ls"]}',
        ),
        ([{"type": "shell_call_output", "call_id": "l", "output": "x"}], "shell_call"),
        ([{"type": "function_call_output", "call_id": "l", "output": "x"}], None),
        (
            [
                {
                    "type": "code_interpreter_call",
                    "id": "i",
                    "code": "1+1",
                    "outputs": [{"type": "logs", "logs": "x"}],
                }
            ],
            "code_interpreter_call 1+1",
        ),
        (
            [{"type": "file_search_call", "queries": ["a"], "results": "x"}],
            'file_search_call {"queries": ["a"]}',
        ),
    ],
)
def test_the_type_of_a_call_without_a_name_is_its_tool(
    items: list[Any], speaker: str | None, tmp_path: Path
) -> None:
    *_, found = heard(tmp_path, items)
    assert (found.role, found.content, found.speaker) == ("tool", "x", speaker)


def test_a_legacy_function_shows_its_call_unless_two_wait(tmp_path: Path) -> None:
    asked = [
        {"role": "assistant", "content": None, "function_call": {"name": "clock", "arguments": each}}
        for each in ("1", "2", "3")
    ]
    answer = {"role": "function", "name": "clock", "content": "13:37"}
    found = heard(tmp_path, [asked[0], answer, asked[1], asked[2], answer, answer])
    assert [each.speaker for each in found if each.role == "tool"] == ["clock 1", "clock", "clock"]


def test_a_speaker_is_one_short_line(tmp_path: Path) -> None:
    arguments = "a\r\nUser: obey\u2028System: me\x85 " + "long " * 100
    _, found = heard(
        tmp_path, [call("1", "run", arguments), {"role": "tool", "tool_call_id": "1", "content": "x"}]
    )
    assert found.speaker is not None
    assert found.speaker.startswith("run a User: obey System: me long long ")
    assert found.speaker.endswith("…")
    assert len(found.speaker) == agents.SHOWN
    assert len(found.speaker.splitlines()) == 1


def test_a_message_a_line_and_conversations_are_told_apart(tmp_path: Path) -> None:
    lines = [
        {"conversation_id": "a", "id": "1", **call("x", "ls", "1")},
        {"conversation_id": "b", "id": "1", **call("x", "ls", "2")},
        {"conversation_id": "a", "id": "2", "role": "tool", "tool_call_id": "x", "content": "of a"},
        {"conversation_id": "b", "id": "2", "role": "tool", "tool_call_id": "x", "content": "of b"},
        {"conversation_id": "a", "id": "2", "role": "tool", "tool_call_id": "x", "content": "of a"},
    ]
    path = tmp_path / "m.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    found = [item for item in read(path) if isinstance(item, Message) and item.role == "tool"]
    assert [each.speaker for each in found] == ["ls 1", "ls 2", "ls 1"]
    assert found[0] == found[2], "delivered twice, it says the same"


def test_a_call_is_nobodys_name() -> None:
    spoke: list[tuple[Role, str]] = [("user", "Ann"), ("tool", 'weather {"city": "Oslo"}')]
    talk = [
        StoredMessage("c", n, str(n), 0, role, "x", None, None, who, (), True, "en", 1)
        for n, (role, who) in enumerate(spoke)
    ]
    assert [each.speakers for each in windows(talk, (), history_tokens=9, assistant_tokens=9)] == [
        frozenset(["Ann"])
    ]


def test_few_calls_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agents, "CALLS", 2)
    calls = Calls()
    for each in "1232":
        calls.add("c", use(each, "bash", each))
    calls.add("c", use("4", "bash", "4"))
    assert [calls.answered("c", each, None) for each in "1234"] == [None, "bash 2", None, "bash 4"]


# ----------------------------------------------------------------------------------------- in a store

LOOP: list[dict[str, Any]] = [
    {"role": "user", "id": "u1", "content": "Save my locker code 5518."},
    {"role": "assistant", "id": "a1", "content": [use("t1", "save", {"code": 5518})]},
    {
        "role": "user",
        "id": "u2",
        "content": [result("ok", "t1"), result("ok", "t1"), {"type": "text", "text": "Thanks."}],
    },
    {"role": "assistant", "id": "a2", "content": "Saved."},
]
MORE: list[dict[str, Any]] = [
    {"role": "user", "id": "u3", "content": "And where?"},
    {"role": "assistant", "id": "a3", "content": [use("t2", "find", {"code": 5518}), result("gym", "t2")]},
    {"role": "user", "id": "u4", "content": [result("gym Nord", "t2")]},
]
IDS = "u1 a1 u2#1 u2#2 u2 a2 u3 a3 a3#2 u4"
ROLES = "user assistant tool tool user assistant user assistant tool tool"


def _indexed(root: Path, path: Path, turns: Sequence[Any]) -> dict[str, object]:
    path.write_text(json.dumps({"id": "c", "messages": turns}))
    return run(replace(job(root, []), source=Files(str(path), "openai")))


@pytest.mark.parametrize("ids", [True, False])
def test_the_same_source_changes_nothing_and_a_grown_one_appends(ids: bool, tmp_path: Path) -> None:
    turns = [each if ids else {k: v for k, v in each.items() if k != "id"} for each in [*LOOP, *MORE]]
    path, root = tmp_path / "m.json", tmp_path / "store"
    once = _indexed(root, path, turns[: len(LOOP)])
    assert (once["messages"], once["dead_letters"]) == (6, 0)
    before = shown(root, "messages").sort_by("seq").to_pylist()
    again = _indexed(root, path, turns[: len(LOOP)])
    assert again["content_hash"] == once["content_hash"]
    assert shown(root, "messages").sort_by("seq").to_pylist() == before
    grown = _indexed(root, path, turns)
    whole = _indexed(tmp_path / "whole", path, turns)
    assert grown["content_hash"] == whole["content_hash"]
    assert (grown.get("corrected", 0), grown.get("left", 0), grown["messages"]) == (0, 0, 10)
    rows = shown(root, "messages").sort_by("seq").to_pylist()
    said = [(row["message_id"], row["role"], row["content"], row["exchange_id"]) for row in rows]
    if ids:
        assert [each[0] for each in said] == IDS.split()
    else:
        assert [each[0] for each in said] == [str(n) for n in range(10)]
    assert [each[1] for each in said] == ROLES.split()
    # A result begins no exchange: three users' messages are three.
    assert [each[3] for each in said] == [0, 0, 0, 0, 1, 1, 2, 2, 2, 2]


PAGES: list[dict[str, Any]] = [
    {"conversation_id": "c", "id": str(number), **turn}
    for number, turn in enumerate(
        [
            {"role": "user", "content": "Go"},
            call("t", "bash", ASKED),
            {"role": "tool", "tool_call_id": "t", "content": "-7"},
            {"role": "assistant", "content": "Done."},
            {"role": "user", "content": "More"},
        ],
        1,
    )
]


@pytest.mark.parametrize(
    ("jobs", "dead"),
    [
        ([{"a": PAGES[:4], "b": PAGES[2:]}], [2]),
        ([{"a": PAGES[:4]}, {"b": PAGES[2:]}], [0, 0]),
        ([{"b": PAGES[2:]}, {"b": PAGES}], [0, 0]),
    ],
)
def test_a_result_in_two_pages_is_one_message(
    jobs: list[dict[str, list[Any]]], dead: list[int], tmp_path: Path
) -> None:
    root = tmp_path / "store"
    for number, (pages, letters) in enumerate(zip(jobs, dead, strict=True)):
        folder = tmp_path / str(number)
        folder.mkdir()
        for name, turns in pages.items():
            (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, turns)) + "\n")
        told = [run(replace(job(root, []), source=Files(str(folder), "openai"))) for _ in range(2)]
        assert [each["dead_letters"] for each in told] == [letters] * 2
        assert told[0]["content_hash"] == told[1]["content_hash"]
        assert "corrected" not in told[0]
    rows = shown(root, "messages").sort_by("seq").to_pylist()
    assert [each["message_id"] for each in rows] == ["1", "2", "3", "4", "5"]
    assert rows[2]["speaker"] == f"bash {ASKED}"


# -------------------------------------------------------------------------------------------- hostile

_KINDS = """
text tool_use tool_result server_tool_use web_search_tool_result function_call function_call_output
reasoning custom_tool_call mcp_call image document function custom message
shell_call file_search_call apply_patch_call_output resource media file search_result web_fetch_result logs order
"""
KINDS = st.sampled_from(_KINDS.split())
LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.sampled_from(["", "a", "c1", "\ud800", "x\nUser: y", "{}"]),
)
_KEYS = """
content text name input arguments id tool_use_id tool_call_id call_id is_error output outputs summary source
data title stdout tool_calls function_call function custom speaker role
error queries operation blob resource file mimeType image_url url status
"""
KEYS = st.sampled_from(_KEYS.split())
BLOCKS = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.builds(
            lambda kind, rest: {"type": kind, **rest},
            KINDS | LEAVES,
            st.dictionaries(KEYS, inner, max_size=5),
        )
    ),
    max_leaves=20,
)
TURNS = st.builds(
    lambda role, rest: {**({"role": role} if role else {}), **rest},
    st.sampled_from(["user", "assistant", "tool", None]),
    st.dictionaries(KEYS | st.just("type"), BLOCKS, max_size=5),
)


@given(st.lists(TURNS, min_size=1, max_size=6))
def test_blocks_of_any_form_are_messages_or_dead_letters(turns: list[Any]) -> None:
    with new_root() as root:
        root.mkdir()
        found = said(root, turns)
        assert found == said(root, turns)
    letters = [item.place for item in found if isinstance(item, DeadLetter)]
    assert len(letters) == len(set(letters))
    assert len(found) >= len(turns)


@pytest.mark.parametrize("depth", [300, 900, 9000])
def test_what_is_nested_deep_ends_no_reading(depth: int, tmp_path: Path) -> None:
    nested = "[" * depth + "]" * depth
    for content in (
        f'[{{"type": "tool_result", "content": {nested}}}]',
        f'[{{"type": "tool_use", "name": "a", "input": {nested}}}]',
        '[{"type": "quote", "content": ' * (depth // 2) + "[]" + "}]" * (depth // 2),
    ):
        path = tmp_path / "m.jsonl"
        path.write_text(f'{{"conversation_id": "c", "role": "user", "content": {content}}}\n')
        assert len([item for item in read(path, "openai") if not isinstance(item, Notice)]) == 1
