"""What the quoting reader's answers hold: `python benchmarks/quotes.py --locomo DIR [--out FILE]`.

Every probe of LoCoMo's conversations is asked, after each was indexed by rules. By category: `held`, the share of
answers with at least 70 % of the reference's terms; `cited`, how much of the evidence is cited; `refused`, the share
without citations. Of the adversarial category, which gives one person's words to another, refusing is right and
holding the reference is wrong. Terms tell little of dates, which LoCoMo writes in words ("the week before 9 August").
`--out` gets every answer, one JSON line each.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean

from harness import ROOT, keep

import memfold
from memfold.evaluate import locomo
from memfold.text.terms import terms

# The share of the reference's terms from which an answer holds it.
HELD = 0.7


def answered(folder: Path, root: Path, budget: int) -> Iterator[dict[str, object]]:
    """A row for each probe."""
    job = [sys.executable, "jobs/index.py", "source.format=locomo", f"source.path={folder.resolve()}"]
    subprocess.run([*job, f"store.root={root}"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    store = memfold.open(root)
    for held in store.conversations():
        name = held.conversation_id
        for probe in locomo.probes(folder / f"{name.rpartition('-')[2]}.json", name):
            answer = store.ask(name, probe.question, budget=budget)
            cited = {message for each in answer.citations for message in each.message_ids}
            wanted, found = set(terms(probe.answer)), set(terms(answer.text))
            yield {
                "probe": probe.probe_id,
                "category": probe.ability,
                "question": probe.question,
                "reference": probe.answer,
                "answer": answer.text,
                "held": bool(cited) and len(wanted & found) >= HELD * len(wanted),
                "cited": fmean(each in cited for each in probe.evidence) if probe.evidence else None,
                "refused": not cited,
            }


def share(found: list[dict[str, object]], what: str) -> float:
    """The mean of `what`, of those that have it."""
    told = [each[what] for each in found]
    return round(fmean(float(one) for one in told if isinstance(one, float | bool)), 4)


def main() -> None:
    """Ask, and keep a row for each category."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--locomo", type=Path, required=True)
    parser.add_argument("--budget", type=int, default=4_000)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = list(answered(args.locomo, Path(folder) / "store", args.budget))
    if args.out:
        args.out.write_text("".join(json.dumps(each, ensure_ascii=False) + "\n" for each in found))
    groups: defaultdict[str, list[dict[str, object]]] = defaultdict(list)
    for each in found:
        groups[str(each["category"])].append(each)
    rows = [
        {
            "category": category,
            "budget": args.budget,
            "probes": len(of),
            **{what: share(of, what) for what in ("held", "cited", "refused")},
            "characters": round(fmean(len(str(each["answer"])) for each in of)),
        }
        for category, of in groups.items()
    ]
    print(*rows, sep="\n", flush=True)
    print(keep("quotes", rows), flush=True)


if __name__ == "__main__":
    main()
