"""What many small conversations cost: `python benchmarks/small.py --conversations 500 20000`.

Conversations of four short messages in one JSONL, as support desks have them, indexed by the index job in a process of
its own; embedding their user texts alone runs in turn on as many cores, in a process of its own too. Then a second run,
one more conversation, a probe in a fresh process, the store's size after maintenance, and listings of `--listed`
made-up records. `--beside PATH` indexes the small ones together with a long conversation, and says how busy the cores
were in the last tenth. Its last line on stdout is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import psutil
from harness import keep

from memfold.store.location import Location
from memfold.store.maintain import maintain
from memfold.store.tables import names
from memfold.store.upkeep import clean

WORDS = [
    "sourdough",
    "kayak",
    "tax",
    "violin",
    "rose",
    "chess",
    "solar",
    "marathon",
    "sign",
    "bee",
    "camera",
    "train",
    "refund",
    "order",
    "parcel",
    "invoice",
    "login",
    "password",
    "printer",
    "router",
    "battery",
    "screen",
    "update",
    "billing",
]

EMBED = """
import json, sys, time
from concurrent.futures import ThreadPoolExecutor
from memfold.embed.minilm import MiniLM
rows = [json.loads(line) for line in open(sys.argv[1])]
texts = [m["content"] for row in rows for m in row["messages"] if m["role"] == "user"]
embedder = MiniLM(threads=1)
embedder.encode(texts[:8])
started = time.perf_counter()
with ThreadPoolExecutor(int(sys.argv[2])) as pool:
    list(pool.map(embedder.encode, [texts[i : i + 256] for i in range(0, len(texts), 256)]))
print(time.perf_counter() - started)
"""

PROBE = """
import sys, time
started = time.perf_counter()
import memfold
store = memfold.open(sys.argv[1])
assert store.probe(sys.argv[2], "What did I say about email?").hits(3)
print(time.perf_counter() - started)
"""

LISTING = """
import resource, sys, time
import memfold
started = time.perf_counter()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(sum(1 for _ in memfold.open(sys.argv[1]).stream()), time.perf_counter() - started,
      resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def write(path: Path, first: int, last: int) -> None:
    """Conversations `first` to `last` - 1 as OpenAI messages, one a line."""
    with path.open("w") as file:
        for n in range(first, last):
            draw = random.Random(n)

            def words(draw: random.Random = draw) -> str:
                return " ".join(draw.choices(WORDS, k=12))

            said = [
                ("user", f"My {words()} ticket {n} is broken, what now?"),
                ("assistant", f"Please try {words()} and tell me if it helps."),
                ("user", f"It did not help, {words()}. I prefer email."),
                ("assistant", f"Then we will replace it by {words()}."),
            ]
            messages = [{"role": role, "content": text} for role, text in said]
            file.write(json.dumps({"id": f"c{n}", "messages": messages}) + "\n")


def index(*overrides: str) -> dict[str, Any]:
    """What the index job says, with the seconds its process took."""
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "jobs/index.py", *overrides], check=True, capture_output=True, text=True
    )
    return {**json.loads(done.stdout.splitlines()[-1]), "process_s": time.perf_counter() - started}


def python(code: str, *arguments: str) -> list[float]:
    """The numbers that a program in a fresh process prints."""
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], check=True, capture_output=True, text=True
    )
    return [float(word) for word in done.stdout.split()]


def size(folder: Path) -> int:
    """The bytes of all files under a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def measured(folder: Path, conversations: int, cores: int, executor: str) -> dict[str, Any]:
    """The figures for one number of conversations."""
    source, root = folder / f"{conversations}.jsonl", folder / f"store-{conversations}-{executor}"
    write(source, 0, conversations)
    [alone] = python(EMBED, str(source), str(cores))
    done = index(
        f"source.path={source}",
        f"store.root={root}",
        f"executor={executor}",
        f"executor.workers={0 if executor == 'local' else cores}",
    )
    [again] = python(EMBED, str(source), str(cores))
    text = sum(len(m["content"]) for line in source.open() for m in json.loads(line)["messages"])
    vectors = done["exchanges"] * 384 * 4
    row = {
        "conversations": conversations,
        "executor": executor,
        "embedding_s": (alone + again) / 2,
        "index_s": done["seconds"],
        "ratio": done["seconds"] / ((alone + again) / 2),
        "ms_a_conversation": 1e3 * done["seconds"] / conversations,
        "peak_rss_mb": done["peak_rss_mb"],
        "store_ratio": size(root) / (text + vectors),
        "content_hash": done["content_hash"],
        "again_s": index(f"source.path={source}", f"store.root={root}")["process_s"],
    }
    one = folder / "one.jsonl"
    write(one, conversations, conversations + 1)
    row["one_more_s"] = index(f"source.path={one}", f"store.root={root}")["process_s"]
    [row["probe_s"]] = python(PROBE, str(root), f"c{conversations // 2}")
    # Files that were merged lie beside the merged ones for as long as a reader may need them.
    maintain(Location(str(root)))
    for name in names(Location(str(root))):
        clean(Location(str(root)), name, alone=True)
    row["tended_store_ratio"] = size(root) / (text + vectors)
    print(row, flush=True)
    return row


def listing(folder: Path, records: int) -> dict[str, float]:
    """Streaming a listing of made-up records, which are made where the folder does not have them."""
    from memfold.store.catalog import Catalog
    from memfold.store.part import Part
    from memfold.store.record import NOTHING, Record

    location = Location(str(folder / f"listed-{records}"))
    location.make()
    part = {
        kind: (Part(NOTHING, 0, 4, NOTHING, 40),) for kind in ("messages", "extractions", "notes", "episodic")
    }
    there = Catalog(location).sealed()
    for first in range(there * 50_000, records, 50_000):
        made = [
            Record(f"c{n}", None, 4, 2, 40, None, None, 0, NOTHING, NOTHING, part, NOTHING)
            for n in range(first, min(first + 50_000, records))
        ]
        Catalog(location).seal(made, config="{}", embedder="made-up", before={})
    count, seconds, memory = python(LISTING, location.root)
    return {"listed": count, "listing_s": seconds, "listing_peak_mb": memory}


def mixed(folder: Path, conversations: int, beside: str, cores: int) -> dict[str, float]:
    """How busy the cores were while small conversations and a long one were indexed by one job."""
    source = folder / "mixed"
    source.mkdir()
    write(source / "small.jsonl", 0, conversations)
    (source / Path(beside).name).symlink_to(Path(beside).resolve())
    command = [
        sys.executable,
        "jobs/index.py",
        f"source.path={source}",
        f"store.root={folder / 'store-mixed'}",
    ]
    # At each look, the seconds since the start and the processor's seconds used by then. There are ten looks per
    # second, because the job ends between two of them.
    seen: list[tuple[float, float]] = [(0.0, 0.0)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as job:
        process, began = psutil.Process(job.pid), time.perf_counter()
        while job.poll() is None:
            time.sleep(0.1)
            try:
                times = process.cpu_times()
            except psutil.NoSuchProcess:
                break
            seen.append((time.perf_counter() - began, times.user + times.system))
    took, used = seen[-1]
    since = next(each for each in seen if each[0] >= 0.9 * took)
    return {
        "mixed_s": took,
        "busy": used / took / cores,
        "busy_last_tenth": (used - since[1]) / (took - since[0]) / cores,
    }


def main() -> None:
    """Run what was asked for and keep the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--conversations", type=int, nargs="*", default=[500, 20_000])
    parser.add_argument("--listed", type=int, nargs="*", default=[100_000, 1_000_000])
    parser.add_argument("--folder", default=None, help="where stores are made; a temporary folder by default")
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--ray", action="store_true", help="the largest number on Ray too")
    parser.add_argument(
        "--beside", default="", help="a long conversation, indexed together with the small ones"
    )
    given = parser.parse_args()
    folder = Path(given.folder or tempfile.mkdtemp(prefix="memfold-small-"))
    rows = [measured(folder, n, given.cores, "local") for n in given.conversations]
    done: dict[str, Any] = {}
    if rows:
        growth = rows[-1]["ms_a_conversation"] / rows[0]["ms_a_conversation"]
        done = {"small": rows, "growth": growth}
    if given.ray:
        rows.append(measured(folder, given.conversations[-1], given.cores, "ray"))
        done["ray_equal"] = rows[-1]["content_hash"] == rows[-2]["content_hash"]
    if given.listed:
        done["listings"] = [listing(folder, records) for records in given.listed]
    if given.beside:
        done |= mixed(folder, given.conversations[0], given.beside, given.cores)
    done["driver_peak_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    keep("small", [done])
    print(json.dumps(done))


if __name__ == "__main__":
    main()
