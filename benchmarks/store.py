"""What the store costs as it grows: `python benchmarks/store.py --segments 1000 100000`.

Made-up segments through the store's own calls (write, read back and hash, commit, name, seal), no engine and no
embedder. `--segments A B`: what reading one segment costs when the store holds A and B of them, in turn, and then what
inserting 1,000 more costs; and the same rows in one table with a primary key, as the store wrote them before (`--keyed`
of them: it slows down).
`--writers 2 4 8`: 10⁹ tokens in 1,000 conversations, a twentieth of them written by two at once, verified whole;
then what a new 100K conversation costs in that store and in an empty one. Its last line on stdout is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from harness import keep

import memfold
from memfold.digest import digest
from memfold.layers.episodic import schema as episodic
from memfold.layers.layer import INPUTS
from memfold.layers.scratchpad.tree import SCRATCHPAD
from memfold.run.outline import hashed
from memfold.run.work import Named, write_parts
from memfold.schema import SPAN, key
from memfold.store.catalog import Catalog
from memfold.store.erase import check, erase
from memfold.store.location import Location
from memfold.store.maintain import maintain, tend
from memfold.store.part import Part
from memfold.store.record import NOTHING, Record
from memfold.store.tables import Keyed, Placed, among, names, opened
from memfold.store.unsealed import Unsealed
from memfold.store.verify import verify

DIMENSION = 384
SCHEMAS = {**INPUTS, "episodic": episodic(DIMENSION), "scratchpad": SCRATCHPAD}
TOKENS_A_SEGMENT = 71_000
SEGMENTS_A_FILE, SEGMENTS_A_COMMIT = 4, 1000
# A store that is only to be there for others to be measured in is written in fewer files, and merged as any is.
SEGMENTS_A_FILE_BEFORE = 100
WORDS = [
    f"{a}{b}"
    for a in ("re", "con", "pro", "sub", "tri", "o", "be", "mis")
    for b in ("act", "lay", "port", "form", "")
]
CONFIG = json.dumps(
    {
        "embedder": {"_target_": "memfold.embed.minilm.MiniLM", "max_length": 256, "threads": 0},
        "layers": {
            "episodic": {"_target_": "memfold.layers.episodic.Episodic"},
            "scratchpad": {"_target_": "memfold.layers.scratchpad.tree.Scratchpad"},
        },
    }
)


class MadeUp:
    """Segments of `exchanges` exchanges whose answers have `characters` characters, the same for the same place."""

    def __init__(self, exchanges: int, characters: int) -> None:
        draw = random.Random(0)
        self.exchanges, self.characters = exchanges, characters
        self.pool = " ".join(draw.choices(WORDS, k=400_000))
        vectors = np.random.default_rng(0).normal(size=(4096 + exchanges, DIMENSION)).astype(np.float32)
        self.vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    def parts(self, conversation: str, segment: int) -> dict[str, tuple[Named, pa.Table]]:
        """The rows of one segment for each table."""
        name, n = digest("made-up", conversation, segment), self.exchanges
        draw = random.Random(name)
        start = [draw.randrange(len(self.pool) - self.characters - 300) for _ in range(n)]
        ids = [segment * n + i for i in range(n)]
        said = [f"{conversation} {i} " + self.pool[s : s + 200] for i, s in zip(ids, start, strict=True)]
        told = [self.pool[s + 200 : s + 200 + self.characters] for s in start]
        when = datetime(2026, 1, 1, tzinfo=UTC)
        per = TOKENS_A_SEGMENT // (2 * SPAN)
        messages = {
            "segment": [name] * 2 * n,
            "seq": [2 * i + k for i in ids for k in (0, 1)],
            "conversation_id": [conversation] * 2 * n,
            "message_id": [str(2 * i + k) for i in ids for k in (0, 1)],
            "exchange_id": [i for i in ids for _ in (0, 1)],
            "role": ["user", "assistant"] * n,
            "content": [text for pair in zip(said, told, strict=True) for text in pair],
            "time": [when] * 2 * n,
            "session": [None] * 2 * n,
            "speaker": [None] * 2 * n,
            "attachments": [[]] * 2 * n,
            "current": [True] * 2 * n,
            "language": ["en"] * 2 * n,
            "tokens": [per] * 2 * n,
        }
        of = {"segment": [name] * n, "exchange_id": ids, "conversation_id": [conversation] * n}
        facts = [{"key": f"key {i}", "value": self.pool[s : s + 20]} for i, s in zip(ids, start, strict=True)]
        extractions = {
            **of,
            "time": [when] * n,
            "summary": [text[:120] for text in said],
            "facts": [[fact] for fact in facts],
            "made_by": ["made-up"] * n,
        }
        notes = {**of, "n": [0] * n, "kind": ["fact"] * n, "text": [text[:80] for text in said]}
        notes["time"] = [when] * n
        first = draw.randrange(4096)
        flat = pa.array(self.vectors[first : first + n].reshape(-1))
        episodes = {
            **of,
            "message_ids": [[str(2 * i), str(2 * i + 1)] for i in ids],
            "time": [when] * n,
            "user_text": said,
            "characters": [self.characters] * n,
            "terms": [[s % 9973 + k for k in range(20)] for s in start],
            "counts": [[1] * 20] * n,
            "vector": pa.FixedSizeListArray.from_arrays(flat, DIMENSION),
        }
        item = {
            "exchange_id": ids[0],
            "kind": "fact",
            "text": said[0],
        }
        node = {
            "segment": [name],
            "conversation_id": [conversation],
            "level": [0],
            "first_exchange": [ids[0]],
            "last_exchange": [ids[-1]],
            "children": [[]],
            "items": [[{**item, "replaced": None, "tokens": 50}]],
            "dropped": [0],
            "chronicle": [[]],
            "made_by": ["made-up"],
        }
        columns = {
            "messages": messages,
            "extractions": extractions,
            "notes": notes,
            "episodic": episodes,
            "scratchpad": node,
        }
        tables = {kind: table_of(rows, SCHEMAS[kind]) for kind, rows in columns.items()}
        return {
            kind: (Named(conversation, name, TOKENS_A_SEGMENT if kind == "messages" else 0), rows)
            for kind, rows in tables.items()
        }


def table_of(columns: dict[str, Any], schema: pa.Schema) -> pa.Table:
    """Columns in a schema's order; those that may be empty are, where none is given."""
    rows = len(next(iter(columns.values())))
    given = {each.name: [None] * rows for each in schema if each.nullable} | columns
    return pa.table([pa.array(given[each.name], each.type) for each in schema], schema=schema)


class Writer:
    """What a job does with segments: files of a few, commits of many."""

    def __init__(self, location: Location, running: Any, a_file: int = SEGMENTS_A_FILE) -> None:
        self.location, self.running, self.a_file = location, running, a_file
        self.tables = {kind: Placed(location, kind, schema) for kind, schema in SCHEMAS.items()}
        for table in self.tables.values():
            table.create()
        self.waiting: list[dict[str, tuple[Named, pa.Table]]] = []
        self.files: dict[str, list[tuple[list[str], list[Any]]]] = {kind: [] for kind in SCHEMAS}
        self.segments = self.commits = 0
        self.parts: dict[str, dict[str, list[Part]]] = {}

    def add(self, parts: dict[str, tuple[Named, pa.Table]]) -> None:
        """Take a segment in."""
        self.waiting.append(parts)
        self.segments += 1
        if len(self.waiting) >= self.a_file:
            self._write()
        if self.segments % SEGMENTS_A_COMMIT == 0:
            self.commit()

    def _write(self) -> None:
        if self.waiting:
            for kind, table in self.tables.items():
                named, rows = zip(*(parts[kind] for parts in self.waiting), strict=True)
                self.files[kind].append(write_parts(table, named, rows))
            self.waiting = []

    def commit(self) -> None:
        """Write and commit what waits, and name it; merge small files from time to time, as a job does."""
        self._write()
        named = []
        for kind, written_files in self.files.items():
            firsts = iter(self.tables[kind].commit([file for files, _ in written_files for file in files]))
            for files, filed in written_files:
                first, *_ = [next(firsts) for _ in files]
                for each in filed:
                    part = each.part._replace(first=first + each.offset)
                    self.parts.setdefault(each.conversation_id, {}).setdefault(kind, []).append(part)
                    named.append((each.conversation_id, kind, part))
            self.files[kind] = []
        if named:
            self.running.made(named)
        self.commits += 1
        if self.commits % 2 == 0:
            tend(self.location)

    def records(self) -> Iterator[Record]:
        """The records of the conversations that were committed since the last call."""
        for conversation, kinds in self.parts.items():
            parts = {kind: tuple(kinds[kind]) for kind in SCHEMAS}
            exchanges = sum(part.rows for part in parts["extractions"])
            tokens = sum(part.tokens for part in parts["messages"])
            yield Record(
                conversation,
                None,
                2 * exchanges,
                exchanges,
                tokens,
                None,
                None,
                0,
                NOTHING,
                NOTHING,
                parts,
                hashed(parts),
            )
        self.parts = {}


def growth(folder: Path, sizes: Sequence[int], keyed: int) -> dict[str, Any]:
    """What one segment costs to read and to insert in stores of so many, in ms: medians of rounds in turn, all of
    reading before the first of inserting. `open_ms` is opening two tables and reading the first one."""
    made_up = MadeUp(8, 200)
    with ExitStack() as stack:
        stores = [_filled(stack, Location(str(folder / f"growth-{size}")), made_up, size) for size in sizes]
        inserts: list[list[float]] = [[] for _ in sizes]
        reads: list[list[tuple[float, float]]] = [[] for _ in sizes]
        for turn in range(10):
            for n, (writer, places) in enumerate(stores):
                reads[n].append(reading(writer.location, places, turn))
        print({size: [1e3 * each for _, each in r] for size, r in zip(sizes, reads, strict=True)}, flush=True)
        for turn in range(4):
            for n, (writer, _) in enumerate(stores):
                parts = [made_up.parts("more", 1000 * turn + i) for i in range(SEGMENTS_A_COMMIT)]
                writer.segments = 0
                started = time.perf_counter()
                for each in parts:
                    writer.add(each)
                inserts[n].append((time.perf_counter() - started) / SEGMENTS_A_COMMIT)
    rows: list[dict[str, Any]] = [
        {
            "segments": size,
            "insert_ms": 1e3 * float(np.median(i)),
            "open_ms": 1e3 * float(np.median([first for first, _ in r])),
            "read_ms": 1e3 * float(np.median([each for _, each in r])),
        }
        for size, i, r in zip(sizes, inserts, reads, strict=True)
    ]
    print(*rows, sep="\n", flush=True)
    return {
        "insert_ratio": rows[-1]["insert_ms"] / rows[0]["insert_ms"],
        "read_ratio": rows[-1]["read_ms"] / rows[0]["read_ms"],
        "growth": rows + before(folder, made_up, keyed),
    }


def _filled(
    stack: ExitStack, location: Location, made_up: MadeUp, size: int
) -> tuple[Writer, list[dict[str, Part]]]:
    location.make()
    writer = Writer(location, stack.enter_context(Unsealed(location).running()), SEGMENTS_A_FILE_BEFORE)
    for n in range(size):
        writer.add(made_up.parts(f"c{n // 100}", n))
    writer.commit()
    tend(location)
    writer.a_file = SEGMENTS_A_FILE
    places = [
        dict(zip(SCHEMAS, each, strict=True))
        for kinds in writer.parts.values()
        for each in zip(*kinds.values(), strict=True)
    ]
    return writer, places


def reading(
    location: Location, places: Sequence[dict[str, Part]], turn: int, times: int = 100
) -> tuple[float, float]:
    """Seconds to read one segment of messages and episodes: opening the tables for the first, and the median of as many
    drawn ones once they are open."""
    tables = {kind: Placed(location, kind, SCHEMAS[kind]) for kind in ("messages", "episodic")}
    drawn = random.Random(turn).sample(range(len(places)), times + 1)
    took = []
    for n in drawn:
        started = time.perf_counter()
        for kind, table in tables.items():
            assert table.take([places[n][kind]]).num_rows == places[n][kind].rows
        took.append(time.perf_counter() - started)
    return took[0], float(np.median(took[1:]))


def before(folder: Path, made_up: MadeUp, most: int) -> list[dict[str, object]]:
    """The same rows inserted under a primary key, eight segments in a commit, and read by a filter on their segment."""
    schema = SCHEMAS["messages"]
    keyed = pa.schema([key(f.name, f.type) if f.name in ("segment", "seq") else f for f in schema])
    table = Keyed(Location(str(folder / "keyed")), "messages", keyed)
    found: list[dict[str, object]] = []
    step, took = max(most // 8, 8), 0.0
    for n in range(0, most, 8):
        parts = [made_up.parts("k", i)["messages"] for i in range(n, n + 8)]
        started = time.perf_counter()
        table.insert(pa.concat_tables([rows for _, rows in parts]))
        took = time.perf_counter() - started
        if n % step == 0:
            started = time.perf_counter()
            table.read(where=among("segment", [parts[0][0].name]))
            read = time.perf_counter() - started
            found.append({"keyed_segments": n + 8, "insert_ms": 1e3 * took / 8, "read_ms": 1e3 * read})
            print(found[-1], flush=True)
    return found


def fleet(root: str, conversations: int, segments: int, writers: int) -> None:
    """Have processes write conversations, a twentieth of which two of them write."""
    context = multiprocessing.get_context("spawn")
    share = [[c for c in range(conversations) if writer in _writers(c, writers)] for writer in range(writers)]
    started = [context.Process(target=_write, args=(root, of, segments)) for of in share]
    for process in started:
        process.start()
    for process in started:
        process.join()
    if any(process.exitcode for process in started):
        sys.exit("a writer failed")


def _writers(conversation: int, writers: int) -> set[int]:
    own = conversation % writers
    return {own, (own + 1) % writers} if conversation % 20 == 0 else {own}


def _write(root: str, conversations: Sequence[int], segments: int) -> None:
    location = Location(root)
    location.make()
    made_up, catalog = MadeUp(SPAN, 4600), Catalog(location)
    with Unsealed(location).running() as running:
        writer = Writer(location, running)
        for place, conversation in enumerate(conversations, start=1):
            for segment in range(segments):
                writer.add(made_up.parts(f"conversation-{conversation}", segment))
            if place % 50 == 0 or place == len(conversations):
                writer.commit()
                # What a rival has sealed meanwhile is the same conversation: it is left as it is.
                catalog.seal(list(writer.records()), config=CONFIG, embedder=_embedder(), before={})


def _embedder() -> str:
    from memfold.embed.minilm import MiniLM

    return MiniLM().signature


def held(location: Location, conversations: int, segments: int) -> dict[str, int]:
    """What is lost and doubled: as the snapshot shows it, and in the tables once what nothing names is collected."""
    store = memfold.open(location.root)
    shown = [r.messages for r in Catalog(location).stream(store.history, ("messages", "exchanges"))]
    whole = 2 * SPAN * segments
    maintain(location, keep=1, unsealed_days=0)
    table = opened(location, "messages")
    assert table is not None
    rows = table.count_rows()
    return {
        "lost": conversations
        - len(shown)
        + sum(n < whole for n in shown)
        + max(0, conversations * whole - rows),
        "doubled": sum(n > whole for n in shown) + max(0, rows - conversations * whole),
    }


def share_of_metadata(location: Location) -> float:
    """The bytes of the tables' manifests, transactions and indexes, as a share of those of their rows."""
    files = [
        path for name in names(location) for path in Path(location.uri(name)).rglob("*") if path.is_file()
    ]
    data = sum(path.stat().st_size for path in files if path.parent.name == "data")
    return (sum(path.stat().st_size for path in files) - data) / data


def beside(root: str, source: str, folder: Path) -> dict[str, float]:
    """What a conversation costs in a large store, over what it costs in an empty one: to index, to open, to erase."""
    took: dict[str, dict[str, list[float]]] = {"empty": {}, "large": {}}
    erasing = 0.0
    for turn in range(3):
        roots = {"empty": str(folder / f"empty-{turn}"), "large": root}
        for where, at in roots.items():
            command = [sys.executable, "jobs/index.py", f"source.path={source}", f"store.root={at}"]
            started = time.perf_counter()
            subprocess.run(command, check=True, capture_output=True)
            took[where].setdefault("index", []).append(time.perf_counter() - started)
        name = next(iter(memfold.open(roots["empty"]).stream())).conversation_id
        # One after the other, so that what else the machine does meets both; the first loads the embedder.
        for n in range(21):
            for where, at in roots.items():
                started = time.perf_counter()
                memfold.open(at).search(name, "When does my first sprint end?")
                if n:
                    took[where].setdefault("open", []).append(time.perf_counter() - started)
        text = next(iter(memfold.open(root).messages(name))).content[:60]
        before, location = hashes(root), Location(root)
        started = time.perf_counter()
        erase(location, name)
        erasing = max(erasing, time.perf_counter() - started)
        check(location, name)
        assert hashes(root) == {k: h for k, h in before.items() if k != name}
        left = subprocess.run(["grep", "-rlF", text, root], capture_output=True, text=True, check=False)
        assert not left.stdout, f"erased text is left in {left.stdout}"
    # Of openings the shortest: all of a store's are the same work, and what is over it is the machine's.
    for of in took.values():
        of["open"] = [min(of["open"])]
    middle = {
        where: {what: float(np.median(times)) for what, times in of.items()} for where, of in took.items()
    }
    return {
        "index_ratio": middle["large"]["index"] / middle["empty"]["index"],
        "open_ratio": middle["large"]["open"] / middle["empty"]["open"],
        "erase_s": erasing,
        **{f"{what}_{where}_s": value for where, of in middle.items() for what, value in of.items()},
    }


def hashes(root: str) -> dict[str, str]:
    """The content hash of each conversation."""
    records = Catalog(Location(root)).stream(memfold.open(root).history)
    return {record.conversation_id: record.content_hash for record in records}


def main() -> None:
    """Run what was asked for and keep the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--segments", type=int, nargs="*", default=[1000, 100_000])
    parser.add_argument("--keyed", type=int, default=3200, help="segments in the table with a primary key")
    parser.add_argument("--writers", type=int, nargs="*", default=[2, 4, 8])
    parser.add_argument("--conversations", type=int, default=1000)
    parser.add_argument("--tokens", type=int, default=1_000_000, help="of each conversation")
    parser.add_argument("--source", default="", help="a 100K conversation to index in the full store")
    parser.add_argument(
        "--folder", default=None, help="where the stores are made; a temporary folder by default"
    )
    given = parser.parse_args()
    folder = Path(given.folder or tempfile.mkdtemp(prefix="memfold-store-"))
    done: dict[str, Any] = growth(folder, given.segments, given.keyed) if given.segments else {}
    segments = max(1, round(given.tokens / TOKENS_A_SEGMENT))
    for size in given.segments:
        shutil.rmtree(folder / f"growth-{size}")
    done |= {"lost": 0, "doubled": 0, "metadata_share": 0.0, "fleet": []}
    for writers in given.writers:
        root = str(folder / f"fleet-{writers}")
        location = Location(root)
        started = time.perf_counter()
        fleet(root, given.conversations, segments, writers)
        wrote = time.perf_counter() - started
        share = share_of_metadata(location)
        found = held(location, given.conversations, segments)
        started = time.perf_counter()
        verify(location, memfold.open(root).history)  # an error ends the run
        row = {
            "writers": writers,
            "tokens": given.conversations * segments * TOKENS_A_SEGMENT,
            "segments": given.conversations * segments,
            "write_s": wrote,
            "verify_s": time.perf_counter() - started,
            "metadata_share": share,
            **found,
        }
        done["fleet"].append(row)
        done["lost"] += found["lost"]
        done["doubled"] += found["doubled"]
        done["metadata_share"] = max(done["metadata_share"], share)
        print(row, flush=True)
        if given.source and writers == given.writers[-1]:
            done |= beside(root, given.source, folder)
        shutil.rmtree(root)
    keep("store", [done])
    print(json.dumps(done))


if __name__ == "__main__":
    main()
