"""What the other memories add to the episodic one alone, by ability, on made-up conversations.

    python benchmarks/abilities.py [--tokens 100000] [--seeds 1 2 3 4] [--each 5] [--budget 4000]

Each of `--seeds` gives a conversation in English and one in Chinese, with `--each` probes of every ability. `all` is
the default. `episodic` is indexed with the layer episodic alone, ranked by the arms and steps that read it, and its
context has the closest exchanges and a line of the rest. Both have `--budget` tokens and the reader that quotes; when
its answer is right, `memfold.evaluate.right` says. `shown` is the share of probes whose planted values all stand in the
context, where there are values: what a reader who understands could find there. A row for each system and language.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean

from evidence_recall import Stores
from harness import keep

import memfold
from memfold.api import Store
from memfold.context.assemble import Packing
from memfold.evaluate.right import is_right, planted
from memfold.evaluate.synthetic import BANKS, Synthetic
from memfold.retrieve.fuse import Retrieval

ARMS, STEPS, SECTIONS = ("lexical", "dense", "surroundings"), ("neighbours", "dates"), ("closest", "also")


def alone() -> tuple[Retrieval, Packing]:
    """Search and context of the episodic layer alone."""
    retrieval, packing = Retrieval(), Packing()
    arms = {name: retrieval.arms[name] for name in ARMS}
    steps = {name: retrieval.steps[name] for name in STEPS}
    sections = {name: packing.sections[name] for name in SECTIONS}
    return Retrieval(arms, steps, subjects=0), replace(packing, sections=sections)


def judged(store: Store, source: Synthetic, budget: int) -> Iterator[dict[str, object]]:
    """What became of each probe."""
    for probe in source.probes():
        said = {message.message_id: message.content for message in store.messages(probe.conversation_id)}
        evidence = [said[message] for message in probe.evidence]
        values = planted(probe, evidence)
        found = store.probe(probe.conversation_id, probe.question)
        answer, context = found.answer(budget), found.context(budget)
        yield {
            "probe": probe.probe_id,
            "ability": probe.ability,
            "right": is_right(answer, probe.evidence, values),
            "shown": all(value in context.text for value in values) if values else None,
            "question": probe.question,
            "wanted": probe.answer,
            "answer": answer.text,
        }


def rows(stores: Stores, args: argparse.Namespace, language: str) -> Iterator[dict[str, object]]:
    """A row for each system."""
    for system in ("episodic", "all"):
        found: list[dict[str, object]] = []
        for seed in args.seeds:
            words = ["source=synthetic", f"source.tokens={args.tokens}", f"source.seed={seed}"]
            words.append(f"source.languages=[{language}]")
            only = ["layers=[episodic]"] if system == "episodic" else []
            store = stores.indexed(f"{system}-{language}-{seed}", *words, *only)
            if system == "episodic":
                retrieval, packing = alone()
                store = memfold.open(store.location.root, retrieval=retrieval, packing=packing)
            source = Synthetic(args.tokens, seed, languages=(language,), each=args.each)
            found += judged(store, source, args.budget)
        if args.out:
            args.out.mkdir(parents=True, exist_ok=True)
            lines = (json.dumps(each, ensure_ascii=False) + "\n" for each in found)
            (args.out / f"{system}-{language}.jsonl").write_text("".join(lines))
        yield {
            "system": system,
            "language": language,
            "tokens": args.tokens,
            "seeds": args.seeds,
            "budget": args.budget,
            "reader": "extractive",
            "probes": len(found),
            "right": share(found, "right"),
            "shown": share(found, "shown"),
            "right_by_ability": by_ability(found, "right"),
            "shown_by_ability": by_ability(found, "shown"),
        }


def share(found: Sequence[dict[str, object]], what: str) -> float | None:
    """The share of probes of which `what` is true, of those that have it."""
    told = [bool(each[what]) for each in found if each[what] is not None]
    return round(fmean(told), 4) if told else None


def by_ability(found: Sequence[dict[str, object]], what: str) -> dict[str, float]:
    """The same of each ability."""
    of: defaultdict[str, list[dict[str, object]]] = defaultdict(list)
    for each in found:
        of[str(each["ability"])].append(each)
    return {name: told for name in sorted(of) if (told := share(of[name], what)) is not None}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tokens", type=int, default=100_000)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3, 4])
    parser.add_argument("--each", type=int, default=5, help="probes of each ability a conversation")
    parser.add_argument("--budget", type=int, default=4_000)
    parser.add_argument("--of", nargs="+", default=list(BANKS), help="languages of the conversations")
    parser.add_argument("--root", type=Path, help="where the stores are left; without it they are not")
    parser.add_argument("--out", type=Path, help="where every answer is written")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        stores = Stores(args.root or Path(folder), ["engine=rules"])
        for language in args.of:
            found = list(rows(stores, args, language))
            print(*found, sep="\n", flush=True)
            print(keep("abilities", found), flush=True)


if __name__ == "__main__":
    main()
