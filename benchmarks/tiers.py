"""What each tier of memory is worth to a reader: none, short-term only, long-term only, all (seed 004's table).

    python benchmarks/tiers.py contexts OUT --locomo DIR [--each 8] [--budget 4000]
    python benchmarks/tiers.py judge OUT --answers A.jsonl [B.jsonl …]
    python benchmarks/tiers.py scores OUT --reader WHO --judge WHO

`contexts` indexes LoCoMo's conversations and two synthetic ones (English, Chinese; 100K tokens), draws `--each` probes
of every LoCoMo conversation over its five categories and one of every ability of each synthetic one, and makes a
context for each probe by each tier, asked right after the last message: `none` is the question alone, `short` the
section `recent` alone with all the room, `long` every section but `recent`, `all` the default. OUT/read-K.txt, four
files, hold each probe once, by another tier in each, so that who reads one file sees no question twice. A reader
answers every probe of a file from its context alone: {"n": 7, "answer": "…"} a line.

`judge` writes OUT/judge.txt: question, reference and the four answers in random order. A judge writes
OUT/verdict.jsonl: {"n": 7, "A": [1, false], …}: right (1), in part (.5) or not (0), and whether the answer only says
that it does not know. For a probe without an answer, saying so is right.

`scores` appends a row for each source and tier to results/tiers.jsonl: accuracy over probes of one place (`single`) and
of several (`multi`); `memory_f1`, the F1 of answer and reference by words (by characters in Chinese); `preference_f1`
over probes of preferences and instructions (precision over those that were not refused); `invented`, the share of all
answers that assert what is wrong; `recalled`, the share of answerable probes answered right with evidence shown;
`p95_ms` and `tokens` of making the context, the reader's own time apart.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from harness import ROOT, keep

import memfold
from memfold.api import Store
from memfold.context.assemble import Packing
from memfold.context.sections.recent import Recent
from memfold.evaluate import locomo
from memfold.evaluate.probe import Probe
from memfold.evaluate.scores import coverage
from memfold.evaluate.synthetic import Synthetic
from memfold.text.terms import terms

TIERS = ("none", "short", "long", "all")
UNANSWERABLE = ("adversarial", "abstention")
PREFERENCES = ("preference_following", "instruction_following")
SINGLE = ("single_hop", "open_domain", "information_extraction", "knowledge_update", *PREFERENCES)
SYNTHETIC = Synthetic(tokens=100_000, conversations=2)


def packing(tier: str) -> Packing:
    """What a context has by a tier; none of it by `none`."""
    whole = Packing()
    if tier == "all":
        return whole
    recent = {"recent": replace(Recent(), share=1.0)}
    rest = {name: section for name, section in whole.sections.items() if name != "recent"}
    kinds = whole.kinds if tier == "long" else {}
    return replace(whole, sections=rest if tier == "long" else recent, kinds=kinds)


def drawn(probes: Sequence[Probe], how_many: int, seed: str) -> list[Probe]:
    """So many of the probes, their abilities in turn."""
    by_ability: defaultdict[str, list[Probe]] = defaultdict(list)
    for probe in random.Random(seed).sample(probes, len(probes)):
        by_ability[probe.ability].append(probe)
    ranks = zip_longest(*(by_ability[name] for name in sorted(by_ability)))
    return [probe for rank in ranks for probe in rank if probe is not None][:how_many]


def asked(args: argparse.Namespace) -> Iterator[tuple[str, Store, Probe]]:
    """Every probe with its source and the store it is asked of."""
    for source, words in {
        "locomo": ["source.format=locomo", f"source.path={args.locomo}"],
        "synthetic": [
            "source=synthetic",
            *(f"source.{key}={getattr(SYNTHETIC, key)}" for key in ("tokens", "conversations")),
        ],
    }.items():
        root = args.out / source
        job = [sys.executable, "jobs/index.py", *words, f"store.root={root.resolve()}"]
        subprocess.run(job, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        store = memfold.open(root)
        for held in store.conversations():
            name = held.conversation_id
            if source == "locomo":
                file = next(args.locomo.glob(f"{name.rpartition('-')[2]}.json"))
                found = drawn(locomo.probes(file, name), args.each, name)
            else:
                about = [probe for probe in SYNTHETIC.probes() if probe.conversation_id == name]
                found = drawn(about, 10, name)
            yield from ((source, store, probe) for probe in found)


def contexts(args: argparse.Namespace) -> None:
    """Write the files to read, and what is right."""
    args.out.mkdir(parents=True, exist_ok=True)
    pages: list[list[str]] = [[] for _ in TIERS]
    with (args.out / "rubric.jsonl").open("w") as rubric:
        for n, (source, store, probe) in enumerate(asked(args)):
            messages = list(store.messages(probe.conversation_id))
            evidence = [message for message in messages if message.message_id in probe.evidence]
            now = max((message.time for message in messages if message.time), default=None)
            made: dict[str, dict[str, Any]] = {}
            for place, tier in enumerate(TIERS):
                text, tokens, began = "", 0, time.perf_counter()
                if tier != "none":
                    means = replace(store.means, packing=packing(tier))
                    context = replace(store, means=means).context(
                        probe.conversation_id, probe.question, args.budget, now=now
                    )
                    text, tokens = context.text, context.tokens
                made[tier] = {
                    "ms": 1e3 * (time.perf_counter() - began),
                    "tokens": tokens,
                    "shown": coverage(text, evidence) if evidence else None,
                }
                shown = f"######## PROBE {n}\nQUESTION: {probe.question}\n\nCONTEXT:\n{text}\n"
                pages[(n + place) % len(TIERS)].append(shown)
            row = {"n": n, "source": source, "ability": probe.ability, "question": probe.question}
            rubric.write(
                json.dumps({**row, "answer": probe.answer, "tiers": made}, ensure_ascii=False) + "\n"
            )
    for number, page in enumerate(pages):
        (args.out / f"read-{number}.txt").write_text("\n".join(page))


def load(path: Path) -> list[dict[str, Any]]:
    """The lines of a file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def answers(out: Path, files: Sequence[Path]) -> dict[tuple[int, str], str]:
    """The answer to each probe by each tier: a file's name ends in the number of the file that was read."""
    found = {}
    for file in files:
        for line in load(file):
            place = (int(file.stem[-1]) - line["n"]) % len(TIERS)
            found[line["n"], TIERS[place]] = str(line["answer"])
    missing = [
        key for row in load(out / "rubric.jsonl") for tier in TIERS if (key := (row["n"], tier)) not in found
    ]
    if missing:
        raise SystemExit(f"no answer to {len(missing)} probes, the first {missing[0]}")
    return found


def order(n: int) -> list[str]:
    """The tiers behind A, B, C and D of a probe."""
    return random.Random(n).sample(TIERS, len(TIERS))


def judge(args: argparse.Namespace) -> None:
    """Write what is to be judged."""
    given = answers(args.out, args.answers)
    (args.out / "answers.json").write_text(json.dumps([[*key, said] for key, said in given.items()]))
    with (args.out / "judge.txt").open("w") as file:
        for row in load(args.out / "rubric.jsonl"):
            none = row["ability"] in UNANSWERABLE
            reference = "(the conversation does not say)" if none else row["answer"]
            file.write(f"######## {row['n']}\nQUESTION: {row['question']}\nREFERENCE: {reference}\n")
            for letter, tier in zip("ABCD", order(row["n"]), strict=True):
                file.write(f"--- {letter}: {given[row['n'], tier]}\n")


def f1(said: str, reference: str) -> float:
    """F1 of two texts by their terms."""
    left, right = Counter(terms(said)), Counter(terms(reference))
    both = (left & right).total()
    return 2 * both / (left.total() + right.total()) if both else 0.0


def scores(args: argparse.Namespace) -> None:
    """Keep and print the table."""
    given = {(n, tier): said for n, tier, said in json.loads((args.out / "answers.json").read_text())}
    verdicts = {line["n"]: line for line in load(args.out / "verdict.jsonl")}
    rows: list[dict[str, object]] = []
    rubric = load(args.out / "rubric.jsonl")
    for source in dict.fromkeys(row["source"] for row in rubric):
        for tier in TIERS:
            found: defaultdict[str, list[float]] = defaultdict(list)
            for row in (row for row in rubric if row["source"] == source):
                right, refused = verdicts[row["n"]]["ABCD"[order(row["n"]).index(tier)]]
                made, said = row["tiers"][tier], given[row["n"], tier]
                found["tokens"].append(made["tokens"])
                found["ms"].append(made["ms"])
                found["invented"].append(not refused and right == 0)
                if row["ability"] in UNANSWERABLE:
                    found["abstained"].append(right)
                    continue
                found["single" if row["ability"] in SINGLE else "multi"].append(right)
                found["memory_f1"].append(f1(said, row["answer"]))
                found["recalled"].append(right == 1 and (made["shown"] or 0) > 0)
                if row["ability"] in PREFERENCES:
                    found["followed"].append(right)
                    found["kept"].extend([] if refused else [right])
            p95 = float(np.percentile(found.pop("ms"), 95))
            followed, kept = (found.pop(name, []) for name in ("followed", "kept"))
            means = {name: round(fmean(values), 3) for name, values in found.items()}
            if followed:
                parts = fmean(followed), fmean(kept or [0.0])
                means["preference_f1"] = round(2 * parts[0] * parts[1] / (sum(parts) or 1), 3)
            rows.append({"source": source, "tier": tier, **means, "p95_ms": round(p95, 1)})
            print(json.dumps(rows[-1]))
    keep("tiers", [{**row, "reader": args.reader, "judge": args.judge} for row in rows])


def main() -> None:
    """Run one step."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    steps = parser.add_subparsers(required=True)
    step = steps.add_parser("contexts")
    step.add_argument("--locomo", type=Path, required=True)
    step.add_argument("--each", type=int, default=8)
    step.add_argument("--budget", type=int, default=4000)
    step.set_defaults(do=contexts)
    step = steps.add_parser("judge")
    step.add_argument("--answers", type=Path, nargs="+", required=True)
    step.set_defaults(do=judge)
    step = steps.add_parser("scores")
    step.add_argument("--reader", required=True)
    step.add_argument("--judge", required=True)
    step.set_defaults(do=scores)
    for step in steps.choices.values():
        step.add_argument("out", type=Path)
    args = parser.parse_args()
    args.do(args)


if __name__ == "__main__":
    main()
