"""What sealing the scratchpad asks of a model: tokens and requests of the tree, of the reference's chain over the same
notes, and of growing a conversation by 1 %.

    python benchmarks/sealing_cost.py DIR [--notes 90 180 360]

DIR is one conversation of BEAM. Its notes are its own sentences, up to `--notes` tokens of them an exchange: what
matters here is how much there is to condense, and rules write a tenth of what a model does. Nothing is sent anywhere:
a sensible model's answers are made in this process (memfold.evaluate.simulated), and counted with Qwen2.5's
tokenizer.

The chain is LIGHT's: notes are gathered, and whenever they pass 30K tokens one more request writes them anew in 15K.
Growth starts at half of the conversation and goes on by 1 % of all until its end; its share is that of one step, with
the extraction of its exchanges, of indexing the whole. An extraction's answer is counted as the notes it holds.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
from harness import keep

from memfold.evaluate.conversations import asked_about, conversation
from memfold.evaluate.simulated.answers import seal_answer, sentence_notes
from memfold.layers.layer import Group, Span, inner, leaf_name
from memfold.layers.scratchpad.items import Item, items_of, size
from memfold.layers.scratchpad.sealing import INSTRUCTIONS, Sealing
from memfold.layers.scratchpad.tree import Node, Scratchpad, Tree, parse, table
from memfold.llm.asker import Asker
from memfold.llm.backends.openai import OpenAI
from memfold.llm.generator import Complete, Generation, Generator, Prompt, Usage
from memfold.schema import EXTRACTIONS, NOTES, SPAN, StoredMessage
from memfold.text import tokens

COMPRESS_PROMPT, FULL, COMPRESSED = 300, 30_000, 15_000


@dataclass(frozen=True, kw_only=True)
class Here(Generator):
    """A generator in this process, which counts what it is asked."""

    usage: list[Usage] = field(default_factory=list)

    @asynccontextmanager
    async def session(self) -> AsyncIterator[Complete]:
        async def complete(prompt: Prompt) -> Generation:
            text = seal_answer([{"role": role, "content": said} for role, said in prompt.messages])
            self.usage.append(Usage(prompt.tokens, tokens.count(text)))
            return Generation(text, "stop", self.usage[-1])

        yield complete


class Written(NamedTuple):
    """What was written down about a conversation: a row for each exchange, and one for each note."""

    extractions: pa.Table
    notes: pa.Table

    @property
    def exchanges(self) -> int:
        return int(self.extractions.num_rows)

    def span(self, start: int, end: int) -> Span:
        """Some exchanges as one segment."""
        rows = {
            name: rows.filter((pc.field("exchange_id") >= start) & (pc.field("exchange_id") < end))
            for name, rows in self._asdict().items()
        }
        return Span(f"{start}:{end}", rows)


@dataclass
class Stored:
    """What was written down about a conversation, and the nodes made of it so far."""

    written: Written
    nodes: dict[str, Node] = field(default_factory=dict)

    def grow(self, tree: Tree, exchanges: int) -> Node:
        """Make what the tree over the first exchanges needs; returns its root."""
        spans = [
            self.written.span(start, min(start + SPAN, exchanges)) for start in range(0, exchanges, SPAN)
        ]
        spans = [replace(span, name=leaf_name(tree, [span.name])) for span in spans]
        self._keep(tree.leaves([span for span in spans if span.name not in self.nodes]))
        root = spans[-1].name
        for level in inner(tree, [span.name for span in spans]):
            new = [
                Group(name, [table([self.nodes[child]], tree.table) for child in children])
                for name, children in level
                if name not in self.nodes
            ]
            self._keep(tree.nodes(new))
            root = level[-1][0]
        return self.nodes[root]

    def _keep(self, parts: Sequence[pa.Table]) -> None:
        self.nodes |= {node.segment: node for part in parts for node in parse(part)}


def extracted(messages: Sequence[StoredMessage], most: int) -> Written:
    said = {"summary": "", "facts": []}
    return written(
        (exchange, {**said, "notes": sentence_notes([message.content for message in group], most)})
        for exchange, group in groupby(messages, key=lambda message: message.exchange_id)
    )


def written(made: Iterable[tuple[int, Mapping[str, Any]]]) -> Written:
    """Extractions, each with the number of its exchange, as the index job stores them."""
    rows, noted = [], []
    for exchange, one in made:
        of = {"segment": "", "exchange_id": exchange, "conversation_id": "c", "time": None}
        rows.append({**of, "summary": one["summary"], "facts": one["facts"], "made_by": ""})
        noted += [{**of, "n": n, **note} for n, note in enumerate(one["notes"])]
    return Written(pa.Table.from_pylist(rows, schema=EXTRACTIONS), pa.Table.from_pylist(noted, schema=NOTES))


def items(made: Written) -> list[list[Item]]:
    """What there is to condense of each exchange, as it was written down: nothing united yet."""
    noted: dict[int, list[dict[str, Any]]] = {}
    for note in made.notes.to_pylist():
        noted.setdefault(note["exchange_id"], []).append(note)
    return [list(items_of(row, noted.get(row["exchange_id"], ()))) for row in made.extractions.to_pylist()]


def extraction_prompts(messages: Sequence[StoredMessage]) -> int:
    """Tokens of the requests that extraction sends."""
    settings = OpenAI(model="none", base_url="http://none")
    return sum(prompt.tokens for _, prompt in asked_about(messages, settings))


def volumes(made: Written) -> list[int]:
    """Tokens of the notes (facts among them) of each exchange."""
    return [size(of_exchange) for of_exchange in items(made)]


def chain(lengths: Sequence[int]) -> dict[str, int]:
    requests = prompt = held = 0
    for length in lengths:
        held += length
        if held > FULL:
            requests += 1
            prompt += COMPRESS_PROMPT + held
            held = COMPRESSED
    return {"requests": requests, "prompt": prompt, "completion": requests * COMPRESSED}


def measured(messages: Sequence[StoredMessage], most: int, prompted: int) -> dict[str, object]:
    rows = extracted(messages, most)
    exchanges = rows.exchanges
    if exchanges < 100:
        raise SystemExit(f"{exchanges} exchanges have no hundredth to grow by: choose a longer conversation")
    generator = Here(model="none", retries=0)
    # Nothing is kept between steps: what is asked twice counts twice.
    tree = Tree(Scratchpad(), Sealing(Asker(generator), Scratchpad().full))
    root = Stored(rows).grow(tree, exchanges)
    usage = list(generator.usage)
    if not usage:
        raise SystemExit(
            f"the notes of {exchanges} exchanges are sealed without a request: choose a longer conversation"
        )
    prompt, completion = sum(u.prompt for u in usage), sum(u.completion for u in usage)
    lengths = volumes(rows)
    rival = chain(lengths)
    indexing = prompted + sum(lengths) + prompt + completion

    growing, step = Stored(rows), exchanges // 100
    growing.grow(tree, exchanges // 2)
    shares = []
    for end in range(exchanges // 2 + step, exchanges + 1, step):
        generator.usage.clear()
        growing.grow(tree, end)
        asked = sum(u.prompt + u.completion for u in generator.usage)
        shares.append((asked + (prompted + sum(lengths)) * step / exchanges) / indexing)
    said = sum(message.tokens for message in messages)
    return {
        "tokens": said,
        "exchanges": exchanges,
        "notes_an_exchange": round(fmean(lengths), 1),
        "requests": len(usage),
        "prompt": prompt,
        "completion": completion,
        "longest_prompt": max(u.prompt for u in usage),
        "prompt_a_token": round(prompt / said, 4),
        "completion_a_token": round(completion / said, 4),
        "height": root.level + 1,
        "root_tokens": size(root.items),
        **{f"chain_{name}": value for name, value in rival.items()},
        "of_chain": round((prompt + completion) / (rival["prompt"] + rival["completion"]), 3),
        "growth_mean": round(fmean(shares), 4),
        "growth_last": round(shares[-1], 4),
        "growth_most": round(max(shares), 4),
        "growth_within_1.3": sum(share <= 0.013 for share in shares),
        "growth_steps": len(shares),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--notes", type=int, nargs="+", default=[90, 180, 360])
    chosen = parser.parse_args()
    messages = conversation(chosen.folder)
    prompted = extraction_prompts(messages)
    found = []
    for most in chosen.notes:
        found.append(measured(messages, most, prompted) | {"instructions": tokens.count(INSTRUCTIONS)})
        print(json.dumps(found[-1]), flush=True)
    print(keep("sealing_cost", found))


if __name__ == "__main__":
    main()
