"""Times in all their forms, and parts of a message."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone, tzinfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memfold.ingest.normalise import carried, time_of
from memfold.ingest.parts import Rejected, content_of
from memfold.zones import UNNAMED


@pytest.mark.parametrize(
    ("given_as", "expected"),
    [
        ("2024-03-15", datetime(2024, 3, 15)),
        ("2024-03-15T10:20:30", datetime(2024, 3, 15, 10, 20, 30)),
        ("2024-03-15 10:20:30.5Z", datetime(2024, 3, 15, 10, 20, 30, 500_000)),
        ("2024-03-15T10:20:30+08:00", datetime(2024, 3, 15, 2, 20, 30)),
        (1710498030, datetime(2024, 3, 15, 10, 20, 30)),
        (1710498030000, datetime(2024, 3, 15, 10, 20, 30)),
        (1710498030000000, datetime(2024, 3, 15, 10, 20, 30)),
        ("1710498030.0", datetime(2024, 3, 15, 10, 20, 30)),
        ("1710498030000000000", datetime(2024, 3, 15, 10, 20, 30)),
        (date(2024, 3, 15), datetime(2024, 3, 15)),
        (20240131, datetime(2024, 1, 31)),
        (20240131.0, datetime(2024, 1, 31)),
        ("202401311205", datetime(2024, 1, 31, 12, 5)),
        (20240131120501, datetime(2024, 1, 31, 12, 5, 1)),
        ("1970-01-01T00:00:00Z", datetime(1970, 1, 1)),
        ("March-15-2024", datetime(2024, 3, 15)),
        ("1:56 pm on 8 May, 2023", datetime(2023, 5, 8, 13, 56)),
        ("12:09 am on 13 September, 2023", datetime(2023, 9, 13, 0, 9)),
        ("12:30 pm on 1 June, 2023", datetime(2023, 6, 1, 12, 30)),
        ("2023/05/20 (Sat) 02:21", datetime(2023, 5, 20, 2, 21)),
        (datetime(2024, 1, 1, tzinfo=timezone(timedelta(hours=-5))), datetime(2024, 1, 1, 5)),
    ],
)
def test_time_is_utc(given_as: object, expected: datetime) -> None:
    assert time_of(given_as) == expected.replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "zone"),
    [
        ("2024-03-15 22:20:00 UTC", UTC),
        ("2024-03-15 22:20:00.000000 UTC", UTC),
        ("2024-03-15 22:20 gmt", UTC),
        ("2024-03-15T22:20:00 UTC", UTC),
        ("2024-03-15 22:20:00 Z", UTC),
        ("2024-03-15 22:20:00 +0000", UTC),
        ("2024-03-15 22:20:00 +00:00", UTC),
        ("2024-03-15 22:20:00 +0000 UTC", UTC),
        ("2024-03-15 22:20:00 -0330", timezone(-timedelta(hours=3, minutes=30))),
        ("2024/03/15 22:20 UTC+8", timezone(timedelta(hours=8))),
        ("2024.3.15 22:20", UNNAMED),
        ("2024年3月15日 22:20", UNNAMED),
        ("2024-03-15, 10:20 PM", UNNAMED),
        ("Fri, 15 Mar 2024 22:20:00 +0000", UTC),
        ("15 Mar 2024 22:20:00 GMT", UTC),
        ("Fri Mar 15 22:20:00 2024", UNNAMED),
        ("Fri Mar 15 22:20:00 UTC 2024", UTC),
        ("Fri Mar 15 2024 22:20:00 GMT+0100 (Central European Standard Time)", timezone(timedelta(hours=1))),
        ("March 15, 2024 10:20 PM", UNNAMED),
        ("Mar 15, 2024, 10:20:00\u202fPM", UNNAMED),
        ("Friday, March 15th, 2024 at 10:20 p.m.", UNNAMED),
        ("10:20 pm 15 March 2024", UNNAMED),
        ("15-MAR-2024 22:20:00", UNNAMED),
    ],
)
def test_a_time_as_people_and_programs_write_it_has_the_zone_that_is_written(text: str, zone: tzinfo) -> None:
    found = time_of(text)
    assert found == datetime(2024, 3, 15, 22, 20, tzinfo=zone)
    assert (found.tzinfo is UNNAMED) == (zone is UNNAMED)
    assert found.utcoffset() == zone.utcoffset(None)


@pytest.mark.parametrize(
    ("text", "hour"), [("15 Mar 2024 12 am", 0), ("15 Mar 2024 12:00 PM", 12), ("Mar 15 2024", 0)]
)
def test_noon_and_midnight_by_a_clock_of_twelve_hours(text: str, hour: int) -> None:
    assert time_of(text) == datetime(2024, 3, 15, hour, tzinfo=UTC)


@pytest.mark.parametrize("absent", [None, "", 0, 0.0, "0001-01-01T00:00:00Z", datetime.min])
def test_no_time_is_none(absent: object) -> None:
    assert time_of(absent) is None


@pytest.mark.parametrize(
    "bad",
    [
        "soon",
        "Smarch-15-2024",
        "February-30-2024",
        20240230,
        "25:99 pm on 8 May, 2023",
        float("nan"),
        float("inf"),
        1e20,
        True,
        [],
        {},
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59-14:00",
        "９９９９９９９９９９",
        "03/04/2024 10:00",
        "15/03/2024 10:00",
        "15.03.2024 10:00",
        "03-15-2024",
        "2024/15/03",
        "15 Mar 24",
        "Mar 15",
        "10:20 PM",
        "yesterday at 10:20",
        "2024-03-15 10:20 CST",
        "2024-03-15 10:20 UTC or so",
        "15 Mar 2024 10:20 (PST)",
        "2024-03-15 10:20 (UTC+2)",
        "15 Mar 2024 10:20-11:20",
        "15. marraskuuta 2024",
        "2024-03-15 10:20:00 +99:00",
        "2024-03-15 25:00 UTC",
        "15 Mar 2024 13:00 PM",
        "Mar 15, 2024 10:00 Mar 16, 2024",
        "0001-01-01 00:00 +1400",
    ],
)
def test_an_unreadable_time_is_rejected_or_carried(bad: object) -> None:
    before = datetime(2024, 1, 1, tzinfo=UTC)
    with pytest.raises(Rejected):
        time_of(bad)
    assert carried(bad, before) == before


@given(
    st.datetimes(
        timezones=st.timezones() | st.none(), min_value=datetime(2, 1, 1), max_value=datetime(9998, 1, 1)
    )
)
def test_iso_times_come_back(time: datetime) -> None:
    found = time_of(time.isoformat())
    fixed = datetime.fromisoformat(time.isoformat())
    assert found == (fixed if fixed.tzinfo else fixed.replace(tzinfo=UTC))


@pytest.mark.parametrize("odd", [[], ["text"], {}, {"text": "text"}, 5, True])
def test_a_part_of_an_odd_type_is_named_and_the_others_stay(odd: object) -> None:
    text, others = content_of(["before", {"type": odd, "name": "part.bin"}, "after"])
    assert text == "before\nafter"
    assert [other.endswith("part.bin") for other in others] == [True]
    text, others = content_of(["before", {"type": odd, "text": "within", "name": "part.bin"}])
    assert text == "before"
    assert [other.endswith("part.bin within") for other in others] == [True]


@pytest.mark.parametrize(
    ("part", "text", "others"),
    [
        ({"type": "text", "text": {"value": "My PIN.", "annotations": []}}, "My PIN.", ()),
        ({"text": "My PIN."}, "My PIN.", ()),
        ({"block_type": "text", "text": "My PIN."}, "My PIN.", ()),
        # Who these are by, nobody knows.
        ({"type": "note", "text": "My PIN."}, "", ("note My PIN.",)),
        ({"type": "compaction", "content": "My PIN."}, "", ("compaction My PIN.",)),
        ({"type": "reasoning_text", "text": "My PIN."}, "", ("reasoning_text My PIN.",)),
        ({"block_type": "thinking", "text": "My PIN."}, "", ("attachment My PIN.",)),
        ({"text": "My PIN.", "thought": True}, "", ("attachment My PIN.",)),
        ({"type": "signature", "value": "My PIN."}, "", ("signature",)),
        ({"type": "voice_note", "transcript": "My PIN."}, "My PIN.", ()),
        ({"type": "input_audio", "transcript": "My PIN."}, "My PIN.", ("input_audio",)),
        (
            {"type": "input_audio", "input_audio": {"data": "AAAA", "transcript": "My PIN."}},
            "My PIN.",
            ("input_audio",),
        ),
        ({"type": "audio", "transcript": None}, "", ("audio",)),
        ({"type": "document", "name": "a.txt", "text": "My PIN."}, "", ("document a.txt My PIN.",)),
        ({"type": "image", "content": "iVBORw0KGgo" * 60}, "", ("image",)),
        ({"type": "tool_call", "name": "pin", "text": "My PIN."}, "", ('tool_call pin {"text": "My PIN."}',)),
        # What is attached, with its title and what its author says of it.
        (
            {
                "type": "document",
                "source": {"type": "text", "media_type": "text/plain", "data": "My PIN."},
                "title": "Notes",
                "context": "Of May.",
            },
            "",
            ("document Notes Of May. My PIN.",),
        ),
        (
            {
                "type": "document",
                "source": {"type": "content", "content": [{"type": "text", "text": word} for word in "ab"]},
            },
            "",
            ("document a\nb",),
        ),
        (
            {"type": "document", "source": {"type": "content", "content": "My PIN."}},
            "",
            ("document My PIN.",),
        ),
        (
            {
                "type": "search_result",
                "source": "http://s",
                "title": "T",
                "content": [{"type": "text", "text": "My PIN."}],
            },
            "",
            ("search_result http://s T My PIN.",),
        ),
        ({"type": "quote", "content": ["My", {"text": "PIN."}]}, "", ("quote My\nPIN.",)),
        ({"type": "quote", "quote": {"text": "My PIN."}}, "", ("quote My PIN.",)),
        ({"type": "quote", "text": "My PIN.", "content": "My PIN."}, "", ("quote My PIN.",)),
        ({"type": "resource", "resource": {"uri": "a", "text": "My PIN."}}, "", ("resource My PIN.",)),
        (
            {"type": "file", "mime_type": "text/x", "source": {"data": "ACGT" * 100}},
            "",
            ("file " + "ACGT" * 100,),
        ),
        # Bytes and addresses are no words.
        (
            {
                "type": "document",
                "title": "T",
                "source": {"type": "base64", "media_type": "text/x", "data": "AA=="},
            },
            "",
            ("document T",),
        ),
        ({"type": "file", "file": {"filename": "a", "data": "AAAA"}}, "", ("file a",)),
        ({"type": "image", "source": {"type": "url", "url": "http://x"}}, "", ("image",)),
    ],
)
def test_the_words_of_a_part_are_kept_wherever_they_stand(
    part: dict[str, object], text: str, others: tuple[str, ...]
) -> None:
    assert content_of([part]) == (text, others)


@pytest.mark.parametrize(
    ("part", "text"),
    [
        ({"type": "image", "source": {"type": "Buffer", "data": [137, 80, 78, 71]}}, "saved"),
        ({"type": "image", "data": [1, 2], "file_id": "f"}, "saved\n[1, 2]"),
        ({"type": "image", "data": [1, 2], "format": "png"}, "saved"),
        ({"type": "file", "file_id": "f1", "content": [1, 2]}, "saved\n[1, 2]"),
        ({"type": "knowledge", "stdout": [1.5]}, "saved\n[1.5]"),
    ],
)
def test_numbers_in_a_part_of_a_result_lose_none_of_its_words(part: dict[str, object], text: str) -> None:
    result = {"type": "tool_result", "content": [{"type": "text", "text": "saved"}, part]}
    assert content_of([result])[0] == text
