"""The day on which a thing was said is told by the clock of who said it, from the source to the answer."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pyarrow as pa
import pytest

import memfold
from memfold.ingest.folding import Folding
from memfold.ingest.lake import Lake, batches, of_line
from memfold.ingest.source import Files
from memfold.ingest.staged import STAGED
from memfold.schema import Message
from memfold.zones import zone
from support.given import indexed, job, run, shown

SHANGHAI, PACIFIC = timezone(timedelta(hours=8)), timezone(-timedelta(hours=7))
# In UTC the morning in Shanghai is the day before, and the evening in California the day after.
SAID = {
    SHANGHAI: datetime(2025, 5, 18, 6, 40, tzinfo=SHANGHAI),
    PACIFIC: datetime(2025, 5, 18, 20, tzinfo=PACIFIC),
}
WORDS = "I went to the hospital today, and tomorrow I see the dentist. I am 41 years old."


def talk(time: datetime) -> list[Message]:
    return [
        Message("c", "user", WORDS, "0", time),
        Message("c", "assistant", "Get well soon.", "1", time + timedelta(minutes=1)),
        Message("c", "user", "We decided to sell the boat.", "2", time + timedelta(days=2)),
    ]


@pytest.mark.parametrize("clock", SAID)
def test_every_layer_tells_the_day_by_it(tmp_path: Path, clock: timezone) -> None:
    time = SAID[clock]
    assert time.astimezone(UTC).date() != date(2025, 5, 18)
    indexed(tmp_path, talk(time))
    assert shown(tmp_path, "timeline")["first"].to_pylist() == [date(2025, 5, 18), date(2025, 5, 19)]
    store = memfold.open(str(tmp_path))
    assert next(m.time and m.time.isoformat() for m in store.messages("c")) == time.isoformat()
    context = store.context("c", "How old am I, and when was I at the hospital?", 700).text
    assert "2025-05-18\n[0]" in context
    assert "2025-05-20" in store.state("c").text
    assert "2025-05-17" not in context
    assert "tomorrow [2025-05-19]" in store.ask("c", "When do I see the dentist?").text


def yesterday(root: Path, now: str | date | datetime) -> list[int]:
    found = memfold.open(str(root)).search("c", "What did I say yesterday?", now=now)
    return [hit.exchange_id for hit in found]


@pytest.mark.parametrize("clock", SAID)
@pytest.mark.parametrize("remembered", [False, True])
def test_today_is_told_by_the_clock_of_who_asks(tmp_path: Path, clock: timezone, remembered: bool) -> None:
    """Programs write the time of a question in UTC: then the clock of what was said last is meant. A date is that day
    there. A fact that a program files, in UTC too, has no clock of its own."""
    indexed(tmp_path, talk(SAID[clock]))
    if remembered:
        memfold.open(str(tmp_path)).add_memory("c", "The boat is sold.", by="test")
    now = SAID[clock] + timedelta(days=1)
    for asked in (now, now.isoformat(), now.astimezone(UTC).isoformat(), now.date(), now.date().isoformat()):
        assert yesterday(tmp_path, asked) == [0], asked


@pytest.mark.parametrize("clock", SAID)
def test_what_is_remembered_has_the_clock_of_what_was_said(tmp_path: Path, clock: timezone) -> None:
    indexed(tmp_path, talk(SAID[clock]))
    store = memfold.open(str(tmp_path))
    store.add_memory("c", "The boat is sold.", by="test")
    *_, filed = memfold.open(str(tmp_path)).messages("c")
    assert filed.time
    assert filed.time.utcoffset() == SAID[clock].utcoffset()


def test_a_span_ends_on_the_day_there(tmp_path: Path) -> None:
    began = datetime(2025, 3, 6, 6, 40, tzinfo=SHANGHAI)
    texts = {
        "试营业开始了！来了不少客人。": began,
        "开业成功，忙到半夜。": began + timedelta(days=4, hours=3),
    }
    indexed(
        tmp_path, [Message("c", "user", text, str(n), time) for n, (text, time) in enumerate(texts.items())]
    )
    asked = "试营业开始到正式开业成功隔了几天？"
    assert "4天" in memfold.open(str(tmp_path)).ask("c", asked).text


def test_the_same_time_by_another_clock_is_no_other_message(tmp_path: Path) -> None:
    said = talk(SAID[SHANGHAI])
    first = indexed(tmp_path, said)
    in_utc = [replace(each, time=each.time and each.time.astimezone(UTC)) for each in said]
    more = Message("c", "user", "And the car.", "3", SAID[SHANGHAI] + timedelta(days=3))
    # A part of the conversation cannot correct it, so what it repeats must be the same.
    part = run(job(tmp_path, [*in_utc[1:], more]))
    assert (part["dead_letters"], part["exchanges"]) == (0, first["exchanges"] + 1)  # type: ignore[operator]
    assert shown(tmp_path, "timeline")["first"].to_pylist() == [date(2025, 5, 18), date(2025, 5, 19)]
    # The whole conversation is taken as the source tells it, by its clock.
    whole = run(job(tmp_path, [*in_utc, more]))
    assert whole["dead_letters"] == 0
    assert shown(tmp_path, "timeline")["first"].to_pylist() == [date(2025, 5, 17), date(2025, 5, 18)]


TIMES = [
    ("2025-05-17T22:40:00Z", "2025-05-18T06:40:00+08:00"),  # the zone of a server
    (1747521600.0, "2025-05-18T06:40:00+08:00"),  # seconds know no zone
    ("2025-05-18 06:40", "2025-05-18T06:40:00+08:00"),  # read off a clock there
    ("2025-05-18T00:40:00+02:00", "2025-05-18T06:40:00+08:00"),
]


@pytest.mark.parametrize(("time", "expected"), TIMES)
@pytest.mark.parametrize("into", [None, "all"])
def test_a_source_can_name_the_clock(tmp_path: Path, time: object, expected: str, into: str | None) -> None:
    row = {"conversation_id": "c", "role": "user", "content": WORDS, "time": time}
    (tmp_path / "one.jsonl").write_text(json.dumps(row))
    (read,) = [
        item
        for item in Files(str(tmp_path), into=into, zone="Asia/Shanghai").messages()
        if isinstance(item, Message)
    ]
    assert read.time
    assert read.time.isoformat() == expected


@pytest.mark.parametrize(("time", "expected"), TIMES)
def test_what_spark_hands_on_keeps_the_clock(time: object, expected: str) -> None:
    lake = Lake("lake", "jsonl", zone="Asia/Shanghai")
    row = {"conversation_id": "c", "role": "user", "content": WORDS, "time": time, "seq": 0}
    flowing = batches(of_line(json.dumps(row).encode(), None, lake), zone(lake.zone))
    rows = pa.Table.from_batches(list(Folding().over(flowing)), schema=STAGED).to_pylist()
    (read,) = map(Message.of, rows)
    assert read.time
    assert read.time.isoformat() == expected
