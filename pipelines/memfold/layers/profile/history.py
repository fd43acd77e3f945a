"""What holds of what was said, and what it took the place of: a pure reading of all rows in their order."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import pyarrow as pa

from memfold.extract.filed import ID
from memfold.layers.orders import Order
from memfold.layers.orders import history as orders
from memfold.layers.profile.claim import ATTRIBUTES, FIELD, SINGLE, Claim, an_age, is_style
from memfold.layers.replaced import is_mark, mark
from memfold.text.terms import plain, terms
from memfold.text.withdrawn import withdrawal

# A language counts as one the user writes in from so many messages, if they are this share of all.
MESSAGES = 3
SHARE = 0.1


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where something was said: its exchange and message, when (None where unknown), and the sentence; empty where it
    was not said but told from how the user writes."""

    exchange_id: int
    message_id: str
    time: datetime | None
    quote: str


@dataclass(frozen=True, slots=True)
class Former:
    """A value that holds no longer, and where it had been said."""

    value: str
    said: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that holds of a person: `who` as the source names its speakers, None where it names none.

    `count` is how often it was said or done, `said` where, the first first; `corrected` is whether the user put an
    older value right in so many words; `before` are the values it took the place of, the last one last."""

    attribute: str
    key: str | None
    value: str
    who: str | None
    count: int
    said: tuple[Evidence, ...]
    corrected: bool = False
    before: tuple[Former, ...] = ()

    @property
    def name(self) -> str:
        """What the value is of, in words: "home", "favourite colour", "native language"."""
        if self.attribute == "taste":
            return self.key or "likes"
        if self.attribute == "name":
            return {"han": "name in Chinese"}.get(self.key or "", "name")
        if self.attribute == "writes":
            return "writes in"
        if self.attribute == "answers":
            return "wants answers"
        return f"{self.key} {self.attribute}" if self.attribute == "language" and self.key else self.attribute


@dataclass(frozen=True, slots=True)
class Retracted:
    """An entry as it held until a program put it right or took it back, in the exchange `by`."""

    entry: Entry
    by: int


@dataclass(frozen=True, slots=True)
class Profile:
    """Who somebody is, as told by themselves: `entries` in a fixed order of attributes, the older first; `retracted`
    is what programs put right or took back, in the order they did."""

    entries: tuple[Entry, ...] = ()
    retracted: tuple[Retracted, ...] = ()

    def of(self, who: str | None) -> Profile:
        """The profile of one of several speakers."""
        return Profile(
            tuple(entry for entry in self.entries if entry.who == who),
            tuple(each for each in self.retracted if each.entry.who == who),
        )

    def get(self, name: str, default: str | None = None) -> str | None:
        """The newest value under a name ("home", "favourite colour"), `default` where there is none."""
        return next((each.value for each in reversed(self.entries) if each.name == name), default)

    @property
    def text(self) -> str:
        """The profile in lines: "home: Paris (before: London) [exchanges 3, 9]"."""
        return "\n".join(_line(entry) for entry in self.entries)

    @property
    def json(self) -> dict[str, Any]:
        """The profile as what JSON holds: the entries, each with its evidence and what it replaced."""
        return {"profile": [_plain(entry) for entry in self.entries]}


def _line(entry: Entry) -> str:
    who = f"{entry.who}, " if entry.who else ""
    before = f" (before: {', '.join(each.value for each in entry.before)})" if entry.before else ""
    where = ", ".join(str(source.exchange_id) for source in entry.said)
    line = f"{who}{entry.name}: {entry.value}{before} [exchange{'s' * (len(entry.said) > 1)} {where}]"
    # A value with a line end in it would begin a line of its own.
    return " ".join(line.split())


def _plain(entry: Entry) -> dict[str, Any]:
    def sources(of: Iterable[Evidence]) -> list[dict[str, Any]]:
        """Sources as JSON values."""
        return [
            {
                "exchange_id": each.exchange_id,
                "message_id": each.message_id,
                "time": each.time.isoformat() if each.time else None,
                "quote": each.quote,
            }
            for each in of
        ]

    return {
        "attribute": entry.attribute,
        "key": entry.key,
        "value": int(entry.value) if entry.attribute == "age" and entry.value.isdigit() else entry.value,
        "who": entry.who,
        "count": entry.count,
        "corrected": entry.corrected,
        "said": sources(entry.said),
        "before": [{"value": each.value, "said": sources(each.said)} for each in entry.before],
    }


# The keys of a home that somebody moved to; in the second, from where is told apart from what else moves.
_MOVED = ("moved", "moved from")

# What a thing is preferred with, before what it is preferred to. "Walks to the sea" sets nothing against the sea: "to"
# does between two words or less on either side.
_AGAINST = re.compile(
    r"(?P<one>.+?)\ (?:over|rather\ than)\ (?P<other>.+)|(?P<a>(?:\S+\ )?\S+)\ to\ (?P<b>(?!the\b)(?:\S+\ )?\S+)",
    re.DOTALL,
)
# Of these somebody is one at a time.
_EATERS = frozenset(["vegan", "vegetarian", "pescatarian", "纯素食者", "素食者", "素食主义者", "吃素"])

# A slot holds one value: whose, of what, and of which thing or script where that tells two values apart.
Slot = tuple[str | None, str, str]


@dataclass
class _Held:
    """What stands in a slot while rows are read: an entry without its evidence, and that. `place` is the slot's."""

    place: int = 0
    entry: Entry | None = None
    said: dict[Evidence, None] = field(default_factory=dict)
    before: tuple[Former, ...] = ()

    def put(self, entry: Entry, row: dict[str, Any]) -> None:
        """Let an entry that a row gives stand here."""
        self.entry, self.said = entry, {_source(row): None}

    def again(self, row: dict[str, Any]) -> None:
        """Count what stands here as said again. A tuple of all evidence, made anew each time, took quadratic time."""
        assert self.entry is not None
        self.entry = replace(self.entry, count=self.entry.count + row["count"])
        self.said[_source(row)] = None

    def whole(self) -> Entry | None:
        """What stands here, with its evidence."""
        return None if self.entry is None else replace(self.entry, said=tuple(self.said))


class _Slots(dict[Slot, _Held]):
    """What stands in each slot, in the order in which the slots came up, and where a value stands."""

    def __init__(self) -> None:
        super().__init__()
        self._where: defaultdict[tuple[str | None, str, str | frozenset[str]], set[Slot]] = defaultdict(set)

    def put(self, slot: Slot, row: dict[str, Any]) -> Entry | None:
        """Put a row into a slot: the entry that holds no longer, if one went."""
        held = self.setdefault(slot, _Held(len(self)))
        before = held.entry and held.entry.value
        gone = _put(held, row)
        if held.entry is not None and held.entry.value != before:
            for likeness in (_likeness(slot[1], held.entry.value), mark(held.entry.value)):
                self._where[slot[0], slot[1], likeness].add(slot)
        return gone

    def having(self, who: str | None, attribute: str, value: str) -> dict[Slot, Entry]:
        """Where somebody's value stands, the slot that came up first first; "?" is any attribute."""
        found = {
            slot: self[slot]
            for each in (ATTRIBUTES if attribute == "?" else (attribute,))
            for slot in self._where.get((who, each, value if is_mark(value) else _likeness(each, value)), ())
        }
        return {
            slot: held.entry
            for slot, held in sorted(found.items(), key=lambda one: one[1].place)
            if held.entry is not None and _same(slot[1], held.entry.value, value)
        }


def history(rows: pa.Table | None) -> Profile:
    """What holds at the end of rows of the layer (None where it was not indexed).

    Of an attribute with one value the newest holds, and keeps what it replaced; the same value said again adds its
    evidence, and a more exact one ("Paris, France") takes the place without a replacement. A value that was taken back
    leaves nothing. "Paris, not London" goes where London stood.
    """
    if rows is None or not rows.num_rows:
        return Profile()
    said = rows.sort_by([("exchange_id", "ascending"), ("n", "ascending")]).to_pylist()
    held = _Slots()
    styles: list[dict[str, Any]] = []
    retracted: list[Retracted] = []
    written: dict[tuple[str | None, str], list[dict[str, Any]]] = {}
    latest: dict[str | None, list[tuple[dict[str, Any], Slot]]] = {}
    for row in said:
        if row["attribute"] == "answers":
            styles.append(row)
        elif row["attribute"] == "writes":
            written.setdefault((row["who"], row["value"]), []).append(row)
        else:
            of_last = latest.setdefault(row["who"], [])
            corrects = row["attribute"] == "?" and row["instead_of"] is None
            slots = _typed_wrong(row, of_last, held) if corrects else _slots(row, held)
            if of_last and not _beside(of_last[0][0], row):
                of_last.clear()
            of_last += ((row, slot) for slot in slots)
            for slot in slots:
                gone = held.put(slot, row)
                if gone is not None and row["message_id"].startswith(ID):
                    retracted.append(Retracted(gone, row["exchange_id"]))
    entries = [entry for each in held.values() if (entry := each.whole()) is not None]
    entries += [*_styles(styles), *_written(written)]
    return Profile(
        tuple(
            sorted(entries, key=lambda e: (e.who or "", ATTRIBUTES.index(e.attribute), e.said[0].exchange_id))
        ),
        tuple(retracted),
    )


def says(claim: Claim, entry: Entry) -> bool:
    """Whether what a sentence says of its speaker is what an entry says."""
    if claim.value is None or not _same(entry.attribute, claim.value, entry.value):
        return False
    key = None if claim.key in _MOVED else claim.key
    of_it = claim.attribute == entry.attribute and _spelt(key or "") == _spelt(entry.key or "")
    return of_it or claim.attribute == "?"


def _beside(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two rows are of one sentence."""
    return bool(one["exchange_id"] == other["exchange_id"] and one["quote"] == other["quote"])


def _typed_wrong(
    row: dict[str, Any], last: Sequence[tuple[dict[str, Any], Slot]], held: dict[Slot, _Held]
) -> list[Slot]:
    """Where a value belongs that puts right what was said right before it ("Wait no, Lisbon"), if that is one value
    of its kind."""
    kind = ("age",) if row["value"].isdecimal() else ("name", "address", "employer", "home", "from")
    slots = [slot for _, slot in last if slot[1] in kind and held[slot].entry is not None]
    return slots if len(slots) == 1 and (kind != ("age",) or an_age(row["value"])) else []


# What two spellings of one thing differ by.
_SPELT = (("favourite", "favorite"), ("colour", "color"), ("flavour", "flavor"))


def _slots(row: dict[str, Any], held: _Slots) -> list[Slot]:
    """Where a row belongs: one slot, or for a value set against another those where that one stands."""
    who, attribute, key = row["who"], row["attribute"], row["key"]
    if attribute == "?" or (row["value"] is None and attribute not in SINGLE):
        alike = {
            slot: entry
            for slot, entry in held.having(who, attribute, row["instead_of"] or "").items()
            # Who does not speak a language may be learning it.
            if not (attribute == "language" and key is None and entry.key == "learning")
            and (attribute != "?" or _fits(slot[1], row["value"]))
        }
        # "Likes pizza" and "favourite food: pizza" are two: a row that names one is of that.
        named = [slot for slot, entry in alike.items() if entry.key == key]
        return (named or list(alike))[-1:]
    if key == FIELD:
        slot = who, attribute, ""
        known = held.get(slot)
        return [] if known is not None and known.entry is not None and known.entry.key != FIELD else [slot]
    if attribute in ("home", "employer") and key in _MOVED:
        # "I moved to Sprint 2": who is not known to live anywhere has not moved house.
        slot = who, attribute, ""
        known = held.get(slot)
        if known is None or not (known.entry is not None or known.before):
            return []
        there = known.entry is not None and _same(attribute, known.entry.value, row["instead_of"] or "")
        return [slot] if key == "moved" or there else []
    if attribute in SINGLE:
        return [(who, attribute, key or "" if attribute == "name" else "")]
    if attribute == "taste" and (key or "").startswith("favourite"):
        return [(who, attribute, _spelt(key or ""))]
    if attribute == "taste" and (sides := _against(row["value"])):
        # "tea over coffee" and "coffee to tea" are one question.
        return [(who, attribute, " over ".join(sorted(map(plain, sides))))]
    if attribute == "diet" and _spelt(row["value"]) in _EATERS:
        return [(who, attribute, "eater")]
    of = key or "" if attribute == "language" else ""
    return [(who, attribute, " ".join([of, *sorted(set(terms(row["value"])))]) or plain(row["value"]))]


def _against(value: str) -> tuple[str, str] | None:
    """The two things of which one is preferred to the other; None where a value names no two."""
    match = _AGAINST.fullmatch(value)
    return (match["one"] or match["a"], match["other"] or match["b"]) if match else None


def _fits(attribute: str, value: str) -> bool:
    """Whether a value that names no attribute can be one of this kind: an age is a number, and nothing else is."""
    return an_age(value) if attribute == "age" else not value.isdecimal()


def _entry(row: dict[str, Any]) -> Entry:
    key = None if row["key"] in _MOVED else row["key"]
    return Entry(row["attribute"], key, row["value"], row["who"], row["count"], (_source(row),))


def _source(row: dict[str, Any]) -> Evidence:
    return Evidence(row["exchange_id"], row["message_id"], row["time"], row["quote"])


def _put(held: _Held, row: dict[str, Any]) -> Entry | None:
    """Put a row into its slot: the entry that holds no longer, if one went."""
    now, value = held.entry, row["value"]
    if value is None:
        if now is not None and (
            row["instead_of"] is None or _same(now.attribute, now.value, row["instead_of"])
        ):
            gone = held.whole()
            held.before = (*held.before, Former(now.value, (*held.said, _source(row))))
            held.entry = None
            return gone
        return None
    made = _entry(row)
    if now is not None and row["attribute"] == "?":
        made = replace(made, attribute=now.attribute, key=now.key)
    alike = now is not None and _spelt(now.key or "") == _spelt(made.key or "")
    if now is not None and alike and _same(made.attribute, now.value, value):
        held.entry = now if len(now.value) >= len(value) else replace(now, value=value)
        held.again(row)
        return None
    gone = held.whole()
    if now is not None:
        # Who liked it dislikes it now.
        former = now.value if alike or now.attribute != "taste" else f"{now.key or ''} {now.value}".strip()
        held.before = (*held.before, Former(former, tuple(held.said)))
    held.put(replace(made, corrected=row["correction"] and bool(held.before), before=held.before), row)
    return gone


# Attributes of which two values are one if they have the same words.
_BY_WORDS = ("taste", "diet", "allergy")


def _same(attribute: str, one: str, other: str) -> bool:
    """Whether two values are one, of which the longer says more: "Paris" and "Paris, France". The other
    may be a mark (`layers.replaced`)."""
    if is_mark(other):
        return mark(one) == other
    short, long = sorted((_spelt(one), _spelt(other)), key=len)
    if attribute == "age" or not short:
        return short == long
    if attribute in _BY_WORDS:
        return (not _against(long) and set(terms(short)) == set(terms(long))) or short == long
    if attribute in ("job", "name"):
        return f" {short} ".replace(",", "") in f" {long} ".replace(",", "")
    return short == long or long.startswith(f"{short},")


def _likeness(attribute: str, value: str) -> str | frozenset[str]:
    """What two values have in common wherever they are the `_same`."""
    if attribute in _BY_WORDS:
        return frozenset(terms(_spelt(value)))
    return "" if attribute in ("job", "name") else _spelt(value).partition(",")[0]


def _spelt(value: str) -> str:
    bare = plain(value).removeprefix("the ")
    for british, american in _SPELT:
        bare = bare.replace(british, american)
    return bare


def _styles(rows: Sequence[dict[str, Any]]) -> list[Entry]:
    """How answers are wanted; a newer wish takes an older one's place as a standing order does."""
    found: list[Entry] = []
    for who in dict.fromkeys(row["who"] for row in rows):
        of = [row for row in rows if row["who"] == who]
        given = [Order(place, "preference", row["value"], None, None) for place, row in enumerate(of)]
        by_text: dict[str, _Held] = {}
        former: tuple[Former, ...] = ()
        for order in orders(given):
            row, text = of[order.exchange_id], plain(order.text)
            if order.state == "superseded":
                former = (*former, Former(order.text, (_source(row),)))
            elif order.state == "withdrawal" or (
                not order.replaced and withdrawal(order.text) and not is_style(order.text)
            ):
                continue  # it only takes back, or tells to leave off what nobody asked for
            elif text in by_text:
                by_text[text].again(row)
            else:
                before = tuple(
                    each for each in former if order.replaced and plain(each.value) == plain(order.replaced)
                )
                by_text[text] = _Held()
                by_text[text].put(replace(_entry(row), before=before, corrected=bool(before)), row)
        found += (entry for each in by_text.values() if (entry := each.whole()) is not None)
    return found


def _written(rows: dict[tuple[str | None, str], list[dict[str, Any]]]) -> list[Entry]:
    """The languages that are used often enough."""
    counts = {key: sum(row["count"] for row in of) for key, of in rows.items()}
    total: Counter[str | None] = Counter()
    for (who, _), count in counts.items():
        total[who] += count
    return [
        # Built once per language. Row by row took quadratic time: 10M tokens have 129 sources of one language.
        replace(_entry(of[0]), count=counts[key], said=tuple(dict.fromkeys(map(_source, of))))
        for key, of in rows.items()
        if counts[key] >= MESSAGES and counts[key] >= SHARE * total[key[0]]
    ]
