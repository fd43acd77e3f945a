"""What holds of the candidates of a state, read in the order they were said. Knows no store and no rendering.

A later entry of the same keys takes the place of the earlier, which stays in the history with what replaced it. A
correction finds what it corrects by its words, an option that is given up what had been settled on it, and the other
way about; an open question is answered by what settles its subject, or by the user's saying that it is done. What a
program put right in the profile takes the place of the entries that had told it, whole: what else such an entry says
may hang on it ("I live in Rome and I work there"). In doubt both hold: an entry that was dropped by mistake is an error
in every later answer.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from memfold.layers.replaced import mark
from memfold.layers.shown import Selection
from memfold.layers.state.choosing import ASIDE, CHOICE, RIGHT, clauses, limiting, required
from memfold.layers.state.stated import Place, Stand, State, Stated, Topic
from memfold.layers.state.wording import (
    AGAINST,
    CHANGING,
    CLASSES,
    DENIAL,
    GIVING,
    INSTEAD,
    LEFT,
    NOW,
    NUMBER,
    UNDECIDED,
    alike,
    contradicts,
    limited,
    option,
    part_of,
    reaches,
    same_limit,
    same_unit,
    subject_settled,
    words_of,
)
from memfold.layers.times import times_of
from memfold.schema import said_at
from memfold.text.terms import plain, terms
from memfold.zones import ahead

if TYPE_CHECKING:
    from memfold.layers.orders import Order
    from memfold.layers.profile.history import Entry, Retracted

# A question that nobody came back to in so many exchanges, or for so long, is left: what it was about has passed.
FRESH = 48
STALE = timedelta(hours=24)
# "It works now" settles what was asked in so few exchanges before.
SETTLES = 3
# Entries that share a word are looked for among this many of the newest that have it, so that reading stays linear.
NEAREST = 48
# A correction or an answer has at least two words of what it bears on, and this share of the shorter of the two.
SHARED, SHARE = 2, 0.5

# A conclusion has at most this many words besides the option that it settles on.
BESIDE = 1

# How a requirement stands, by how its order does.
_STANDS: Mapping[str, State] = {
    "holds": "holds",
    "superseded": "replaced",
    "repeated": "repeated",
    "withdrawal": "withdrawal",
}

# Rows that are no entries: that an entry is another one in other words, and that a part of the layer is whole
# (`memfold.layers.state.sealing`).
SAME, WHOLE = "same", "whole"


def link(later: Place, earlier: Place) -> dict[str, Any]:
    """What the row says of an entry that is another one in other words."""
    return {
        "exchange_id": later[0],
        "n": later[1],
        "kind": SAME,
        "text": "",
        "keys": [f"{earlier[0]}|{earlier[1]}"],
    }


def _needed(rows: pa.Table) -> NDArray[np.int64]:
    kinds = rows["kind"].combine_chunks()
    topics, asides = (pc.equal(kinds, name).to_numpy(zero_copy_only=False) for name in ("topic", ASIDE))
    needed = ~(topics | asides)
    for each in (topics, asides):
        needed[np.flatnonzero(each)[-1:]] = True
    times = rows["time"].cast(pa.int64()).fill_null(0).to_numpy()
    needed[times.argmax(keepdims=True) if len(times) else []] = True
    return np.flatnonzero(needed)


# What `stand` needs of a conversation's rows in order: the entries, the newest topic, and the row that was said last,
# for its time. 95 of 100 rows are older topics.
NEEDED = Selection(("kind", "time"), _needed)


def stand(
    rows: pa.Table,
    root: Callable[[], pa.Table | None] = lambda: None,
    retracted: Sequence[Retracted] = (),
    orders: Sequence[Order] = (),
) -> Stand:
    """From all rows of the layer's leaves that are shown, in any order, or those that are `NEEDED`. `root` gives those
    of its root, which is asked for where the layer is a tree. `retracted` is what programs put right in the profile;
    what they did later than the rows counts for nothing. `orders` are the standing orders as they stood then: what they
    say of a requirement goes before what its words do."""
    # By masks and places: an expression or a sort of Arrow's starts its pool of threads, which takes longer than all
    # of this.
    kinds = rows["kind"].combine_chunks()
    told = {
        name: pc.equal(kinds, name).to_numpy(zero_copy_only=False) for name in ("topic", ASIDE, SAME, WHOLE)
    }
    links = _links(rows) if told[SAME].any() else {}
    if told[WHOLE].any() and (above := root()) is not None:
        links |= _links(above)
    known = np.flatnonzero(~(told[SAME] | told[WHOLE]))
    exchanges, n = rows["exchange_id"].to_numpy(), rows["n"].to_numpy()
    topics = np.flatnonzero(told["topic"])
    newest = None
    if len(topics):
        row = rows.slice(int(topics[exchanges[topics].argmax()]), 1).to_pylist()[0]
        newest = Topic(row["exchange_id"], row["text"], said_at(row))
    given = np.flatnonzero(~(told[SAME] | told[WHOLE] | told["topic"] | told[ASIDE]))
    given = given[np.lexsort((n[given], exchanges[given]))]
    last = int(exchanges[known].max()) if len(known) else -1
    columns = ("exchange_id", "n", "kind", "text", "about", "reason", "time", "utc_offset", "keys", "words")
    reading = _Reading(last, pc.max(rows["time"]).as_py(), links, retracted, orders)
    chosen = rows.select(columns).take(given)
    entries = reading.read(zip(*(_values(chosen[name]) for name in columns), strict=True))
    return Stand(newest, tuple(entries), last)


def _values(column: pa.ChunkedArray) -> list[Any]:
    """A column's values. Times by way of NumPy: Arrow looks up the zone of each, half of the time of all columns."""
    if not pa.types.is_timestamp(column.type):
        return list(column.to_pylist())
    return [time and time.replace(tzinfo=UTC) for time in times_of(column).tolist()]


def _links(rows: pa.Table) -> dict[Place, Place]:
    """The entries that are others in other words, each with the earlier one."""
    told = rows.filter(pc.field("kind") == SAME)
    found = {}
    for exchange, n, (key,) in zip(
        *(told[name].to_pylist() for name in ("exchange_id", "n", "keys")), strict=True
    ):
        earlier, place = map(int, key.split("|"))
        found[exchange, n] = earlier, place
    return found


def _puts_right(keys: Sequence[str]) -> bool:
    """Whether an entry with these keys is a program's correction of another entry."""
    return bool(keys) and keys[0].startswith(RIGHT)


class _Reading:
    """The entries read so far."""

    def __init__(
        self,
        last: int,
        ended: datetime | None,
        links: Mapping[Place, Place],
        retracted: Sequence[Retracted],
        orders: Sequence[Order],
    ) -> None:
        self._links = links
        self._orders: dict[tuple[int, str], Order] = {}
        for order in orders:
            self._orders.setdefault((order.exchange_id, required(order.kind, order.text)), order)
        self._retracted: dict[int, list[Entry]] = {}
        for each in retracted:
            self._retracted.setdefault(each.by, []).append(each.entry)
        # Where the entry stands that each row gave, or the one that it repeats in other words.
        self._stands: dict[Place, int] = {}
        self._last = last
        self._ended = ended
        self._made: list[Stated] = []
        self._of: Mapping[int, list[int]] = defaultdict(list)  # the places of an exchange's entries
        self._words: list[frozenset[str]] = []
        self._keys: dict[str, int] = {}
        # The keys that each place was ever given: a later entry may have taken one of them.
        self._keys_of: Mapping[int, dict[str, None]] = defaultdict(dict)
        # The places of the entries that hold, by the marks of their texts. It is filled only when a correction asks, up
        # to the entry `_with_marks`: most states have no such correction.
        self._marks: Mapping[str, list[int]] = defaultdict(list)
        self._with_marks = 0
        self._having: Mapping[str, list[int]] = defaultdict(list)
        self._open: list[int] = []
        self._denials: deque[int] = deque(maxlen=NEAREST)

    def read(self, rows: Iterable[Sequence[Any]]) -> list[Stated]:
        """Every entry that the rows give, in their order, each with what replaced, settled or aged it."""
        rows = list(rows)
        limits = {(exchange, text) for exchange, _, kind, text, *_ in rows if kind == "constraint"}
        changes = {(exchange, text) for exchange, _, kind, text, *_ in rows if kind == "correction"} & limits
        for exchange, n, kind, text, about, reason, instant, offset, keys, words in rows:
            # A limit that is changed stands as a limit alone: as a fact it would stand on when it changes again.
            if kind == "correction" and (exchange, text) in changes:
                continue
            time = instant and ahead(instant, offset)
            if kind == "settled":
                self._settle(exchange, text)
                continue
            own = "fact" if kind == "correction" else kind
            entry = Stated(exchange, own, text, about, reason, time, place=(exchange, n))
            corrects = kind == "correction" or (kind == "constraint" and (exchange, text) in changes)
            gone = self._put_right(exchange)
            order = self._orders.get((exchange, text)) if kind == "requirement" else None
            if order is not None:
                entry = replace(entry, state=_STANDS[order.state], replaced=order.changed, by=order.by)
                # That a program put an order right, the orders do not say.
                if not _puts_right(keys):
                    self._file(entry, frozenset(words), keys if entry.state == "holds" else ())
                    continue
            if corrects or not self._joined(entry, keys, frozenset(words)):
                self._add(entry, keys, frozenset(words), gone, corrects=corrects)
        return self._aged()

    def _put_right(self, exchange: int) -> list[int]:
        """The entries that tell what an exchange put right in the profile; from now on they are replaced."""
        if exchange not in self._retracted:
            return []
        # Imported on use: most states are read without the patterns of a profile.
        from memfold.layers.profile.layer import tells

        found = []
        for known in self._retracted[exchange]:
            told = {source.exchange_id for source in known.said}
            for place in sorted(place for each in told for place in self._of.get(each, ())):
                entry = self._made[place]
                if entry.state == "holds" and tells(entry.text, known):
                    self._made[place] = replace(entry, state="replaced", by=exchange)
                    found.append(place)
        return found

    def _joined(self, entry: Stated, keys: Sequence[str], words: frozenset[str]) -> bool:
        """Whether the entry is one that holds in other words, and was taken for it: what finds the one finds the
        other from now on. What puts another right never is."""
        assert entry.place is not None
        earlier = None if _puts_right(keys) else self._links.get(entry.place)
        older = None if earlier is None else self._stands.get(earlier)
        if older is None:
            return False
        one = self._made[older]
        if one.state != "holds" or not alike(entry.kind, entry.text, one.kind, one.text):
            return False
        self._stands[entry.place] = older
        self._file(replace(entry, state="repeated"), words, ())
        self._find_by(keys, older)
        for word in words - self._words[older]:
            self._having[word].append(older)
        self._words[older] |= words
        return True

    def _add(
        self,
        entry: Stated,
        keys: Sequence[str],
        words: frozenset[str],
        put_right: Sequence[int],
        *,
        corrects: bool,
    ) -> None:
        older = None
        if right := _puts_right(keys):
            # The first key is of the entry that a program put right, and the new text may say less than it.
            older = self._marked(keys[0].removeprefix(RIGHT))
            # Who says again what was put right, or something else about it, means the new one.
            keys = keys[1:] if older is None else [*keys[1:], *self._keys_at(older)]
        if older is None:
            older = self._same(keys, words)
        against = [] if right or corrects else self._against(entry, words)
        if older in against:
            older = None
        again = older is not None and plain(self._made[older].text) == plain(entry.text)
        if again or (not right and self._repeats(entry, words, against)):
            self._file(replace(entry, state="repeated"), words, ())
            return
        gone = [older] if older is not None and self._made[older].kind == entry.kind else []
        gone += put_right
        gone += self._also_gone(entry, words, replaces=bool(gone), corrects=corrects)
        for each in gone:
            self._made[each] = replace(self._made[each], state="replaced", by=entry.exchange_id)
        for each in against:
            self._made[each] = replace(self._made[each], against=entry.text)
            entry = replace(entry, against=self._made[each].text)
        replaced = self._made[gone[0]].text if gone else None
        self._file(entry if replaced is None else replace(entry, replaced=replaced), words, keys)
        if entry.kind != "question":
            for question in self._answered(entry, words):
                self._answer(question, entry.exchange_id)

    def _also_gone(
        self, entry: Stated, words: frozenset[str], *, replaces: bool, corrects: bool
    ) -> list[int]:
        """What else an entry takes the place of, beside what it `replaces` already."""
        found = []
        if entry.kind == "constraint" and not replaces:
            found = self._changed(entry, corrects=corrects)
        # That a limit is another now tells which one in full, or it may be of another thing.
        if corrects and not (replaces or found or (entry.kind == "constraint" and NOW.search(entry.text))):
            found = self._corrected(entry, words)
        if entry.kind in ("excluded", "conclusion"):
            found += self._turned(entry, words)
        if entry.kind in ("conclusion", "fact", "excluded") and (left := LEFT.search(entry.text)):
            found += self._left(entry, left["left"])
        return found

    def _file(self, entry: Stated, words: frozenset[str], keys: Sequence[str]) -> None:
        place = len(self._made)
        if entry.place is not None:
            self._stands.setdefault(entry.place, place)
        self._made.append(entry)
        self._of[entry.exchange_id].append(place)
        self._words.append(words)
        self._find_by(keys, place)
        if entry.state == "holds":
            for word in words:
                self._having[word].append(place)
            if entry.kind == "question":
                self._open.append(place)
            if entry.kind == "fact" and DENIAL.search(entry.text):
                self._denials.append(place)

    def _find_by(self, keys: Sequence[str], place: int) -> None:
        """Make the entry at a place the one that these keys find."""
        self._keys |= dict.fromkeys(keys, place)
        self._keys_of[place].update(dict.fromkeys(keys))

    def _keys_at(self, place: int) -> list[str]:
        """The keys that find the entry at a place."""
        return [key for key in self._keys_of[place] if self._keys[key] == place]

    def _marked(self, wanted: str) -> int | None:
        """The newest entry that holds whose text has this mark."""
        for place in range(self._with_marks, len(self._made)):
            if self._made[place].state == "holds":
                self._marks[mark(self._made[place].text)].append(place)
        self._with_marks = len(self._made)
        places = self._marks[wanted]
        # What holds no longer never holds again.
        while places and self._made[places[-1]].state != "holds":
            places.pop()
        return places[-1] if places else None

    def _same(self, keys: Sequence[str], words: frozenset[str]) -> int | None:
        """The entry of one of these keys. The first is of all its words; others say what it is about, and two things
        about one subject ("tests") are one only if they share half their words."""
        for n, key in enumerate(keys):
            place = self._keys.get(key)
            if place is None or self._made[place].state != "holds":
                continue
            one, other = words - CLASSES, self._words[place] - CLASSES
            if n == 0 or len(one & other) >= SHARE * min(len(one), len(other)):
                return place
        return None

    def _against(self, entry: Stated, words: frozenset[str]) -> list[int]:
        """The facts that hold and contradict a fact, oldest first."""
        if entry.kind != "fact":
            return []
        found = (
            self._near(words, SHARED)
            if DENIAL.search(entry.text)
            else [(place, 0) for place in self._denials]
        )
        return sorted(
            place
            for place, _ in found
            if (self._made[place].kind, self._made[place].state) == ("fact", "holds")
            and not words.isdisjoint(self._words[place])
            and contradicts(entry.text, self._made[place].text)
        )

    def _repeats(self, entry: Stated, words: frozenset[str], but: Sequence[int]) -> bool:
        """Whether one that holds, `but` for those, says all of it already, or, of a requirement, is said again among
        other things. That an option was given up is no conclusion besides, unless another was chosen for it."""
        again = entry.kind == "requirement"
        for place, shared in self._near(words, SHARED, classes=True) if again else self._with_all(words):
            if place in but or (shared < len(words) and shared < len(self._words[place])):
                continue
            other = self._made[place]
            besides = (other.kind, entry.kind) == ("excluded", "conclusion") and not INSTEAD.search(
                entry.text
            )
            if other.kind != entry.kind and not besides:
                continue
            less, more = (entry, other) if shared == len(words) else (other, entry)
            if set(NUMBER.findall(less.text)) <= set(NUMBER.findall(more.text)):
                return True
        return False

    def _with_all(self, words: frozenset[str]) -> list[tuple[int, int]]:
        """What `_near` finds that has all of these words, if they are enough: a tenth of the work of counting them."""
        if len(words) < SHARED or not words <= self._having.keys():
            return []
        first, *rest = sorted((self._having[word][-NEAREST:] for word in words), key=len)
        found = set(first).intersection(*rest) if first else ()
        return [(place, len(words)) for place in found if self._made[place].state == "holds"]

    def _near(self, words: Iterable[str], least: int = 1, *, classes: bool = False) -> list[tuple[int, int]]:
        """Of the newest entries that hold and have at least so many of these words, each with how many it has; with
        `classes` counted that stand for values."""
        counted = words if classes else (word for word in words if word not in CLASSES)
        found = Counter(chain.from_iterable(self._having[word][-NEAREST:] for word in counted))
        return [
            (place, shared)
            for place, shared in found.items()
            if shared >= least and self._made[place].state == "holds"
        ]

    def _corrected(self, entry: Stated, words: frozenset[str]) -> list[int]:
        """The newest entry that a correction is about by its words, but for values and how they are changed."""
        what = words - CLASSES - CHANGING
        near = [
            (shared, place)
            for place, shared in self._near(what, SHARED)
            if self._made[place].kind in ("fact", "constraint", "conclusion")
            and shared >= SHARE * min(len(what), len(self._words[place] - CLASSES - CHANGING))
            and self._made[place].exchange_id < entry.exchange_id
            and same_unit(entry.text, self._made[place].text)
            and (entry.kind == self._made[place].kind or not reaches(entry.text, self._made[place].text))
        ]
        return [max(near)[1]] if near else []

    def _turned(self, entry: Stated, words: frozenset[str]) -> list[int]:
        """What an option that is given up had settled, or what was given up and is now settled on."""
        if entry.kind == "conclusion" and AGAINST.search(entry.text):
            return []
        found = []
        for place, _ in self._near(option(entry.text) if entry.kind == "excluded" else words - GIVING):
            other = self._made[place]
            if other.exchange_id >= entry.exchange_id or {other.kind, entry.kind} != {
                "excluded",
                "conclusion",
            }:
                continue
            given_up, settled = (entry, self._words[place]) if entry.kind == "excluded" else (other, words)
            named = option(given_up.text)
            if named and named <= settled:
                found.append(place)
        return found

    def _left(self, entry: Stated, left: str) -> list[int]:
        """The conclusions that settled on what is left for another: "moved from MySQL to Postgres"."""
        named = frozenset(terms(left)) - GIVING
        return [
            place
            for place, other in enumerate(self._made)
            if (other.kind, other.state) == ("conclusion", "holds")
            and other.exchange_id < entry.exchange_id
            and named
            and named <= words_of(other.text)
            and len(words_of(other.text) - named - GIVING) <= BESIDE
            and not AGAINST.search(other.text)
        ]

    def _changed(self, entry: Stated, *, corrects: bool) -> list[int]:
        """The one limit that is said to be another now: "the budget went up to 900 euros". Nothing where there are two
        that it may be, or where the older says another limit too."""
        changed = [part for part in clauses(entry.text) if NOW.search(part) or (corrects and limiting(part))]
        limits = [limited(part) for part in changed]
        if len(limits) != 1 or not limits[0]:
            return []
        found = [
            place
            for place, _ in self._near(limits[0])
            if self._made[place].kind == "constraint"
            and self._made[place].exchange_id < entry.exchange_id
            and len(older := [limited(part) for part in clauses(self._made[place].text) if limiting(part)])
            == 1
            and older[0]
            and same_limit(limits[0], older[0])
            and (limits[0] == older[0] or not part_of(entry.text, self._made[place].text))
        ]
        return found if len(found) == 1 else []

    def _answered(self, entry: Stated, words: frozenset[str]) -> list[int]:
        if entry.kind not in ("conclusion", "fact", "excluded"):
            return []
        found = []
        for question in self._open[-NEAREST:]:
            asked = self._made[question]
            # Most have no word of it: looking at the rest takes a third of the read.
            if self._words[question].isdisjoint(words) or asked.state != "holds":
                continue
            same = asked.about and entry.about and plain(asked.about) == plain(entry.about)
            shared = len(self._words[question] & words)
            enough = max(SHARED, SHARE * len(self._words[question]))
            if asked.exchange_id < entry.exchange_id and ((same and shared) or shared >= enough):
                found.append(question)
        return found

    def _settle(self, exchange: int, phrase: str) -> None:
        """Answer what the phrase names, or the newest that was asked where it says "it". That something is done decides
        between no options."""
        recent = [
            place
            for place in self._open[-NEAREST:]
            if self._made[place].state == "holds"
            and 0 < exchange - self._made[place].exchange_id <= SETTLES
            and not CHOICE.search(self._made[place].text)
        ]
        if not recent:
            return
        named, newest = subject_settled(phrase), self._made[recent[-1]].exchange_id
        for place in recent:
            asked = self._made[place]
            shared = len(named & set(terms(asked.text)))
            if shared < max(1, SHARE * len(named)) if named else asked.exchange_id < newest:
                continue
            self._answer(place, exchange)
            if not UNDECIDED.search(asked.text):
                fact = replace(
                    asked, exchange_id=exchange, kind="fact", text=f"✓ {asked.text}", reason=None, place=None
                )
                self._file(fact, frozenset(), ())

    def _answer(self, question: int, exchange: int) -> None:
        self._made[question] = replace(self._made[question], state="answered", by=exchange)

    def _aged(self) -> list[Stated]:
        return [
            replace(entry, state="left")
            if entry.kind == "question" and entry.state == "holds" and self._past(entry)
            else entry
            for entry in self._made
        ]

    def _past(self, entry: Stated) -> bool:
        """Whether what was asked then is a matter of then."""
        waited = self._ended - entry.said if self._ended and entry.said else timedelta()
        return entry.exchange_id < self._last - FRESH or waited >= STALE
