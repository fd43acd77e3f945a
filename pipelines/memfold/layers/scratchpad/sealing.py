"""Sealing by a model: it edits a node that holds too much, it does not write it anew.

The model is given a node's items, numbered, oldest first, and names edits: items that one sentence can stand for,
items a later one replaced, items nobody will ask for. What it does not name stays word for word, so an answer is at
most 1,000 tokens where writing the node would be 15,000. What then still does not fit gives way by the layer's
rules, which also stand in where there is no valid answer. No kind is dropped below its share of the room, whatever was
answered. Instructions and preferences are no items, so no answer can touch one.

The instructions are `sealing.md`, the answer's shape is `sealing.schema.json`. Knows no tree and no
job: a node is what the layer hands over.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from memfold.extract.contract import FALLBACK, MAX_ABOUT, MAX_TEXT, bounded
from memfold.layers.scratchpad.items import SHARES, Item, Overfull, condense, render, size
from memfold.llm.answers import Invalid, answered, check_language, check_texts, validator
from memfold.llm.asker import Asker
from memfold.llm.generator import Generation, Prompt, Task
from memfold.llm.judged import Question, judged
from memfold.llm.prompts import instructed, listed, numbered, prompt_of
from memfold.schema import Extraction, Note
from memfold.text import tokens
from memfold.text.language import language

INSTRUCTIONS, SEALING = instructed(Path(__file__).parent, "sealing", 3)
# To be raised when `edited` carries out an answer in another way.
_EDITING = 4

# A request holds at most so many tokens of entries, some thirty exchanges, and the schema allows edits of half of them:
# when a long conversation's last notes are condensed, all engines have some, and none a long one (decision 11).
LONGEST_LIST = 3_000
# And it has `full` tokens together with its answer, for models of a short context. As many edits as the schema allows
# are about 500 tokens.
ANSWER_SHARE = 10
SHORTEST_ANSWER, LONGEST_ANSWER = 256, 1_000
# Besides instructions and entries: marks, the last line, a repair's line, a chat template.
FRAME_TOKENS = 100
SMALLEST_LIST = 256

_VALIDATOR = validator(SEALING.schema)
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True)
class Listing:
    """What one request is about: some of a node's items, in order, how many tokens of them there is room for, and what
    share of that each kind has for itself."""

    conversation_id: str
    items: tuple[Item, ...]
    room: int
    shares: Mapping[str, float] = field(default_factory=lambda: SHARES)


@dataclass(frozen=True)
class Sealing:
    """A condenser (`memfold.layers.scratchpad.tree.Condenser`) that asks; `full` tokens are the most that a request and
    its answer have together, `LONGEST_LIST` the most that it lists. For any number of threads. BudgetSpent, and
    UserError where nobody answers any more; everything else that goes wrong with a node is left to the rules, and the
    node says so."""

    asker: Asker
    full: int

    @cached_property
    def task(self) -> Task:
        """The kind of request, whose answer has a tenth of `full` tokens, 256 to 1,000."""
        longest = min(max(SHORTEST_ANSWER, self.full // ANSWER_SHARE), LONGEST_ANSWER)
        return replace(SEALING, max_tokens=longest)

    @property
    def signature(self) -> str:
        """All that a sealed node depends on besides its items: the model, the prompt, the settings."""
        return self.asker.generator.signed(f"seal-{_EDITING}", self.task, self.full, LONGEST_LIST)

    def __call__(self, nodes: Sequence[Overfull]) -> list[tuple[tuple[Item, ...], str]]:
        divided = [self.listings(node) for node in nodes]
        ask = partial(request, task=self.task)
        questions = [
            Question(partial(ask, listing), partial(_read, listing))
            for listings in divided
            for listing in listings
        ]
        answers = iter(judged(self.asker, questions))
        return [
            self._sealed(node, listings, [next(answers) for _ in listings])
            for node, listings in zip(nodes, divided, strict=True)
        ]

    def _sealed(
        self, node: Overfull, listings: Sequence[Listing], edits: Sequence[tuple[Item, ...] | None]
    ) -> tuple[tuple[Item, ...], str]:
        """The node's items after the edits of its listings, and who made them; None among the edits is left to the
        rules."""
        items = [
            item for listing, edit in zip(listings, edits, strict=True) for item in edit or listing.items
        ]
        made_by = self.signature if None not in edits else self.signature + FALLBACK
        return condense(items, node.budget, node.shares), made_by

    def listings(self, node: Overfull) -> list[Listing]:
        """The node's items in as few requests as hold them, in the order of time and of about one length; each has its
        share of the node's room."""
        longest = self.asker.generator.longest(self.task)
        room = max(self.full - longest - tokens.count(INSTRUCTIONS) - FRAME_TOKENS, SMALLEST_LIST)
        room = min(room, LONGEST_LIST)
        lengths = [tokens.count(_line(n, item)) + 1 for n, item in enumerate(node.items, start=1)]
        share = math.ceil(sum(lengths) / math.ceil(sum(lengths) / room))
        listings: list[list[Item]] = [[]]
        held = 0
        for item, length in zip(node.items, lengths, strict=True):
            if listings[-1] and (held >= share or held + length > room):
                listings.append([])
                held = 0
            listings[-1].append(item)
            held += length
        whole = size(node.items)
        return [
            Listing(node.conversation_id, tuple(listing), node.budget * size(listing) // whole, node.shares)
            for listing in listings
        ]


def _read(listing: Listing, made: Generation) -> tuple[Item, ...]:
    return edited(listing, answered(made.text, made.finish_reason, _VALIDATOR))


def request(listing: Listing, problem: str = "", task: Task = SEALING) -> Prompt:
    """The request about a listing. `problem` is what was wrong with the answer before, in words of this project."""
    entries = [_line(n, item) for n, item in enumerate(listing.items, start=1)]
    end = f": {len(entries)} entries of {size(listing.items)} tokens, room for {listing.room}"
    lines = listed("entries", entries, end)
    return prompt_of(INSTRUCTIONS, lines, task, listing.conversation_id, problem)


def edited(listing: Listing, answer: Mapping[str, Any]) -> tuple[Item, ...]:
    """The listing's items after the edits of an answer of the schema, in order.

    Invalid where the answer contradicts itself or the list: a number that is on no entry or goes twice, an older
    entry in place of a newer, texts out of bounds, in circles or in a foreign script. An edit that is sound but must
    not be is not carried out: a merge that is of no kind of its entries, holds a number none of them has, joins what
    has two dates or reasons, or saves nothing; what replaces one of two that deny one another; and what is dropped
    beyond what there is no room for, or of a kind that has no more than its share.
    """
    items = dict(enumerate(listing.items, start=1))
    merges, drop = answer["merges"], list(map(int, answer["drop"]))
    pairs = [(int(pair["new"]), int(pair["old"])) for pair in answer["replaced"]]
    merged = [number for merge in merges for number in map(int, merge["of"])]
    gone = Counter([*merged, *(old for _, old in pairs), *drop])
    if not items.keys() >= gone.keys() | {new for new, _ in pairs}:
        raise Invalid("a number in it was on no entry")
    if any(count > 1 for count in gone.values()) or {new for new, _ in pairs} & {*merged, *drop}:
        raise Invalid("a number in it was used twice")
    if any(new <= old for new, old in pairs):
        raise Invalid("an older entry cannot replace a later one")
    _check(listing, merges)

    pairs = [(new, old) for new, old in pairs if items[old].against is None]
    replaced = {old for _, old in pairs}
    left = {number: item for number, item in items.items() if number not in replaced}
    for new, old in dict(sorted(pairs)).items():  # of several that an entry replaced, it names the newest
        if new in left:
            left[new] = replace(left[new], replaced=left[new].replaced or items[old].text)
    made: list[Item] = []
    for merge in merges:
        one = _merged([items[number] for number in map(int, merge["of"])], merge)
        if one is not None:
            made.append(one)
            left = {n: item for n, item in left.items() if n not in merge["of"]}
    spare = size([*left.values(), *made]) - listing.room
    held = Counter[str]()
    for item in [*left.values(), *made]:
        held[item.kind] += item.tokens
    for number in drop:
        kind, length = left[number].kind, left[number].tokens
        if spare > 0 and held[kind] - length >= listing.room * listing.shares.get(kind, 0):
            spare -= length
            held[kind] -= length
            del left[number]
    return tuple(sorted([*left.values(), *made], key=lambda item: item.exchange_id))


def _merged(sources: Sequence[Item], merge: Mapping[str, Any]) -> Item | None:
    """The item that stands for some others; None where there must be none. It is as new as the newest of them."""
    kind, alike = merge["kind"], [source for source in sources if source.kind == merge["kind"]]
    notes = bounded(Extraction("", (), (Note(kind, merge["text"]),)), ()).notes
    if not alike or not notes or any(source.against for source in sources):
        return None
    text = notes[0].text
    length = tokens.count(text)
    said = " ".join(render(source) for source in sources)
    if length >= size(sources) or not set(_NUMBER.findall(text)) <= set(_NUMBER.findall(said)):
        return None
    dates = {source.date for source in sources if source.date}
    reasons = {source.reason for source in sources if source.reason}
    if len(dates) > 1 or len(reasons) > 1:
        return None  # one of them would be given to all
    # A subject of its own would let the next item about it take the place of all that was merged.
    about = {source.about.casefold(): source.about for source in alike if source.about}
    return Item(
        exchange_id=max(source.exchange_id for source in sources),
        kind=kind,
        text=text,
        about=(subject := about.get(merge.get("about", "").casefold())),
        reason=next(iter(reasons), None),
        date=next(iter(dates), None),
        replaced=_newest(source.replaced for source in sources),
        tokens=length,
        entity=next((source.entity for source in alike if subject and source.about == subject), None),
        also=tuple(sorted({exchange for source in sources for exchange in source.also})),
    )


def _newest(values: Iterable[str | None]) -> str | None:
    return next((value for value in reversed(list(values)) if value), None)


def _check(listing: Listing, merges: Sequence[Mapping[str, Any]]) -> None:
    texts = [(merge["text"], MAX_TEXT) for merge in merges]
    texts += [(merge.get("about", ""), MAX_ABOUT) for merge in merges]
    check_texts(texts, [(merge["kind"], merge["text"]) for merge in merges])
    heard = [item.text for item in listing.items]
    check_language(" ".join(merge["text"] for merge in merges), language(" ".join(heard)), heard)


def _line(number: int, item: Item) -> str:
    """An entry of the list."""
    about = f" (about {item.about})" if item.about and item.about not in item.text else ""
    return numbered(number, render(item) + about)
