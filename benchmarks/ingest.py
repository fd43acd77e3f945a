"""Indexing beside embedding alone: `python benchmarks/ingest.py [--executors local,ray] [--growth] [--set …] FOLDER …`.

For each source: a plain loop that embeds its user texts with the same embedder on the same cores, then the
index job in a process of its own for each executor, then the loop again; the ratio is the job's wall time
over the mean of the two loops. Also tokens per second, peak memory of all the job's processes, the second run
of the finished job, and what each stage takes when it runs alone. `--growth` indexes a source without its last
hundredth, then whole. `--set` changes the job, as on its own command line (`--set ~layers.beliefs`).
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby, islice
from pathlib import Path
from typing import Any

import numpy as np
from harness import ROOT, keep

import memfold
from memfold.build import build, build_group
from memfold.config import load
from memfold.embed.minilm import MiniLM
from memfold.extract.contract import Engine
from memfold.extract.engines.rules import Rules
from memfold.extract.windows import windows
from memfold.ingest.source import Files
from memfold.layers.episodic import user_text
from memfold.layers.layer import Tools, equipped
from memfold.run.index import index
from memfold.run.job import Source, index_job
from memfold.run.plan import Naming, Work, cut, place
from memfold.run.reconcile import identify
from memfold.run.work import stored
from memfold.schema import DeadLetter, Item, Message
from memfold.watch import Report

BATCH = 64


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--executors", default="local,ray")
    parser.add_argument("--growth", action="store_true")
    parser.add_argument("--set", nargs="*", default=[])
    options = parser.parse_args()
    if options.growth and options.set:
        parser.error("--growth takes no --set")
    for folder in options.folders:
        row = growth(folder) if options.growth else compare(folder, options.executors.split(","), options.set)
        keep("ingest", [row])
        print(json.dumps(row, indent=1))


def compare(folder: str, executors: list[str], overrides: list[str]) -> dict[str, object]:
    shares = stages(folder)
    texts = _texts(folder)
    embedder = MiniLM()
    embedder.encode(texts[:BATCH])
    loops = [_timed(lambda: _embed(embedder, texts))]
    row: dict[str, object] = {
        "source": _name(folder),
        "benchmark": "index",
        "exchanges": len(texts),
        "stages_s": shares,
        "set": overrides,
    }
    with tempfile.TemporaryDirectory() as root:
        for executor in executors:
            first = _job(folder, f"{root}/{executor}", executor, overrides)
            again = _job(folder, f"{root}/{executor}", executor, overrides)
            assert again["content_hash"] == first["content_hash"]
            loops.append(_timed(lambda: _embed(embedder, texts)))
            row["tokens"] = first["tokens"]
            row["content_hash"] = first["content_hash"]
            row[executor] = {
                "wall_s": first["wall_s"],
                "tokens_per_s": round(first["tokens"] / first["wall_s"]),
                "peak_rss_mb": first["peak_rss_mb"],
                "second_run_s": again["wall_s"],
                "second_run_times_faster": round(first["wall_s"] / again["wall_s"], 1),
                "over_embedding_alone": round(first["wall_s"] / float(np.mean(loops[-2:])), 3),
            }
        row["embedding_alone_s"] = [round(seconds, 2) for seconds in loops]
        row["search"] = _search(f"{root}/{executors[0]}")
    return row


def stages(folder: str) -> dict[str, float]:
    """Seconds of each stage run alone on one thread after the other (embedding on all cores, elsewhere)."""
    source = Files(folder)
    items: list[Message] = []
    works: list[Work] = []

    def read() -> None:
        items.extend(m for m in source.messages() if isinstance(m, Message))

    def plan() -> None:
        for said in by_conversation:
            works.extend(cut(place(identify(said, _refuse)), Naming("e", layers)))

    def extract() -> None:
        for work in works:
            _extract(Rules(), work)

    seconds = {"read": _timed(read)}
    layers = equipped(build_group(load("index", [f"source.path={folder}"]).layers, "layers"), Tools(MiniLM()))
    by_conversation = [list(group) for _, group in groupby(items, key=lambda m: m.conversation_id)]
    seconds["plan"] = _timed(plan)
    seconds["count_and_language"] = _timed(lambda: [stored(item) for work in works for item in work.messages])
    seconds["count_language_extract"] = _timed(extract)
    return {name: round(value, 2) for name, value in seconds.items()}


def _extract(engine: Engine, work: Work) -> None:
    said = [stored(item) for item in work.messages]
    history = [stored(item) for item in work.history] if engine.history_tokens else []
    tokens, most = engine.history_tokens, engine.assistant_tokens
    engine.extract(windows(said, history, history_tokens=tokens, assistant_tokens=most))


def growth(folder: str) -> dict[str, object]:
    """What the last hundredth of a source costs a store that holds the rest, beside indexing it whole."""
    whole = Files(folder)
    messages = sum(1 for _ in whole.messages())
    with tempfile.TemporaryDirectory() as root:
        seconds = {}
        jobs: dict[str, tuple[Source, str]] = {
            "first_99": (Beginning(whole, messages * 99 // 100), "grown"),
            "last_1": (whole, "grown"),
            "whole": (whole, "whole"),
        }
        hashes = {}
        for name, (source, where) in jobs.items():
            config = load("index", [f"source.path={folder}", f"store.root={root}/{where}"])
            job = replace(index_job(config), source=source)
            began = time.perf_counter()
            hashes[name] = index(job, Report())["content_hash"]
            seconds[name] = round(time.perf_counter() - began, 2)
        assert hashes["last_1"] == hashes["whole"]
    share = round(seconds["last_1"] / seconds["whole"], 4)
    return {"source": _name(folder), "benchmark": "growth", "seconds": seconds, "last_1_over_whole": share}


@dataclass(frozen=True)
class Beginning:
    """The first messages of a source."""

    source: Files
    messages_: int

    def messages(self) -> Iterator[Item]:
        return islice(self.source.messages(), self.messages_)


def _texts(folder: str) -> list[str]:
    messages = [m for m in Files(folder).messages() if isinstance(m, Message)]
    texts: list[str] = []
    for _, group in groupby(messages, key=lambda m: m.conversation_id):
        said = (each for each in map(stored, place(identify(group, _refuse))) if each.current)
        texts += [user_text(list(each)) for _, each in groupby(said, key=lambda one: one.exchange_id)]
    return texts


def _embed(embedder: MiniLM, texts: list[str]) -> None:
    for i in range(0, len(texts), BATCH):
        embedder.encode(texts[i : i + BATCH])


def _job(folder: str, root: str, executor: str, overrides: list[str]) -> dict[str, Any]:
    command = [sys.executable, str(ROOT / "jobs" / "index.py")]
    command += [f"source.path={folder}", f"store.root={root}", f"executor={executor}", *overrides]
    started = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    seconds = time.perf_counter() - started
    return {**json.loads(done.stdout.splitlines()[-1]), "wall_s": round(seconds, 2)}


def _search(root: str) -> dict[str, object]:
    """Milliseconds of 200 searches in the largest conversation, and the share that encoding the question takes."""
    store = memfold.open(root)
    largest = max(store.conversations(), key=lambda c: c.exchanges).conversation_id
    questions = [f"What did I say about topic number {i} when we talked about my plans?" for i in range(200)]
    store.search(largest, "warm up")
    taken = [_timed(partial(store.search, largest, q)) for q in questions]
    embedder = build(load("index", ["source.path=x"]).embedder, "embedder")
    encoding = [_timed(partial(embedder.encode, [q, q])) for q in questions]
    return {
        "p50_ms": round(1000 * float(np.percentile(taken, 50)), 2),
        "p95_ms": round(1000 * float(np.percentile(taken, 95)), 2),
        "encoding_share": round(float(np.median(encoding) / np.median(taken)), 2),
    }


def _name(folder: str) -> str:
    return "/".join(Path(folder).parts[-2:])


def _timed(run: Callable[[], object]) -> float:
    started = time.perf_counter()
    run()
    return time.perf_counter() - started


def _refuse(letter: DeadLetter) -> None:
    raise AssertionError(letter.reason)


if __name__ == "__main__":
    main()
