"""What extraction asks of a model: tokens in, requests and, given a model, tokens out, for memfold and for the
reference's plan.

    python benchmarks/llm_cost.py DIR [DIR …] [--history-tokens 256] [--assistant-tokens 512]

DIR is one conversation of BEAM (a folder with chat.json or plan-N/chat.json). All tokens are counted by Qwen2.5's
tokenizer, with its chat template's. A prefix counts as cached where a request begins like the one before it of
the same kind, in whole blocks of 16 tokens. Nothing is sent anywhere: tokens out are those the rules' extraction
has when it is written as a model writes it, for memfold's answer and for the reference's two, and say only how the
formats compare.

The reference's plan (LIGHT): for each exchange one request for key-values and a summary and one for scratchpad
notes, each with the exchange before in front of this one, both whole; notes are gathered, and whenever they pass
30K tokens one more request compresses all of them to 15K.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path

from harness import keep
from simulated_endpoint import answer

from memfold import tokens
from memfold.extract import prompts
from memfold.extract.engines.openai import OpenAI
from memfold.extract.engines.rules import Rules
from memfold.extract.nothing import holds_nothing
from memfold.ingest import read
from memfold.run.fold import stored
from memfold.run.plan import identify, place
from memfold.schema import DeadLetter, Message, StoredMessage
from memfold.windows import windows

BLOCK = 16
# Assumed, and taken low, so that the comparison is not won by them: the lengths of the reference's three prompts
# without what is filled in, and of one of its scratchpad notes. With these it sends about 5 tokens for each.
KEYS_PROMPT = 320
NOTES_PROMPT = 320
COMPRESS_PROMPT = 300
NOTE_TOKENS = 90
FULL, COMPRESSED = 30_000, 15_000


@dataclass
class Bill:
    """What a plan asks of a model over one conversation."""

    requests: int = 0
    prompt: int = 0
    cached: int = 0
    completion: int = 0
    _before: dict[str, list[int]] = field(default_factory=dict)

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


def ours(messages: Sequence[StoredMessage], settings: OpenAI) -> Bill:
    bill = Bill()
    seen = windows(
        messages, (), history_tokens=settings.history_tokens, assistant_tokens=settings.assistant_tokens
    )
    for window in seen:
        prompt = prompts.ask(window)
        if holds_nothing(window) or prompt is None:
            continue
        (made,) = Rules().extract([window])
        ids = [token for _, content in prompt.messages for token in tokens.encode(content)]
        bill.ask("one", ids, tokens.count(answer(made)), fixed=3 * prompts.TEMPLATE_TOKENS)
    return bill


def reference(messages: Sequence[StoredMessage]) -> Bill:
    bill = Bill()
    notes = 0
    before: list[int] = []
    seen = windows(messages, (), history_tokens=0, assistant_tokens=1 << 30)
    exchanges = (list(group) for _, group in groupby(messages, key=lambda m: m.exchange_id))
    for window, exchange in zip(seen, exchanges, strict=True):
        (made,) = Rules().extract([replace(window, history=())])
        this = tokens.encode("\n".join(f"{m.role}: {m.text}" for m in exchange))
        keys = json.dumps(
            {"summary": made.summary, "facts": {f.key: f.value for f in made.facts}}, ensure_ascii=False
        )
        bill.ask("keys", before + this, tokens.count(keys), KEYS_PROMPT + 2 * prompts.TEMPLATE_TOKENS)
        bill.ask("notes", before + this, NOTE_TOKENS, NOTES_PROMPT + 2 * prompts.TEMPLATE_TOKENS)
        notes += NOTE_TOKENS
        if notes > FULL:
            bill.requests += 1
            bill.prompt += COMPRESS_PROMPT + notes
            bill.completion += COMPRESSED
            notes = COMPRESSED
        before = this
    return bill


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--history-tokens", type=int, default=OpenAI.history_tokens)
    parser.add_argument("--assistant-tokens", type=int, default=OpenAI.assistant_tokens)
    chosen = parser.parse_args()
    settings = OpenAI(
        model="none",
        base_url="http://none",
        history_tokens=chosen.history_tokens,
        assistant_tokens=chosen.assistant_tokens,
    )
    rows: list[dict[str, object]] = []
    total: dict[str, Bill] = {"memfold": Bill(), "reference": Bill()}
    said = 0
    for folder in chosen.folders:
        given = (m for m in read(folder, "beam") if isinstance(m, Message))
        messages = [stored(item) for item in place(identify(given, _refuse))]
        length = sum(m.tokens for m in messages)
        said += length
        for plan, bill in (("memfold", ours(messages, settings)), ("reference", reference(messages))):
            rows.append(row(plan, f"{folder.parent.name}/{folder.name}", length, bill))
            whole = total[plan]
            whole.requests += bill.requests
            whole.prompt += bill.prompt
            whole.cached += bill.cached
            whole.completion += bill.completion
    rows += [row(plan, "all", said, bill) for plan, bill in total.items()]
    us, them = total["memfold"], total["reference"]
    rows.append(
        {
            "plan": "memfold / reference",
            "conversation": "all",
            "sent": round(us.prompt / them.prompt, 3),
            "uncached": round((us.prompt - us.cached) / them.prompt, 3),
            "uncached_of_uncached": round((us.prompt - us.cached) / (them.prompt - them.cached), 3),
            "requests": round(us.requests / them.requests, 3),
            "completion_by_rules": round(us.completion / them.completion, 3),
        }
    )
    settings_used = {
        "history_tokens": settings.history_tokens,
        "assistant_tokens": settings.assistant_tokens,
        "prompt": prompts.EXTRACTION.version,
    }
    for one in rows:
        print(json.dumps(one))
    print(keep("llm_cost", [{**one, **settings_used} for one in rows]))


def row(plan: str, conversation: str, length: int, bill: Bill) -> dict[str, object]:
    """A plan's bill for each token of the conversation."""
    return {
        "plan": plan,
        "conversation": conversation,
        "tokens": length,
        "requests": bill.requests,
        "sent": round(bill.prompt / length, 3),
        "uncached": round((bill.prompt - bill.cached) / length, 3),
        "completion_by_rules": round(bill.completion / length, 4),
    }


def _refuse(letter: DeadLetter) -> None:
    raise SystemExit(f"{letter.place}: {letter.reason}")


if __name__ == "__main__":
    main()
