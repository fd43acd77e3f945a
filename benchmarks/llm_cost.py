"""What a model is asked and what it writes, for memfold and for the reference's plan.

    python benchmarks/llm_cost.py DIR [DIR …] [--notes 90 180] [--together 6] [--history-tokens 256]
    python benchmarks/llm_cost.py DIR [DIR …] --generate 24 engine=vllm model=smollm2-135m

DIR is one conversation of BEAM (a folder with chat.json or plan-N/chat.json), or a file of LoCoMo. The reference's
plan (LIGHT): for each exchange one request for key-values and a summary and one for scratchpad notes, each with the
exchange before in front of this one, both whole; notes are gathered, and whenever they pass 30K tokens one more
request compresses all of them to 15K.

The first form sends nothing. All tokens are counted by Qwen2.5's tokenizer, with its chat template's. A prefix counts
as cached where a request begins like the one before it of the same kind, in whole blocks of 16 tokens; of sealing and
of compressing none does. Each bill is drawn up without sealing, and with it over the notes the rules write: memfold's
tree, sealed by a simulated sensible model, and the reference's chain over the same notes. A model writes several times
as many: `--notes` seals sentences of the conversation, so many tokens of them an exchange, too. Tokens out of an
extraction are those the rules' one has when it is written as a model writes it, and say only how the formats compare.

The second form asks a real model, whose engine the words after N choose (Hydra overrides of conf/index.yaml): both
plans for the first N exchanges, with the same longest answer and the same sampling, and counts what it wrote with its
own tokenizer. `out` is all that an exchange cost: of memfold, with what was asked again because it was not valid, as in
a job; of the reference, both answers, which nobody checks. In the reference's plan nothing bounds an answer but
`max_tokens`. A large model writes until it is done; a small one often finds no end in free text and goes on to the
limit (`by_length`), where a schema ends its answer for it: without a frequency penalty 11 of 16 free answers of
SmolLM2-135M did, with the 0.5 of its configuration none of 48. So with a small model `out` says what bounded answers
are worth, and little of what a large one would write. `out_ended` counts only answers that ended by themselves (first
ones; the mean of each kind of request, added up), where there are any of each kind: these are the shorter ones.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import groupby, islice
from pathlib import Path
from statistics import fmean

from harness import keep
from sealing_cost import Here, Stored, Written, chain, extracted, volumes, written

from memfold.build import build
from memfold.config import load
from memfold.digest import digest
from memfold.evaluate.conversations import asked_about, conversation, first_asked
from memfold.evaluate.simulated.endpoint import answer
from memfold.extract import prompts
from memfold.extract.engines.model import ModelEngine
from memfold.extract.engines.rules import Rules
from memfold.extract.parse import parse
from memfold.extract.windows import windows
from memfold.layers.scratchpad.sealing import Sealing
from memfold.layers.scratchpad.tree import Scratchpad, Tree
from memfold.llm.asker import Asker, Call, gathered
from memfold.llm.backends.openai import OpenAI
from memfold.llm.generator import TEMPLATE_TOKENS, Generation, Generator, Prompt, Refused, Task
from memfold.llm.results import Results
from memfold.schema import Extraction, StoredMessage, Window
from memfold.text import tokens

BLOCK = 16
# Assumed, and taken low, so that the comparison is not won by them: the lengths of the reference's two prompts for an
# exchange without what is filled in. With these it sends about 5 tokens for each.
KEYS_PROMPT = 320
NOTES_PROMPT = 320
WHOLE = 1 << 30

# What the reference's prompts ask for, in words of our own: no format that a parser could hold the model to, and no
# bound on how much.
KEYS = """You index a conversation between a user and an assistant, so that each part of it can be found again later. \
You get one exchange and, in front of it, the exchange before, which only serves to understand it.

Write down all key-value pairs of this exchange. A key is an entity that it mentions: a person, a thing, a place, a \
date, a tool, a number. Its value is what is said of it: its attributes, details and descriptions. Write one pair a \
line, as key: value. After the pairs write a summary of the exchange: what the user wanted or told, and what the \
assistant answered."""
NOTES = """You keep the scratchpad of a conversation between a user and an assistant: what must be remembered to \
answer questions about it much later. You get one exchange and, in front of it, the exchange before.

Think about both, and write down as notes what is important in this exchange: what the user tells about themselves and \
their life, what they know, prefer and ask to be done from now on, what they plan or promise to do and by when, what \
was decided, changed or corrected, facts and figures that matter, and the circumstances they hold in. Write complete \
notes that can be understood without the conversation."""


@dataclass
class Bill:
    """What is asked of a model."""

    requests: int = 0
    prompt: int = 0
    cached: int = 0
    completion: int = 0
    _before: dict[str, list[int]] = field(default_factory=dict, repr=False)

    def __add__(self, other: Bill) -> Bill:
        return Bill(
            self.requests + other.requests,
            self.prompt + other.prompt,
            self.cached + other.cached,
            self.completion + other.completion,
        )

    def ask(self, kind: str, ids: list[int], completion: int, fixed: int = 0) -> None:
        """A request of `fixed` tokens that are the same for all of its kind, followed by `ids`."""
        self.requests += 1
        self.prompt += fixed + len(ids)
        self.completion += completion
        if kind in self._before:
            same = next(
                (i for i, (a, b) in enumerate(zip(self._before[kind], ids, strict=False)) if a != b), len(ids)
            )
            self.cached += (fixed + same) // BLOCK * BLOCK
        self._before[kind] = ids


# ------------------------------------------------------------------------------- counted


def ours(messages: Sequence[StoredMessage], settings: OpenAI) -> Bill:
    """memfold's extraction."""
    bill = Bill()
    for group, prompt in asked_about(messages, settings):
        ids = [token for _, content in prompt.messages for token in tokens.encode(content)]
        bill.ask("one", ids, tokens.count(answer(Rules().extract(group))), fixed=3 * TEMPLATE_TOKENS)
    return bill


def reference(messages: Sequence[StoredMessage], made: Sequence[Extraction], notes: Sequence[int]) -> Bill:
    """The reference's two requests for each exchange, with what the rules make of it and how many tokens of notes."""
    bill = Bill()
    before: list[int] = []
    for exchange, extraction, length in zip(exchanges(messages), made, notes, strict=True):
        this = tokens.encode(told(exchange))
        facts = {fact.key: fact.value for fact in extraction.facts}
        keys = json.dumps({"summary": extraction.summary, "facts": facts}, ensure_ascii=False)
        bill.ask("keys", before + this, tokens.count(keys), KEYS_PROMPT + 2 * TEMPLATE_TOKENS)
        bill.ask("notes", before + this, length, NOTES_PROMPT + 2 * TEMPLATE_TOKENS)
        before = this
    return bill


def sealing(rows: Written) -> tuple[Bill, Bill]:
    """What it takes to condense the notes of some extractions: memfold's tree, and the reference's chain."""
    model = Here(model="none", retries=0)
    tree = Tree(Scratchpad(), Sealing(Asker(model), Scratchpad().full))
    Stored(rows).grow(tree, rows.exchanges)
    asked = Bill(
        len(model.usage), sum(u.prompt for u in model.usage), 0, sum(u.completion for u in model.usage)
    )
    of_chain = chain(volumes(rows))
    return asked, Bill(of_chain["requests"], of_chain["prompt"], 0, of_chain["completion"])


def by_rules(seen: Sequence[Window], made: Sequence[Extraction]) -> Written:
    return written((window.exchange_id, asdict(one)) for window, one in zip(seen, made, strict=True))


def exchanges(messages: Sequence[StoredMessage]) -> Iterator[list[StoredMessage]]:
    return (list(group) for _, group in groupby(messages, key=lambda message: message.exchange_id))


def told(exchange: Sequence[StoredMessage]) -> str:
    """An exchange as the reference shows it."""
    return "\n".join(f"{message.role}: {message.text}" for message in exchange)


def count(folders: Sequence[Path], settings: OpenAI, notes: Sequence[int]) -> list[dict[str, object]]:
    """The rows of both plans, without sealing, with that of the rules' notes, and of `notes` tokens per exchange."""
    rows: list[dict[str, object]] = []
    total: dict[tuple[str, str], tuple[Bill, Bill]] = {}
    noted: dict[str, int] = {}
    said = all_exchanges = 0
    for folder in folders:
        messages = conversation(folder)
        length = sum(m.tokens for m in messages)
        seen = windows(messages, (), history_tokens=0, assistant_tokens=WHOLE)
        made = Rules().extract(seen)
        given = {"rules": by_rules(seen, made)} | {f"{n}": extracted(messages, n) for n in notes}
        extraction = {
            "memfold": ours(messages, settings),
            "reference": reference(messages, made, volumes(given["rules"])),
        }
        sealed = {"none": (Bill(), Bill())} | {name: sealing(made_) for name, made_ in given.items()}
        said, all_exchanges = said + length, all_exchanges + len(seen)
        for name, bills in sealed.items():
            volume = sum(volumes(given[name])) if name in given else 0
            noted[name] = noted.get(name, 0) + volume
            for (plan, asked), more in zip(extraction.items(), bills, strict=True):
                about = {"notes_an_exchange": round(volume / len(seen), 1)}
                rows.append(
                    row(plan, f"{folder.parent.name}/{folder.name}", name, length, asked, more) | about
                )
                old = total.get((plan, name), (Bill(), Bill()))
                total[plan, name] = (old[0] + asked, old[1] + more)
    for name in noted:
        about = {"notes_an_exchange": round(noted[name] / all_exchanges, 1)}
        us, them = total["memfold", name], total["reference", name]
        rows += [
            row("memfold", "all", name, said, *us) | about,
            row("reference", "all", name, said, *them) | about,
        ]
        mine, theirs = us[0] + us[1], them[0] + them[1]
        rows.append(
            {
                "plan": "memfold / reference",
                "conversation": "all",
                "sealing": name,
                "sent": round(mine.prompt / theirs.prompt, 3),
                "uncached": round((mine.prompt - mine.cached) / theirs.prompt, 3),
                "uncached_of_uncached": round(
                    (mine.prompt - mine.cached) / (theirs.prompt - theirs.cached), 3
                ),
                "requests": round(mine.requests / theirs.requests, 4),
                "completion_by_rules": round(us[0].completion / them[0].completion, 3),
            }
        )
    return rows


def row(
    plan: str, conversation: str, name: str, length: int, extraction: Bill, seal: Bill
) -> dict[str, object]:
    """A plan's bill for each token of the conversation."""
    whole = extraction + seal
    return {
        "plan": plan,
        "conversation": conversation,
        "sealing": name,
        "tokens": length,
        "requests": whole.requests,
        "sealing_requests": seal.requests,
        "sent": round(whole.prompt / length, 3),
        "uncached": round((whole.prompt - whole.cached) / length, 3),
        "completion_by_rules": round(extraction.completion / length, 4),
        "completion_sealing": round(seal.completion / length, 4),
    }


# ------------------------------------------------------------------------------- generated


# Of an exchange, the requests of the reference's plan.
Asked = tuple[Prompt, Prompt]


def theirs(window: Window, exchange: str, before: str) -> Asked:
    """The reference's requests for one exchange."""
    content = f"The exchange before:\n{before}\n\nThis exchange:\n{exchange}"
    keys, notes = (
        Prompt((("system", text), ("user", content)), free(name, text), window.conversation_id)
        for name, text in (("keys", KEYS), ("notes", NOTES))
    )
    return keys, notes


async def _answered(call: Call, asked: Asked, exchange_id: int) -> None:
    for prompt in asked:
        async with call.gate:
            await call.generation(prompt, exchange_id)


def free(name: str, instructions: str) -> Task:
    """A request that is answered in free text."""
    return Task(name, digest(instructions)[:12], None)


def generate(folder: Path, generator: Generator, exchanges_asked: int) -> list[dict[str, object]]:
    """Rows of both plans for a conversation's first exchanges, and of one against the other."""
    messages = conversation(folder)
    told_all = [told(exchange) for exchange in islice(exchanges(messages), exchanges_asked)]
    seen = windows(
        messages, (), history_tokens=generator.history_tokens, assistant_tokens=generator.assistant_tokens
    )
    asked = [
        (window, theirs(window, exchange, before))
        for window, exchange, before in zip(seen, told_all, ["", *told_all], strict=False)
    ]
    results = Results(None, generator.model)
    engine = ModelEngine(generator, results)

    async def ask() -> list[BaseException | None]:
        async with engine.asker.calling() as call:
            return await gathered(_answered(call, pair, window.exchange_id) for window, pair in asked)

    try:
        ended = engine.asker.call(ask)
        # What the reference's plan cannot be asked (it is longer than the model's context), neither is billed for.
        refused = [one for one in ended if isinstance(one, Refused)]
        for one in ended:
            if isinstance(one, BaseException) and not isinstance(one, Refused):
                raise one
        asked = [both for both, one in zip(asked, ended, strict=True) if one is None]
        if not asked:
            raise SystemExit(f"{folder}: all of {len(ended)} exchanges were refused, the first: {refused[0]}")
        of_theirs = dict(results.kept)
        made = engine.extract([window for window, _ in asked])
    finally:
        engine.close()
    mine = [written for key, written in results.kept.items() if key not in of_theirs]
    keys, notes = ([of_theirs[generator.key(pair[kind])] for _, pair in asked] for kind in (0, 1))
    requests = list(first_asked([window for window, _ in asked], generator))
    # One that was not answered has nothing to be judged.
    answered = [(group, results.kept.get(generator.key(prompt))) for group, prompt in requests]
    first = [(group, written) for group, written in answered if written is not None]
    valid_first = sum(
        isinstance(one, Extraction)
        for group, written in first
        for one in parse(written.text, written.finish_reason, group)
    )
    valid = sum(isinstance(one, Extraction) and one.made_by == engine.signature for one in made)
    telling = sum(len(group) for group, _ in requests)
    counted = {"asked_about": telling, "valid_first": valid_first, "valid": valid}
    rows = compared(len(asked), mine, [written for _, written in first], keys, notes)
    rows[0] |= counted
    about = {
        "conversation": f"{folder.parent.name}/{folder.name}",
        "exchanges": len(asked),
        "refused": len(refused),
        "max_tokens": generator.max_tokens,
        "frequency_penalty": generator.frequency_penalty,
    }
    return [{"generated_by": generator.model, **one, **about} for one in rows]


def compared(
    n: int,
    mine: Sequence[Generation],
    first: Sequence[Generation],
    keys: Sequence[Generation],
    notes: Sequence[Generation],
) -> list[dict[str, object]]:
    """What both plans wrote about `n` exchanges."""
    theirs = [*keys, *notes]
    out, out_first, out_theirs = _sum(mine) / n, _sum(first) / n, _sum(theirs) / n
    # An answer about several exchanges has no length for one.
    ended = _ended(first) if len(first) == n else None
    ended_theirs = _ended(keys, notes)
    memfold = {
        "plan": "memfold",
        "requests": len(mine),
        "out": round(out, 1),
        "out_first": round(out_first, 1),
        "out_ended": ended,
        "by_length": sum(made.finish_reason == "length" for made in mine),
        "ended": sum(made.finish_reason == "stop" for made in mine),
    }
    reference = {
        "plan": "reference",
        "requests": 2 * n,
        "out": round(out_theirs, 1),
        "out_keys": round(_sum(keys) / n, 1),
        "out_notes": round(_sum(notes) / n, 1),
        "out_ended": ended_theirs,
        "by_length": sum(made.finish_reason == "length" for made in theirs),
        "ended": sum(made.finish_reason == "stop" for made in theirs),
    }
    return [
        memfold,
        reference,
        {
            "plan": "memfold / reference",
            "requests": round(len(mine) / (2 * n), 3),
            "out": round(out / out_theirs, 3),
            "out_first": round(out_first / out_theirs, 3),
            "out_ended": round(ended / ended_theirs, 3) if ended and ended_theirs else None,
        },
    ]


def _sum(made: Sequence[Generation]) -> int:
    return sum(one.usage.completion for one in made)


def _ended(*kinds: Sequence[Generation]) -> float | None:
    """Mean tokens of answers that ended by themselves, added up over kinds; None where a kind has none."""
    lengths = [[one.usage.completion for one in kind if one.finish_reason == "stop"] for kind in kinds]
    return round(sum(fmean(one) for one in lengths), 1) if all(lengths) else None


# -------------------------------------------------------------------------------


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--history-tokens", type=int, default=OpenAI.history_tokens)
    parser.add_argument("--assistant-tokens", type=int, default=OpenAI.assistant_tokens)
    parser.add_argument("--together", type=int, default=OpenAI.together)
    parser.add_argument("--notes", type=int, nargs="+", default=[])
    parser.add_argument("--generate", nargs="+", metavar=("N", "OVERRIDE"))
    chosen = parser.parse_args()
    if chosen.generate:
        exchanges_asked, *overrides = chosen.generate
        settings = build(load("index", overrides).engine, "engine").generator
        if settings is None:
            parser.error("--generate needs an engine that asks a model: --generate N engine=…")
        rows = [row for folder in chosen.folders for row in generate(folder, settings, int(exchanges_asked))]
    else:
        settings = OpenAI(
            model="none",
            base_url="http://none",
            history_tokens=chosen.history_tokens,
            assistant_tokens=chosen.assistant_tokens,
            together=chosen.together,
        )
        rows = count(chosen.folders, settings, chosen.notes)
    used = {
        "history_tokens": settings.history_tokens,
        "assistant_tokens": settings.assistant_tokens,
        "together": settings.together,
        "prompt": prompts.EXTRACTION.version,
    }
    for one in rows:
        print(json.dumps(one))
    print(keep("llm_cost", [{**one, **used} for one in rows]))


if __name__ == "__main__":
    main()
