"""Does the scratchpad hold at ten million tokens: has its root every kind, is no order lost, are planted values found?

    python benchmarks/scratchpad.py [--beam DIR] [--tokens 10000000] [--subjects 24] [--reach 48] [--seed 0]
        [--twins 0.9]

`--beam` is one conversation of BEAM: its notes are its own sentences, of the simulated mixture of kinds
(memfold.evaluate.simulated), sealed by a simulated model. Without it only the second part runs.

The second is the synthetic source at `--tokens`, of which an extraction as a sensible engine writes it is made from
the plan: 300 values are drawn from what was planted and asked for. 200 were updated (the newest must be found, saying
what it replaced), 50 contradicted (both sides must be found, and be marked), and 50 are of keys that other entities
have too, named by the words around the value alone. What was found is what f(S, x) gives in its first `TOKENS`
tokens: `subjects` as it reads by default, `tree` without the layer subjects but `--reach` exchanges deep (where that
is not 0), `root` in the paper's way. `ms` is the CPU time of one reading, besides search. Sentences of the exchanges
around them are noted too, so that nodes are full. Nothing is sent anywhere.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from statistics import median
from typing import Any

import pyarrow as pa
from harness import keep
from sealing_cost import Here, Stored, Written, extracted, written

from memfold.embed.contract import Embedder
from memfold.embed.minilm import MiniLM
from memfold.evaluate.conversations import conversation
from memfold.evaluate.synthetic import Synthetic, _exchanges
from memfold.evaluate.synthetic.plan import Step, Thread, walk
from memfold.layers.episodic import EpisodeRows
from memfold.layers.layer import Span, Tools
from memfold.layers.orders import STANDING, Orders
from memfold.layers.scratchpad.items import Item, render, size
from memfold.layers.scratchpad.sealing import Sealing
from memfold.layers.scratchpad.tree import FAN, Node, Scratchpad, Tree, table
from memfold.layers.subjects import Subjects
from memfold.llm.asker import Asker
from memfold.retrieve.fuse import Retrieval, rank
from memfold.retrieve.query import pose
from memfold.retrieve.scratchpad import nearest
from memfold.retrieve.view import View
from memfold.schema import MESSAGES, SPAN, Message, StoredMessage
from memfold.text import tokens

# Tokens of f(S, x) among which a value must be found: what notes get of a context of 5,000, and of 14,000; more; what a
# model that filters is shown.
TOKENS = (125, 350, 1_000, 4_000)
WANTED = {"updated": 200, "contradicted": 50, "other entities": 50}


def root_of(folder: Path) -> dict[str, object]:
    """What the root holds of a conversation whose notes are its own sentences."""
    messages = conversation(folder)
    rows = extracted(messages, 90)
    tree = Tree(Scratchpad(), Sealing(Asker(Here(model="none", retries=0)), Scratchpad().full))
    stored = Stored(rows)
    root = stored.grow(tree, rows.exchanges)
    noted = Counter(rows.notes["kind"].to_pylist())
    held = Counter[str]()
    for item in root.items:
        held[item.kind] += item.tokens
    return {
        "conversation": "/".join(folder.parts[-2:]),
        "exchanges": rows.exchanges,
        "noted": dict(noted),
        "root_tokens": size(root.items),
        "root_tokens_by_kind": dict(held),
        "kinds_lost": sorted(set(noted) - set(held) - set(STANDING)),
        "root_dropped": root.dropped,
        "thirds_of_the_span": [
            sum(item.exchange_id * 3 // rows.exchanges == third for item in root.items) for third in range(3)
        ],
    }


@dataclass(frozen=True)
class Planted:
    """A value that was planted: what is asked, the exchanges that tell it, what must be found and what beside it."""

    sort: str
    question: str
    told: tuple[int, ...]
    newest: str
    before: str


def noted(step: Step, shared: set[int]) -> dict[str, Any]:
    """What a sensible engine writes of the planted sentence of an exchange: a fact whose key names its entity, or where
    the thread is among `shared`, one whose key does not."""
    thread, sentence = step.thread, step.sentence
    of = thread.twin if thread.twin.name in sentence else thread.venture
    extraction: dict[str, Any] = {"summary": sentence, "facts": [], "notes": []}
    value = next((value for value in values(thread) if value in sentence), None)
    if thread.attribute is not None and thread.cited[step.place] and value:
        key = thread.attribute.label
        key = key if thread.number in shared else f"{key} of {of.name}"
        extraction["facts"] = [{"key": key, "value": value}]
    elif thread.ability == "contradiction_resolution":
        gist = thread.rubric[1]
        about = gist if of is thread.venture else gist.replace(thread.venture.name, of.name)
        extraction["notes"] = [{"kind": "fact", "text": sentence, "about": about}]
    elif thread.ability == "instruction_following":
        extraction["notes"] = [{"kind": "instruction", "text": sentence}]
    elif thread.ability == "preference_following":
        extraction["notes"] = [{"kind": "preference", "text": sentence}]
    else:
        extraction["notes"] = [{"kind": "event", "text": sentence}]
    return extraction


def values(thread: Thread) -> list[str]:
    """A thread's values, the newest last."""
    if thread.ability == "knowledge_update":
        text = thread.answer
        return sorted(
            {word for word in _quoted(thread) if word in text}, key=lambda word: word == thread.rubric[0]
        )
    return list(thread.rubric)


def _quoted(thread: Thread) -> list[str]:
    """The values of an update: what stands at the places where its two sentences differ from their patterns."""
    assert thread.attribute is not None
    found = [thread.rubric[0]]
    for pattern in thread.attribute.say:
        for sentence, cited in zip(thread.sentences, thread.cited, strict=True):
            head, tail = pattern.replace("{e}", thread.venture.name).split("{v}")
            if cited and sentence.casefold().startswith(head.casefold()) and sentence.endswith(tail):
                found.append(sentence[len(head) : len(sentence) - len(tail)])
    return found


@dataclass(frozen=True)
class Made:
    """A synthetic conversation with its extractions."""

    messages: list[StoredMessage]
    rows: Written
    planted: list[Planted]
    orders: int


def made(size: int, seed: int, wanted: Mapping[str, int] = WANTED, beside: int = 90) -> Made:
    """The conversation in English, what a sensible engine writes down about it, and the values to be asked for."""
    source = Synthetic(tokens=size, seed=seed, languages=("en",))
    bank, _, key = source._names(0)
    steps = list(walk(bank, key, _exchanges(size)))
    done = [step.thread for step in steps if step.finished]
    draw = random.Random(seed)
    threads: dict[str, list[Thread]] = {
        "updated": [t for t in done if t.ability == "knowledge_update" and len(values(t)) == 2],
        "contradicted": [t for t in done if t.ability == "contradiction_resolution"],
        "other entities": [
            t for t in done if t.ability == "information_extraction" and t.attribute is not None
        ],
    }
    chosen = {sort: draw.sample(of, min(wanted[sort], len(of))) for sort, of in threads.items()}
    shared = {thread.number for thread in chosen["other entities"]}
    planted = []
    for sort, of in chosen.items():
        for thread in of:
            told = [text for text, cited in zip(thread.sentences, thread.cited, strict=True) if cited]
            both = told if sort == "contradicted" else [*values(thread)[:-1], values(thread)[-1]]
            before = "" if sort == "other entities" else both[0]
            planted.append(Planted(sort, thread.question, tuple(thread.told), both[-1], before))
    messages = []
    for number, said in enumerate(source.messages()):
        assert isinstance(said, Message)
        messages.append(_stored(said, number))
    talk = extracted(messages, beside)
    asides: dict[int, list[dict[str, Any]]] = {
        exchange: [
            {"kind": note["kind"], "text": note["text"]} for note in of if note["kind"] not in STANDING
        ]
        for exchange, of in groupby(talk.notes.to_pylist(), key=lambda note: note["exchange_id"])
    }
    extractions: list[tuple[int, Mapping[str, Any]]] = []
    for step in steps:
        one = noted(step, shared)
        others = [note for note in asides.get(step.exchange, ()) if step.sentence not in note["text"]]
        extractions.append((step.exchange, {**one, "notes": [*one["notes"], *others]}))
    orders = sum(note["kind"] in STANDING for _, one in extractions for note in one["notes"])
    return Made(messages, written(extractions), planted, orders)


def _stored(said: Message, number: int) -> StoredMessage:
    return StoredMessage(
        "c",
        number,
        str(number),
        number // 2,
        said.role,
        said.content,
        said.time,
        None,
        None,
        (),
        True,
        "en",
        0,
    )


def opened(of: Made, embedder: Embedder, tree: Tree) -> tuple[View, Node]:
    """The conversation as a store would show it: the layers' rows, made level by level."""
    stored = Stored(of.rows)
    root = stored.grow(tree, of.rows.exchanges)
    by_place = {
        (node.level, node.first_exchange // (SPAN * FAN**node.level)): node for node in stored.nodes.values()
    }
    said = {exchange: list(group) for exchange, group in groupby(of.messages, key=lambda m: m.exchange_id)}
    told = pa.Table.from_pylist(
        [
            {"segment": "s", **{name: getattr(one, name) for name in MESSAGES.names if name != "segment"}}
            for one in of.messages
        ],
        schema=MESSAGES,
    )
    orders = (
        Orders().equip(Tools(embedder)).leaves([Span("s", {"messages": told, "notes": of.rows.notes})])[0]
    )
    episodes = EpisodeRows(embedder).leaves([Span("s", {"messages": told})])[0]
    subjects = pa.concat_tables(
        Subjects().leaves(
            [
                Span(node.segment, {**of.rows.span(node.first_exchange, node.last_exchange + 1).rows,
                                    "scratchpad": table([node], tree.table)})
                for (level, _), node in sorted(by_place.items())
                if level == 0
            ]
        )
    )  # fmt: skip
    view = View(
        "c",
        lambda layer, _=None: {"orders": orders, "episodic": episodes, "subjects": subjects}.get(layer),
        lambda _: table([root], tree.table),
        lambda exchanges: {exchange: said.get(exchange, []) for exchange in exchanges},
        embedder.encode,
        lambda _, level, places: [table([by_place[level, place]], tree.table) for place in places],
    )
    return view, root


def first(items: Sequence[Item], room: int) -> Iterator[Item]:
    """The first of some items that fit so many tokens."""
    for item in items:
        room -= tokens.count(render(item))
        if room < 0:
            return
        yield item


def found(one: Planted, items: Sequence[Item]) -> bool:
    """Whether the newest value is there, with what it replaced or what contradicts it."""
    of = [item for item in items if item.exchange_id in one.told]
    if one.sort == "contradicted":
        sides = {one.newest, one.before}
        return any({item.text, item.against} == sides for item in of)
    return any(
        item.text.endswith(f"= {one.newest}") and (item.replaced or "").endswith(one.before)
        for item in of
        if item.exchange_id == one.told[-1]
    )


def values_found(of: Made, embedder: Embedder, named: int, reach: int, tree: Tree) -> dict[str, object]:
    """How many of the planted values f(S, x) gives, by their subjects, from the tree and from its root alone."""
    view, root = opened(of, embedder, tree)
    shares: dict[str, object] = {}
    ways = {"subjects": (0, named), "tree": (reach, 0), "root": (0, 0)}
    for name, how in ways.items():
        if name != "root" and not any(how):
            continue
        right, asked, took = Counter[tuple[str, int]](), Counter[str](), list[float]()
        for one in of.planted:
            ranking = rank(view, pose(one.question, view.vectors), Retrieval())
            start = time.process_time()
            items = list(nearest(view, one.question, ranking, *how))
            took.append(1_000 * (time.process_time() - start))
            asked[one.sort] += 1
            for room in TOKENS:
                right[one.sort, room] += found(one, list(first(items, room)))
        shares[f"{name}: ms"] = round(median(took), 2)
        for room in TOKENS:
            for sort in asked:
                shares[f"{name}@{room}: {sort}"] = round(right[sort, room] / asked[sort], 3)
            all_right = sum(right[sort, room] for sort in asked)
            shares[f"{name}@{room}: all"] = round(all_right / asked.total(), 3)
    return {
        "exchanges": of.rows.exchanges,
        "planted": dict(Counter(one.sort for one in of.planted)),
        "subjects": named,
        "reach": reach,
        "root_tokens": size(root.items),
        "root_dropped": root.dropped,
        "root_stands_for": sum(len(item.also) for item in root.items),
        "orders_given": of.orders,
        "orders_kept": view.leaves("orders").num_rows,  # type: ignore[union-attr]
        "kinds_lost": sorted(
            set(of.rows.notes["kind"].to_pylist()) - {item.kind for item in root.items} - set(STANDING)
        ),
        **shares,
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--beam", type=Path)
    parser.add_argument("--tokens", type=int, default=10_000_000)
    parser.add_argument("--subjects", type=int, default=Retrieval().subjects)
    parser.add_argument("--reach", type=int, default=Retrieval().reach)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--twins", type=float, default=0.0)
    chosen = parser.parse_args()
    rows = []
    if chosen.beam:
        rows.append(root_of(chosen.beam))
        print(json.dumps(rows[-1]), flush=True)
    if chosen.tokens:
        embedder = MiniLM()
        tree = Scratchpad(sealed_by="rules", twins=chosen.twins).equip(Tools(embedder))
        found = values_found(made(chosen.tokens, chosen.seed), embedder, chosen.subjects, chosen.reach, tree)
        rows.append({"twins": chosen.twins, **found})
        print(json.dumps(rows[-1]), flush=True)
    print(keep("scratchpad", rows))


if __name__ == "__main__":
    main()
