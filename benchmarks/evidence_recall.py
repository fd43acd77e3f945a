"""Does search find the evidence, and does the context hold it?

    python benchmarks/evidence_recall.py --beam DIR --locomo DIR [--synthetic] [--dense-whole]

DIR of BEAM holds <size>/<number>/chat.json (or plan-N/chat.json) beside probing_questions.json; DIR of LoCoMo
holds one JSON file a conversation. Prints a table and appends rows to results/evidence_recall.jsonl.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean

from harness import keep

import memfold
from memfold.config import load
from memfold.embed.contract import Embedder
from memfold.embed.minilm import MiniLM
from memfold.evaluate import beam, locomo
from memfold.evaluate.evidence import BUDGETS, Outcome, Subject, baselines, outcomes
from memfold.ingest.synthetic import Synthetic
from memfold.run.index import index
from memfold.run.job import index_job
from memfold.run.watch import Report

SHOWN = (
    "recall@5",
    "recall@15",
    "recall@50",
    "hit@15",
    "all@15",
    *(f"coverage@{budget}" for budget in BUDGETS),
)


def indexed(root: Path, *overrides: str) -> memfold.Store:
    """A store of its own under `root`, made by the index job; dead letters would be evidence lost unseen."""
    done = index(index_job(load("index", [f"store.root={root}", *overrides])), Report())
    if done["dead_letters"]:
        raise SystemExit(f"{overrides}: {done['dead_letters']} dead letters")
    print(done, flush=True)
    return memfold.open(str(root))


def beam_subjects(source: Path, root: Path) -> Iterator[Subject]:
    store = indexed(root, f"source.path={source}")
    for questions in sorted(source.glob("*/*/probing_questions.json"), key=lambda p: (len(p.parts[-3]), p)):
        size, number = questions.parts[-3:-1]
        conversation = f"{size}-{number}"
        yield Subject(f"BEAM {size}", store, conversation, beam.probes(questions, conversation))


def locomo_subjects(source: Path, root: Path) -> Iterator[Subject]:
    store = indexed(root, f"source.path={source}")
    for path in sorted(source.glob("*.json")):
        conversation = f"LOCOMO-{path.stem}"
        yield Subject("LoCoMo", store, conversation, locomo.probes(path, conversation))


def synthetic_subjects(root: Path, tokens: int = 200_000) -> Iterator[Subject]:
    store = indexed(root, "source=synthetic", f"source.tokens={tokens}", "source.conversations=2")
    probes = Synthetic(tokens=tokens, conversations=2).probes()
    for conversation in store.conversations():
        mine = [probe for probe in probes if probe.conversation_id == conversation.conversation_id]
        yield Subject(f"synthetic {mine[0].language}", store, conversation.conversation_id, mine)


def table(found: Sequence[Outcome]) -> list[dict[str, object]]:
    """Means by system, size and ability; "all" stands for all abilities."""
    groups: dict[tuple[str, str, str], list[Outcome]] = defaultdict(list)
    for outcome in found:
        for size in {outcome.size, outcome.size.split()[0]}:
            for ability in (outcome.probe.ability, "all"):
                groups[outcome.system, size, ability].append(outcome)
    return [
        {
            "system": system,
            "size": size,
            "ability": ability,
            "probes": len(group),
            **{
                name: round(fmean(o.values[name] for o in group), 4)
                for name in SHOWN
                if name in group[0].values
            },
        }
        for (system, size, ability), group in groups.items()
    ]


def show(rows: Sequence[dict[str, object]]) -> None:
    columns = ("system", "size", "ability", "probes", *SHOWN)
    lines = [[_cell(row.get(column)) for column in columns] for row in rows]
    widths = [max(len(line[i]) for line in [list(columns), *lines]) for i in range(len(columns))]
    for line in [list(columns), *lines]:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


def _cell(value: object) -> str:
    return "-" if value is None else f"{100 * value:.1f}" if isinstance(value, float) else str(value)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--beam", type=Path)
    parser.add_argument("--locomo", type=Path)
    parser.add_argument(
        "--synthetic", action="store_true", help="also made-up conversations, English and Chinese"
    )
    parser.add_argument(
        "--dense-whole", action="store_true", help="also vectors of whole exchanges: minutes longer"
    )
    chosen = parser.parse_args()
    embedder: Embedder = MiniLM()
    found: list[Outcome] = []

    def measure(subjects: Iterator[Subject]) -> None:
        for subject in subjects:
            rivals = baselines(subject, embedder, dense_whole=chosen.dense_whole)
            found.extend(outcomes(subject, rivals))
            print(f"{subject.conversation_id}: {len(subject.probes)} probes", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        if chosen.beam:
            measure(beam_subjects(chosen.beam, root / "beam"))
        if chosen.locomo:
            measure(locomo_subjects(chosen.locomo, root / "locomo"))
        if chosen.synthetic:
            measure(synthetic_subjects(root / "synthetic"))
    rows = table(found)
    show(
        sorted(
            rows,
            key=lambda row: (
                str(row["size"]),
                row["ability"] != "all",
                str(row["ability"]),
                str(row["system"]),
            ),
        )
    )
    print(keep("evidence_recall", rows))


if __name__ == "__main__":
    main()
