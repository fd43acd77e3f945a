"""What an engine wrote down is data: bounded, validated and cleaned before it is stored."""

from __future__ import annotations

from typing import Any, cast

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memfold.extract import contract
from memfold.extract.contract import bounded
from memfold.schema import NOTE_KINDS, ROLES, Extraction, Fact, Note, Role

anything = st.text(max_size=60) | st.text("ab \n\t\x00\u202e\ud800", max_size=30) | st.just("y" * 5_000)
notes = st.builds(
    Note,
    kind=st.sampled_from(NOTE_KINDS) | cast(Any, st.text(max_size=8)),
    text=anything,
    about=st.none() | anything,
    reason=st.none() | anything,
    date=st.none() | anything | st.dates().map(str),
    polarity=st.none() | st.floats(),
    said_by=st.none() | st.sampled_from(ROLES) | cast(Any, st.text(max_size=8)),
)
messages = st.lists(st.tuples(st.sampled_from(ROLES), anything), max_size=4)
extractions = st.builds(
    Extraction,
    summary=anything,
    facts=st.lists(st.builds(Fact, anything, anything), max_size=40).map(tuple),
    notes=st.lists(notes, max_size=40).map(tuple),
)


def one(note: Note) -> Note:
    (kept,) = bounded(Extraction("", (), (note,)), ()).notes
    return kept


@settings(deadline=None)
@given(extractions, messages)
def test_whatever_was_written_is_within_bounds_and_fits_a_table(
    extraction: Extraction, said: list[tuple[Role, str]]
) -> None:
    kept = bounded(extraction, said)
    assert len(kept.summary) <= contract.MAX_SUMMARY
    assert len(kept.facts) <= contract.MAX_FACTS
    assert len(kept.notes) <= contract.MAX_NOTES
    for fact in kept.facts:
        assert 0 < len(fact.key) <= contract.MAX_KEY
        assert 0 < len(fact.value) <= contract.MAX_VALUE
    for note in kept.notes:
        assert note.kind in NOTE_KINDS
        assert 0 < len(note.text) <= contract.MAX_TEXT
        assert len(note.about or "") <= contract.MAX_ABOUT
        assert len(note.reason or "") <= contract.MAX_REASON
        assert note.polarity is None or -1 <= note.polarity <= 1
        assert note.said_by is None or note.said_by in {role for role, _ in said}
    pa.array([kept.summary, *(n.text for n in kept.notes), *(f.value for f in kept.facts)], pa.string())


@settings(deadline=None)
@given(extractions, messages)
def test_what_is_within_bounds_is_left_alone(extraction: Extraction, said: list[tuple[Role, str]]) -> None:
    once = bounded(extraction, said)
    assert bounded(once, said) == once


def test_an_unknown_kind_or_an_empty_text_is_no_note() -> None:
    unknown = Note(cast(Any, "command"), "rm -rf")
    assert bounded(Extraction("", (), (unknown, Note("fact", " \t "))), ()).notes == ()


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("2026-04-02", "2026-04-02"),
        ("20260402", "2026-04-02"),
        ("2026-01-31T10:00:00Z", "2026-01-31"),
        ("2026-01-31T23:30:00-08:00", "2026-01-31"),
        ("2026-01-31 10:00", "2026-01-31"),
        ("2026-06", "2026-06"),
        ("2026", "2026"),
        (None, None),
        *(
            (unread, "")
            for unread in ("2026-02-30", "2026-13", "0000", "soon", "next Friday", "", " ", "202606")
        ),
        *(
            (unread, "")
            for unread in ("31/01/2026", "2026-01-31/2026-02-03", "2026-01-31T99:00", "2026-6", "二〇二六")
        ),
    ],
)
def test_a_date_is_an_iso_date_or_empty(written: str | None, kept: str | None) -> None:
    assert one(Note("event", "x", date=written)).date == kept


@pytest.mark.parametrize(
    ("written", "kept"), [(0.5, 0.5), (7.0, 1.0), (float("-inf"), -1.0), (float("nan"), None)]
)
def test_a_polarity_is_from_minus_one_to_one(written: float, kept: float | None) -> None:
    assert one(Note("sentiment", "x", polarity=written)).polarity == kept


def test_a_repeat_is_kept_once() -> None:
    fact, note = Fact("k", "v"), Note("fact", "x")
    kept = bounded(Extraction("s", (fact, fact), (note, note)), ())
    assert (kept.facts, kept.notes) == ((fact,), (note,))


def test_unseen_characters_go_and_newlines_stay() -> None:
    assert bounded(Extraction("a\x00b\u202ec\nd\ud800\te", (), ()), ()).summary == "abc\nd e"
