"""What the state and the session that is going on put on a page, and in which order: as a user indexes and asks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import memfold
from memfold.context.assemble import Packing
from memfold.context.sections.recent import Recent
from memfold.context.sections.state import StateOfThings
from memfold.context.types import Piece
from memfold.schema import Message
from support.given import indexed

START = datetime(2025, 3, 3, 9, tzinfo=UTC)
SETTLED = [
    "We decided to use birch for the shelf.",
    "We decided to hang the shelf above the desk in the study.",
    "We decided to paint the kitchen wall green.",
]


def talk() -> list[Message]:
    """Three days, a decision on each, and much else."""
    said: list[Message] = []
    for day, decided in enumerate(SETTLED):
        for n, text in enumerate([f"Day {day} began with rain.", decided, f"Thanks, that was day {day}."]):
            time = START + timedelta(days=day, minutes=n)
            said.append(Message("c", "user", text, f"u{day}{n}", time))
            said.append(Message("c", "assistant", "Noted.", f"a{day}{n}", time))
    return said


def pieces(
    root: Path, section: str, question: str, now: datetime | None = None, **changed: object
) -> list[Piece]:
    """What a section shows where some sections are other ones."""
    sections = {**Packing().sections, **changed}
    store = memfold.open(root, packing=Packing(sections=sections))  # type: ignore[arg-type]
    label = sections[section].label  # type: ignore[attr-defined]
    parts = store.context("c", question, now=now).parts
    return [piece for part in parts if part.label == label for piece in part.pieces]


def test_what_bears_most_on_the_question_is_the_entry_that_has_room(tmp_path: Path) -> None:
    indexed(tmp_path, talk())
    asked = "What did we decide on the shelf above the desk?"
    (one,) = pieces(tmp_path, "state", asked, state=StateOfThings(most=1))
    assert one.exchange_id == 4
    # Where both bear equally, the newer one.
    (one,) = pieces(tmp_path, "state", "What did we decide?", state=StateOfThings(most=1))
    assert one.exchange_id == 7


def test_the_points_of_the_session_are_those_of_the_exchanges_shown(tmp_path: Path) -> None:
    indexed(tmp_path, talk())
    now = START + timedelta(days=2, minutes=5)
    for exchanges, shown in ((2, [7]), (1, [])):
        recent = Recent(share=0.5, exchanges=exchanges)
        points = pieces(tmp_path, "recent", "What next?", now, recent=recent)
        assert [p.exchange_id for p in points if p.role not in ("user", "assistant")] == shown
