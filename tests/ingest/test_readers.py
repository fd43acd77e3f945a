"""Every dialect: what is read, and what of it is rejected where."""

from __future__ import annotations

import gzip
import io
import json
import struct
import tracemalloc
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from memfold.errors import UserError
from memfold.ingest.canonical import message_of
from memfold.ingest.parts import Rejected
from memfold.ingest.read import FORMATS, read, source_files
from memfold.ingest.recognise import recognise
from memfold.schema import DeadLetter, Message, Notice
from support import ingest_samples as samples
from support.ingest_samples import both, write


def messages(path: Path, format: str | None = None) -> list[Message]:
    good, bad = both(path, format)
    assert bad == []
    return good


@pytest.mark.parametrize("sample", samples.SAMPLES, ids=lambda sample: f"{sample.format}:{sample.file}")
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"], ids=["", "bom"])
def test_sample_is_recognised_and_read(sample: samples.Sample, bom: bytes, tmp_path: Path) -> None:
    binary = sample.file.endswith((".zip", ".parquet", ".arrow"))
    path = write(tmp_path, sample.file, (b"" if binary else bom) + sample.make())
    assert recognise(path) == sample.format
    read_unnamed, read_named = messages(path), messages(path, sample.format)
    assert tuple(message.content for message in read_unnamed) == sample.contents
    assert read_named == read_unnamed


# What LangChain's messages hold, and what other formats hold them in: a tool may be asked any of it.
HOLDERS = ("mapping", "chat_messages", "haystack_sessions", "turns", "messages")
ANY_KEYS: dict[str, Any] = {
    "type": "constructor",
    **dict.fromkeys(("lc", "kwargs", "additional_kwargs", "invalid_tool_calls", "content"), 1),
    **{key: [{"type": "human"}] for key in HOLDERS},
}


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize(
    "sample",
    [each for each in samples.SAMPLES if each.file.endswith("l") or each.file == "conversations.json"],
    ids=lambda sample: f"{sample.format}:{sample.file}",
)
def test_keys_within_a_record_make_no_other_format(
    sample: samples.Sample, first: bool, tmp_path: Path
) -> None:
    data = sample.make()
    rows = json.loads(data) if data.startswith(b"[") else [json.loads(line) for line in data.splitlines()]
    rows = [{"x": ANY_KEYS, **row} if first else {**row, "x": ANY_KEYS} for row in rows]
    path = write(tmp_path, sample.file, samples.lines(rows) if sample.file.endswith("l") else rows)
    assert recognise(path) == sample.format
    assert len(messages(path)) == len(sample.contents)


def test_every_format_has_a_sample() -> None:
    assert {sample.format for sample in samples.SAMPLES} == set(FORMATS)


def test_a_folder_may_hold_all_formats(tmp_path: Path) -> None:
    for number, sample in enumerate(samples.SAMPLES):
        write(tmp_path, f"{number}/{sample.file}", sample.make())
    expected = [content for sample in samples.SAMPLES for content in sample.contents]
    assert [message.content for message in messages(tmp_path)] == expected


# ------------------------------------------------------------------------------------------- BEAM


def test_beam_ids_times_and_conversation(tmp_path: Path) -> None:
    found = messages(write(tmp_path, "100K/3/chat.json", samples.BEAM))
    march, april = datetime(2024, 3, 15, tzinfo=UTC), datetime(2024, 4, 1, tzinfo=UTC)
    assert {message.conversation_id for message in found} == {"100K-3"}
    assert [message.message_id for message in found] == ["0", "1", "2", "3", "4"]
    assert [message.time for message in found] == [march, march, march, march, april]
    assert [message.role for message in found] == ["user", "assistant", "user", "assistant", "user"]


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Why? ->-> 1,1", "Why?"),
        ("Why?->-> 12,N/A", "Why?"),
        ("Why? ->-> 7,", "Why?"),
        ("Why? ->-> 2,14)", "Why?"),
        ("Why? ->-> 9,38\n\nThat sounds like a natural follow-up.", "Why?"),
        ("Is a ->-> b an arrow?", "Is a ->-> b an arrow?"),
        (f"Why{' ' * 100_000}not? ->-> 5,1", f"Why{' ' * 100_000}not?"),
        ("a ->-> 1,1 " + "long " * 100, "a ->-> 1,1 " + "long " * 100),
    ],
)
def test_beam_generation_artefact_is_cut_from_user_text(said: str, kept: str, tmp_path: Path) -> None:
    turn = [{"role": "user", "id": 0, "content": said}, {"role": "assistant", "id": 1, "content": said}]
    found = messages(write(tmp_path, "chat.json", [{"turns": [turn]}]))
    assert [message.content for message in found] == [kept, said]


def test_beam_plans_are_one_conversation_and_ids_run_through_them(tmp_path: Path) -> None:
    for plan in (10, 2, 0):
        turn = [{"role": "user", "id": n, "content": f"plan {plan} message {n}"} for n in range(3)]
        write(tmp_path, f"10M/5/plan-{plan}/chat.json", [{"turns": [turn]}])
    write(tmp_path, "10M/5/probing_questions.json", {"abstention": [{"question": "?", "rubric": []}]})
    write(tmp_path, "10M/6/chat.json", samples.BEAM)
    found = messages(tmp_path)
    five = [message for message in found if message.conversation_id == "10M-5"]
    assert [message.message_id for message in five] == [str(n) for n in range(9)]
    assert [message.content.split()[1] for message in five] == ["0"] * 3 + ["2"] * 3 + ["10"] * 3
    assert [message.message_id for message in found if message.conversation_id == "10M-6"] == list("01234")
    assert messages(tmp_path / "10M" / "5") == five


def test_beam_ids_already_counted_through_plans_are_left(tmp_path: Path) -> None:
    for plan in range(2):
        turn = [{"role": "user", "id": plan * 2 + n, "content": "x"} for n in range(2)]
        write(tmp_path, f"plan-{plan}/chat.json", [{"turns": [turn]}])
    assert [message.message_id for message in messages(tmp_path)] == ["0", "1", "2", "3"]


def test_beam_missing_id_and_time_are_legal(tmp_path: Path) -> None:
    (found,) = messages(write(tmp_path, "chat.json", [{"turns": [[{"role": "user", "content": "x"}]]}]))
    assert (found.message_id, found.time) == (None, None)


def test_beam_unreadable_anchor_leaves_the_one_before(tmp_path: Path) -> None:
    turn = [
        {"role": "user", "content": "a", "time_anchor": "March-15-2024"},
        {"role": "user", "content": "b", "time_anchor": "Smarch-99-2024"},
    ]
    found = messages(write(tmp_path, "chat.json", [{"turns": [turn]}]))
    assert [message.time for message in found] == [datetime(2024, 3, 15, tzinfo=UTC)] * 2


def test_beam_bad_message_says_where_and_counts_as_an_id(tmp_path: Path) -> None:
    broken = [
        {"turns": [[{"role": "user", "id": 0, "content": 5}, {"role": "assistant", "id": 1, "content": "x"}]]}
    ]
    write(tmp_path, "plan-0/chat.json", broken)
    write(tmp_path, "plan-1/chat.json", [{"turns": [[{"role": "user", "id": 0, "content": "y"}]]}])
    good, (bad,) = both(tmp_path)
    assert [message.message_id for message in good] == ["1", "2"]
    assert (bad.file, bad.place) == ("plan-0/chat.json", "batch 1 turn 1 message 1")
    assert "content of type int" in bad.reason
    assert json.loads(bad.raw) == {"role": "user", "id": 0, "content": 5}


# ----------------------------------------------------------------------------------------- LoCoMo


def test_locomo_speakers_sessions_times_and_captions(tmp_path: Path) -> None:
    found = messages(write(tmp_path, "26.json", samples.LOCOMO))
    assert {message.conversation_id for message in found} == {"LOCOMO-26"}
    assert {message.role for message in found} == {"user"}
    assert [(m.message_id, m.speaker, m.session) for m in found] == [
        ("D1:1", "Ann", "session_1"),
        ("D1:2", "Bo", "session_1"),
        ("D2:1", "Bo", "session_2"),
    ]
    assert [message.attachments for message in found] == [(), ("a photo of a dog",), ()]
    assert found[1].time == datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    assert found[2].time == datetime(2023, 9, 13, 0, 9, tzinfo=UTC)


def test_a_locomo_caption_that_is_no_text_costs_its_turn(tmp_path: Path) -> None:
    turns = [{"speaker": "A", "dia_id": f"D1:{n}", "text": "x", "blip_caption": n or "a dog"} for n in (0, 1)]
    good, (bad,) = both(write(tmp_path, "1.json", {"session_1": turns}))
    assert [message.attachments for message in good] == [("a dog",)]
    assert "the blip_caption is not a string" in bad.reason


def test_locomo_sessions_are_in_number_order(tmp_path: Path) -> None:
    talk = {f"session_{n}": [{"speaker": "A", "dia_id": f"D{n}:1", "text": "x"}] for n in (10, 2, 1)}
    assert [m.session for m in messages(write(tmp_path, "1.json", talk))] == [
        "session_1",
        "session_2",
        "session_10",
    ]


# ------------------------------------------------------------------------------------ LongMemEval


def test_longmemeval_sessions_ids_and_dates_without_zone_are_utc(tmp_path: Path) -> None:
    found = messages(write(tmp_path, "s.json", samples.LONGMEMEVAL))
    assert [(m.conversation_id, m.message_id, m.session) for m in found] == [
        ("q1", "s_a:0", "s_a"),
        ("q1", "s_a:1", "s_a"),
        ("q1", "s_b:0", "s_b"),
        ("q2", "session_1:0", "session_1"),
    ]
    assert [message.time for message in found] == [
        datetime(2023, 5, 20, 2, 21, tzinfo=UTC),
        datetime(2023, 5, 20, 2, 21, tzinfo=UTC),
        datetime(2023, 5, 21, 9, 0, tzinfo=UTC),
        None,
    ]


# ----------------------------------------------------------------------------------------- OpenAI


def test_openai_message_lines_and_conversation_lines(tmp_path: Path) -> None:
    found = messages(write(tmp_path, "m.jsonl", samples.lines(samples.OPENAI)))
    assert [(m.conversation_id, m.role, m.message_id) for m in found] == [
        ("c1", "user", "m1"),
        ("c1", "assistant", None),
        ("c2", "system", None),
        ("c2", "user", None),
    ]
    assert found[0].time == datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert found[1].time == datetime.fromtimestamp(1704164646, UTC)


def test_lines_may_have_the_names_of_memfolds_own_tables(tmp_path: Path) -> None:
    line = {**LINE, "message_id": "m9", "time": "2024-01-02T03:04:05Z"}
    (found,) = messages(write(tmp_path, "m.jsonl", samples.dumped(line)))
    assert (found.message_id, found.time) == ("m9", datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC))


def test_a_name_that_holds_null_hides_no_other(tmp_path: Path) -> None:
    ours = {"message_id": "m9", "time": "2024-01-02T03:04:05Z", "name": "Ann"}
    lines = [{**LINE, "id": None, "created_at": None, "speaker": None, **ours}, {**LINE, **ours, "id": "m1"}]
    one, other = messages(write(tmp_path, "m.jsonl", samples.lines(lines)))
    assert (one.message_id, one.time, one.speaker) == ("m9", datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC), "Ann")
    assert other.message_id == "m1"
    turn = {"from": None, "value": None, "role": "user", "content": "hi"}
    (said,) = messages(write(tmp_path, "sg.json", [{"id": "s", "conversations": [turn]}]))
    assert (said.role, said.content) == ("user", "hi")
    said_in = {"uuid": "m", "sender": "human", "text": None, "content": "hi"}
    (said,) = messages(write(tmp_path, "c.json", [{"uuid": "c", "chat_messages": [said_in]}]))
    assert said.content == "hi"


LINE: dict[str, Any] = {"conversation_id": "c", "role": "user", "content": "fine"}


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (b'{"conversation_id": "c", "role": "us', "not JSON"),
        (b"\x00\xff\xfe", "not JSON"),
        (b"17", "not an object"),
        (b"null", "not an object"),
        (b"[" * 100_000, "nested too deep"),
        (b"9" * 5000, "not JSON"),
        (samples.dumped({**LINE, "conversation_id": ""}), "no conversation_id"),
        (samples.dumped({**LINE, "conversation_id": None}), "no conversation_id"),
        (samples.dumped({**LINE, "conversation_id": 1.5}), "type float"),
        (samples.dumped({**LINE, "conversation_id": ["c"]}), "type list"),
        (samples.dumped({**LINE, "role": "wizard"}), 'unknown role: "wizard" is none of user'),
        (samples.dumped({**LINE, "role": None}), "no role: a message has a role"),
        (samples.dumped({"conversation_id": "c", "page": 3}), "no role: a message has a role"),
        (
            samples.dumped({"custom_id": "r7", "body": {"model": "m", "messages": [{"role": "user"}]}}),
            "no role and no messages: they stand in body: write what stands there as the line",
        ),
        (samples.dumped({**LINE, "role": ""}), 'unknown role: ""'),
        (samples.dumped({**LINE, "content": 5}), "content of type int"),
        (samples.dumped({**LINE, "content": None}), "no content"),
        (samples.dumped({**LINE, "content": ["a", 5]}), "content part of type int"),
        (samples.dumped({**LINE, "content": "half \ud800"}), "not Unicode"),
        (b'{"conversation_id": "c", "role": "user", "content": "\xff"}', "not Unicode"),
        (samples.dumped({**LINE, "id": {"a": 1}}), "type dict"),
        (samples.dumped({"id": "e", "messages": []}), "no messages"),
        (samples.dumped({"id": "e", "messages": 7}), "not a list"),
    ],
)
def test_openai_a_bad_line_is_one_dead_letter_and_its_neighbours_are_read(
    bad: bytes, reason: str, tmp_path: Path
) -> None:
    good_line = samples.dumped(LINE)
    path = write(tmp_path, "m.jsonl", good_line + b"\n" + bad + b"\r\n\n" + good_line)
    good, letters = both(path)
    assert [message.content for message in good] == ["fine", "fine"]
    (dead,) = letters
    assert dead.file == "m.jsonl"
    assert dead.place == "line 2"
    assert reason in dead.reason
    # No words are kept of a conversation that nobody knows, nor of what cannot be parsed or is a whole conversation.
    single = dead.conversation_id is not None and "not JSON" not in reason and b"messages" not in bad
    assert dead.raw == (bad[:4096] if single else b"")


def test_openai_an_indented_document_is_no_lines(tmp_path: Path) -> None:
    path = write(tmp_path, "m.json", json.dumps(samples.OPENAI[2], indent=2).encode())
    assert [message.content for message in messages(path)] == ["Be brief", "Go"]


@pytest.mark.parametrize(
    "first", [b'{"conversation_id": "c", "role": "us', b"not json", b"\xff", b'{"a": 1}}']
)
def test_openai_a_broken_first_line_does_not_hide_the_others(first: bytes, tmp_path: Path) -> None:
    good, bad = both(write(tmp_path, "m.json", first + b"\n" + samples.lines([LINE] * 2)))
    assert [message.content for message in good] == ["fine", "fine"]
    assert [letter.place for letter in bad] == ["line 1"]


@pytest.mark.parametrize(
    ("content", "text", "attachments"),
    [
        ("", "", ()),
        ("a\x00b", "a\x00b", ()),
        ("  kept \r\n as is ", "  kept \r\n as is ", ()),
        ("\U0001f600 数据", "\U0001f600 数据", ()),
        ([{"type": "text", "text": "a"}, "b", {"type": "input_text", "text": "c"}], "a\nb\nc", ()),
        (
            [{"type": "text", "text": "a"}, {"type": "image_url", "image_url": {"url": "http://x/y.png"}}],
            "a",
            ("image_url http://x/y.png",),
        ),
        (
            [{"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}],
            "",
            ("image_url data:image/png",),
        ),
    ],
)
def test_openai_content_is_verbatim(
    content: Any, text: str, attachments: tuple[str, ...], tmp_path: Path
) -> None:
    (found,) = messages(write(tmp_path, "m.jsonl", {**LINE, "content": content}))
    assert (found.content, found.attachments) == (text, attachments)


@pytest.mark.parametrize(
    ("content", "text", "attached"), [(None, "Hi.", ("audio",)), ("", "Hi.", ("audio",)), ("Ho.", "Ho.", ())]
)
def test_openai_what_was_spoken_is_said(
    content: object, text: str, attached: tuple[str, ...], tmp_path: Path
) -> None:
    audio = {"id": "a", "data": "AAAA", "transcript": "Hi."}
    turn = {"conversation_id": "c", "role": "assistant", "content": content, "audio": audio}
    (found,) = messages(write(tmp_path, "m.jsonl", turn))
    assert (found.content, found.attachments) == (text, attached)


def test_openai_a_tool_call_without_words_is_a_message(tmp_path: Path) -> None:
    call = {"id": "x", "type": "function", "function": {"name": "search", "arguments": "{}"}}
    line = {**LINE, "role": "assistant", "content": None, "tool_calls": [call]}
    (found,) = messages(write(tmp_path, "m.jsonl", line))
    assert (found.content, found.attachments) == ("", ("function search {}",))


def test_dead_letter_names_its_conversation_where_it_is_known(tmp_path: Path) -> None:
    _, (dead,) = both(write(tmp_path, "m.jsonl", {**LINE, "role": "wizard"}))
    assert dead.conversation_id == "c"


def test_a_line_over_the_limit_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memfold.ingest.records.LIMIT", 10_000)
    long = samples.dumped({**LINE, "content": "x" * 50_000})
    path = write(tmp_path, "m.jsonl", b"\n".join((samples.dumped(LINE), long, samples.dumped(LINE))))
    good, (dead,) = both(path)
    assert len(good) == 2
    assert (dead.place, dead.conversation_id, dead.raw) == ("line 2", "c", b"")
    assert "longer than 10000 bytes" in dead.reason


def test_an_element_over_the_limit_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memfold.ingest.records.LIMIT", 10_000)
    monkeypatch.setattr("memfold.ingest.records.CHUNK", 4_096)
    long = {"id": "long", "conversations": [{"from": "human", "value": '[{"' * 9_000}]}
    path = write(tmp_path, "s.json", [samples.SHAREGPT[0], long, samples.SHAREGPT[0]])
    good, (dead,) = both(path, "sharegpt")
    assert [message.content for message in good] == ["2+2?", "4"] * 2
    assert (dead.place, dead.conversation_id, dead.raw) == ("record 2", "long", b"")


BRIEF = "Be brief."


@pytest.mark.parametrize("named", ["openai", "sharegpt"])
@pytest.mark.parametrize(
    ("system", "opens", "found"),
    [
        (BRIEF, [], [BRIEF]),
        ([{"type": "text", "text": BRIEF}, {"type": "text", "text": "Be kind."}], [], [f"{BRIEF}\nBe kind."]),
        ([{"text": BRIEF}], [], [BRIEF]),
        (f"{BRIEF}\n", [BRIEF], [BRIEF]),
        (BRIEF, ["Be kind."], [BRIEF, "Be kind."]),
        *((empty, [BRIEF], [BRIEF]) for empty in (None, "", " ", [])),
    ],
)
def test_instructions_beside_the_messages_stand_before_them(
    system: object, opens: list[str], found: list[str], named: str, tmp_path: Path
) -> None:
    turns = [*(("system", words) for words in opens), ("user", "Hi"), ("assistant", "Hello")]
    if named == "openai":
        listed = {"messages": [{"role": who, "content": words} for who, words in turns]}
    else:
        listed = {"conversations": [{"from": who, "value": words} for who, words in turns]}
    items = messages(write(tmp_path, "m.json", {"id": "c", "system": system, **listed}))
    assert [(m.role, m.content) for m in items] == [
        *(("system", words) for words in found),
        *(("user", "Hi"), ("assistant", "Hello")),
    ]
    # What the list itself holds is known by its position.
    assert [m.message_id for m in items if m.message_id] == ["#system"] * (len(found) - len(opens))


def test_instructions_that_are_no_text_are_a_dead_letter(tmp_path: Path) -> None:
    request = {"id": "c", "system": {"os": "linux"}, "messages": [{"role": "user", "content": "Hi"}]}
    (said,), (letter,) = both(write(tmp_path, "m.json", request))
    assert (said.content, letter.place) == ("Hi", "line 1 system")


# ------------------------------------------------------------------------------- ShareGPT, exports


def test_sharegpt_ids_and_roles(tmp_path: Path) -> None:
    found = messages(write(tmp_path, "sg.json", samples.SHAREGPT))
    assert [(m.conversation_id, m.role) for m in found] == [
        ("s1", "user"),
        ("s1", "assistant"),
        ("sg-2", "system"),
        ("sg-2", "user"),
    ]


def test_chatgpt_keeps_branches_and_marks_the_visible_thread(tmp_path: Path) -> None:
    found = messages(write(tmp_path, "conversations.json", samples.CHATGPT))
    assert [(m.message_id, m.current) for m in found] == [
        ("a", False),
        ("a1", False),
        ("b", True),
        ("b1", True),
    ]
    assert [m.time for m in found] == [
        datetime.fromtimestamp(1700000000, UTC),
        None,
        datetime.fromtimestamp(1700000002.25, UTC),
        None,
    ]
    assert found[3].attachments == ("image_asset_pointer file://x",)


@pytest.mark.parametrize(
    ("content", "text", "attached"),
    [
        (
            {
                "content_type": "thoughts",
                "thoughts": [
                    {"summary": "Plan", "content": "Look first."},
                    {"summary": "", "content": "Then go."},
                ],
            },
            "",
            ("thinking Plan\nLook first.\nThen go.",),
        ),
        ({"content_type": "thoughts", "thoughts": []}, "", ("thoughts",)),
        ({"content_type": "tether_quote", "url": "http://x", "title": "T", "text": "words"}, "T\nwords", ()),
        ({"content_type": "tether_browsing_display", "result": "words", "summary": "S"}, "words\nS", ()),
    ],
)
def test_chatgpt_keeps_words_that_stand_in_no_parts(
    content: dict[str, Any], text: str, attached: tuple[str, ...], tmp_path: Path
) -> None:
    nodes = {"a": samples._node("a", None, [], "assistant", content=content)}
    (found,) = messages(write(tmp_path, "conversations.json", [{"id": "c", "mapping": nodes}]))
    assert (found.content, found.attachments) == (text, attached)


def test_chatgpt_split_files_are_read_in_order(tmp_path: Path) -> None:
    for part in (10, 2):
        tree = [{**samples.CHATGPT[0], "conversation_id": f"part {part}"}]
        write(tmp_path, f"conversations-{part}.json", tree)
    write(tmp_path, "user.json", {"id": "u"})
    assert [m.conversation_id for m in messages(tmp_path)] == ["part 2"] * 4 + ["part 10"] * 4


def test_chatgpt_loops_orphans_and_a_lost_current_node(tmp_path: Path) -> None:
    mapping = {
        "x": samples._node("x", "y", ["y"]),
        "y": samples._node("y", "x", ["x"]),
        "orphan": samples._node("orphan", "gone", []),
    }
    tree = [{"id": "loop", "mapping": mapping, "current_node": "nowhere"}]
    found = messages(write(tmp_path, "conversations.json", tree))
    assert sorted(m.content for m in found) == ["text of orphan", "text of x", "text of y"]


def test_claude_blocks_attachments_and_times(tmp_path: Path) -> None:
    first, second = messages(write(tmp_path, "conversations.json", samples.CLAUDE))
    assert first.attachments == ("file notes.txt\nbuy milk", "file cat.png")
    assert first.time == second.time == datetime(2024, 3, 1, 8, 0, 1, tzinfo=UTC)
    assert second.attachments == ("tool_use search {}",)


@pytest.mark.parametrize(
    ("blocks", "content"),
    [
        ([{"type": "text", "text": ""}], "My budget is 5."),
        ([{"type": "text", "text": " \n"}, ""], "My budget is 5."),
        ([{"type": "text", "text": ""}, {"type": "tool_use", "name": "search"}], "My budget is 5."),
        ([{"type": "text", "text": ""}, {"type": "text", "text": "One."}], "\nOne."),
    ],
)
def test_a_claude_text_stands_for_blocks_without_words(
    blocks: list[Any], content: str, tmp_path: Path
) -> None:
    turn = {"uuid": "m", "sender": "human", "text": "My budget is 5.", "content": blocks}
    (found,) = messages(write(tmp_path, "conversations.json", [{"uuid": "k", "chat_messages": [turn]}]))
    assert found.content == content


def test_canonical_columns(tmp_path: Path) -> None:
    first, second = messages(write(tmp_path, "t.parquet", samples.parquet()))
    assert (first.time, first.attachments, first.current) == (
        datetime(2024, 1, 1, tzinfo=UTC),
        ("a.png",),
        True,
    )
    assert (second.message_id, second.time, second.current) == (None, None, False)


def test_attachments_of_a_row_that_are_no_list_cost_it() -> None:
    with pytest.raises(Rejected, match="attachments is not a list of strings"):
        message_of({"conversation_id": "c", "role": "user", "content": "x", "attachments": "a.png"})


@pytest.mark.parametrize(
    ("time", "said"),
    [
        (pa.array([1709546400123456789], pa.timestamp("ns", "UTC")), datetime(2024, 3, 4, 10, 0, 0, 123456)),
        (pa.array([date(2024, 3, 4)], pa.date32()), datetime(2024, 3, 4)),
    ],
)
@pytest.mark.parametrize("names", [("message_id", "time"), ("id", "created_at"), ("id", "timestamp")])
def test_canonical_times_and_ids_as_other_programs_write_them(
    tmp_path: Path, time: pa.Array, said: datetime, names: tuple[str, str]
) -> None:
    rows = {"conversation_id": ["c"], "role": ["user"], "content": ["hi"], names[0]: ["m1"], names[1]: time}
    pq.write_table(pa.table(rows), tmp_path / "t.parquet")
    (one,) = messages(tmp_path / "t.parquet")
    assert (one.message_id, one.time) == ("m1", said.replace(tzinfo=UTC))


def timed(tmp_path: Path, format: str, each: Sequence[Mapping[str, object]]) -> Path:
    """A file of messages of conversation c that say these times, by these names."""
    if format == "openai":
        return write(tmp_path, "t.jsonl", samples.lines([{**LINE, **times} for times in each]))
    if format == "sharegpt":
        turns = [{"from": "human", "value": "hi", **times} for times in each]
        return write(tmp_path, "t.json", [{"id": "c", "conversations": turns}])
    table = pa.table({name: [times.get(name) for times in each] for name in {**LINE, **each[0]}})
    rows = [table.column_names.index(name) for name in LINE]
    for at, value in zip(rows, LINE.values(), strict=True):
        table = table.set_column(at, table.column_names[at], pa.array([value] * len(each)))
    pq.write_table(table, tmp_path / "t.parquet")
    return tmp_path / "t.parquet"


@pytest.mark.parametrize("called", ["time", "created_at", "timestamp", "create_time", "sent_at", "date"])
@pytest.mark.parametrize(
    ("format", "place"),
    [
        ("openai", "t.jsonl, line 2"),
        ("sharegpt", "t.json, record 1 conversations[1]"),
        ("parquet", "t.parquet, row 2"),
    ],
)
def test_a_time_by_any_name_is_read_or_costs_its_message_nothing_else(
    tmp_path: Path, format: str, place: str, called: str
) -> None:
    times = ("2024-03-04 10:00:00 +0800", "a moment before we had lunch and then went out")
    items = list(read(timed(tmp_path, format, [{called: each} for each in times])))
    first, second, *told = items
    assert isinstance(first, Message)
    assert isinstance(second, Message)
    assert (first.time, second.time) == (datetime(2024, 3, 4, 2, tzinfo=UTC), None)
    assert told == [
        Notice(
            "1 message is kept without its time, which cannot be read "
            f'("a moment before we had lunch and then w… in {place}): write 2025-05-19T10:00:00Z'
        )
    ]


def test_each_message_of_a_record_whose_time_cannot_be_read_is_counted(tmp_path: Path) -> None:
    result = {"type": "tool_result", "tool_use_id": "t", "content": "found"}
    line = {**LINE, "created_at": "soon", "content": [{"type": "text", "text": "See."}, result, result]}
    *made, told = read(write(tmp_path, "t.jsonl", samples.lines([line])))
    assert len(made) == 3
    assert isinstance(told, Notice)
    assert told.text.startswith("3 messages are kept without their times")


@pytest.mark.parametrize("format", ["openai", "sharegpt", "parquet"])
@pytest.mark.parametrize("odd", ["soon", ""])
def test_a_time_that_cannot_be_read_hides_none_under_another_name(
    tmp_path: Path, format: str, odd: str
) -> None:
    found = list(read(timed(tmp_path, format, [{"time": odd, "date": "2024-03-04"}])))
    assert [each.time for each in found if isinstance(each, Message)] == [datetime(2024, 3, 4, tzinfo=UTC)]
    assert len(found) == 1


def test_many_times_that_cannot_be_read_are_counted_and_three_are_shown(tmp_path: Path) -> None:
    odd: list[object] = ["soon", 1e300, True, [], "later"]
    write(tmp_path, "a.jsonl", samples.lines([{**LINE, "created_at": each} for each in odd]))
    write(tmp_path, "b.jsonl", samples.lines([{**LINE, "conversation_id": "d", "date": "soon"}, LINE]))
    *_, told = read(tmp_path)
    assert told == Notice(
        '6 messages are kept without their times, which cannot be read ("soon" in a.jsonl, line 1; '
        "1e+300 in a.jsonl, line 2; true in a.jsonl, line 3; …): write 2025-05-19T10:00:00Z"
    )
    rejected = write(tmp_path, "c.jsonl", samples.lines([LINE, {**LINE, "date": "soon", "content": 5}]))
    assert [type(each) for each in read(rejected)] == [Message, DeadLetter]


def test_canonical_a_cell_that_is_no_time_costs_its_row_nothing_else(tmp_path: Path) -> None:
    same = {"conversation_id": ["c"], "role": ["user"], "content": ["hi"]}
    far = pa.array([2**62], pa.timestamp("us"))
    pq.write_table(pa.table({**same, "time": far}), tmp_path / "t.parquet")
    one, told = read(tmp_path / "t.parquet")
    assert isinstance(one, Message)
    assert (one.content, one.time) == ("hi", None)
    assert isinstance(told, Notice)
    assert "in t.parquet, row 1" in told.text


@pytest.mark.parametrize("form", ["json", "indented", "jsonl", "list"])
@pytest.mark.parametrize("format", ["openai", "sharegpt"])
def test_a_conversation_without_an_id_has_a_number_behind_its_files_name_however_it_is_written(
    tmp_path: Path, form: str, format: str
) -> None:
    turn = {"role": "user", "content": "hi"} if format == "openai" else {"from": "human", "value": "hi"}
    talk = {"messages" if format == "openai" else "conversations": [turn]}
    written = {"list": json.dumps([talk]), "indented": json.dumps(talk, indent=2)}.get(form, json.dumps(talk))
    name = "oai.jsonl" if form == "jsonl" else "oai.json"
    (one,) = messages(write(tmp_path, name, written.encode()))
    assert one.conversation_id == "oai-1"


def test_canonical_names_go_before_those_of_other_programs(tmp_path: Path) -> None:
    rows = {"conversation_id": ["c"], "role": ["user"], "content": ["hi"], "id": [7], "message_id": ["m1"]}
    pq.write_table(pa.table(rows), tmp_path / "t.parquet")
    assert [each.message_id for each in messages(tmp_path / "t.parquet")] == ["m1"]


def test_canonical_a_column_of_nulls_hides_no_other(tmp_path: Path) -> None:
    same = {"conversation_id": ["c", "c"], "role": ["user", "user"], "content": ["hi", "ho"]}
    rows = {
        **same,
        "message_id": ["m1", None],
        "id": [7, 8],
        "time": [None, "2024-03-04"],
        "created_at": [1, 2],
    }
    pq.write_table(pa.table(rows), tmp_path / "t.parquet")
    one, other = messages(tmp_path / "t.parquet")
    assert (one.message_id, other.message_id) == ("m1", "8")
    assert (one.time, other.time) == (
        datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC),
        datetime(2024, 3, 4, tzinfo=UTC),
    )


def test_canonical_offsets_that_point_outside_are_refused(tmp_path: Path) -> None:
    """Arrow trusts offsets when it reads a cell: unvalidated, this ends the process."""
    offsets = struct.pack("<3i", 0, 2, 2)
    data = samples.arrow()
    assert offsets in data
    good, (dead,) = both(
        write(tmp_path, "t.arrow", data.replace(offsets, struct.pack("<3i", 0, 2**31 - 1, 2**31 - 1)))
    )
    assert good == []
    assert dead.place == "after row 0"


@pytest.mark.parametrize("batches", [0, 1, 2])
def test_a_stream_cut_off_between_two_batches_is_said_to_be(batches: int, tmp_path: Path) -> None:
    """To Arrow a stream may also end where its file does."""
    out = io.BytesIO()
    table = pa.table({"conversation_id": ["c"] * 4, "role": ["user"] * 4, "content": list("abcd")})
    ends = []
    with pa.ipc.new_stream(out, table.schema) as writer:
        for n in range(2):
            writer.write_table(table.slice(2 * n, 2))
            ends.append(out.tell())
    # The schema comes with the first batch: as much of it as an empty stream has, without its end mark.
    ends.insert(0, _schema_bytes(table.schema))
    assert [each.content for each in messages(write(tmp_path, "t.arrow", out.getvalue()))] == list("abcd")
    good, (dead,) = both(write(tmp_path, "cut.arrow", out.getvalue()[: ends[batches]]), "canonical")
    assert [message.content for message in good] == list("abcd")[: 2 * batches]
    assert dead.place == f"after row {2 * batches}"
    assert "no end mark" in dead.reason


@pytest.mark.parametrize("legacy", [False, True])
@pytest.mark.parametrize("packed", [False, True])
def test_a_whole_stream_is_no_cut_one(legacy: bool, packed: bool, tmp_path: Path) -> None:
    out = io.BytesIO()
    table = pa.table({"conversation_id": ["c"], "role": ["user"], "content": ["a"]})
    options = pa.ipc.IpcWriteOptions(use_legacy_format=legacy)
    with pa.ipc.new_stream(out, table.schema, options=options) as writer:
        writer.write_table(table)
        cut = out.tell()
    name = "t.arrow.gz" if packed else "t.arrow"
    pack = gzip.compress if packed else bytes
    assert [each.content for each in messages(write(tmp_path, name, pack(out.getvalue())), "canonical")] == [
        "a"
    ]
    good, (dead,) = both(write(tmp_path, f"cut.{name}", pack(out.getvalue()[:cut])), "canonical")
    assert len(good) == 1
    assert "no end mark" in dead.reason


def test_data_that_looks_like_an_end_mark_is_none(tmp_path: Path) -> None:
    out = io.BytesIO()
    table = pa.table(
        {"conversation_id": ["c"], "role": ["user"], "content": ["a"], "n": pa.array([-1], pa.int32())}
    )
    with pa.ipc.new_stream(out, table.schema) as writer:
        writer.write_table(table)
        cut = out.getvalue()
    assert cut.endswith(b"\xff\xff\xff\xff\0\0\0\0")
    _, dead = both(write(tmp_path, "cut.arrow", cut), "canonical")
    assert len(dead) == 1


def _schema_bytes(schema: pa.Schema) -> int:
    empty = io.BytesIO()
    with pa.ipc.new_stream(empty, schema):
        pass
    return len(empty.getvalue()) - 8


def test_canonical_text_that_is_not_utf8_costs_its_row(tmp_path: Path) -> None:
    path = write(tmp_path, "t.arrow", samples.arrow().replace(b"Hi", b"\xff\xff"))
    good, (dead,) = both(path)
    assert [message.content for message in good] == [""]
    assert (dead.place, dead.conversation_id) == ("row 1", "p1")


# ------------------------------------------------------------------------------- broken documents


@pytest.mark.parametrize("cut", [0.5, 0.8, 0.95, 0.99])
@pytest.mark.parametrize("format", ["beam", "locomo", "longmemeval", "sharegpt", "chatgpt", "claude"])
def test_a_document_cut_short_keeps_what_came_before(format: str, cut: float, tmp_path: Path) -> None:
    sample = next(sample for sample in samples.SAMPLES if sample.format == format)
    whole = sample.make()
    good, bad = both(write(tmp_path, "chat.json", whole[: int(len(whole) * cut)]), format)
    assert len(bad) == 1
    found = [message.content for message in good]
    assert found == [content for content in sample.contents if content in found]


def test_a_cut_in_the_last_turn_loses_only_that_turn(tmp_path: Path) -> None:
    whole = json.dumps([{"turns": [[{"role": "user", "content": f"{n}"}] for n in range(50)]}]).encode()
    good, (dead,) = both(write(tmp_path, "chat.json", whole[: whole.index(b'"48"') + 2]), "beam")
    assert [message.content for message in good] == [str(n) for n in range(48)]
    assert (dead.place, dead.raw) == ("record 1", b"")


def test_a_broken_record_does_not_take_the_next(tmp_path: Path) -> None:
    batch = json.dumps({"turns": [[{"role": "user", "content": "x"}]]})
    path = write(tmp_path, "chat.json", f"[{batch}, {{'turns': []}}, , {batch},]".encode())
    good, bad = both(path, "beam")
    assert [message.content for message in good] == ["x", "x"]
    assert [letter.place for letter in bad] == ["record 2", "record 3", "record 5"]


@pytest.mark.parametrize("name", ["gpt.zip", "claude.zip"])
def test_a_zip_cut_short_is_a_dead_letter(name: str, tmp_path: Path) -> None:
    sample = next(sample for sample in samples.SAMPLES if sample.file == name)
    path = write(tmp_path, name, sample.make()[:-30])
    good, (dead,) = both(path, sample.format)
    assert good == []
    assert (dead.file, dead.raw) == (name, b"")  # the bytes of conversations that nobody can name


def test_a_zip_that_unpacks_without_end_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memfold.ingest.stream.LIMIT", 100_000)
    path = write(tmp_path, "bomb.zip", samples.zipped(conversations=b" " * 50_000_000))
    _, bad = both(path, "chatgpt")
    assert "unpacks to more than" in bad[-1].reason


@pytest.mark.parametrize("name", ["big.json", "big.jsonl", "big.zip"])
def test_memory_does_not_grow_with_the_file(name: str, tmp_path: Path) -> None:
    record = {"uuid": "u", "chat_messages": [{"sender": "human", "text": "x" * 2_000}]}
    rows = [json.dumps(record).encode()] * 10_000
    data = b"\n".join(rows) if name.endswith("l") else b"[" + b",\n".join(rows) + b"]"
    path = write(tmp_path, name, samples.zipped(conversations=data) if name.endswith("zip") else data)
    size = len(data)
    del data, rows
    tracemalloc.start()
    try:
        count = sum(1 for _ in read(path, "claude"))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert count == 10_000
    assert peak < size / 3


# ----------------------------------------------------------------------------------- paths, errors


def test_files_are_read_in_natural_order_and_named_relative_to_the_path(tmp_path: Path) -> None:
    for name in ("b/10.jsonl", "b/9.jsonl", "a.jsonl"):
        write(tmp_path, name, samples.dumped({**LINE, "content": name}) + b"\nbroken")
    good, bad = both(tmp_path)
    assert [message.content for message in good] == ["a.jsonl", "b/9.jsonl", "b/10.jsonl"]
    assert [letter.file for letter in bad] == ["a.jsonl", "b/9.jsonl", "b/10.jsonl"]
    assert [file.name for file in source_files(tmp_path)] == ["a.jsonl", "9.jsonl", "10.jsonl"]


def test_a_file_of_no_known_format_in_a_folder_is_a_dead_letter(tmp_path: Path) -> None:
    write(tmp_path, "m.jsonl", LINE)
    write(tmp_path, "other.json", {"recipes": []})
    write(tmp_path, "none.json", b"")
    write(tmp_path, "readme.md", b"# not ours")
    write(tmp_path, ".hidden/m.jsonl", b"broken")
    write(tmp_path, "unpacked/conversations.json", samples.CLAUDE)
    write(tmp_path, "unpacked/users.json", [{"uuid": "u"}])
    write(tmp_path, "users.json", [{"uuid": "u"}])
    good, bad = both(tmp_path)
    assert len(good) == 3
    assert [(letter.file, letter.reason) for letter in bad] == [
        ("none.json", "empty"),
        ("other.json", "not a format memfold reads"),
        ("readme.md", "not a format memfold reads"),
        ("users.json", "not a format memfold reads"),
    ]


def test_errors_are_raised_at_the_call_and_say_the_cure(tmp_path: Path) -> None:
    path = write(tmp_path, "m.jsonl", LINE)
    with pytest.raises(UserError, match=r"^source\.format=beem: .*: give one of beam, locomo, .*canonical"):
        read(path, "beem")
    with pytest.raises(UserError, match=r"^source\.path=.*gone: does not exist"):
        read(tmp_path / "gone")
    with pytest.raises(
        UserError, match=r"^source\.path=.*x\.json: .*not a format memfold reads.*source\.format=…"
    ):
        read(write(tmp_path, "x.json", {"recipes": []}))
    (tmp_path / "cut.jsonl.gz").write_bytes(b"\x1f\x8b broken")
    with pytest.raises(
        UserError, match=r"^source\.path=.*cut\.jsonl\.gz: cannot be read: .*give the file whole"
    ):
        read(tmp_path / "cut.jsonl.gz")
    (tmp_path / "empty").mkdir()
    with pytest.raises(UserError, match=r"no readable conversations in .*empty"):
        read(tmp_path / "empty")
    write(tmp_path, "questions/probing_questions.json", {"abstention": []})
    with pytest.raises(UserError, match=r"no readable conversations"):
        read(tmp_path / "questions", "beam")
