"""What a probe costs in one open conversation: `python benchmarks/probe.py FOLDER [--beside CHECKOUT] [--rounds 3]`.

FOLDER is a conversation of BEAM with its probing_questions.json. It is indexed by rules, opened in a process of its
own, and asked its questions, each with other words in every round, so that no answer is remembered. Measured are
encoding the question alone, a search, a context and an answer, each as one call of the store: medians in milliseconds;
also what opening takes, and how much memory the open conversation holds.

`--beside` names the checkout of another version. It indexes and answers the same in a process of its own, question by
question in turn with this one, and the row says the ratio of the medians. A processor that idled is slow for a while,
and the quicker version waits longer for its turn. So each version works for `WARM` seconds before its calls are timed.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any

from harness import ROOT, keep

CALLS = ("encode", "search", "context", "answer")
# On one virtual machine a context took 15.8 ms after none, 20 ms after a pause of 20 ms, and 51 ms after one of 400 ms.
WARM = 0.2

# Runs in either version: it may use nothing but the public surface and the embedder.
CHILD = r"""
import json, sys, time
import psutil
import memfold

def rss(): return psutil.Process().memory_info().rss / 2**20

store = memfold.open(sys.argv[1])
budget = int(sys.argv[2])
name = store.conversations()[0].conversation_id
store.embedder.encode(["a text that loads the embedder"])
before, started = rss(), time.perf_counter()
store.search(name, "What was said first?")
opened = {"open_ms": 1e3 * (time.perf_counter() - started)}
store.ask(name, "What was said first?", budget=budget)
print(json.dumps(opened | {"open_mb": rss() - before}), flush=True)
calls = {
    "encode": lambda question: store.embedder.encode([question]),
    "search": lambda question: store.search(name, question),
    "context": lambda question: store.context(name, question, budget=budget),
    "answer": lambda question: store.ask(name, question, budget=budget),
}
for line in sys.stdin:
    warm = time.perf_counter() + float(sys.argv[3])
    while time.perf_counter() < warm:
        store.context(name, f"What keeps a processor busy until {time.perf_counter()}?", budget=budget)
    took = {}
    for call, ask in calls.items():
        question = json.loads(line) + f" ({call})"
        started = time.perf_counter()
        ask(question)
        took[call] = 1e3 * (time.perf_counter() - started)
    print(json.dumps(took), flush=True)
"""


class Version:
    """A checkout's store of the conversation, open in a process that answers from it."""

    def __init__(self, checkout: Path, source: Path, root: Path, budget: int) -> None:
        sources = os.pathsep.join(str(checkout / folder) for folder in ("pipelines", "kernels"))
        environment = {**os.environ, "PYTHONPATH": sources}
        job = [sys.executable, "jobs/index.py", f"source.path={source}", f"store.root={root}"]
        subprocess.run(job, cwd=checkout, env=environment, check=True, stdout=subprocess.DEVNULL)
        command = [sys.executable, "-c", CHILD, str(root), str(budget), str(WARM)]
        self.process = subprocess.Popen(
            command, cwd=checkout, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.opened = self._answered()

    def ask(self, question: str) -> dict[str, float]:
        """Milliseconds by call."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        return self._answered()

    def close(self) -> None:
        """End the process."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()

    def _answered(self) -> dict[str, float]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"the process that answers ended with {self.process.wait()}")
        answered: dict[str, float] = json.loads(line)
        return answered


def measured(folder: Path, beside: Path | None, rounds: int, budget: int) -> dict[str, object]:
    """One row: medians over all questions and rounds, and the other version's beside them."""
    probes: dict[str, list[dict[str, Any]]] = json.loads((folder / "probing_questions.json").read_text())
    questions = [probe["question"] for group in probes.values() for probe in group]
    checkouts = {"": ROOT} | ({"before_": beside.resolve()} if beside is not None else {})
    with tempfile.TemporaryDirectory() as scratch, ExitStack() as stack:
        # The reader knows a conversation of BEAM by the last two folders of its path.
        source = Path(scratch) / "source" / folder.parent.name
        source.mkdir(parents=True)
        (source / folder.name).symlink_to(folder.resolve(), target_is_directory=True)
        versions: dict[str, Version] = {}
        for name, checkout in checkouts.items():
            versions[name] = Version(checkout, source.parent, Path(scratch) / f"{name}store", budget)
            stack.callback(versions[name].close)
        took: dict[str, list[dict[str, float]]] = {name: [] for name in versions}
        for turn in range(rounds):
            for question in questions:
                for name, version in versions.items():
                    took[name].append(version.ask(f"{question} ({turn})"))
        row: dict[str, object] = {
            "folder": "/".join(folder.parts[-2:]),
            "budget": budget,
            "warm_s": WARM,
            "asked": len(took[""]),
        }
        for name, version in versions.items():
            row |= {f"{name}{what}": round(value, 1) for what, value in version.opened.items()}
            row |= {f"{name}{call}_ms": round(median(each[call] for each in took[name]), 2) for call in CALLS}
    row["search_over_encode"] = _ratio(took[""], "search", took[""], "encode")
    if beside is not None:
        row |= {f"{call}_ratio": _ratio(took[""], call, took["before_"], call) for call in CALLS}
    return row


def _ratio(one: list[dict[str, float]], call: str, other: list[dict[str, float]], base: str) -> float:
    """The ratio of two medians."""
    return round(median(each[call] for each in one) / median(each[base] for each in other), 3)


def main() -> None:
    """See the module's docstring."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--beside", type=Path, help="the checkout of another version")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--budget", type=int, default=5_000)
    options = parser.parse_args()
    row = measured(options.folder, options.beside, options.rounds, options.budget)
    print(json.dumps(row, indent=1))
    print(keep("probe", [row]))


if __name__ == "__main__":
    main()
