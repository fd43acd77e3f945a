"""Sessions: stretches of a conversation that were talked through at one go. Pure functions over who spoke when.

A session ends where the source says so, and where it names none, at a pause of more than `GAP`: a question of the
afternoon belongs to the talk of the morning (decision 23). A session in which nothing was said for `IDLE` is no longer
active: it is reached by search, and no longer stands in a context by itself. What time it is "now" whoever asks says;
otherwise it is the moment the conversation ended.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from memfold.extract.windows import GAP
from memfold.layers.times import in_order, times_of, to_datetime, to_numpy
from memfold.once import kept
from memfold.schema import MEMORY, USERS

IDLE = timedelta(hours=24)
# Stands for a time that is not known, in microseconds since 1970.
NEVER = np.iinfo(np.int64).min


@dataclass(frozen=True, slots=True)
class Session:
    """Exchanges `first` to `last`, by their numbers. `name` is the source's, `began` and `ended` the times of the first
    and the last message that has one; None where unknown."""

    first: int
    last: int
    name: str | None
    began: datetime | None
    ended: datetime | None

    def idle(self, now: datetime | None, idle: timedelta = IDLE) -> bool:
        """Whether nothing was said in it for so long, seen from `now`; never where a time is not known."""
        return now is not None and self.ended is not None and now - self.ended >= idle

    def holds(self, exchange_id: int) -> bool:
        """Whether an exchange belongs to the session."""
        return self.first <= exchange_id <= self.last


@dataclass(frozen=True, eq=False)
class Turns:
    """Who spoke when: parallel, one a message that is shown, in order. `role`, `session` and `speaker` are Arrow
    columns; `time` is datetime64[us] in UTC, NaT where unknown."""

    seq: NDArray[np.int64]
    exchange_id: NDArray[np.int64]
    time: NDArray[np.datetime64]
    role: pa.Array
    session: pa.Array
    speaker: pa.Array

    @staticmethod
    def of(rows: pa.Table) -> Turns:
        """From the columns seq, exchange_id, role, time, session and speaker of messages, in order."""
        rows = rows.combine_chunks()
        return Turns(
            rows["seq"].to_numpy(),
            rows["exchange_id"].to_numpy(),
            times_of(rows["time"]),
            *(rows[name].combine_chunks() for name in ("role", "session", "speaker")),
        )

    @kept
    def said(self) -> NDArray[np.datetime64]:
        """When each was said, `in_order`."""
        return in_order(self.time)

    def began(self, exchanges: NDArray[np.int64]) -> NDArray[np.datetime64]:
        """The first known time of each given exchange, (n,); NaT where an exchange has none."""
        known = np.flatnonzero(~np.isnat(self.said))
        held, first = np.unique(self.exchange_id[known], return_index=True)
        found = np.full(len(exchanges), np.datetime64("NaT", "us"))
        there = np.isin(exchanges, held)
        found[there] = self.said[known[first[np.searchsorted(held, exchanges[there])]]]
        return found

    def by(self, role: str) -> NDArray[np.int64]:
        """The exchanges of the messages of a role, in order; one of several such messages stands there as often."""
        said = pc.equal(self.role, role).to_numpy(zero_copy_only=False)
        return self.exchange_id[np.flatnonzero(said)]

    def sessions(self, gap: timedelta = GAP) -> list[Session]:
        """The sessions, in order; an exchange belongs to the one in which it begins. A memory that a program filed is
        no talk: it begins no session and keeps none going."""
        filed = pc.equal(self.role, MEMORY).to_numpy(zero_copy_only=False)
        if filed.any():
            return self._only(np.flatnonzero(~filed)).sessions(gap)
        if not len(self.exchange_id):
            return []
        first = np.flatnonzero(np.r_[True, self.exchange_id[1:] != self.exchange_id[:-1]])
        names = np.asarray(self.session.take(pa.array(first)).to_pylist(), object)
        # The latest time so far: a message without one ends no session.
        time = self.said
        stamps = np.where(np.isnat(time), NEVER, time.astype(np.int64))
        until, then = np.maximum.accumulate(stamps)[first[1:] - 1], stamps[first[1:]]
        renamed = names[1:] != names[:-1]
        unnamed = np.array([name is None for name in names[1:]], bool)
        paused = (
            (until > NEVER)
            & (then > NEVER)
            & (then - np.where(until > NEVER, until, then) > gap // timedelta(microseconds=1))
        )
        begins = np.r_[0, np.flatnonzero(renamed | (unnamed & paused)) + 1]
        ends = np.r_[begins[1:], len(first)]
        bounds = np.r_[first, len(self.exchange_id)]
        return [
            self._session(
                names[begin], time[bounds[begin] : bounds[end]], int(bounds[begin]), int(bounds[end])
            )
            for begin, end in zip(begins, ends, strict=True)
        ]

    def after(self, now: datetime) -> int:
        """The place of the first message that is known to have been said after `now`; how many there are where none
        was."""
        later = np.flatnonzero(self.said > to_numpy(now))
        return int(later[0]) if len(later) else len(self.time)

    def first(self, count: int) -> Turns:
        """The first `count` of them."""
        return self._only(np.arange(count))

    def _only(self, places: NDArray[np.int64]) -> Turns:
        return Turns(
            self.seq[places],
            self.exchange_id[places],
            self.time[places],
            *(each.take(pa.array(places)) for each in (self.role, self.session, self.speaker)),
        )

    def users(self) -> frozenset[str]:
        """The names of those who spoke as users."""
        pairs = zip(self.role.to_pylist(), self.speaker.to_pylist(), strict=True)
        return frozenset(who for role, who in pairs if role == "user" and who)

    def speaks(self) -> dict[int, str]:
        """Who speaks as the user in each exchange, where the source names them."""
        said = zip(self.exchange_id.tolist(), self.role.to_pylist(), self.speaker.to_pylist(), strict=True)
        return {exchange: who for exchange, role, who in said if role == "user" and who}

    def of_others(self, speaker: str) -> Collection[int]:
        """The exchanges in which other users spoke and this one did not: those the source names another speaker for."""
        spoke: dict[int, set[str]] = {}
        for exchange, role, who in zip(
            self.exchange_id.tolist(), self.role.to_pylist(), self.speaker.to_pylist(), strict=True
        ):
            if role in USERS and who:
                spoke.setdefault(exchange, set()).add(who)
        return frozenset(exchange for exchange, who in spoke.items() if speaker not in who)

    def _session(self, name: str | None, times: NDArray[np.datetime64], first: int, end: int) -> Session:
        known = times[~np.isnat(times)]
        began, ended = (to_datetime(known.min()), to_datetime(known.max())) if len(known) else (None, None)
        return Session(int(self.exchange_id[first]), int(self.exchange_id[end - 1]), name, began, ended)
