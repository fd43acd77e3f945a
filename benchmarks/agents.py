"""What contexts hold of an agent's history: `python benchmarks/agents.py [--tasks 32] [--calls 100] [--seed 1]`.

A made-up agent works on tasks: under one message of its user stand a hundred calls of tools with their outputs, and a
last word. It is indexed by rules and asked of each task for five things that were said once: which exit status one call
returned (`failure`), a member of a record that was looked up (`record`), a count whose output is a bare number, so
that only the call says of what (`call`), what the last word names (`outcome`), and what the user set (`user`). A row
for each kind says in which share of contexts the value stands, by budget, and which share of quoted answers holds it.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from harness import ROOT, keep

import memfold
from memfold.api import Store

BUDGETS = (2_000, 5_000, 14_000)
_PLACES = (
    "Oslo",
    "Lima",
    "Cairo",
    "Hanoi",
    "Quito",
    "Accra",
    "Sofia",
    "Perth",
    "Kyoto",
    "Turin",
    "Porto",
    "Tunis",
)
_MODULES = (
    "parser",
    "router",
    "cache",
    "mailer",
    "ledger",
    "planner",
    "search",
    "billing",
    "export",
    "login",
)


class Asked(NamedTuple):
    """A question, what kind it is of, and the value that answers it."""

    kind: str
    question: str
    value: str


def history(tasks: int, calls: int, rng: random.Random) -> tuple[list[dict[str, object]], list[Asked]]:
    """Messages as OpenAI's chat API has them, and what is asked of them."""
    messages: list[dict[str, object]] = []
    asked: list[Asked] = []

    def call(tool: str, arguments: dict[str, object], output: str, said: str = "") -> None:
        name = f"call_{len(messages)}"
        function = {"name": tool, "arguments": json.dumps(arguments)}
        calls = [{"id": name, "type": "function", "function": function}]
        messages.append({"role": "assistant", "content": said or None, "tool_calls": calls})
        messages.append({"role": "tool", "tool_call_id": name, "content": output})

    # Values of six figures stand nowhere by chance.
    values = iter(rng.sample(range(100_000, 999_999), 5 * tasks))
    for task in range(tasks):
        site = f"{rng.choice(_PLACES)}-{task}"
        status, tracking, rows, patched, limit = (str(next(values)) for _ in range(5))
        messages.append(
            {"role": "user", "content": f"Deploy the shop of {site}. Let it hold {limit} sessions at most."}
        )
        special = dict(zip(rng.sample(range(calls), 3), ("failure", "record", "call"), strict=True))
        for step in range(calls):
            module = rng.choice(_MODULES)
            match special.get(step):
                case "failure":
                    output = f"resolving\nlinker of {site} stopped with exit status {status}\nretrying"
                    call("bash", {"command": "make link"}, output)
                case "record":
                    record = {"carrier": rng.choice(_PLACES), "tracking": tracking, "state": "sent"}
                    call("get_parcel", {"site": site}, json.dumps({"site": site, **record}))
                case "call":
                    query = f"select count(*) from invoices where site = '{site}' and not paid"
                    call("sql", {"query": query}, f" count\n-------\n {rows}\n(1 row)")
                case _:
                    output = "".join(
                        f"{module}/{rng.randrange(999)}.py compiled in {rng.randrange(99)} ms\n"
                        for _ in range(rng.randrange(1, 20))
                    )
                    call(
                        "bash", {"command": f"make {module}"}, output, rng.choice(("", f"Next the {module}."))
                    )
        messages.append(
            {
                "role": "assistant",
                "content": f"The shop of {site} runs. I had to patch revision {patched} by hand.",
            }
        )
        asked += [
            Asked("failure", f"With which exit status did the linker of {site} stop?", status),
            Asked("record", f"What is the tracking number of the parcel to {site}?", tracking),
            Asked("call", f"How many invoices of {site} are not paid?", rows),
            Asked("outcome", f"Which revision did you have to patch by hand in the shop of {site}?", patched),
            Asked("user", f"How many sessions may the shop of {site} hold at most?", limit),
        ]
    return messages, asked


def answered(store: Store, asked: list[Asked]) -> Iterator[tuple[str, str, float]]:
    """Of each question its kind, and by measure whether the value is there, or what it took in milliseconds."""
    for kind, question, value in asked:
        for budget in BUDGETS:
            started = time.perf_counter()
            yield kind, f"context@{budget}", value in store.context("agent", question, budget=budget).text
            yield kind, f"ms@{budget}", 1e3 * (time.perf_counter() - started)
        yield kind, "quoted", value in store.ask("agent", question, budget=5_000).text


def main() -> None:
    """Index, ask, and keep a row for each kind."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tasks", type=int, default=32)
    parser.add_argument("--calls", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    messages, asked = history(args.tasks, args.calls, random.Random(args.seed))
    with tempfile.TemporaryDirectory() as folder:
        source, root = Path(folder) / "agent.jsonl", Path(folder) / "store"
        source.write_text(json.dumps({"conversation_id": "agent", "messages": messages}) + "\n")
        job = [sys.executable, "jobs/index.py", f"source.path={source}", f"store.root={root}"]
        done = subprocess.run(job, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
        indexed = json.loads(done.stdout.splitlines()[-1])
        found: defaultdict[str, defaultdict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
        for kind, measure, value in answered(memfold.open(root), asked):
            found[kind][measure].append(float(value))
    size = {"tokens": indexed["tokens"], "index_s": indexed["seconds"], "asked": args.tasks}
    rows = [
        {"kind": kind, **size, **{measure: round(fmean(each), 3) for measure, each in by.items()}}
        for kind, by in found.items()
    ]
    for row in rows:
        print(json.dumps(row))
    print(keep("agents", rows))


if __name__ == "__main__":
    main()
