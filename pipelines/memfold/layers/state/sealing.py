"""The state, sealed by a model: it tells which entries are one where rules cannot, and does nothing else.

The layer becomes a tree (decision 43). A part that covers all the exchanges of its place is whole: nothing said later
changes it. The model is shown the entries that hold at its end, once, and names pairs that say the same; what it names
is a row of numbers, so no word is written by it. An inner node carries the newest entries of the nodes below it, so
that what was said in different segments meets, and all pairs found so far. The right edge, which the next append makes
anew, is left to the rules.

The instructions are `sealing.md`, the answer's shape is `sealing.schema.json`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from memfold.extract.contract import FALLBACK
from memfold.layers.layer import Group, Span, tabled
from memfold.layers.state.candidates import READS, TABLE, VERSION, candidates
from memfold.layers.state.history import SAME, WHOLE, link, stand
from memfold.layers.state.stated import KINDS, Place
from memfold.layers.state.wording import alike
from memfold.llm.answers import Invalid, answered, validator
from memfold.llm.asker import Asker
from memfold.llm.generator import Generation, Prompt
from memfold.llm.judged import Question, judged
from memfold.llm.prompts import instructed, listed, numbered, prompt_of
from memfold.schema import SPAN
from memfold.text import tokens

INSTRUCTIONS, _SEALING = instructed(Path(__file__).parent, "sealing", 1)
# Twelve pairs are 80 tokens, and as many more where a model writes them over several lines.
SEALING = replace(_SEALING, max_tokens=256)
# To be raised when pairs are judged in another way.
_JUDGING = 2

# How many nodes a node covers, how many entries it carries to the one above, and the most tokens of entries that a
# request lists: with the newest of four nodes a list has 96, of up to 55 tokens each.
FAN = 4
CARRIED = 24
LONGEST_LIST = 3_000

_VALIDATOR = validator(SEALING.schema)
Row = Mapping[str, Any]
# Pairs of entries that are one, the later first, and who told them.
Told = tuple[list[tuple[Place, Place]], str]


class Listing(NamedTuple):
    """Entries that hold together, oldest first, as rows of the layer."""

    conversation_id: str
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Sealing:
    """Tells which entries of listings are one. For any number of threads. BudgetSpent, and UserError where nobody
    answers any more; a listing without a valid answer is left to the rules, and what is sealed says so."""

    asker: Asker

    @property
    def signature(self) -> str:
        """All that the pairs depend on besides the entries: the model, the prompt, the settings."""
        return self.asker.generator.signed(f"state-{_JUDGING}", SEALING, FAN, CARRIED, LONGEST_LIST)

    def __call__(self, listings: Sequence[Listing]) -> list[Told]:
        """The pairs of each listing, the later entry first, and who told them."""
        asked = [listing for listing in listings if len(listing.rows) > 1]
        made = judged(self.asker, [Question(partial(request, each), partial(_read, each)) for each in asked])
        found = iter(made)
        return [
            ([], self.signature) if len(listing.rows) < 2 else self._told(next(found)) for listing in listings
        ]

    def _told(self, pairs: list[tuple[Place, Place]] | None) -> Told:
        """The pairs of an answer; without a valid one the rules are left to tell."""
        return ([], self.signature + FALLBACK) if pairs is None else (pairs, self.signature)


def _read(listing: Listing, made: Generation) -> list[tuple[Place, Place]]:
    return same(listing, answered(made.text, made.finish_reason, _VALIDATOR)["same"])


def request(listing: Listing, problem: str = "") -> Prompt:
    """The request about a listing. `problem` is what was wrong with the answer before, in words of this project."""
    entries = [_line(number, row) for number, row in enumerate(listing.rows, start=1)]
    lines = listed("entries", entries, f": {len(entries)} entries")
    return prompt_of(INSTRUCTIONS, lines, SEALING, listing.conversation_id, problem)


def same(listing: Listing, pairs: Sequence[Sequence[int]]) -> list[tuple[Place, Place]]:
    """The pairs of an answer as places of entries, in order. Invalid where it names an entry that is not listed, an
    earlier one as the later, or one twice as the later. What must not be one is left apart (`history.alike`)."""
    rows = dict(enumerate(listing.rows, start=1))
    if not rows.keys() >= {number for pair in pairs for number in pair}:
        raise Invalid("a number in it was on no entry")
    if any(later <= earlier for later, earlier in pairs):
        raise Invalid("the later entry of a pair must come first")
    if len({later for later, _ in pairs}) < len(pairs):
        raise Invalid("a number in it was used twice")
    return [
        (_place(rows[later]), _place(rows[earlier]))
        for later, earlier in sorted(map(tuple, pairs))
        if alike(rows[later]["kind"], rows[later]["text"], rows[earlier]["kind"], rows[earlier]["text"])
    ]


def _line(number: int, row: Row) -> str:
    """An entry of the list."""
    return numbered(number, f"{row['kind']}: {row['text']}")


def _place(row: Row) -> Place:
    return row["exchange_id"], row["n"]


class _Part(NamedTuple):
    """A part to be sealed: its name, its rows, the rows `below` that it is made from, and any row of its `last`
    exchange if the part is whole, else None."""

    name: str
    rows: Sequence[Row]
    below: Sequence[Row]
    last: Row | None


@dataclass(frozen=True)
class SealedState:
    """The layer (`memfold.layers.layer.Layer`): the candidates of each segment, and a tree over them whose whole parts
    `sealing` seals; without a model it seals nothing. A whole part has a row that says so and by whom."""

    sealing: Sealing | None = None
    span: int = SPAN

    name = "state"
    table = TABLE
    reads = READS
    fan = FAN
    by_exchange = False

    @property
    def version(self) -> str:
        """See `Layer`."""
        return f"{VERSION}:{self.sealing.signature if self.sealing is not None else 'nobody'}"

    def leaves(self, spans: Sequence[Span]) -> Sequence[pa.Table]:
        """The candidates of each segment, and of a whole one the pairs among them."""
        parts = []
        for span, leaf in zip(spans, candidates(spans), strict=True):
            rows = leaf.to_pylist()
            last = _newest(span.rows["extractions"].to_pylist(), self.span)
            parts.append(_Part(span.name, rows, rows, last))
        return tabled(self._sealed(parts), TABLE)

    def nodes(self, groups: Sequence[Group]) -> Sequence[pa.Table]:
        """The newest entries that hold of the nodes below, and all pairs that were told there and here."""
        parts = []
        for group in groups:
            below = [row for child in group.children for row in child.to_pylist()]
            rows = [{**row, "segment": group.name} for row in _carried(below)]
            last = _newest([row for row in below if row["kind"] == WHOLE], FAN)
            parts.append(_Part(group.name, rows, below, last))
        return tabled(self._sealed(parts), TABLE)

    def _sealed(self, parts: Sequence[_Part]) -> list[list[Row]]:
        """The rows of some parts, and behind those of a whole one what is told of its entries that hold."""
        listings = [_listing(part.below) for part in parts if part.last is not None]
        told = iter(self.sealing(listings) if self.sealing is not None else [([], "nobody")] * len(listings))
        made = []
        for part in parts:
            made.append(list(part.rows))
            if part.last is not None:
                made[-1] += _telling(part.name, part.last, *next(told))
        return made


def _telling(name: str, last: Row, pairs: Sequence[tuple[Place, Place]], by: str) -> Iterator[Row]:
    """The rows that tell the pairs of a whole part, and that it is whole."""
    whole = {
        "segment": name,
        "conversation_id": last["conversation_id"],
        "exchange_id": last["exchange_id"],
        "n": 0,
        "kind": WHOLE,
        "text": by,
        "keys": [],
        "words": [],
    }
    yield from ({**whole, **link(*pair)} for pair in pairs)
    yield whole


def _newest(rows: Sequence[Row], whole: int) -> Row | None:
    """The last of some rows by exchange where there are as many as make a part whole, else None."""
    return max(rows, key=lambda row: row["exchange_id"]) if len(rows) == whole else None


def _holding(rows: Sequence[Row]) -> list[Row]:
    """The entries among some rows that hold, in order; once each, whatever carries them."""
    known = {_place(row): row for row in rows if row["kind"] in (*KINDS, "correction")}
    standing = stand(pa.Table.from_pylist(list(_once(rows)), schema=TABLE))
    holding = {
        entry.place for entry in standing.entries if entry.state == "holds" and entry.place is not None
    }
    return [known[place] for place in sorted(known) if place in holding]


def _once(rows: Iterable[Row]) -> Iterator[Row]:
    seen = set()
    for row in rows:
        key = (*_place(row), row["kind"])
        if key not in seen:
            seen.add(key)
            yield row


def _carried(rows: Sequence[Row]) -> list[Row]:
    """What a node hands on: the newest entries that hold, and all pairs."""
    return [*_holding(rows)[-CARRIED:], *_once(row for row in rows if row["kind"] == SAME)]


def _listing(rows: Sequence[Row]) -> Listing:
    """The newest entries that hold, as many as a request lists."""
    chosen: list[Row] = []
    held = 0
    for row in reversed(_holding(rows)):
        held += tokens.count(_line(len(rows), row)) + 1
        if held > LONGEST_LIST:
            break
        chosen.append(row)
    of = rows[0]["conversation_id"] if rows else ""
    return Listing(of, tuple(reversed(chosen)))
