"""Items of the scratchpad: single notes, and what of them stays where room is short. Knows no tree.

Rules drop exact repetitions, let the newer of two items about one subject replace the older and say what it
replaced, mark both of two that deny one another, and where room is short give each kind its share of it, spread evenly
over the span. They cannot rephrase, so they do not see that two differently worded items say the same. Instructions and
preferences are no items: they have a layer of their own, with room for all (`memfold.layers.orders`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import pyarrow as pa

from memfold.layers.orders import STANDING
from memfold.layers.scratchpad.subjects import denies, entity, holds, known, subjects, without_reason
from memfold.schema import required
from memfold.text import tokens
from memfold.text.terms import plain

# An item of the scratchpad: a note with the exchange it came from, what it is about (`entity`: of what `about` is an
# attribute, empty where `about` says so itself), what it replaced and what it contradicts.
ITEM = pa.struct(
    [
        required("exchange_id", pa.int64()),
        required("kind", pa.string()),
        required("text", pa.string()),
        pa.field("about", pa.string()),
        pa.field("reason", pa.string()),
        pa.field("date", pa.string()),
        pa.field("replaced", pa.string()),
        required("tokens", pa.int32()),
        pa.field("entity", pa.string()),
        pa.field("against", pa.string()),
    ]
)

# The same where twins are folded: `also` are the exchanges of the items it stands for.
FOLDED_ITEM = pa.struct([*ITEM, required("also", pa.list_(pa.int64()))])

# What says most: what was settled before what was told, moods last. The finer steps are a judgement, not measured.
SALIENCE = {
    "constraint": 6,
    "correction": 6,
    "decision": 6,
    "excluded": 5,
    "event": 4,
    "fact": 3,
    "question": 2,
    "sentiment": 1,
}

# What of a node's room each kind has for itself, where it needs it; what a kind leaves goes to the others by
# salience. Without shares, instructions alone were the root of 8,301 exchanges, and without them constraints and
# decisions would be.
SHARES: Mapping[str, float] = {
    "fact": 0.25,
    "event": 0.2,
    "decision": 0.15,
    "constraint": 0.1,
    "correction": 0.1,
    "excluded": 0.1,
    "question": 0.06,
    "sentiment": 0.04,
}


@dataclass(frozen=True, slots=True)
class Item:
    """A note with the exchange it came from. `replaced` is the text of the older item it took the place of, `against`
    that of one that says the contrary; `entity` is of what `about` is an attribute, empty where `about` says so
    itself; `also` are the exchanges of its twins, where those are folded."""

    exchange_id: int
    kind: str
    text: str
    about: str | None
    reason: str | None
    date: str | None
    replaced: str | None
    tokens: int
    entity: str | None = None
    against: str | None = None
    also: tuple[int, ...] = ()

    @staticmethod
    def of(row: Mapping[str, Any]) -> Item:
        """From a stored row."""
        return Item(**{**row, "also": tuple(row.get("also") or ())})


class Overfull(NamedTuple):
    """A complete node that holds more than a node may: its items as they were said, repetitions dropped, what they
    are to be condensed to, and what share of it each kind has for itself."""

    conversation_id: str
    first_exchange: int
    items: tuple[Item, ...]
    budget: int
    shares: Mapping[str, float] = SHARES


def items_of(row: Mapping[str, Any], notes: Sequence[Mapping[str, Any]]) -> Iterator[Item]:
    """The items of an exchange: its facts, and the notes of it that are no standing orders. `row` is its extraction."""
    number = row["exchange_id"]
    for fact in row["facts"]:
        text = f"{fact['key']} = {fact['value']}"
        of = entity(fact["key"], text, row["summary"])
        yield Item(number, "fact", text, fact["key"], None, None, None, tokens.count(text), of)
    for note in notes:
        kind, text, about = note["kind"], note["text"], note["about"]
        if kind not in STANDING:
            of = entity(about, text) if about else None
            yield Item(
                number, kind, text, about, note["reason"], note["date"] or None, None, tokens.count(text), of
            )


def size(items: Sequence[Item]) -> int:
    """The tokens of the items' texts."""
    return sum(item.tokens for item in items)


def united(items: Sequence[Item]) -> tuple[Item, ...]:
    """`items` (given in the order they were said) without repetitions; of a subject that has one current item, the
    newest, which says what it replaced; where two deny one another both stay and say so. Two of one exchange are two
    things, and replace nothing. In the order they were said, the most salient of an exchange first."""
    current: dict[int, Item] = {}
    places: dict[tuple[str, ...], int] = {}
    keys = [subjects(item.kind, item.about, item.entity, item.text) for item in items]
    stated = {
        (item.exchange_id, item.kind, key, plain(without_reason(item.text)))
        for item, about in zip(items, keys, strict=True)
        for key in about
    }
    twice = {subject for subject, values in Counter(one[:3] for one in stated).items() if values > 1}
    for place, item in enumerate(items):
        # "contact = Rosa" of one project and of another are no repetition.
        said = ("said", item.kind, plain(item.text), item.entity or "")
        again = places.get(said, -1)
        # "From 29 March to 27 October" has two dates of one key: which is the newer, nobody says.
        unsure = any((item.exchange_id, item.kind, key) in twice for key in keys[place])
        first = current.get(again)
        # One of two values stays beside the other though it was said before: alone that one would count as the newest.
        if first is not None and (not unsure or first.exchange_id == item.exchange_id):
            current[again] = replace(
                first,
                replaced=first.replaced or item.replaced,
                against=first.against or item.against,
                also=tuple(sorted({*first.also, *item.also} - {first.exchange_id})),
            )
            continue
        earlier = (places[key] for key in keys[place] if not unsure and places.get(key) in current)
        older = next((at for at in earlier if current[at].exchange_id != item.exchange_id), None)
        if older is not None and denies(current[older].text) != denies(item.text):
            current[older] = replace(current[older], against=item.text)
            item = replace(item, against=item.against or current[older].text)
        elif older is not None:
            before = current.pop(older)
            was = before.text if plain(before.text) != plain(item.text) else before.replaced
            if holds(item.text, before.text):
                was = before.replaced or was
            item = replace(item, replaced=item.replaced or was, against=item.against or before.against)
        current[place] = item
        places |= dict.fromkeys((said, *known(item.kind, item.about, item.entity, item.text)), place)
    return tuple(sorted(current.values(), key=_said))


def condense(items: Sequence[Item], budget: int, shares: Mapping[str, float] = SHARES) -> tuple[Item, ...]:
    """`items` (given in the order they were said) united, and what of them fits `budget` tokens, in that order."""
    return fitting(united(items), budget, shares)


def fitting(items: Sequence[Item], budget: int, shares: Mapping[str, float] = SHARES) -> tuple[Item, ...]:
    """What `condense` keeps of items that are united already: all of them where they fit. Else each kind fills its
    share of `budget`, and the most salient kinds what the others leave; of a kind, what replaced or contradicts
    something comes first, and the rest is spread evenly over what was said."""
    if size(items) <= budget:
        return tuple(items)
    kinds: dict[str, list[Item]] = {
        kind: _evenly([item for item in items if item.kind == kind])
        for kind in sorted(SALIENCE, key=lambda kind: -SALIENCE[kind])
    }
    kept: list[Item] = []
    for share in (True, False):
        for kind, waiting in kinds.items():
            room = int(budget * shares.get(kind, 0)) if share else budget - size(kept)
            left = []
            for item in waiting:
                if item.tokens <= room:
                    room -= item.tokens
                    kept.append(item)
                else:
                    left.append(item)
            kinds[kind] = left
    return tuple(sorted(kept, key=_said))


def _evenly(items: Sequence[Item]) -> list[Item]:
    """`items` so that any number of the first of them are spread over all: by their places' digits read backwards in
    base 2 (van der Corput's sequence). What replaced or contradicts something comes first."""
    width = len(items).bit_length()
    turns = [int(f"{place:0{width}b}"[::-1], 2) for place in range(len(items))]
    order = sorted(
        range(len(items)),
        key=lambda place: (not (items[place].replaced or items[place].against), turns[place]),
    )
    return [items[place] for place in order]


def render(item: Item) -> str:
    """One item as a line of text."""
    line = f"{item.kind}: {item.text}"
    # Whose the value is of those who are named beside it, nobody says. A whole sentence says it itself.
    if item.kind == "fact" and item.entity and item.entity not in item.text.lower():
        line += f" (beside: {item.entity})"
    if item.date:
        line += f" [{item.date}]"
    if item.reason:
        line += f" (because {item.reason})"
    if item.replaced and not holds(item.text, item.replaced):
        line += f" ({'more exactly' if holds(item.replaced, item.text) else 'before'}: {item.replaced})"
    if item.against:
        line += f" (but also said: {item.against})"
    return line


def _said(item: Item) -> tuple[int, int, str]:
    return item.exchange_id, -SALIENCE[item.kind], item.text
