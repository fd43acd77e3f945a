"""What `jobs/list.py` prints: conversations, dead letters by reason, snapshots."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyarrow as pa
import pytest

import memfold
from memfold.run.letters import dead_letters
from memfold.run.letters import rows as letter_rows
from memfold.run.listing import listed
from memfold.schema import DEAD_LETTERS, DeadLetter, Title
from memfold.store.location import Location
from memfold.store.maintain import maintain
from memfold.store.tables import Keyed
from support.given import START, chat, indexed, said


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    """A titled conversation, one without title or times, and four dead letters for two reasons; then one more."""
    letters = [DeadLetter("f.jsonl", f"line {n}", f"not JSON: at {n}", b"{") for n in range(3)]
    letters.append(DeadLetter("g.json", "[0]", "no role", b"x"))
    indexed(tmp_path, [*letters, Title("trip-to-Lisbon", "Lisbon in May"), *chat(2, "trip-to-Lisbon")])
    indexed(tmp_path, [said("hello", of="untold")])
    return tmp_path


def test_conversations_have_titles_sizes_and_times(filled: Path) -> None:
    found = {row["conversation_id"]: row for row in listed(Location(str(filled)), "conversations")}
    trip, untold = found["trip-to-Lisbon"], found["untold"]
    assert list(trip) == [
        "conversation_id",
        "title",
        "messages",
        "exchanges",
        "tokens",
        "first_time",
        "last_time",
    ]
    assert (trip["title"], trip["messages"], trip["exchanges"]) == ("Lisbon in May", 4, 2)
    assert trip["tokens"] == sum(m.tokens for m in memfold.open(str(filled)).messages("trip-to-Lisbon")) > 0
    assert (trip["first_time"], trip["last_time"]) == (START, START + timedelta(minutes=21))
    assert (untold["title"], untold["messages"], untold["first_time"], untold["last_time"]) == (
        None,
        1,
        None,
        None,
    )


def test_dead_letters_are_counted_by_reason_with_an_example(filled: Path) -> None:
    rows = list(listed(Location(str(filled)), "letters"))
    assert [(row["reason"], row["count"]) for row in rows] == [("not JSON", 3), ("no role", 1)]
    assert rows[1]["example"] == {"file": "g.json", "place": "[0]", "reason": "no role"}


def test_letters_of_a_file_that_was_corrected_are_older_than_the_last_job(tmp_path: Path) -> None:
    bad, worse = (
        DeadLetter("f.jsonl", "line 1", "not JSON", b"{"),
        DeadLetter("g.json", "[0]", "not JSON", b"x"),
    )

    def listing() -> list[tuple[object, object, object]]:
        rows = list(listed(Location(str(tmp_path)), "letters"))
        return [(row["count"], row["example"]["file"], row["seen_at"]) for row in rows]  # type: ignore[index]

    indexed(tmp_path, [bad, worse, *chat(1)])
    ((count, _, first),) = listing()
    assert count == 2
    began = datetime.now(UTC)
    indexed(tmp_path, [worse, *chat(1)])
    (again, left) = listing()
    assert (left[0], left[1], left[2]) == (1, "f.jsonl", first)
    assert again[:2] == (1, "g.json")
    assert first < began <= again[2]  # type: ignore[operator]


def test_letters_of_an_older_store_are_listed_and_those_that_are_met_again_get_a_time(tmp_path: Path) -> None:
    location = Location(str(tmp_path))
    old = Keyed(location, "dead_letters", pa.schema(list(DEAD_LETTERS)[:-1]))
    letters = [DeadLetter("f.jsonl", f"line {n}", "not JSON", b"{") for n in range(2)]
    location.make()
    old.insert(letter_rows([(letter, 1) for letter in letters], START).select(old.schema.names))
    assert [(row["count"], row["seen_at"]) for row in listed(location, "letters")] == [(2, None)]
    assert dead_letters(location).count() == 2
    indexed(tmp_path, [letters[1], *chat(1)])
    newest, oldest = listed(location, "letters")
    assert (newest["count"], oldest["count"], oldest["seen_at"]) == (1, 1, None)
    assert newest["example"] == {"file": "f.jsonl", "place": "line 1", "reason": "not JSON"}
    assert newest["seen_at"] is not None


def test_snapshots_are_listed_with_what_they_hold(filled: Path) -> None:
    rows = list(listed(Location(str(filled)), "snapshots"))
    assert [row["number"] for row in rows] == [1, 2]
    assert rows[-1]["content_hash"] == memfold.open(str(filled)).verify()
    assert [row["readable"] for row in rows] == [True, True]


def test_snapshots_that_are_given_up_are_said_to_be(tmp_path: Path) -> None:
    for exchanges in (1, 2):
        indexed(tmp_path, chat(exchanges))
    maintain(Location(str(tmp_path)), keep=1)
    listing = list(listed(Location(str(tmp_path)), "snapshots"))
    assert [(row["number"], row["readable"]) for row in listing] == [(1, False), (2, False), (3, True)]


def test_another_word_and_an_empty_store_are_said(filled: Path, tmp_path: Path) -> None:
    with pytest.raises(memfold.UserError, match="what=letter is unknown: use one of conversations, letters"):
        list(listed(Location(str(filled)), "letter"))
    for what in ("conversations", "letters", "snapshots"):
        with pytest.raises(memfold.UserError, match=r"nothing is sealed under .*none"):
            list(listed(Location(str(tmp_path / "none")), what))
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("typed", ["trip-to-lisbon", "trip-to-Lisbn", "Lisbon"])
def test_an_unknown_id_names_near_ones(filled: Path, typed: str) -> None:
    with pytest.raises(memfold.UserError, match="trip-to-Lisbon"):
        memfold.open(str(filled)).ask(typed, "Where to?")
