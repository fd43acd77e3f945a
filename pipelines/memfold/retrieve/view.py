"""One conversation as one snapshot shows it, ready to be searched. Is given functions; knows no store.

Knows who spoke and what the exchanges are; what is derived from other layers' rows stands in modules of their own, as
functions that are `derived` of a view: made when an arm or a section first asks for it, once, whichever threads ask. A
store that was indexed without a layer is searched without it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from memfold.embed.contract import Embedder, Encode, asking, multilingual
from memfold.errors import UnknownSpeaker, UserError
from memfold.given import held_as
from memfold.layers.shown import Selection
from memfold.once import kept
from memfold.retrieve.episodes import Episodes
from memfold.retrieve.remember import Remembered, Vectors
from memfold.retrieve.sessions import IDLE, Session, Turns
from memfold.retrieve.times import Time
from memfold.retrieve.translated import spoken
from memfold.schema import MEMORY, MESSAGES, USERS, StoredMessage
from memfold.zones import local

# A vector is 1.5 kB and a probe's answer considers 90 sentences: 12 MB hold those of a conversation of 100K tokens.
VECTORS = 8_192
QUESTIONS = 64
# Exchanges of BEAM have 5 kB, of which a context shows the openings of up to 98.
EXCHANGES = 512


def _no_nodes(layer: str, level: int, places: Sequence[int]) -> Sequence[pa.Table]:
    raise AssertionError(f"{layer} has no node below its root")


def _nothing_extracted(table: str) -> None:
    return None


def _no_turns() -> pa.Table:
    return MESSAGES.empty_table()


class Leaves(Protocol):
    """Gives a layer's leaf rows, all or those of a selection; None where the layer is not there."""

    def __call__(self, layer: str, selection: Selection | None = None, /) -> pa.Table | None:
        """The rows, in order."""
        ...


@dataclass(frozen=True, eq=False)
class View:
    """`leaves` gives a layer's leaf rows and `root` the rows of its root, None where the layer is not there, and of a
    root also where nothing was said; `nodes` gives the rows of each of some nodes of one level of a layer's tree, by
    their places; `messages` gives those of some exchanges, by exchange; `turns` says who spoke when
    (`memfold.retrieve.sessions`); `extracted` gives the rows of `extractions` or `notes`, None where nobody has them;
    all as of the cut that is shown. `everyone` says who spoke in all, where only one of them is shown. `encode` embeds;
    `embedder` gives what does, which may embed questions in another way and be multilingual (None: neither). Safe for
    any number of threads if these are."""

    conversation_id: str
    leaves: Leaves
    root: Callable[[str], pa.Table | None]
    messages: Callable[[Sequence[int]], Mapping[int, Sequence[StoredMessage]]]
    encode: Encode
    nodes: Callable[[str, int, Sequence[int]], Sequence[pa.Table]] = _no_nodes
    turns: Callable[[], pa.Table] = _no_turns
    embedder: Callable[[], Embedder] | None = None
    extracted: Callable[[str], pa.Table | None] = _nothing_extracted
    everyone: Turns | None = None

    def of(self, speaker: str) -> View:
        """The conversation as one of several users may see it: without what others said, and what was answered to
        them. The scratchpad is left out, because it holds all users' words together, and so are the rows of
        `extractions` and `notes`, because a model that wrote them also saw the exchanges before. Layers made from them
        are shown by exchange. UnknownSpeaker for a stranger."""
        turns = Turns.of(self.turns())
        who = held_as(speaker, turns.users())
        if who is None:
            raise UnknownSpeaker(speaker, self.conversation_id, sorted(turns.users()))
        others = pa.array(sorted(turns.of_others(who)), pa.int64())

        def seen(rows: pa.Table | None) -> pa.Table | None:
            return rows if rows is None else rows.filter(~pc.field("exchange_id").isin(others))

        def leaves(layer: str, selection: Selection | None = None) -> pa.Table | None:
            # Selected among the rows that are left: the newest topic may be another's.
            rows = seen(self.leaves(layer))
            return rows if rows is None or selection is None else selection.of(rows)

        return replace(
            self,
            leaves=leaves,
            extracted=lambda table: None,
            root=lambda layer: None,
            turns=lambda: seen(self.turns()),
            everyone=turns,
        )

    @kept
    def episodes(self) -> Episodes:
        """The exchanges as arrays: 8,300 of 10M tokens are about 30 MB, and their index as much again."""
        rows = self.leaves("episodic")
        if rows is None:
            raise UserError(
                f"conversation {self.conversation_id!r} was indexed without the layer episodic, which search reads: "
                "index it again with it among layers=[…]"
            )
        episodes = Episodes.from_table(rows)
        # The turns hold repaired times. Contexts and sessions therefore give an exchange the same day.
        began = self.spoke.began(episodes.exchange_id)
        return replace(episodes, time=np.where(np.isnat(began), episodes.time, began))

    @kept
    def language(self) -> str:
        """The language that the user mostly speaks."""
        return spoken(self.episodes.user_text)

    @kept
    def tools(self) -> Mapping[int, int]:
        """How many outputs of tools each exchange has, by its number; those that have none are left out."""
        exchanges, outputs = np.unique(self.spoke.by("tool"), return_counts=True)
        return dict(zip(exchanges.tolist(), outputs.tolist(), strict=True))

    @kept
    def unspoken(self) -> Mapping[int, str]:
        """For each exchange in which no user speaks, the role whose words stand for it (`episodic.key`)."""
        users = np.concatenate([self.spoke.by(role) for role in USERS])
        silent = np.setdiff1d(self.spoke.exchange_id, users)
        among = np.isin(self.spoke.exchange_id, silent)
        said = self.spoke.exchange_id[among].tolist(), self.spoke.role.filter(pa.array(among)).to_pylist()
        # Whoever speaks first is entered last and stays.
        last = reversed([*zip(*said, strict=True)])
        first = {exchange: role for exchange, role in last if role != "tool"}
        return dict.fromkeys(silent.tolist(), "tool") | first

    @kept
    def spoke(self) -> Turns:
        """Who spoke when; nothing where that is not known."""
        return Turns.of(self.turns())

    @kept
    def speakers(self) -> frozenset[str]:
        """The names of the users; none where the source names nobody."""
        return self.spoke.users()

    @kept
    def speaks(self) -> Mapping[int, str]:
        """Who speaks as the user in each exchange, where the source names several; else nothing."""
        return self.spoke.speaks() if len(self.speakers) > 1 else {}

    @kept
    def said_by(self) -> NDArray[np.object_]:
        """`speaks` as an array: the speaker of each exchange, empty if there is none, (n,)."""
        names = [self.speaks.get(each, "") for each in self.episodes.exchange_id.tolist()]
        return np.array(names, np.object_)

    @kept
    def among_people(self) -> bool:
        """Whether several people speak and no assistant does."""
        spoke = self.everyone or self.spoke
        return len(spoke.users()) > 1 and not len(spoke.by("assistant"))

    def by_clock(self, now: datetime) -> datetime:
        """`now` on the clock of the last speaker, unless it has a zone of its own (`memfold.zones.local`)."""
        timed = ~np.isnat(self.episodes.time) & ~np.isin(self.episodes.exchange_id, self.spoke.by(MEMORY))
        return local(now, next(iter(self.episodes.utc_offset[timed][-1:].tolist()), 0))

    @kept
    def lasted(self) -> Time | None:
        """The first and last day on which anything was said; None if the source gives no times."""
        known = self.episodes.dates[~np.isnat(self.episodes.dates)]
        return (known[0].item(), known[-1].item()) if len(known) else None

    @kept
    def sessions(self) -> list[Session]:
        """The sessions, in order; none where it is not known who spoke when."""
        return self.spoke.sessions()

    def active(self, now: datetime | None, idle: timedelta = IDLE) -> Session | None:
        """The newest session that had begun by `now`, as far as it had come by then, unless nothing had been said in it
        for so long."""
        count = None if now is None else self.spoke.after(now)
        whole = count is None or count == len(self.spoke.seq)
        sessions = self.sessions if whole else self.spoke.first(count or 0).sessions()
        return next((each for each in sessions[-1:] if not each.idle(now, idle)), None)

    def later(self, now: datetime | None) -> tuple[int, int] | None:
        """The seq and the exchange of the first message that was said after `now`; None where none was."""
        place = len(self.spoke.seq) if now is None else self.spoke.after(now)
        if place == len(self.spoke.seq):
            return None
        return int(self.spoke.seq[place]), int(self.spoke.exchange_id[place])

    def said(self, exchanges: Sequence[int]) -> Mapping[int, Sequence[StoredMessage]]:
        """The messages of some exchanges; the last ones asked for are kept."""
        return self._said.get(exchanges)

    @kept
    def vectors(self) -> Vectors:
        """`encode`, which remembers."""
        return Vectors(self.encode, VECTORS)

    @kept
    def questions(self) -> Vectors:
        """The same for questions."""
        embedder = None if self.embedder is None else self.embedder()
        if embedder is None or (ask := asking(embedder)) == embedder.encode:
            return self.vectors
        return Vectors(ask, QUESTIONS)

    @property
    def multilingual(self) -> bool:
        """Whether a Chinese question is worth as much to the embedder as an English one."""
        return self.embedder is not None and multilingual(self.embedder())

    @kept
    def _said(self) -> Remembered[int, Sequence[StoredMessage]]:
        def read(exchanges: Sequence[int]) -> list[Sequence[StoredMessage]]:
            found = self.messages(exchanges)
            return [found.get(exchange, ()) for exchange in exchanges]

        return Remembered(read, EXCHANGES)
