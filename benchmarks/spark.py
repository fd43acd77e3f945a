"""Ingest by Spark beside a local one: `python benchmarks/spark.py PART …`; needs the extra `spark` and Java.

    equal BEAM LOCOMO   a folder of BEAM, a file of LoCoMo and 100,000 made-up tokens as lakes of every shape, for 1, 4
                        and 32 partitions, shuffled, a tenth doubled; an index of each table beside a local one
    kill BEAM           a lake read by executors of which one is killed, with speculation on
    connect BEAM        the same lake read by Spark Connect
    memory              one conversation of --long tokens (100M) among --short ones of 1,000 tokens (10,000), and those
                        alone: the largest Python worker, and the JVM
    speed --tokens N    ingest of N tokens at 1 and 2 cores

The lakes of the last two are one made-up conversation of 1M tokens, under as many ids and places as are needed.

Each appends a row to `results/spark.jsonl` and prints it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

import psutil
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from harness import ROOT, keep

from memfold.config import load
from memfold.evaluate.synthetic import Synthetic
from memfold.ingest.lake import Lake
from memfold.ingest.source import Files
from memfold.ingest.spark_session import Session, session
from memfold.ingest.spool import Spool
from memfold.ingest.staged import Ingested, staged
from memfold.run.index import index
from memfold.run.ingest import Ingest, ingest
from memfold.run.job import index_job
from memfold.run.reconcile import identify
from memfold.schema import DeadLetter, Item, Message
from memfold.store.location import Location
from memfold.watch import Report

FIELDS = pa.schema(
    [
        *((name, pa.string()) for name in ("message_id", "role", "content", "session", "speaker")),
        ("time", pa.timestamp("us", "UTC")),
        ("attachments", pa.list_(pa.string())),
        ("current", pa.bool_()),
    ]
)
ROW = pa.schema([("conversation_id", pa.string()), ("seq", pa.int64()), *FIELDS])
PARTITIONS = (1, 4, 32)
MADE_UP = 1_000_000
SAME = ("content_hash", "messages", "exchanges", "tokens", "conversations")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("part", choices=("equal", "kill", "connect", "memory", "speed"))
    parser.add_argument("paths", nargs="*")
    parser.add_argument("--tokens", type=int, default=100_000_000)
    parser.add_argument("--long", type=int, default=100_000_000)
    parser.add_argument("--short", type=int, default=10_000)
    parser.add_argument("--cores", type=int, nargs="+", default=[1, 2])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        made = {
            "equal": lambda: equal(Path(folder), *options.paths),
            "kill": lambda: killed(Path(folder), *options.paths),
            "connect": lambda: elsewhere(Path(folder), options.paths[0], ["spark.remote=local[2]"]),
            "memory": lambda: memory(Path(folder), options.long, options.short),
            "speed": lambda: speed(Path(folder), options.tokens, options.cores),
        }[options.part]()
    keep("spark", [{"part": options.part, **made}])
    print(json.dumps(made))


# --------------------------------------------------------------------------------- the same


@dataclass(frozen=True)
class Held:
    """A source in memory."""

    items: tuple[Item, ...]

    def messages(self) -> Iterator[Item]:
        return iter(self.items)


def equal(folder: Path, beam: str, locomo: str) -> dict[str, Any]:
    made_up = Synthetic(tokens=100_000).messages()
    messages = [
        m for m in chain(Files(beam).messages(), Files(locomo).messages(), made_up) if isinstance(m, Message)
    ]
    items = rows(messages)
    twice = doubled(items)
    _lake(folder / "messages", shuffled(twice))
    _lines(folder / "lines", shuffled(twice))
    _conversations(folder / "conversations", items)
    exports = folder / "exports"
    shutil.copytree(beam, exports / "/".join(Path(beam).parts[-2:]))
    shutil.copy(locomo, exports)
    shapes: dict[str, tuple[Lake | Files, list[Item]]] = {
        "messages": (Lake(str(folder / "messages")), list(messages)),
        "lines": (Lake(str(folder / "lines"), "jsonl"), list(messages)),
        "conversations": (Lake(str(folder / "conversations")), list(messages)),
        "exports": (Files(str(exports)), list(Files(str(exports)).messages())),
    }
    differing: list[str] = []
    runs = 0
    with session(Session(master="local[2,4]")):
        for name, (source, base) in shapes.items():
            for partitions in PARTITIONS:
                root = folder / f"{name}-{partitions}"
                done = _ingested(source, root, partitions)
                found = list(Ingested(Location(str(root))).messages())
                held = (
                    len(twice) if name in ("messages", "lines") else sum(isinstance(m, Message) for m in base)
                )
                runs += 1
                if said(found) != said(base) or done["messages"] != held:
                    differing.append(f"{name}/{partitions}")
    indexed: dict[str, Any] = {}
    local: dict[str, Any] = {}
    for name, (_, base) in shapes.items():
        if name in ("messages", "exports"):  # the other lakes hold what the first one holds
            local = _indexed(folder / f"{name}-local", Held(tuple(base)))
        table = _indexed(folder / f"{name}-4", Ingested(Location(str(folder / f"{name}-4"))))
        again = len(twice) - len(items) if name in ("messages", "lines") else 0
        indexed[name] = {
            "content_hash": table["content_hash"],
            "equal": all(local[each] == table[each] for each in SAME),
            "dead_letters": [local["dead_letters"], table["dead_letters"]],
            "doubled": again,
        }
    return {
        "messages": len(items),
        "doubled": len(twice) - len(items),
        "runs": runs,
        "differing": differing,
        "indexed": indexed,
    }


def killed(folder: Path, beam: str) -> dict[str, Any]:
    words = ["spark.master=local-cluster[2,1,1024]", "+spark.conf.spark.speculation=true"]
    words += ["+spark.conf.spark.speculation.multiplier=1.01", "+spark.conf.spark.speculation.quantile=0.1"]
    words += [
        "+spark.conf.spark.speculation.interval=10ms",
        "+spark.conf.spark.speculation.minTaskRuntime=1ms",
    ]
    if path := os.environ.get("PYTHONPATH"):
        words.append(f"+spark.conf.spark.executorEnv.PYTHONPATH='{path}'")
    return elsewhere(folder, beam, words, kill=True)


def elsewhere(folder: Path, beam: str, words: list[str], *, kill: bool = False) -> dict[str, Any]:
    """A lake of 40 copies of a conversation, ingested by the job in a process of its own."""
    one = [m for m in Files(beam).messages() if isinstance(m, Message)]
    copies = [replace(m, conversation_id=f"{m.conversation_id}-{n}") for n in range(40) for m in one]
    _lake(folder / "lake", shuffled(rows(copies)), files=16)
    root = folder / "store"
    command = [sys.executable, str(ROOT / "jobs" / "ingest_spark.py"), f"source.path={folder / 'lake'}"]
    command += [f"store.root={root}", "spark.partitions=16", *words]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    victims = _kill_an_executor(process, root) if kill else 0
    out, err = process.communicate()
    if process.returncode:
        raise SystemExit(err)
    made: dict[str, Any] = json.loads(out.splitlines()[-1])
    made["equal"] = said(Ingested(Location(str(root))).messages()) == said(copies)
    if not kill:
        return made
    table = staged(Location(str(root))).open()
    assert table is not None
    data = list((root / "default" / "ingested.lance" / "data").iterdir())
    return {
        **made,
        "executors_killed": victims,
        "files_of_lost_attempts": len(data) - len(table.get_fragments()),
    }


def _kill_an_executor(process: subprocess.Popen[str], root: Path) -> int:
    """Kill one of the executors that the process started, once a worker has begun to write."""
    data = root / "default" / "ingested.lance" / "data"
    while process.poll() is None:
        if data.exists() and any(data.iterdir()):
            for each in psutil.Process(process.pid).children(recursive=True):
                try:
                    if "CoarseGrainedExecutorBackend" in " ".join(each.cmdline()):
                        each.send_signal(signal.SIGKILL)
                        return 1
                except psutil.Error:  # it has ended
                    continue
        time.sleep(0.02)
    return 0


def said(items: Iterable[Item]) -> tuple[dict[str, str], int]:
    """What decides what an index job makes of a source: the digest of each conversation's messages in order, without
    those that came twice; and how many dead letters the source has."""
    spool, letters = Spool(), 0
    for item in items:
        if isinstance(item, Message):
            spool.add(item)
        letters += isinstance(item, DeadLetter)
    found = {}
    for of in spool.conversations():
        hashed = hashlib.blake2b()
        for each in identify(spool.read(of), lambda _: None):
            hashed.update(repr((each.message_id, each.message)).encode())
        found[of] = hashed.hexdigest()
    spool.close()
    return found, letters


def _ingested(source: Lake | Files, root: Path, partitions: int) -> dict[str, Any]:
    return ingest(
        Ingest(source, Location(str(root)), Session(master="local[2,4]", partitions=partitions)), Report()
    )


def _indexed(root: Path, source: Any) -> dict[str, Any]:
    job = index_job(load("index", ["source=synthetic", f"store.root={root}"]))
    return index(replace(job, source=source), Report())


# --------------------------------------------------------------------------------- memory and speed


def memory(folder: Path, tokens: int, conversations: int) -> dict[str, Any]:
    one = _made_up()
    short = max(1, one.num_rows * 1000 // MADE_UP)  # messages of 1,000 tokens
    of = [f"{row // short}" for row in range(one.num_rows)]
    for copy in range(-(-conversations // (one.num_rows // short))):
        _copy(folder / "short", one, copy, [f"short-{copy}-{each}" for each in of])
    shutil.copytree(folder / "short", folder / "both")
    for copy in range(tokens // MADE_UP):
        _copy(folder / "both", one, copy, ["long"] * one.num_rows)
    made: dict[str, Any] = {}
    with session(Session(master="local[2,4]")):
        for name in ("short", "both"):
            with _watched() as peak:
                done = _ingested(Lake(str(folder / name)), folder / f"{name}-s", 8)
            made[name] = {**done, "worker_mb": round(peak["python"]), "jvm_mb": round(peak["java"])}
    made |= {"long_tokens": tokens}
    return {**made, "worker_ratio": round(made["both"]["worker_mb"] / made["short"]["worker_mb"], 3)}


def speed(folder: Path, tokens: int, cores: list[int]) -> dict[str, Any]:
    one, copies = _made_up(), tokens // MADE_UP
    for copy in range(copies):
        _copy(folder / "lake", one, copy, [f"made-up-{copy}"] * one.num_rows)
    made: dict[str, Any] = {"tokens": tokens, "messages": one.num_rows * copies}
    for number in cores:
        with session(Session(master=f"local[{number},4]")) as spark:
            spark.range(number).repartition(number).count()
            began = time.monotonic()
            asked = Session(master=f"local[{number},4]", partitions=32)
            done = ingest(
                Ingest(Lake(str(folder / "lake")), Location(str(folder / f"s{number}")), asked), Report()
            )
            seconds = time.monotonic() - began
        assert done["messages"] == made["messages"], done
        shutil.rmtree(folder / f"s{number}")
        made[f"{number}_cores"] = {"seconds": round(seconds, 1), "tokens_per_s": round(tokens / seconds)}
    made["load_average"] = [round(each, 1) for each in os.getloadavg()]
    return made


def _made_up() -> pa.Table:
    """A made-up conversation of `MADE_UP` tokens."""
    return pa.Table.from_pylist(
        rows(m for m in Synthetic(tokens=MADE_UP).messages() if isinstance(m, Message)), ROW
    )


def _copy(folder: Path, one: pa.Table, copy: int, ids: list[str]) -> None:
    """One more file of a lake: the same messages under other ids, behind those of the copies before."""
    folder.mkdir(exist_ok=True)
    table = one.set_column(0, "conversation_id", pa.array(ids))
    table = table.set_column(1, "seq", pc.add(one["seq"], copy * one.num_rows))
    pq.write_table(table, folder / f"{ids[0]}-{copy:05}.parquet", row_group_size=1024)


@contextmanager
def _watched() -> Iterator[Counter[str]]:
    """The largest resident memory, in MB, of one Python process that was started by another, and of one JVM."""
    peak: Counter[str] = Counter()
    ended = threading.Event()

    def look() -> None:
        while not ended.wait(0.1):
            for each in psutil.Process().children(recursive=True):
                try:
                    kind = "java" if each.name() == "java" else "python"
                    peak[kind] = max(peak[kind], each.memory_info().rss / 1e6)  # type: ignore[assignment]
                except psutil.Error:  # it has ended
                    continue

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    try:
        yield peak
    finally:
        ended.set()
        thread.join()


# --------------------------------------------------------------------------------- lakes


def rows(messages: Iterable[Message]) -> list[dict[str, Any]]:
    numbers: Counter[str] = Counter()
    made = []
    for m in messages:
        fields = {name: getattr(m, name) for name in FIELDS.names} | {"attachments": list(m.attachments)}
        made.append({"conversation_id": m.conversation_id, "seq": numbers[m.conversation_id], **fields})
        numbers[m.conversation_id] += 1
    return made


def doubled(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    draw = random.Random(0).random
    return [each for item in items for each in ([item, item] if draw() < 0.1 else [item])]


def shuffled(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return random.Random(0).sample(items, len(items))


def _lake(folder: Path, items: list[dict[str, Any]], files: int = 4) -> None:
    for number in range(files):
        day = folder / f"day=2024-03-{number + 1:02}"
        day.mkdir(parents=True)
        pq.write_table(pa.Table.from_pylist(items[number::files], ROW), day / "part.parquet")


def _lines(folder: Path, items: list[dict[str, Any]]) -> None:
    folder.mkdir()
    for number in range(4):
        lines = (json.dumps(each, default=lambda time: time.isoformat()) for each in items[number::4])
        (folder / f"{number}.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _conversations(folder: Path, items: list[dict[str, Any]]) -> None:
    folder.mkdir()
    talks: dict[str, list[dict[str, Any]]] = {}
    for item in items:
        talks.setdefault(item["conversation_id"], []).append({name: item[name] for name in FIELDS.names})
    schema = pa.schema([("conversation_id", pa.string()), ("messages", pa.list_(pa.struct(list(FIELDS))))])
    for number, (of, talk) in enumerate(talks.items()):
        table = pa.Table.from_pylist([{"conversation_id": of, "messages": talk}], schema)
        pq.write_table(table, folder / f"{number}.parquet")


if __name__ == "__main__":
    main()
