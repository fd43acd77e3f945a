"""Does search find the evidence, and does the context hold it?

    python benchmarks/evidence_recall.py --beam DIR --locomo DIR [--synthetic] [--dense-whole]

DIR of BEAM holds <size>/<number>/chat.json (or plan-N/chat.json) beside probing_questions.json; DIR of LoCoMo
holds one JSON file a conversation. Prints a table and appends rows to results/evidence_recall.jsonl.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean

from harness import keep

from memfold.context.assemble import Packing
from memfold.embed.contract import Embedder
from memfold.embed.minilm import MiniLM
from memfold.evaluate import beam, locomo
from memfold.evaluate.evidence import BUDGETS, Outcome, Subject, baselines, in_memory, outcomes
from memfold.extract.engines.rules import Rules
from memfold.ingest import read
from memfold.ingest.synthetic import Synthetic
from memfold.retrieve.search import Retrieval

SHOWN = (
    "recall@5",
    "recall@15",
    "recall@50",
    "hit@15",
    "all@15",
    *(f"coverage@{budget}" for budget in BUDGETS),
)


def beam_subjects(root: Path, embedder: Embedder) -> Iterator[Subject]:
    for questions in sorted(root.glob("*/*/probing_questions.json"), key=lambda p: (len(p.parts[-3]), p)):
        folder = questions.parent
        conversation = f"{folder.parent.name}-{folder.name}"
        messages = read(folder, "beam")
        yield in_memory(
            f"BEAM {folder.parent.name}", messages, beam.probes(questions, conversation), embedder, Rules()
        )


def locomo_subjects(root: Path, embedder: Embedder) -> Iterator[Subject]:
    for path in sorted(root.glob("*.json")):
        probes = locomo.probes(path, f"LOCOMO-{path.stem}")
        yield in_memory("LoCoMo", read(path, "locomo"), probes, embedder, Rules())


def synthetic_subjects(embedder: Embedder, tokens: int = 200_000) -> Iterator[Subject]:
    for language in ("en", "zh"):
        source = Synthetic(tokens=tokens, languages=(language,))
        yield in_memory(f"synthetic {language}", source.messages(), list(source.probes()), embedder, Rules())


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
    embedder = MiniLM()
    found: list[Outcome] = []

    def measure(subjects: Iterator[Subject]) -> None:
        for subject in subjects:
            rivals = baselines(subject, embedder, dense_whole=chosen.dense_whole)
            found.extend(outcomes(subject, embedder.encode, Retrieval(), Packing(), rivals))
            print(
                f"{subject.size}: {len(subject.episodes)} exchanges, {len(subject.probes)} probes", flush=True
            )

    if chosen.beam:
        measure(beam_subjects(chosen.beam, embedder))
    if chosen.locomo:
        measure(locomo_subjects(chosen.locomo, embedder))
    if chosen.synthetic:
        measure(synthetic_subjects(embedder))
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
