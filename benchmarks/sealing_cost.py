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
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from statistics import fmean

import pyarrow as pa
from harness import keep

from memfold.evaluate.conversations import asked_about, conversation
from memfold.evaluate.simulated.answers import seal_answer, sentence_notes
from memfold.layers.scratchpad.sealing import INSTRUCTIONS, Sealing
from memfold.layers.scratchpad.tree import Node, Scratchpad, Tree, parse, size, table
from memfold.llm.asker import Asker
from memfold.llm.backends.openai import OpenAI
from memfold.llm.generator import Complete, Generation, Generator, Prompt, Usage
from memfold.schema import EXTRACTIONS, SPAN, StoredMessage
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


@dataclass
class Stored:
    """A conversation's extractions, and the nodes made of them so far."""

    rows: pa.Table
    nodes: dict[str, Node] = field(default_factory=dict)

    def grow(self, tree: Tree, exchanges: int) -> Node:
        """Make what the tree over the first exchanges needs; returns its root."""
        segments: dict[str, pa.Table] = {}
        for start in range(0, exchanges, SPAN):
            part = self.rows.slice(start, min(SPAN, exchanges - start))
            name = f"{start}:{part.num_rows}"
            segments[name] = part.set_column(0, EXTRACTIONS.field(0), pa.array([name] * part.num_rows))
        names, missing = tree.grow(
            list(segments),
            set(self.nodes),
            extractions=lambda wanted: pa.concat_tables([segments[name] for name in wanted]),
            nodes=lambda wanted: table([self.nodes[name] for name in wanted]),
        )
        for part in missing:
            self.nodes |= {node.segment: node for node in parse(part)}
        return self.nodes[names[-1]]


def extracted(messages: Sequence[StoredMessage], most: int) -> pa.Table:
    rows = []
    for exchange, group in groupby(messages, key=lambda message: message.exchange_id):
        noted = sentence_notes([message.content for message in group], most)
        said = {"summary": "", "facts": [], "notes": noted, "made_by": ""}
        rows.append({"segment": "", "exchange_id": exchange, "conversation_id": "c", "time": None, **said})
    return pa.Table.from_pylist(rows, schema=EXTRACTIONS)


def extraction_prompts(messages: Sequence[StoredMessage]) -> int:
    """Tokens of the requests that extraction sends."""
    settings = OpenAI(model="none", base_url="http://none")
    return sum(prompt.tokens for _, prompt in asked_about(messages, settings))


def volumes(rows: pa.Table) -> list[int]:
    """Tokens of the notes (facts among them) of each exchange."""
    return [sum(item["tokens"] for item in items) for items in Tree().lift(rows).column("items").to_pylist()]


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
    exchanges = rows.num_rows
    generator = Here(model="none", retries=0)
    # Nothing is kept between steps: what is asked twice counts twice.
    tree = Tree(Scratchpad(), Sealing(Asker(generator), Scratchpad().full))
    root = Stored(rows).grow(tree, exchanges)
    usage = list(generator.usage)
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
