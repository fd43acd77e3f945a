"""Law: whatever the bytes, a reader ends, raises nothing but UserError, and loses no record without a word.

`MEMFOLD_FUZZ` is the number of inputs over all tests here.
"""

from __future__ import annotations

import io
import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memfold.errors import UserError
from memfold.ingest import records
from memfold.ingest.read import FORMATS, read
from memfold.schema import ROLES, DeadLetter, Item, Message, Notice, Title
from support import ingest_samples as samples

FUZZ = int(os.environ.get("MEMFOLD_FUZZ", "300"))
# Shares of the four tests: mutated bytes, JSON of any shape, lines counted, elements counted.
SHARES = {"mutated": 0.4, "shaped": 0.3, "lines": 0.2, "elements": 0.1}


def some(share: str) -> settings:
    return settings(
        max_examples=max(10, round(FUZZ * SHARES[share])),
        deadline=None,
        database=None,
        suppress_health_check=[
            HealthCheck.function_scoped_fixture,
            HealthCheck.too_slow,
            HealthCheck.data_too_large,
        ],
    )


def checked(path: Path, format: str | None) -> list[Item]:
    """All that is read, each of it fit to be stored."""
    try:
        found = list(read(path, format))
    except UserError:
        return []
    for item in found:
        if isinstance(item, DeadLetter):
            assert item.reason
            assert item.place
            assert len(item.raw) <= 4096
            words = [item.file, item.place, item.reason, item.conversation_id or ""]
        elif isinstance(item, Title):
            words = [item.conversation_id, item.text]
        elif isinstance(item, Message):
            assert item.conversation_id
            assert item.role in ROLES
            assert item.time is None or item.time.utcoffset() is not None
            extra = (item.message_id, item.session, item.speaker, *item.attachments)
            words = [item.conversation_id, item.content, *(word or "" for word in extra)]
        else:
            words = [item.text]
        pa.array(words, pa.string())
    return found


EDITS = st.one_of(
    st.binary(max_size=6),
    st.sampled_from(
        [
            b"\xef\xbb\xbf",
            b"\x00",
            b"\\ud800",
            b"\xff\xfe",
            b'"',
            b"\\",
            b"{",
            b"}",
            b"[",
            b"]",
            b",",
            b"\n",
            b"null",
            b"[" * 3000,
            b'{"a":' * 3000,
            b"1e999999",
            b"9" * 6000,
            b"NaN",
            b'"turns":',
            b'"\\u0000"',
        ]
    ),
)


@st.composite
def mutated(draw: st.DrawFn) -> tuple[samples.Sample, bytes]:
    """A valid sample with pieces cut out, doubled or put in, and perhaps its end missing."""
    sample = draw(st.sampled_from(samples.SAMPLES))
    data = sample.make()
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(data)))
        until = min(len(data), at + draw(st.sampled_from([0, 0, 1, 2, 8, 64])))
        data = data[:at] + draw(EDITS) + data[until:]
    if draw(st.booleans()):
        data = data[: draw(st.integers(0, len(data)))]
    return sample, data


@some("mutated")
@given(mutated(), st.booleans())
def test_mutated_bytes(tmp_path: Path, made: tuple[samples.Sample, bytes], named: bool) -> None:
    sample, data = made
    path = tmp_path / sample.file
    path.write_bytes(data)
    found = checked(path, sample.format if named else None)
    if named and data.strip(b"\xef\xbb\xbf \n\r\t"):
        assert found or data in (b"[]", b"{}")


ODD_TEXT = st.one_of(
    st.text(st.characters(codec=None), max_size=8),
    st.sampled_from(
        ["", "\x00", "\ud800", "user", "assistant", "->-> 1,1", "x" * 5000, "March-15-2024", "2024-01-01"]
    ),
)
WORDS = """
role content id turns time_anchor chat plan-0 plan-1 session_1 session_1_date_time conversation dia_id text speaker
blip_caption question_id haystack_sessions haystack_dates haystack_session_ids conversation_id messages created_at
tool_calls conversations from value mapping current_node parent children message author parts content_type metadata
attachments uuid chat_messages sender files type name sessionId isSidechain agentId timestamp attachment payload summary
data kwargs lc additional_kwargs thread_id
"""
KEYS = st.sampled_from(WORDS.split())
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), ODD_TEXT, st.integers(10**30, 10**31)
)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS | ODD_TEXT, inner, max_size=6),
    max_leaves=25,
)


@st.composite
def bent(draw: st.DrawFn) -> tuple[str, Any]:
    """A valid sample's data with values anywhere in it replaced, or any JSON at all."""
    format, data = draw(
        st.sampled_from(
            [
                ("beam", samples.BEAM),
                ("locomo", samples.LOCOMO),
                ("longmemeval", samples.LONGMEMEVAL),
                ("openai", samples.OPENAI),
                ("sharegpt", samples.SHAREGPT),
                ("chatgpt", samples.CHATGPT),
                ("claude", samples.CLAUDE),
                ("claude_code", samples.CLAUDE_CODE),
                ("codex", samples.CODEX),
                ("langchain", samples.LANGCHAIN),
            ]
        )
    )
    data = json.loads(json.dumps(data))
    for _ in range(draw(st.integers(0, 3))):
        spot = data
        while isinstance(spot, (dict, list)) and spot:
            key = draw(st.sampled_from(sorted(spot) if isinstance(spot, dict) else range(len(spot))))
            if not isinstance(spot[key], (dict, list)) or draw(st.integers(0, 4)) == 0:
                if isinstance(spot, dict) and draw(st.booleans()):
                    del spot[key]
                else:
                    spot[key] = draw(JSON)
                break
            spot = spot[key]
    return format, draw(st.sampled_from([data, data, data, draw(JSON)]))


@some("shaped")
@given(bent(), st.booleans())
def test_wrong_types_and_missing_pieces(tmp_path: Path, made: tuple[str, Any], named: bool) -> None:
    format, data = made
    path = tmp_path / "chat.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    found = checked(path, format if named else None)
    if named and data != []:
        assert found


LINES = st.one_of(
    st.fixed_dictionaries(
        {},
        optional={
            "conversation_id": st.sampled_from(["c", "c", "d", "", 7]) | SCALARS,
            "role": st.sampled_from([*ROLES, "human"]) | SCALARS,
            "content": ODD_TEXT | JSON,
            "id": st.sampled_from(["1", "1", None]) | SCALARS,
            "created_at": st.sampled_from(["2024-01-01", 1.7e9]) | SCALARS,
        },
    ).map(lambda line: json.dumps(line).encode()),
    JSON.map(lambda line: json.dumps(line).encode()),
    st.binary(max_size=20).map(lambda line: line.replace(b"\n", b" ")),
    st.sampled_from([b"[" * 50_000, b'{"a":' * 50_000, b'{"content": "' + b"x" * 200_000]),
)


@some("lines")
@given(st.lists(LINES, min_size=1, max_size=12))
def test_every_line_is_a_message_or_a_dead_letter(tmp_path: Path, rows: list[bytes]) -> None:
    first = samples.dumped(samples.OPENAI[0])
    path = tmp_path / "m.jsonl"
    path.write_bytes(b"\n".join([first, *rows]))
    items = checked(path, "openai")
    expected = 0
    for row in rows:
        if row.strip():
            try:
                data = json.loads(row.decode("utf-8", "surrogateescape"))
            except (ValueError, RecursionError):
                data = None
            many = data["messages"] if isinstance(data, dict) and "messages" in data else None
            expected += len(many) if isinstance(many, list) and many else 1
    assert len(items) >= 1 + expected
    places = Counter(item.place for item in items if isinstance(item, DeadLetter))
    assert max(places.values(), default=0) <= 1


@some("elements")
@given(st.lists(JSON, max_size=6), st.integers(1, 70), st.integers(0, 3))
def test_elements_are_cut_as_json_reads_them(rows: list[Any], chunk: int, indent: int) -> None:
    data = json.dumps(rows, indent=indent or None).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(records, "CHUNK", chunk)
        found = list(records.records(io.BufferedReader(io.BytesIO(data))))
    assert [json.dumps(json.loads(record.raw)) for record in found] == [json.dumps(row) for row in rows]
    assert all(record.fault is None for record in found)


@pytest.mark.parametrize("format", sorted(set(FORMATS) - {"canonical"}))
def test_a_hundred_megabyte_line(format: str, tmp_path: Path) -> None:
    path = tmp_path / "huge.jsonl"
    with path.open("wb") as out:
        out.write(b'{"content": "')
        for _ in range(100):
            out.write(b"x" * (1 << 20))
        out.write(b'"}\n' + samples.dumped(samples.OPENAI[0]))
    found = [item for item in checked(path, format) if not isinstance(item, Notice)]
    assert isinstance(found[0], DeadLetter)
    assert found[0].place == "line 1"
    assert len(found) == 2
