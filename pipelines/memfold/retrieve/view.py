"""One conversation as one snapshot shows it, ready to be searched. Is given functions; knows no store.

What is derived from the rows is made when an arm or a section first asks for it, once, whichever threads ask: a store
that was indexed without a layer is searched without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from memfold.embed.contract import Embedder, Encode, asking, multilingual
from memfold.errors import UnknownSpeaker, UserError
from memfold.layers.profile.history import Profile, history
from memfold.layers.scratchpad.items import Item
from memfold.layers.scratchpad.tree import FAN, Line, Node, parse
from memfold.layers.shown import Selection
from memfold.layers.state.history import NEEDED, stand
from memfold.layers.state.stated import Stand
from memfold.once import kept
from memfold.retrieve.beliefs import Believed
from memfold.retrieve.dated import DatedRows
from memfold.retrieve.episodes import Episodes
from memfold.retrieve.keys import Keys, WordedKeys, by_language
from memfold.retrieve.keywords import Keywords
from memfold.retrieve.notes import WORDS, Descent, Near, Pad, besides
from memfold.retrieve.passages import Passages
from memfold.retrieve.ranking import Ranking
from memfold.retrieve.remember import Remembered, Vectors
from memfold.retrieve.sentences import Sentences
from memfold.retrieve.sessions import IDLE, Session, Turns
from memfold.retrieve.standing import Standing
from memfold.retrieve.stretch import Stretch
from memfold.retrieve.subjects import Subjects
from memfold.retrieve.times import Time, times
from memfold.retrieve.translated import spoken
from memfold.retrieve.written import written
from memfold.schema import MEMORY, MESSAGES, SPAN, USERS, StoredMessage
from memfold.zones import local

# A vector is 1.5 kB and a probe's answer considers 90 sentences: 12 MB hold those of a conversation of 100K tokens.
VECTORS = 8_192
QUESTIONS = 64
# Exchanges of BEAM have 5 kB, of which a context shows the openings of up to 98.
EXCHANGES = 512
# What is archived on a day, which a request names, is 66 kB where all 8,300 exchanges of 10M tokens are.
DAYS = 64
# Nodes of one level whose chronicles are read together: 256 lines, over 10M tokens one for some 32 exchanges.
CHRONICLED = 36


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


class Fading(Protocol):
    """A policy of what is archived when, which can be a key (`memfold.retrieve.forgetting`)."""

    def faded(self, view: View, day: int) -> NDArray[np.int64]:
        """The positions of the exchanges that are archived on a day, counted from 1970."""
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
        them. The scratchpad is left out, because it holds all users' words together, and so is what a model wrote of an
        exchange, because the model also saw those before it. UnknownSpeaker for a stranger."""
        turns = Turns.of(self.turns())
        if speaker not in turns.users():
            raise UnknownSpeaker(speaker, self.conversation_id, sorted(turns.users()))
        others = pa.array(sorted(turns.of_others(speaker)), pa.int64())

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
        return Episodes.from_table(rows)

    @kept
    def language(self) -> str:
        """The language that the user mostly speaks."""
        return spoken(self.episodes.user_text)

    @kept
    def passages(self) -> Passages | None:
        """The passages of long messages; None where there is no such layer. Read when a question first needs them:
        those of 10M tokens are about 60 MB with their index."""
        rows = self.leaves("passages")
        return None if rows is None else Passages.from_table(rows)

    @kept
    def passages_at(self) -> NDArray[np.int64]:
        """The position of each passage's exchange among the episodes."""
        told = np.empty(0, np.int64) if self.passages is None else self.passages.exchange_id
        return np.searchsorted(self.episodes.exchange_id, told).astype(np.int64)

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
    def of_tools(self) -> NDArray[np.bool_]:
        """Which passages are of a tool, or of the assistant or the system in an exchange that used tools."""
        if self.passages is None:
            return np.empty(0, np.bool_)
        role = self.passages.rows["role"]
        told = pc.is_in(role, value_set=pa.array(["assistant", "system", "tool"])).to_numpy()
        return np.asarray(told & np.isin(self.passages.exchange_id, list(self.tools)), np.bool_)

    @kept
    def written_keys(self) -> pa.Table | None:
        """The rows of the layer `keys`; None where it is not there."""
        return self.leaves("keys")

    @kept
    def keys(self) -> Keys | None:
        """What was written down about the exchanges, as vectors; None where the layer is not there."""
        rows = self.written_keys
        return None if rows is None else Keys.of(rows, self.episodes.exchange_id)

    @kept
    def keys_by_language(self) -> dict[str, WordedKeys]:
        """The keys by language; empty if no key was translated."""
        rows = self.written_keys
        return {} if rows is None else by_language(rows, self.episodes.exchange_id)

    @kept
    def sentences(self) -> Sentences | None:
        """The user's sentences as vectors; None where the layer is not there."""
        rows = self.leaves("sentences")
        return None if rows is None else Sentences.of(rows, self.episodes.exchange_id)

    @kept
    def keywords(self) -> Keywords:
        """The keywords of what the user said in each exchange."""
        return Keywords.of(self.episodes.user_text)

    @kept
    def pinned(self) -> Node | None:
        """The scratchpad's root; None where there is none."""
        rows = self.root("scratchpad")
        return parse(rows)[0] if rows is not None and rows.num_rows else None

    @property
    def items(self) -> tuple[Item, ...]:
        """The notes of the scratchpad's root, in the order they were said; none where there is no scratchpad."""
        return self.pinned.items if self.pinned is not None else ()

    @kept
    def standing(self) -> Standing:
        """The standing orders that hold, with their vectors; none where the conversation was indexed without them."""
        return Standing.of(self.leaves("orders"), self.episodes)

    @kept
    def believed(self) -> Believed:
        """What the user thinks of things; nothing where there is no such layer."""
        found = Believed.of(self.root("beliefs"))
        return replace(found, held=found.held.spoken(self.speaks)) if found.held.units else found

    @kept
    def state(self) -> Stand | None:
        """Where the conversation stands; None where it was indexed without the layer."""
        rows = self.leaves("state", NEEDED)
        if rows is None:
            return None
        return stand(rows, self._sealed, self.profile.retracted).spoken(self.speaks)

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

    def outside(self, stretch: Stretch) -> NDArray[np.int64]:
        """The positions of the exchanges that a question for everything in a stretch of time is not about. What was
        said at an unknown time counts by the days that it names."""
        said = self.episodes.said_from(stretch.first, stretch.last)
        dated = self.dated.of_time(stretch.first, stretch.last)
        if stretch.said:
            dated &= np.isnat(self.episodes.said[self.dated.positions])
        said[self.dated.positions[dated]] = True
        return np.flatnonzero(~said)

    def of_times(self, times: Sequence[Time]) -> NDArray[np.bool_]:
        """Which exchanges were said within one of the times, or name a day within it, (n,)."""
        found = np.zeros(len(self.episodes), np.bool_)
        for first, last in times:
            found |= self.episodes.said_from(first, last)
            found[self.dated.positions[self.dated.of_time(first, last)]] = True
        return found

    def times(self, question: str, now: datetime | None, *, within: bool) -> tuple[Time, ...]:
        """The times that a question asked at `now` may mean (`memfold.retrieve.times`); none if the source gives no
        times."""
        if self._lasted is None:
            return ()
        return times(question, self._lasted, now.date() if now else None, within=within)

    def by_clock(self, now: datetime) -> datetime:
        """`now` on the clock of the last speaker, unless it has a zone of its own (`memfold.zones.local`)."""
        timed = ~np.isnat(self.episodes.time) & ~np.isin(self.episodes.exchange_id, self.spoke.by(MEMORY))
        return local(now, next(iter(self.episodes.utc_offset[timed][-1:].tolist()), 0))

    @kept
    def _lasted(self) -> Time | None:
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

    def stood(self, now: datetime | None) -> Stand | None:
        """Where the conversation stood at `now`: by the exchanges that were whole by then."""
        later = self.later(now)
        if later is None or (rows := self.leaves("state")) is None:
            return self.state
        whole = rows.filter(pc.field("exchange_id") < later[1])
        return stand(whole, self._sealed, self.profile.retracted)

    def _sealed(self) -> pa.Table | None:
        return self.root("state")

    @kept
    def profile(self) -> Profile:
        """Who the user is; empty where the conversation was indexed without that layer."""
        return history(self.leaves("profile"))

    @kept
    def dated(self) -> DatedRows:
        """The rows of the timeline; none where there is no such layer."""
        return DatedRows.of(self.leaves("timeline"), self.episodes)

    @kept
    def pad(self) -> Pad:
        """The notes, in chunks."""
        return Pad.of(self.items, self.episodes)

    @kept
    def descent(self) -> Descent | None:
        """What reads the scratchpad below its root; None where the root holds all there is."""
        root = self.pinned
        if root is None or not root.dropped:
            return None
        return Descent(root, lambda level, places: self.nodes("scratchpad", level, places))

    @kept
    def chronicle(self) -> tuple[Line, ...]:
        """The dated account of the conversation, in order: the lines of the nodes of the finest level that has at most
        `CHRONICLED` nodes."""
        root = self.pinned
        if root is None:
            return ()
        end, level = root.last_exchange + 1, root.level
        while level and -(-end // (SPAN * FAN ** (level - 1))) <= CHRONICLED:
            level -= 1
        if level == root.level:
            return root.chronicle
        nodes = self.nodes("scratchpad", level, range(-(-end // (SPAN * FAN**level))))
        lines = (Line(**line) for rows in nodes for each in rows["chronicle"].to_pylist() for line in each)
        return tuple(sorted(lines, key=lambda line: line.exchange_id))

    @kept
    def written(self) -> Mapping[int, str]:
        """A line that a model wrote of each exchange; nothing where the rules wrote (`memfold.retrieve.written`)."""
        return written(self.extracted("extractions"), lambda: self.extracted("notes"))

    def faded(self, policy: Fading, day: int) -> NDArray[np.int64]:
        """The positions of the exchanges that a policy archives on a day; of the last days asked for they are kept."""
        return self._faded.get([(policy, day)])[policy, day]

    @kept
    def subjects(self) -> Subjects | None:
        """The scratchpad's items by what they are about; None where that layer or the scratchpad is not shown."""
        rows = self.leaves("subjects")
        return None if rows is None or self.pinned is None else Subjects.of(rows, self.episodes)

    def near(self, question: str, ranking: Ranking, reach: int, named: int = 0) -> Near:
        """The notes as seen from a question: the `named` that it names most, from wherever the tree holds them, then
        those of the `reach` best exchanges, likewise, and the rest from its root."""
        return self._read(question, ranking, reach).after(self._named(question, ranking, named))

    def nearest(self, question: str, ranking: Ranking, reach: int, named: int = 0) -> Iterator[Item]:
        """The items of `near` alone: cutting them into chunks, which only a filter reads, takes most of its time."""
        first = self._named(question, ranking, named)
        yield from first
        below = reach and self.descent is not None
        yield from filter(
            besides(first),
            self._read(question, ranking, reach).items if below else self.pad.nearest(ranking),
        )

    def _named(self, question: str, ranking: Ranking, most: int) -> tuple[Item, ...]:
        if not most or self.subjects is None:
            return ()
        return tuple(item for item, _ in self.subjects.nearest(question, ranking, most))

    def _read(self, question: str, ranking: Ranking, reach: int) -> Near:
        """The notes by where they were said: as the search found their exchanges."""
        if not reach or self.descent is None:
            return self.pad.near(self.conversation_id, question, ranking)
        wanted = set(self.episodes.exchange_id[ranking.order[:reach]].tolist())
        below = Pad.of(self.descent.items(wanted), self.episodes)
        found, root = (pad.near(self.conversation_id, question, ranking, WORDS) for pad in (below, self.pad))
        return found.beside(root, wanted)

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

    @kept
    def _faded(self) -> Remembered[tuple[Fading, int], NDArray[np.int64]]:
        return Remembered(lambda keys: [policy.faded(self, day) for policy, day in keys], DAYS)
