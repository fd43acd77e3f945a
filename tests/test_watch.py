"""What a long job shows of itself: a bar on a terminal, lines elsewhere, and the same counts in its JSON."""

from __future__ import annotations

import os
import pty
import re
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from memfold import watch
from memfold.ingest.rejecting import kind_of
from memfold.run.index import index
from memfold.schema import DeadLetter, Notice
from memfold.watch import Report
from support.given import chat, job


def advanced(report: Report) -> None:
    """A job of four messages, half done: two rejected, one that the rules did instead, a model paid for."""
    report.stage("indexing", 4)
    report.dead["not JSON"] += 2
    report.fallback += 1
    report.spent["worker"] = (12_345, 0.5)
    report.reasons["worker"] = Counter({"it was not JSON": 1})
    report.advance(2)


def test_where_there_is_no_terminal_lines_say_it_all(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "SECONDS_A_LINE", 0.0)
    now = iter([100.0, 110.0, 130.0])
    monkeypatch.setattr(watch.time, "monotonic", lambda: next(now))
    report = Report(shown=True)
    advanced(report)
    instead = "1 exchanges by the rules instead (1 × it was not JSON)"
    notes = f"; 2 dead letters (2 × not JSON); {instead}; 12,345 tokens, $0.50"
    report.close()
    assert report.told()["fallback_reasons"] == {"it was not JSON": 1}
    out, err = capsys.readouterr()
    assert out == ""  # a job's JSON stands alone there
    assert err.splitlines() == [
        "indexing of 4 messages",
        f"indexing: 2 of 4 messages, 0 per s, 0:00:10 left{notes}",
        f"indexing: 2 of 4 messages, 0 per s, 0:00:30 left, 30.0 s{notes}",
    ]


def test_lines_are_seldom(capsys: pytest.CaptureFixture[str]) -> None:
    report = Report(shown=True)
    report.stage("reading")
    for _ in range(1_000):
        report.advance()
    report.close()
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "reading"
    assert said[1].startswith("reading: 1,000 messages, ")
    assert len(said) == 2


def on_a_terminal(monkeypatch: pytest.MonkeyPatch, more: Callable[[Report], object]) -> str:
    """What a terminal shows of half a job and `more`, without its control sequences."""
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        monkeypatch.setenv("TERM", "xterm")
        monkeypatch.setenv("COLUMNS", "200")
        report = Report(shown=True)
        advanced(report)
        more(report)
        report.close()
    shown = b""
    with suppress(OSError):  # the other end is closed
        while part := os.read(ours, 1 << 16):
            shown += part
    os.close(ours)
    assert b"\x1b[" in shown  # drawn over, line for line
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode())


def test_on_a_terminal_there_is_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    bar = on_a_terminal(monkeypatch, lambda report: None)
    assert "━" in bar
    instead = "1 exchanges by the rules instead (1 × it was not JSON)"
    notes = f"2 dead letters (2 × not JSON); {instead}; 12,345 tokens, $0.50"
    assert re.search(r"━ 2 of 4 messages, [\d,]+ per s, \S+ left; " + re.escape(notes), bar)


def test_what_is_already_stored_counts_towards_the_total(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    index(job(tmp_path, chat(4)), Report())
    report = Report(shown=True)
    index(job(tmp_path, chat(6)[4:]), report)
    report.close()
    assert "indexing: 12 of 12 messages" in capsys.readouterr().err


def test_nothing_is_shown_where_nobody_asked(capsys: pytest.CaptureFixture[str]) -> None:
    report = Report()
    advanced(report)
    report.close()
    assert capsys.readouterr() == ("", "")


def test_the_jobs_json_counts_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = [DeadLetter("f", f"line {n}", f"not JSON: at {n}", b"{") for n in range(3)]
    report = Report(shown=True)
    done = index(job(tmp_path, [*broken, DeadLetter("f", "line 9", "no role", b"x"), *chat(2)]), report)
    report.close()
    assert (done["messages"], done["dead_letters"]) == (4, 4)
    assert done["dead_letter_reasons"] == {"not JSON": 3, "no role": 1}
    err = capsys.readouterr().err
    assert "indexing of 4 messages" in err
    assert "4 dead letters (3 × not JSON, 1 × no role)" in err


def test_what_is_to_be_known_of_a_source_is_said_at_once_and_in_the_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = Report(shown=True)
    done = index(job(tmp_path, [*chat(1), Notice("a and [b] both hold c"), *chat(1, "d")]), report)
    report.close()
    assert done["notices"] == ["a and [b] both hold c"]
    said = capsys.readouterr().err.splitlines()
    assert said[:2] == ["reading", "a and [b] both hold c"]
    assert said[2].startswith("reading: 4 messages")


def test_on_a_terminal_it_stands_above_the_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = on_a_terminal(monkeypatch, lambda report: report.note("a and [b] both hold c"))
    assert "a and [b] both hold c\n" in shown.replace("\r", "")


def test_reasons_are_counted_without_what_differs_and_in_whole_words() -> None:
    assert kind_of("not JSON: Extra data at character 71") == "not JSON"
    stored = "a message with this id and other words is stored, and the source does not hold the whole conversation"
    assert kind_of(f"{stored}: index it whole to correct it") == stored
    long = kind_of(" ".join(["word"] * 40))
    assert len(long) <= 120
    assert long.endswith("word …")
