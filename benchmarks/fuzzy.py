"""What fuzzy recall finds, by its weights: a Hydra app, made for sweeps.

    python jobs/index.py source.path=DIR/beam store.root=runs/sweep layers=[episodic]
    python benchmarks/fuzzy.py -m retrieval=fuzzy +beam=DIR/beam store.root=runs/sweep \\
        retrieval.steps.cutoff.most=15 hydra.sweep.dir=runs/sweep/hydra \\
        retrieval.arms.overlap.weight=0.0,0.2,0.4,0.6 retrieval.arms.likeness.weight=0.2,0.4,0.6,0.8 \\
        retrieval.arms.recency.weight=0.0,0.2

With +locomo=DIR/locomo in place of +beam the conversations are LoCoMo's, chats of short turns.
DIR/beam holds <size>/<number>/probing_questions.json of the conversations in the store. Each run appends one row to
results/fuzzy.jsonl: recall at 5 and at 15, how many hits there are, and the share of questions without one, which is
right for a question that the conversation does not answer (`silent` and `silent_unanswerable`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from statistics import fmean

import hydra
from harness import keep
from hydra.core.hydra_config import HydraConfig
from omegaconf import DictConfig

import memfold
from memfold.api import Store
from memfold.build import build
from memfold.evaluate import beam, locomo
from memfold.evaluate.probe import Probe
from memfold.evaluate.scores import recall


@cache
def once(root: str) -> Store:
    """The store, whose conversations and embedded questions all runs of a sweep share."""
    return memfold.open(root)


def asked(config: DictConfig) -> Iterator[tuple[str, list[Probe]]]:
    """The conversations of BEAM or of LoCoMo, each with its probes."""
    if "locomo" in config:
        for path in sorted(Path(config.locomo).glob("*.json")):
            conversation = f"LOCOMO-{path.stem}"
            yield conversation, locomo.probes(path, conversation)
        return
    for questions in sorted(Path(config.beam).glob("*/*/probing_questions.json")):
        conversation = "-".join(questions.parts[-3:-1])
        yield conversation, beam.probes(questions, conversation)


@hydra.main(version_base="1.3", config_path="../conf", config_name="ask")
def main(config: DictConfig) -> None:
    """One run of the sweep."""
    opened = once(config.store.root)
    store = replace(opened, means=replace(opened.means, retrieval=build(config.retrieval, "retrieval")))
    held = {each.conversation_id for each in store.conversations()}
    found: dict[str, list[float]] = {
        name: [] for name in ("recall@5", "recall@15", "hits", "silent", "silent_unanswerable")
    }
    for conversation, probes in asked(config):
        if conversation not in held:
            continue
        place = {message.message_id: message.exchange_id for message in store.messages(conversation)}
        for probe in probes:
            hits = [hit.exchange_id for hit in store.search(conversation, probe.question, 15)]
            evidence = {place[message] for message in probe.evidence if message in place}
            found["hits"].append(len(hits))
            found["silent" if evidence else "silent_unanswerable"].append(not hits)
            if evidence:
                for k in (5, 15):
                    found[f"recall@{k}"].append(recall(hits, evidence, k))
    row = {name: round(fmean(values), 4) for name, values in found.items() if values}
    chosen = [word for word in HydraConfig.get().overrides.task if word.startswith("retrieval")]
    keep("fuzzy", [{"set": " ".join(chosen), "probes": len(found["hits"]), **row}])
    print(row)


if __name__ == "__main__":
    main()
