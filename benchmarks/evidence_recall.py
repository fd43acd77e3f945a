"""Does search find the evidence, and does the context hold it?

    python benchmarks/evidence_recall.py --beam DIR --locomo DIR [--synthetic] [--dense-whole]
    python benchmarks/evidence_recall.py --beam DIR --only 100K/1 100K/2 --engine engine=vllm model=smollm2-135m
    python benchmarks/evidence_recall.py --beam DIR --without arms.advice arms.unsaid sections.passages steps.dates
    python benchmarks/evidence_recall.py --beam DIR --only 100K/1 --retrieval fuzzy
    python benchmarks/evidence_recall.py --beam DIR --only 100K/1 100K/2 --into all

DIR of BEAM holds <size>/<number>/chat.json (or plan-N/chat.json) beside probing_questions.json; DIR of LoCoMo
holds one JSON file a conversation. Prints a table and appends rows to results/evidence_recall.jsonl.

`coverage` counts an evidence message of which 150 characters stand in the context, whichever they are (all of a
shorter one); `coverage_opening` one whose first 240 (the assistant's: 600) do. Each part that `--without` names is
turned off in rows of its own. `--into` joins all conversations of BEAM into one, as `source.into` does.

`--engine` says who writes the notes (Hydra overrides of conf/index.yaml; by default the rules): what is indexed of an
exchange is what the user said, so notes move the search by the standing orders among them, and the context by the part
of it that holds orders and notes. `by_rules` in a row is the share of exchanges whose notes are not the model's,
because it gave no valid answer.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import fmean

from harness import keep

import memfold
from memfold.api import Store
from memfold.build import build
from memfold.config import load
from memfold.embed.contract import Embedder
from memfold.embed.minilm import MiniLM
from memfold.evaluate import beam, locomo
from memfold.evaluate.evidence import BUDGETS, Outcome, Subject, baselines, outcomes
from memfold.evaluate.synthetic import Synthetic
from memfold.extract.contract import FALLBACK
from memfold.run.index import index
from memfold.run.job import index_job
from memfold.watch import Report

SHOWN = (
    "recall@5",
    "recall@15",
    "recall@50",
    "hit@15",
    "all@15",
    *(f"{name}@{budget}" for name in ("coverage", "coverage_opening") for budget in BUDGETS),
)


@dataclass
class Stores:
    """Makes stores of their own under `root` by the index job, with one engine; `made_by` counts extractions by who
    made them."""

    root: Path
    engine: Sequence[str] = ()
    made_by: Counter[str] = field(default_factory=Counter)

    def indexed(self, name: str, *overrides: str) -> Store:
        """Dead letters would be evidence lost unseen."""
        root = self.root / name
        done = index(index_job(load("index", [f"store.root={root}", *self.engine, *overrides])), Report())
        if done["dead_letters"]:
            raise SystemExit(f"{overrides}: {done['dead_letters']} dead letters")
        print(done, flush=True)
        store = memfold.open(str(root))
        for batch in store.live("extractions", ["made_by"]):
            self.made_by.update(batch.column(0).to_pylist())
        return store

    @property
    def by_rules(self) -> float:
        """The share of extractions that the engine left to the rules."""
        fallen = sum(count for name, count in self.made_by.items() if name.endswith(FALLBACK))
        return fallen / self.made_by.total()


def beam_subjects(source: Path, stores: Stores, only: Sequence[str], into: str | None) -> Iterator[Subject]:
    if only:
        for conversation in only:
            shutil.copytree(source / conversation, stores.root / "source" / conversation)
        source = stores.root / "source"
    store = stores.indexed("beam", f"source.path={source}", *([f"source.into={into}"] if into else []))
    for questions in sorted(source.glob("*/*/probing_questions.json"), key=lambda p: (len(p.parts[-3]), p)):
        size, number = questions.parts[-3:-1]
        conversation = f"{size}-{number}"
        probes = beam.probes(questions, conversation)
        if into:
            probes = [
                replace(probe, evidence=tuple(f"{conversation}/{each}" for each in probe.evidence))
                for probe in probes
            ]
        yield Subject(f"BEAM {size}", store, into or conversation, probes)


def locomo_subjects(source: Path, stores: Stores) -> Iterator[Subject]:
    store = stores.indexed("locomo", f"source.path={source}")
    for path in sorted(source.glob("*.json")):
        conversation = f"LOCOMO-{path.stem}"
        yield Subject("LoCoMo", store, conversation, locomo.probes(path, conversation))


def synthetic_subjects(stores: Stores) -> Iterator[Subject]:
    tokens = 200_000
    store = stores.indexed(
        "synthetic", "source=synthetic", f"source.tokens={tokens}", "source.conversations=2"
    )
    probes = Synthetic(tokens=tokens, conversations=2).probes()
    for conversation in store.conversations():
        mine = [probe for probe in probes if probe.conversation_id == conversation.conversation_id]
        yield Subject(f"synthetic {mine[0].language}", store, conversation.conversation_id, mine)


def lacking(subject: Subject, part: str) -> Subject:
    """The same asked without an arm, a step or a section: `sections.notes`."""
    kind, name = part.split(".")
    group = {"arms": "retrieval", "steps": "retrieval", "sections": "context"}[kind]
    config = load("ask", ["store.root=unused", f"~{group}.{kind}.{name}"])
    root, made = subject.store.location.root, {"retrieval": "retrieval", "context": "packing"}
    store = memfold.open(root, **{made[group]: build(config[group], group)})
    return replace(subject, store=store, system=f"memfold without {part}")


def asked_by(subject: Subject, retrieval: str) -> Subject:
    """The same asked by another choice of the group `retrieval`: "fuzzy"."""
    config = load("ask", ["store.root=unused", f"retrieval={retrieval}"])
    store = memfold.open(subject.store.location.root, retrieval=build(config.retrieval, "retrieval"))
    return replace(subject, store=store, system=f"memfold retrieval={retrieval}")


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
    parser.add_argument("--only", nargs="+", default=[], help="of --beam these: 100K/1 100K/2")
    parser.add_argument("--into", help="join the conversations of --beam into one of this name")
    parser.add_argument("--engine", nargs="+", default=["engine=rules"], help="as the index job takes it")
    parser.add_argument(
        "--synthetic", action="store_true", help="also made-up conversations, English and Chinese"
    )
    parser.add_argument(
        "--without", nargs="+", default=[], help="arms, steps and sections: arms.unsaid sections.notes"
    )
    parser.add_argument("--retrieval", nargs="+", default=[], help="also by these choices of it: fuzzy")
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
            for part in chosen.without:
                found.extend(outcomes(lacking(subject, part), {}))
            for choice in chosen.retrieval:
                found.extend(outcomes(asked_by(subject, choice), {}))
            print(f"{subject.conversation_id}: {len(subject.probes)} probes", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        stores = Stores(Path(folder), chosen.engine)
        if chosen.beam:
            measure(beam_subjects(chosen.beam, stores, chosen.only, chosen.into))
        if chosen.locomo:
            measure(locomo_subjects(chosen.locomo, stores))
        if chosen.synthetic:
            measure(synthetic_subjects(stores))
    about = {"engine": " ".join(chosen.engine), "by_rules": round(stores.by_rules, 3), "into": chosen.into}
    print(dict(stores.made_by))
    rows = [{**row, **about} for row in table(found)]
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
