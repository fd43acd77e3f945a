"""Index a made-up conversation on a local Ray cluster, ask it probes and look whether the answers are right.

`make demo`, or `python jobs/demo.py [source.tokens=…] [store.root=…]`. An answer is right if it holds the values that
were planted (`memfold.evaluate.right`); the lines that do, or that cite the evidence, are shown. The conversation is
full of paraphrase, near-twins and asides, and the answers are sentences of it, chosen without an LLM: little is put
together, and nothing is summed up.
"""

from __future__ import annotations

import json
import sys
from contextlib import closing
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape

from memfold.build import build
from memfold.entry import main

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omegaconf import DictConfig

    from memfold.api import Store
    from memfold.evaluate.probe import Probe

SHOWN = 160
LINES = 4
LISTED = 15


def run(config: DictConfig) -> None:
    """Index a made-up conversation, ask its probes and print what was answered."""
    from memfold.api import Store
    from memfold.evaluate.synthetic import Synthetic
    from memfold.run.index import index
    from memfold.run.job import index_job
    from memfold.watch import Report

    console = Console(highlight=False)
    with closing(Report(shown=True)) as report:
        done = index(index_job(config), report)
    console.print(escape(f"indexed: {json.dumps(done)}\n"))
    location = build(config.store, "store")
    store = Store.open(location)
    source = build(config.source, "source")
    assert isinstance(source, Synthetic)
    probes = source.probes()
    said = {
        (name, message.message_id): message.content
        for name in {probe.conversation_id for probe in probes}
        for message in store.messages(name)
    }
    right = [
        _ask(store, probe, [said[probe.conversation_id, each] for each in probe.evidence], console)
        for probe in probes
    ]
    answerable = [probe for probe in probes if probe.evidence]
    found = sum(_found(store, probe) for probe in answerable)
    console.print(
        f"\n{found} of {len(answerable)} answerable probes have evidence among their first {LISTED} hits\n"
        f"{sum(right)} of {len(probes)} probes were answered right: {_by_ability(probes, right)}"
    )
    if found * 2 < len(answerable):
        sys.exit("the evidence of most probes was not found: this is not memfold as it was tested")


def _found(store: Store, probe: Probe) -> bool:
    hits = store.search(probe.conversation_id, probe.question, LISTED)
    return any(set(hit.message_ids) & set(probe.evidence) for hit in hits)


def _by_ability(probes: Sequence[Probe], right: Sequence[bool]) -> str:
    """For each ability how many of its probes were answered right, e.g. "abstention 2/4"."""
    found: dict[str, list[bool]] = {}
    for probe, good in zip(probes, right, strict=True):
        found.setdefault(probe.ability, []).append(good)
    return ", ".join(f"{ability} {sum(good)}/{len(good)}" for ability, good in found.items())


def _ask(store: Store, probe: Probe, said: Sequence[str], console: Console) -> bool:
    from memfold.evaluate.right import holds, is_right, planted

    answer, values = store.ask(probe.conversation_id, probe.question), planted(probe, said)
    right = is_right(answer, probe.evidence, values)
    mark = "[green]right[/green]" if right else "[red]wrong[/red]"
    console.print(f"{mark} {probe.ability}: " + escape(probe.question))
    wanted = ", ".join(values) if values else "all of the evidence" if probe.evidence else "no citation"
    console.print("      wanted: " + escape(wanted))
    # What makes it right: the lines that name a value or cite the evidence, and without any the answer's beginning.
    evidence = {
        citation.exchange_id
        for citation in answer.citations
        if set(probe.evidence).intersection(citation.message_ids)
    }
    lines = answer.text.splitlines()
    shown = [
        line
        for line in lines
        if (
            any(holds(line, value) for value in values)
            if values
            else any(f"[{exchange}]" in line for exchange in evidence)
        )
    ]
    for line in (shown or lines)[:LINES]:
        console.print("      " + escape(line[:SHOWN] + "…" * (len(line) > SHOWN)))
    return right


if __name__ == "__main__":
    main("demo", run)
