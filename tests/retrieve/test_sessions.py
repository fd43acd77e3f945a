"""Sessions by the source or by pauses, and what is recent of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memfold import UserError
from memfold.extract.windows import GAP
from memfold.retrieve.recent import newest
from memfold.retrieve.scratchpad import root_of
from memfold.retrieve.sessions import Session, Turns
from memfold.schema import EXTRACTIONS, StoredMessage
from support.retrieve_samples import conversation, message, stored, view

START = datetime(2024, 3, 1, 9, tzinfo=UTC)


def turns(hours: list[float | None], names: list[str | None] | None = None) -> Turns:
    """One message an exchange."""
    said = [
        replace(
            message(n, n, "user", "x", None if hour is None else START + timedelta(hours=hour)),
            session=names[n] if names else None,
        )
        for n, hour in enumerate(hours)
    ]
    return Turns.of(stored(said))


def bounds(found: list[Session]) -> list[tuple[int, int]]:
    return [(session.first, session.last) for session in found]


def test_a_pause_ends_a_session_and_an_afternoon_belongs_to_its_morning() -> None:
    assert bounds(turns([0, 0.1, 5, 12, 12.1]).sessions()) == [(0, 2), (3, 4)]
    assert bounds(turns([0, 0.1, 5, 12, 12.1]).sessions(timedelta(hours=4))) == [(0, 1), (2, 2), (3, 4)]
    assert bounds(turns([0, 6, 12.1]).sessions()) == [(0, 1), (2, 2)], "a pause of the gap itself ends none"


def test_the_source_s_sessions_go_before_pauses() -> None:
    assert bounds(turns([0, 100, 100.1], ["a", "a", "b"]).sessions()) == [(0, 1), (2, 2)]
    assert bounds(turns([0, 0.1, 100], ["a", None, None]).sessions()) == [(0, 0), (1, 1), (2, 2)]


def test_unknown_times_end_nothing_and_times_that_run_backwards_are_repaired() -> None:
    assert bounds(turns([None, None, None]).sessions()) == [(0, 2)]
    assert bounds(turns([0, None, 1, None, 20]).sessions()) == [(0, 3), (4, 4)]
    assert bounds(turns([5_000, 0, 1]).sessions()) == [(0, 2)]
    assert turns([]).sessions() == []


@settings(max_examples=60)
@given(
    hours=st.lists(st.none() | st.floats(0, 200), min_size=1, max_size=20),
    names=st.lists(st.none() | st.sampled_from("ab"), min_size=20, max_size=20),
)
def test_sessions_cover_every_exchange_once(hours: list[float | None], names: list[str | None]) -> None:
    found = turns(hours, names).sessions()
    assert [n for session in found for n in range(session.first, session.last + 1)] == list(range(len(hours)))
    for session, after in pairwise(found):
        if session.name is None and after.name is None and session.ended and after.began:
            assert after.began - session.ended > GAP


def test_a_session_is_idle_only_when_seen_from_a_time_long_after_it() -> None:
    (session,) = turns([0, 1]).sessions()
    assert session.ended is not None
    assert not session.idle(None)
    assert not session.idle(session.ended + timedelta(hours=23))
    assert session.idle(session.ended + timedelta(hours=24))
    assert not turns([None]).sessions()[0].idle(session.ended + timedelta(days=900))


def test_what_is_active_is_the_newest_session_that_began_by_then_and_no_more_of_it_than_was_said() -> None:
    said = [message(n, n, "user", "x", START + timedelta(hours=h)) for n, h in enumerate([0, 1, 2, 720, 721])]
    seen = view(said)

    def at(hours: float) -> tuple[int, int] | None:
        active = seen.active(START + timedelta(hours=hours))
        return active and (active.first, active.last)

    assert [at(h) for h in (-1, 0, 1.5, 2, 25.9, 26)] == [None, (0, 0), (0, 1), (0, 2), (0, 2), None]
    assert [at(h) for h in (719, 720, 730, 745)] == [None, (3, 3), (3, 4), None]
    active = seen.active(None)
    assert active is not None
    assert (active.first, active.last) == (3, 4)
    early = seen.active(START + timedelta(hours=1.5))
    assert early is not None
    assert early.ended == START + timedelta(hours=1), "idle counts from the last message said by then"


def test_unknown_times_leave_a_session_active() -> None:
    said = [message(n, n, "user", "x", None) for n in range(3)]
    active = view(said).active(START)
    assert active is not None
    assert (active.first, active.last) == (0, 2)


def test_the_newest_exchanges_are_of_the_session_alone() -> None:
    session = Session(3, 9, None, None, None)
    assert newest(session, range(12), 5) == [5, 6, 7, 8, 9]
    assert newest(session, range(12), 50) == list(range(3, 10))
    assert newest(session, range(12), 0) == []


def test_a_speaker_s_view_is_without_what_others_said() -> None:
    said: list[StoredMessage] = []
    for n, who in enumerate(["Ann", "Bob", None, "Ann"]):
        user, assistant = conversation([f"it is number {n}"])
        said += [
            replace(user, seq=2 * n, exchange_id=n, speaker=who, message_id=f"u{n}"),
            replace(assistant, seq=2 * n + 1, exchange_id=n, speaker="Bot", message_id=f"a{n}"),
        ]
    whole = view(said)
    assert whole.of("Ann").episodes.exchange_id.tolist() == [0, 2, 3]
    assert whole.of("Bob").episodes.exchange_id.tolist() == [1, 2]
    assert root_of(whole.of("Bob")) is None
    # What a model wrote of an exchange it wrote with those before in sight.
    told = replace(whole, extracted=lambda table: EXTRACTIONS.empty_table())
    assert told.of("Bob").extracted("extractions") is None
    assert [session.last for session in whole.of("Bob").sessions] == [2]
    for stranger in ("Eve", "Bot"):
        with pytest.raises(UserError, match="users are Ann, Bob"):
            whole.of(stranger)
