"""Index a made-up conversation on a local Ray cluster, ask it probes and look whether the citations are right.

`make demo`, or `python jobs/demo.py [source.tokens=…] [store.root=…]`. A citation is right if it names a
message the probe's answer rests on; an abstention is right if nothing is cited.
"""

from __future__ import annotations

import json
import sys

from omegaconf import DictConfig
from rich.console import Console
from rich.markup import escape

import memfold
from memfold.config import build, main
from memfold.evaluate.probe import Probe
from memfold.ingest.synthetic import Synthetic
from memfold.run.index import index
from memfold.run.job import index_job
from memfold.run.watch import Report

SHOWN = 220


def run(config: DictConfig) -> None:
    console = Console(highlight=False)
    report = Report()
    done = index(index_job(config), report)
    report.close()
    console.print(escape(f"indexed: {json.dumps(done)}\n"))
    location = build(config.store, "store")
    store = memfold.open(location.root, location.tenant)
    source = build(config.source, "source")
    assert isinstance(source, Synthetic)
    probes = source.probes()
    right = sum(_ask(store, probe, console) for probe in probes)
    console.print(f"{right} of {len(probes)} probes answered with citations that are right")
    if right * 2 < len(probes):
        sys.exit("fewer than half of the citations are right: this is not memfold as it was tested")


def _ask(store: memfold.Store, probe: Probe, console: Console) -> bool:
    answer = store.ask(probe.conversation_id, probe.question)
    cited = {message_id for citation in answer.citations for message_id in citation.message_ids}
    right = bool(cited & set(probe.evidence)) if probe.evidence else not cited
    mark = "[green]right[/green]" if right else "[red]wrong[/red]"
    said = " / ".join(answer.text.splitlines())
    console.print(f"{mark} {probe.ability}: " + escape(probe.question))
    console.print("      " + escape(said[:SHOWN] + ("…" if len(said) > SHOWN else "")))
    return right


if __name__ == "__main__":
    main("demo", run)
